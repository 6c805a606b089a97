"""Cleaning of extracted text: what every loader does to a string before it becomes a block.

Nothing here knows about formats or structure.
"""

from __future__ import annotations

import html
import re
import unicodedata

from ftfy import TextFixerConfig, fix_encoding

__all__ = ["clean", "clean_line", "in_capitals", "unescape", "upper_ratio", "whole_number"]

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_INVISIBLE = (  # hyphens, joiners and spaces of no width; marks of direction; variants of a sign; tags
    *(0x00AD, 0x034F, 0x061C, 0x180E),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
    *range(0xE0100, 0xE01F0),
)
_SYMBOL_BULLETS = (0xF0A7, 0xF0B7, 0xF0D8, 0xF0FC, 0xF076, 0xF02D)  # Wingdings and Symbol, in the private use area

_TABLE: dict[int, str | None] = {
    **_LIGATURES,
    **dict.fromkeys((*range(0x00, 0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0)), None),
    **dict.fromkeys((0xFEFF, 0xFFFC, 0xFFFE, 0xFFFF), None),
    **dict.fromkeys(_INVISIBLE, None),
    **dict.fromkeys((0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "),
    **dict.fromkeys((0x0B, 0x0C, 0x85, 0x2028, 0x2029), "\n"),
    **dict.fromkeys(range(0xD800, 0xE000), None),
    **dict.fromkeys(range(0xE000, 0xF900), None),
    **dict.fromkeys(_SYMBOL_BULLETS, "•"),
}

# TeX draws an accented letter as an accent followed by the letter: «informaci´on», «a˜no».
_SPACING_ACCENTS = {"´": "\u0301", "`": "\u0300", "¨": "\u0308", "˜": "\u0303", "ˆ": "\u0302", "¸": "\u0327"}
_DETACHED_ACCENT = re.compile(
    r"(?<=[^\W\d_])([´¨˜ˆ])([aeiouncAEIOUNCı])|(?<![^\W\d_])([´¨˜])([aeiounAEIOUNı])(?=[a-zA-Z])"
)
_LONGEST_NUMBER = 10  # figures
_CAPITALS = 0.9  # share of capitals among the letters of a text that is set in them

_MENDING = TextFixerConfig(restore_byte_a0=False, replace_lossy_sequences=False)
_SUSPECT = re.compile("[ÂÃâÅË][\u0080-\uffff]")  # begins what a letter beyond ASCII became, read in another encoding
_LOST_QUOTE = re.compile("â€(?![\u0080-\uffff])")  # «”», whose last byte Windows-1252 leaves out and programs lose
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")


def unescape(text: str) -> str:
    """Undo HTML entities, twice: real files hold `&amp;oacute;`."""
    for _ in range(2):
        if not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return text


def clean(text: str) -> str:
    """NFC, without control, invisible and private-use characters, ligatures or detached accents; newlines stay.

    What was encoded twice («resoluciÃ³n») is mended before: half of an «í» of that sort is a soft hyphen.
    """
    if text.isascii() and text.isprintable():
        return text
    if _SUSPECT.search(text):
        text = fix_encoding(_LOST_QUOTE.sub("”", text), _MENDING)
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_TABLE)
    if "´" in text or "˜" in text or "¨" in text or "ˆ" in text:
        text = _DETACHED_ACCENT.sub(_compose, text)
    return unicodedata.normalize("NFC", text)


def clean_line(text: str) -> str:
    """`clean`, on one line, with single spaces."""
    return " ".join(clean(text).split())


def upper_ratio(text: str) -> float:
    """Share of capitals among the letters, 0…1."""
    letters = sum(map(str.isalpha, text))
    return sum(map(str.isupper, text)) / letters if letters else 0.0


def in_capitals(text: str) -> bool:
    """Whether a text is set in capitals."""
    return upper_ratio(text) >= _CAPITALS


def whole_number(written: str | None, default: int) -> int:
    """A number as an attribute of a file says it; `default` where it is none, or longer than any that means something:
    Python reads none of thousands of figures.
    """
    return int(written) if written and written.isdecimal() and len(written) < _LONGEST_NUMBER else default


def _compose(match: re.Match[str]) -> str:
    accent, letter = match.group(1) or match.group(3), match.group(2) or match.group(4)
    letter = "i" if letter == "ı" else letter
    return unicodedata.normalize("NFC", letter + _SPACING_ACCENTS[accent])
