"""A directory of rebuilt model files: made beside its place, sealed with checksums, moved there in one step.

Of processes that want it at the same time one builds it; the others wait, and find it whole.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag_system.errors import EmbeddingError

__all__ = ["ensure_directory"]

SEAL = "files.json"  # file name → SHA-256 of its content


def ensure_directory(directory: Path, build: Callable[[Path], None], *, size: int) -> Path:
    """`directory`, built with `build(empty_directory)` unless a whole and undamaged one is already there.

    `size` is about how many bytes the build writes: libraries report a full disk in many ways, and some not at all.
    """
    if _is_whole(directory):
        return directory
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with _held(directory.parent):
            if not _is_whole(directory):  # nobody has built it meanwhile
                _build(directory, build, size)
    except OSError as error:
        raise EmbeddingError(_explain(error, directory, size)) from error
    return directory


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """A lock on a folder, which the kernel lets go with its process."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _is_whole(directory: Path) -> bool:
    try:
        sealed = json.loads((directory / SEAL).read_bytes())
        return bool(sealed) and all(_digest(directory / name) == digest for name, digest in sealed.items())
    except (OSError, ValueError, AttributeError):
        return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _build(directory: Path, build: Callable[[Path], None], size: int) -> None:
    beside = directory.with_name(f"{directory.name}.new")
    _remove(directory)  # a damaged one
    _remove(beside)  # of a process that was killed
    if shutil.disk_usage(directory.parent).free < size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    try:
        beside.mkdir()
        build(beside)
        _seal(beside)
        beside.rename(directory)
    finally:
        _remove(beside)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _seal(directory: Path) -> None:
    digests = {path.name: _digest(path) for path in sorted(directory.iterdir())}
    (directory / SEAL).write_text(json.dumps(digests, indent=1), encoding="utf-8")
    for path in directory.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())  # a power cut must not leave a sealed but empty file


def _explain(error: OSError, directory: Path, size: int) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"No hay espacio en disco para preparar el modelo de vectores en {directory}. "
            f"Libere {-(-size // 10**6)} MB o defina LEGAJO_HOME en otro disco."
        )
    return (
        f"No se pudo preparar el modelo de vectores en {directory} ({error}). "
        "Revise el espacio y los permisos de esa carpeta o defina LEGAJO_HOME en otra."
    )
