"""From lines to blocks: which lines are headings and which lines make one paragraph. `outline.py` gives the levels.

Loaders hand over lines with what their format knows (explicit headings, bold, paragraph starts); the same rules for
legal and numbered structure then serve every format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.headings import (
    MAX_HEADING_CHARS,
    Heading,
    Rank,
    is_apparatus,
    is_capitals,
    is_reference,
    is_unfinished,
    looks_like_name,
    match_legal,
    match_numbered,
    opens_attached,
    split_name,
)
from rag_system.ingestion.lines import WINDOW_CHARS, Line, join_lines, rejoined, split_lines, starts_item, windows
from rag_system.ingestion.outline import Amendments, Levels, Part, without_empty_headings
from rag_system.ingestion.text import in_capitals

__all__ = ["Line", "blocks_from_lines", "starts_item", "stream_blocks", "unpaged"]


_MAX_EXPLICIT_CHARS = 500  # a heading the format itself marks may be the long title of a norm

_MAX_SKIPPED = 3  # how far a section's number may be ahead of the last one recognised
_MAX_RUN_ON = 60  # a longer line in bold with a full stop inside is prose
_LOOKED_AT = 400  # characters at the end of a paragraph that is still open
_MAX_PARAGRAPH_CHARS = 20_000  # a list of words without end is cut into paragraphs

_NOTE = re.compile(r"\((?:\d{1,3}|\*+)\)\s*(?=[A-ZÁÉÍÓÚ])")
_SYLLABLE = re.compile(r"[^\W\d_]{2}")
_CLOSING = re.compile(
    r"(?:Dad[oa] en|Comun[íi]quese|Reg[íi]strese|En Lima|Lima,? (?:a |\d)|Por tanto|POR TANTO|Mando se|REG[ÍI]STRESE|"
    r"COMUN[ÍI]QUESE|Publ[íi]quese|Cúmplase)"
)


def blocks_from_lines(lines: Iterable[Line]) -> tuple[Block, ...]:
    """Put a document together."""
    return tuple(stream_blocks(lines))


def unpaged(
    format_name: str, lines: Iterable[Line], *, title: str, hidden: bool, identifier: str = ""
) -> ExtractedDocument:
    """A document of a format without pages. hidden: some text was left out."""
    return ExtractedDocument(
        format=format_name,
        blocks=blocks_from_lines(lines),
        pages=None,
        title=title,
        identifier=identifier,
        hidden_pages=(0,) if hidden else (),
    )


def stream_blocks(lines: Iterable[Line], *, window_chars: int = WINDOW_CHARS) -> Iterator[Block]:
    """Put a document of any length together, about `window_chars` of its text in memory at once.

    What counts over a whole document (is it a norm, does Sección stand above Título) is known from the windows so far.
    """
    assembler, amendments, levels = _Assembler(), Amendments(), Levels()
    legal = False
    for window in windows(split_lines(lines), size=window_chars):
        parts = assembler.parts(window)
        amendments.mark(parts)
        legal = legal or _is_legal([part.heading for part in parts if part.heading])
        yield from without_empty_headings(levels.blocks(parts, legal=legal))


def _is_legal(headings: Sequence[Heading]) -> bool:
    """Two articles, or one under a title: chapters alone make a book, where numbers rule."""
    articles = sum(heading.label.casefold().startswith("art") for heading in headings)
    return articles > 1 or (articles == 1 and any(heading.rank < Rank.GENERIC for heading in headings))


class _Assembler:
    """Walks over the lines once, window by window, keeping the little state that recognition needs."""

    def __init__(self) -> None:
        self._lines: list[Line] = []
        self._at = 0
        self._section = 0  # number of the last section at the first level
        self._in_provisions = False
        self._closing = False  # after «Dado en…», capitals are signatures
        self._legal = False

    def parts(self, lines: Iterable[Line]) -> list[Part]:
        """The parts of the next window."""
        self._lines, self._at = list(lines), 0
        self._legal = self._legal or sum(map(_is_article, self._lines)) >= 2
        parts: list[Part] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            parts.extend(self._part(line, parts[-1] if parts else None))
        return parts

    def _part(self, line: Line, before: Part | None) -> Iterator[Part]:
        if line.kind in (BlockKind.TABLE, BlockKind.CODE):
            yield Part(line.kind, line.text, line.page)
            return
        if before is not None and _breaks_a_sentence(line, before):
            before.text = join_lines(before.text, line.text)
            self._go_on()
            return
        if (legal := self._legal_heading(line, before)) is not None:
            yield from self._legal_parts(legal, line)
        elif (other := self._other_heading(line)) is not None:
            yield other
        elif before is not None and _continues(before, line):
            before.text = join_lines(before.text, line.text)
        else:
            self._closing = self._closing or _CLOSING.match(line.text) is not None
            kind = BlockKind.LIST_ITEM if starts_item(line.text) else line.kind
            yield Part(kind, line.text, line.page)

    def _go_on(self) -> None:
        """The line after a reference that was set apart continues the sentence, unless it is something of its own."""
        if self._at < len(self._lines) and self._is_plain_continuation(after := replace(self._next(), start=False)):
            self._lines[self._at] = after

    def _next(self) -> Line:
        return self._lines[self._at]

    # ------------------------------------------------------------ legal headings

    def _legal_heading(self, line: Line, before: Part | None) -> Heading | None:
        """The heading on this line, unless the sentence before is still open: «… conforme al / Artículo 5. …»."""
        if not line.start and not line.bold and before is not None and _is_open(before):
            return None
        text, bold = _without_note(line)
        strong = line.hint > 0 or line.bold >= len(line.text)
        return match_legal(text, bold=bold, in_provisions=self._in_provisions or (strong and self._legal))

    def _legal_parts(self, heading: Heading, line: Line) -> Iterator[Part]:
        self._closing = False
        if heading.rank < Rank.GENERIC:
            self._in_provisions = heading.opens_provisions
        if heading.undivided:
            name, body = self._divide(heading, line)
            heading = replace(heading, name=name, body=body, undivided=False)
        if not heading.name and not heading.body and heading.rank < Rank.ARTICLE:
            heading = replace(heading, name=self._following_name())
        elif heading.name and not heading.body:
            heading = replace(heading, name=self._extended(heading.name))
        yield Part(BlockKind.HEADING, heading.text, line.page, heading)
        if heading.body:
            yield Part(BlockKind.TEXT, heading.body, line.page)

    def _divide(self, heading: Heading, line: Line) -> tuple[str, str]:
        """Gather the paragraph that the heading opens, then tell its name from its body."""
        if line.hint and len(heading.body) <= MAX_HEADING_CHARS:
            return heading.body.strip(" .-–—:"), ""
        text = heading.body
        while self._at < len(self._lines) and len(text) < 400 and self._is_plain_continuation(self._lines[self._at]):
            text = f"{text}\n{self._lines[self._at].text}"
            self._at += 1
        if not text.strip() and (name := self._following_name(short=True)):
            return name, ""
        name, body = split_name(text)
        return name, rejoined(body)

    def _is_plain_continuation(self, line: Line) -> bool:
        return (
            not line.start
            and not line.hint
            and line.kind is BlockKind.TEXT
            and not starts_item(line.text)
            and match_legal(line.text, in_provisions=self._in_provisions) is None
        )

    def _following_name(self, *, short: bool = False) -> str:
        """The name on the lines after «CAPÍTULO II»: explicit, in bold, in capitals, or a short line by itself."""
        names: list[str] = []
        while self._at < len(self._lines) and len(names) < 4:
            line = self._lines[self._at]
            if not self._can_name(line, first=not names, short=short):
                break
            names.append(line.text.strip(" .:*"))
            self._at += 1
        return " ".join(names)

    def _can_name(self, line: Line, *, first: bool, short: bool) -> bool:
        text = line.text
        if line.kind is not BlockKind.TEXT or len(text) > MAX_HEADING_CHARS or starts_item(text):
            return False
        legal = match_legal(text, bold=line.bold, in_provisions=self._in_provisions)
        if legal is not None and legal.rank is not Rank.GENERIC:
            return False
        bold = line.bold >= len(text) - 1
        if is_capitals(text) or (bold and text[-1] not in ":;"):
            return first or not line.start or is_capitals(text)
        if line.hint:
            return first
        after = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else None
        alone = line.start and (after is None or after.start)
        limit = 70 if short else 110
        return first and alone and len(text) <= limit and text[-1] not in ".;:," and looks_like_name(text)

    def _extended(self, name: str) -> str:
        """A name in capitals or bold may go on in the next lines."""
        while self._at < len(self._lines) and len(name) < MAX_HEADING_CHARS:
            line = self._lines[self._at]
            bold = line.bold >= len(line.text) - 1
            goes_on = (
                is_unfinished(name)
                or (is_capitals(line.text) and is_capitals(name))
                or (bold and not line.start and not line.hint)
            )
            if not goes_on or line.kind is not BlockKind.TEXT or len(line.text) > MAX_HEADING_CHARS:
                break
            if match_legal(line.text, bold=line.bold) or starts_item(line.text):
                break
            name = f"{name} {line.text.strip(' .:*')}"
            self._at += 1
        return name

    # ------------------------------------------------------------ the others

    def _other_heading(self, line: Line) -> Part | None:
        text = line.text
        if line.kind is not BlockKind.TEXT or len(text) > (_MAX_EXPLICIT_CHARS if line.hint else MAX_HEADING_CHARS):
            return None
        by_number = line.measured or not (line.hint or self._legal)
        marked = line.hint if line.hint and _SYLLABLE.search(text) else 0  # a page's number heads nothing
        if depth := (self._numbered(line) if by_number else 0) or marked:
            return Part(BlockKind.HEADING, text.strip(" :*"), line.page, depth=depth)
        return self._guessed_heading(line)

    def _guessed_heading(self, line: Line) -> Part | None:
        """A heading by its looks alone: capitals or bold, but not the signatures."""
        rank = Rank.GENERIC
        if self._closing and is_capitals(line.text) and opens_attached(line.text):
            self._closing, rank = False, Rank.BOOK
        capitals = self._is_caps_heading(line)
        if not (capitals or self._is_bold_heading(line)):  # as most
            return None
        if is_apparatus(line.text) or (self._closing and self._legal):
            return None
        text = self._whole_capitals(line.text).strip(" *:.-–—") if capitals else line.text.strip(" *")
        return Part(BlockKind.HEADING, text, line.page, Heading(rank, text))

    def _is_bold_heading(self, line: Line) -> bool:
        text = line.text
        bold = line.start and line.bold >= len(text) - 1 and 3 < len(text) <= 120
        if len(text) > _MAX_RUN_ON and ". " in text:
            return False
        return bold and _opens_like_heading(text) and not in_capitals(text) and self._alone()

    def _numbered(self, line: Line) -> int:
        match = match_numbered(line.text)
        if match is None:
            return 0
        depth, text = match
        if depth > 1:
            strong = line.hint or line.bold >= len(text) - 1 or is_capitals(text)
            return depth if strong or (line.start and self._alone()) else 0
        number = int(text.split(maxsplit=1)[0].rstrip(".-"))
        if line.hint or self._is_next_section(number, line):
            self._section = number
            return depth
        return 0

    def _is_next_section(self, number: int, line: Line) -> bool:
        """One that was not recognised must not cost all those after it: capitals that stand alone may skip some."""
        if self._alone() and in_capitals(line.text):
            return self._section < number <= self._section + _MAX_SKIPPED
        return number == self._section + 1 and (line.bold >= len(line.text) - 1 or is_capitals(line.text))

    def _is_caps_heading(self, line: Line) -> bool:
        return is_capitals(line.text) and not starts_item(line.text) and (line.start or self._alone())

    def _whole_capitals(self, text: str) -> str:
        """A heading in capitals may run over several lines of one paragraph."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.start or not is_capitals(line.text) or match_legal(line.text) or len(text) > MAX_HEADING_CHARS:
                break
            text = f"{text} {line.text}"
            self._at += 1
        return text.strip(" *")

    def _alone(self) -> bool:
        """Whether the current line, already consumed, is a paragraph of its own."""
        return self._at >= len(self._lines) or self._lines[self._at].start


def _without_note(line: Line) -> tuple[str, int]:
    """«(25) Artículo 23º.-»: the number of an editor's note stands before the heading."""
    note = _NOTE.match(line.text) if line.text[0] == "(" else None
    return (line.text[note.end() :], max(0, line.bold - note.end())) if note else (line.text, line.bold)


def _is_open(part: Part) -> bool:
    return part.kind is not BlockKind.HEADING and part.text[-1:].isalnum() and not part.text[-_LOOKED_AT:].isupper()


def _breaks_a_sentence(line: Line, before: Part) -> bool:
    """«… establecido en el / ## Artículo 242 de la Ley…»: a converter took the reference for a heading."""
    if line.kind is not BlockKind.TEXT or not (line.hint or line.bold) or not is_reference(line.text):
        return False
    return before.kind in (BlockKind.TEXT, BlockKind.LIST_ITEM) and (is_unfinished(before.text) or _is_open(before))


def _opens_like_heading(text: str) -> bool:
    if text[-1] in ".;:,":
        return False
    return text[0].isupper() or text[0].isdigit() or text[0] in "¿¡«“"


def _is_article(line: Line) -> bool:
    if line.kind is not BlockKind.TEXT or line.text[:1] not in 'Aa«“"':
        return False
    heading = match_legal(line.text)
    return heading is not None and heading.label.upper().lstrip('«“"').startswith("ART")


# ---------------------------------------------------------------- paragraphs


def _continues(before: Part, line: Line) -> bool:
    if line.start or before.heading or before.kind not in (BlockKind.TEXT, BlockKind.LIST_ITEM):
        return False
    return before.page == line.page and len(before.text) < _MAX_PARAGRAPH_CHARS and not starts_item(line.text)
