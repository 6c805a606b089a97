"""The model providers against a local server that speaks their wire formats, fault by fault."""

from __future__ import annotations

import os
import socketserver
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from rag_system.errors import (
    ProviderAuthenticationError,
    ProviderConnectionError,
    ProviderError,
    ProviderRateLimitError,
    ProviderTimeoutError,
)
from rag_system.generation import listening
from rag_system.generation.chat_models import ATTEMPTS
from rag_system.generation.clients import client
from rag_system.generation.prompt import prompt_version
from rag_system.generation.providers import build_answerer
from rag_system.generation.rewriting import rewrite
from rag_system.settings import ProviderName, Settings
from rag_system.types import Usage
from tests.fakes.asking import ALL, REQUEST, ask, collect, make_settings
from tests.fakes.connections import left_to_the_collector
from tests.fakes.provider_server import ANSWER, PARTIAL, FakeProviderServer, running
from tests.fakes.provider_wires import COST_USD


@pytest.fixture(scope="module")
def server() -> Iterator[FakeProviderServer]:
    with running() as (fake, _):
        yield fake
    client.cache_clear()


@pytest.mark.parametrize("provider", ALL)
def test_answers_with_normal_markers(server: FakeProviderServer, provider: ProviderName) -> None:
    text, error = ask(server, provider, f"ok-{provider}")
    assert (text, error) == (ANSWER, None)


BEFORE = [
    ("bad", ProviderAuthenticationError, "rechazó la clave"),
    ("forbidden", ProviderAuthenticationError, "403"),
    ("credit", ProviderError, "no tiene saldo."),
    ("limit", ProviderRateLimitError, "esperar 60 s"),
    ("dated", ProviderRateLimitError, "y pide esperar 3"),  # an hour from now: 3600 s, or a little less
    ("unknown", ProviderError, "no ofrece el modelo «modelo-de-prueba»."),
    ("toolong", ProviderError, "LEGAJO_PROMPT_TOKENS"),
    ("empty", ProviderError, "devolvió una respuesta vacía."),
    ("blocked", ProviderError, "bloqueó la respuesta por sus reglas de seguridad."),
    ("refused", ProviderError, "bloqueó la respuesta por sus reglas de seguridad."),
    ("garbage", ProviderError, "LLM_BASE_URL"),
    ("html", ProviderError, "LLM_BASE_URL"),
    ("thoughts", ProviderError, "LLM_MAX_TOKENS"),
    ("numbers", ProviderError, "no se entienden"),
    ("object", ProviderError, "no se entienden"),
    ("reasons", ProviderError, "no se entienden"),
    ("deep", ProviderError, "no se entienden"),
    ("moved", ProviderError, "remite a otra dirección (código 307)"),
]


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize(("scenario", "kind", "words"), BEFORE)
def test_faults_before_the_first_word(
    server: FakeProviderServer, provider: ProviderName, scenario: str, kind: type[ProviderError], words: str
) -> None:
    key = f"{scenario}-{provider}"
    text, error = ask(server, provider, key)
    assert text == ""
    assert type(error) is kind
    assert words in str(error)
    assert server.hits[key] == 1  # waiting would not help


NO_QUOTA: dict[ProviderName, tuple[type[ProviderError], str]] = {
    "google": (ProviderRateLimitError, "del día"),
    **dict.fromkeys(("groq", "openrouter", "local"), (ProviderError, "saldo")),
}


@pytest.mark.parametrize("provider", ALL)
def test_a_quota_that_no_wait_brings_back_is_not_asked_twice(
    server: FakeProviderServer, provider: ProviderName
) -> None:
    kind, words = NO_QUOTA[provider]
    text, error = ask(server, provider, f"quota-{provider}")
    assert (text, type(error)) == ("", kind)
    assert words in str(error)
    assert server.hits[f"quota-{provider}"] == 1


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize(
    ("scenario", "words"),
    [("500", "tuvo un error interno (código 500)."), ("503", "saturado"), ("529", "saturado")],
)
def test_a_server_in_trouble_is_asked_three_times(
    server: FakeProviderServer, provider: ProviderName, scenario: str, words: str
) -> None:
    answerer = build_answerer(make_settings(server, provider, f"{scenario}-{provider}"))
    answerer.chat_model.pause = lambda _: None  # type: ignore[attr-defined]  # a model's answerer
    text, error = collect(answerer)
    assert text == ""
    assert words in str(error)
    assert server.hits[f"{scenario}-{provider}"] == ATTEMPTS


@pytest.mark.parametrize("provider", ALL)
def test_pauses_grow_and_stay_short_where_the_provider_names_none(
    server: FakeProviderServer, provider: ProviderName
) -> None:
    answerer = build_answerer(make_settings(server, provider, f"burst-{provider}"))
    pauses: list[float] = []
    answerer.chat_model.pause = pauses.append  # type: ignore[attr-defined]  # a model's answerer
    _, error = collect(answerer)
    assert type(error) is ProviderRateLimitError
    assert [0.2 <= pauses[0] <= 0.3, 0.4 <= pauses[1] <= 0.6, len(pauses)] == [True, True, 2]  # 0.25 and 0.5 s ± 20 %


MIDDLE = [
    ("cut", ProviderConnectionError, "cortó la respuesta"),
    ("quiet", ProviderConnectionError, "cortó la respuesta"),
    ("errmid", ProviderError, "cambie de proveedor"),
    ("malformed", ProviderError, "respondió con datos que no se entienden."),
    ("censored", ProviderError, "bloqueó la respuesta por sus reglas de seguridad."),
    ("objectmid", ProviderError, "no se entienden"),
]


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize(("scenario", "kind", "words"), MIDDLE)
def test_faults_in_the_middle_keep_what_arrived(
    server: FakeProviderServer, provider: ProviderName, scenario: str, kind: type[ProviderError], words: str
) -> None:
    key = f"{scenario}-{provider}"
    text, error = ask(server, provider, key)
    assert text == PARTIAL
    assert isinstance(error, kind)
    assert words in str(error)
    assert server.hits[key] == 1  # never spliced with a second try


OPENAI_SHAPED = tuple(provider for provider in ALL if provider != "google")  # Google's SDK reads on past both


@pytest.mark.parametrize("provider", OPENAI_SHAPED)
@pytest.mark.parametrize(("scenario", "arrived"), [("latin1", ""), ("latin1mid", PARTIAL), ("nothing", "")])
def test_what_is_not_utf8_or_no_event_is_one_of_our_errors(
    server: FakeProviderServer, provider: ProviderName, scenario: str, arrived: str
) -> None:
    text, error = ask(server, provider, f"{scenario}-{provider}")
    assert (text, type(error)) == (arrived, ProviderError)
    assert "no se entienden" in str(error)


@pytest.mark.parametrize("scenario", ["latin1", "latin1mid", "nothing"])
def test_what_googles_sdk_repairs_is_told_as_cut(server: FakeProviderServer, scenario: str) -> None:
    _, error = ask(server, "google", f"{scenario}-google")
    assert type(error) is ProviderConnectionError


@pytest.mark.parametrize("provider", OPENAI_SHAPED)
def test_parts_with_texts_are_read_and_thoughts_among_them_are_not(
    server: FakeProviderServer, provider: ProviderName
) -> None:
    assert ask(server, provider, f"parts-{provider}") == (ANSWER, None)


@pytest.mark.parametrize("provider", ALL)
def test_words_that_cannot_be_stored_are_mended(server: FakeProviderServer, provider: ProviderName) -> None:
    assert ask(server, provider, f"halves-{provider}") == (f"{ANSWER}plazo? ", None)


@pytest.mark.parametrize("provider", ALL)
def test_numbers_of_tokens_that_are_none_are_not_counted(server: FakeProviderServer, provider: ProviderName) -> None:
    answerer = build_answerer(make_settings(server, provider, f"counts-{provider}"))
    assert collect(answerer) == (ANSWER, None)
    assert answerer.usage.tokens_in in {None, 321}
    assert answerer.usage.tokens_out in {None, 12}


@pytest.mark.parametrize("provider", ALL)
def test_what_asks_is_sent_though_it_holds_half_a_character(server: FakeProviderServer, provider: ProviderName) -> None:
    model = build_answerer(make_settings(server, provider, f"ok-half-{provider}")).chat_model  # type: ignore[attr-defined]
    assert "".join(model.words([("system", "Responda \udc81"), ("user", "¿Qué plazo \ud83d hay?")])) == ANSWER


@pytest.mark.parametrize("provider", ALL)
def test_a_redirect_is_not_followed_with_the_prompt(server: FakeProviderServer, provider: ProviderName) -> None:
    server.redirected.clear()
    ask(server, provider, f"moved-away-{provider}")
    assert server.redirected == []


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize("address", ["http://[::1", "sin-esquema:99/v1", "http://127.0.0.1:99999/v1"])
def test_an_address_that_leads_nowhere_is_one_of_our_errors(
    server: FakeProviderServer, provider: ProviderName, address: str
) -> None:
    text, error = ask(server, provider, "ok-nowhere", llm_base_url=address)
    assert text == ""
    assert "LLM_BASE_URL" in str(error)


@pytest.mark.parametrize("provider", ALL)
def test_a_key_that_no_header_can_carry_is_told(server: FakeProviderServer, provider: ProviderName) -> None:
    text, error = ask(server, provider, "clavé")
    assert (text, type(error)) == ("", ProviderAuthenticationError)
    assert "clavé" not in str(error)


@pytest.mark.parametrize("provider", ALL)
def test_an_answer_at_the_token_limit_is_kept_and_told(server: FakeProviderServer, provider: ProviderName) -> None:
    text, error = ask(server, provider, f"length-{provider}")
    assert text == ANSWER
    assert "LLM_MAX_TOKENS" in str(error)


def test_thoughts_in_the_text_are_no_answer(server: FakeProviderServer) -> None:
    assert ask(server, "local", "think-1") == (ANSWER, None)


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize("scenario", ["once", "past", "flaky", "cutfirst"])
def test_a_passing_refusal_is_retried(server: FakeProviderServer, provider: ProviderName, scenario: str) -> None:
    key = f"{scenario}-{provider}"
    text, error = ask(server, provider, key)
    assert (text, error) == (ANSWER, None)
    assert server.hits[key] == 2


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize(("scenario", "arrived"), [("slow", ""), ("stall", PARTIAL)])
def test_silence_ends(server: FakeProviderServer, provider: ProviderName, scenario: str, arrived: str) -> None:
    text, error = ask(server, provider, f"{scenario}-{provider}", llm_timeout_s=0.2)
    assert text == arrived
    assert type(error) is ProviderTimeoutError


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize(("scenario", "arrived"), [("musing", ""), ("endless", PARTIAL)])
def test_the_whole_wait_ends_though_something_always_comes(
    server: FakeProviderServer, provider: ProviderName, scenario: str, arrived: str
) -> None:
    text, error = ask(server, provider, f"{scenario}-{provider}", llm_total_timeout_s=0.4)
    assert text.startswith(arrived)
    assert type(error) is ProviderTimeoutError
    assert "LLM_TOTAL_TIMEOUT" in str(error)


READER_S = 0.005  # of a reader between two words: slower than a flood
TOTAL_S = 0.4


@pytest.mark.parametrize("provider", ALL)
def test_a_flood_ends_on_time_and_its_thread_with_it(server: FakeProviderServer, provider: ProviderName) -> None:
    limits = {"llm_total_timeout_s": TOTAL_S, "max_output_tokens": 10**6}
    before, started = time.monotonic(), set(threading.enumerate())
    error = None
    try:
        for _ in build_answerer(make_settings(server, provider, f"flood-late-{provider}", **limits)).stream(REQUEST):
            threading.Event().wait(READER_S)
    except ProviderError as raised:
        error = raised
    assert type(error) is ProviderTimeoutError
    assert time.monotonic() - before < TOTAL_S + 3  # the SDK is loaded and the client built the first time
    assert [each for each in set(threading.enumerate()) - started if each.name == "provider"] == []


@pytest.mark.parametrize("provider", ALL)
def test_an_answer_longer_than_its_tokens_could_be_is_ended_and_kept(
    server: FakeProviderServer, provider: ProviderName
) -> None:
    key = f"flood-long-{provider}"
    text, error = ask(server, provider, key, max_output_tokens=300)
    assert "LLM_MAX_TOKENS" in str(error)
    assert 5_000 < len(text) <= 6_000  # 300 tokens, 20 characters each
    assert server.hits[key] == 1


@pytest.mark.parametrize("provider", ALL)
def test_a_line_without_end_is_let_go(server: FakeProviderServer, provider: ProviderName) -> None:
    text, error = ask(server, provider, f"line-{provider}", llm_total_timeout_s=TOTAL_S)
    assert (text, type(error)) == ("", ProviderTimeoutError)
    assert [each for each in threading.enumerate() if each.name == "provider"] == []


@pytest.mark.parametrize("provider", ALL)
def test_no_answer_takes_the_memory(
    server: FakeProviderServer, provider: ProviderName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "LARGEST_ANSWER_BYTES", 100_000)
    text, error = ask(server, provider, f"line-large-{provider}")
    assert text == ""
    assert "mucho más" in str(error)


@pytest.mark.parametrize("provider", ALL)
def test_a_first_word_that_takes_its_time_is_waited_for(server: FakeProviderServer, provider: ProviderName) -> None:
    server.go.clear()
    stream = build_answerer(make_settings(server, provider, f"late-{provider}")).stream(REQUEST)
    threading.Timer(0.05, server.go.set).start()
    assert "".join(stream) == ANSWER


def test_comments_instead_of_words_are_silence(server: FakeProviderServer) -> None:
    text, error = ask(server, "openrouter", "ping-1", llm_timeout_s=0.3)
    assert text == ""
    assert type(error) is ProviderTimeoutError


@pytest.mark.parametrize("provider", ALL)
def test_nobody_listens(provider: ProviderName) -> None:
    with running() as (closed, _):
        pass
    text, error = ask(closed, provider, "ok-closed")
    assert text == ""
    assert type(error) is ProviderConnectionError


@pytest.mark.parametrize("provider", ALL)
@pytest.mark.parametrize("scenario", ["bad", "500", "cut", "errmid", "malformed", "limit"])
def test_keys_and_prompts_stay_out_of_errors(server: FakeProviderServer, provider: ProviderName, scenario: str) -> None:
    secret = f"{scenario}-SECRETO-{provider}"
    _, error = ask(server, provider, secret)
    assert error is not None
    assert error.__cause__ is None
    assert error.__context__ is None
    printed = "".join(traceback.format_exception(error))
    assert "SECRETO" not in printed
    assert "bad-secret" not in printed


@pytest.mark.parametrize("provider", ALL)
def test_usage_comes_once(server: FakeProviderServer, provider: ProviderName) -> None:
    model = build_answerer(make_settings(server, provider, f"ok-usage-{provider}")).chat_model
    assert model is not None
    usages = [chunk.usage_metadata for chunk in model.stream("¿Qué plazo hay?") if chunk.usage_metadata]
    assert [(u["input_tokens"], u["output_tokens"], u["total_tokens"]) for u in usages] == [(321, 12, 333)]


@pytest.mark.parametrize("provider", ALL)
def test_usage_and_cost_are_what_the_provider_reports(server: FakeProviderServer, provider: ProviderName) -> None:
    answerer = build_answerer(make_settings(server, provider, f"ok-cost-{provider}"))
    assert collect(answerer) == (ANSWER, None)
    cost = COST_USD if provider == "openrouter" else None
    once = Usage(tokens_in=321, tokens_out=12, cost_usd=cost, prompt_version=prompt_version(), paid_by="settings")
    assert answerer.usage == once
    assert answerer.side_model is not None
    rewrite(answerer.side_model, "¿Y eso?", ())  # what is asked besides is paid for too
    assert answerer.usage == once + Usage(tokens_in=321, tokens_out=12, cost_usd=cost)


def test_a_broken_answer_counts_what_was_reported_of_it(server: FakeProviderServer) -> None:
    answerer = build_answerer(make_settings(server, "google", "errmid-usage"))
    assert collect(answerer)[0] == PARTIAL
    assert answerer.usage == Usage(tokens_in=321, tokens_out=5, prompt_version=prompt_version(), paid_by="settings")


def test_what_each_provider_is_sent(server: FakeProviderServer) -> None:
    bodies = {}
    for provider in ALL:
        model = {"groq": "openai/gpt-oss-120b"}.get(provider, "modelo-de-prueba")
        ask(
            server,
            provider,
            f"ok-sent-{provider}",
            llm_model=model,
            max_output_tokens=700,
            thinking_tokens=100,
            temperature=0.3,
        )
        bodies[provider] = server.bodies[-1]
    google = bodies["google"]["generationConfig"]
    assert google == {"maxOutputTokens": 800}  # no temperature, top_p or top_k
    assert bodies["google"]["systemInstruction"]["parts"][0]["text"].startswith("Usted es Legajo")
    assert bodies["groq"]["reasoning_effort"] == "low"
    assert bodies["groq"]["max_completion_tokens"] == 800
    assert bodies["openrouter"]["max_tokens"] == bodies["local"]["max_tokens"] == 800
    assert bodies["openrouter"]["temperature"] == bodies["groq"]["temperature"] == 0.3
    assert [message["role"] for message in bodies["local"]["messages"]] == ["system", "user"]


def test_a_local_server_without_a_model_name_is_asked_for_its_first(server: FakeProviderServer) -> None:
    answerer = build_answerer(make_settings(server, "local", "ok-first", llm_model=""))
    assert answerer.model == ""
    assert collect(answerer) == (ANSWER, None)
    assert answerer.model == "modelo-local"
    assert server.bodies[-1]["model"] == "modelo-local"


def test_a_local_server_needs_no_key(server: FakeProviderServer) -> None:
    settings = Settings(_env_file=None, llm_provider="local", llm_base_url=server.url + "/v1")
    assert collect(build_answerer(settings)) == (ANSWER, None)


def test_a_local_server_without_models_says_so(server: FakeProviderServer) -> None:
    text, error = ask(server, "local", "empty-models", llm_model="")
    assert text == ""
    assert "LLM_MODEL" in str(error)


@pytest.mark.parametrize("provider", ALL)
def test_stopping_midway_leaves_no_connection_behind(server: FakeProviderServer, provider: ProviderName) -> None:
    for _ in range(3):
        stream = build_answerer(make_settings(server, provider, f"ok-stop-{provider}")).stream(REQUEST)
        assert next(stream)
        stream.close()  # type: ignore[attr-defined]
    assert ask(server, provider, f"ok-stop-{provider}") == (ANSWER, None)


ASKED_WITH_TRACING_ON = """
from langchain_core.tracers.langchain import wait_for_all_tracers
from rag_system.generation import listening
from rag_system.generation.providers import build_answerer
from rag_system.generation.rewriting import rewrite
from rag_system.settings import load_settings
from tests.builders import chunk, evidence, request

answerer = build_answerer(load_settings())
print("".join(answerer.stream(request("¿Qué plazo hay?", evidence(chunk("SECRETO"))))))
print(rewrite(answerer.side_model, "¿Y eso?", ()))
wait_for_all_tracers()
"""


def test_nothing_is_traced_whatever_the_shell_says(server: FakeProviderServer) -> None:
    calls: list[bytes] = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            calls.append(self.request.recv(200))

    with socketserver.TCPServer(("127.0.0.1", 0), Listener) as tracer:
        threading.Thread(target=tracer.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        shell = {
            "LANGSMITH_TRACING": "true",
            "LANGCHAIN_TRACING_V2": "true",
            "LANGSMITH_ENDPOINT": f"http://127.0.0.1:{tracer.server_address[1]}",
            "LANGSMITH_API_KEY": "clave",
            "LLM_PROVIDER": "local",
            "LLM_BASE_URL": server.url + "/v1",
            "LLM_MODEL": "modelo-de-prueba",
        }
        asked = subprocess.run(
            [sys.executable, "-c", ASKED_WITH_TRACING_ON],
            env=os.environ | shell,
            capture_output=True,
            text=True,
            check=True,
        )
        tracer.shutdown()
    assert asked.stdout.split("\n")[:2] == [ANSWER, ANSWER]
    assert calls == []


@pytest.mark.parametrize("provider", ALL)
def test_a_client_that_is_dropped_closes_its_connections(provider: ProviderName) -> None:
    with running() as (server, _):
        ask(server, provider, "bad-dropped")
        assert left_to_the_collector(server.server_port, client.cache_clear) == []
