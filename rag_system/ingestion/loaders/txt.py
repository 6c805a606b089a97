"""Plain text: its encoding found, its paragraphs and headings guessed. Read in windows: its length does not matter."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from rag_system.ingestion.document import Block, ExtractedDocument
from rag_system.ingestion.headings import is_unfinished
from rag_system.ingestion.loaders.encodings import MIXED, SAMPLE_BYTES, detect_encoding
from rag_system.ingestion.loaders.rows import LazyBlocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.structure import Line, starts_item, stream_blocks
from rag_system.ingestion.text import clean, unescape

__all__ = ["decode", "load_txt", "text_blocks", "text_lines"]

_REPLACEMENT = "\ufffd"
_WINDOW_CHARS = 2_000_000  # of text that is in memory at once
_TELLING_LINES = 200  # that are no plain ASCII: they tell the encoding
_SHORT = 0.6  # of the margin: another word would have had room in a line of prose
_OPEN_ENDS = (",", " a", " ante", " desde", " entre", " hasta", " según", " sin", " sobre")
_PARAGRAPH_END, _LINE_END, _WORD_END = "\n\n", "\n", " "


def load_txt(source: FileSource) -> ExtractedDocument:
    """A plain text in whatever encoding; its layout tells the paragraphs."""
    encoding = _encoding(source)

    def read() -> Iterator[Block]:
        return stream_blocks(line for window in _windows(source, encoding) for line in text_lines(window))

    return ExtractedDocument(format="txt", blocks=LazyBlocks(read), pages=None)


def text_blocks(text: str) -> Iterable[Block]:
    """The blocks of a text that is in memory."""
    return tuple(stream_blocks(text_lines(_cleaned(text))))


def decode(data: bytes) -> str:
    """A whole text, in the encoding that its bytes tell; what cannot be decoded is left out."""
    return data.decode(detect_encoding(data), errors=MIXED).replace(_REPLACEMENT, "")


def _encoding(source: FileSource) -> str:
    """As its beginning says, unless that is plain ASCII: then by the first lines that are not."""
    head = source.head(SAMPLE_BYTES)
    encoding = detect_encoding(head)
    if source.size <= len(head) or encoding != "utf-8" or not head.isascii():
        return encoding
    with source.open() as file:
        lines = iter(partial(file.readline, SAMPLE_BYTES), b"")
        return detect_encoding(b"".join(islice((line for line in lines if not line.isascii()), _TELLING_LINES)))


def _windows(source: FileSource, encoding: str) -> Iterator[str]:
    """The cleaned text in parts, cut between two paragraphs where there are any."""
    with io.TextIOWrapper(source.open(), encoding=encoding, errors=MIXED) as file:
        text = file.read(_WINDOW_CHARS)
        while following := file.read(_WINDOW_CHARS):
            cut = _cut(text)
            yield _cleaned(text[:cut])
            text = text[cut:] + following
    yield _cleaned(text)


def _cut(text: str) -> int:
    """After the last paragraph, line or word of the second half."""
    for end in (_PARAGRAPH_END, _LINE_END, _WORD_END):
        if (at := text.rfind(end, len(text) // 2)) >= 0:
            return at + len(end)
    return len(text)


def _cleaned(text: str) -> str:
    return clean(unescape(text.replace(_REPLACEMENT, "")))


def text_lines(text: str) -> Iterator[Line]:
    """Blank lines separate paragraphs; so does a line that ends long before the margin, or the start of an item."""
    previous = ""
    lines = [line.strip() for line in text.split("\n")]
    margin = _margin(lines)
    for raw in lines:
        line = " ".join(raw.split())
        if line:
            yield Line(text=line, start=not previous or _parts(previous, line, margin) or starts_item(line))
        previous = line


def _margin(lines: list[str]) -> int:
    """The width most full lines reach: the 80th percentile of lengths."""
    lengths = sorted(len(line) for line in lines if line)
    return lengths[len(lengths) * 4 // 5] if lengths else 0


def _parts(line: str, following: str, margin: int) -> bool:
    """Whether a paragraph ends with a line. A title in capitals may go over two short ones."""
    if _ends_paragraph(line, margin):
        return True
    room = len(line) + 1 + len(following.partition(" ")[0]) < _SHORT * margin
    own = not following[0].islower() and not _goes_on(line)
    return room and own and not (line.isupper() and following.isupper())


def _goes_on(line: str) -> bool:
    """Whether a sentence cannot end with a line: «y lo aprueba la», «La multa es de». «Zona E» is a name."""
    return f" {line}".endswith(_OPEN_ENDS) or (line[-1].islower() and is_unfinished(line))


def _ends_paragraph(line: str, margin: int) -> bool:
    return line[-1] in '.:;!?»”"' and (len(line) < 0.85 * margin or margin > 200)
