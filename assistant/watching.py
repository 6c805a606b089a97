"""`legajo ingest --watch`: a project's documents follow the files of a folder.

What the system tells of changes only wakes us: what changed is found by looking at the whole folder again and
comparing, so that renamed folders and lost notices are no special cases. A file is taken, or given up for removed, when
what is seen of it has held still for a moment.

A document is removed when its file is gone and it came from this folder: its origin says so, and one without any that
was met here unchanged is given it. What came in that file goes too. A folder that is not there, or lost its disk,
removes nothing.
"""

from __future__ import annotations

import os
import re
import socket
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

import watchfiles

from assistant.project_assistant import ProjectAssistant
from assistant.summaries import DocumentSummary
from rag_system.errors import InputError
from rag_system.ingestion.accepting import find_files
from rag_system.ingestion.report import IngestReport

__all__ = ["Removed", "Rhythm", "watch"]

Tell = Callable[[str], None]

REST = 10.0  # times the duration of a look before the next one: a tenth of the time at most goes into looking

# What programs leave beside a document while it is open, and browsers while it is not there yet.
_UNFINISHED = re.compile(
    r"~\$.*|.*~|#.*#|.*\.(?:tmp|temp|part|partial|crdownload|download|opdownload|filepart|sw[nopx]|bak|lock)|"
    r"thumbs\.db|desktop\.ini",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A document that was taken out, by a person or with its file; told with the fields of an `IngestReport`."""

    path: str
    status: str = "removed"
    pages: int | None = None
    chunks: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """Times in seconds."""

    settle_s: float = 1.0  # a file that held still for this long is whole
    look_s: float = 300.0  # a look without being told of a change: network folders do not always tell


def watch(
    assistant: ProjectAssistant,
    directories: Sequence[Path],
    *,
    stop: Event,
    tell: Tell,
    rhythm: Rhythm | None = None,
) -> Iterator[IngestReport | Removed]:
    """Index the directories and follow them until `stop` is set; one report a file.

    First comes a full pass: files that were added, changed or removed while nobody watched. `tell` hears Spanish
    sentences about the folders themselves.
    """
    rhythm = rhythm or Rhythm()
    follower = _Follower(assistant, stop, tell, rhythm.settle_s)
    folders = [_Folder(root=root) for root in dict.fromkeys(map(_checked, directories))]
    while not stop.is_set():
        places = list(map(follower.place, folders))
        present = [folder for folder, place in zip(folders, places, strict=True) if place]
        for told in _ticks(present, stop, rhythm):
            if list(map(follower.place, folders)) != places:
                break
            for folder in present:
                yield from follower.look(folder, told=told)


def _checked(directory: Path) -> Path:
    if not directory.is_dir():
        raise InputError(f"No existe la carpeta «{directory}». --watch vigila carpetas; revise la ruta.")
    return directory.resolve()


def _ticks(present: Sequence[_Folder], stop: Event, rhythm: Rhythm) -> Iterator[bool]:
    """One each `settle_s` at most: whether something is said to have changed, or a look is due anyway."""
    if not present:
        while not stop.wait(rhythm.settle_s):
            yield False
        return
    yield True  # and again once the system tells of changes: some may have come in between
    milliseconds, due = max(1, round(rhythm.settle_s * 1000)), time.monotonic()
    try:
        for changes in watchfiles.watch(
            *(folder.root for folder in present),
            watch_filter=None,
            debounce=milliseconds,
            rust_timeout=milliseconds,
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        ):
            now = time.monotonic()
            told = bool(changes) or now >= due
            due = now + rhythm.look_s if told else due
            yield told
    except FileNotFoundError:  # it went away a moment ago
        return
    except OSError as error:
        raise InputError(f"El sistema no deja vigilar la carpeta: {error}. Aumente su límite de archivos.") from None


# ---------------------------------------------------------------- what is seen of a folder

_Place = tuple[int, int]  # device and inode of a folder
_State = tuple[int, int, int, int]  # device, inode, bytes, time of the last change in ns


@dataclass(slots=True, kw_only=True)
class _Folder:
    """A folder, what was last seen of it, and what was made of that."""

    root: Path
    place: _Place | None = None  # None: it is not there
    was_away: bool = False
    seen: dict[str, tuple[_State | None, float]] = field(default_factory=dict)  # by path, since when; None: gone
    handled: dict[str, _State] = field(default_factory=dict)
    greeted: bool = False  # what was removed while nobody watched is known
    told: bool = True  # something changed since it was looked at
    rested_at: float = 0.0  # when it may be looked at again

    @property
    def origin(self) -> str:
        """What its documents remember: the same path on another machine is another folder."""
        return f"{socket.gethostname()}:{self.root}"

    @property
    def pending(self) -> list[str]:
        """What has been seen and not handled yet."""
        return [path for path, (state, _) in self.seen.items() if self.handled.get(path) != state]

    def start_over(self) -> None:
        """Nothing is known of what a folder holds that was not there."""
        self.seen, self.handled, self.greeted, self.told = {}, {}, False, True

    def path_of(self, document: DocumentSummary) -> str:
        """Of the file here that a document came from, or came in; empty for a document from elsewhere."""
        if document.origin != self.origin:
            return ""
        return document.source.removeprefix(f"{self.origin}{os.sep}").replace(os.sep, "/") or document.path

    def files(self) -> dict[str, _State]:
        """What is offered now."""
        found = {}
        for file, path in find_files([self.root]):
            if not any(map(_UNFINISHED.fullmatch, path.split("/"))) and (state := _state(file)):
                found[path] = state
        return found

    def files_again(self) -> dict[str, _State]:
        """The same, where nothing new is said to have come: only what is pending is looked at."""
        known = {path: state for path, (state, _) in self.seen.items() if state is not None}
        again = {path: _state(self.root / path) for path in self.pending}
        return {path: state for path, state in (known | again).items() if state is not None}

    def observe(self, found: dict[str, _State], now: float) -> None:
        """Take note of a look: what is as it was keeps its time."""
        looked: dict[str, _State | None] = dict(found)
        looked |= {path: None for path, state in self.handled.items() if path not in found and self.lacks(path, state)}
        self.seen = {
            path: before if (before := self.seen.get(path)) and before[0] == state else (state, now)
            for path, state in looked.items()
        }

    def lacks(self, path: str, state: _State | None = None) -> bool:
        """Whether a file is gone, and not merely out of reach: unreadable, or on a disk that is not there."""
        place = self.root / path
        try:
            return not stat.S_ISREG(place.lstat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            above = next((each for each in place.parents if each.exists()), self.root)
            return state is None or above.stat().st_dev == state[0]
        except OSError:
            return False


def _place(root: Path) -> _Place | None:
    try:
        known = root.stat()
    except OSError:
        return None
    return (known.st_dev, known.st_ino) if stat.S_ISDIR(known.st_mode) else None


def _state(file: Path) -> _State | None:
    try:
        known = file.stat()
    except OSError:
        return None
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns


# ---------------------------------------------------------------- what is made of it


class _Follower:
    """Makes the documents follow what is seen."""

    def __init__(self, assistant: ProjectAssistant, stop: Event, tell: Tell, settle_s: float) -> None:
        self._assistant = assistant
        self._stop = stop
        self._tell = tell
        self._settle_s = settle_s

    def place(self, folder: _Folder) -> _Place | None:
        """Where it is, None when it is not there; tells when that changes, and starts over with what came instead."""
        before, now = folder.place, _place(folder.root)
        if now == before:
            return now
        if now is None:
            self._tell(
                f"La carpeta «{folder.root}» ya no está: ¿se desconectó un disco? No se quita ningún documento, "
                "y se espera a que vuelva."
            )
        elif before is not None:
            self._tell(f"La carpeta «{folder.root}» es otra: se conectó o se desconectó un disco. Se revisa de nuevo.")
        elif folder.was_away:
            self._tell(f"La carpeta «{folder.root}» está de nuevo.")
        folder.place, folder.was_away = now, now is None
        if now is not None:
            folder.start_over()
        return now

    def look(self, folder: _Folder, *, told: bool) -> Iterator[IngestReport | Removed]:
        """Look at a folder if there is a reason to, and handle what has held still."""
        now = time.monotonic()
        folder.told |= told
        if folder.told and now >= folder.rested_at:
            found, folder.told = folder.files(), False
            folder.rested_at = now + REST * (time.monotonic() - now)
        elif folder.pending:
            found = folder.files_again()
        else:
            return
        folder.observe(found, now)
        yield from self._handle(folder, found, now)

    def _handle(self, folder: _Folder, found: dict[str, _State], now: float) -> Iterator[IngestReport | Removed]:
        still = {path: state for path, (state, since) in folder.seen.items() if now - since >= self._settle_s}
        yield from self._take(folder, {path: state for path, state in still.items() if state is not None})
        if self._stop.is_set():
            return
        gone = [path for path, state in still.items() if state is None]
        if not folder.greeted:
            folder.greeted = True
            gone += self._missed(folder, found)
        yield from self._remove(folder, gone)

    def _take(self, folder: _Folder, still: dict[str, _State]) -> Iterator[IngestReport]:
        """New and changed files. They come before removals: a file that was renamed keeps its vectors."""
        due = {path: state for path, state in still.items() if folder.handled.get(path) != state}
        if not due:
            return
        files = [(folder.root / path, path) for path in due]
        reports = self._assistant.library.add_files(files, origin=folder.origin)
        folder.handled |= due
        for report in reports:
            yield report
            if self._stop.is_set():
                return

    def _missed(self, folder: _Folder, found: dict[str, _State]) -> list[str]:
        """Files that were removed while nobody watched."""
        known = dict.fromkeys(filter(None, map(folder.path_of, self._assistant.library.all())))
        gone = [path for path in known if path not in found and folder.lacks(path)]
        if gone and not found:
            self._tell(
                f"La carpeta «{folder.root}» está vacía, y antes no lo estaba: ¿falta conectar un disco? "
                "Sus documentos no se quitaron."
            )
            return []
        return gone

    def _remove(self, folder: _Folder, gone: Sequence[str]) -> Iterator[Removed]:
        if not gone:
            return
        for path in gone:
            folder.handled.pop(path, None)
            folder.seen.pop(path, None)
        paths = set(gone)
        lost = [each for each in self._assistant.library.all() if folder.path_of(each) in paths]
        for document in sorted(lost, key=lambda each: each.path, reverse=True):  # a message after what came with it
            if self._assistant.library.remove(document.document_id):
                yield Removed(path=document.path)
