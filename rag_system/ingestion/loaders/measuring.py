"""Measures the lines of a PDF's page: a few calls a line, not several a character; words only where cells may be.

Asks pdfium; what the measures tell is for `layout.py` and `tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from ctypes import addressof, c_double, c_int, create_string_buffer
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from rag_system.ingestion.loaders.drawing import Turn
from rag_system.ingestion.loaders.page import PageLine, Word
from rag_system.ingestion.loaders.tables import Grid
from rag_system.ingestion.text import clean_line

__all__ = ["measured_lines", "page_text"]

_MAX_PAGE_CHARS = 400_000  # a page of dense text has about 6,000
_MAX_WORDS = 2_000  # of a line
_BOLD_WEIGHT = 600  # of the OpenType scale: semibold
_FONT_NAME_BYTES = 128
_FIXED_PITCH = 1  # bit of the font descriptor's flags (ISO 32000-1, table 123)
_SCALED_FONT = 3.0  # points; nobody sets text this small
_WIDE = 0.75  # width of a character, in sizes of its type: prose has 0.4…0.65, so a line above has gaps
# pdfium marks a hyphen that ended a line with a non-character, and often joins the next line to it.
_LINE_END_HYPHEN = re.compile("[\ufffe\x02]")
_JOINING_HYPHEN = re.compile("(?<=[a-záéíóúüñ])[\ufffe\x02](?=[a-záéíóúüñ])")
_OTHER_LINE = 0.6  # of the size of the type: words farther apart in height stand on different lines
_LINE_ENDS = "\ufffe\x02 "
_WORD = re.compile(r"[^ \r]+")
_ENDS_IN_FIGURE = re.compile(r"(?<![^ ])[^ \d]*\d[^ ]*(?<=\d)(?!\w)")  # tried once a word, however long
_SMALLER, _RAISED = 0.8, 0.15  # of the size of the type before it
_SQUARED = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]|(?:da|[khdcm])m)\Z")  # «120m», «W/m», «x»
_POWERS = {"2": "²", "3": "³"}
_TEN = re.compile(r"(?<![\d.,])10\Z")
_MINUS, _POINT = ("-", "–", "−"), re.compile(r"\d[.,]\Z")
_CENTS = 2  # figures


def page_text(textpage: Any) -> str:
    """All characters of a page as the file gives them; none of a page with more than anybody prints."""
    return str(textpage.get_text_range()) if 0 < textpage.count_chars() <= _MAX_PAGE_CHARS else ""


def measured_lines(textpage: Any, raw: str, turn: Turn, width: float, grids: Sequence[Grid]) -> list[PageLine]:
    """The lines of a page in pdfium's reading order. raw: its `page_text`."""
    ruler = _Ruler(textpage, turn, width, grids)
    return [line for piece in _pieces(raw) for line in ruler.measure(piece)]


class _Piece(NamedTuple):
    shown: str  # once cleaned
    raw: str  # as pdfium gives it
    at: int  # index of the first character of `raw`
    first: int  # of the first and the last character that is seen
    last: int


def _pieces(raw: str) -> Iterator[_Piece]:
    at = 0
    for piece in raw.split("\n"):
        text = piece.rstrip("\r")
        if shown := _shown(text):
            end = at + len(text)
            first = end - len(text.lstrip())
            last = end - 1 if text[-1] not in _LINE_ENDS else at + len(text.rstrip(_LINE_ENDS)) - 1
            yield _Piece(shown, text, at, max(first, at), max(last, first))
        at += len(piece) + 1


def _shown(text: str) -> str:
    """A line as a person reads it."""
    return clean_line(_LINE_END_HYPHEN.sub("-", _JOINING_HYPHEN.sub("", text)))


def _unfolded(line: PageLine) -> list[PageLine]:
    """The lines that pdfium took for one: columns that stand half a line apart, the fields of a form."""
    lines: list[list[Word]] = []
    for word in line.words:
        before = lines[-1][-1] if lines else word
        if lines and word.left > before.left and abs(before.bottom - word.bottom) < _OTHER_LINE * line.size:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [_part_of(line, words) for words in lines] or [line]


def _part_of(line: PageLine, words: Sequence[Word]) -> PageLine:
    """Some words of a line as a line of their own."""
    text = " ".join(word.text for word in words)
    return line._replace(
        text=text, left=words[0].left, right=words[-1].right, bottom=words[0].bottom, words=tuple(words)
    )


def _beside(word: str, figures: str) -> str:
    """How figures that stand raised over a word are written after it: as a power, as cents, or as a call to a note."""
    if figures in _POWERS and _SQUARED.search(word):
        return _POWERS[figures]
    if _TEN.search(word):
        return f"^{figures}"
    if word.endswith(_MINUS) or (len(figures) == _CENTS and _POINT.search(word)):
        return figures
    return f" ({figures})"


class _Ruler:
    """Measures a line by its first and last characters."""

    def __init__(self, textpage: Any, turn: Turn, width: float, grids: Sequence[Grid]) -> None:
        self._page = textpage.raw
        self._turn, self._width, self._grids = turn, width, grids
        self._places = [c_double() for _ in range(6)]
        self._styles: dict[int, tuple[bool, bool]] = {}  # by the font's address, which holds while the page is open

    def measure(self, piece: _Piece) -> list[PageLine]:
        """A line with its place and its type; several, where pdfium took them for one."""
        shown, raw, _, first, last = piece
        left, bottom, right, end = self._span(first, last)
        size = round(self._size(first), 1)
        bold, fixed_pitch = self._style(first)
        if (bold or fixed_pitch) and last != first:
            bold, fixed_pitch = (a and b for a, b in zip((bold, fixed_pitch), self._style(last), strict=True))
        joined = "\ufffe" in raw or "\x02" in raw  # two lines by a hyphen: their word stays whole
        folded = abs(end - bottom) > size and not joined
        line = PageLine(
            text=self._parted(piece, shown, first),
            left=left,
            right=right,
            bottom=bottom,
            size=size,
            bold=bold,
            fixed_pitch=fixed_pitch,
            page_width=self._width,
            words=self._words(piece) if folded or self._may_be_row(shown, left, right, bottom, size) else (),
        )
        return _unfolded(line) if folded else [line]

    def _may_be_row(self, text: str, left: float, right: float, bottom: float, size: float) -> bool:
        """Whether the words of a line are worth measuring: it has gaps or reaches over a rule."""
        if " " not in text:
            return False
        if right - left > _WIDE * size * len(text):
            return True
        return any(grid.crosses(left, right, bottom + size / 4) for grid in self._grids)

    def _words(self, piece: _Piece) -> tuple[Word, ...]:
        words: list[Word] = []
        span, at = self._span, piece.at
        clean = piece.shown == piece.raw.strip(" \r")
        for match in _WORD.finditer(piece.raw):
            if len(words) == _MAX_WORDS:
                return ()
            if text := match[0] if clean else _shown(match[0]):
                left, bottom, right, _ = span(at + match.start(), at + match.end() - 1)
                words.append(Word(left, right, bottom, self._parted(piece, text, at + match.start())))
        return tuple(words)

    def _parted(self, piece: _Piece, text: str, at: int) -> str:
        """A text with the figures that stand raised over it apart: «S/ 280» with a call to note 2 is not 2802.

        at: index of its first character.
        """
        if self._turn.turned:
            return text
        calls = [match.span() for match in _ENDS_IN_FIGURE.finditer(text) if len(match[0]) > 1]
        if not calls or piece.shown != piece.raw.strip(" \r"):  # as nearly always
            return text
        for start, end in reversed(calls):
            if (cut := self._raised_from(text, at, start, end)) < end:
                text = f"{text[:cut]}{_beside(text[start:cut], text[cut:end])}{text[end:]}"
        return text

    def _raised_from(self, text: str, at: int, start: int, end: int) -> int:
        """Where the raised figures at the end of a word begin; `end` where there are none."""
        size = self._size(at + start)
        if self._size(at + end - 1) >= _SMALLER * size:
            return end
        foot, top = self._span(at + start, at + start)[1], self._span(at + end - 1, at + end - 1)[1]
        if top - foot < _RAISED * size:
            return end
        cut = end - 1
        while cut > start + 1 and text[cut - 1].isdigit() and self._size(at + cut - 1) < _SMALLER * size:
            cut -= 1
        return cut if any(map(str.isalnum, text[start:cut])) else end

    def _span(self, first: int, last: int) -> tuple[float, float, float, float]:
        """Where a character begins, on its baseline, and the right edge and the foot of another."""
        origin = pdfium.FPDFText_GetCharOrigin(self._page, first, *self._places[4:])
        box = pdfium.FPDFText_GetCharBox(self._page, last, *self._places[:4])
        left, right, foot, top, x, y = (place.value for place in self._places)
        x, y = self._turn.point(x, y) if origin else (0.0, 0.0)
        _, foot, right, _ = self._turn.box(left, foot, right, top) if box else (0.0, 0.0, 0.0, 0.0)
        return x, y, right, foot

    def _style(self, index: int) -> tuple[bool, bool]:
        """Bold and fixed pitch."""
        item = pdfium.FPDFText_GetTextObject(self._page, index)
        font = pdfium.FPDFTextObj_GetFont(item) if item else None
        if not font:
            return self._style_of(index)
        address = addressof(font.contents)
        if (style := self._styles.get(address)) is None:
            style = self._styles[address] = self._style_of(index)
        return style

    def _style_of(self, index: int) -> tuple[bool, bool]:
        """By weight and flags; the standard fonts have neither, but telling names."""
        buffer, flags = create_string_buffer(_FONT_NAME_BYTES), c_int()
        pdfium.FPDFText_GetFontInfo(self._page, index, buffer, _FONT_NAME_BYTES, flags)
        name = buffer.value.lower()
        bold = pdfium.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT or b"bold" in name
        return bold, bool(flags.value & _FIXED_PITCH) or b"courier" in name or b"mono" in name

    def _size(self, index: int) -> float:
        """The nominal size; where a page sets size 1 and scales it, the height of the font's box."""
        if (nominal := float(pdfium.FPDFText_GetFontSize(self._page, index))) > _SCALED_FONT:
            return nominal
        box = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self._page, index, box):
            return 0.0
        return float(abs(box.top - box.bottom))
