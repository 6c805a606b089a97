"""How much memory is free, and who yields where it is little: reranking and ingestion first, then query expansion, and
the chat never.

What is free is what the machine has and what the control groups of this process leave it (cgroups(7), both versions).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from time import monotonic

from rag_system.settings import Settings

__all__ = ["Pressure", "available_share", "pressure", "total_bytes"]

_CONTROLLERS = Path("/sys/fs/cgroup")
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = ("memory.max", "memory.current", "inactive_file")


class Pressure(IntEnum):
    """Of the memory."""

    NONE = 0
    LOW = 1  # reranking and ingestion yield
    CRITICAL = 2  # query expansion, too


def pressure(settings: Settings) -> Pressure:
    """How much of it there is now, looked at once a second: some thirty small files tell it."""
    free = 100 * _share_in(int(monotonic()))
    if free < settings.memory_critical_percent:
        return Pressure.CRITICAL
    return Pressure.LOW if free < settings.memory_low_percent else Pressure.NONE


@lru_cache(maxsize=1)
def _share_in(_second: int) -> float:
    return available_share()


def available_share() -> float:
    """Of the memory that this process may use, what it could still have, 0…1. 1 where the system does not say."""
    return min([1.0, *_of_machine(), *_of_groups()])


def total_bytes() -> int:
    """What this process may use at most; 0 where the system does not say."""
    told = [_numbers(Path("/proc/meminfo"), separator=":").get("MemTotal", 0) << 10]
    told += [int(limit) for group, file, *_ in _groups() for limit in _lines(group / file)[:1] if limit.isdigit()]
    return min(filter(None, told), default=0)


def _of_machine() -> Iterator[float]:
    told = _numbers(Path("/proc/meminfo"), separator=":")
    if {"MemAvailable", "MemTotal"} <= set(told):
        yield told["MemAvailable"] / max(told["MemTotal"], 1)


def _of_groups() -> Iterator[float]:
    """Of each group with a limit; what it read from files and does not use counts as free, as for the machine."""
    for each in _groups():
        yield from _of_group(*each)


def _groups() -> Iterator[tuple[Path, str, str, str]]:
    """Each that this process is in, with the names of its files: the limit, what is used, what is cached of that."""
    for line in _lines(Path("/proc/self/cgroup")):
        _, controllers, place = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        root, names = (_CONTROLLERS / "memory", _V1) if controllers else (_CONTROLLERS, _V2)
        inside = root / place.lstrip("/")
        for group in (inside, *inside.parents):  # in a container the path may be the machine's: then only the root is
            yield group, *names
            if group == root:
                break


def _of_group(group: Path, limit_file: str, used_file: str, cached: str) -> Iterator[float]:
    limit, used = (next(iter(_lines(group / name)), "") for name in (limit_file, used_file))
    if limit.isdigit() and used.isdigit() and int(limit):
        taken = int(used) - _numbers(group / "memory.stat").get(cached, 0)
        yield max(0.0, 1 - taken / int(limit))


def _numbers(file: Path, *, separator: str = " ") -> dict[str, int]:
    """`name separator number …` on each line."""
    parts = (line.split(separator, 1) for line in _lines(file))
    return {name: int(rest.split()[0]) for name, rest in parts}


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
