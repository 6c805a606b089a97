"""Where words of a quote stand on a page. What is quoted was read from the same page, but its spaces, hyphens and lines
were put in order since: letters and digits alone are compared.
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from rag_system.ingestion.loaders.ocr import Picture, Word

__all__ = ["Box", "boxes_in", "boxes_of", "found_in", "letters"]

Box = tuple[float, float, float, float]  # left, top, width and height, each as a part of the page's (0…1)

_LEAST_LETTERS = 12  # of a part of a quote that runs over to another page: fewer may stand there by chance
_SAME_LINE = 0.5  # of its height, that two letters share


def letters(text: str) -> str:
    """Letters and digits alone, without case: «artícu-\\nlo 5.º» → «artículo5o»."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def found_in(page: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands among a page's letters (start, end); its longest beginning or end where it goes over."""
    if not quote:
        return None
    if (at := page.find(quote)) >= 0:
        return at, at + len(quote)
    length = _longest(page, quote)
    if length >= _LEAST_LETTERS and page.endswith(quote[:length]):
        return len(page) - length, len(page)
    return None


def _longest(page: str, quote: str) -> int:
    """How much of the quote's beginning the page ends with."""
    return next((n for n in range(min(len(page), len(quote)), 0, -1) if page.endswith(quote[:n])), 0)


def boxes_of(page: Any, textpage: Any, quotes: Sequence[str]) -> list[Box]:
    """A box for each line of what is quoted from a PDF's page."""
    return _boxes(_characters(textpage), partial(_box, page, textpage), quotes)


def boxes_in(picture: Picture, words: Sequence[Word], quotes: Sequence[str]) -> list[Box]:
    """The same of a picture whose words were recognised."""

    def box(index: int) -> Box:
        word, width, height = words[index], picture.width, picture.height
        return word.left / width, word.top / height, word.width / width, word.height / height

    return _boxes((word.text for word in words), box, quotes)


def _boxes(texts: Iterable[str], box: Callable[[int], Box], quotes: Sequence[str]) -> list[Box]:
    spelled = [(letter, index) for index, each in enumerate(texts) for letter in letters(each)]
    whole = "".join(letter for letter, _ in spelled)
    boxes: list[Box] = []
    for quote in quotes:
        if span := found_in(whole, letters(quote)):
            indices = dict.fromkeys(index for _, index in spelled[span[0] : span[1]])
            boxes += _joined(map(box, indices))
    return boxes


def _characters(textpage: Any) -> Iterator[str]:
    from pypdfium2 import raw

    for index in range(textpage.count_chars()):
        code = raw.FPDFText_GetUnicode(textpage.raw, index)
        yield chr(code) if 0 < code < 0x110000 else ""


def _box(page: Any, textpage: Any, index: int) -> Box:
    left, bottom, right, top = textpage.get_charbox(index, loose=True)
    (x0, y0), (x1, y1) = _on_screen(page, left, top), _on_screen(page, right, bottom)
    return min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)


_UNITS = 100_000  # whole numbers are all that pdfium gives


def _on_screen(page: Any, x: float, y: float) -> tuple[float, float]:
    """A point of the page as it is shown, turned and cut as the page says."""
    from pypdfium2 import raw

    across, down = ctypes.c_int(), ctypes.c_int()
    raw.FPDF_PageToDevice(page.raw, 0, 0, _UNITS, _UNITS, 0, x, y, ctypes.byref(across), ctypes.byref(down))
    return across.value / _UNITS, down.value / _UNITS


def _joined(boxes: Iterable[Box]) -> list[Box]:
    """Boxes of letters, one after another in a line, become one; the lines of a page may run down it."""
    lines: list[Box] = []
    last: Box | None = None
    for box in boxes:
        if last is not None and (_shares(last, box, 1) or _shares(last, box, 0)):
            lines[-1] = _around(lines[-1], box)
        else:
            lines.append(box)
        last = box
    return lines


def _shares(one: Box, other: Box, axis: int) -> bool:
    """Whether two letters stand at the same height (axis 1), or one below the other (axis 0)."""
    ends = min(one[axis] + one[axis + 2], other[axis] + other[axis + 2])
    return ends - max(one[axis], other[axis]) > _SAME_LINE * min(one[axis + 2], other[axis + 2])


def _around(one: Box, other: Box) -> Box:
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return left, top, right - left, bottom - top
