"""What the process that reads files may use (memory, processor, disk, open files), and that it dies with its parent.

The operating system enforces all of it, also while a parser is busy in C.
"""

from __future__ import annotations

import fcntl
import math
import os
import resource
import select
import signal

__all__ = ["PATIENCE", "allow_time", "confine", "die_with_writer"]

PATIENCE = 6.0  # what is slow because of others is no hang; see `allow_time`

_MAX_WRITTEN_BYTES = 64 * 2**20  # reading writes nothing; a library may keep a part beside it for a while
_MAX_OPEN_FILES = 128
_NICENESS = 5  # of 19: the chat goes first, and yet a file is read within its time on a busy machine


def confine(*, memory_mb: int, written_bytes: int = _MAX_WRITTEN_BYTES, files: int = _MAX_OPEN_FILES) -> None:
    """Limit this process for good: MiB of address space, bytes of a file it writes, files open at a time."""
    _lower(resource.RLIMIT_AS, memory_mb * 2**20)
    _lower(resource.RLIMIT_FSIZE, written_bytes)
    _lower(resource.RLIMIT_NOFILE, files)
    _lower(resource.RLIMIT_CORE, 0)
    os.nice(_NICENESS)


def _lower(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(kind, (lowest, lowest))


def allow_time(seconds: float) -> None:
    """End this process when it has used as many seconds of the processor from now on, or `PATIENCE` times as many by
    the clock; 0 lifts the clock's limit.
    """
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)  # its default action ends the process
    if seconds:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        limit = math.ceil(used.ru_utime + used.ru_stime + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def die_with_writer(lifeline: int) -> None:
    """From now on the kernel ends this process, and those it started, when nobody holds the pipe's other end.

    That is the parent, whatever killed it. The pipe must be one that nothing is ever written to: that would end it
    too, and even bytes that were read before may end it when their writer was interrupted. The death signal of Linux
    would not do: it comes with the end of the *thread* that started the process.
    """
    leads_its_group = os.getpgrp() == os.getpid()
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpid() if leads_its_group else os.getpid())
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)  # SIGIO, whose default action ends the process
    if _is_abandoned(lifeline):  # before the signal was asked for
        raise SystemExit


def _is_abandoned(pipe: int) -> bool:
    poll = select.poll()
    poll.register(pipe, 0)  # a hang-up is told unasked
    return bool(poll.poll(0))
