"""Which blocks of a document are not in force, by its own notes and labels, and how far each of those reaches.

| what stands there                                | what it is about                                         |
|--------------------------------------------------|----------------------------------------------------------|
| «… cuyo texto es el siguiente:»                  | the part above was replaced by the one below             |
| «… antes del cambio, estaba redactado así:»      | the quotation below is what was replaced                 |
| «TEXTO ANTERIOR», «Redacción anterior:»          | the part below, of the kind that the note above it names |
| «Artículo derogado por …»                        | the part above; where nothing is above, the note         |
| «<Artículo INEXEQUIBLE>», a heading «[Derogado]» | what follows in the same part                            |
| «(*) DEROGADO por …» before the first article    | the whole document                                       |

A part is as large as the note says: a paragraph, an item with what hangs on it, an article (all since the last
heading), a chapter. Pure: blocks in, the same blocks out, cut where a note begins, each with its state. They are read
twice, and no text is held: a document of any length takes little memory. How far a text reaches that its label stands
above is in `state_extents.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import NamedTuple

from rag_system.ingestion.document import Block, BlockKind
from rag_system.ingestion.headings import Rank, match_legal
from rag_system.ingestion.lines import join_lines, starts_item
from rag_system.ingestion.state_extents import ITEMS, ONE_LINE, STRUCTURE, Extent, Look, article_number
from rag_system.query.editor_notes import (
    WHOLE_NORM,
    Change,
    Follows,
    Note,
    read_label,
    read_note,
    split_notes,
)
from rag_system.query.text import fold
from rag_system.types import StateKind, TextState

__all__ = ["with_states"]

_TOLD_CHARS = 300  # of the words that say so
_KINDS = {
    Change.REPLACED: StateKind.PREVIOUS,
    Change.REPEALED: StateKind.REPEALED,
    Change.UNCONSTITUTIONAL: StateKind.UNCONSTITUTIONAL,
}
_WHOLE = (BlockKind.TABLE, BlockKind.CODE)  # never looked into
_LONGEST_NOTE = 700  # characters
_NOTE_ENDS = '.:;)]>”»"'
_END_OF_HEADING = re.compile(
    r"[(\[<][^()\[\]<>]{3,60}[)\]>]\W*$|(?<=[.:–—-])\s*(?:Se deroga|Derogad[oa])\W*$", re.IGNORECASE
)


class Cut(NamedTuple):
    """A block of the document, or a part of one."""

    block: Block
    opens: bool = True  # it begins one…
    closes: bool = True  # …and ends it


def with_states(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, cut where a note stands inside; what is not in force has its state. `blocks` is read twice."""
    reader = _Reader()
    waiting: Cut | None = None
    for cut in _cut(blocks):
        if waiting is not None:
            reader.read(waiting, cut.block)
        waiting = cut
    if waiting is not None:
        reader.read(waiting, None)
    for place, cut in enumerate(_cut(blocks)):
        yield _told(cut.block, reader.state_at(place))


def _cut(blocks: Iterable[Block]) -> Iterator[Cut]:
    """The blocks with each note and each label by itself."""
    for block in _rejoined(blocks):
        whole = block.kind in _WHOLE
        if not whole and (empty := _empty_article(block)) is not None:
            yield from map(Cut, empty)
        elif whole or block.kind is BlockKind.HEADING:
            yield Cut(block)
        else:
            parts = [text for part in split_notes(block.text) for text in _label_apart(part)]
            last = len(parts) - 1
            cuts = (Cut(replace(block, text=text), n == 0, n == last) for n, text in enumerate(parts))
            yield from cuts if last else (Cut(block),)


def _rejoined(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks, each note whole that the ends of lines or of a page cut in two."""
    waiting: Block | None = None
    for block in blocks:
        if waiting is not None and block.kind is BlockKind.TEXT and _is_cut_note(waiting.text) and _goes_on(block.text):
            waiting = replace(waiting, text=join_lines(waiting.text, block.text))
            continue
        if waiting is not None:
            yield waiting
        waiting = block
    if waiting is not None:
        yield waiting


def _is_cut_note(text: str) -> bool:
    """Whether a text ends inside a note: it is one but for its end."""
    if len(text) > _LONGEST_NOTE or text.rstrip()[-1:] in _NOTE_ENDS:
        return False
    note = read_note(text)
    return note is not None and not (text.rstrip()[-1:].isdigit() and note.year)


def _goes_on(text: str) -> bool:
    return not (starts_item(text) or text[:1] in "(<[" or match_legal(text) or read_label(text) or read_note(text))


def _empty_article(block: Block) -> tuple[Block, Block] | None:
    """The heading and the note of an article of which nothing is left: «Artículo 51.- Artículo derogado por la Ley 3».

    With nothing below it was taken for text, or its note for its name; whoever asks for it by its number is to find it.
    """
    heading = match_legal(block.text)
    if heading is None or heading.rank < Rank.ARTICLE or len(block.text) > _LONGEST_NOTE:
        return None
    end = _END_OF_HEADING.search(block.text)
    label, rest = (block.text[: end.start()], end[0]) if end else (heading.label, heading.body)
    note = read_note(rest.strip())
    if note is None or note.change not in _KINDS or note.change is Change.REPLACED:
        return None
    label = label.strip(" .-–—:")
    level = block.level or int(heading.rank)
    body = replace(block, kind=BlockKind.TEXT, level=0, text=rest.strip())
    return replace(block, kind=BlockKind.HEADING, level=level, text=label), body


def _label_apart(text: str) -> Iterator[str]:
    label = read_label(text)
    yield from filter(None, (label.text, text[len(label.text) :].strip()) if label else (text,))


def _told(block: Block, state: TextState | None) -> Block:
    """A label is no heading: what comes after the text that it introduces does not stand under it."""
    if block.kind is BlockKind.HEADING and (label := read_label(block.text)) and (state or not label.bare):
        block = replace(block, kind=BlockKind.TEXT, level=0)
    return replace(block, state=state) if state else block


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class _Heading:
    place: int
    level: int
    text: str  # folded
    texts: int  # blocks that are no headings before it


@dataclass(slots=True)
class _Reader:
    """Walks over the blocks once, and keeps the state of each that is not in force."""

    _spans: dict[int, TextState] = field(default_factory=dict)
    _whole: TextState | None = None
    _headings: list[_Heading] = field(default_factory=list)  # those that the block stands under
    _above: list[Look] = field(default_factory=list)  # what stands since the last one
    _open: list[Extent] = field(default_factory=list)  # that hold here, the outermost first
    _gave_way: Extent | None = None  # ended at this block
    _note: Note | None = None  # right above
    _article_note: Note | None = None  # that tells by what the article was changed
    _in_head: bool = True  # before the first article, and before a heading that stands below some text
    _has_prose: bool = False  # a sentence was read that is no note
    _place: int = -1
    _texts: int = 0

    def state_at(self, place: int) -> TextState | None:
        """Of the block that was read at a place, from 0."""
        return self._spans.get(place, self._whole)

    def read(self, cut: Cut, following: Block | None) -> None:
        """The next block, with the one after it."""
        self._place += 1
        block = cut.block
        heading = block.kind is BlockKind.HEADING
        note = None if block.kind in _WHOLE else self._label(block.text)
        if note is None and not heading and block.kind not in _WHOLE:
            note = read_note(block.text)
        look = Look.at(self._place, block)
        look = replace(look, is_note=note is not None and not (note.opens and look.mark))
        self._carry_on(look, note)
        if heading and note is None:
            self._enter(block)
        elif note is not None:
            self._hear(note, following, cut)
        if look.says and (not heading or note is not None):
            self._texts += 1
            self._has_prose = self._has_prose or (note is None and look.ends)
            self._above.append(look)
            self._note = note
            if note and note.part == "articulo" and note.change in _KINDS and note.by:
                self._article_note = note

    def _label(self, text: str) -> Note | None:
        label = read_label(text)
        is_below_a_note = self._note is not None and self._note.change is Change.REPLACED
        return label if label and (is_below_a_note or not label.bare) else None

    def _mark(self, start: int, state: TextState) -> None:
        """What says more of the same is kept: a note with its norm, after a mere «(Derogado)»."""
        for place in range(start, self._place + 1):
            known = self._spans.get(place)
            if known is None or not (known.by or known.year):
                self._spans[place] = state

    def _carry_on(self, look: Look, note: Note | None) -> None:
        """What holds from above: where an outer text ends, so do those inside it."""
        held = self._open
        self._open = list(takewhile(lambda extent: extent.takes(look, note), held))
        self._gave_way = held[len(self._open)] if len(self._open) < len(held) else None
        if self._open:
            self._spans.setdefault(look.place, self._open[-1].state)

    def _begin(self, extent: Extent) -> None:
        self._open.append(extent)
        self._spans.setdefault(self._place, extent.state)

    def _enter(self, block: Block) -> None:
        """Under a heading."""
        while self._headings and self._headings[-1].level >= block.level:
            self._headings.pop()
        self._headings.append(_Heading(self._place, block.level, fold(block.text), self._texts))
        self._above, self._article_note = [], None
        self._in_head = self._in_head and block.level < Rank.ARTICLE and not self._has_prose

    # ------------------------------------------------------------ what a note is about

    def _hear(self, note: Note, following: Block | None, cut: Cut) -> None:
        if note.follows is Follows.OLD:
            self._announce(note, following, cut)
        elif note.change in _KINDS and (note.change is not Change.REPLACED or note.follows is Follows.NEW):
            labelled = following is not None and read_label(following.text) is not None
            own = cut.opens and cut.closes
            if not (labelled or self._is_of_the_whole(note, own=own) or self._opens_a_part(note, cut)):
                self._look_back(note, following)

    def _announce(self, note: Note, following: Block | None, cut: Cut) -> None:
        """A label, or a note that gives what was: it holds from here on, or for the rest of its paragraph."""
        above = self._note
        if above is not None and (above.change not in _KINDS or above.follows is not Follows.NOTHING):
            above = None
        kind = StateKind.REPEALED if above and above.change is Change.REPEALED else _KINDS[note.change]
        tellers = [each for each in (note, above, self._article_note) if each]
        by = next((each.by for each in tellers if each.by), "")
        year = next((each.year for each in tellers if each.year), None)
        told = note.text if above is None else f"{note.text} {above.text}"
        state = TextState(kind=kind, told=told[:_TOLD_CHARS], by=by, year=year)
        self._spans[self._place] = state
        if following is not None and following.kind is BlockKind.HEADING:  # no longer what stood above that
            self._open = []
        part = self._part_below(note, above) if cut.closes else "parrafo"
        self._open.append(Extent.below(state, part, following))

    def _part_below(self, label: Note, above: Note | None) -> str:
        """The kind of part below a label: as the note before it says, or the label that gave way to this one."""
        if above is not None:
            return above.part
        if self._gave_way:
            return self._gave_way.part
        return "parrafo" if label.text.endswith(":") else label.part

    def _is_of_the_whole(self, note: Note, *, own: bool) -> bool:
        if note.part in WHOLE_NORM and (note.of_another or not (self._in_head and own)):
            return note.of_another or not note.number  # of another norm; «Norma VII» is an article
        if not (self._in_head and own) or note.opens or (note.part and note.part not in WHOLE_NORM):
            return False
        self._whole = self._whole or _state(note)
        return True

    def _opens_a_part(self, note: Note, cut: Cut) -> bool:
        """Of what follows: a chapter whose note stands right below its heading, «<Artículo INEXEQUIBLE> …»."""
        if note.change is Change.REPLACED:
            return False
        if note.opens and note.part not in {"", "articulo", *STRUCTURE}:
            if not cut.opens and cut.closes:  # «PARÁGRAFO 1o. <Parágrafo INEXEQUIBLE>»
                self._mark(self._place - 1, _state(note))
            else:
                self._begin(Extent(_state(note), "parrafo"))
            return True
        heading = self._heading_of(note)
        empty = heading is not None and self._texts == heading.texts
        if heading is None or not empty or not (note.opens or note.part in STRUCTURE):
            return False
        self._begin(Extent(_state(note), "articulo", level=heading.level))
        return True

    def _heading_of(self, note: Note) -> _Heading | None:
        """The heading of the part that a note names; of a note that names none, the nearest."""
        if note.part not in STRUCTURE:
            return self._headings[-1] if self._headings else None
        named = (each for each in reversed(self._headings) if each.text.startswith(note.part))
        return next((each for each in named if not note.number or note.number in each.text.split(".")[0].split()), None)

    def _look_back(self, note: Note, following: Block | None) -> None:
        start = self._start(note, following)
        if start is not None and (note.change is not Change.REPLACED or start < self._place):
            self._mark(start, _state(note))

    # ------------------------------------------------------------ where the part above a note begins

    def _start(self, note: Note, following: Block | None) -> int | None:
        """The place where it begins: the note's own where nothing is above it; None where it cannot be told."""
        if note.part in STRUCTURE:
            heading = self._heading_of(note)
            return heading.place + 1 if heading else None
        mark = note.number if note.part in ITEMS else ""
        if note.follows is Follows.NEW and following is not None and note.part in ITEMS | {"texto", ""}:
            mark = Look.at(0, following).mark or mark
        if note.part in ITEMS or mark:
            return self._item_start(mark)
        if note.part == "parrafo" or note.part in ONE_LINE:
            return self._paragraph_start()
        if note.opens:
            return self._place
        return self._article_start(note.number if note.part == "articulo" else "")

    def _article_start(self, number: str) -> int:
        """All since the last heading, or since a line that names an article; of another article, the note alone."""
        for look in reversed(self._above):
            if look.article:
                return look.place if number in ("", look.article) else self._place
        heading = article_number(self._headings[-1].text) if self._headings else ""
        if not self._above or (number and heading and number != heading):
            return self._place
        return self._above[0].place

    def _item_start(self, mark: str) -> int | None:
        """Where the item of that number begins; of a note that tells none, the last one, or the paragraph."""
        for look in reversed(self._above):
            if look.mark and not look.is_note and (look.mark == mark or not mark):
                return look.place
        return self._paragraph_start() if not mark else None

    def _paragraph_start(self) -> int:
        """The last paragraph: with its list, where it is one of letters that it leads in; whole over a page's end.

        Below another note there is none: it was taken out.
        """
        place = len(self._above) - 1
        if place < 0 or self._above[place].is_note:
            return self._place
        while place and self._above[place].goes_on and not self._above[place - 1].ends:
            place -= 1
        lead = place
        while lead and self._above[lead].is_lettered:
            lead -= 1
        return self._above[lead if self._above[lead].leads else place].place


def _state(note: Note) -> TextState:
    return TextState(kind=_KINDS[note.change], told=note.text[:_TOLD_CHARS], by=note.by, year=note.year)
