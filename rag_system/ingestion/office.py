"""LibreOffice, where it is installed: it makes of an old office file one that the loaders read.

It runs in a child of its own, for one file: without network, writing in a temporary folder alone, under limits of its
own, and never a macro (`office_worker.py`). What it made is a file from outside like any other.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.children import kill_group, lifeline, start_module, time_limit_s
from rag_system.ingestion.confinement import PATIENCE
from rag_system.ingestion.temporary import temporary_folder

__all__ = ["converted", "find_office"]

_MODULE = "rag_system.ingestion.office_worker"
_MEMORY_MB = 2048  # of address space; a letter takes 700
_STARTING_S = 15.0  # of the processor: it needs 2
_PROGRAM = {"darwin": "soffice", "win32": "soffice.exe"}.get(sys.platform, "soffice.bin")
_ELSEWHERE = (  # than on the search path
    Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    Path("C:/Program Files/LibreOffice/program/soffice.exe"),
)
_FAILED = (
    "LibreOffice no pudo abrir el archivo: está dañado o protegido con contraseña. Ábralo con su programa y guárdelo "
    "como {target}."
)


def find_office() -> Path | None:
    """LibreOffice's program."""
    named = (shutil.which(name) for name in ("soffice", "libreoffice"))
    for program in (*(Path(each) for each in named if each), *_ELSEWHERE):
        itself = program.resolve().with_name(_PROGRAM)  # the command that is found is a script on Linux
        if itself.is_file():
            return itself
    return None


@contextmanager
def converted(
    source: Path | bytes, *, office: Path, kind: str, target: str, timeout_s: float | None = None
) -> Iterator[Path]:
    """The file as LibreOffice, whose program is `office`, writes it in the format `target`; gone afterwards."""
    with temporary_folder() as folder:
        file = folder / f"documento.{kind}"
        if isinstance(source, bytes):
            file.write_bytes(source)
        else:
            shutil.copyfile(source, file)
        seconds = timeout_s or _STARTING_S + time_limit_s(file.stat().st_size)
        _convert(folder, file, target, office, seconds)
        result = file.with_suffix(f".{target}")
        if not result.is_file() or result.is_symlink():
            raise UnreadableFileError(_FAILED.format(target=target.upper()))
        yield result


def _convert(folder: Path, file: Path, target: str, office: Path, seconds: float) -> None:
    with ExitStack() as held, lifeline(held) if os.name == "posix" else nullcontext(-1) as life:
        arguments = [folder, file, target, office, _MEMORY_MB, seconds, life]
        process = start_module(_MODULE, arguments, inherits=[life] if life >= 0 else [])
        try:
            process.wait(PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            raise UnreadableFileError(
                f"Leer el archivo tomó más de {seconds:.0f} s y se detuvo. Divídalo o simplifíquelo."
            ) from None
        finally:
            kill_group(process)
            process.wait()
