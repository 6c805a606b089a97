"""Where a file's bytes come from."""

from __future__ import annotations

import io
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.handover import HandedFile
from rag_system.ingestion.loaders.ocr import OcrOptions

__all__ = ["DEFAULT_OCR", "MAX_MARKUP_BYTES", "FileSource", "file_source", "regular_size", "wait_for_nobody"]

MAX_MARKUP_BYTES = 24 * 2**20  # of HTML and Markdown, whose parsers need all of it, and 12 times its size in memory


DEFAULT_OCR = OcrOptions()


def wait_for_nobody(seconds: float) -> None:
    """Where nobody counts the time."""


def regular_size(path: Path) -> int:
    """In bytes. A folder, a pipe, a socket or a device is refused before anyone opens it: it might never answer."""
    try:
        status = path.stat()
    except ValueError:  # a NUL in its name
        raise UnreadableFileError("El nombre del archivo no es válido. Cámbiele el nombre.") from None
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFileError("No es un archivo sino una carpeta, una tubería o un dispositivo.")
    return status.st_size


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file with its name: on disk, handed over open, or the bytes of an upload (`file_source`)."""

    name: str
    open: Callable[[], IO[bytes]]  # a stream from its start, which can seek; any number of times
    size: int  # in bytes
    ocr: OcrOptions = DEFAULT_OCR
    office: bool = False  # LibreOffice is there for what it alone understands
    more_time: Callable[[float], None] = wait_for_nobody  # told, in seconds, before a step that takes long

    @property
    def extension(self) -> str:
        """Lower case, with the dot; empty without one."""
        return Path(self.name).suffix.lower()

    def head(self, size: int) -> bytes:
        """The first `size` bytes."""
        with self.open() as file:
            return file.read(size)

    def read(self) -> bytes:
        """All of it, for the formats that must be in memory whole; a very large one is refused."""
        if self.size > MAX_MARKUP_BYTES:
            raise UnreadableFileError(
                f"El archivo supera {MAX_MARKUP_BYTES >> 20} MB, demasiado para HTML o Markdown, que se leen enteros. "
                "Divídalo en partes o guárdelo como TXT."
            )
        with self.open() as file:
            return file.read()


def file_source(source: Path | bytes | HandedFile, name: str) -> FileSource:
    """A file, one that was handed over, or the bytes of an upload, as loaders take it."""
    if isinstance(source, Path):
        return FileSource(name or source.name, lambda: source.open("rb"), regular_size(source))
    if isinstance(source, bytes):
        return FileSource(name, lambda: io.BytesIO(source), len(source))
    return FileSource(name, source.open, source.size)
