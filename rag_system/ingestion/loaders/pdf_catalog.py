"""What a PDF says of itself beside its pages: its properties, its attachments; and a copy of a damaged one.

pdfium refuses a file whose header is lost or stands after other bytes (a mail's, a server's), or whose trailer does not
name its root; pypdf looks for what is left, and writes it anew.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["Catalog", "mended_copy", "read_catalog"]

_MAX_ATTACHMENTS = 50  # that are named

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every oddity that it gets over
logging.getLogger("pypdfium2").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Catalog:
    """What a PDF says of itself beside its pages."""

    title: str = ""
    attachments: tuple[str, ...] = ()  # their names
    author: str = ""
    created: str = ""  # ISO 8601


def read_catalog(document: Any) -> Catalog:
    """Of an opened document; where the name of an attachment is damaged, those before it."""
    from pypdfium2 import PdfiumError

    names: list[str] = []
    with suppress(PdfiumError, UnicodeError):
        names.extend(map(clean_line, _names(document)))
    return Catalog(
        title=clean_line(document.get_metadata_value("Title")),
        attachments=tuple(names),
        author=clean_line(document.get_metadata_value("Author")),
        created=_day(document.get_metadata_value("CreationDate")),
    )


def mended_copy(source: FileSource) -> bytes:
    """The file as pypdf understands it, written anew; nothing where it does not."""
    from pypdf import PdfReader, PdfWriter

    copy = io.BytesIO()
    try:
        with source.open() as stream, PdfReader(stream) as reader:
            PdfWriter(clone_from=reader).write(copy)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 whatever a parser in Python meets: the file stays as damaged as it was
        return b""
    return copy.getvalue()


def _names(document: Any) -> Iterator[str]:
    for index in range(min(document.count_attachments(), _MAX_ATTACHMENTS)):
        yield document.get_attachment(index).get_name()


def _day(written: str) -> str:
    """«D:20230204115901-05'00'» as 2023-02-04; nothing where it is no date, or one that a program gives to every file.

    Programs whose output must always be the same write midnight of a first of January: of 1970, 1980 or 2000.
    """
    try:
        made = datetime.strptime(written.removeprefix("D:")[:14], "%Y%m%d%H%M%S")
    except ValueError:
        return ""
    given_to_all = made == datetime(made.year, 1, 1)
    return "" if given_to_all else made.date().isoformat()
