"""The one table of providers, and the one place where an answerer is chosen.

Nothing heavy is imported until a language model is really used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from rag_system.errors import MissingKeyError, ProviderError
from rag_system.generation.credentials import Credentials, settings_credentials
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.failures import Subject
from rag_system.generation.fallback import FallbackAnswerer
from rag_system.generation.markers import MarkerStream
from rag_system.generation.prompt import PromptMessage, build_messages, prompt_version
from rag_system.generation.protocol import Answerer
from rag_system.settings import ANY_KEY, ProviderName, Settings
from rag_system.types import AnswerRequest, Usage

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = [
    "PROVIDERS",
    "ModelAnswerer",
    "Provider",
    "Resolved",
    "build_answerer",
    "list_models",
    "offered_providers",
    "propose_title",
    "resolve_fallback",
    "resolve_provider",
    "try_key",
]

_TITLE_TOKENS = 60  # what a model may write of a title
Sdk = Literal["google", "groq", "openai", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A row of the table."""

    name: ProviderName
    label: str  # for people
    sdk: Sdk
    key_variable: str = ""  # environment variable of its key
    needs_key: bool = True
    base_url: str = ""  # empty: the SDK's own
    default_model: str = ""


PROVIDERS: dict[ProviderName, Provider] = {
    row.name: row
    for row in (
        Provider(name="extractive", label="Citas textuales", sdk="none", needs_key=False),
        Provider(
            name="google",
            label="Google Gemini",
            sdk="google",
            key_variable="GOOGLE_API_KEY",
            default_model="gemini-3.5-flash-lite",
        ),
        Provider(
            name="groq",
            label="Groq",
            sdk="groq",
            key_variable="GROQ_API_KEY",
            base_url="https://api.groq.com",
            default_model="openai/gpt-oss-120b",
        ),
        Provider(
            name="openrouter",
            label="OpenRouter",
            sdk="openai",
            key_variable="OPENROUTER_API_KEY",
            base_url="https://openrouter.ai/api/v1",
            default_model="google/gemma-4-31b-it:free",
        ),
        Provider(
            name="local",
            label="Servidor local",
            sdk="openai",
            key_variable="LOCAL_API_KEY",
            needs_key=False,
            base_url="http://localhost:11434/v1",  # Ollama's; LLM_BASE_URL names any other
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """Who will answer. `model` is empty for a local server whose model is not known yet."""

    provider: ProviderName
    model: str
    notice: str = ""  # Spanish sentence, when it is not the provider that was configured
    fallback: ProviderName | None = None  # who steps in when it fails


def resolve_provider(
    settings: Settings, requested: ProviderName | None = None, credentials: Credentials | None = None
) -> Resolved:
    """Who answers: the provider asked for, or the configured one, or extractive when that one has no key.

    Without `credentials` those of the settings count. Raises `MissingKeyError` when the provider was asked for by name
    and has no key.
    """
    credentials = credentials or settings_credentials(settings)
    name = requested or settings.llm_provider
    provider = PROVIDERS[name]
    if missing := _missing_key(credentials, provider):
        if requested:
            raise MissingKeyError(
                f"{missing}, o use el proveedor «extractive», que no necesita clave.",
                code="unreadable_key" if name in credentials.keys else "",
                label=provider.label,
                variable=provider.key_variable,
            )
        notice = f"{missing}. Mientras tanto, se responde con citas textuales de sus documentos."
        return Resolved(provider="extractive", model="", notice=notice)
    return Resolved(
        provider=name,
        model=_model(settings, provider, credentials),
        **({} if requested else _fallback(settings, provider, credentials)),
    )


def resolve_fallback(settings: Settings, credentials: Credentials | None = None) -> Resolved | None:
    """Who would step in for the configured provider, with a notice where its key is missing; None: nobody is named."""
    name = settings.llm_fallback
    if name is None:
        return None
    row = PROVIDERS[name]
    missing = _missing_key(
        credentials or settings_credentials(settings), row, label=f"{row.label}, el proveedor de reserva"
    )
    notice = f"{missing}." if missing else ""
    model = (settings.llm_fallback_model or row.default_model) if row.sdk != "none" else ""
    return Resolved(provider=name, model=model, notice=notice)


def offered_providers(settings: Settings) -> tuple[ProviderName, ...]:
    """The providers that a person may choose from, the configured one always among them."""
    allowed = settings.allowed_providers or get_args(ProviderName)
    return allowed if settings.llm_provider in allowed else (settings.llm_provider, *allowed)


def build_answerer(
    settings: Settings, requested: ProviderName | None = None, credentials: Credentials | None = None
) -> Answerer:
    """The answerer for `resolve_provider`'s choice."""
    credentials = credentials or settings_credentials(settings)
    resolved = resolve_provider(settings, requested, credentials)
    if resolved.provider == "extractive":
        return ExtractiveAnswerer()
    first = ModelAnswerer(resolved, settings, credentials)
    if resolved.fallback is None:
        return first
    return FallbackAnswerer(
        first=first,
        second=lambda left_s: build_answerer(_fallback_settings(settings, left_s), None, credentials),
        label=PROVIDERS[resolved.fallback].label,
        total_s=settings.llm_total_timeout_s,
    )


def try_key(settings: Settings, provider: ProviderName, credentials: Credentials) -> None:
    """Ask a provider for one word, to see whether it takes the key. Raises what an answer would."""
    model = _chat_model(resolve_provider(settings, provider, credentials), settings, credentials)
    next(model.words([("user", "Responda solo con la palabra: sí")]), None)


def list_models(settings: Settings, provider: ProviderName, credentials: Credentials) -> list[str]:
    """The names of the models that a provider offers, in order. Raises what an answer would."""
    from rag_system.generation import clients

    model = _chat_model(resolve_provider(settings, provider, credentials), settings, credentials)
    return clients.list_models(model.sdk_client, model.subject)


def propose_title(
    settings: Settings, requested: ProviderName | None, credentials: Credentials, question: str, answer: str
) -> tuple[str | None, Usage]:
    """What a model calls a conversation of that question and answer, None where none answers or it is late; and what it
    took to ask, also where nothing came of it.
    """
    from rag_system.generation.entitling import ask_title

    resolved = resolve_provider(settings, requested, credentials)
    if resolved.provider == "extractive":
        return None, Usage()
    model = ModelAnswerer(resolved, settings.model_copy(update={"max_output_tokens": _TITLE_TOKENS}), credentials)
    return ask_title(model.side_model, question, answer), model.usage


class ModelAnswerer:
    """Writes the answer with a language model."""

    def __init__(self, resolved: Resolved, settings: Settings, credentials: Credentials) -> None:
        self._resolved = resolved
        self._settings = settings
        self._credentials = credentials
        self._chat_model: ThinChat | None = None

    @property
    def provider(self) -> str:
        return self._resolved.provider

    @property
    def model(self) -> str:
        """Its name; of a local server without LLM_MODEL it is known from the first answer on."""
        return self._chat_model.model if self._chat_model is not None else self._resolved.model

    @property
    def usage(self) -> Usage:
        spent = self._chat_model.spent if self._chat_model is not None else Usage()
        key = self._credentials.keys.get(self._resolved.provider)
        return spent + Usage(prompt_version=prompt_version(), paid_by=key.payer if key else None)

    @property
    def notices(self) -> tuple[str, ...]:
        return ()

    @property
    def chat_model(self) -> ThinChat:
        """Built when it is first needed. No lock: a rewrite that hangs must not hold back the answer."""
        if self._chat_model is None:
            self._chat_model = _chat_model(self._resolved, self._settings, self._credentials)
        return self._chat_model

    def side_model(self) -> ThinChat:
        return self.chat_model

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        """The answer with its markers in their normal form, `[n]`."""
        markers = MarkerStream([item.n for item in request.sources])
        wrote = False
        try:
            for words in self.chat_model.words(self._messages(request)):
                text = markers.feed(words)
                text = text if wrote else text.lstrip()  # blank first tokens are not the answer's beginning
                wrote = wrote or bool(text)
                if text:
                    yield text
        except ProviderError:
            if text := markers.close():  # what arrived stays the person's
                yield text
            raise
        if text := markers.close():
            yield text

    def _messages(self, request: AnswerRequest) -> list[PromptMessage]:
        writer = f"{self.chat_model.model}, de {PROVIDERS[self._resolved.provider].label}"
        return build_messages(request, max_tokens=self._settings.prompt_tokens, writer=writer)


def _chat_model(resolved: Resolved, settings: Settings, credentials: Credentials) -> ThinChat:
    from rag_system.generation import chat_models, clients

    provider = PROVIDERS[resolved.provider]
    key = credentials.keys.get(provider.name)
    base_url = settings.llm_base_url if _configured(settings, provider.name, credentials) else ""
    subject = Subject(
        label=provider.label,
        variable=provider.key_variable,
        model=resolved.model,
        local=bool(base_url) or not provider.needs_key,
        payer=key.payer if key else "settings",
    )
    secret, address = (key and key.secret) or ANY_KEY, base_url or provider.base_url
    sdk = clients.open_client(provider.sdk, secret, address, settings.llm_timeout_s, subject=subject)
    model = resolved.model or clients.first_model(sdk, subject)
    fields: dict[str, Any] = {
        "sdk_client": sdk,
        "model": model,
        "subject": subject,
        "max_tokens": settings.max_output_tokens,
        "thinking_tokens": settings.thinking_tokens,
        "total_s": settings.llm_total_timeout_s,
    }
    if provider.sdk == "google":
        return chat_models.GeminiChat(**fields)
    return chat_models.OpenAIShapedChat(options=_openai_options(provider, model, settings), **fields)


def _openai_options(provider: Provider, model: str, settings: Settings) -> dict[str, Any]:
    options: dict[str, Any] = {"temperature": settings.temperature}
    longest = settings.max_output_tokens + settings.thinking_tokens  # providers count thoughts as output
    if provider.name != "groq":
        return options | {"max_tokens": longest, "stream_options": {"include_usage": True}}
    options["max_completion_tokens"] = longest
    if "gpt-oss" in model:
        options["reasoning_effort"] = "low"  # its thoughts delay the first visible token
    return options


def _missing_key(credentials: Credentials, provider: Provider, *, label: str = "") -> str:
    """Why a provider that needs a key has none, as the beginning of a sentence; empty where it has one."""
    key, label = credentials.keys.get(provider.name), label or provider.label
    if not provider.needs_key or (key and key.secret):
        return ""
    if key is None:
        return f"Falta la clave de {label}: agréguela en «Ajustes» o defina {provider.key_variable}"
    whose = "su clave" if key.payer == "person" else "la clave del proyecto"
    return f"No se puede abrir {whose} de {label}: «legajo doctor» dice qué falta. Escríbala de nuevo en «Ajustes»"


def _configured(settings: Settings, name: ProviderName, credentials: Credentials) -> bool:
    """Whether LLM_MODEL and LLM_BASE_URL speak of this provider.

    They belong to LLM_PROVIDER; while that is extractive, which has neither, to local. Where they name a server, the
    key of a person or a project is not for it: it goes to the provider's own, which knows other models.
    """
    key = credentials.keys.get(name)
    if settings.llm_base_url and key and not key.goes_to_own_address:
        return False
    return name == settings.llm_provider or (settings.llm_provider == "extractive" and name == "local")


def _model(settings: Settings, provider: Provider, credentials: Credentials) -> str:
    configured = settings.llm_model if _configured(settings, provider.name, credentials) else ""
    return (configured or provider.default_model) if provider.sdk != "none" else ""


def _fallback(settings: Settings, provider: Provider, credentials: Credentials) -> dict[str, Any]:
    """Who steps in for the configured provider, or the sentence that says why nobody does; neither where none is set.

    The same provider may step in with another model.
    """
    second = resolve_fallback(settings, credentials)
    if second is None or provider.sdk == "none":
        return {}
    return {"notice": second.notice} if second.notice else {"fallback": second.provider}


def _fallback_settings(settings: Settings, left_s: float) -> Settings:
    """As if the fallback were the provider, and nobody stepped in for it."""
    return settings.model_copy(
        update={
            "llm_provider": settings.llm_fallback,
            "llm_model": settings.llm_fallback_model,
            "llm_base_url": settings.llm_fallback_base_url,
            "llm_fallback": None,
            "llm_total_timeout_s": left_s,
        }
    )
