"""Another provider steps in when the first fails before its first word, and whoever reads the answer is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag_system.errors import ProviderAuthenticationError
from rag_system.generation.clients import client
from rag_system.generation.providers import PROVIDERS, build_answerer, resolve_provider
from rag_system.settings import ProviderName, Settings
from tests.fakes.asking import collect, make_settings
from tests.fakes.provider_server import ANSWER, PARTIAL, FakeProviderServer, running


@pytest.fixture(scope="module")
def server() -> Iterator[FakeProviderServer]:
    with running() as (fake, _):
        yield fake
    client.cache_clear()


def make_pair(server: FakeProviderServer, first: str, second: str, **more: object) -> Settings:
    """Google with the scenario `first`; a server of one's own with `second` behind it."""
    own = {"llm_fallback": "local", "llm_fallback_base_url": server.url + "/v1", "llm_fallback_model": "de-reserva"}
    return make_settings(server, "google", first, local_api_key=second, **own | more)


@pytest.mark.parametrize(
    "scenario",
    ["bad", "quota", "unknown", "slow", "empty", "blocked", "garbage", "musing", "numbers", "object", "deep", "moved"],
)
def test_the_fallback_answers_and_it_is_told(server: FakeProviderServer, scenario: str) -> None:
    limits = {"slow": {"llm_timeout_s": 0.2}, "musing": {"llm_total_timeout_s": 0.5}}.get(scenario, {})
    first = make_settings(server, "google", f"{scenario}-alone", **limits)
    settings = make_pair(server, f"{scenario}-first", "ok-second", **limits)
    if scenario == "musing":  # nothing is left of the time: only one who needs none can step in
        settings = settings.model_copy(update={"llm_fallback": "extractive"})
    answerer = build_answerer(settings)
    text, error = collect(answerer)
    assert error is None
    assert "7 días hábiles" in text
    by = {"musing": ("extractive", "")}.get(scenario, ("local", "de-reserva"))
    assert (answerer.provider, answerer.model) == by
    reason = str(collect(build_answerer(first))[1])
    assert answerer.notices == (f"{reason} Esta respuesta es de {PROVIDERS[answerer.provider].label}.",)  # type: ignore[index]


@pytest.mark.parametrize("first", ["groq", "openrouter"])
@pytest.mark.parametrize("scenario", ["latin1", "numbers", "object", "nothing"])
def test_the_fallback_answers_where_nothing_readable_comes(
    server: FakeProviderServer, first: ProviderName, scenario: str
) -> None:
    own = {"llm_fallback": "local", "llm_fallback_base_url": server.url + "/v1", "llm_fallback_model": "de-reserva"}
    answerer = build_answerer(
        make_settings(server, first, f"{scenario}-unread-{first}", local_api_key="ok-second", **own)
    )
    assert collect(answerer) == (ANSWER, None)
    assert answerer.provider == "local"
    assert "no se entienden" in answerer.notices[0]


@pytest.mark.parametrize("scenario", ["cut", "errmid", "censored"])
def test_the_fallback_never_continues_what_another_began(server: FakeProviderServer, scenario: str) -> None:
    answerer = build_answerer(make_pair(server, f"{scenario}-pair", "ok-unasked"))
    text, error = collect(answerer)
    assert (text, answerer.provider, answerer.notices) == (PARTIAL, "google", ())
    assert error is not None
    assert server.hits["ok-unasked"] == 0


def test_both_may_fail_and_both_reasons_are_told(server: FakeProviderServer) -> None:
    text, error = collect(build_answerer(make_pair(server, "credit-both", "bad-both")))
    assert text == ""
    assert "Google Gemini no tiene saldo" in str(error)
    assert "Tampoco respondió Servidor local: Servidor local rechazó la clave" in str(error)
    assert error is not None
    assert error.__cause__ is None
    assert error.__suppress_context__


def test_a_fallback_that_breaks_off_is_told_by_name(server: FakeProviderServer) -> None:
    answerer = build_answerer(make_pair(server, "bad-pair", "cut-second"))
    text, error = collect(answerer)
    assert text == PARTIAL
    assert str(error).startswith("Servidor local cortó")
    assert "Esta respuesta es de Servidor local" in answerer.notices[0]


def test_a_provider_asked_for_by_name_has_no_fallback(server: FakeProviderServer) -> None:
    text, error = collect(build_answerer(make_pair(server, "bad-asked", "ok-not-asked"), "google"))
    assert text == ""
    assert type(error) is ProviderAuthenticationError
    assert server.hits["ok-not-asked"] == 0


def test_a_fallback_without_key_is_told_before_it_is_needed(server: FakeProviderServer) -> None:
    settings = make_settings(server, "google", "ok-key", llm_fallback="groq")
    resolved = resolve_provider(settings)
    assert (resolved.provider, resolved.fallback) == ("google", None)
    assert "GROQ_API_KEY" in resolved.notice
    assert collect(build_answerer(settings)) == (ANSWER, None)
