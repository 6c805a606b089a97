"""What the processes that read files for us have in common: how they are started, what they are told, how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

__all__ = ["child_environment", "kill_group", "lifeline", "start_module", "time_limit_s"]

_PACKAGE_ROOT = Path(__file__).resolve().parents[2]
_BASE_TIMEOUT_S, _TIMEOUT_S_PER_MIB, _MAX_TIMEOUT_S = 15.0, 5.0, 1800.0
_KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "LD_LIBRARY_PATH", "TESSDATA_PREFIX")


def time_limit_s(size_bytes: int) -> float:
    """Of the processor: 15 s, plus 5 s for each MiB, 1,800 s at most: several times what dense text needs."""
    return min(_MAX_TIMEOUT_S, _BASE_TIMEOUT_S + _TIMEOUT_S_PER_MIB * size_bytes / 2**20)


def start_module(module: str, arguments: Sequence[object], *, inherits: Sequence[int] = ()) -> subprocess.Popen[bytes]:
    """A child that runs a module of ours, at the head of a group of its own.

    Of our environment it gets `child_environment`, of our open files those that it `inherits`.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=inherits,
        process_group=0,
        cwd=Path(sys.executable).anchor,
        env=child_environment(),
    )


def child_environment() -> dict[str, str]:
    """What a child needs of our environment, as Tesseract does: no keys, no database address; nor our folder."""
    kept = {key: value for key, value in os.environ.items() if key in _KEPT}
    return {**kept, "PYTHONPATH": str(_PACKAGE_ROOT), "PYTHONUTF8": "1"}


@contextmanager
def lifeline(held: ExitStack) -> Iterator[int]:
    """The child's end of a pipe that is ours for as long as `held` is open: see `confinement.die_with_writer`."""
    theirs, ours = os.pipe()
    held.callback(os.close, ours)
    try:
        yield theirs
    finally:
        os.close(theirs)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a child with what it started. Wait for it afterwards."""
    if process.returncode is None:  # dead or alive: until it is waited for, its number is nobody else's
        os.killpg(process.pid, signal.SIGKILL)
