"""Temporary folders for files on their way, which outlive nobody: what a killed process left, the next one removes.

Whoever uses a folder holds a lock on it, which the kernel lets go with its process, whatever ended it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

__all__ = ["remove_leftovers", "temporary_folder"]

_PREFIX = "legajo-archivo-"  # no other folder of ours is called so: that of the server's socket is not locked
_MIN_AGE_S = 600.0  # a folder that is younger may be on the way to its lock


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder of one's own, removed with all it holds."""
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name, ExitStack() as held:
        folder = Path(name)
        _hold(folder, held)
        yield folder


def remove_leftovers() -> None:
    """Remove the folders whose process is gone. Those of other people, and those in use, stay."""
    oldest = time.time() - _MIN_AGE_S
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError), ExitStack() as held:  # somebody else's, in use, or gone meanwhile
            if folder.is_dir() and not folder.is_symlink() and folder.stat().st_mtime < oldest:
                _hold(folder, held)
                shutil.rmtree(folder)


def _hold(folder: Path, held: ExitStack) -> None:
    """Lock the folder for as long as `held` is open. Raises `OSError` when somebody holds it."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    held.callback(os.close, opened)
    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
