"""A key is nowhere but in the request that it pays for: not in what is printed, logged, raised, traced or stored.

In `echo` the provider repeats the key in the words of its error, as some do.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from types import TracebackType

import psycopg
import pytest
from psycopg import sql

from rag_system.errors import ProviderError
from rag_system.generation.clients import client
from rag_system.generation.providers import build_answerer
from rag_system.settings import ProviderName, Settings
from rag_system.types import Finished
from tests.fakes.asking import ALL, collect, make_settings
from tests.fakes.provider_server import FakeProviderServer, running
from tests.indexing import opened_project, upload

SECRET = "gsk-7f3a91c2d4"
LAW = b"# Ley 1\n\nEl plazo para apelar es de siete dias habiles desde la notificacion.\n"
SCENARIOS = ["ok", "echo", "500", "cut", "errmid", "malformed", "garbage", "unknown", "limit", "html", "stall"]


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProviderServer]:
    with running() as (fake, _):
        yield fake
    client.cache_clear()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_key_is_in_no_log_and_no_error(
    provider: FakeProviderServer, name: ProviderName, scenario: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = make_settings(provider, name, f"{scenario}-{name}-{SECRET}", llm_timeout_s=0.3)
    answerer = build_answerer(settings)
    with caplog.at_level(logging.DEBUG):
        answerer.chat_model.pause = lambda _: None  # type: ignore[attr-defined]  # a model's answerer
        _, error = collect(answerer)
    assert (error is None) == (scenario == "ok")
    model = answerer.chat_model  # type: ignore[attr-defined]
    shown = [repr(settings), str(settings), settings.model_dump_json(), repr(answerer), repr(vars(answerer))]
    shown += [repr(model), str(model), repr(model.model_dump()), *map(_logged, caplog.records)]
    if error is not None:
        shown += _all_of(error)
    assert [text for text in shown if SECRET in text] == []


def _logged(record: logging.LogRecord) -> str:
    raised = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
    return f"{record.getMessage()} {record.args!r} {raised} {record.exc_text}"


def _all_of(error: ProviderError) -> list[str]:
    """The error, those behind it, and every local variable of ours on the way it came."""
    assert (error.__cause__, error.__context__) == (None, None)
    printed = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    return [repr(error), printed, *_locals(error.__traceback__)]


def _locals(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        yield from (repr(value) for value in trace.tb_frame.f_locals.values())
        trace = trace.tb_next


@pytest.mark.parametrize("scenario", ["ok", "echo", "errmid"])
def test_a_key_is_in_no_table(provider: FakeProviderServer, settings: Settings, scenario: str) -> None:
    own = make_settings(provider, "openrouter", f"{scenario}-{SECRET}")
    told = {name: getattr(own, name) for name in ("llm_provider", "llm_base_url", "openrouter_api_key", "llm_model")}
    assert settings.database_url is not None
    with opened_project(settings.model_copy(update=told)) as assistant:
        assert upload(assistant, "ley.md", LAW).status == "indexed"
        conversation = assistant.conversations.create()
        *_, last = assistant.stream("¿Cuál es el plazo para apelar?", conversation_id=conversation)
        assert isinstance(last, Finished)
        assert last.answer.provider == "openrouter"
        (_, turn) = assistant.turns(conversation)
    assert turn.usage == last.answer.usage
    assert turn.usage.prompt_version == last.answer.usage.prompt_version
    assert (turn.usage.tokens_in == 321) == (scenario == "ok")
    assert bool(turn.error) == (scenario != "ok")
    with psycopg.connect(settings.database_url.get_secret_value()) as connection:
        found = [table for table, row in _rows(connection) if SECRET in row]
    assert found == []


def _rows(connection: psycopg.Connection) -> Iterator[tuple[str, str]]:
    names = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    for schema, table in connection.execute(names).fetchall():
        whole = sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(schema, table))
        yield from ((table, row) for (row,) in connection.execute(whole))
