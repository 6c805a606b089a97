"""Wall-clock times of the phases of one question or one file: what logs, metrics and traces tell is measured here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns, time_ns

__all__ = ["Step", "Stopwatch"]

_NS_PER_MS = 1e6


@dataclass(slots=True)
class Step:
    """A block that was measured, or is: then it has no end yet. Nanoseconds since 1970."""

    name: str
    begun_ns: int
    within: Step | None  # the block that it is a part of
    ended_ns: int | None = None


class Stopwatch:
    """Starts when made. `phase` measures a block, `mark` the time since the start: milliseconds, in `metrics`."""

    def __init__(self) -> None:
        self._started = perf_counter_ns()
        self._inside = 0  # nanoseconds of the phases within the one that runs
        self._running: Step | None = None
        self._epoch_ns = time_ns() - self._started
        self.begun_ns = self._epoch_ns + self._started
        self.metrics: dict[str, float] = {}
        self.steps: list[Step] = []

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the time of the block, but for phases within it, to `metrics[name]`, also when it raises."""
        started, around, outer = perf_counter_ns(), self._inside, self._running
        self._inside = 0
        self._running = step = Step(name, self._epoch_ns + started, outer)
        self.steps.append(step)
        try:
            yield
        finally:
            took = perf_counter_ns() - started
            step.ended_ns = step.begun_ns + took
            self.metrics[name] = self.metrics.get(name, 0.0) + _ms(took - self._inside)
            self._inside, self._running = around + took, outer

    def mark(self, name: str) -> None:
        """Set `metrics[name]` to the time since the start."""
        self.metrics[name] = self.elapsed_ms

    @property
    def elapsed_ms(self) -> float:
        """Since the start."""
        return _ms(perf_counter_ns() - self._started)

    @property
    def phases(self) -> Mapping[str, float]:
        """What each phase took, in milliseconds, without the phases within it."""
        return {
            name: self.metrics[name] for name in dict.fromkeys(step.name for step in self.steps) if name in self.metrics
        }


def _ms(nanoseconds: int) -> float:
    return round(nanoseconds / _NS_PER_MS, 3)
