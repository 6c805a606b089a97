"""What the place of lines on a page tells: paragraphs, bigger type, code.

Works on measured lines alone, so it knows nothing of pdfium.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.ingestion.structure import Line, starts_item

__all__ = ["Layout"]


_GAP = 1.35  # of the usual distance between lines: more is a new paragraph
_HINTS = ((1.7, 1), (1.35, 2), (1.12, 3))  # type bigger than the body's by this ratio is a heading of this level
_MAX_CODE_SHARE = 0.5
_MAX_HEADING_LINE = 150  # characters


class Layout:
    """Turns measured pages, given in order, into lines for `structure.blocks_from_lines`.

    What the usual type of the document is, is known from the pages so far: call `learn` with some pages before their
    `lines`.
    """

    def __init__(self) -> None:
        self._sizes: Counter[float] = Counter()
        self._chars = self._fixed = 0

    def learn(self, pages: Iterable[Page]) -> None:
        """Count the type of some more pages."""
        for line in (line for page in pages for line in page.lines):
            self._sizes[line.size] += len(line.text) if line.size else 0
            self._chars += len(line.text)
            self._fixed += line.fixed_pitch * len(line.text)

    def lines(self, page: Page) -> Iterator[Line]:
        """The lines of one page. A typewriter's type is code, unless the whole document is typed so."""
        code = self._fixed <= _MAX_CODE_SHARE * self._chars
        body_size = self._sizes.most_common(1)[0][0] if self._sizes else 0.0
        pitch = _pitch([line for line in page.lines if line.kind is BlockKind.TEXT])
        for kind, group in groupby(page.lines, lambda line: BlockKind.CODE if code and line.fixed_pitch else line.kind):
            if kind is BlockKind.TEXT:
                yield from _prose(list(group), page.number, body_size, pitch)
            elif kind is BlockKind.CODE:
                yield Line(text="\n".join(line.text for line in group), kind=kind, page=page.number)
            else:
                yield from (Line(text=line.text, kind=kind, page=page.number) for line in group)


def _prose(lines: Sequence[PageLine], number: int, body_size: float, pitch: float) -> Iterator[Line]:
    waiting: Line | None = None
    for index, line in enumerate(lines):
        before = lines[index - 1] if index else None
        start = before is None or _starts_paragraph(lines, index, pitch)
        hint = _hint(line, body_size)
        text = line.text
        if waiting and before and 0 < hint == waiting.hint and _same_heading(before, line, pitch):
            text, start = f"{waiting.text} {text}", True
        elif waiting:
            yield waiting
        bold = len(text) if line.bold else 0
        waiting = Line(text=text, page=number, hint=hint, measured=hint > 0, bold=bold, start=start)
    if waiting:
        yield waiting


def _pitch(lines: Sequence[PageLine]) -> float:
    """The usual distance between two lines of a page, in points."""
    gaps = [above.bottom - below.bottom for above, below in pairwise(lines)]
    usual = [gap for gap in gaps if 2 < gap < 60]
    return median(usual) if usual else 12.0


def _starts_paragraph(lines: Sequence[PageLine], index: int, pitch: float) -> bool:
    before, line = lines[index - 1], lines[index]
    if starts_item(line.text) or abs(before.size - line.size) > 0.6 or before.bold != line.bold:
        return True
    if line.opens is not None:
        return line.opens
    gap = before.bottom - line.bottom
    open_sentence = before.text[-1] not in ".:;!?" and line.text[0].islower()
    if gap < -pitch:  # the next column
        return not open_sentence
    if gap > _GAP * pitch:
        return not open_sentence or gap > 3 * pitch
    if before.text[-1] in ".:;!?":
        return line.left > before.left + 6 or _room(lines, index - 1) > 0.04 * line.page_width
    return not line.text[0].islower() and _room(lines, index - 1) > 0.25 * line.page_width


def _room(lines: Sequence[PageLine], index: int) -> float:
    """How much farther to the right the lines around reach, in the same column."""
    line = lines[index]
    half = line.page_width / 2
    around = lines[max(0, index - 5) : index + 6]
    return max(other.right for other in around if (other.left < half) == (line.left < half)) - line.right


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
