"""Text that was saved as UTF-8, read as Windows-1252 or ISO 8859-1 and saved again: «resoluciÃ³n», «N.Âº», «â€œ».

Only what can mean nothing else is mended, one character at a time, so a paragraph that holds both kinds comes out
right. «IRMû and «SÃO» are Portuguese, «BELGIË”» is Dutch: a mark that may follow a word is taken for itself.
"""

from __future__ import annotations

import re

__all__ = ["mend"]

_MARKS = "ÃÂâ"  # with one of them begins what a Spanish letter, quotation mark or ordinal became
_TIMES = 2  # that a text was read and saved so
_OPENING, _CLOSING = "Â«", "Â»"  # the latter alone may end a quotation: «LÂ»
_AFTER_A_WORD = "…’”–—™\xa0®°·»"


def mend(text: str) -> str:
    """The text as it was first saved."""
    for _ in range(_TIMES):
        if not any(mark in text for mark in _MARKS):
            break
        if _OPENING in text:
            text = text.replace(_CLOSING, "»")
        text = _DOUBLE.sub(_first, text)
    return text


def _as_windows(byte: int) -> str:
    """As browsers read Windows-1252: the five bytes that it leaves out are control characters (WHATWG Encoding)."""
    return bytes((byte,)).decode("cp1252", errors="ignore") or chr(byte)


_BYTES = {read(byte): byte for read in (chr, _as_windows) for byte in range(0x80, 0x100)}
_REST = "".join(character for character, byte in _BYTES.items() if byte < 0xC0)  # of a character in UTF-8
_REST_AFTER_A_WORD = "".join(character for character in _REST if character not in _AFTER_A_WORD)
_UNFINISHED = "â€"  # of «”», whose last byte is one that Windows-1252 leaves out and many programs lose
_WORD = r"(?<=[^\W\d_].)"  # of which the sign is the last letter
_CAPITALS = r"(?<=[^\W\d_a-zà-ÿ].)"
_DOUBLE = re.compile(
    "|".join(
        (
            rf"Â(?!{_CAPITALS}»)[\x80-\xbf]",
            rf"[ÃÅ](?!{_WORD}‘(?![^\W\d_]))[{_REST_AFTER_A_WORD}]",  # «ESPAÃ‘A», but no Spanish word ends in Ñ
            r"Ë[†œ\x86\x9c]",  # ˆ and ˜, which other marks became
            rf"â(?!{_WORD}[{_AFTER_A_WORD}]{{2}})[{_REST}]{{2}}",
            _UNFINISHED,
        )
    )
)


def _first(found: re.Match[str]) -> str:
    return "”" if found[0] == _UNFINISHED else bytes(_BYTES[character] for character in found[0]).decode()
