"""Plain text: its encoding found, its paragraphs and headings guessed."""

from __future__ import annotations

from collections.abc import Iterator

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import Line, blocks_from_lines, starts_item
from rag_system.ingestion.text import clean, unescape

__all__ = ["decode", "load_txt", "text_lines"]

_REPLACEMENT = "\ufffd"
_DECODED_FOR_EACH_LOST = 3
_MAX_LOST_SHARE = 0.02
_SAMPLE_BYTES = 64 * 1024


def load_txt(source: Source) -> ExtractedDocument:
    """A plain text in whatever encoding; its layout tells the paragraphs."""
    blocks = blocks_from_lines(text_lines(clean(unescape(decode(source.read())))))
    return ExtractedDocument(format="txt", blocks=blocks, pages=None)


def decode(data: bytes) -> str:
    """UTF-8 first, then what a byte order mark or the statistics of the bytes say."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    text = data.decode("utf-8", errors="replace")
    if (lost := text.count(_REPLACEMENT)) and not _is_damaged_utf8(text, lost):
        guessed = _guess(data)
        if guessed is None and lost > _MAX_LOST_SHARE * len(text):
            raise UnreadableFileError("No se reconoce la codificación del texto. Guárdelo como UTF-8.")
        text = data.decode(guessed or "utf-8", errors="replace")
    return text.replace(_REPLACEMENT, "") if lost else text


def _is_damaged_utf8(text: str, lost: int) -> bool:
    """Many letters beyond ASCII that decode, few bytes that do not: another encoding would give none of the former."""
    decoded = sum(character > "\x7f" for character in text) - lost
    return decoded >= _DECODED_FOR_EACH_LOST * lost


def _guess(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(data[:_SAMPLE_BYTES], cp_isolation=["cp1252", "latin_1", "cp850", "mac_roman", "utf_16"]).best()
    return best.encoding if best else None


def text_lines(text: str) -> Iterator[Line]:
    """Blank lines separate paragraphs; so does a sentence that ends before the margin, or the start of an item."""
    previous = ""
    lines = [line.strip() for line in text.split("\n")]
    margin = _margin(lines)
    for raw in lines:
        line = " ".join(raw.split())
        if line:
            yield Line(text=line, start=not previous or _ends_paragraph(previous, margin) or starts_item(line))
        previous = line


def _margin(lines: list[str]) -> int:
    """The width most full lines reach: the 80th percentile of lengths."""
    lengths = sorted(len(line) for line in lines if line)
    return lengths[len(lengths) * 4 // 5] if lengths else 0


def _ends_paragraph(line: str, margin: int) -> bool:
    return line[-1] in '.:;!?»”"' and (len(line) < 0.85 * margin or margin > 200)
