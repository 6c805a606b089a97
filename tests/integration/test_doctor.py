"""What `legajo doctor` finds: each planted fault by its check, in one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.doctor import examine
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings

SOUND = {"LEGAJO_OCR": "off"}


def failures(monkeypatch: pytest.MonkeyPatch, **variables: str) -> dict[str, str]:
    """What is wrong with an installation, by check."""
    for name, value in (SOUND | variables).items():
        monkeypatch.setenv(name, value)
    return {finding.check: finding.detail for finding in examine() if not finding.ok}


def url_of(settings: Settings) -> str:
    """Where the database of the settings is."""
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()


@pytest.fixture
def sound(settings: Settings) -> dict[str, str]:
    """The environment of an installation without a fault."""
    return {"LEGAJO_HOME": str(settings.home), "DATABASE_URL": url_of(settings)}


def test_nothing_is_wrong_with_a_sound_installation(monkeypatch: pytest.MonkeyPatch, sound: dict[str, str]) -> None:
    assert failures(monkeypatch, **sound) == {}


@pytest.mark.parametrize(
    ("variables", "check", "words"),
    [
        ({"LEGAJO_TOPK": "9"}, "Variables", "«LEGAJO_TOPK» no es un ajuste: ¿es LEGAJO_TOP_K?"),
        ({"LEGAJO_TOP_K": "muchos"}, "Configuración", "LEGAJO_TOP_K"),
        ({"LLM_PROVIDER": "gruq"}, "Configuración", "LLM_PROVIDER"),
        ({"LEGAJO_RECIPE": "mejor"}, "Receta de búsqueda", "«mejor»"),
        ({"LEGAJO_RERANKER": "/no/existe"}, "Modelo que reordena", "/no/existe"),
        ({"LEGAJO_EMBEDDING_MODEL": "http://127.0.0.1:1/v1#modelo"}, "Modelo de vectores", "LEGAJO_EMBEDDING_MODEL"),
        ({"DATABASE_URL": "postgresql://nadie:secreta@127.0.0.1:1/nada"}, "Base de datos", "127.0.0.1:1"),
        ({"DATABASE_URL": "mysql://x/y"}, "Base de datos", "no es una dirección de PostgreSQL"),
    ],
)
def test_a_fault_in_the_settings(
    monkeypatch: pytest.MonkeyPatch, sound: dict[str, str], variables: dict[str, str], check: str, words: str
) -> None:
    found = failures(monkeypatch, **{**sound, **variables})
    assert [each for each, detail in found.items() if words in detail] == [check]  # told once, whatever fails by it
    assert "secreta" not in str(found)


def _of_a_newer_program(settings: Settings) -> None:
    with psycopg.connect(url_of(settings)) as connection:
        connection.execute("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'mañana', '')")


def _edited(settings: Settings) -> None:
    with psycopg.connect(url_of(settings)) as connection:
        connection.execute("UPDATE schema_migrations SET checksum = 'otra' WHERE version = 1")


def _unattended(settings: Settings) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person = assistant.as_person(LOCAL_PERSON)
        person.create_project("general")
        person.project("general").library.accept_stream("acta.txt", BytesIO(b"Se aprueba el acta."))


def _lost_key(settings: Settings) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person = assistant.as_person(LOCAL_PERSON)
        person.create_project("general")
        person.project("general").keys.add("groq", "gsk-0", owner="person")
    (settings.home / "sealing.keys").unlink()


@pytest.mark.parametrize(
    ("plant", "check", "words"),
    [
        (_of_a_newer_program, "Base de datos", "más nueva de Legajo"),
        (_edited, "Base de datos", "migración 0001"),
        (_unattended, "Cola de archivos", "esperan 1 archivos. Abra el chat, o ejecute «legajo worker»"),
        (_lost_key, "Claves guardadas", "sealing.keys"),
    ],
)
def test_a_fault_in_what_is_kept(
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    tmp_path: Path,
    plant: Callable[[Settings], None],
    check: str,
    words: str,
) -> None:
    own = settings.model_copy(update={"home": tmp_path, "database_url": SecretStr(url_of(settings))})
    (tmp_path / "cache").symlink_to(settings.home / "cache")
    plant(own)
    found = failures(monkeypatch, LEGAJO_HOME=str(tmp_path), DATABASE_URL=url_of(settings))
    assert words in found[check]
