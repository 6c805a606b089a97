"""The SDKs' clients: built once, with time-outs, and without their own retries.

Building one costs 0.3–0.8 s (certificates), hence one per provider, key and address, and not one per question.
"""

from __future__ import annotations

import json
import time
import weakref
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import SecretStr

from rag_system.errors import ProviderError
from rag_system.generation.failures import Failure, Subject, read_failure

__all__ = ["client", "first_model", "sdk_failures"]

CONNECT_TIMEOUT_S = 10.0


@lru_cache(maxsize=32)
def client(sdk: str, key: SecretStr, base_url: str, timeout_s: float) -> Any:
    """The SDK's client: `sdk` is google, groq or openai. An empty `base_url` is the SDK's own.

    The key stays wrapped until the SDK takes it: a trace that prints local variables shows no key of ours.
    """
    if sdk == "google":
        return _google_client(key, base_url, timeout_s)
    built, http = (_groq_client if sdk == "groq" else _openai_client)(key, base_url, timeout_s)
    # The cache may drop a client while it is in use: its connections are closed once nobody holds it any more. A
    # `__del__` will not do: the client is a reference cycle, and the collector may end its sockets before it.
    weakref.finalize(built, http.close)
    return built


def _groq_client(key: SecretStr, base_url: str, timeout_s: float) -> tuple[Any, Any]:
    """The SDK's client and the HTTP client below it."""
    import groq

    timeout = groq.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))
    http = groq.DefaultHttpxClient(timeout=timeout)
    options: dict[str, Any] = {"timeout": timeout, "max_retries": 0, "http_client": http}
    return groq.Groq(api_key=key.get_secret_value(), base_url=base_url, **options), http


def _openai_client(key: SecretStr, base_url: str, timeout_s: float) -> tuple[Any, Any]:
    """The SDK's client and the HTTP client below it."""
    import openai

    timeout = openai.Timeout(timeout_s, connect=min(timeout_s, CONNECT_TIMEOUT_S))
    hooks = {"response": [_comments_are_silence(timeout_s)]}
    http = openai.DefaultHttpxClient(timeout=timeout, event_hooks=hooks)
    options: dict[str, Any] = {"timeout": timeout, "max_retries": 0, "http_client": http}
    return openai.OpenAI(api_key=key.get_secret_value(), base_url=base_url, **options), http


def _comments_are_silence(silence_s: float) -> Any:
    """A hook that ends a stream in which nothing but comments arrives for `silence_s` seconds.

    OpenRouter sends «: OPENROUTER PROCESSING» while a model queues, which would hold off the read time-out for ever.
    """
    import httpx2

    class Listened(httpx2.SyncByteStream):
        def __init__(self, stream: httpx2.SyncByteStream) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            heard = time.monotonic()
            for part in self._stream:
                if any(line and not line.startswith(b":") for line in part.splitlines()):
                    heard = time.monotonic()
                elif time.monotonic() - heard > silence_s:
                    raise httpx2.ReadTimeout("only comments")
                yield part

        def close(self) -> None:
            self._stream.close()

    def listen(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = Listened(response.stream)

    return listen


def _google_client(key: SecretStr, base_url: str, timeout_s: float) -> Any:
    from google import genai
    from google.genai import types

    # The SDK knows one timeout only, in milliseconds, and by default none at all.
    options = types.HttpOptions(base_url=base_url or None, timeout=int(timeout_s * 1000))
    return genai.Client(api_key=key.get_secret_value(), http_options=options)


def sdk_failures(sdk: str) -> tuple[type[BaseException], ...]:
    """What an SDK's stream may raise, its HTTP library's errors included: a cut in the middle arrives raw."""
    import httpx

    if sdk == "google":
        from google.genai import errors

        return (errors.APIError, errors.UnknownApiResponseError, httpx.HTTPError, json.JSONDecodeError, *_httpx2())
    if sdk == "groq":
        import groq

        return (groq.GroqError, httpx.HTTPError, json.JSONDecodeError)
    import openai

    return (openai.OpenAIError, json.JSONDecodeError, *_httpx2())


def _httpx2() -> tuple[type[BaseException], ...]:
    import httpx2

    return (httpx2.HTTPError,)


def first_model(sdk_client: Any, subject: Subject) -> str:
    """The first model that an OpenAI-compatible server offers."""
    failure: Failure | None = None
    try:
        for offered in sdk_client.models.list():
            return str(offered.id)
    except sdk_failures("openai") as error:
        failure = read_failure(error)
    if failure is not None:
        raise failure.error(subject)
    raise ProviderError(f"{subject.label} no ofrece ningún modelo. Cargue uno en el servidor o defina LLM_MODEL.")
