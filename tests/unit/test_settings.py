"""A wrong value is told in one Spanish line, and the page about the settings is the one that the model makes."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from rag_system.errors import ConfigurationError
from rag_system.settings import Settings, load_settings, variable

SCRIPT = Path(__file__).parents[2] / "scripts" / "settings_table.py"

WRONG = [
    (
        "LLM_PROVIDER",
        "chatgpt",
        "LLM_PROVIDER vale «chatgpt», y debe ser extractive, google, groq, openrouter o local.",
    ),
    (
        "LEGAJO_PROVIDERS",
        "google, bard",
        "LEGAJO_PROVIDERS contiene «bard», y debe ser extractive, google, groq, openrouter o local.",
    ),
    ("LLM_TEMPERATURE", "mucha", "LLM_TEMPERATURE vale «mucha», y debe ser un número de 0 a 2."),
    ("LLM_TEMPERATURE", "2.1", "LLM_TEMPERATURE vale «2.1», y debe ser un número de 0 a 2."),
    ("LLM_TIMEOUT", "0", "LLM_TIMEOUT vale «0», y debe ser un número mayor que 0."),
    ("LLM_MAX_TOKENS", "0", "LLM_MAX_TOKENS vale «0», y debe ser un número entero de 1 o más."),
    ("LEGAJO_TOP_K", "21", "LEGAJO_TOP_K vale «21», y debe ser un número entero de 1 a 20."),
    ("LEGAJO_TOP_K", "8,5", "LEGAJO_TOP_K vale «8,5», y debe ser un número entero de 1 a 20."),
    ("LEGAJO_HISTORY_MESSAGES", "-1", "LEGAJO_HISTORY_MESSAGES vale «-1», y debe ser un número entero de 0 a 20."),
    ("LEGAJO_HISTORY_MESSAGES", "21", "LEGAJO_HISTORY_MESSAGES vale «21», y debe ser un número entero de 0 a 20."),
    (
        "LEGAJO_CHUNK_TOKENS",
        "x" * 99,
        f"LEGAJO_CHUNK_TOKENS vale «{'x' * 40}…», y debe ser un número entero de 50 o más.",
    ),
    ("LEGAJO_HOME", "~nadie/x", "LEGAJO_HOME vale «~nadie/x», y debe ser la ruta de una carpeta."),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_a_wrong_value_is_named_with_what_is_accepted(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError) as caught:
        load_settings()
    assert str(caught.value) == f"{said} Corríjalo y vuelva a intentar."


RIGHT = [
    ("LEGAJO_TOP_K", "20", "top_k", 20),
    ("LLM_TEMPERATURE", "", "temperature", 0.4),  # empty is as good as unset
    ("LEGAJO_PROVIDERS", " google, local ,", "allowed_providers", ("google", "local")),
    ("LEGAJO_MIN_QUESTION_CHARS", "5", "min_question_chars", 5),
    ("LEGAJO_HOME", "/datos/legajo", "home", Path("/datos/legajo")),
]


@pytest.mark.parametrize(("name", "value", "field", "read"), RIGHT)
def test_values_are_read(monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, read: object) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(load_settings(), field) == read


def test_keys_do_not_show() -> None:
    text = repr(Settings(google_api_key="clave-secreta", database_url="postgresql://ana:secreta@x/y"))  # type: ignore[arg-type]
    assert "secreta" not in text


def test_a_dotenv_file_of_another_encoding_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes("LLM_MODEL=año".encode("latin-1"))
    monkeypatch.setenv("LEGAJO_HOME", str(tmp_path))
    with pytest.raises(ConfigurationError, match="UTF-8"):
        load_settings()


READ_MODEL = "from rag_system.settings import load_settings; print(load_settings().llm_model)"


def test_a_dotenv_file_is_read_in_the_home_and_never_in_the_working_directory(tmp_path: Path) -> None:
    home, shared = tmp_path / "casa", tmp_path / "compartida"
    for folder, model in ((home, "propio"), (shared, "ajeno")):
        folder.mkdir()
        (folder / ".env").write_text(f"LLM_MODEL={model}\nLLM_BASE_URL=http://{model}.invalid", encoding="utf-8")
    assert _model_read_in(shared, LEGAJO_HOME=str(tmp_path / "vacía")) != "ajeno"
    assert _model_read_in(shared, LEGAJO_HOME=str(home)) == "propio"


def _model_read_in(folder: Path, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), **variables}
    command = [sys.executable, "-c", READ_MODEL]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_page_about_the_settings_is_current() -> None:
    script = runpy.run_path(str(SCRIPT))
    page = script["PAGE"].read_text(encoding="utf-8")
    assert page == script["table"](), "run scripts/settings_table.py"
    assert all(f"| `{variable(name)}` |" in page for name in Settings.model_fields)
