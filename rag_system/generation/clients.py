"""The SDKs' clients: built once, with time-outs, without their own retries, and following no redirect.

Building one costs 0.3–0.8 s (certificates), hence one per provider, key and address, and not one per question.
"""

from __future__ import annotations

import weakref
from functools import lru_cache
from importlib import import_module
from typing import Any

from pydantic import SecretStr

from rag_system.errors import ProviderError
from rag_system.generation.failures import Failure, Kind, Subject, read_failure
from rag_system.generation.listening import hooks

__all__ = ["client", "first_model", "list_models", "open_client"]

CONNECT_TIMEOUT_S = 10.0


@lru_cache(maxsize=32)
def client(sdk: str, key: SecretStr, base_url: str, timeout_s: float) -> Any:
    """The SDK's client: `sdk` is google, groq or openai. An empty `base_url` is the SDK's own.

    The key stays wrapped until the SDK takes it: a trace that prints local variables shows no key of ours.
    """
    if sdk == "google":
        return _google_client(key, base_url, timeout_s)
    built, http = _openai_shaped_client(sdk, key, base_url, timeout_s)
    # The cache may drop a client while it is in use: its connections are closed once nobody holds it any more. A
    # `__del__` will not do: the client is a reference cycle, and the collector may end its sockets before it.
    weakref.finalize(built, http.close)
    return built


def open_client(sdk: str, key: SecretStr, base_url: str, timeout_s: float, *, subject: Subject) -> Any:
    """`client`, which fails as a provider does: a wrong address is one of ours too."""
    failure: Failure | None = None
    try:
        return client(sdk, key, base_url, timeout_s)
    except Exception as error:  # noqa: BLE001 - the border
        failure = read_failure(error)
    if failure.kind is Kind.MALFORMED:  # nobody was spoken to yet: it is the address that is not understood
        failure = Failure(kind=Kind.ADDRESS)
    raise failure.error(subject)


def _openai_shaped_client(sdk: str, key: SecretStr, base_url: str, timeout_s: float) -> tuple[Any, Any]:
    """The SDK's client and the HTTP client below it: Groq's and OpenAI's SDK are made by one generator."""
    maker: Any = import_module(sdk)
    timeout = maker.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))
    http = maker.DefaultHttpxClient(timeout=timeout, **_http_options(timeout_s))
    build = maker.Groq if sdk == "groq" else maker.OpenAI
    options = {"base_url": base_url, "timeout": timeout, "max_retries": 0, "http_client": http}
    return build(api_key=key.get_secret_value(), **options), http


def _google_client(key: SecretStr, base_url: str, timeout_s: float) -> Any:
    from google import genai
    from google.genai import types

    # The SDK knows one timeout only, in milliseconds, and by default none at all.
    options = types.HttpOptions(
        base_url=base_url or None, timeout=int(timeout_s * 1000), client_args=_http_options(timeout_s)
    )
    return genai.Client(api_key=key.get_secret_value(), http_options=options)


def _http_options(timeout_s: float) -> dict[str, Any]:
    """What the HTTP clients share. A redirect would carry the question and its passages to whoever it names."""
    return {"follow_redirects": False, "event_hooks": hooks(timeout_s)}


def list_models(sdk_client: Any, subject: Subject) -> list[str]:
    """The names of all models that a server offers, in order; of Google's those that write."""
    return sorted(set(_offered(sdk_client, subject)))


def first_model(sdk_client: Any, subject: Subject) -> str:
    """The first model that an OpenAI-compatible server offers."""
    if names := _offered(sdk_client, subject):
        return names[0]
    raise ProviderError(f"{subject.label} no ofrece ningún modelo. Cargue uno en el servidor o defina LLM_MODEL.")


def _offered(sdk_client: Any, subject: Subject) -> list[str]:
    failure: Failure | None = None
    try:
        listed = sdk_client.models.list()
        models = getattr(listed, "data", listed)  # Groq's is a plain value, Google's turns its own pages
        return [name for offered in models if (name := _model_name(offered))]
    except Exception as error:  # noqa: BLE001 - the border: whatever the SDK raises is read, and told as ours
        failure = read_failure(error)
    raise failure.error(subject)


def _model_name(offered: Any) -> str:
    if isinstance(name := getattr(offered, "id", None), str):
        return name
    name, actions = getattr(offered, "name", None), getattr(offered, "supported_actions", None)
    writes = not actions or "generateContent" in actions
    return name.removeprefix("models/") if isinstance(name, str) and writes else ""
