"""What is taken in: which files there are, and a promise for each of them that outlives any crash.

A file is accepted when its bytes are in the database, beside a row that says what is to become of them.
"""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, filterfalse
from pathlib import Path
from typing import Literal

from psycopg import Connection

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import EmbeddingServiceError, IngestionError, SameNameError, StorageError, UnreadableFileError
from rag_system.ingestion.addresses import is_address
from rag_system.ingestion.jobs import Jobs
from rag_system.ingestion.report import Accepted, IngestReport, failed, index_version, unchanged
from rag_system.ingestion.temporary import temporary_folder
from rag_system.ingestion.text import clean_line
from rag_system.ingestion.unpacking import AskPassword, Leaf, Unpacked, numbered, unpack
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.documents import DocumentRow, brought_by, find_document, set_origin
from rag_system.storage.files import digest, store_file
from rag_system.storage.ingestions import accept, is_anothers, stop_others, withdraw_missing, withdraw_others
from rag_system.storage.projects import check_model, check_name, get_project
from rag_system.storage.publishing import remove_document

__all__ = [
    "LONGEST_PATH",
    "UPLOADS",
    "Acceptor",
    "SameName",
    "count_hidden",
    "find_files",
    "is_hidden",
    "source_of",
    "upload_path",
]

SameName = Literal["keep", "ask", "replace"]

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
    return list(once.values())


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


def upload_path(name: str, *, in_folders: bool = False) -> str:
    """The name under which an upload is kept: the last part of the name that it came with, as one visible line; or
    `in_folders` also the parts before it.
    """
    parts = [part for each in name.replace("\\", "/").split("/") if (part := clean_line(each)).strip(".")]
    last = clean_line(name.replace("\\", "/").rsplit("/", 1)[-1])
    if in_folders and last.strip("."):
        return "/".join(parts)
    return last if last.strip(".") else "documento"


def is_hidden(path: str) -> bool:
    """Whether a part of a path begins with a dot: such files are entered only by who names them."""
    return any(map(_is_hidden, path.replace("\\", "/").split("/")))


def source_of(file: Path) -> str:
    """What a document remembers of the file that it was read from: the same path on another machine is another file."""
    return f"{socket.gethostname()}:{os.path.realpath(file.parent)}{os.sep}{file.name}"


def _nobody_knows(_: str, __: bool) -> str:
    return ""


class _TakenError(Exception):
    """Another file's document has the path."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a document comes from; see `Ingestion`."""

    origin: str
    source: str
    container: str
    beside: str


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

    def accept(
        self,
        file: Path,
        path: str,
        *,
        origin: str = "",
        source: str = "",
        same_name: SameName = "keep",
        password_of: AskPassword = _nobody_knows,
    ) -> list[Accepted]:
        """Put a file into the queue, to become the document at `path`, and what it brings to become those below it.

        source: where the file is from, if neither from the web address that is its origin nor from where it lies.
        same_name: what is done where another file's document has the path: both are kept, under names with a number; or
        this one replaces it; or it is asked (`SameNameError` in the report). password_of: asked for a PDF that needs
        one, which is kept without it.
        """
        source = source or (origin if is_address(origin) else source_of(file))
        try:
            return self._accept_file(file, _storable(path), same_name, origin, source, password_of)
        except IngestionError as error:
            return [Accepted(path=path, report=failed(_printable(path), error))]
        except OSError as error:
            reason = error.strerror or type(error).__name__
            unreadable = UnreadableFileError(f"No se pudo leer el archivo: {reason}.")
            return [Accepted(path=path, report=failed(_printable(path), unreadable))]

    def _accept_file(
        self, file: Path, path: str, same_name: SameName, origin: str, source: str, password_of: AskPassword
    ) -> list[Accepted]:
        self._check_size(file)
        with temporary_folder() as folder:
            brought = unpack(file, name=path, folder=folder, password_of=password_of)
            for number in count(1):
                place = numbered(path, number)
                beside = path if number > 1 else ""
                from_where = _Origin(origin, source, container=place if brought.holds else "", beside=beside)
                with suppress(_TakenError):
                    return self._accept_brought(brought, _storable(place), from_where, same_name)
                if same_name == "ask":
                    raise SameNameError(path=path)
        raise AssertionError("numbers do not end")

    def _accept_brought(self, brought: Unpacked, path: str, from_where: _Origin, same_name: SameName) -> list[Accepted]:
        is_guarded = same_name != "replace"
        if brought.holds:
            with self._database.connection() as connection:
                self._check_free(connection, path, from_where.source, "", is_guarded=is_guarded)
        accepted = [self._accept_leaf(each, path, from_where, is_guarded=is_guarded) for each in brought.leaves]
        return [*accepted, *self._take_out(path, but={each.path for each in accepted})] if brought.holds else accepted

    def _accept_leaf(self, leaf: Leaf, path: str, from_where: _Origin, *, is_guarded: bool) -> Accepted:
        place = f"{path}/{leaf.path}" if leaf.path else path
        if not leaf.path:
            from_where = replace(from_where, container="")
        try:
            if leaf.file is None:
                raise leaf.error or UnreadableFileError
            self._check_size(leaf.file)
            done = self._accept(leaf.file, _storable(place), from_where, is_guarded=is_guarded)
        except IngestionError as error:
            if not leaf.path:  # the file itself
                raise
            done = failed(_printable(place), error)
        if isinstance(done, str):
            return Accepted(path=place, ingestion_id=done, beside=from_where.beside)
        return Accepted(path=place, report=replace(done, beside=from_where.beside))

    def _accept(self, file: Path, path: str, from_where: _Origin, *, is_guarded: bool) -> str | IngestReport:
        source = from_where.source
        place = {"origin": from_where.origin, "source": source, "container": from_where.container}
        with file.open("rb") as stream:
            sha256, size = digest(stream)

            def stop(connection: Connection) -> None:
                self._check_free(connection, path, source, sha256, is_guarded=is_guarded)
                stop_others(connection, self._project, path=path, sha256=sha256)

            def write(connection: Connection) -> str | IngestReport:
                self._check_free(connection, path, source, sha256, is_guarded=is_guarded)
                withdraw_others(connection, self._project, path=path, sha256=sha256)
                old = find_document(connection, self._project, path)
                if old is not None and (old.sha256, old.index_version) == (sha256, self._version):
                    return self._leave(connection, old, from_where)
                self._check_model(connection)
                stream.seek(0)
                store_file(connection, self._project, stream, sha256=sha256, size_bytes=size)
                ingestion_id = accept(connection, self._project, path=path, sha256=sha256, size_bytes=size, **place)
                write_down(connection, self._project, "document.add", path)
                return ingestion_id

            self._database.again(stop)
            done = self._database.again(write)
        if isinstance(done, str):
            with suppress(StorageError):  # it is accepted: a worker finds what has no job
                self._jobs.defer(self._project, done, size_bytes=size)
        return done

    def _check_free(self, connection: Connection, path: str, source: str, sha256: str, *, is_guarded: bool) -> None:
        """Until the transaction ends nobody else comes to have the path."""
        if is_guarded and is_anothers(connection, self._project, path, source=source, sha256=sha256):
            raise _TakenError

    def _take_out(self, container: str, *, but: Collection[str]) -> Iterator[Accepted]:
        """What an archive or a message brought before, and does not any more."""
        with self._database.connection() as connection:
            withdraw_missing(connection, self._project, container, paths=[*but])
            for document_id, path in brought_by(connection, self._project, container):
                if path not in but and remove_document(connection, self._project, document_id):
                    write_down(connection, self._project, "document.remove", path)
                    yield Accepted(path=path, report=IngestReport(path=path, status="removed"))

    def _leave(self, connection: Connection, document: DocumentRow, from_where: _Origin) -> IngestReport:
        """The document is what the file is."""
        origin = "" if document.path.startswith(f"{UPLOADS}/") else from_where.origin
        if (origin and not document.origin) or not document.source:
            key = (connection, self._project, document.document_id)
            set_origin(*key, origin=origin, source=from_where.source)
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
