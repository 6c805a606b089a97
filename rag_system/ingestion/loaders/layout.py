"""What the place of lines on a page tells: running headers, page numbers, paragraphs, bigger type.

Works on measured lines alone, so it knows nothing of pdfium.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.structure import Line, starts_item

__all__ = ["PageLine", "page_lines"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """A line of a page, in points from the lower left corner."""

    text: str
    left: float
    right: float
    bottom: float
    size: float  # of its font
    bold: bool
    fixed_pitch: bool
    page_width: float


_EDGE_LINES = 3  # running headers and footers are looked for among this many lines at the top and the bottom
_MIN_REPEATS = 3  # pages
_SAME_PLACE = 12.0  # points
_GAP = 1.35  # of the usual distance between lines: more is a new paragraph
_HINTS = ((1.7, 1), (1.35, 2), (1.12, 3))  # type bigger than the body's by this ratio is a heading of this level
_MAX_CODE_SHARE = 0.5
_MAX_HEADING_LINE = 150  # characters
_NUMBER = re.compile(r"\d+|\b[ivxlc]+$")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—|·•]*(?:p[áa]g(?:ina|\.)?\s*)?(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:de|/|of)\s*\d{1,4})?[\s\-–—|·•]*",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?|…\s?|_){4,}\s*[\divxlc]*$")
_MIN_LEADERS = 3  # a page with as many dotted lines is a table of contents


def page_lines(pages: Sequence[Sequence[PageLine]]) -> Iterator[Line]:
    """The lines of a document for `structure.blocks_from_lines`."""
    running = _running_lines(pages)
    body_size = _body_size(pages)
    code = _fixed_share(pages) <= _MAX_CODE_SHARE
    for number, page in enumerate(pages, 1):
        kept = _without_contents(_without_edges(page, running))
        for fixed, group in groupby(kept, key=lambda line: code and line.fixed_pitch):
            if fixed:
                yield Line(text="\n".join(line.text for line in group), kind=BlockKind.CODE, page=number)
            else:
                yield from _prose(list(group), number, body_size)


# ---------------------------------------------------------------- what is not the text


def _running_lines(pages: Sequence[Sequence[PageLine]]) -> frozenset[tuple[str, int]]:
    """Texts that stand in the same place at the edge of several pages, but for their numbers."""
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        counts.update({_place(line) for line in _edge(page)})
    return frozenset(place for place, count in counts.items() if count >= _MIN_REPEATS)


def _edge(page: Sequence[PageLine]) -> list[PageLine]:
    ordered = sorted(page, key=lambda line: line.bottom)
    return ordered if len(ordered) <= 2 * _EDGE_LINES else ordered[:_EDGE_LINES] + ordered[-_EDGE_LINES:]


def _place(line: PageLine) -> tuple[str, int]:
    return _NUMBER.sub("#", line.text.casefold()), round(line.bottom / _SAME_PLACE)


def _without_edges(page: Sequence[PageLine], running: frozenset[tuple[str, int]]) -> list[PageLine]:
    edge = _edge(page)
    outermost = {id(edge[0]), id(edge[-1])} if len(page) > 1 else set()
    dropped = {id(line) for line in edge if _place(line) in running}
    dropped |= {id(line) for line in edge if id(line) in outermost and _PAGE_NUMBER.fullmatch(line.text)}
    kept = [line for line in page if id(line) not in dropped]
    return kept or list(page)  # a page of nothing else: they are its text


def _without_contents(page: list[PageLine]) -> list[PageLine]:
    """The dotted lines of a table of contents repeat headings that stand elsewhere."""
    dotted = {id(line) for line in page if _LEADERS.search(line.text[-_MAX_HEADING_LINE:])}
    return page if len(dotted) < _MIN_LEADERS else [line for line in page if id(line) not in dotted]


# ---------------------------------------------------------------- paragraphs and headings


def _body_size(pages: Sequence[Sequence[PageLine]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _fixed_share(pages: Sequence[Sequence[PageLine]]) -> float:
    """Share of the text in a typewriter's type: code, unless the whole document is typed so."""
    total = sum(len(line.text) for page in pages for line in page)
    return sum(len(line.text) for page in pages for line in page if line.fixed_pitch) / total if total else 0.0


def _prose(lines: Sequence[PageLine], number: int, body_size: float) -> Iterator[Line]:
    pitch = _pitch(lines)
    heading: Line | None = None
    for index, line in enumerate(lines):
        before = lines[index - 1] if index else None
        start = before is None or _starts_paragraph(lines, index, pitch)
        hint = _hint(line, body_size)
        if heading and hint == heading.hint and before and _same_heading(before, line, pitch):
            text = f"{heading.text} {line.text}"
            heading = Line(text=text, page=number, hint=hint, measured=True, bold=len(text) if line.bold else 0)
            continue
        if heading:
            yield heading
        bold = len(line.text) if line.bold else 0
        heading = Line(text=line.text, page=number, hint=hint, measured=hint > 0, bold=bold, start=start)
        if not hint:
            yield heading
            heading = None
    if heading:
        yield heading


def _pitch(lines: Sequence[PageLine]) -> float:
    gaps = [above.bottom - below.bottom for above, below in pairwise(lines)]
    usual = [gap for gap in gaps if 2 < gap < 60]
    return median(usual) if usual else 12.0


def _starts_paragraph(lines: Sequence[PageLine], index: int, pitch: float) -> bool:
    before, line = lines[index - 1], lines[index]
    if starts_item(line.text) or abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return True
    gap = before.bottom - line.bottom
    open_sentence = before.text[-1] not in ".:;!?" and line.text[0].islower()
    if gap < -pitch:  # the next column
        return not open_sentence
    if gap > _GAP * pitch:
        return not open_sentence or gap > 3 * pitch
    room = _margin(lines, index - 1) - before.right
    if before.text[-1] in ".:;!?":
        return room > 0.04 * line.page_width or line.left > before.left + 6
    return room > 0.25 * line.page_width and not line.text[0].islower()


def _margin(lines: Sequence[PageLine], index: int) -> float:
    """How far to the right the lines around reach, in the same column."""
    line = lines[index]
    half = line.page_width / 2
    around = lines[max(0, index - 5) : index + 6]
    return max(other.right for other in around if (other.left < half) == (line.left < half))


def _hint(line: PageLine, body_size: float) -> int:
    if not body_size or line.size < _HINTS[-1][0] * body_size:
        return 0
    if len(line.text) > _MAX_HEADING_LINE or sum(map(str.isalpha, line.text)) < 3:
        return 0
    return next(level for ratio, level in _HINTS if line.size >= ratio * body_size)


def _same_heading(before: PageLine, line: PageLine, pitch: float) -> bool:
    gap = before.bottom - line.bottom
    return (
        abs(before.size - line.size) < 0.3 and 0 < gap < 2 * max(pitch, line.size * 1.2) and not line.text[0].isdigit()
    )
