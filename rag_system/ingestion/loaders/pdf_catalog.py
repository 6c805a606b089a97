"""What a PDF says of itself beside its pages: outline, properties, attachments; and a copy of a damaged one.

pdfium refuses a file whose header is lost or stands after other bytes (a mail's, a server's), or whose trailer does not
name its root; pypdf looks for what is left, and writes it anew.
"""

from __future__ import annotations

import io
import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["Catalog", "folded", "mended_copy", "read_catalog"]

_MAX_TITLES = 5_000  # of an outline
_MAX_DEPTH = 6
_MAX_ATTACHMENTS = 50  # that are named

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every oddity that it gets over
logging.getLogger("pypdfium2").setLevel(logging.CRITICAL)


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


def read_catalog(document: Any) -> Catalog:
    """Of an opened document; where an entry of the outline or the name of an attachment is damaged, those before it."""
    from pypdfium2 import PdfiumError

    outline: dict[int, dict[str, int]] = defaultdict(dict)
    names: list[str] = []
    with suppress(PdfiumError, UnicodeError):
        for page, title, level in islice(_titles(document), _MAX_TITLES):
            outline[page].setdefault(folded(title), level)
    with suppress(PdfiumError, UnicodeError):
        names.extend(map(clean_line, _names(document)))
    return Catalog(
        title=clean_line(document.get_metadata_value("Title")),
        outline=outline,
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


def _titles(document: Any) -> Iterator[tuple[int, str, int]]:
    """Page from 1, title and level from 1 of each entry of an outline."""
    for entry in document.get_toc(max_depth=_MAX_DEPTH):
        destination = entry.get_dest()
        page = destination.get_index() if destination is not None else None
        if page is not None and (title := entry.get_title()):
            yield page + 1, title, entry.level + 1


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
