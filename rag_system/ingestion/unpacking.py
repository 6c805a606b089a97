"""A file as the documents that it brings: itself, what came with a message, what an archive holds.

Nothing of it is looked at in this process: another one, which reaches nothing, writes what it finds into a folder
(`ExtractionProcess.open`). What is inside of what is inside counts together.
"""

from __future__ import annotations

import atexit
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rag_system.errors import IngestionError, PasswordNeededError, PasswordRefusedError, UnreadableFileError
from rag_system.ingestion.extraction import ExtractionProcess, Opened, TooMuchInsideError
from rag_system.ingestion.text import clean_line

__all__ = ["AskPassword", "Leaf", "Unpacked", "numbered", "unpack"]

AskPassword = Callable[[str, bool], str]
"""The password of the PDF at a path; whether one was tried in vain. An empty one: it is not known."""

_MOST_DOCUMENTS = 1_000
_MOST_BYTES = 2**30
_MOST_DEPTH = 3  # an archive in a message in an archive
_TOO_DEEP = "Es un archivo comprimido dentro de otros. Descomprímalo e incorpore los documentos que contiene."
_NOTHING = "El archivo comprimido no contiene documentos."

_opener = ExtractionProcess()  # of its own: the one that reads may be busy for long
atexit.register(_opener.close)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A document, or why it is none."""

    path: str  # below that of the file that brings it; empty for the file itself
    file: Path | None = None
    error: IngestionError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """What a file brings."""

    leaves: tuple[Leaf, ...]
    holds: bool  # it is an archive or a message


def unpack(file: Path, *, name: str, folder: Path, password_of: AskPassword) -> Unpacked:
    """Open a file that is called `name`; what is inside is written into `folder`.

    Raises `IngestionError` for a file that cannot be taken as a whole; where it is a file inside of it, that is told in
    its place.
    """
    work = _Unpacking(folder=folder, password_of=password_of)
    leaves, kind = work.opened(file, name, depth=0)
    if not leaves:
        raise UnreadableFileError(_NOTHING)
    return Unpacked(leaves=tuple(leaves), holds=kind in ("archive", "mail"))


@dataclass(slots=True, kw_only=True)
class _Unpacking:
    folder: Path
    password_of: AskPassword
    _room: int = field(default_factory=lambda: _MOST_BYTES)
    _folders: int = 0
    _documents: int = 0

    def opened(self, file: Path, path: str, *, depth: int) -> tuple[list[Leaf], str]:
        """The documents of a file, with paths below it, and what it is."""
        inside = self._look(file, path)
        match inside.kind:
            case "unlocked":
                return [self._leaf(inside.members[0][1])], ""
            case "archive" if depth == _MOST_DEPTH:
                raise UnreadableFileError(_TOO_DEEP)
            case "archive":
                return list(self._members(inside, path, depth)), inside.kind
            case "mail":
                below = self._members(inside, path, depth) if depth < _MOST_DEPTH else ()
                return [self._leaf(file), *below], inside.kind
            case _:
                return [self._leaf(file)], ""

    def _leaf(self, file: Path) -> Leaf:
        self._documents += 1
        if self._documents > _MOST_DOCUMENTS:
            raise TooMuchInsideError
        return Leaf(path="", file=file)

    def _members(self, inside: Opened, path: str, depth: int) -> Iterator[Leaf]:
        names: Counter[str] = Counter()
        for written, file in inside.members:
            if not (name := _safe(written)):
                continue
            names[name] += 1
            name = numbered(name, names[name])
            try:
                leaves, _ = self.opened(file, f"{path}/{name}", depth=depth + 1)
            except TooMuchInsideError:  # stands for the whole file, however deep it was met
                raise
            except IngestionError as error:
                leaves = [Leaf(path="", error=error)]
            yield from (replace(each, path=f"{name}/{each.path}".rstrip("/")) for each in leaves)

    def _look(self, file: Path, path: str) -> Opened:
        """With the password that is asked for, if there is one."""
        password, wrong = "", False
        while True:
            try:
                return self._open(file, path, password)
            except PasswordNeededError as error:
                wrong = isinstance(error, PasswordRefusedError)
                if not (password := self.password_of(path, wrong)):
                    raise

    def _open(self, file: Path, path: str, password: str) -> Opened:
        into = self.folder / f"dentro-{self._folders}"
        self._folders += 1
        into.mkdir()
        opened = _opener.open(file, name=path, into=into, room=self._room, password=password)
        self._room -= sum(member.stat().st_size for _, member in opened.members)
        return opened


def numbered(path: str, number: int) -> str:
    """«a/contrato.pdf» → «a/contrato (2).pdf»; the first has no number."""
    if number == 1:
        return path
    place = PurePosixPath(path)
    return str(place.with_name(f"{place.stem} ({number}){place.suffix}"))


def _safe(written: str) -> str:
    """A path as it is written inside of a file, below it; empty for what is hidden, as in a folder."""
    parts = [clean_line(part) for part in written.replace("\\", "/").split("/")]
    parts = [part for part in parts if part.strip(".")]
    if not parts or any(part.startswith(".") for part in parts) or parts[0] == "__MACOSX":
        return ""
    return "/".join(parts)
