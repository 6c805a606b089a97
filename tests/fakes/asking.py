"""Questions for the providers that `provider_server` plays: settings that lead to it, and what came of an answer."""

from __future__ import annotations

from rag_system.errors import ProviderError
from rag_system.generation.protocol import Answerer
from rag_system.generation.providers import build_answerer
from rag_system.settings import ProviderName, Settings
from tests.builders import chunk, evidence, request
from tests.fakes.provider_server import FakeProviderServer

__all__ = ["ALL", "REQUEST", "ask", "collect", "make_settings"]

PATHS: dict[ProviderName, str] = {"google": "", "groq": "/groq", "openrouter": "/openrouter/v1", "local": "/v1"}
ALL = tuple(PATHS)


def make_settings(server: FakeProviderServer, provider: ProviderName, key: str, **more: object) -> Settings:
    values = {
        "llm_provider": provider,
        "llm_base_url": server.url + PATHS[provider],
        f"{provider}_api_key": key,
        "llm_model": "modelo-de-prueba",
        **more,
    }
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


REQUEST = request("¿Qué plazo hay?", evidence(chunk("El plazo es de 7 días hábiles.", page=2)))


def collect(answerer: Answerer) -> tuple[str, ProviderError | None]:
    """What arrived, and the error that ended it."""
    pieces: list[str] = []
    try:
        for piece in answerer.stream(REQUEST):
            pieces.append(piece)  # noqa: PERF402 - what came before the error counts
    except ProviderError as error:
        return "".join(pieces), error
    return "".join(pieces), None


def ask(
    server: FakeProviderServer, provider: ProviderName, key: str, **more: object
) -> tuple[str, ProviderError | None]:
    return collect(build_answerer(make_settings(server, provider, key, **more)))
