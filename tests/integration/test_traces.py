"""Traces, as a collector receives them over HTTP: a span for each step of a question and of a file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest

from assistant.assistant import Assistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.telemetry.observing import COLLECTOR, observed
from tests.indexing import upload
from tests.integration.test_api import PROJECT, served, token

received = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
pytest.importorskip("opentelemetry.sdk")


class Collector(ThreadingHTTPServer):
    """Keeps the bodies that were sent to `/v1/traces`."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        kept = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/v1/traces":
                    kept.append(sent)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    def spans(self) -> list[Any]:
        """All that was received, in which nothing stands of what was asked and written."""
        sent = b"".join(self.bodies)
        assert [word for word in ("garant", "treinta", "alquiler") if word.encode() in sent] == []
        return [
            span
            for body in self.bodies
            for resource in received.ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


def steps(spans: list[Any]) -> set[tuple[str, str]]:
    """Each with the one that it is a step of, or with none."""
    names = {span.span_id: span.name for span in spans}
    return {(span.name, names.get(span.parent_span_id, "")) for span in spans}


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with Collector() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        monkeypatch.setenv(COLLECTOR, f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()


def test_each_step_of_a_file_and_of_a_question_is_a_span(collector: Collector, settings: Settings) -> None:
    with observed(settings), Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.as_person(LOCAL_PERSON).create_project("general")
        project = assistant.as_person(LOCAL_PERSON).project("general")
        upload(project, "alquiler.txt", "La garantía del local se devuelve en treinta días.".encode())
        list(project.stream("¿En cuántos días se devuelve la garantía del local?"))
    spans = collector.spans()
    within = steps(spans)
    file = {("ingestion", ""), ("read", "ingestion"), ("chunk", "read"), ("embed", "ingestion")}
    question = {("answer", ""), ("retrieval", "answer"), ("embedding", "retrieval"), ("generation", "answer")}
    assert {*file, ("publish", "ingestion"), *question} <= within
    whole = {span.name: span for span in spans if not span.parent_span_id}
    told = {each.key: each.value.string_value for each in whole["answer"].attributes}
    assert (told["legajo.project"], told["legajo.outcome"]) == ("general", "answered")
    for span in spans:
        parent = next((other for other in spans if other.span_id == span.parent_span_id), span)
        assert parent.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.trace_id == parent.trace_id


def test_a_search_that_a_program_asks_for_is_a_trace(collector: Collector, settings: Settings) -> None:
    with observed(settings), Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.as_person(LOCAL_PERSON).create_project("general")
        project = assistant.as_person(LOCAL_PERSON).project("general")
        upload(project, "alquiler.txt", "La garantía se devuelve en treinta días.".encode())
        headers = {"Authorization": f"Bearer {token(assistant, 'search')}", "X-Request-Id": "pedido-0002"}
        for address in served(lambda: assistant, settings):
            asked = {"question": "¿Cuándo se devuelve la garantía?"}
            httpx2.post(f"{address}{PROJECT}/search", headers=headers, json=asked, timeout=60).raise_for_status()
    spans = collector.spans()
    assert {("search", ""), ("retrieval", "search"), ("embedding", "retrieval"), ("request", "")} <= steps(spans)
    (search,) = [span for span in spans if span.name == "search"]
    told = {each.key: each.value.string_value for each in search.attributes}
    assert (told["legajo.outcome"], told["legajo.request"]) == ("found", "pedido-0002")


def test_nothing_is_sent_where_no_collector_is_named(
    collector: Collector, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(COLLECTOR)
    with observed(settings), Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.as_person(LOCAL_PERSON).create_project("general")
        list(assistant.as_person(LOCAL_PERSON).project("general").stream("Hola"))
    assert collector.bodies == []


def test_without_the_extra_it_is_told_how_to_get_it(
    collector: Collector, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "rag_system.telemetry.traces", raising=False)
    with observed(settings):
        pass
    assert "scripts/setup --with otel" in capsys.readouterr().err
