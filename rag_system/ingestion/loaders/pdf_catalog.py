"""What pypdf reads of a PDF: its outline, the title in its metadata, its attachments; and a copy of a damaged one.

pdfium refuses a file whose header is lost or stands after other bytes (a mail's, a server's), or whose trailer does not
name its root; pypdf looks for what is left, and writes it anew.
"""

from __future__ import annotations

import io
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["Catalog", "folded", "mended_copy", "read_catalog"]

_MAX_TITLES = 5_000  # of an outline
_MAX_DEPTH = 6
_MAX_ATTACHMENTS = 50  # that are named

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every oddity that it gets over


@dataclass(frozen=True, slots=True)
class Catalog:
    """What a PDF says of itself beside its pages."""

    title: str = ""
    outline: Mapping[int, Mapping[str, int]] = field(default_factory=dict)  # page from 1 → title as `folded`, and level
    attachments: tuple[str, ...] = ()  # their names
    author: str = ""
    created: str = ""  # ISO 8601


def folded(title: str) -> str:
    """A title as it is compared with a line of its page."""
    return clean_line(title).casefold().rstrip(" .:")


def read_catalog(source: FileSource) -> Catalog:
    """Nothing of what pypdf cannot read: the pages count more."""
    from pypdf import PdfReader

    try:
        with source.open() as stream, PdfReader(stream) as reader:
            outline: dict[int, dict[str, int]] = defaultdict(dict)
            for page, title, level in _titles(reader, reader.outline, 1):
                if len(outline) < _MAX_TITLES:
                    outline[page].setdefault(folded(title), level)
            names = tuple(map(clean_line, list(reader.attachments)[:_MAX_ATTACHMENTS]))
            return Catalog(_title(reader), outline, names)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 whatever a parser in Python meets in a file that pdfium has read
        return Catalog()


def mended_copy(source: FileSource) -> bytes:
    """The file as pypdf understands it, written anew; nothing where it does not."""
    from pypdf import PdfReader, PdfWriter

    copy = io.BytesIO()
    try:
        with source.open() as stream, PdfReader(stream) as reader:
            PdfWriter(clone_from=reader).write(copy)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 as above: the file stays as damaged as it was
        return b""
    return copy.getvalue()


def _title(reader: Any) -> str:
    """As its properties say, else its XMP metadata."""
    named = (reader.metadata.title if reader.metadata else "") or ""
    if not named and reader.xmp_metadata is not None:
        named = next(iter((reader.xmp_metadata.dc_title or {}).values()), "")
    return clean_line(str(named))


def _titles(reader: Any, entries: list[Any], level: int) -> Iterator[tuple[int, str, int]]:
    """Page from 1, title and level of each entry of an outline; pypdf gives what is below one as a list after it."""
    for entry in entries:
        if isinstance(entry, list):
            if level < _MAX_DEPTH:
                yield from _titles(reader, entry, level + 1)
        elif (page := reader.get_destination_page_number(entry)) is not None and entry.title:
            yield page + 1, str(entry.title), level
