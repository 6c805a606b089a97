"""The levels of a document's headings: a law's hierarchy, or what numbers, marks and type say.

`structure.py` finds the headings; here they get their place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.headings import Heading, Rank

__all__ = ["Amendments", "Levels", "Part", "slide_show", "without_empty_headings"]

_AMENDS = re.compile(
    r"(?:mod[ií]f[ií][cq]|incorp[oó]r|sustit[uú]|adici[oó]n|agr[eé]g|reempl[aá][zc])\w*\b.{0,120}?"
    r"\b(?:art[íi]culos?|t[íi]tulos?|cap[íi]tulos?|numeral(?:es)?|ley|decreto|c[óo]digo|reglamento)\b",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"art\w*\.? (\d+)", re.IGNORECASE)
_NEAR = 5  # an article so far after the last one may be the norm's own, and those between lost in scanning


@dataclass(slots=True)
class Part:
    """A block in the making: a heading, or text whose level is 0."""

    kind: BlockKind
    text: str
    page: int | None
    heading: Heading | None = None
    depth: int = 0  # of a heading that is marked, numbered or measured; 0 for a legal or guessed one


class Levels:
    """Gives the headings their levels, window by window."""

    def __init__(self) -> None:
        self._sections_above = 0  # votes for Sección above Título
        self._structured = False  # a heading of a norm's structure came before
        self._depth = 0

    def blocks(self, parts: Sequence[Part], *, legal: bool) -> list[Block]:
        """The parts as blocks, each heading with its level from 1."""
        self._sections_above += _votes_for_sections_above(parts)
        section_rank = Rank.SECTION_ABOVE if self._sections_above > 0 else Rank.SECTION
        return [
            Block(kind=part.kind, text=part.text, page=part.page, level=self._level(part, legal, section_rank))
            for part in parts
        ]

    def _level(self, part: Part, legal: bool, section_rank: Rank) -> int:
        if part.kind is not BlockKind.HEADING:
            return 0
        self._structured = self._structured or (part.heading is not None and part.heading.rank < Rank.GENERIC)
        level = _level(part, legal=legal, structured=self._structured, section_rank=section_rank, depth=self._depth)
        if part.heading is None or part.heading.rank is not Rank.GENERIC:
            self._depth = level
        return level


def _level(part: Part, *, legal: bool, structured: bool, section_rank: Rank, depth: int) -> int:
    """`depth` is the level of the last heading that was explicit: one guessed from its looks stands below it."""
    heading = part.heading
    if heading is None:  # explicit or numbered
        if not legal or part.depth == 1:
            return part.depth
        return int(Rank.GENERIC) if structured else 2
    if heading.rank is Rank.SECTION:
        return int(section_rank)
    if not legal and heading.rank is Rank.GENERIC:
        return depth + 1
    return int(heading.rank) if legal or heading.rank >= Rank.ARTICLE else max(1, int(heading.rank) - 5)


def _votes_for_sections_above(parts: Sequence[Part]) -> int:
    """Codes put Sección above Título, laws below Capítulo: see which heading follows a Sección in this document."""
    headings = [part.heading for part in parts if part.heading and part.heading.rank is not Rank.GENERIC]
    return sum(
        1 if following.rank in (Rank.TITLE, Rank.CHAPTER) else -1
        for section, following in pairwise(headings)
        if section.rank is Rank.SECTION
    )


def slide_show(
    format_name: str, slides: Sequence[Sequence[Block]], *, title: str, hidden: bool = False
) -> ExtractedDocument:
    """A presentation, whose slides are its pages. hidden: some text was left out."""
    empty = tuple(number for number, blocks in enumerate(slides, 1) if not blocks)
    return ExtractedDocument(
        format=format_name,
        blocks=tuple(without_empty_headings(list(chain.from_iterable(slides)))),
        pages=len(slides),
        title=title,
        empty_pages=empty,
        blank_pages=empty,
        hidden_pages=(0,) if hidden else (),
    )


def without_empty_headings(blocks: Sequence[Block]) -> list[Block]:
    """A heading over nothing (a table of contents, a signature) is text: else its words would be lost."""
    empty = _empty_headings(blocks)
    return [
        replace(block, kind=BlockKind.TEXT, level=0) if index in empty else block for index, block in enumerate(blocks)
    ]


def _empty_headings(blocks: Sequence[Block]) -> set[int]:
    levels = [block.level for block in blocks]
    following = [*levels[1:], 1]  # of the block after; 0 is text
    empty = {index for index, level in enumerate(levels) if level and 0 < following[index] <= level}
    if levels and levels[-1]:
        empty.add(len(levels) - 1)
    for index, level in enumerate(levels):
        listed = index >= 2 and levels[index - 2] == levels[index - 1] == level
        if level and listed and following[index] > level:  # the last of a list: what comes next is not its content
            empty.add(index)
    return empty


# ---------------------------------------------------------------- articles of other norms


class Amendments:
    """Tells the articles that an amendment sets out («Modifícase el artículo 547…») from those of the norm itself.

    Follows the numbers of a norm's own articles and knows whether the last one amends another norm.
    """

    def __init__(self) -> None:
        self._last_places: dict[int | None, int] = {}
        self._own: int | None = 0  # number of the last own article; none where words number them
        self._group = False  # among provisions that amend
        self._amends = False
        self._opened = False  # nothing was said yet since the last own heading

    def mark(self, parts: Sequence[Part]) -> None:
        """Mark the articles of other norms among the parts of the next window."""
        self._last_places = {_own_number(part.heading): index for index, part in enumerate(parts)}
        for index, part in enumerate(parts):
            if part.heading is None:
                self._hear(part.text)
            elif part.heading.rank is not Rank.ARTICLE:
                self._enter(part.heading)
            elif self._is_foreign(index, part.heading):
                part.heading = replace(part.heading, rank=Rank.QUOTED)
            else:
                self._open(part.heading)

    def _hear(self, text: str) -> None:
        """An article without a name says in its first words that it amends."""
        if self._opened:
            self._amends = self._amends or _AMENDS.match(text) is not None
        self._opened = False

    def _enter(self, heading: Heading) -> None:
        if heading.rank <= Rank.BOOK:
            self._own, self._group, self._amends = 0, False, False
        elif heading.opens_provisions:
            self._group = self._amends = "modific" in heading.label.casefold()

    def _open(self, heading: Heading) -> None:
        self._opened = True
        self._amends = self._group or _AMENDS.match(heading.name) is not None
        if heading.label.casefold().startswith("art"):
            self._own = _own_number(heading)

    def _is_foreign(self, index: int, heading: Heading) -> bool:
        number = _own_number(heading)
        if not self._amends or number is None or number == 1 or _AMENDS.match(heading.name):
            return False
        if self._own is None:
            return True
        if self._own <= number <= self._own + 1:
            return False
        return number < self._own or number > self._own + _NEAR or self._last_places.get(self._own + 1, -1) > index


def _own_number(heading: Heading | None) -> int | None:
    if heading is None or heading.rank is not Rank.ARTICLE:
        return None
    match = _NUMBER.match(heading.label)
    return int(match[1]) if match else None
