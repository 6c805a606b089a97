"""What the programs write of themselves: lines of JSON that say what happened, and not a word of what was said."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from assistant.assistant import Assistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import StorageError
from rag_system.settings import Settings
from rag_system.telemetry.observing import observed, say
from tests.faults.processes import until
from tests.indexing import upload
from tests.integration.test_api import PROJECT, QUESTION, served, token

SECRETS = ("garant", "treinta", "alquiler", "legajo_", "sk-clave")


@pytest.fixture
def lines(settings: Settings) -> Settings:
    return settings.model_copy(update={"log_format": "json"})


def told(written: str) -> list[dict[str, Any]]:
    """Every line, which must be JSON, and hold nothing of what was said."""
    assert [secret for secret in SECRETS if secret in written] == []
    return [json.loads(line) for line in written.splitlines()]


@pytest.fixture
def assistant(lines: Settings) -> Iterator[Assistant]:
    with Assistant.open(lines, embeddings=HashEmbeddings()) as opened:
        opened.as_person(LOCAL_PERSON).create_project("general")
        yield opened


def test_a_file_a_question_and_a_request_are_a_line_each(
    assistant: Assistant, lines: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with observed(lines):
        text = "La garantía del local se devuelve en treinta días."
        upload(assistant.as_person(LOCAL_PERSON).project("general"), "alquiler.txt", text.encode())
        headers = {"Authorization": f"Bearer {token(assistant)}", "X-Request-Id": "pedido-0001"}
        for address in served(lambda: assistant, lines):
            asked = {"question": QUESTION}
            answer = httpx2.post(f"{address}{PROJECT}/ask", headers=headers, json=asked, timeout=60)
            missing = httpx2.post(f"{address}/api/v1/projects/nada/ask", headers=headers, json=asked, timeout=60)
    assert answer.headers["x-request-id"] == "pedido-0001"
    assert missing.status_code == 404
    file, question, request, refused = [each for each in told(capsys.readouterr().err) if each["event"] != "log"]
    assert (file["event"], file["outcome"], file["project"]) == ("ingestion", "done", "general")
    assert list(file["phases"]) == ["read", "chunk", "embed", "publish"]
    assert (question["event"], question["outcome"], question["request"]) == ("answer", "answered", "pedido-0001")
    assert question["provider"] == "extractive"
    assert {"embedding", "retrieval", "generation", "check"} <= set(question["phases"])
    assert sum(question["phases"].values()) <= question["ms"]
    assert (request["event"], request["status"], request["request"]) == ("request", 200, "pedido-0001")
    assert request["route"] == "/api/v1/projects/{project}/ask"
    assert (refused["status"], refused["outcome"], "project" in refused) == (404, "refused", False)


def test_an_answer_that_is_broken_off_is_told_so(
    assistant: Assistant, lines: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with observed(lines):
        events = assistant.as_person(LOCAL_PERSON).project("general").stream(QUESTION)
        next(events)
        events.close()  # type: ignore[attr-defined]
    (line,) = told(capsys.readouterr().err)
    assert (line["event"], line["outcome"]) == ("answer", "stopped")


def test_what_a_message_is_filled_with_and_what_libraries_say_is_not_written(
    lines: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with observed(lines):
        logging.getLogger("rag_system.x").warning("lost %s, %d times: %s", "la garantía", 3, StorageError("en treinta"))
        logging.getLogger("otra.biblioteca").warning("with the key sk-clave")
        try:
            raise ValueError("la garantía")
        except ValueError:
            logging.getLogger("api.app").exception("The API failed")
        say("Legajo está listo.")
        say("  alquiler.txt: no se pudo", names=True)
    lost, foreign, failed, ready = told(capsys.readouterr().err)
    assert lost["message"] == "lost …, 3 times: rag_system.errors.StorageError storage"
    assert "message" not in foreign
    assert foreign["where"].startswith("test_logs.py:")
    assert (failed["error"], failed["message"]) == ("builtins.ValueError", "The API failed")
    assert failed["stack"][-1].startswith("test_logs.py:")
    assert ready["message"] == "Legajo está listo."


def test_without_the_setting_nothing_changes(
    assistant: Assistant, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with observed(settings):
        list(assistant.as_person(LOCAL_PERSON).project("general").stream(QUESTION))
        say("Legajo está listo.")
    assert capsys.readouterr().err == "Legajo está listo.\n"


def test_a_worker_writes_lines_of_json(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert settings.database_url is not None
    variables = {
        "LEGAJO_HOME": str(settings.home),
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "LEGAJO_LOG_FORMAT": "json",
    }
    log = tmp_path_factory.mktemp("log") / "worker.log"
    command = [sys.executable, "-P", "-c", "from assistant.cli import main; main()", "worker"]
    with log.open("w") as stream, subprocess.Popen(command, stderr=stream, env={**os.environ, **variables}) as worker:
        until(lambda: bool(log.read_text()), "it says that it works")
        worker.send_signal(signal.SIGTERM)
    first, *_ = log.read_text().splitlines()
    assert json.loads(first)["message"] == "Atendiendo la cola de archivos. Ctrl-C para terminar."
