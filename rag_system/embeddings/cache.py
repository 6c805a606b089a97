"""A directory of rebuilt model files: made beside its place, sealed with checksums, moved there in one step.

Processes may race: each builds its own directory, the first rename wins, the others use the winner's files.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rag_system.errors import EmbeddingError

__all__ = ["ensure_directory"]

SEAL = "files.json"  # file name → SHA-256 of its content
BUILD_PREFIX = ".build-"
ABANDONED_AFTER_S = 3600  # a build takes seconds: an hour-old one belongs to a killed process


def ensure_directory(directory: Path, build: Callable[[Path], None], *, size: int) -> Path:
    """`directory`, built with `build(empty_directory)` unless a whole and undamaged one is already there.

    `size` is about how many bytes the build writes: libraries report a full disk in many ways, and some not at all.
    """
    if _is_whole(directory):
        return directory
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(directory.parent)
        if shutil.disk_usage(directory.parent).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        _build_beside(directory, build)
    except OSError as error:
        raise EmbeddingError(_explain(error, directory, size)) from error
    return directory


def _is_whole(directory: Path) -> bool:
    try:
        sealed = json.loads((directory / SEAL).read_bytes())
        return bool(sealed) and all(_digest(directory / name) == digest for name, digest in sealed.items())
    except (OSError, ValueError, AttributeError):
        return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _build_beside(directory: Path, build: Callable[[Path], None]) -> None:
    temporary = Path(tempfile.mkdtemp(prefix=BUILD_PREFIX, dir=directory.parent))
    try:
        build(temporary)
        _seal(temporary)
        _publish(temporary, directory)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _remove_abandoned(parent: Path) -> None:
    for path in parent.glob(f"{BUILD_PREFIX}*"):
        if path.stat().st_mtime < time.time() - ABANDONED_AFTER_S:
            shutil.rmtree(path, ignore_errors=True)


def _seal(directory: Path) -> None:
    digests = {path.name: _digest(path) for path in sorted(directory.iterdir())}
    (directory / SEAL).write_text(json.dumps(digests, indent=1), encoding="utf-8")
    for path in directory.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())  # a power cut must not leave a sealed but empty file


def _publish(built: Path, directory: Path) -> None:
    """Rename `built` to `directory`. A damaged one there is moved away first; a whole one has won the race."""
    while True:
        try:
            built.rename(directory)
            return
        except OSError as error:
            if (
                error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.EACCES)
                or not directory.exists()
            ):
                raise
        if _is_whole(directory):
            return
        _discard(directory)


def _discard(directory: Path) -> None:
    away = Path(tempfile.mkdtemp(prefix=BUILD_PREFIX, dir=directory.parent))
    try:
        directory.rename(away / directory.name)
    except FileNotFoundError:
        pass  # another process discarded it first
    finally:
        shutil.rmtree(away, ignore_errors=True)


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
