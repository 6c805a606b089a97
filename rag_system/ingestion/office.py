"""LibreOffice, where it is installed: it makes of an old office file one that the loaders read.

It runs in a child of its own, for one file: without network, writing in a temporary folder alone, under limits of its
own, and never a macro (`office_worker.py`). What it made is a file from outside like any other.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.children import kill_group, lifeline, start_module, time_limit_s
from rag_system.ingestion.confinement import PATIENCE
from rag_system.ingestion.temporary import temporary_folder

__all__ = ["converted", "find_office"]

_MODULE = "rag_system.ingestion.office_worker"
_MEMORY_MB = 2048  # of address space; a letter takes 700
_STARTING_S = 15.0  # of the processor: it needs 2
_PROGRAM = "soffice.bin"  # the command that is found is a script
_FAILED = (
    "LibreOffice no pudo abrir el archivo: está dañado o protegido con contraseña. Ábralo con su programa y guárdelo "
    "como {target}."
)


def find_office() -> Path | None:
    """LibreOffice's program."""
    commands = filter(None, map(shutil.which, ("soffice", "libreoffice")))
    programs = (Path(each).resolve().with_name(_PROGRAM) for each in commands)
    return next((each for each in programs if each.is_file()), None)


@contextmanager
def converted(source: Path, *, office: Path, kind: str, target: str, timeout_s: float | None = None) -> Iterator[Path]:
    """The file as LibreOffice, whose program is `office`, writes it in the format `target`; gone afterwards."""
    with temporary_folder() as folder:
        file = folder / f"documento.{kind}"
        shutil.copyfile(source, file)
        seconds = timeout_s or _STARTING_S + time_limit_s(file.stat().st_size)
        _convert(folder, file, target, office, seconds)
        result = file.with_suffix(f".{target}")
        if not result.is_file() or result.is_symlink():
            raise UnreadableFileError(_FAILED.format(target=target.upper()))
        yield result


def _convert(folder: Path, file: Path, target: str, office: Path, seconds: float) -> None:
    with ExitStack() as held, lifeline(held) as life:
        arguments = [folder, file, target, office, _MEMORY_MB, seconds, life]
        process = start_module(_MODULE, arguments, inherits=[life])
        try:
            process.wait(PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            raise UnreadableFileError(
                f"Leer el archivo tomó más de {seconds:.0f} s y se detuvo. Divídalo o simplifíquelo."
            ) from None
        finally:
            kill_group(process)
            process.wait()
