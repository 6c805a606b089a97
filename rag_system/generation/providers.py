"""The one table of providers, and the one place where an answerer is chosen.

Nothing heavy is imported until a language model is really used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from pydantic import SecretStr

from rag_system.errors import MissingKeyError, ProviderError
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.failures import Subject
from rag_system.generation.fallback import FallbackAnswerer
from rag_system.generation.markers import MarkerStream
from rag_system.generation.prompt import PromptMessage, build_messages, prompt_version
from rag_system.generation.protocol import Answerer
from rag_system.settings import ProviderName, Settings
from rag_system.types import AnswerRequest, Message, Usage

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = [
    "PROVIDERS",
    "ModelAnswerer",
    "Provider",
    "Resolved",
    "build_answerer",
    "offered_providers",
    "resolve_fallback",
    "resolve_provider",
]

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


def resolve_provider(settings: Settings, requested: ProviderName | None = None) -> Resolved:
    """Who answers: the provider asked for, or the configured one, or extractive when that one has no key.

    Raises `MissingKeyError` when the provider was asked for by name and has no key.
    """
    name = requested or settings.llm_provider
    provider = PROVIDERS[name]
    if _lacks_key(settings, name):
        missing = f"Falta la clave de {provider.label}: defina {provider.key_variable}"
        if requested:
            raise MissingKeyError(
                f"{missing} o use el proveedor «extractive», que no necesita clave.",
                label=provider.label,
                variable=provider.key_variable,
            )
        notice = f"{missing}. Mientras tanto, se responde con citas textuales de sus documentos."
        return Resolved(provider="extractive", model="", notice=notice)
    return Resolved(
        provider=name, model=_model(settings, provider), **({} if requested else _fallback(settings, provider))
    )


def resolve_fallback(settings: Settings) -> Resolved | None:
    """Who would step in for the configured provider, with a notice where its key is missing; None: nobody is named."""
    name = settings.llm_fallback
    if name is None:
        return None
    row, notice = PROVIDERS[name], ""
    if _lacks_key(settings, name):
        notice = f"Falta la clave de {row.label}, el proveedor de reserva: defina {row.key_variable}."
    model = (settings.llm_fallback_model or row.default_model) if row.sdk != "none" else ""
    return Resolved(provider=name, model=model, notice=notice)


def offered_providers(settings: Settings) -> tuple[ProviderName, ...]:
    """The providers that a person may choose from, the configured one always among them."""
    allowed = settings.allowed_providers or get_args(ProviderName)
    return allowed if settings.llm_provider in allowed else (settings.llm_provider, *allowed)


def build_answerer(settings: Settings, requested: ProviderName | None = None) -> Answerer:
    """The answerer for `resolve_provider`'s choice."""
    resolved = resolve_provider(settings, requested)
    if resolved.provider == "extractive":
        return ExtractiveAnswerer()
    first = ModelAnswerer(resolved, settings)
    if resolved.fallback is None:
        return first
    return FallbackAnswerer(
        first=first,
        second=lambda left_s: build_answerer(_fallback_settings(settings, left_s)),
        label=PROVIDERS[resolved.fallback].label,
        total_s=settings.llm_total_timeout_s,
    )


class ModelAnswerer:
    """Writes the answer with a language model."""

    def __init__(self, resolved: Resolved, settings: Settings) -> None:
        self._resolved = resolved
        self._settings = settings
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
        return spent + Usage(prompt_version=prompt_version())

    @property
    def notices(self) -> tuple[str, ...]:
        return ()

    @property
    def chat_model(self) -> ThinChat:
        """Built when it is first needed. No lock: a rewrite that hangs must not hold back the answer."""
        if self._chat_model is None:
            self._chat_model = _chat_model(self._resolved, self._settings)
        return self._chat_model

    def rewrite(self, question: str, history: Sequence[Message]) -> str | None:
        from rag_system.generation.rewriting import rewrite

        return rewrite(lambda: self.chat_model, question, history)

    def angles(self, question: str, *, most: int) -> tuple[str, ...]:
        from rag_system.generation.query_variants import ask_query_variants

        return ask_query_variants(lambda: self.chat_model, question, most=most)

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        """The answer with its markers in their normal form, `[n]`."""
        markers = MarkerStream(len(request.evidence))
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


def _chat_model(resolved: Resolved, settings: Settings) -> ThinChat:
    from rag_system.generation import chat_models, clients

    provider = PROVIDERS[resolved.provider]
    base_url = settings.llm_base_url if _configured(settings, provider.name) else ""
    subject = Subject(
        label=provider.label,
        variable=provider.key_variable,
        model=resolved.model,
        local=bool(base_url) or not provider.needs_key,
    )
    key = _key(settings, provider.name) or _ANY_KEY
    sdk = clients.open_client(provider.sdk, key, base_url or provider.base_url, settings.llm_timeout_s, subject=subject)
    model = resolved.model or clients.first_model(sdk, subject)
    fields: dict[str, Any] = {
        "sdk_client": sdk,
        "model": model,
        "subject": subject,
        "max_tokens": settings.max_output_tokens,
        "total_s": settings.llm_total_timeout_s,
    }
    if provider.sdk == "google":
        return chat_models.GeminiChat(**fields)
    return chat_models.OpenAIShapedChat(options=_openai_options(provider, model, settings), **fields)


def _openai_options(provider: Provider, model: str, settings: Settings) -> dict[str, Any]:
    options: dict[str, Any] = {"temperature": settings.temperature}
    if provider.name != "groq":
        return options | {"max_tokens": settings.max_output_tokens, "stream_options": {"include_usage": True}}
    options["max_completion_tokens"] = settings.max_output_tokens
    if "gpt-oss" in model:
        options["reasoning_effort"] = "low"  # its thoughts count as output tokens and delay the first visible one
    return options


_ANY_KEY = SecretStr("sin-clave")  # the SDKs refuse an empty one; a local server ignores it


def _lacks_key(settings: Settings, name: ProviderName) -> bool:
    return PROVIDERS[name].needs_key and _key(settings, name) is None


def _key(settings: Settings, name: ProviderName) -> SecretStr | None:
    """The provider's key without the blanks around it, still wrapped; None where there is none."""
    secret: SecretStr | None = {
        "google": settings.google_api_key,
        "groq": settings.groq_api_key,
        "openrouter": settings.openrouter_api_key,
        "local": settings.local_api_key,
    }.get(name)
    return SecretStr(secret.get_secret_value().strip()) if secret and secret.get_secret_value().strip() else None


def _configured(settings: Settings, name: ProviderName) -> bool:
    """Whether LLM_MODEL and LLM_BASE_URL speak of this provider.

    They belong to LLM_PROVIDER; while that is extractive, which has neither, to local.
    """
    return name == settings.llm_provider or (settings.llm_provider == "extractive" and name == "local")


def _model(settings: Settings, provider: Provider) -> str:
    configured = settings.llm_model if _configured(settings, provider.name) else ""
    return (configured or provider.default_model) if provider.sdk != "none" else ""


def _fallback(settings: Settings, provider: Provider) -> dict[str, Any]:
    """Who steps in for the configured provider, or the sentence that says why nobody does; neither where none is set.

    The same provider may step in with another model.
    """
    second = resolve_fallback(settings)
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
