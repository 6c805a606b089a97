"""Wall-clock times of the phases of one question, in milliseconds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

__all__ = ["Stopwatch"]


class Stopwatch:
    """Starts when made. `phase` measures a block, `mark` the time since the start."""

    def __init__(self) -> None:
        self._started = perf_counter()
        self._inside = 0.0  # seconds of the phases within the one that runs
        self.metrics: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the time of the block, but for phases within it, to `metrics[name]`, also when it raises."""
        started, around = perf_counter(), self._inside
        self._inside = 0.0
        try:
            yield
        finally:
            took = perf_counter() - started
            self.metrics[name] = self.metrics.get(name, 0.0) + _ms(took - self._inside)
            self._inside = around + took

    def mark(self, name: str) -> None:
        """Set `metrics[name]` to the time since the start."""
        self.metrics[name] = _ms(perf_counter() - self._started)


def _ms(seconds: float) -> float:
    return round(seconds * 1e3, 3)
