"""Running headers, footers, page numbers and dotted contents: what stands on a page and is not its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.query.editor_notes import read_label

__all__ = ["Edges", "without_contents"]

_EDGE_LINES = 3  # running lines are looked for among this many lines at the top and the bottom
_MIN_REPEATS = 3  # pages
_SAME_PLACE = 12.0  # points
_MAX_HEADING_LINE = 150  # characters
_NUMBER = re.compile(r"\d+|\b[ivxlc]+$")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|·•]*(?:p[áa]g(?:ina|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:de|/|of)\s*\d{1,4})?[\s\-–—|·•]*",
    re.IGNORECASE,
)
_COUNTER = re.compile(r"[\s\-–—|·•]*p[áa]g(?:ina|\.)?\s*(\d{1,4})\b(?:\s*(?:de|/|of)\s*\d{1,4})?", re.IGNORECASE)
_LEADERS = re.compile(r"(?:\.\s?|…\s?|_){4,}\s*[\divxlc]*$")
_MIN_LEADERS = 3  # a page with as many dotted lines is a table of contents

Place = tuple[str, int]


class Edges:
    """Learns which texts stand in the same place at the edge of several pages, but for their numbers.

    Pages come in order and in parts: what three pages of a chapter share is recognised there and in all that follow.
    """

    def __init__(self) -> None:
        self._counts: Counter[Place] = Counter()

    def learn(self, pages: Iterable[Page]) -> None:
        """Count the edges of some more pages."""
        for page in pages:
            self._counts.update({_place(line) for line in _edge(page.lines)})

    def without(self, page: Page) -> Page:
        """The page without its running lines; one that holds nothing else keeps them: they are its text."""
        kept = self.body(page)
        return replace(page, lines=kept) if kept else page

    def body(self, page: Page) -> list[PageLine]:
        """What is left of a page without running lines and page numbers; perhaps nothing.

        «TEXTO ANTERIOR» at the edge of many pages is none: it says what becomes of the text below it.
        """
        edge = _edge(page.lines)
        outermost = {id(edge[0]), id(edge[-1])} if len(page.lines) > 1 else set()
        dropped = {
            id(line) for line in edge if self._counts[_place(line)] >= _MIN_REPEATS and not read_label(line.text)
        }
        dropped |= {id(line) for line in edge if id(line) in outermost and _PAGE_NUMBER.fullmatch(line.text)}
        dropped |= {id(line) for line in edge if len(edge) > 1 and _is_counter(line.text, page.number)}
        return [line for line in page.lines if id(line) not in dropped]


def _is_counter(text: str, number: int) -> bool:
    """«Página 1 de 2» on page 1."""
    match = _COUNTER.match(text)
    return match is not None and int(match[1]) == number and not text[match.end() :].strip(" -–—|·•")


def without_contents(lines: Sequence[PageLine]) -> list[PageLine]:
    """The dotted lines of a table of contents repeat headings that stand elsewhere."""
    dotted = {id(line) for line in lines if _LEADERS.search(line.text[-_MAX_HEADING_LINE:])}
    return [line for line in lines if len(dotted) < _MIN_LEADERS or id(line) not in dotted]


def _edge(lines: Sequence[PageLine]) -> list[PageLine]:
    ordered = sorted(lines, key=lambda line: line.bottom)
    return ordered if len(ordered) <= 2 * _EDGE_LINES else ordered[:_EDGE_LINES] + ordered[-_EDGE_LINES:]


def _place(line: PageLine) -> Place:
    return _NUMBER.sub("#", line.text.casefold()), round(line.bottom / _SAME_PLACE)
