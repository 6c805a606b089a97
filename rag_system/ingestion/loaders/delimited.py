"""CSV and TSV: the separator found by what cuts the rows evenly, values kept as they are written («1.234,50»)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, ExtractedDocument
from rag_system.ingestion.loaders.encodings import MIXED, SAMPLE_BYTES, detect_encoding
from rag_system.ingestion.loaders.rows import LazyBlocks, Row, table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.txt import load_txt
from rag_system.ingestion.text import clean_line

__all__ = ["find_delimiter", "load_delimited"]

_DELIMITERS = ("\t", ";", "|", ",")  # of two that cut alike, the one that stands less in Spanish text and numbers
_SAMPLE_ROWS = 100
_MIN_EVEN = 0.6  # share of the rows that have the usual number of cells
_MIN_EVEN_PROSE, _MIN_PROSE_ROWS = 0.95, 3  # where the commas may be those of sentences
_MAX_CELL_CHARS = 1_000_000  # more is a quotation mark that is never closed
_DECLARATION = "sep="  # Excel's own first line: «sep=;»


def load_delimited(source: FileSource) -> ExtractedDocument:
    """A table in a text file; one without any separator is read as plain text."""
    sample = source.head(SAMPLE_BYTES)
    encoding = detect_encoding(sample)
    delimiter = find_delimiter(sample.decode(encoding, errors=MIXED))
    if not delimiter:
        return load_txt(source)
    quoting = csv.QUOTE_MINIMAL if _is_well_quoted(source, encoding, delimiter) else csv.QUOTE_NONE

    def read() -> Iterator[Block]:
        return table_blocks(_rows(source, encoding, delimiter, quoting))

    return ExtractedDocument(format="csv", blocks=LazyBlocks(read), pages=None)


def find_delimiter(sample: str) -> str:
    """The separator, empty when there is none. The sample's last line may be cut."""
    lines = sample.splitlines()
    if lines and (declared := lines[0].strip().lower()).startswith(_DECLARATION) and len(declared) == 5:
        return lines[0].strip()[-1]
    lines = lines[: _SAMPLE_ROWS * 3 + 1]
    best = max(_DELIMITERS, key=lambda delimiter: _evenness(lines, delimiter))
    if not _is_prose(lines, best):
        return best if _evenness(lines, best) >= _MIN_EVEN else ""
    return best if len(lines) >= _MIN_PROSE_ROWS and _evenness(lines, best) >= _MIN_EVEN_PROSE else ""


def _is_prose(lines: Sequence[str], delimiter: str) -> bool:
    """Every comma is followed by a space: sentences, or a table of rows that are all alike."""
    text = "\n".join(lines)
    return delimiter == "," and text.count(", ") == text.count(",")


def _evenness(lines: Iterable[str], delimiter: str) -> float:
    """Share of the rows with the most usual number of cells, if that is two or more; titles above do not count."""
    try:
        rows = [row for row in islice(csv.reader(lines, delimiter=delimiter), _SAMPLE_ROWS) if any(row)]
    except csv.Error:
        return 0.0
    counts = Counter(len(row) for row in rows if len(row) > 1)
    if not counts:
        return 0.0
    width, even = counts.most_common(1)[0]
    leading = next(number for number, row in enumerate(rows) if len(row) > 1)
    return even / max(1, len(rows) - leading) if width > 1 else 0.0


def _is_well_quoted(source: FileSource, encoding: str, delimiter: str) -> bool:
    """Whether quotation marks close: a stray one would swallow the rest of the file into a cell."""
    csv.field_size_limit(_MAX_CELL_CHARS)
    with _text(source, encoding) as text:
        try:
            for _ in csv.reader(text, delimiter=delimiter):
                pass
        except csv.Error:
            return False
    return True


def _rows(source: FileSource, encoding: str, delimiter: str, quoting: int) -> Iterator[Row]:
    with _text(source, encoding) as text:
        reader = csv.reader(text, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
        try:
            for number, cells in enumerate(reader):
                if number == 0 and delimiter.join(cells).lower().startswith(_DECLARATION):
                    continue
                yield Row([clean_line(cell) for cell in cells])
        except csv.Error:
            raise UnreadableFileError("La tabla está dañada: una celda no termina. Guárdela de nuevo.") from None


def _text(source: FileSource, encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(source.open(), encoding=encoding, errors=MIXED, newline="")
