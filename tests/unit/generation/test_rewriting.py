"""A rewrite comes in time, in one line, or not at all."""

from __future__ import annotations

import threading

import pytest

from rag_system.errors import ProviderError
from rag_system.generation.chat_models import ThinChat
from rag_system.generation.providers import build_answerer
from rag_system.generation.rewriting import rewrite
from rag_system.settings import Settings
from tests.fakes.provider_server import ANSWER, running


@pytest.mark.parametrize(("scenario", "expected"), [("ok", ANSWER), ("bad", None), ("slow", None), ("cut", None)])
def test_rewrite(scenario: str, expected: str | None) -> None:
    with running() as (_, url):
        settings = Settings(
            _env_file=None,
            llm_provider="local",
            llm_base_url=f"{url}/v1",
            local_api_key=f"{scenario}-rewrite",
            llm_model="m",
            llm_timeout_s=5,
        )
        answerer = build_answerer(settings)
        assert rewrite(lambda: answerer.chat_model, "¿y cuánto es?", (), timeout_s=5 if expected else 0.5) == expected


def test_a_model_that_cannot_be_built_is_no_rewrite() -> None:
    with running() as (_, url):
        pass  # nobody listens any more, and without LLM_MODEL the server would be asked for one
    settings = Settings(_env_file=None, llm_provider="local", llm_base_url=f"{url}/v1", local_api_key="ok-down")
    model = build_answerer(settings).side_model
    assert model is not None
    assert rewrite(model, "¿y cuánto es?", ()) is None


def test_a_model_that_takes_too_long_to_build_is_no_rewrite() -> None:
    given_up = threading.Event()

    def build() -> ThinChat:
        given_up.wait()
        raise ProviderError("demasiado tarde")

    assert rewrite(build, "¿y cuánto es?", (), timeout_s=0.05) is None
    given_up.set()
