"""What a person said into the microphone, as text: by an OpenAI-compatible `/audio/transcriptions`, where one is named.

whisper.cpp's server, vLLM, Groq and OpenAI speak it. The SDK's own words never travel further, as with language models.
"""

from __future__ import annotations

from collections.abc import Mapping

from rag_system.errors import (
    InputError,
    ProviderAuthenticationError,
    ProviderConnectionError,
    ProviderError,
    ProviderRateLimitError,
    ProviderTimeoutError,
)
from rag_system.generation.clients import client
from rag_system.generation.failures import read_failure
from rag_system.settings import ANY_KEY, Settings

__all__ = ["LONGEST_S", "MOST_BYTES", "transcribe"]

LONGEST_S = 180  # of a recording
MOST_BYTES = LONGEST_S * 16_000 * 2 + 1024  # 16-bit samples, 16,000 a second, as the chat records; and a header
TIMEOUT_S = 60.0
_SAID: Mapping[type[ProviderError], str] = {
    ProviderAuthenticationError: "El transcriptor rechazó su clave. Revise TRANSCRIBER_API_KEY, o escriba la pregunta.",
    ProviderRateLimitError: "El transcriptor recibió demasiadas grabaciones. Espere un momento, o escriba la pregunta.",
    ProviderTimeoutError: "El transcriptor tardó demasiado. Dicte algo más corto, o escriba la pregunta.",
    ProviderConnectionError: "No se pudo llegar al transcriptor. Revise TRANSCRIBER_BASE_URL, o escriba la pregunta.",
    ProviderError: "El transcriptor no pudo con la grabación. Revise TRANSCRIBER_MODEL, o escriba la pregunta.",
}


def transcribe(settings: Settings, audio: bytes) -> str:
    """The words of a recording (WAV), on one line; at most three minutes, sent to the transcriber of the settings.

    Raises `InputError` where none is configured, the recording is too long or nothing was understood, and
    `ProviderError` with what went wrong at the transcriber.
    """
    if not settings.transcriber_base_url:
        raise InputError("Aquí no se puede dictar: falta TRANSCRIBER_BASE_URL. Escriba la pregunta.")
    if len(audio) > MOST_BYTES:
        raise InputError(f"La grabación pasa de {LONGEST_S // 60} minutos. Dicte algo más corto.")
    words = " ".join(_heard(settings, audio).split())
    if not words:
        raise InputError("No se entendió nada en la grabación. Acérquese al micrófono, o escriba la pregunta.")
    return words


def _heard(settings: Settings, audio: bytes) -> str:
    key = settings.transcriber_api_key or ANY_KEY
    try:
        sdk = client("openai", key, settings.transcriber_base_url, TIMEOUT_S)
        heard = sdk.audio.transcriptions.create(
            file=("pregunta.wav", audio, "audio/wav"), model=settings.transcriber_model, response_format="json"
        )
        words = getattr(heard, "text", None)
        if isinstance(words, str):
            return words
        kind: type[ProviderError] = ProviderError
    except Exception as error:  # noqa: BLE001 - the border: whatever the SDK raises is read, and told as ours
        kind = read_failure(error).kind.error
    raise kind(_SAID[kind])
