"""Extraction in a child process: a crash, a hang or a memory bomb of one file becomes one error, never ours.

The child is started once and reads many files; after a crash, a timeout or an exhausted memory the next file gets a
new one. It leaves when the channel to it closes, so it never outlives this process. The blocks stream through a spool:
no document is ever whole in memory.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import signal
import subprocess
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from pathlib import Path
from typing import IO, Any

from rag_system.errors import (
    IngestionError,
    PasswordNeededError,
    PasswordRefusedError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from rag_system.ingestion.children import kill_group, lifeline, start_module, time_limit_s
from rag_system.ingestion.confinement import PATIENCE
from rag_system.ingestion.document import PAGE_NOTES, TOLD, ExtractedDocument
from rag_system.ingestion.loaders.ocr import OcrOptions
from rag_system.ingestion.loaders.old_formats import OldFormatError
from rag_system.ingestion.loaders.source import DEFAULT_OCR, regular_size
from rag_system.ingestion.office import converted, find_office
from rag_system.ingestion.spool import END, MAX_FRAME_BYTES, MEMBER, MORE_TIME, PIECE, BlockSpool

__all__ = ["ExtractionProcess", "Opened", "TooMuchInsideError", "extract_safely", "time_limit_s"]

_MOST_MEMBERS = 10_000  # of a file; an archive has no more
_MAX_CLAIM_S = 120.0  # of more time, for one step: a page read by Tesseract
_MAX_CLAIMED_S = 6 * 3600.0  # after it the time is no longer extended: about 3,000 scanned pages
_LOOK_S = 0.25  # between two looks whether the reading is to stop
_NEVER = threading.Event()
_DEFAULT_MEMORY_MB = 1024  # of address space; Python with pdfium or lxml takes about 300
WORKER = "rag_system.ingestion.extraction_worker"

_ERRORS: dict[str, type[IngestionError]] = {
    each.code: each for each in (UnsupportedFormatError, PasswordNeededError, PasswordRefusedError)
}

_log = logging.getLogger(__name__)


class ExtractionProcess:
    """A child process that reads files, one at a time. Safe to share between threads.

    memory_mb: address space of the child, in MiB.
    """

    def __init__(self, *, memory_mb: int = _DEFAULT_MEMORY_MB) -> None:
        self._memory_mb = memory_mb
        self._child: tuple[subprocess.Popen[bytes], Connection] | None = None
        self._held = ExitStack()  # what tells the child that we live, and the channel to it
        self._lock = threading.Lock()

    def extract(
        self,
        source: Path,
        *,
        name: str = "",
        timeout_s: float | None = None,
        ocr: OcrOptions = DEFAULT_OCR,
        stopping: threading.Event = _NEVER,
    ) -> ExtractedDocument:
        """Read a file, called `name` or as it is; what LibreOffice alone understands, as it writes it.

        timeout_s: of the processor, and `PATIENCE` times as many by the clock; without it the size decides. Each page
        whose picture is read as text (`ocr`) has its own on top.
        stopping: once it is set, the file is let go of as if it could not be read.
        """
        office = find_office()
        about = {"task": "read", "ocr": asdict(ocr), "office": office is not None}
        try:
            return self._read(source, {**about, "name": name or source.name}, timeout_s, stopping)
        except OldFormatError as old:
            if office is None:
                raise
            kind, target = old.kind, old.target
        with converted(source, office=office, kind=kind, target=target, timeout_s=timeout_s) as file:
            return replace(self._read(file, {**about, "name": file.name}, timeout_s, stopping), format=kind)

    def _read(
        self, source: Path, about: dict[str, Any], timeout_s: float | None, stopping: threading.Event
    ) -> ExtractedDocument:
        limit_s = timeout_s or time_limit_s(regular_size(source))
        spool, end = BlockSpool(), dict[str, Any](error="unreadable")
        try:
            with self._lock:
                end = self._asked(about, source, limit_s, spool, stopping)
        finally:
            if "error" in end:
                spool.close()
        return _document(end, spool)

    def close(self) -> None:
        """End the child, if there is one."""
        with self._lock:
            self._end()

    def open(self, source: Path, *, name: str, into: Path, room: int, password: str = "") -> Opened:
        """Look inside a file; what it holds is written into the folder `into`, at most `room` bytes.

        A process that was told a password reads nothing more. Raises as `look_inside`, and `TooMuchInsideError` where
        there is not room enough.
        """
        size, members = regular_size(source), _Members(into, room)
        request = {"task": "open", "name": name, "password": password}
        with self._lock:
            try:
                end = self._asked(request, source, time_limit_s(size), members)
            finally:
                members.close()
                if password:
                    self._end()
        _raise_error(end)
        return Opened(kind=end["kind"], members=tuple(members.files))

    def _asked(
        self,
        request: dict[str, Any],
        source: Path,
        timeout_s: float,
        sink: BlockSpool | _Members,
        stopping: threading.Event = _NEVER,
    ) -> dict[str, Any]:
        """Ask, put what comes into the sink, and give the end of the answer."""
        process, channel = self._running()
        deadline = _Deadline(process, timeout_s)
        end: dict[str, Any] | None = None
        try:
            _hand_over(channel, source)
            end = _exchange(channel, {**request, "timeout_s": timeout_s}, sink, deadline, stopping)
        finally:
            deadline.cancel()
            if end is None or end.get("exhausted"):  # half an answer may stand in the pipe
                self._end()
        if end is None:
            raise _interrupted(timed_out=deadline.passed or _ended_itself(process), timeout_s=timeout_s)
        return end

    def _running(self) -> tuple[subprocess.Popen[bytes], Connection]:
        if self._child is None or self._child[0].poll() is not None:
            self._end()
            with ExitStack() as held:  # let go of when the child cannot be started
                self._child = _start(self._memory_mb, held)
                self._held = held.pop_all()
        return self._child

    def _end(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        if child is not None:
            kill_group(child[0])
            child[0].wait()
            self._held.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What was found inside of a file."""

    kind: str  # as `look_inside` names it
    members: tuple[tuple[str, Path], ...]  # the name that it has there, not to be trusted, and where it was written


class TooMuchInsideError(UnreadableFileError):
    """El archivo contiene más de lo que se admite de una vez. Descomprímalo e incorpore sus partes."""


class _Members:
    """The files that are inside of another, each written into a folder as it comes."""

    def __init__(self, folder: Path, room: int) -> None:
        self.files: list[tuple[str, Path]] = []
        self._folder = folder
        self._room = room
        self._file: IO[bytes] | None = None

    def take(self, kind: bytes, body: bytes) -> bool:
        """The name of the next one, or a part of it."""
        if kind == MEMBER and (found := _object(body)) is not None and len(self.files) < _MOST_MEMBERS:
            self.close()
            self.files.append((str(found.get("name")), self._folder / str(len(self.files))))
            self._file = self.files[-1][1].open("wb")
            return True
        self._room -= len(body)
        if kind != PIECE or self._file is None:
            return False
        if self._room < 0:
            raise TooMuchInsideError
        self._file.write(body)
        return True

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


class _Deadline:
    """Kills the child when a file takes too long by the clock; the child may claim more for a step, within a limit."""

    def __init__(self, process: subprocess.Popen[bytes], timeout_s: float) -> None:
        self.passed = False
        self._process = process
        self._limit_s = PATIENCE * timeout_s
        self._last = time.monotonic() + _MAX_CLAIMED_S
        self._timer = self._started(self._limit_s)

    def extend(self, claim: bytes) -> None:
        """Begin the file's time anew, with the seconds of the claim on top."""
        try:
            seconds = min(float(claim), _MAX_CLAIM_S)
        except ValueError:  # not the child we started any more
            return
        if time.monotonic() < self._last:
            self.cancel()
            self._timer = self._started(self._limit_s + PATIENCE * max(0.0, seconds))

    def cancel(self) -> None:
        self._timer.cancel()

    def _started(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._kill)
        timer.daemon = True
        timer.start()
        return timer

    def _kill(self) -> None:
        self.passed = True
        kill_group(self._process)


def _start(memory_mb: int, held: ExitStack) -> tuple[subprocess.Popen[bytes], Connection]:
    """A child, and the channel over which it is asked and answers. It dies when `held` is closed, be it by the end of
    this process.
    """
    with lifeline(held) as life:
        ours, theirs = Pipe()
        held.callback(ours.close)
        ends = (life, theirs.fileno())
        with theirs:
            return start_module(WORKER, [memory_mb, *ends], inherits=ends), ours


def _hand_over(channel: Connection, file: Path) -> None:
    """Give the child the open file."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        with suppress(ConnectionError):  # it is gone: the request will tell
            send_handle(channel, descriptor, None)
    finally:
        os.close(descriptor)


def _exchange(
    channel: Connection,
    request: dict[str, Any],
    sink: BlockSpool | _Members,
    deadline: _Deadline,
    stopping: threading.Event,
) -> dict[str, Any] | None:
    """Ask, put what comes into the sink and return how the answer ends; None when the child went away, or we do."""
    with suppress(OSError):
        channel.send_bytes(json.dumps(request).encode())
    while frame := _frame(channel, stopping):
        kind, body = frame[:1], frame[1:]
        if kind == END:
            return _object(body)
        if kind == MORE_TIME:
            deadline.extend(body)
        elif not sink.take(kind, body):
            return None
    return None


def _frame(channel: Connection, stopping: threading.Event) -> bytes:
    """What the child says next; nothing when it is gone, or not the child that we started any more, or we stop."""
    try:
        while not (stopping.is_set() or channel.poll(_LOOK_S)):
            pass
        return b"" if stopping.is_set() else channel.recv_bytes(MAX_FRAME_BYTES)
    except (OSError, EOFError):
        return b""


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        read = json.loads(body)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _ended_itself(process: subprocess.Popen[bytes]) -> bool:
    """Whether one of its own limits of time ended it."""
    return process.returncode in (-signal.SIGXCPU, -signal.SIGALRM)


def _interrupted(*, timed_out: bool, timeout_s: float) -> UnreadableFileError:
    if timed_out:
        return UnreadableFileError(
            f"Leer el archivo tomó más de {timeout_s:.0f} s y se detuvo. Divídalo o simplifíquelo."
        )
    return UnreadableFileError(
        "La lectura del archivo se interrumpió: está dañado o necesita más memoria de la permitida. Consiga otra "
        "copia o divídalo en partes."
    )


def _raise_error(end: dict[str, Any]) -> None:
    if detail := end.get("detail"):
        _log.info("extraction failed: %s", detail)  # may hold words of the document
    if "target" in end:
        raise OldFormatError(end["kind"], end["target"])
    if error := end.get("error"):
        raise _ERRORS.get(error, UnreadableFileError)(end.get("message"))


def _document(end: dict[str, Any], blocks: BlockSpool) -> ExtractedDocument:
    _raise_error(end)
    told: dict[str, Any] = {name: end[name] for name in TOLD} | {name: tuple(end[name]) for name in PAGE_NOTES}
    return ExtractedDocument(blocks=blocks, **told)


_shared = ExtractionProcess()
atexit.register(_shared.close)


def extract_safely(
    source: Path, *, name: str = "", ocr: OcrOptions = DEFAULT_OCR, stopping: threading.Event = _NEVER
) -> ExtractedDocument:
    """Read a file in the child process that this program shares; it is started with the first file.

    The document's blocks stand in a temporary file until it is closed or forgotten.
    """
    return _shared.extract(source, name=name, ocr=ocr, stopping=stopping)
