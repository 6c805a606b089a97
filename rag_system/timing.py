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
        self.metrics: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the time of the block to `metrics[name]`, also when it raises."""
        started = perf_counter()
        try:
            yield
        finally:
            self.metrics[name] = self.metrics.get(name, 0.0) + _ms(perf_counter() - started)

    def mark(self, name: str) -> None:
        """Set `metrics[name]` to the time since the start."""
        self.metrics[name] = _ms(perf_counter() - self._started)


def _ms(seconds: float) -> float:
    return round(seconds * 1e3, 3)
