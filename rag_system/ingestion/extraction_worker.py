"""The child of `extraction.py`: it is handed a file and a request over a channel, and answers there.

A request is JSON; the file comes open, for this process may open none by itself (`isolation.py`). An answer is a series
of messages (one letter, then JSON): blocks in batches while they are read, claims of more time before steps that take
long, then the end, which holds the rest of the document or an error with a Spanish sentence.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from typing import Any

from rag_system.errors import IngestionError, PasswordNeededError, UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.confinement import allow_time, confine, die_with_writer
from rag_system.ingestion.document import PAGE_NOTES, TOLD, ExtractedDocument
from rag_system.ingestion.handover import HandedFile
from rag_system.ingestion.isolation import isolate
from rag_system.ingestion.loaders import OcrOptions, extract, file_source
from rag_system.ingestion.loaders.old_formats import OldFormatError
from rag_system.ingestion.loaders.opening import look_inside
from rag_system.ingestion.proportions import check_text
from rag_system.ingestion.spool import BLOCKS, END, MAX_FRAME_BYTES, MEMBER, MORE_TIME, PIECE, encoded_batches

__all__ = ["main"]

_MAX_TEXT_BYTES = 10**9
_UNREADABLE = UnreadableFileError.code
_PIECE_BYTES = 2**20
_RECURSION = 4_000  # HTML may be nested as deep as its parser allows, several calls for each level


Frame = tuple[bytes, bytes]
Frames = Generator[Frame, None, dict[str, Any]]  # and what the end of the answer says


def main() -> None:
    """Answer requests until the parent closes the channel.

    Arguments: MiB of address space, a pipe that the parent holds for as long as it lives, and the channel.
    """
    memory_mb, lifeline, ours = map(int, sys.argv[1:4])
    die_with_writer(lifeline)
    channel = Connection(ours)
    confine(memory_mb=memory_mb)
    isolate()
    sys.setrecursionlimit(_RECURSION)
    for source in _files(channel):
        with closing(source):
            request = json.loads(channel.recv_bytes())
            allow_time(request["timeout_s"])
            more_time = partial(_more_time, channel, request["timeout_s"])
            frames = _read if request["task"] == "read" else _opened
            for kind, body in _answer(frames(request, source, more_time)):
                channel.send_bytes(kind + body)
            allow_time(0)


def _files(channel: Connection) -> Iterator[HandedFile]:
    with suppress(EOFError):
        while True:
            yield HandedFile(recv_handle(channel))


def _more_time(channel: Connection, timeout_s: float, seconds: float) -> None:
    """Tell the parent that a step takes long, so that it waits, and wait with it."""
    channel.send_bytes(MORE_TIME + json.dumps(seconds).encode())
    allow_time(timeout_s + seconds)


def _answer(frames: Frames) -> Iterator[Frame]:
    """The frames of an answer. An error ends it wherever it happens: the parent forgets what came before."""
    end: dict[str, Any]
    try:
        end = yield from frames
    except OldFormatError as error:
        end = {"error": error.code, "kind": error.kind, "target": error.target}
    except (UnsupportedFormatError, PasswordNeededError) as error:
        end = {"error": error.code, "message": str(error)}
    except IngestionError as error:
        end = {"error": _UNREADABLE, "message": str(error)}
    except MemoryError:
        message = "Leer el archivo necesita más memoria de la permitida. Divídalo en partes."
        end = {"error": _UNREADABLE, "message": message, "exhausted": True}
    except Exception as error:  # noqa: BLE001 the border of the process: any surprise of a parser is that file's error
        message = "El archivo está dañado o tiene una estructura que no se pudo leer. Guárdelo de nuevo y reintente."
        end = {"error": _UNREADABLE, "message": message, "detail": f"{type(error).__name__}: {error}"[:500]}
    yield END, json.dumps(end, ensure_ascii=False).encode("utf-8", "replace")


def _read(request: dict[str, Any], source: HandedFile, more_time: Callable[[float], None]) -> Frames:
    ocr, office = OcrOptions(**request["ocr"]), request["office"]
    document = extract(source, name=request["name"], ocr=ocr, office=office, more_time=more_time)
    yield from _blocks(document, size_bytes=source.size)
    return _end(document)


def _opened(request: dict[str, Any], source: HandedFile, _: Callable[[float], None]) -> Frames:
    inside = look_inside(file_source(source, request["name"]), password=request["password"])
    for member in inside.members:
        yield MEMBER, json.dumps({"name": member.name}).encode()
        for piece in member.pieces:
            yield from ((PIECE, piece[at : at + _PIECE_BYTES]) for at in range(0, len(piece), _PIECE_BYTES))
    return {"kind": inside.kind}


def _blocks(document: ExtractedDocument, *, size_bytes: int) -> Iterator[Frame]:
    size = 0
    for batch in encoded_batches(document.blocks):
        size += len(batch)
        if len(batch) > MAX_FRAME_BYTES:
            raise UnreadableFileError("El archivo tiene una tabla o un párrafo demasiado grande. Divídalo en partes.")
        if size > _MAX_TEXT_BYTES:
            raise UnreadableFileError("El texto del archivo supera 1 GB, el límite. Divídalo en partes.")
        check_text(size, size_bytes=size_bytes)
        yield BLOCKS, batch


def _end(document: ExtractedDocument) -> dict[str, Any]:
    notes = {name: list(getattr(document, name)) for name in PAGE_NOTES}
    return {**{name: getattr(document, name) for name in TOLD}, **notes}


if __name__ == "__main__":
    main()
