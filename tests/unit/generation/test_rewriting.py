"""A rewrite comes in time, in one line, or not at all."""

from __future__ import annotations

import pytest

from rag_system.generation import build_answerer, rewrite
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
        model = build_answerer(settings).chat_model
        assert model is not None
        assert rewrite(model, "¿y cuánto es?", (), timeout_s=5 if expected else 0.5) == expected
