"""Each event as a trace of OpenTelemetry: a span for it, and one within for each of its steps.

Spans are made when all is over, of what was measured: an answer is written by whichever thread asks for its next word,
so that no span could be the current one meanwhile. Needs the extra «otel»; its own variables (OTEL_…) say where to.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, StatusCode, Tracer, set_span_in_context

from rag_system.timing import Step, Stopwatch

__all__ = ["Spans"]

_SERVICE = "OTEL_SERVICE_NAME"
_NS_PER_MS = 1e6


class Spans(logging.Handler):
    """Sends what is told to the collector at OTEL_EXPORTER_OTLP_ENDPOINT, in batches, by HTTP."""

    def __init__(self) -> None:
        super().__init__()
        named = {} if os.environ.get(_SERVICE) else {"service.name": "legajo"}
        self._provider = TracerProvider(resource=Resource.create(named))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer: Tracer = self._provider.get_tracer("legajo")

    def emit(self, record: logging.LogRecord) -> None:
        watch, fields = getattr(record, "watch", None), getattr(record, "fields", None)
        if watch is not None and fields is not None:
            self._trace(record.getMessage(), watch, fields)

    def close(self) -> None:
        self._provider.shutdown()  # sends what waits
        super().close()

    def _trace(self, event: str, watch: Stopwatch, fields: Mapping[str, Any]) -> None:
        ended_ns = watch.begun_ns + round(watch.elapsed_ms * _NS_PER_MS)
        attributes = {f"legajo.{name}": value for name, value in fields.items()}
        whole = self._tracer.start_span(event, Context(), attributes=attributes, start_time=watch.begun_ns)
        if fields.get("outcome") == "failed":
            whole.set_status(StatusCode.ERROR)
        spans: list[tuple[Step, Span]] = []
        for step in watch.steps:  # in the order in which they began
            around = next((span for other, span in spans if other is step.within), whole)
            span = self._tracer.start_span(step.name, set_span_in_context(around), start_time=step.begun_ns)
            spans.append((step, span))
        for step, span in reversed(spans):
            span.end(step.ended_ns or ended_ns)
        whole.end(ended_ns)
