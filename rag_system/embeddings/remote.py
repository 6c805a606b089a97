"""Embedding models behind an API: Google, and any server that speaks OpenAI's `/embeddings`.

The SDKs' own error texts never travel further: they may repeat a key or the text that was sent.
"""

from __future__ import annotations

import math
import weakref
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rag_system.embeddings.protocol import Manifest, encodable
from rag_system.errors import ConfigurationError, EmbeddingError, EmbeddingServiceError, MissingKeyError
from rag_system.settings import ANY_KEY, Settings

__all__ = ["GoogleEmbeddings", "OpenAIEmbeddings"]

CHARACTERS_PER_TOKEN = 4  # of Spanish prose; the models' tokenizers are not at hand
SHORTEST_TOKEN = 2  # characters a token has at least in running text: what is longer than the model reads is cut by it
BLANK = "-"  # stands for a text without visible characters, which the APIs reject
ATTEMPTS = 4  # the SDKs wait between them, up to MAX_DELAY_S
MAX_DELAY_S = 8.0
_BUSY = (408, 409, 425, 429)  # of HTTP's errors of the client, those that pass


class _RemoteEmbeddings(ABC):
    """Batches, clean texts, as many vectors as texts, unit length; a subclass sends one batch."""

    label: str
    batch_texts: int
    _max_tokens: int

    @property
    @abstractmethod
    def manifest(self) -> Manifest: ...

    @abstractmethod
    def _send(self, texts: list[str], *, query: bool) -> list[Sequence[float]]:
        """The server's vectors of one batch; may raise whatever the SDK does."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embed(texts, query=False)

    def embed_query(self, text: str) -> list[float]:
        return self._embed([text], query=True)[0]

    def count_tokens(self, texts: list[str]) -> list[int]:
        """An estimate: the server's tokenizer is not at hand."""
        return [math.ceil(len(text) / CHARACTERS_PER_TOKEN) for text in texts]

    def _embed(self, texts: list[str], *, query: bool) -> list[list[float]]:
        vectors: list[list[float]] = []
        for start in range(0, len(texts), self.batch_texts):
            batch = [self._sendable(text) for text in texts[start : start + self.batch_texts]]
            vectors += [self._unit(vector) for vector in self._ask(batch, query=query)]
        return vectors

    def _sendable(self, text: str) -> str:
        sent = encodable(text.replace("\x00", " "))
        return sent[: self._max_tokens * SHORTEST_TOKEN] if sent.strip() else BLANK

    def _ask(self, batch: list[str], *, query: bool) -> list[Sequence[float]]:
        try:
            vectors = self._send(batch, query=query)
        except Exception as error:  # noqa: BLE001 - the border: whatever the SDK raises is told as ours
            kind = EmbeddingServiceError if _may_pass(error) else EmbeddingError
            raise kind(f"{self.label} {_reason(error)}") from None
        if len(vectors) != len(batch):
            raise EmbeddingError(
                f"{self.label} devolvió {len(vectors)} vectores para {len(batch)} textos. "
                "Elija otro modelo en LEGAJO_EMBEDDING_MODEL."
            )
        return vectors

    def _unit(self, vector: Sequence[float]) -> list[float]:
        try:
            length = math.hypot(*vector)
        except TypeError:  # a server may send anything where a number belongs
            length = 0.0
        if not length or not math.isfinite(length):
            raise EmbeddingError(f"{self.label} devolvió un vector vacío. Elija otro modelo en LEGAJO_EMBEDDING_MODEL.")
        return [value / length for value in vector]


def _status(error: Exception) -> int | None:
    return next((s for name in ("status_code", "code") if isinstance(s := getattr(error, name, None), int)), None)


def _may_pass(error: Exception) -> bool:
    """Whether the same texts may be answered later: the server is away, overloaded, or says something else than it."""
    status = _status(error)
    return status is None or status in _BUSY or status >= 500


def _reason(error: Exception) -> str:
    """The failure in words for the person, from the HTTP status or the kind of exception."""
    status = _status(error)
    if status in (401, 403) or "API_KEY_INVALID" in str(error):
        return "rechazó la clave al calcular vectores. Revise la variable de su clave."
    if status == 404:
        return "no ofrece ese modelo de vectores. Revise LEGAJO_EMBEDDING_MODEL."
    if status == 429:
        return "recibió demasiadas consultas al calcular vectores. Espere un minuto e intente de nuevo."
    if status is not None:
        return f"no pudo calcular los vectores (código {status}). Intente de nuevo o revise LEGAJO_EMBEDDING_MODEL."
    if "Timeout" in type(error).__name__:
        return "tardó demasiado en calcular los vectores. Intente de nuevo o aumente LLM_TIMEOUT."
    return "no respondió al calcular los vectores. Revise la red y la dirección del servidor."


class GoogleEmbeddings(_RemoteEmbeddings):
    """Google's Gemini embedding models, cut to 768 dimensions (and no longer unit length until we make it so)."""

    label = "Google"
    batch_texts = 100  # the API's limit
    _max_tokens = 2048
    _dimension = 768

    def __init__(self, *, model: str, settings: Settings) -> None:
        if settings.google_api_key is None:
            raise MissingKeyError(
                f"Falta GOOGLE_API_KEY, que pide LEGAJO_EMBEDDING_MODEL=google:{model}. "
                "Defínala o use «multilingual-e5-small», que no necesita clave.",
                label=self.label,
                variable="GOOGLE_API_KEY",
            )
        self._model = model
        self._key = settings.google_api_key
        self._timeout_s = settings.llm_timeout_s
        self._base_url = settings.llm_base_url if settings.llm_provider == "google" else ""

    @property
    def manifest(self) -> Manifest:
        return Manifest(
            model_id=f"google:{self._model}/{self._dimension}/1",
            dimension=self._dimension,
            max_tokens=self._max_tokens,
            is_remote=True,
        )

    @cached_property
    def _client(self) -> Any:
        from google import genai
        from google.genai import types

        return genai.Client(
            api_key=self._key.get_secret_value(),
            http_options=types.HttpOptions(
                base_url=self._base_url or None,
                timeout=int(self._timeout_s * 1000),
                client_args={"follow_redirects": False},  # it would carry the texts to whoever it names
                retry_options=types.HttpRetryOptions(attempts=ATTEMPTS, max_delay=MAX_DELAY_S),
            ),
        )

    def _send(self, texts: list[str], *, query: bool) -> list[Sequence[float]]:
        from google.genai import types

        # Content objects: some models read a list of plain strings as the parts of one text and return one vector.
        response = self._client.models.embed_content(
            model=self._model,
            contents=[types.Content(parts=[types.Part(text=text)]) for text in texts],
            config=types.EmbedContentConfig(
                task_type="RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT", output_dimensionality=self._dimension
            ),
        )
        return [embedding.values or () for embedding in response.embeddings or ()]


class OpenAIEmbeddings(_RemoteEmbeddings):
    """A model of any server that speaks OpenAI's `/embeddings`: llama-server, Ollama, vLLM, OpenAI itself."""

    label = "El servidor de vectores"
    batch_texts = 64
    _max_tokens = 8191

    def __init__(self, *, model: str, settings: Settings) -> None:
        if not settings.llm_base_url:
            raise ConfigurationError(
                f"LEGAJO_EMBEDDING_MODEL=openai:{model} necesita LLM_BASE_URL, la dirección del servidor "
                "(por ejemplo http://localhost:11434/v1). Defínala o use «multilingual-e5-small»."
            )
        self._model = model
        self._settings = settings

    @cached_property
    def manifest(self) -> Manifest:
        """Asks the server for one vector: only that tells how long its vectors are."""
        return Manifest(
            model_id=f"openai:{self._model}/1",
            dimension=len(self.embed_query("dimensión")),
            max_tokens=self._max_tokens,
            is_remote=True,
        )

    @cached_property
    def _client(self) -> Any:
        from openai import DefaultHttpxClient, OpenAI

        key = self._settings.local_api_key or ANY_KEY
        http = DefaultHttpxClient(timeout=self._settings.llm_timeout_s, follow_redirects=False)
        built = OpenAI(
            api_key=key.get_secret_value(),
            base_url=self._settings.llm_base_url,
            timeout=self._settings.llm_timeout_s,
            max_retries=ATTEMPTS - 1,
            http_client=http,
        )
        weakref.finalize(built, http.close)  # it is a cycle: its sockets' end may come before its own
        return built

    def _send(self, texts: list[str], *, query: bool) -> list[Sequence[float]]:  # noqa: ARG002 (the API knows no roles)
        response = self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
        return [item.embedding for item in sorted(response.data, key=lambda item: item.index)]
