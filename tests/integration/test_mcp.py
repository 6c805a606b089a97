"""The projects of a person for programs that speak MCP, asked with the protocol's own client."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from starlette.types import ASGIApp

from assistant.assistant import Assistant
from assistant.mcp_server import behind_token, build_server
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests import coroutines
from tests.acceptance.conftest import COMMAND
from tests.indexing import upload

LEASE = "La garantía del local se devuelve en treinta días."
QUESTION = "¿En cuántos días se devuelve la garantía del local?"
Ask = Callable[[Client], Coroutine[Any, Any, Any]]


def asked(settings: Settings, ask: Ask, *, project: str = "general") -> Any:
    """What a program gets of a server that has one document."""
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person = assistant.as_person(LOCAL_PERSON)
        person.create_project("general")
        upload(person.project("general"), "alquiler.txt", LEASE.encode())

        async def run() -> Any:
            async with Client(build_server(person, project)) as client:
                return await ask(client)

        return coroutines.run(run())


def test_a_program_lists_searches_asks_and_reads(settings: Settings) -> None:
    async def ask(client: Client) -> list[dict[str, Any]]:
        called = [
            await client.call_tool("list_projects", {}),
            await client.call_tool("list_documents", {}),
            await client.call_tool("search", {"question": QUESTION}),
            await client.call_tool("ask", {"question": QUESTION}),
            await client.call_tool("read_document", {"path": "cargados/alquiler.txt"}),
        ]
        return [each.structured_content or {} for each in called]

    projects, documents, found, answer, read = asked(settings, ask)
    assert projects == {"projects": [{"project": "general", "documents": 1}]}
    assert [each["path"] for each in documents["documents"]] == ["cargados/alquiler.txt"]
    assert [each["text"] for each in found["results"]] == [LEASE]
    assert "treinta días" in answer["answer"]
    assert [each["path"] for each in answer["citations"]] == ["cargados/alquiler.txt"]
    assert ([each["text"] for each in read["passages"]], read["next"]) == ([LEASE], None)


def test_tools_are_described_without_the_margin_of_their_source(settings: Settings) -> None:
    async def ask(client: Client) -> list[str]:
        return [each.description or "" for each in (await client.list_tools()).tools]

    told = asked(settings, ask)
    assert len(told) == 5
    assert [each for each in told if not each or "  " in each] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("search", {"question": QUESTION, "project": "otro"}, "No existe el proyecto «otro»"),
        ("ask", {"question": QUESTION, "documents": ["otro.txt"]}, "No hay ningún documento «otro.txt»"),
        ("read_document", {"path": "otro.txt"}, "No hay ningún documento «otro.txt»"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(
    settings: Settings, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool(tool, arguments)

    result = asked(settings, ask)
    assert result.is_error
    assert sentence in result.content[0].text


def test_the_command_serves_who_started_it(settings: Settings) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    database = {"DATABASE_URL": str(settings.database_url and settings.database_url.get_secret_value())}
    started = StdioServerParameters(
        command=str(COMMAND), args=["mcp"], env={**kept, **database, "LEGAJO_HOME": str(settings.home)}
    )

    async def run() -> Any:
        async with Client(stdio_client(started)) as client:
            return [tool.name for tool in (await client.list_tools()).tools], await client.call_tool(
                "list_projects", {}
            )

    tools, projects = coroutines.run(run())
    assert tools == ["search", "ask", "list_documents", "list_projects", "read_document"]
    assert projects.structured_content == {"projects": [{"project": "general", "documents": 0}]}


def test_over_http_the_token_is_asked_for_and_a_foreign_host_is_refused(settings: Settings) -> None:
    async def statuses(app: ASGIApp) -> list[int]:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8600") as client:
            ours = {"Authorization": "Bearer secreto"}
            sent: list[dict[str, str]] = [{}, {"Authorization": "Bearer otro"}, {**ours, "Host": "ajeno.example"}]
            return [(await client.post("/mcp", json={}, headers=each)).status_code for each in sent]

    async def listed(app: ASGIApp) -> list[str]:
        transport = httpx2.ASGITransport(app=app)
        http = httpx2.AsyncClient(transport=transport, headers={"Authorization": "Bearer secreto"})
        async with Client(streamable_http_client("http://127.0.0.1:8600/mcp", http_client=http)) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person = assistant.as_person(LOCAL_PERSON)
        person.create_project("general")
        server = build_server(person, "general")

        async def run() -> tuple[list[int], list[str]]:
            served = server.streamable_http_app(host="127.0.0.1")
            app = behind_token(served, "secreto")
            async with served.router.lifespan_context(served):
                return await statuses(app), await listed(app)

        refused, tools = coroutines.run(run())
    assert refused == [401, 401, 421]
    assert "ask" in tools
