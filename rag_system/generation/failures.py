"""What went wrong at a provider, read from any SDK's exception and said in Spanish.

The SDKs' own texts never travel further: they may repeat a key, a prompt or a whole request. Only the status, the
kind of failure and the wait asked for are kept.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

from rag_system.errors import (
    ProviderAuthenticationError,
    ProviderConnectionError,
    ProviderError,
    ProviderRateLimitError,
    ProviderTimeoutError,
)
from rag_system.types import Payer

__all__ = ["Failure", "Kind", "Subject", "Verdict", "read_failure", "unfinished"]

_log = logging.getLogger(__name__)


class Kind(Enum):
    """The kinds of failure a person can act upon: error class, Spanish sentence, and whether trying again may help."""

    KEY = (
        ProviderAuthenticationError,
        "{label} rechazó la clave. Revise {variable} o use LLM_PROVIDER=extractive, que no necesita clave.",
    )
    KEY_SIGNS = (
        ProviderAuthenticationError,
        "La clave de {label} tiene signos que ninguna clave lleva. Cópiela de nuevo en {variable} "
        "o use LLM_PROVIDER=extractive.",
    )
    FORBIDDEN = (
        ProviderAuthenticationError,
        "{label} no permite esta consulta con su clave (código 403). Revise los permisos de {variable} "
        "o use LLM_PROVIDER=extractive.",
    )
    PERSON_KEY = (
        ProviderAuthenticationError,
        "{label} rechazó la clave que usted agregó{status}: puede estar revocada o sin permiso para esta consulta. "
        "Cámbiela o quítela en «Ajustes» o con «legajo keys».",
    )
    PROJECT_KEY = (
        ProviderAuthenticationError,
        "{label} rechazó la clave del proyecto{status}: puede estar revocada o sin permiso para esta consulta. Quien "
        "es dueño del proyecto la cambia o la quita en «Ajustes» o con «legajo keys».",
    )
    CREDIT = (
        ProviderError,
        "La cuenta de {label} no tiene saldo. Recárguela, elija un modelo gratuito en LLM_MODEL o cambie de proveedor.",
    )
    LIMIT = (
        ProviderRateLimitError,
        "{label} recibió demasiadas consultas{wait}. Espere un momento y pregunte de nuevo, o cambie de proveedor.",
        True,
    )
    DAILY = (
        ProviderRateLimitError,
        "{label} agotó las consultas del día de su clave. Pregunte mañana, active el pago en su cuenta "
        "o cambie de proveedor.",
    )
    MODEL = (
        ProviderError,
        "{label} no ofrece el modelo «{model}». Corrija LLM_MODEL o déjelo vacío para usar el de costumbre.",
    )
    TOO_LONG = (
        ProviderError,
        "La consulta es más larga de lo que «{model}» admite. Reduzca LEGAJO_PROMPT_TOKENS o cambie de modelo.",
    )
    REJECTED = (
        ProviderError,
        "{label} rechazó la consulta{status}. Haga una pregunta más corta, reduzca LEGAJO_TOP_K o cambie de modelo.",
    )
    OVERLOADED = (
        ProviderError,
        "{label} está saturado{status}. Intente de nuevo en unos minutos o cambie de proveedor.",
        True,
    )
    SERVER = (
        ProviderError,
        "{label} tuvo un error interno{status}. Intente de nuevo en unos minutos o cambie de proveedor.",
        True,
    )
    MALFORMED = (
        ProviderError,
        "{label} respondió con datos que no se entienden. Intente de nuevo; si se repite, revise LLM_BASE_URL.",
    )
    TOO_MUCH = (
        ProviderError,
        "{label} envió mucho más de lo que ocupa una respuesta. Intente de nuevo; si se repite, cambie de proveedor.",
    )
    REDIRECT = (
        ProviderError,
        "{label} remite a otra dirección{status}, y allí no se envían sus documentos. Escriba en LLM_BASE_URL la "
        "dirección final o cambie de proveedor.",
    )
    ADDRESS = (
        ProviderError,
        "La dirección de {label} no está bien escrita. Corrija LLM_BASE_URL o use LLM_PROVIDER=extractive.",
    )
    TIMEOUT = (
        ProviderTimeoutError,
        "{label} tardó demasiado. Intente de nuevo, aumente LLM_TIMEOUT o cambie de proveedor.",
    )
    STALLED = (
        ProviderTimeoutError,
        "{label} dejó de escribir a mitad de la respuesta. Pregunte de nuevo o aumente LLM_TIMEOUT.",
    )
    OUT_OF_TIME = (
        ProviderTimeoutError,
        "{label} no terminó dentro del tiempo total. Pregunte algo más concreto, aumente LLM_TOTAL_TIMEOUT "
        "o cambie de proveedor.",
    )
    CONNECTION = (
        ProviderConnectionError,
        "No se pudo llegar a {label} o la conexión se cortó. Revise la red{address} o use LLM_PROVIDER=extractive.",
        True,
    )
    CUT = (
        ProviderConnectionError,
        "{label} cortó la respuesta antes de terminarla. Pregunte de nuevo para obtenerla completa.",
    )
    BLOCKED = (
        ProviderError,
        "{label} bloqueó la respuesta por sus reglas de seguridad. Formule la pregunta de otra manera "
        "o use LLM_PROVIDER=extractive.",
    )
    EMPTY = (ProviderError, "{label} devolvió una respuesta vacía. Intente de nuevo o cambie de modelo.")
    LENGTH = (
        ProviderError,
        "La respuesta alcanzó el máximo de tokens y quedó cortada. Pregunte algo concreto o aumente LLM_MAX_TOKENS.",
    )
    LENGTH_EMPTY = (
        ProviderError,
        "El modelo gastó el máximo de tokens antes de escribir algo. Aumente LLM_MAX_TOKENS o cambie de modelo.",
    )

    def __init__(self, error: type[ProviderError], sentence: str, retryable: bool = False) -> None:
        self.error = error
        self.sentence = sentence
        self.retryable = retryable


class Verdict(Exception):  # noqa: N818 - of ours, on the way to `read_failure`
    """What the adapters themselves find wrong with an answer while they read it."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind.name)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom a sentence is about."""

    label: str  # «Google Gemini»
    variable: str  # environment variable of the key
    model: str
    local: bool = False  # a server whose address the person chose
    payer: Payer = "settings"  # whose key it was asked with


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure that was understood."""

    kind: Kind
    status: int | None = None
    retry_after_s: float | None = None

    def midway(self) -> Failure:
        """The same after words have arrived: what broke is the answer, and it is not begun again."""
        kind = _MIDWAY.get(self.kind, self.kind)
        return Failure(kind=kind, status=self.status)

    def error(self, subject: Subject) -> ProviderError:
        """The exception for the person, without any word of the SDK's."""
        kind = _REFUSED_KEYS.get(subject.payer, self.kind) if self.kind in _KEY_KINDS else self.kind
        wait = f" y pide esperar {self.retry_after_s:.0f} s" if self.retry_after_s and self.retry_after_s >= 1 else ""
        return kind.error(
            kind.sentence.format(
                label=subject.label,
                variable=subject.variable,
                model=subject.model,
                status=f" (código {self.status})" if self.status else "",
                wait=wait,
                address=" y LLM_BASE_URL" if subject.local else "",
            ),
            code=f"provider_{kind.name.lower()}",
            **self._params(subject),
        )

    def _params(self, subject: Subject) -> dict[str, str | float]:
        known = {"status": self.status, "wait_s": self.retry_after_s}
        named = {"label": subject.label, "variable": subject.variable, "model": subject.model}
        return named | {name: value for name, value in known.items() if value is not None}


_KEY_KINDS = (Kind.KEY, Kind.KEY_SIGNS, Kind.FORBIDDEN)
_REFUSED_KEYS: Mapping[Payer, Kind] = {"person": Kind.PERSON_KEY, "project": Kind.PROJECT_KEY}
_MIDWAY = {Kind.CONNECTION: Kind.CUT, Kind.TIMEOUT: Kind.STALLED, Kind.LENGTH_EMPTY: Kind.LENGTH}
_BY_STATUS = {
    400: Kind.REJECTED,
    401: Kind.KEY,
    402: Kind.CREDIT,
    403: Kind.FORBIDDEN,
    404: Kind.MODEL,
    408: Kind.TIMEOUT,
    413: Kind.REJECTED,
    422: Kind.REJECTED,
    429: Kind.LIMIT,
    503: Kind.OVERLOADED,
    504: Kind.TIMEOUT,
    529: Kind.OVERLOADED,
}
# Google answers 400, not 401, to a bad key; OpenRouter 400, not 404, to an unknown model.
_BY_WORDS = (
    (Kind.KEY, ("api_key_invalid", "api key not valid", "invalid api key", "invalid_api_key")),
    (Kind.MODEL, ("not a valid model", "model_not_found", "model_decommissioned", "unknown model")),
    (Kind.CREDIT, ("insufficient_quota", "insufficient credits")),
    (Kind.DAILY, ("perday", "per day", "per-day")),  # of a 429: no wait that anyone would sit through helps
    (
        Kind.TOO_LONG,
        ("context length", "context_length_exceeded", "input token count", "request too large", "too many tokens"),
    ),
)


# What reading something of another shape than its maker's raises, in an SDK or in an adapter.
_MISREADINGS = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


def read_failure(error: BaseException) -> Failure:
    """Understand whatever came out of an SDK; the log learns its type, never its words."""
    if isinstance(error, Verdict):
        return Failure(kind=error.kind)
    _log.info("%s.%s", type(error).__module__, type(error).__qualname__)
    status = _status(error)
    words = f"{error} {getattr(error, 'body', '')}".casefold()  # OpenAI's SDK leaves the code out of its text
    return Failure(kind=_kind(error, status, words), status=status, retry_after_s=_retry_after(error))


def _kind(error: BaseException, status: int | None, words: str) -> Kind:
    for kind, known in _BY_WORDS:
        if status is not None and 400 <= status < 500 and any(word in words for word in known):
            return kind
    if status is not None:
        return _BY_STATUS.get(status, _of_family(status))
    if isinstance(error, UnicodeEncodeError) and error.encoding == "ascii":
        return Kind.KEY_SIGNS  # the one header whose value is not ours
    names = " ".join(cls.__name__ for cls in type(error).__mro__)
    for kind, parts in _BY_NAME:
        if any(part in names for part in parts):
            return kind
    return Kind.MALFORMED if isinstance(error, _MISREADINGS) else Kind.SERVER


_BY_NAME: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    (Kind.ADDRESS, ("InvalidURL", "UnsupportedProtocol")),
    (Kind.TIMEOUT, ("Timeout",)),
    (Kind.CONNECTION, ("Connection", "TransportError", "OSError")),
)


def _of_family(status: int) -> Kind:
    if status < 400:
        return Kind.REDIRECT
    return Kind.SERVER if status >= 500 else Kind.REJECTED


def _status(error: BaseException) -> int | None:
    """The HTTP status, also of an error that arrives inside a stream that began with 200."""
    for name in ("status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and 300 <= value < 600:
            return value
    return None


def _retry_after(error: BaseException) -> float | None:
    """Seconds asked for: the header `Retry-After`, or Google's `RetryInfo` in the body."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if isinstance(headers, Mapping) and (seconds := _seconds(headers.get("retry-after"))) is not None:
        return seconds
    return next(
        (s for value in _retry_delays(getattr(error, "details", None)) if (s := _seconds(value)) is not None), None
    )


def _retry_delays(details: Any) -> Iterable[Any]:
    inner = details.get("error", details) if isinstance(details, dict) else {}
    items = inner.get("details", []) if isinstance(inner, dict) else []
    return [item.get("retryDelay") for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _seconds(value: Any) -> float | None:
    """Seconds to wait: `7`, `7.5`, Google's `7s`, or until an HTTP date; None for anything else."""
    text = str(value).strip()
    try:
        seconds = float(text.removesuffix("s"))
    except ValueError:
        return _until(text)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


_BLOCKED = frozenset(
    "content_filter safety recitation blocklist prohibited_content spii model_armor jailbreak escalation".split()
)


def unfinished(finish: str, *, wrote: bool, spoke: bool) -> Kind | None:
    """Why an answer that ended without an exception is still not whole; None when it is.

    `finish` is the provider's finish reason; a stream without one was cut. One in which the server did not speak at
    all (no event of `spoke`) is a page of something else that happens to live at the address.
    """
    reason = finish.casefold()
    if not spoke:
        return Kind.MALFORMED
    if reason in _BLOCKED:
        return Kind.BLOCKED
    if reason in {"length", "max_tokens"}:
        return Kind.LENGTH if wrote else Kind.LENGTH_EMPTY
    if reason == "error":
        return Kind.CUT if wrote else Kind.SERVER
    if not wrote:
        return Kind.EMPTY if reason else Kind.CONNECTION
    return None if reason else Kind.CUT
