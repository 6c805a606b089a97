"""The child of `extraction.py`: reads requests from standard input, answers on standard output.

A request is a line of JSON, followed by `size` bytes when the file comes as bytes. An answer is its length in eight
bytes and JSON: the document, or an error with a Spanish sentence.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import IO, Any

from rag_system.errors import IngestionError, UnsupportedFormatError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders import extract

__all__ = ["main"]

_MAX_CHARS = 100_000_000
_RECURSION = 4_000  # HTML may be nested as deep as its parser allows, several calls for each level
_GRACE_S = 10.0  # after the parent's timeout: if the parent died, the child ends itself


def main() -> None:
    """Answer requests until the parent closes the pipe: a JSON line in, a length and a JSON body out."""
    requests, answers = sys.stdin.buffer, _private_stdout()
    _limit_memory(int(sys.argv[1]))
    sys.setrecursionlimit(_RECURSION)
    while line := requests.readline():
        request = json.loads(line)
        data = requests.read(request["size"]) if request["size"] >= 0 else None
        _alarm(request["timeout_s"] + _GRACE_S)
        body = json.dumps(_answer(request, data), ensure_ascii=False).encode("utf-8", "replace")
        _alarm(0)
        answers.write(len(body).to_bytes(8) + body)
        answers.flush()


def _private_stdout() -> IO[bytes]:
    """Keep the pipe for answers; whatever a C library prints goes to standard error."""
    private = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return private


def _limit_memory(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    limit = megabytes * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)  # its default action ends the process


def _answer(request: dict[str, Any], data: bytes | None) -> dict[str, Any]:
    try:
        return _document(extract(data if data is not None else Path(request["path"]), name=request["name"]))
    except UnsupportedFormatError as error:
        return {"error": "unsupported", "message": str(error)}
    except IngestionError as error:
        return {"error": "unreadable", "message": str(error)}
    except MemoryError:
        message = "Leer el archivo necesita más memoria de la permitida. Divídalo en partes."
        return {"error": "unreadable", "message": message, "exhausted": True}
    except Exception as error:  # noqa: BLE001 the border of the process: any surprise of a parser is that file's error
        message = "El archivo está dañado o tiene una estructura que no se pudo leer. Guárdelo de nuevo y reintente."
        return {"error": "unreadable", "message": message, "detail": f"{type(error).__name__}: {error}"[:500]}


def _document(document: ExtractedDocument) -> dict[str, Any]:
    if sum(len(block.text) for block in document.blocks) > _MAX_CHARS:
        return {"error": "unreadable", "message": "El texto del archivo supera el límite. Divídalo en partes."}
    return {
        "format": document.format,
        "pages": document.pages,
        "title": document.title,
        "identifier": document.identifier,
        "empty_pages": document.empty_pages,
        "blocks": [(block.kind.value, block.text, block.page, block.level) for block in document.blocks],
    }


if __name__ == "__main__":
    main()
