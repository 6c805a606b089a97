"""Characters that Word takes from a font of symbols (`w:sym`): «≥» is the code B3 of the font Symbol.

The codes of Symbol are Adobe's (unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt); of Wingdings, the marks that
forms are ticked with and the arrows. Bullets and ornaments say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["symbol"]

_PRIVATE = 0xF000  # fonts of symbols have their codes from here on
_GREEK = dict(
    zip((*range(0x41, 0x5B), *range(0x61, 0x7B)), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
)
_SIGNS = dict(
    zip(
        b"\xa2\xa3\xa5\xab\xac\xad\xae\xaf\xb0\xb1\xb2\xb3\xb4\xb8\xb9\xba\xbb\xbc\xce\xd2\xd3\xd4\xd5\xd6\xde\xe5",
        "′≤∞↔←↑→↓°±″≥×÷≠≡≈…∈®©™∏√⇒∑",
        strict=True,
    )
)
_TICKS = dict(zip(b"\x6f\xa8\xdf\xe0\xe1\xe2\xfb\xfc\xfd\xfe", "☐☐←→↑↓✗✓☒☑", strict=True))
_FONTS: Mapping[str, Mapping[int, str]] = {
    "symbol": {code: chr(code) for code in range(0x20, 0x40)}
    | dict(zip(b"\x22\x24\x27\x2a\x2d", "∀∃∋∗−", strict=True))
    | _GREEK
    | _SIGNS,
    "wingdings": _TICKS,
}


def symbol(font: str, code: str) -> str:
    """The character that a font has at a code in hexadecimal («F0B3»); empty where it says nothing.

    A font of letters has those of Unicode, and nothing that is known from F000 on.
    """
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    plain = number - _PRIVATE if _PRIVATE <= number <= _PRIVATE + 0xFF else number
    if (known := _FONTS.get(font.lower())) is not None:
        return known.get(plain, "")
    dingbats = "dings" in font.lower() or "symbol" in font.lower()
    return chr(number) if 0x20 <= number < 0xD800 and not dingbats else ""
