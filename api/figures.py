"""Figures of the process for Prometheus. Their labels are routes, methods and kinds of outcome: never what was asked,
by whom, or of which document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

from rag_system.memory import available_share
from rag_system.search.yielding import STEPS
from rag_system.storage.replicas import Outcome
from rag_system.types import Event, Finished, Retrieved, Token

__all__ = ["CONTENT_TYPE", "Figures"]

disable_created_metrics()  # type: ignore[no-untyped-call]

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Figures:
    """The counts since the process started. `waiting` says how many questions wait for their turn, `searched` what
    became of the reads of searches where there are replicas, `retried` how often the database was lost and asked anew.
    """

    def __init__(
        self,
        *,
        waiting: Callable[[], float],
        searched: Callable[[], Mapping[Outcome, int]],
        retried: Callable[[], int],
    ) -> None:
        self._registry = kept = CollectorRegistry()
        ProcessCollector(registry=kept)
        self._requests = Counter(
            "legajo_http_requests",
            "Requests by route, method and status.",
            ("route", "method", "status"),
            registry=kept,
        )
        self._seconds = Histogram(
            "legajo_http_request_seconds",
            "Until the head of the response.",
            ("route",),
            buckets=_SECONDS,
            registry=kept,
        )
        self._answers = Counter(
            "legajo_answers", "Answers by outcome: answered, abstained or failed.", ("outcome",), registry=kept
        )
        self._first_words = Histogram(
            "legajo_first_words_seconds", "From the question to the first words.", buckets=_SECONDS, registry=kept
        )
        self._yielded = Counter("legajo_yielded_steps", "Steps left out for want of memory.", ("step",), registry=kept)
        Gauge(
            "legajo_memory_available_ratio", "Free memory, of all that the process may use.", registry=kept
        ).set_function(available_share)
        Gauge("legajo_questions_waiting", "Questions that wait for their turn.", registry=kept).set_function(waiting)
        for step in STEPS:
            self._yielded.labels(step)
        kept.register(_OfDatabase(searched, retried))

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request that was answered."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_event(self, event: Event, seconds: float, *, first: bool) -> None:
        """An event of an answer, `seconds` after the question; `first`: no words came before."""
        if isinstance(event, Token) and first:
            self._first_words.observe(seconds)
        elif isinstance(event, Retrieved):
            for step in event.search.funnel.yielded:
                self._yielded.labels(step).inc()
        elif isinstance(event, Finished):
            answer = event.answer
            self._answers.labels("failed" if answer.error else "abstained" if answer.abstained else "answered").inc()

    def text(self) -> bytes:
        """In Prometheus' format."""
        return generate_latest(self._registry)


class _OfDatabase(Collector):
    def __init__(self, searched: Callable[[], Mapping[Outcome, int]], retried: Callable[[], int]) -> None:
        self._searched = searched
        self._retried = retried

    def collect(self) -> Iterator[Metric]:
        told = "Reads of searches: by a replica, or by the primary while the replica was behind or unreachable."
        family = CounterMetricFamily("legajo_replica_reads", told, labels=("outcome",))
        searched = self._searched()
        for outcome in get_args(Outcome):
            family.add_metric((outcome,), searched.get(outcome, 0))
        yield family
        told = "Times that the database was lost in the middle of something, which was begun anew."
        yield CounterMetricFamily("legajo_database_retries", told, value=self._retried())
