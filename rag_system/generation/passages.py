"""A passage taken apart into what can be quoted: sentences, and list items with the lead-in they complete.

Every piece is a literal stretch of the passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from rag_system.query.editor_notes import is_note
from rag_system.query.sentences import CELL, ITEM_MARK, Span, split_sentences
from rag_system.types import Chunk, Evidence

__all__ = ["Kind", "Sentence", "heading_above", "read_chunks", "read_passage"]

_HEADING_MARK = re.compile(
    r"\s*[*_]*(?:(?:t[ií]tulo|cap[ií]tulo|subcap[ií]tulo|secci[oó]n|anexo|libro)\s+[\divxlc]+\b"
    r"|art(?:[ií]culo|\.)\s*\d+\S*[^.;:]{0,80}[.-]?[*_]*$)",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"[#$]\s+[^\s\d]")  # of a manual, after its prompt: no reader leaves Markdown's mark of a title
_SPOKEN = "Notas: "
_LONGEST_HEADING_CHARS = 120
_PASSAGES_READ = 64  # kept: the chunks of the sources of one answer or two


class Kind(Enum):
    """What part a sentence plays in its passage."""

    PROSE = "prose"
    ITEM = "item"
    NOTE = "note"  # an editor's: «Artículo modificado por …»
    ORDER = "order"  # speaks to a model: `rag_system.generation.prompt_injection`
    HEADING = "heading"  # a line that names what follows, a question of a FAQ included: never an answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a passage and where it hangs."""

    span: Span
    kind: Kind
    paragraph: int  # sentences of one line or paragraph share it
    heading: Span | None = None  # the nearest one above, inside the passage
    lead: Span | None = None  # of an item: the words that introduce the list or the command, or its table's first row
    leads: bool = False  # introduces a list that follows

    @property
    def text(self) -> str:
        return self.span.text

    @property
    def goes_on_with_list(self) -> bool:
        """Whether, by its number or its letter, other items of its list stand before it: «4. …», «c) …»."""
        return _number(self.text) not in _FIRST

    @property
    def is_spoken(self) -> bool:
        """Whether it is a note of who speaks at a slide, as the readers of slides write it."""
        return self.text.startswith(_SPOKEN)

    @property
    def is_row(self) -> bool:
        """Whether it is a row of a table: «Grave | De más de 5 UIT a 50 UIT»."""
        return CELL in self.text


@lru_cache(maxsize=_PASSAGES_READ)
def read_passage(text: str, under: str = "") -> tuple[Sentence, ...]:
    """The sentences of a passage, in order. Kept for a while: the check asks again for what was quoted.

    under: the heading right above it, which its text does not say.
    """
    reader = _Parser(text)
    for paragraph in _paragraphs(text, list(_with_notes_apart(split_sentences(text)))):
        reader.add(paragraph)
    return tuple(_with_whole_items(_with_bare_lists(text, reader.sentences, under)))


def read_chunks(evidence: Iterable[Evidence]) -> Iterator[tuple[Chunk, str, Sequence[Sentence]]]:
    """Each chunk of the passages, in order, with the titles that it stands under and its sentences."""
    for item in evidence:
        for chunk in item.chunks:
            yield chunk, " ".join((chunk.title, *chunk.heading_path)), read_passage(chunk.text, heading_above(chunk))


_NOTE_SIGN = re.compile(r"\s*\(\*{0,3}\)$")
_NOTE_LINE = re.compile(r"\n\s*(?=\(\*{0,3}\))")  # «… del distrito. (*)\n(*) Artículo modificado por …», «(*)Notas:»


def _with_notes_apart(spans: Iterable[Span]) -> Iterator[Span]:
    """The sentences without the editor's notes on the lines below them, and those."""
    for span in spans:
        start = 0
        for cut in (*_NOTE_LINE.finditer(span.text), None):
            piece = span.text[start : cut.start() if cut else None].rstrip()
            if piece:
                yield Span(span.start + start, span.start + start + len(piece), piece)
            start = cut.end() if cut else start


def _with_whole_items(sentences: list[Sentence]) -> list[Sentence]:
    """What stands between an item and the next number of its list belongs to the item, and both to the list: a duty or
    a prohibition that has a name, and its words below that. So do those of the last, where others end with a full stop.
    """
    last, number = -1, 0  # where the last item of a list stands, and its number
    for at, sentence in enumerate(sentences):
        if sentence.kind is Kind.HEADING and _HEADING_MARK.match(sentence.text):
            number = 0
        if sentence.kind is not Kind.ITEM or not (own := _number(sentence.text)):
            continue
        if sentence.lead is None and number and own == number + 1:
            _take_in(sentences, last, at)
            sentences[at] = replace(sentence, lead=sentences[last].lead)
        lead = sentences[at].lead
        above = sentences[at - 1]
        if lead and sentence.text[-1].isalpha() and above.lead == lead and above.text.endswith("."):
            _take_in(sentences, at, _end_of_next(sentences, at))
        last, number = at, own if lead else 0
    return sentences


def _take_in(sentences: list[Sentence], item: int, end: int) -> None:
    """Make the prose right below an item a part of it."""
    for at in takewhile(lambda each: sentences[each].kind is Kind.PROSE, range(item + 1, end)):
        lead, paragraph = sentences[item].lead, sentences[item].paragraph
        sentences[at] = replace(sentences[at], kind=Kind.ITEM, lead=lead, paragraph=paragraph)


def _end_of_next(sentences: Sequence[Sentence], at: int) -> int:
    """Where the paragraph after a sentence ends."""
    below = at + 1
    while below < len(sentences) and sentences[below].paragraph == sentences[at + 1].paragraph:
        below += 1
    return below


_NUMBERED = re.compile(r"\(?(?:(\d{1,3})|([a-z]))[.)]")


def _number(text: str) -> int:
    """Of an item of a list, or the place of its letter; 0 where it has none."""
    mark = _NUMBERED.match(text)
    return 0 if mark is None else int(mark[1]) if mark[1] else ord(mark[2])


_FIRST = frozenset({0, 1, *map(ord, "aAiI")})  # of lists, and 0 of what has no number
_FEWEST_LINES = 2  # a title, a subtitle and nothing else is no list


def heading_above(chunk: Chunk) -> str:
    """The heading right above the text of a chunk."""
    return "".join(chunk.heading_path[-1:])


def _with_bare_lists(text: str, sentences: list[Sentence], under: str) -> list[Sentence]:
    """Lines without a full stop, one below the other, as slides have them: the first names the others, or the heading
    that they stand under.
    """
    named: dict[Span, Span | None] = {}  # what looked like a heading → what it stands under, where the passage has it
    for run in _runs_of_lines(text, sentences):
        by_above = run[0] is sentences[0] and under not in {"", run[0].text}
        first, lines = (None, run) if by_above else (run[0].span, run[1:])
        if len(lines) >= _FEWEST_LINES:
            named.update({line.span: first for line in lines})
    if not named:
        return sentences
    return [
        replace(each, kind=Kind.ITEM, heading=named[each.span])
        if each.span in named
        else replace(each, heading=named.get(each.heading, each.heading) if each.heading else None)
        for each in sentences
    ]


def _runs_of_lines(text: str, sentences: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    run: list[Sentence] = []
    for sentence in sentences:
        plain = sentence.kind is Kind.HEADING and not _is_title(sentence.text)
        if run and not (plain and text[run[-1].span.end : sentence.span.start].strip(" \t") == "\n"):
            yield run
            run = []
        if plain:
            run.append(sentence)
    if run:
        yield run


def _is_title(line: str) -> bool:
    return line.isupper() or line.endswith("?") or _HEADING_MARK.match(line) is not None


def _paragraphs(text: str, spans: list[Span]) -> list[list[Span]]:
    """Sentences grouped by the line they stand on."""
    groups: list[list[Span]] = []
    for span in spans:
        joined = groups and "\n" not in text[groups[-1][-1].end : span.start]
        if joined:
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


class _Parser:
    """Walks over the paragraphs with the heading and the lead-in that hold at each."""

    def __init__(self, text: str) -> None:
        self.sentences: list[Sentence] = []
        self._text = text
        self._heading: Span | None = None
        self._lead: Span | None = None
        self._marked = False  # the running list has bullets or numbers
        self._in_table = False  # the running list is the rows below a table's first
        self._in_commands = False  # … the commands below what introduces them
        self._paragraph = 0

    def add(self, spans: list[Span]) -> None:
        row, command = CELL in spans[0].text, _COMMAND.match(spans[0].text) is not None
        if (self._in_table and not row) or (self._in_commands and not command):
            self._lead, self._in_table, self._in_commands = None, False, False
        kind = self._kind(spans)
        if self._lead is None and command and self._follows_prose():
            self._lead, self._in_commands = self.sentences[-1].span, True
        if kind is Kind.HEADING:
            self._heading = Span(spans[0].start, spans[-1].end, self._text[spans[0].start : spans[-1].end])
            self._lead = None
        self._emit(spans, kind)
        if row and not self._in_table:
            self._lead, self._in_table = spans[0], True
        self._follow(spans, kind)

    def _emit(self, spans: list[Span], kind: Kind) -> None:
        lead = self._lead if kind is Kind.ITEM else None
        if lead is not None and self.sentences[-1].span == lead:
            self.sentences[-1] = replace(self.sentences[-1], leads=True)
        for span in spans:
            own = Kind.NOTE if is_note(span.text) else kind
            self.sentences.append(
                Sentence(span=span, kind=own, paragraph=self._paragraph, heading=self._heading, lead=lead)
            )
        self._paragraph += 1

    def _follow(self, spans: list[Span], kind: Kind) -> None:
        """What the next paragraph hangs on; a note that gives the text in force is no part of that."""
        if is_note(spans[-1].text):
            self._lead = None if spans[-1].text.endswith(":") else self._lead
        elif spans[-1].text.endswith(":") and kind is not Kind.ITEM:
            self._lead, self._marked = spans[-1], False
        elif kind is Kind.PROSE:
            self._lead = None

    def _kind(self, spans: list[Span]) -> Kind:
        first, last = spans[0].text, spans[-1].text
        if _HEADING_MARK.match(first) and len(spans) == 1 and len(first) <= _LONGEST_HEADING_CHARS:
            return Kind.HEADING
        if ITEM_MARK.match(first) or CELL in first or _COMMAND.match(first):  # a row of a table stands for itself
            self._marked = True
            return Kind.ITEM
        if self._lead is not None and not self._marked and not last.endswith(":"):
            return Kind.ITEM  # a list without bullets: «Empresas mineras 8%»
        return Kind.HEADING if self._names_what_follows(spans) else Kind.PROSE

    def _follows_prose(self) -> bool:
        return bool(self.sentences) and self.sentences[-1].kind is Kind.PROSE

    def _names_what_follows(self, spans: list[Span]) -> bool:
        text, end = _NOTE_SIGN.sub("", " ".join(span.text for span in spans)), spans[-1].end
        if text.isupper():
            return True
        if not text or len(text) > _LONGEST_HEADING_CHARS or end >= len(self._text.rstrip()):
            return False
        if text.endswith("?"):
            return len(spans) == 1
        return text.isupper() or (len(spans) == 1 and text[-1] not in '.:;!»”",' and not any(c.isdigit() for c in text))
