"""Whether other users of this machine reach what is one person's own: keys in a `.env`, the folder of documents."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

__all__ = ["exposed", "is_planted", "keep_private"]

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def keep_private(file: Path) -> None:
    """Take a file of ours from everybody else; one that is not there, or is somebody else's, is left alone."""
    with suppress(OSError):
        found = file.stat()
        if found.st_uid == os.geteuid() and found.st_mode & _OTHERS:
            file.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)


def is_planted(file: Path) -> bool:
    """Whether another user may have put the file there: neither ours nor root's, in a folder that others change."""
    try:
        owner = file.stat().st_uid
    except OSError:  # nothing there, or nothing that can be looked at
        return False
    return owner not in (os.geteuid(), 0) and bool(_mode(file.parent) & _OTHERS_WRITE)


def exposed(secrets: Sequence[Path], folder: Path) -> Iterator[str]:
    """A Spanish sentence for each file of `secrets` that others can read, and for a `folder` that they can change."""
    for file in secrets:
        if _mode(file) & _OTHERS:
            yield f"Otros usuarios de este equipo pueden leer «{file}», donde hay claves: ejecute «chmod 600 {file}»."
    if _mode(folder) & _OTHERS_WRITE:
        yield f"Otros usuarios de este equipo pueden cambiar lo que hay en «{folder}»: ejecute «chmod go-w {folder}»."


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:  # nothing there, or nothing that can be looked at
        return 0
