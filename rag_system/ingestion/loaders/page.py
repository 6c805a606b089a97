"""A page as measured: its lines, the words of lines that may be a table's row, and the straight lines drawn on it.

All places are in points from the lower left corner of the page as it is shown. Nothing here knows pdfium.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rag_system.ingestion.document import BlockKind

__all__ = ["Page", "PageLine", "Rule", "Rules", "Word"]


class Word(NamedTuple):
    """A word, or several that belong together."""

    left: float
    right: float
    bottom: float
    text: str


class Rule(NamedTuple):
    """A straight line: `at` is its height (horizontal) or its distance from the left edge (vertical)."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The straight lines drawn on a page: borders of tables, frames, underlines."""

    horizontal: tuple[Rule, ...] = ()
    vertical: tuple[Rule, ...] = ()


class PageLine(NamedTuple):
    """A line of a page; or a whole table or box, once recognised, with its rows in `text`.

    A tuple, as a document has tens of thousands: it is made in a quarter of a frozen dataclass's time.
    """

    text: str
    left: float
    right: float
    bottom: float
    size: float  # of its font, in points; 0 where nobody knows it
    page_width: float
    bold: bool = False
    fixed_pitch: bool = False
    kind: BlockKind = BlockKind.TEXT
    opens: bool | None = None  # a paragraph, where whoever read the page knows
    words: tuple[Word, ...] = ()  # measured only where the line may hold the cells of a table's row

    @property
    def middle(self) -> float:
        """Height of the middle of its small letters."""
        return self.bottom + 0.25 * self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page's lines in reading order, and what tells whether they are its text."""

    number: int  # physical, from 1
    lines: Sequence[PageLine]
    pictures: float = 0.0  # share of the page under pictures, 0…1
    blank: bool = False  # nothing is drawn on it
    garbled: bool = False  # its characters are not what it shows
    hidden: bool = False  # text that no reader sees was left out of its lines
