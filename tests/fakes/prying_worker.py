"""The process that reads files, taken over: instead of reading it tries what the file names, and tells what came of it.

The file is JSON, `{attempt: argument}`; the document that comes back has a line of JSON with `{attempt: outcome}`.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rag_system.ingestion import extraction_worker
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument

_PTRACE_ATTACH = 16


def _connect(address: list[Any]) -> str:
    with socket.create_connection((address[0], address[1]), timeout=5) as connection:
        connection.sendall(b"secreto")
    return "sent"


def _datagram(address: list[Any]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"secreto", (address[0], address[1]))
    return "sent"


def _local_socket(path: str) -> str:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
    return "sent"


def _run(program: list[str]) -> str:
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


def _write(path: str) -> str:
    Path(path).write_text("algo", encoding="utf-8")
    return "written"


def _trace(pid: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(_PTRACE_ATTACH, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return "traced"


def _stop(pid: int) -> str:
    os.kill(pid, signal.SIGCONT)  # harmless: it goes on already
    return "signalled"


ATTEMPTS: dict[str, Callable[[Any], Any]] = {
    "connect": _connect,
    "datagram": _datagram,
    "local_socket": _local_socket,
    "run": _run,
    "read": lambda path: Path(path).read_text(encoding="utf-8", errors="replace"),
    "list": os.listdir,
    "write": _write,
    "trace": _trace,
    "signal": _stop,
    "parent": lambda _: os.getppid(),
    "environment": lambda _: dict(os.environ),
    "descriptors": lambda _: [number for number in range(256) if _is_open(number)],
    "other_account": lambda _: os.setuid(0 if os.getuid() else 1),
}


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _tried(attempt: str, argument: Any) -> Any:
    try:
        return ATTEMPTS[attempt](argument)
    except (OSError, subprocess.SubprocessError) as error:
        return f"refused: {type(error).__name__}"


def _pry(source: Any, **_: Any) -> ExtractedDocument:
    with source.open() as file:
        wanted = json.load(file)
    told = {attempt: _tried(attempt, argument) for attempt, argument in wanted.items()}
    return ExtractedDocument(format="txt", pages=None, blocks=(Block(kind=BlockKind.TEXT, text=json.dumps(told)),))


if __name__ == "__main__":
    sys.modules["rag_system.ingestion.extraction_worker"] = extraction_worker
    extraction_worker.extract = _pry  # type: ignore[assignment]
    extraction_worker.main()
