"""A recording as words, over the real wire format; each failure is one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from rag_system.errors import InputError, LegajoError, ProviderAuthenticationError, ProviderConnectionError
from rag_system.generation.transcribing import MOST_BYTES, transcribe
from rag_system.settings import Settings
from tests.fakes import transcriber
from tests.fakes.transcriber import FakeTranscriber

AUDIO = b"RIFF\x24\x00\x00\x00WAVEfmt "


@pytest.fixture(scope="module")
def server() -> Iterator[FakeTranscriber]:
    with transcriber.running() as made:
        yield made


def settings(url: str, key: str = "") -> Settings:
    secret = SecretStr(key) if key else None
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        transcriber_base_url=url,
        transcriber_model="whisper-grande",
        transcriber_api_key=secret,
    )


def test_the_recording_is_sent_and_its_words_come_on_one_line(server: FakeTranscriber) -> None:
    assert transcribe(settings(server.url), AUDIO) == "¿Cuál es el plazo de respuesta?"
    sent = server.heard[-1]
    assert (sent["file"], sent["model"]) == (AUDIO, b"whisper-grande")


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("bad-9f3a", "El transcriptor rechazó su clave."),
        ("limit-9f3a", "El transcriptor recibió demasiadas grabaciones."),
        ("broken-9f3a", "El transcriptor no pudo con la grabación."),
        ("page-9f3a", "El transcriptor no pudo con la grabación."),
        ("mute-9f3a", "No se entendió nada en la grabación."),
    ],
)
def test_each_failure_is_one_sentence_without_the_key(server: FakeTranscriber, key: str, said: str) -> None:
    with pytest.raises(LegajoError, match=said) as raised:
        transcribe(settings(server.url, key), AUDIO)
    assert key not in str(raised.value)


def test_the_kind_of_failure_is_kept(server: FakeTranscriber) -> None:
    with pytest.raises(ProviderAuthenticationError):
        transcribe(settings(server.url, "bad"), AUDIO)
    with pytest.raises(ProviderConnectionError, match="No se pudo llegar al transcriptor"):
        transcribe(settings("http://127.0.0.1:1/v1"), AUDIO)


def test_a_long_recording_is_not_sent(server: FakeTranscriber) -> None:
    before = len(server.heard)
    with pytest.raises(InputError, match="La grabación pasa de 3 minutos"):
        transcribe(settings(server.url), b"\0" * (MOST_BYTES + 1))
    assert len(server.heard) == before


def test_without_a_transcriber_nobody_is_asked() -> None:
    with pytest.raises(InputError, match="Aquí no se puede dictar"):
        transcribe(settings(""), AUDIO)
