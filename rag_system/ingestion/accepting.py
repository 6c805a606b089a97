"""What is taken in: which files there are, and a promise for each of them that outlives any crash.

A file is accepted when its bytes are in the database, beside a row that says what is to become of them.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import filterfalse
from pathlib import Path

from psycopg import Connection

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import EmbeddingServiceError, IngestionError, InputError, UnreadableFileError
from rag_system.ingestion.jobs import Jobs
from rag_system.ingestion.report import IngestReport, failed, index_version, unchanged
from rag_system.ingestion.text import clean_line
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.documents import DocumentRow, find_document, set_origin
from rag_system.storage.files import digest, store_file
from rag_system.storage.ingestions import accept, stop_others, withdraw_others
from rag_system.storage.projects import check_model, check_name, get_project

__all__ = ["LONGEST_PATH", "UPLOADS", "Acceptor", "count_hidden", "find_files", "upload_path"]

UPLOADS = "cargados"  # the folder that uploads go to, and so their category: nothing that is watched
LONGEST_PATH = 1_000  # bytes of UTF-8: a key of an index may have some 2,700


def find_files(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every file below `paths`, once, with its path relative to the directory given. No links out of it.

    What is hidden in a directory (its name begins with a dot) is not entered; `count_hidden` tells how much that is. A
    hidden file or directory that is given itself is taken.
    """
    once: dict[str, tuple[Path, str]] = {}  # a folder and a file inside of it name that file twice
    for path in paths:
        if path.is_dir():
            root = path.resolve()
            inside = (folder / name for folder, names, _ in _walk(root) for name in names)
            for file in sorted(each for each in inside if _is_offered(each, root)):
                once.setdefault(os.path.realpath(file), (file, file.relative_to(root).as_posix()))
        else:
            once.setdefault(os.path.realpath(path), (path, path.name))
    found = list(once.values())
    twice = next((name for name, count in Counter(name for _, name in found).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"Hay dos archivos «{twice}». Incorpórelos por separado, o la carpeta que los contiene.")
    return found


def count_hidden(paths: Sequence[Path]) -> int:
    """The hidden files and directories that `find_files` leaves out, without what is inside of them."""
    return sum(hidden for path in paths if path.is_dir() for _, _, hidden in _walk(path.resolve()))


def _walk(root: Path) -> Iterator[tuple[Path, list[str], int]]:
    """Each directory that is not hidden, with what is no directory and not hidden in it, and how much in it is."""
    for folder, folders, names in os.walk(root):
        entries = len(folders) + len(names)
        folders[:] = filterfalse(_is_hidden, folders)
        shown = list(filterfalse(_is_hidden, names))
        yield Path(folder), shown, entries - len(folders) - len(shown)


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _is_offered(file: Path, root: Path) -> bool:
    try:
        regular = stat.S_ISREG(file.stat().st_mode)
    except PermissionError:  # told when it is accepted
        regular = True
    except OSError:  # a link to nowhere, or in a circle
        regular = False
    return regular and Path(os.path.realpath(file)).is_relative_to(root)


def upload_path(name: str) -> str:
    """The name under which an upload is kept: the last part of the name that it came with, as one visible line."""
    last = clean_line(name.replace("\\", "/").rsplit("/", 1)[-1])
    return last if last.strip(".") else "documento"


class Acceptor:
    """Takes files into one project.

    A project whose vectors are another model's takes none: `IncompatibleStoreError`.
    """

    def __init__(
        self, *, database: Database, embeddings: Callable[[], EmbeddingModel], settings: Settings, project: str
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._settings = settings
        self._version = index_version(settings)
        self._project = check_name(project)
        self._checked = False
        self._jobs = Jobs(database)

    def accept(self, file: Path, path: str, *, origin: str = "") -> str | IngestReport:
        """Put a file into the queue, to become the document at `path`.

        Returns the ingestion's id, or a report where nothing is to be done.
        """
        try:
            return self._accept(file, _storable(path), origin)
        except IngestionError as error:
            return failed(_printable(path), error)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return failed(_printable(path), UnreadableFileError(f"No se pudo leer el archivo: {reason}."))

    def _accept(self, file: Path, path: str, origin: str) -> str | IngestReport:
        self._check_size(file)
        with file.open("rb") as stream:
            sha256, size = digest(stream)
            with self._database.connection() as connection:
                stop_others(connection, self._project, path=path, sha256=sha256)
            with self._database.connection() as connection:
                withdraw_others(connection, self._project, path=path, sha256=sha256)
                old = find_document(connection, self._project, path)
                if old is not None and (old.sha256, old.index_version) == (sha256, self._version):
                    return self._leave(connection, old, origin)
                self._check_model(connection)
                stream.seek(0)
                store_file(connection, self._project, stream, sha256=sha256, size_bytes=size)
                ingestion_id = accept(
                    connection, self._project, path=path, sha256=sha256, size_bytes=size, origin=origin
                )
                write_down(connection, self._project, "document.add", path)
        self._jobs.defer(self._project, ingestion_id, size_bytes=size)
        return ingestion_id

    def _leave(self, connection: Connection, document: DocumentRow, origin: str) -> IngestReport:
        """The document is what the file is."""
        if origin and not document.origin and not document.path.startswith(f"{UPLOADS}/"):
            set_origin(connection, self._project, document.document_id, origin)
        return unchanged(document)

    def _check_model(self, connection: Connection) -> None:
        """Once, and only when there is something to accept: the model takes a while to load.

        Where it is away, what is accepted waits for it in the queue, whose workers check it too.
        """
        if not self._checked:
            project = get_project(connection, self._project)
            self._checked = True
            with suppress(EmbeddingServiceError):
                check_model(project, self._embeddings().manifest)

    def _check_size(self, file: Path) -> None:
        """Before it is opened: a pipe or a device might never end."""
        found = file.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableFileError("No es un archivo. Indique un archivo o una carpeta que exista.")
        limit = self._settings.max_file_mb
        if found.st_size > limit << 20:
            raise UnreadableFileError(
                f"El archivo supera el límite de {limit} MB. Divídalo o aumente LEGAJO_MAX_FILE_MB.",
                code="file_too_large",
                limit_mb=limit,
            )


def _storable(path: str) -> str:
    try:
        length = len(path.encode())
    except UnicodeEncodeError:
        raise UnreadableFileError("El nombre del archivo no es UTF-8. Cámbiele el nombre.") from None
    if length > LONGEST_PATH:
        raise UnreadableFileError(
            f"La ruta del archivo es demasiado larga: el máximo es {LONGEST_PATH} caracteres.",
            code="path_too_long",
            limit=LONGEST_PATH,
        )
    return path


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()
