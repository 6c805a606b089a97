"""Which encoding a text is in: a byte order mark, UTF-8, UTF-16 by its zeros, else what reads best as Spanish.

The single-byte encodings that Spanish is found in (Windows, DOS, Macintosh) give other letters to the same bytes, and
only the neighbours tell which were meant: «ó» stands inside a word, «¢» does not. General statistics of languages
need long texts for that; a file of a few lines is read right here too. A file put together from two, one in UTF-8 and
one from Windows, is read as UTF-8, and what is not UTF-8 in it as Windows-1252.
"""

from __future__ import annotations

import codecs
import re

__all__ = ["MIXED", "SAMPLE_BYTES", "detect_encoding", "is_utf16"]

SAMPLE_BYTES = 256 * 1024
MIXED = "legajo.mixed"  # the error handler to decode with
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SINGLE_BYTE = ("cp1252", "cp850", "mac_roman")  # cp1252 holds all that latin-1 shows; cp437 has no «Á»
_MAX_CHARS = 100_000  # that are looked at
_ZEROS = 0.3  # share of zero bytes on one side of the pairs: Latin text in UTF-16 has nearly 1
_DECODED_FOR_EACH_LOST = 3

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f\xa0]")
_SPANISH = re.compile(
    r"(?<=[a-z])[áéíóúüñ]|[áéíóúüñ](?=[a-z])|(?<![a-záéíóúüñ])[ÁÉÍÓÚÜÑ]"
    r"|(?<!\w)[¿¡«“‘](?=\S)|(?<=\S)[»”’…](?![^\W\d_])|(?<=[\dNn. ])[ºª°]"
    r"|(?<![^\W\d_])[–—•·€§©®½¼¾±×÷²³]|[–—•·€§©®½¼¾±×÷²³](?![^\W\d_])"
)
_LOST = "\ufffd"


def detect_encoding(data: bytes) -> str:
    """The Python name of the encoding of a text, or of its first `SAMPLE_BYTES`. It decodes with `errors=MIXED`."""
    sample = data[:SAMPLE_BYTES]
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    if zeros := is_utf16(sample):
        return zeros
    text = _without_cut(sample.decode("utf-8", errors="replace"))
    lost = text.count(_LOST)
    if not lost or _is_damaged_utf8(text, lost):
        return "utf-8"
    marks = {encoding: _likeness(sample.decode(encoding, errors="replace")) for encoding in _SINGLE_BYTE}
    best = max(marks, key=lambda encoding: marks[encoding])
    return "utf-8" if _likeness(sample.decode("utf-8", errors=MIXED)) > marks[best] else best


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    """A byte that is no UTF-8 as the Spanish letter or mark of Windows-1252, if it can be one: else it is lost."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    found = error.object[error.start : error.end]
    if error.encoding != "utf-8" or len(found) != 1:
        return _LOST, error.end
    character = found.decode("cp1252", errors="replace")
    inside = error.object[max(0, error.start - 1) : error.start].isalpha()
    known = _WINDOWS_LETTERS if inside else _WINDOWS_LETTERS | _WINDOWS_MARKS
    return (character if character in known else _LOST), error.end


def is_utf16(sample: bytes) -> str:
    """«utf-16-le» or «utf-16-be» for a text without byte order mark, told by where its zeros stand; else empty."""
    pairs = len(sample) // 2
    if pairs < 2:
        return ""
    first, second = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if second > _ZEROS * pairs and first * 10 <= second:
        return _if_it_decodes(sample[: 2 * pairs], "utf-16-le")
    if first > _ZEROS * pairs and second * 10 <= first:
        return _if_it_decodes(sample[: 2 * pairs], "utf-16-be")
    return ""


def _if_it_decodes(sample: bytes, encoding: str) -> str:
    """Binary data has zeros too, but gives control characters."""
    text = sample.decode(encoding, errors="replace")
    controls = sum(character < " " and character not in "\t\n\r\f" for character in text) + text.count(_LOST)
    return encoding if controls <= len(text) // 100 else ""


def _without_cut(text: str) -> str:
    """A sample may end inside a character."""
    return text[:-3] + text[-3:].rstrip(_LOST)


def _is_damaged_utf8(text: str, lost: int) -> bool:
    """Many letters beyond ASCII that decode, few bytes that do not: another encoding would give none of the former."""
    decoded = sum(character > "\x7f" for character in text) - lost
    return decoded >= _DECODED_FOR_EACH_LOST * lost


def _likeness(text: str) -> int:
    """How many characters beyond ASCII stand where Spanish has them, less those that do not."""
    beyond = len(_BEYOND_ASCII.findall(text, 0, _MAX_CHARS))
    return 2 * len(_SPANISH.findall(text, 0, _MAX_CHARS)) - beyond


_WINDOWS_LETTERS = frozenset("áéíóúüñÁÉÍÓÚÜÑ°»”’")
_WINDOWS_MARKS = frozenset("¿¡«“‘ºª–—•")  # inside a word they are half of a character that was cut
codecs.register_error(MIXED, _as_windows)
