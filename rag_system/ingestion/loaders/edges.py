"""Running headers, footers, page numbers and dotted contents: what stands on a page and is not its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, takewhile

from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.query.editor_notes import read_label

__all__ = ["Edges", "without_contents", "without_repeats"]

_MEMORY = 2_000  # lines: the edges of the pages that are held at once
_EDGE_LINES = 3  # running lines are looked for among this many lines at the top and the bottom
_MIN_REPEATS = 3  # pages
_SAME_PLACE = 12.0  # points
_MAX_HEADING_LINE = 150  # characters
_NUMBER = re.compile(r"\d+|\b[ivxlc]+$")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|·•]*(?:p[áa]g(?:ina|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:de|/|of)\s*\d{1,4})?[\s\-–—|·•]*",
    re.IGNORECASE,
)
_COUNTER = re.compile(r"[\s\-–—|·•]*(p[áa]g(?:ina|\.)?\s*)(\d{1,4})\b(\s*(?:de|/|of)\s*\d{1,4})?", re.IGNORECASE)
_SHORT = 3  # pages of a document, of which too few share a running line to know it by counting
_MAX_SHARED = 8  # lines at the top, and as many at the bottom
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


def without_repeats(pages: Sequence[Page]) -> list[Page]:
    """The pages of a document of two or three, with the letterhead once, on the first, and the foot on the last.

    It is what the page before says with the same words in the same spot, from the page's edge inwards; nothing where
    they share more than that, or most of what they say, as the copies of a form do.
    """
    if not 1 < len(pages) <= _SHORT:
        return list(pages)
    dropped: set[int] = set()
    for page, following in pairwise(pages):
        heads = _shared(page, following, top=True)
        feet = _shared(page, following, top=False)
        shared, most = len(heads) + len(feet), max(len(_placed(page)), len(_placed(following))) // 2
        if _alike(page, following) == shared <= most:
            dropped |= {id(line) for _, line in heads} | {id(line) for line, _ in feet}
            dropped |= {id(line) for pair in heads + feet for line in pair if _COUNTER.fullmatch(line.text)}
    return [replace(page, lines=[line for line in page.lines if id(line) not in dropped]) for page in pages]


def _shared(page: Page, following: Page, *, top: bool) -> list[tuple[PageLine, PageLine]]:
    """The lines that two pages share, from an edge to the first that differs; none where they are too many."""
    one, other = (sorted(_placed(each), key=lambda line: line.bottom, reverse=top) for each in (page, following))
    pairs = takewhile(lambda pair: _is_same(*pair, page.number, following.number), zip(one, other, strict=False))
    shared = list(pairs)
    return shared if len(shared) <= _MAX_SHARED else []


def _alike(page: Page, following: Page) -> int:
    """How many lines of a page the next one has in the same spot."""
    number, next_number = page.number, following.number
    places = {(_uncounted(line.text, next_number), _spot(line)) for line in _placed(following)}
    return sum((_uncounted(line.text, number), _spot(line)) in places for line in _placed(page))


def _placed(page: Page) -> list[PageLine]:
    """Its lines but for the notes that are read after them."""
    return [line for line in page.lines if line.size]


def _is_same(line: PageLine, other: PageLine, number: int, following: int) -> bool:
    """Whether two lines say the same in the same spot, but for the numbers of their pages."""
    return _spot(line) == _spot(other) and _uncounted(line.text, number) == _uncounted(other.text, following)


def _spot(line: PageLine) -> tuple[int, int]:
    """In whole points: a program that repeats a line draws it at the same place."""
    return round(line.left), round(line.bottom)


def _is_counter(text: str, number: int) -> bool:
    """«Página 1 de 2» on page 1."""
    match = _COUNTER.match(text)
    return match is not None and int(match[2]) == number and not text[match.end() :].strip(" -–—|·•")


def _uncounted(text: str, number: int) -> str:
    """Without the number of its page, where it says that it is one."""
    return _COUNTER.sub(lambda found: found[1] if int(found[2]) == number else found[0], text)


def without_contents(lines: Sequence[PageLine]) -> list[PageLine]:
    """The dotted lines of a table of contents repeat headings that stand elsewhere."""
    dotted = {id(line) for line in lines if _ends_in_dots(line.text[-_MAX_HEADING_LINE:])}
    return [line for line in lines if len(dotted) < _MIN_LEADERS or id(line) not in dotted]


def _ends_in_dots(text: str) -> bool:
    """Most lines are told apart without the expression."""
    return (".." in text or ". ." in text or "…" in text or "_" in text) and _LEADERS.search(text) is not None


def _edge(lines: Sequence[PageLine]) -> list[PageLine]:
    ordered = sorted(lines, key=lambda line: line.bottom)
    return ordered if len(ordered) <= 2 * _EDGE_LINES else ordered[:_EDGE_LINES] + ordered[-_EDGE_LINES:]


def _place(line: PageLine) -> Place:
    return _numberless(line.text), round(line.bottom / _SAME_PLACE)


@lru_cache(maxsize=_MEMORY)
def _numberless(text: str) -> str:
    """Asked of each line twice, and of the same line on many pages."""
    return _NUMBER.sub("#", text.casefold())
