"""Who answers, with which model, and what the person is told."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from rag_system.errors import MissingKeyError
from rag_system.generation.failures import Failure, Kind, Subject
from rag_system.generation.providers import (
    PROVIDERS,
    build_answerer,
    offered_providers,
    resolve_provider,
)
from rag_system.settings import ProviderName, Settings


def settings(**values: object) -> Settings:
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


def test_the_table_holds_every_provider() -> None:
    assert set(PROVIDERS) == set(get_args(ProviderName))


RESOLVED = [
    ({}, None, ("extractive", "")),
    ({"llm_provider": "google", "google_api_key": "k"}, None, ("google", "gemini-3.5-flash-lite")),
    ({"llm_provider": "groq", "groq_api_key": "k"}, None, ("groq", "openai/gpt-oss-120b")),
    ({"llm_provider": "openrouter", "openrouter_api_key": "k"}, None, ("openrouter", "google/gemma-4-31b-it:free")),
    ({"llm_provider": "local"}, None, ("local", "")),
    ({"llm_provider": "local", "llm_model": "qwen"}, None, ("local", "qwen")),
    ({"llm_provider": "groq", "groq_api_key": "k", "llm_model": "otro"}, None, ("groq", "otro")),
    # LLM_MODEL belongs to LLM_PROVIDER, not to another provider asked for
    ({"llm_provider": "groq", "groq_api_key": "k", "google_api_key": "k", "llm_model": "otro"}, "google",
     ("google", "gemini-3.5-flash-lite")),
    # … and to local while nothing is configured
    ({"llm_model": "qwen"}, "local", ("local", "qwen")),
    ({"llm_provider": "groq", "groq_api_key": "k"}, "extractive", ("extractive", "")),
]  # fmt: skip


@pytest.mark.parametrize(("values", "requested", "expected"), RESOLVED)
def test_resolved(values: dict[str, object], requested: ProviderName | None, expected: tuple[str, str]) -> None:
    resolved = resolve_provider(settings(**values), requested)
    assert (resolved.provider, resolved.model) == expected
    assert resolved.notice == ""


@pytest.mark.parametrize("key", [None, "", "  "])
@pytest.mark.parametrize("name", ["google", "groq", "openrouter"])
def test_the_configured_provider_without_its_key_gives_way(name: ProviderName, key: str | None) -> None:
    configured = settings(**{"llm_provider": name, f"{name}_api_key": key})
    resolved = resolve_provider(configured)
    assert resolved.provider == "extractive"
    assert PROVIDERS[name].key_variable in resolved.notice
    assert build_answerer(configured).provider == "extractive"


@pytest.mark.parametrize("name", ["google", "groq", "openrouter"])
def test_a_provider_asked_for_without_key_is_an_error(name: ProviderName) -> None:
    with pytest.raises(MissingKeyError, match=PROVIDERS[name].key_variable) as caught:
        resolve_provider(settings(), name)
    assert "extractive" in str(caught.value)


OFFERED = [
    ({}, get_args(ProviderName)),
    ({"allowed_providers": "extractive,google"}, ("extractive", "google")),
    ({"allowed_providers": "extractive,google", "llm_provider": "groq"}, ("groq", "extractive", "google")),
    ({"allowed_providers": "groq", "llm_provider": "groq"}, ("groq",)),
]


@pytest.mark.parametrize(("values", "expected"), OFFERED)
def test_the_configured_provider_is_always_offered(values: dict[str, object], expected: tuple[str, ...]) -> None:
    assert offered_providers(settings(**values)) == expected


@pytest.mark.parametrize("kind", list(Kind))
def test_every_failure_reads_well(kind: Kind) -> None:
    subject = Subject(label="Groq", variable="GROQ_API_KEY", model="m", local=True)
    sentence = str(Failure(kind=kind, status=500, retry_after_s=7.0).error(subject))
    assert sentence.endswith(".")
    assert not set("{}") & set(sentence)
    assert "  " not in sentence


def test_importing_the_room_loads_no_model_library() -> None:
    heavy = "langchain_core google.genai groq openai httpx torch"
    code = f"import sys, rag_system.generation.providers; print([m for m in {heavy.split()!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
