"""A PDF's page as pixels: they tell whether a text is seen where what is drawn around it does not.

Asks pdfium to paint a page, once or twice; which texts are asked for is for `hidden.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rag_system.ingestion.loaders.calls import Handle, Slots, argument, pdfium
from rag_system.ingestion.loaders.covers import Box
from rag_system.ingestion.loaders.visibility import NEAR, Colour

__all__ = ["Text", "lost", "undrawn"]

_MAX_SCALE, _MAX_PIXELS = 2.0, 4_000_000  # of a painted page


class Text(NamedTuple):
    """A text object, where it stands, and the colour that may hide it."""

    item: Handle
    box: Box
    colour: Colour


def lost(page: Any, texts: Iterable[Text], *, least: float) -> list[Handle]:
    """Those of the texts where the painted page has no other shade than their colour's, but for a share of `least`."""
    if (picture := _painted(page)) is None:
        return []
    others = ((text.item, _others(text, picture)) for text in texts)
    return [item for item, share in others if share < least]


def undrawn(page: Any, texts: Sequence[tuple[Handle, Box]]) -> list[Handle]:
    """Those of some texts without which the painted page is the same where they stand."""
    with_them = _painted(page)
    try:
        for item, _ in texts:
            pdfium.FPDFPageObj_SetIsActive(item, False)
        without = _painted(page)
    finally:
        for item, _ in texts:
            pdfium.FPDFPageObj_SetIsActive(item, True)
    if with_them is None or without is None:
        return []
    return [item for item, box in texts if list(with_them.rows(box)) == list(without.rows(box))]


class _Painted(NamedTuple):
    """A page in shades of grey, one byte a pixel."""

    page: Any
    pixels: bytes
    stride: int
    width: int
    height: int

    def place(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in pixels, within the picture."""
        at, corners = Slots("i", 2), []
        for corner in ((box[0], box[1]), (box[2], box[3])):
            pdfium.FPDF_PageToDevice(argument(self.page.raw), 0, 0, self.width, self.height, 0, *corner, *at.at)
            corners.append(at.values())
        (x1, y1), (x2, y2) = corners
        left, right = max(0, min(x1, x2) - 1), min(self.width, max(x1, x2) + 1)
        return left, max(0, min(y1, y2) - 1), right, min(self.height, max(y1, y2) + 1)

    def rows(self, box: Box) -> Iterator[bytes]:
        """The pixels in a box, row by row."""
        left, top, right, bottom = self.place(box)
        return (self.pixels[row * self.stride + left : row * self.stride + right] for row in range(top, bottom))


def _painted(page: Any) -> _Painted | None:
    import pypdfium2

    width, height = page.get_size()
    scale = min(_MAX_SCALE, (_MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
    try:
        bitmap = page.render(scale=scale, grayscale=True)
    except (pypdfium2.PdfiumError, ValueError):
        return None
    try:
        pixels = bytes(memoryview(bitmap.buffer).cast("B"))
        return _Painted(page, pixels, bitmap.stride, bitmap.width, bitmap.height)
    finally:
        bitmap.close()


def _others(text: Text, picture: _Painted) -> float:
    """The share of the pixels of a text's box that have another shade than its colour's."""
    red, green, blue = text.colour
    shade = (red * 30 + green * 59 + blue * 11) // 100
    near = bytes(range(max(0, shade - NEAR + 1), min(256, shade + NEAR)))
    rows = list(picture.rows(text.box))
    return sum(len(row.translate(None, near)) for row in rows) / max(1, sum(map(len, rows)))
