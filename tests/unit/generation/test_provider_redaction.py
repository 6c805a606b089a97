"""In a project that says so, no sentence of ours names the provider, its key's variable or its model."""

from __future__ import annotations

import pytest

from rag_system.generation.failures import Failure, Kind, Subject
from rag_system.generation.provider_redaction import redact_provider
from rag_system.generation.providers import PROVIDERS, resolve_provider
from rag_system.settings import ProviderName, Settings

MODELS = [row for row in PROVIDERS.values() if row.sdk != "none"]


@pytest.mark.parametrize("kind", list(Kind), ids=lambda kind: kind.name)
@pytest.mark.parametrize("row", MODELS, ids=lambda row: row.name)
def test_no_failure_names_who_failed(kind: Kind, row: object) -> None:
    provider = next(each for each in MODELS if each is row)
    subject = Subject(label=provider.label, variable=provider.key_variable, model="casa/modelo-9:free")
    told = redact_provider(str(Failure(kind=kind, status=503, retry_after_s=9).error(subject)))
    assert [word for word in (provider.label, provider.key_variable, "modelo-9") if word and word in told] == []
    assert told[0].isupper()
    assert " de el " not in told
    assert " a el " not in told


SENTENCES = [
    (
        "Google Gemini rechazó la clave. Revise GOOGLE_API_KEY o use LLM_PROVIDER=extractive, que no necesita clave.",
        "El proveedor rechazó la clave. Revise su clave o use LLM_PROVIDER=extractive, que no necesita clave.",
    ),
    (
        "La cuenta de OpenRouter no tiene saldo. Recárguela.",
        "La cuenta del proveedor no tiene saldo. Recárguela.",
    ),
    (
        "No se pudo llegar a Servidor local o la conexión se cortó.",
        "No se pudo llegar al proveedor o la conexión se cortó.",
    ),
    (
        "Groq no ofrece el modelo «llama-9». Corrija LLM_MODEL o déjelo vacío para usar el de costumbre.",
        "El proveedor no ofrece el modelo configurado. Corrija LLM_MODEL o déjelo vacío para usar el de costumbre.",
    ),
    (
        "La consulta es más larga de lo que «llama-9» admite. Cambie de modelo.",
        "La consulta es más larga de lo que el modelo admite. Cambie de modelo.",
    ),
    (
        "Groq está saturado. Tampoco respondió quien lo reemplaza: Google Gemini tardó demasiado.",
        "El proveedor está saturado. Tampoco respondió quien lo reemplaza: El proveedor tardó demasiado.",
    ),
    ("Busqué «Groq» en lugar de «grok».", "Busqué «Groq» en lugar de «grok»."),
    *(
        (words, words)
        for words in (
            "Busqué solo en lo que trata de «Servicios de Groq».",
            "Busqué solo en lo que trata de «Compra a Google Gemini: el proveedor».",
            "Busqué solo en lo que trata de «Groq no ofrece el modelo «X» de Groq».",
            "Busqué «el modelo «X»» en lugar de «GOOGLE_API_KEY».",
            "Busqué solo en lo que trata de «nada de lo que «Groq» admite».",
            "Entre sus documentos no está el modelo «X»: la respuesta sale de otros.",
        )
    ),
    (
        "Groq está saturado. Busqué «servicios de Groq». Esta respuesta es de Google Gemini.",
        "El proveedor está saturado. Busqué «servicios de Groq». Esta respuesta es del proveedor.",
    ),
    ("No se pudo usar la base de datos.", "No se pudo usar la base de datos."),
]


@pytest.mark.parametrize(("sentence", "told"), SENTENCES)
def test_what_happened_and_what_to_do_stays(sentence: str, told: str) -> None:
    assert redact_provider(sentence) == told
    assert redact_provider(told) == told


@pytest.mark.parametrize("name", ["google", "groq", "openrouter"])
def test_a_missing_key_is_told_without_a_name(name: ProviderName) -> None:
    notice = resolve_provider(Settings(_env_file=None, llm_provider=name)).notice  # type: ignore[call-arg]
    assert redact_provider(notice).startswith("Falta la clave del proveedor: agréguela en «Ajustes» o defina su clave.")
