"""Notes: what a person writes, or keeps of an answer, as a document that is found and cited like the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from assistant.exporting import file_name
from assistant.library import Library
from assistant.originals import Originals
from assistant.shelf import LONGEST_TITLE
from rag_system.errors import InputError, NotFoundError
from rag_system.ingestion.report import IngestReport
from rag_system.ingestion.text import clean_line
from rag_system.ingestion.unpacking import numbered
from rag_system.query.markup import strip_invisible

__all__ = ["LONGEST_NOTE", "NOTES", "Note", "Notes", "is_note"]

NOTES = "notas"  # the folder where they stand
LONGEST_NOTE = 100_000  # characters
_HEADING = "# "


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note as it is written."""

    title: str
    text: str  # Markdown


class Notes:
    """Those of a project, which all who read it share."""

    def __init__(self, library: Library, originals: Originals) -> None:
        self._library = library
        self._originals = originals

    def save(self, title: str, text: str, *, path: str = "") -> Mapping[str, str] | IngestReport:
        """Take a note into the queue as a document; with the `path` of one, in its place.

        Its ingestion's id with its path, for `see_through`, or a report where nothing is to be done. A title of 1…200
        and a text of 1…100,000 characters, else `InputError`; who may not change the project gets `ForbiddenError`.
        """
        title, text = clean_line(title), strip_invisible(text).strip()
        if not 0 < len(title) <= LONGEST_TITLE:
            raise InputError(
                f"Escriba un título, de hasta {LONGEST_TITLE} caracteres.", code="title_length", limit=LONGEST_TITLE
            )
        if not 0 < len(text) <= LONGEST_NOTE:
            raise InputError(f"Escriba la nota, de hasta {LONGEST_NOTE} caracteres.")
        if path:
            self.read(path)
        accepted = self._library.accept_text(path or self._free_path(title), f"{_HEADING}{title}\n\n{text}\n")
        return accepted.report or {accepted.ingestion_id: accepted.path}

    def read(self, path: str) -> Note:
        """The note at `path`, to be written otherwise. What is none raises `NotFoundError`."""
        original = self._originals.find(path) if is_note(path) else None
        if original is None:
            raise NotFoundError("Esa nota ya no está en la biblioteca.", code="unknown_document")
        first, _, rest = self._originals.content(original).decode("utf-8", "replace").partition("\n")
        return Note(title=original.title or first.removeprefix(_HEADING), text=rest.strip())

    def _free_path(self, title: str) -> str:
        path = f"{NOTES}/{file_name(title)}.md"
        coming = {each.path for each in self._library.ingestions()}
        paths = (numbered(path, number) for number in count(1))
        return next(each for each in paths if each not in coming and not self._library.holds(each))


def is_note(path: str) -> bool:
    """Whether a document's path is that of a note: a PDF in the same folder is none."""
    return path.startswith(f"{NOTES}/") and path.endswith(".md")
