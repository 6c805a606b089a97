"""A document as it was added: its bytes, its pages as pictures, and its text from the first word to the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag_system.errors import NotFoundError
from rag_system.ingestion.loaders.ocr import OcrOptions
from rag_system.ingestion.text import clean_line
from rag_system.query.joining import shared_header
from rag_system.storage.connection import Database
from rag_system.storage.documents import find_document, find_place, list_passages
from rag_system.storage.files import read_file
from rag_system.viewing import DRAWN_FORMATS, PagePicture, draw_page

__all__ = ["MOST_PASSAGES", "Original", "Originals", "Passage", "Reading"]

MOST_PASSAGES = 40  # of a document, read at once
_LEAST_SHARED, _MOST_SHARED = 20, 600  # characters: chance is below, and an overlap of 60 tokens is never longer


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A document that can be opened."""

    project: str
    document_id: str
    path: str
    title: str
    format: str
    sha256: str
    pages: int | None
    passages: int

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def is_drawn(self) -> bool:
        """Whether its pages can be shown as pictures."""
        return bool(self.pages) and self.format in DRAWN_FORMATS


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a document's text, without what it repeats of the one before."""

    ordinal: int  # from 0
    headings: tuple[str, ...]  # what it stands under, the highest first
    page: int | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A part of a document's text, in order."""

    title: str
    pages: int | None
    passages: list[Passage]
    next: int | None  # number of the passage with which the reading goes on; None at the end


class Originals:
    """The documents of a project, to be looked at."""

    def __init__(self, database: Database, project: str, ocr: OcrOptions) -> None:
        self._database = database
        self._project = project
        self._ocr = ocr

    def find(self, path: str, *, project: str = "") -> Original | None:
        """The document at `path`, if it is still there; with a `project`, of that one, if one may read it."""
        if "\0" in path + project:  # PostgreSQL holds no such text
            return None
        row = self._database.run(find_document, project or self._project, path)
        if row is None:
            return None
        return Original(
            project=row.project,
            document_id=row.document_id,
            path=row.path,
            title=row.title,
            format=row.format,
            sha256=row.sha256,
            pages=row.pages,
            passages=row.chunk_count,
        )

    def read(self, path: str, *, page: int = 0, first: int = 0) -> Reading:
        """The text of the document at `path`: of a page (from 1), or `MOST_PASSAGES` passages from number `first` on.

        Where there are no pages, page 1 is read as from `first` on. What is not there raises `NotFoundError`.
        """
        original = self.find(path)
        if original is None:
            raise NotFoundError(f"No hay ningún documento «{clean_line(path)}». La lista de documentos da las rutas.")
        if page > (last := original.pages or 1):
            raise NotFoundError(f"«{clean_line(path)}» no tiene página {page}: la última es la {last}.")
        if page and original.pages:
            shown = self.passages_of_page(original, page)
        else:
            shown = self.passages(original, first=max(first, 0), limit=MOST_PASSAGES)
        after = shown[-1].ordinal + 1 if shown else original.passages
        return Reading(
            title=original.title,
            pages=original.pages,
            passages=shown,
            next=after if after < original.passages else None,
        )

    def content(self, original: Original) -> bytes:
        """Its bytes, as they were added."""
        with self._database.connection() as connection:
            return b"".join(read_file(connection, original.project, original.sha256))

    def page(self, original: Original, number: int, *, quotes: Sequence[str] = ()) -> PagePicture:
        """A page (from 1) of a document whose pages can be drawn, with the quotes marked on it."""
        with self._database.connection() as connection:
            content = list(read_file(connection, original.project, original.sha256))
        # without a connection, which others may need meanwhile
        return draw_page(content, number, file_format=original.format, quotes=quotes, ocr=self._ocr)

    def place_of(self, original: Original, chunk_id: int) -> int | None:
        """The number (from 0) of the passage that was cited; None when the document was read anew since."""
        return self._database.run(find_place, original.project, original.document_id, chunk_id)

    def passages(self, original: Original, *, first: int, limit: int) -> list[Passage]:
        """At most `limit` passages, from number `first` (from 0) on."""
        rows = self._database.run(list_passages, original.project, original.document_id, first=first, limit=limit)
        before = ["", *(row.text for row in rows)]
        return [
            Passage(
                ordinal=row.ordinal,
                headings=tuple(row.heading_path),
                page=row.page,
                text=row.text[_shared(previous, row.text) :],
            )
            for previous, row in zip(before, rows, strict=False)
        ]

    def passages_of_page(self, original: Original, number: int) -> list[Passage]:
        """Those that begin on a page (from 1); where none does, the one that runs over it."""
        before = [
            each for each in self.passages(original, first=0, limit=original.passages) if (each.page or 1) <= number
        ]
        return [each for each in before if each.page == number] or before[-1:]


def _shared(before: str, after: str) -> int:
    """How much of its beginning a passage repeats of the one before, in characters."""
    header = shared_header(before, after)
    rest = after[header:].removeprefix("\n")
    longest = min(len(before), len(rest) - 1, _MOST_SHARED)
    overlap = next((n for n in range(longest, _LEAST_SHARED, -1) if before.endswith(rest[:n])), 0)
    return len(after) - len(rest) + overlap if header else overlap
