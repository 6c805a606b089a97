"""The HTTP API over a real socket: what a token opens, what comes back, and what is refused and how."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
import pytest
import uvicorn
import yaml
from click.testing import CliRunner
from pydantic import SecretStr

from api.app import build_api
from api.load import Load, driven
from assistant.assistant import Assistant
from assistant.commands import cli
from assistant.tokens import SCOPES, TokenScope
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.settings import Settings
from tests import coroutines
from tests.faults.processes import free_port, until
from tests.indexing import filled, upload

LEASE = "La garantía del local se devuelve en treinta días."
QUESTION = "¿En cuántos días se devuelve la garantía del local?"
TITLE = "En cuántos días se devuelve la garantía del local"
PROJECT = "/api/v1/projects/general"
DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    return filled(own_database_url, server_home, {"general": {"alquiler.txt": LEASE}})


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        opened.as_person(LOCAL_PERSON).create_project("otro")
        yield opened


@pytest.fixture
def address(assistant: Assistant, settings: Settings) -> Iterator[str]:
    yield from served(lambda: assistant, settings)


def served(opened: Callable[[], Assistant], settings: Settings) -> Iterator[str]:
    """The address of a server in a thread."""
    app = build_api(opened, settings)
    quiet = {"log_config": None, "log_level": "warning", "access_log": False}
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, **quiet))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started, "the server listens")
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def token(assistant: Assistant, *scopes: TokenScope, project: str | None = None, person: str = LOCAL_PERSON) -> str:
    """The secret of a new one; with no scope named, for all."""
    return assistant.as_person(person).tokens.add("prueba", scopes=scopes or SCOPES, days=1, project=project)[0]


@pytest.fixture
def client(assistant: Assistant, address: str) -> Iterator[httpx2.Client]:
    headers = {"Authorization": f"Bearer {token(assistant)}"}
    with httpx2.Client(base_url=address, headers=headers, timeout=60) as opened:
        yield opened


def events_of(text: str) -> list[tuple[str, Any]]:
    """The names and the data of server-sent events."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def test_an_answer_has_the_fields_of_the_command_line(client: httpx2.Client) -> None:
    answer = client.post(f"{PROJECT}/ask", json={"question": QUESTION}).json()
    assert "treinta días" in answer["answer"]
    assert [each["path"] for each in answer["citations"]] == ["cargados/alquiler.txt"]
    assert {"route", "results", "funnel", "timings_ms", "abstained", "provider", "metrics"} <= set(answer)
    found = client.post(f"{PROJECT}/search", json={"question": QUESTION, "top_k": 1}).json()
    assert [each["text"] for each in found["results"]] == [LEASE]


def test_an_answer_comes_in_parts(client: httpx2.Client) -> None:
    told = client.post(f"{PROJECT}/ask", json={"question": QUESTION, "stream": True})
    events = events_of(told.text)
    assert told.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in events if name != "token"] == ["plan", "sources", "answer"]
    assert "treinta días" in "".join(data["text"] for name, data in events if name == "token")


def test_what_is_asked_in_a_conversation_stays_in_it_and_is_rated(client: httpx2.Client) -> None:
    conversation = client.post(f"{PROJECT}/conversations").json()["conversation"]
    client.post(f"{PROJECT}/ask", json={"question": QUESTION, "conversation": conversation}).raise_for_status()
    said = client.get(f"{PROJECT}/conversations/{conversation}").json()["turns"]
    assert [(turn["role"], turn["state"]) for turn in said] == [("user", "complete"), ("assistant", "complete")]
    rating = {"conversation": conversation, "ordinal": said[1]["ordinal"], "up": False, "reasons": ["incomplete"]}
    assert client.post(f"{PROJECT}/feedback", json=rating).status_code == 204
    assert [each["title"] for each in client.get(f"{PROJECT}/conversations").json()["conversations"]] == [TITLE]


def test_a_file_is_taken_in_and_out(client: httpx2.Client, assistant: Assistant) -> None:
    sent = client.post(
        f"{PROJECT}/documents", params={"path": "actas/mayo.txt"}, content=b"Se aprueba el acta de mayo."
    )
    (accepted,) = sent.json()["accepted"]
    project = assistant.as_person(LOCAL_PERSON).project("general")
    assert [each.status for each in project.library.see_through({accepted["ingestion_id"]: accepted["path"]})] == [
        "indexed"
    ]
    assert client.get(f"{PROJECT}/ingestions/{accepted['ingestion_id']}").json()["status"] == "indexed"
    documents = {each["path"]: each for each in client.get(f"{PROJECT}/documents").json()["documents"]}
    document = documents["cargados/actas/mayo.txt"]["document_id"]
    assert client.delete(f"{PROJECT}/documents/{document}").status_code == 204
    assert client.delete(f"{PROJECT}/documents/{document}").status_code == 404


def test_a_document_is_read_page_by_page_and_in_order(client: httpx2.Client, assistant: Assistant) -> None:
    told = "\n\n".join(f"## Artículo {n}\n\nLa medida {n} rige desde su publicación." for n in range(1, 51))
    upload(assistant.as_person(LOCAL_PERSON).project("general"), "medidas.md", told.encode())
    path = {"path": "cargados/medidas.md"}
    first = client.get(f"{PROJECT}/passages", params=path).json()
    rest = client.get(f"{PROJECT}/passages", params={**path, "first": first["next"]}).json()
    assert (len(first["passages"]), first["next"], rest["next"]) == (40, 40, None)
    assert [each["ordinal"] for each in (*first["passages"], *rest["passages"])] == list(range(50))
    assert rest["passages"][-1]["text"].endswith("La medida 50 rige desde su publicación.")
    assert client.get(f"{PROJECT}/passages", params={**path, "page": 1}).json() == first  # it has no pages
    lease = client.get(f"{PROJECT}/passages", params={"path": "cargados/alquiler.txt", "page": 1}).json()
    assert [each["text"] for each in lease["passages"]] == [LEASE]


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "words"),
    [
        ("POST", f"{PROJECT}/ask", {"json": {}}, 400, "Falta el campo «question»."),
        ("POST", f"{PROJECT}/ask", {"json": {"question": "a", "modelo": "x"}}, 400, "El campo «modelo» no existe."),
        (
            "POST",
            f"{PROJECT}/search",
            {"json": {"question": "a", "top_k": 0}},
            400,
            "El valor de «top_k» no es válido.",
        ),
        ("POST", f"{PROJECT}/ask", {"json": {"question": "a\0"}}, 400, "El valor de «question» no es válido."),
        ("POST", f"{PROJECT}/ask", {"json": ["a"]}, 400, "debe ser un objeto JSON"),
        ("POST", f"{PROJECT}/ask", {"content": b"\xff{"}, 400, "no es un objeto JSON"),
        ("POST", f"{PROJECT}/ask", {"content": b"[" * 200_000}, 400, "no es un objeto JSON"),
        ("POST", f"{PROJECT}/ask", {"content": b" " * 1_000_001}, 413, "demasiado grande"),
        ("POST", f"{PROJECT}/ask", {"json": {"question": "a", "documents": ["no.txt"]}}, 400, "«no.txt»"),
        ("POST", f"{PROJECT}/ask", {"json": {"question": "a", "conversation": "abcdefgh"}}, 404, ""),
        ("POST", "/api/v1/projects/nada/ask", {"json": {"question": "a"}}, 404, "No existe el proyecto «nada»"),
        ("POST", f"{PROJECT}/documents", {"content": b"a"}, 400, "«path»"),
        ("GET", f"{PROJECT}/ingestions/00", {}, 404, ""),
        ("GET", f"{PROJECT}/passages", {}, 400, "«path»"),
        ("GET", f"{PROJECT}/passages?path=no.txt", {}, 404, "No hay ningún documento «no.txt»"),
        ("GET", f"{PROJECT}/passages?path=cargados/alquiler.txt&page=-1", {}, 400, "«page» debe ser un número"),
        ("GET", f"{PROJECT}/passages?path=cargados/alquiler.txt&page=2", {}, 404, "no tiene página 2"),
        ("GET", "/api/v2", {}, 404, "openapi.json"),
        ("GET", f"{PROJECT}/ask", {}, 405, "atiende POST"),
        ("PUT", f"{PROJECT}/documents", {}, 405, "atiende GET, HEAD, POST"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    client: httpx2.Client, method: str, path: str, sent: dict[str, Any], status: int, words: str
) -> None:
    refused = client.request(method, path, **sent)
    assert (refused.status_code, set(refused.json())) == (status, {"error", "code", "params"})
    assert words in refused.json()["error"]


def test_a_token_opens_what_it_is_for_and_nothing_else(address: str, assistant: Assistant) -> None:
    assistant.accounts().add("beto", None)

    def status(path: str, secret: str = "", **sent: Any) -> int:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        method = "POST" if sent else "GET"
        return httpx2.request(method, address + path, headers=headers, timeout=60, **sent).status_code

    asked = {"json": {"question": QUESTION}}
    assert status(f"{PROJECT}/documents") == 401
    assert status(f"{PROJECT}/documents", "legajo_inventado") == 401
    searching = token(assistant, "search")
    assert (status(f"{PROJECT}/documents", searching), status(f"{PROJECT}/ask", searching, **asked)) == (200, 403)
    elsewhere = token(assistant, project="otro")
    assert status(f"{PROJECT}/ask", elsewhere, **asked) == 403
    assert status(f"{PROJECT}/ask", token(assistant, person="beto"), **asked) == 404
    assert (status("/metrics"), status("/metrics", searching), status("/metrics", token(assistant))) == (401, 403, 200)
    tokens = assistant.as_person(LOCAL_PERSON).tokens
    for each in tokens.all():
        tokens.withdraw(each.token_id)
    assert status(f"{PROJECT}/documents", searching) == 401


def test_a_token_that_asks_too_often_is_told_when_to_come_again(assistant: Assistant, settings: Settings) -> None:
    secret = token(assistant)
    for address in served(lambda: assistant, settings.model_copy(update={"api_per_minute": 2})):
        headers = {"Authorization": f"Bearer {secret}"}
        answers = [httpx2.get(f"{address}/api/v1/projects", headers=headers) for _ in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert "vuelva a intentar en" in answers[2].json()["error"]
        assert 1 <= int(answers[2].headers["retry-after"]) <= 30


def test_the_client_of_openai_asks_a_project_as_a_model(address: str, assistant: Assistant) -> None:
    with openai.OpenAI(base_url=f"{address}/v1", api_key=token(assistant), max_retries=0) as client:
        assert [each.id for each in client.models.list()] == ["general", "otro"]
        said = [{"role": "system", "content": "Sé breve."}, {"role": "user", "content": QUESTION}]
        whole = client.chat.completions.create(model="general", messages=said, temperature=0)  # type: ignore[arg-type]
        message = whole.choices[0].message
        assert "treinta días" in (message.content or "")
        assert (message.content or "").endswith("[1] cargados/alquiler.txt")
        assert message.annotations is not None
        (cited,) = message.annotations
        span = cited.url_citation
        assert (message.content or "")[span.start_index : span.end_index] == "[1]"
        parts = client.chat.completions.create(model="general", messages=said, stream=True)  # type: ignore[arg-type]
        assert "".join(part.choices[0].delta.content or "" for part in parts) == message.content
        with pytest.raises(openai.NotFoundError, match="No existe el proyecto"):
            client.chat.completions.create(model="nada", messages=said)  # type: ignore[arg-type]


def test_the_client_of_openai_is_told_what_it_asks_for_and_what_there_is_not(
    address: str, assistant: Assistant
) -> None:
    with openai.OpenAI(base_url=f"{address}/v1", api_key=token(assistant), max_retries=0) as client:
        said: Any = [{"role": "user", "content": QUESTION}]
        create: Any = client.chat.completions.create
        parts = list(create(model="general", messages=said, stream=True, stream_options={"include_usage": True}))
        assert [bool(part.choices) for part in parts[-2:]] == [True, False]
        assert [part.usage.total_tokens for part in parts if part.usage] == [0]  # who quotes spends none
        assert not [part for part in create(
            model="general", messages=said, stream=True, stream_options={"include_usage": None}
        ) if part.usage]  # fmt: skip
        assert client.models.retrieve("general").id == "general"
        with pytest.raises(openai.BadRequestError, match="«n»"):
            create(model="general", messages=said, n=2)
        with pytest.raises(openai.NotFoundError, match="Esa dirección no existe en la API"):
            client.embeddings.create(model="general", input=QUESTION)


def test_it_says_that_it_lives_and_is_ready_and_what_it_counted(client: httpx2.Client) -> None:
    assert client.get("/health").text == "ok"
    assert client.get("/ready").json() == {"ready": True}
    client.post(f"{PROJECT}/ask", json={"question": QUESTION}).raise_for_status()
    counted = client.get("/metrics").text
    assert 'legajo_answers_total{outcome="answered"} 1.0' in counted
    assert (
        'legajo_http_requests_total{method="POST",route="/api/v1/projects/{project}/ask",status="200"} 1.0' in counted
    )
    assert "garant" not in counted


def test_where_the_database_is_away_it_is_not_ready(settings: Settings) -> None:
    away = settings.model_copy(update={"database_url": SecretStr("postgresql://nadie@127.0.0.1:1/nada")})
    for address in served(lambda: Assistant.open(away), away):
        refused = httpx2.get(f"{address}/ready", timeout=60)
        assert (refused.status_code, refused.json()["ready"]) == (503, False)


def test_two_servers_on_one_database_see_the_same(
    address: str, assistant: Assistant, settings: Settings, client: httpx2.Client
) -> None:
    conversation = client.post(f"{PROJECT}/conversations").json()["conversation"]
    client.post(f"{PROJECT}/ask", json={"question": QUESTION, "conversation": conversation}).raise_for_status()
    with Assistant.open(settings, embeddings=HashEmbeddings()) as another:
        for other in served(lambda: another, settings):
            with httpx2.Client(base_url=other, headers=client.headers, timeout=60) as there:
                sent = there.post(f"{PROJECT}/documents", params={"path": "mayo.txt"}, content=b"Acta de mayo.")
                assert sent.status_code == 202
                assert len(there.get(f"{PROJECT}/conversations/{conversation}").json()["turns"]) == 2
                waiting = client.get(f"{PROJECT}/documents").json()["ingestions"]
                assert [each["path"] for each in waiting] == ["cargados/mayo.txt"]
                tokens = assistant.as_person(LOCAL_PERSON).tokens
                tokens.withdraw(tokens.all()[0].token_id)
                assert there.get(f"{PROJECT}/documents").status_code == 401


def test_many_askers_are_all_answered(address: str, assistant: Assistant, tmp_path: Path) -> None:
    load = Load(
        addresses=[address], tokens=[token(assistant), token(assistant)], project="general", questions=[QUESTION],
        each=2, what="ask",
    )  # fmt: skip

    async def measured() -> list[tuple[int, int, int]]:
        return [(each.answered, each.refused, each.failed) async for each in driven(load, [3], lambda _: None)]

    assert coroutines.run(measured()) == [(6, 0, 0)]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"project": "nada"}, "No existe el proyecto «nada»"),
        ({"tokens": ["inventado"]}, "El token no existe"),
        ({"addresses": ["http://127.0.0.1:1"]}, "http://127.0.0.1:1 no respondió"),
        ({"addresses": ["127.0.0.1:8501"]}, "no respondió"),
    ],
)
def test_askers_who_all_fail_are_told_why(
    address: str, assistant: Assistant, changed: dict[str, Any], words: str
) -> None:
    whole = {"addresses": [address], "tokens": [token(assistant)], "project": "general", **changed}
    load = Load(questions=[QUESTION], each=1, what="search", **whole)

    async def measured() -> None:
        async for _ in driven(load, [2, 50], lambda _: None):
            pytest.fail("somebody was answered")

    with pytest.raises(InputError, match=words):
        coroutines.run(measured())


def test_what_was_measured_is_told_before_nobody_is_answered(
    address: str, assistant: Assistant, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    tokens, questions = tmp_path / "tokens.txt", tmp_path / "preguntas.txt"
    tokens.write_text(f"inventado\n{token(assistant)}\n", encoding="utf-8")
    questions.write_text(json.dumps({"question": QUESTION}), encoding="utf-8")
    numbers = ["--askers", "2", "--askers", "1"]  # the second of whom has a token that is known
    files = ["--tokens", str(tokens), "--questions", str(questions)]
    command = ["load", "--address", address, *files, *numbers, "--each", "1", "--search"]
    told = coroutines.run(asyncio.to_thread(CliRunner().invoke, cli, command))
    assert re.search(r"^ +2 .* 1$", told.stdout, re.MULTILINE)
    assert told.exit_code != 0
    assert "El token no existe" in str(told.exception or told.stderr)


# ---------------------------------------------------------------- figures, read by a real Prometheus


@pytest.fixture
def prometheus(address: str, assistant: Assistant, tmp_path: Path) -> Iterator[str]:
    """The address of one with the shipped configuration, but for where the chat is and how often it is read."""
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("Prometheus is not installed")
    shipped = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
    (tmp_path / "token").write_text(token(assistant), encoding="ascii")
    shipped["global"]["scrape_interval"] = "1s"
    (job,) = shipped["scrape_configs"]
    job["authorization"]["credentials_file"] = str(tmp_path / "token")
    job["static_configs"] = [{"targets": [urlsplit(address).netloc]}]
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(shipped), encoding="utf-8")
    place = f"127.0.0.1:{free_port()}"
    options = [f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"]
    with (tmp_path / "log").open("w") as log:
        command = [program, *options, f"--web.listen-address={place}"]
        with subprocess.Popen(command, stdout=log, stderr=log) as running:
            try:
                yield f"http://{place}"
            finally:
                running.terminate()


def asked(prometheus: str, query: str) -> list[object]:
    """The series that a query has; nothing while Prometheus starts."""
    try:
        answer = httpx2.get(f"{prometheus}/api/v1/query", params={"query": query}).json()
    except (httpx2.HTTPError, ValueError):
        return []
    assert answer["status"] == "success", (query, answer)
    return list(answer["data"]["result"])


def test_each_query_of_the_dashboard_finds_its_figures(address: str, assistant: Assistant, prometheus: str) -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "legajo.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    headers = {"Authorization": f"Bearer {token(assistant)}"}

    def grows() -> bool:
        """Whether there are two readings with what happened between them."""
        ask = {"question": QUESTION}
        httpx2.post(f"{address}{PROJECT}/ask", headers=headers, json=ask, timeout=60).raise_for_status()
        httpx2.post(f"{address}{PROJECT}/ask", timeout=60)
        return all(asked(prometheus, query) for query in queries)

    until(grows, "every panel has something to show")
