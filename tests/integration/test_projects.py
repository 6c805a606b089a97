"""What is set for a project as a whole, and whose word counts: explicit, then the project's, then the settings'."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.assistant import Assistant, PersonalAssistant
from assistant.commands import cli
from assistant.project_assistant import ProjectAssistant
from assistant.projects import LONGEST_INSTRUCTIONS, HiddenFrom, show_project
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError, InputError, NotFoundError
from rag_system.generation.clients import client
from rag_system.pipeline import Scope
from rag_system.settings import Settings
from rag_system.types import Finished
from tests.fakes.asking import make_settings
from tests.fakes.provider_server import running
from tests.indexing import project_of, upload

Open = Callable[[Settings], ProjectAssistant]


@pytest.fixture
def open_assistant() -> Iterator[Open]:
    opened: list[Assistant] = []

    def make(settings: Settings) -> ProjectAssistant:
        opened.append(Assistant.open(settings, embeddings=HashEmbeddings()))
        return project_of(opened[-1])

    yield make
    for assistant in opened:
        assistant.close()


@pytest.fixture
def person(settings: Settings) -> Iterator[PersonalAssistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        yield assistant.as_person(LOCAL_PERSON)


@pytest.fixture
def works(person: PersonalAssistant) -> ProjectAssistant:
    person.create_project("obras")
    return person.project("obras")


def test_a_new_project_shows_the_settings(person: PersonalAssistant) -> None:
    assert person.create_project("nuevo")
    assert not person.create_project("nuevo")
    shown = person.project("nuevo").project_settings()
    assert (shown.name, shown.role, shown.recipe, shown.own) == ("nuevo", "owner", "default", ())
    assert show_project(shown).splitlines() == [
        "Proyecto: nuevo",
        "Color: ninguno",
        "Instrucciones: ninguna",
        "Receta: default (según LEGAJO_RECIPE)",
        "Proveedor: extractive (según LLM_PROVIDER)",
        "Modelo: — (según LLM_MODEL)",
        "Temperatura: 0.4 (según LLM_TEMPERATURE)",
        "Pasajes por respuesta: 8 (según LEGAJO_TOP_K)",
        "Similitud mínima: — (según LEGAJO_SIMILARITY_FLOOR)",
        "Idioma de las respuestas: — (según LEGAJO_ANSWER_LANGUAGE)",
        "Nombre del asistente: Legajo (según LEGAJO_ASSISTANT_NAME)",
        "Qué modelo responde: se muestra (según LEGAJO_HIDE_MODEL)",
        "Preguntas de ejemplo: según los documentos",
        "Fragmentos: 0",
        "Modelo de los vectores: ninguno todavía",
    ]


def test_what_is_set_stays_and_what_is_not_named_is_left_alone(
    person: PersonalAssistant, works: ProjectAssistant
) -> None:
    person.create_project("general")
    works.change_project(recipe="rrf", instructions="  Responda en una frase.\n")
    works.change_project(recipe="nisira")
    shown = works.project_settings()
    assert (shown.recipe, shown.own, shown.instructions) == ("nisira", ("recipe",), "Responda en una frase.")
    assert "Receta: nisira (del proyecto)" in show_project(shown)
    assert person.project("general").project_settings().own == ()
    works.change_project(recipe="", instructions=None)
    assert (works.project_settings().own, works.project_settings().instructions) == ((), "")


def test_what_cannot_be_set_is_told(works: ProjectAssistant) -> None:
    with pytest.raises(ConfigurationError, match="No existe la receta «mejor»"):
        works.change_project(recipe="mejor")
    with pytest.raises(InputError, match="caben 4000"):
        works.change_project(instructions="x" * (LONGEST_INSTRUCTIONS + 1))
    with pytest.raises(InputError, match="hasta 60 letras"):
        works.change_project(assistant_name="A" * 61)
    assert works.project_settings().own == ()


PRECEDENCE = [
    # setting, project's, explicit, and whether the search is by vectors alone («tomori») or not
    ("default", "", "", False),
    ("tomori", "", "", True),
    ("tomori", "default", "", False),
    ("default", "tomori", "", True),
    ("default", "tomori", "rrf", False),
    ("default", "rrf", "tomori", True),
]


@pytest.mark.parametrize(("setting", "own", "explicit", "vectors_alone"), PRECEDENCE)
def test_explicit_over_project_over_setting(
    open_assistant: Open, settings: Settings, setting: str, own: str, explicit: str, vectors_alone: bool
) -> None:
    assistant = open_assistant(settings.model_copy(update={"recipe": setting}))
    upload(assistant, "plazo.txt", "El plazo para apelar es de quince días.".encode())
    assistant.change_project(recipe=own)
    _, found = assistant.pipeline.search("plazo para apelar", scope=Scope(recipe=explicit))
    assert (set(found.funnel.generated) == {"semantic"}) is vectors_alone


VOICES = [
    # name and silence of the settings, the project's own, and those in force for its owner
    ("Legajo", False, None, None, "Legajo", False),
    ("Archivo", True, None, None, "Archivo", True),
    ("Archivo", True, "Amparo", "nobody", "Amparo", False),
    ("Archivo", True, "Amparo", "readers", "Amparo", False),
    ("Legajo", False, "Amparo", "everybody", "Amparo", True),
]


@pytest.mark.parametrize(("named", "hiding", "own_name", "own_hiding", "name", "hides"), VOICES)
def test_the_project_over_the_setting_in_who_answers(
    open_assistant: Open,
    settings: Settings,
    named: str,
    hiding: bool,
    own_name: str | None,
    own_hiding: HiddenFrom | None,
    name: str,
    hides: bool,
) -> None:
    assistant = open_assistant(settings.model_copy(update={"assistant_name": named, "hide_model": hiding}))
    upload(assistant, "plazo.txt", "El plazo para apelar es de quince días.".encode())
    assistant.change_project(assistant_name=own_name, hide_model=own_hiding)
    assert f"Soy {name}." in assistant.ask("¿Quién eres?").text
    assert assistant.project_settings().hides_model is hides
    conversation = assistant.conversations.create()
    list(assistant.stream("¿Cuál es el plazo para apelar?", conversation_id=conversation))
    assert assistant.turns(conversation)[-1].provider == ("" if hides else "extractive")
    assistant.change_project(assistant_name="", hide_model="everybody")
    assert assistant.project_settings().assistant_name == named
    assert assistant.turns(conversation)[-1].provider == ""


@pytest.mark.parametrize("hiding", [False, True])
@pytest.mark.parametrize("own_hiding", ["nobody", "readers", "everybody"])
def test_a_project_leaves_again_to_the_settings_whether_its_model_is_shown(
    open_assistant: Open, settings: Settings, hiding: bool, own_hiding: HiddenFrom
) -> None:
    assistant = open_assistant(settings.model_copy(update={"hide_model": hiding}))
    assistant.change_project(hide_model=own_hiding)
    assert assistant.project_settings().hide_model == own_hiding
    assistant.change_project(hide_model=None)
    assistant.change_project(assistant_name="Amparo")  # which says nothing of it
    assert (assistant.project_settings().hides_model, assistant.project_settings().hide_model) == (hiding, None)


def test_a_project_that_hides_its_model_names_it_in_no_error(open_assistant: Open, settings: Settings) -> None:
    with running() as (server, _):
        own = make_settings(server, "openrouter", "bad-clave", llm_fallback="local", local_api_key="cut-clave")
        told = {name: getattr(own, name) for name in own.model_fields_set}
        told |= {"llm_fallback_base_url": f"{server.url}/v1"}
        assistant = open_assistant(settings.model_copy(update=told))
        upload(assistant, "plazo.txt", "El plazo para apelar es de quince días.".encode())
        conversation = assistant.conversations.create()

        def answer() -> str:
            *_, last = assistant.stream("¿Cuál es el plazo para apelar?", conversation_id=conversation)
            assert isinstance(last, Finished)
            assert last.answer.code == "provider_cut"
            return repr(replace(last.answer, text="", citations=(), evidence=(), unsupported=()))

        assert "Servidor local cortó" in answer()
        assistant.change_project(hide_model="everybody")
        hidden = answer()
    client.cache_clear()
    stored = repr([(turn.provider, turn.model, turn.error, turn.notices) for turn in assistant.turns(conversation)])
    for shown in (hidden, stored):
        assert "El proveedor cortó la respuesta" in shown
        assert "El proveedor rechazó la clave. Revise su clave" in shown
        assert [word for word in ("OpenRouter", "OPENROUTER", "Servidor local", "modelo-") if word in shown] == []
    assert "Esta respuesta es de quien lo reemplaza." in hidden


def test_a_project_that_was_mistyped_is_told_with_those_there_are(person: PersonalAssistant) -> None:
    with pytest.raises(NotFoundError, match=r"^No existe el proyecto «nohay»\. Todavía no tiene ninguno"):
        person.project("nohay")
    for name in ("leyes", "general"):
        person.create_project(name)
    with pytest.raises(NotFoundError, match=r"^No existe el proyecto «Leyes»\. Hay: general, leyes\.$"):
        person.project("Leyes")
    assert [each.project for each in person.projects()] == ["general", "leyes"]
    for use in (person.project, person.create_project):
        with pytest.raises(InputError, match="nombre del proyecto no sirve"):
            use(" ")


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))

    def invoke(*arguments: str) -> str:
        done = CliRunner().invoke(cli, ["projects", *arguments], catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout

    return invoke


@pytest.mark.usefixtures("works")
def test_the_command_sets_and_shows(run: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "instrucciones.txt"
    file.write_text("Cite siempre el artículo.\n", encoding="utf-8")
    assert "Relaciona nombres que no se guardan" in run("change", "obras", "--recipe", "lume")
    said = run("change", "obras", "--recipe", "lumen", "--instructions-file", str(file))
    assert "Instrucciones: Cite siempre el artículo.\nReceta: lumen (del proyecto)\n" in said
    said = run("change", "obras", "--assistant-name", "Amparo", "--hide-model", "everybody", "--temperature", "0.2")
    assert "Nombre del asistente: Amparo (del proyecto)\nQué modelo responde: no se muestra (del proyecto)" in said
    questions = ("--question", "¿Qué plazo hay?", "--question", "¿Quién firma?")
    run("change", "obras", "--top-k", "5", "--similarity-floor", "0.7", "--language", "en", *questions)
    run("change", "obras", "--provider", "local", "--model", "qwen", "--colour", "Violeta")
    assert json.loads(run("show", "obras", "--json")) == {
        "project": "obras",
        "name": "obras",
        "colour": "violet",
        "role": "owner",
        "sample_questions": ["¿Qué plazo hay?", "¿Quién firma?"],
        "instructions": "Cite siempre el artículo.",
        "recipe": "lumen",
        "recipe_lacks_entities": False,
        "provider": "local",
        "model": "qwen",
        "temperature": 0.2,
        "top_k": 5,
        "similarity_floor": 0.7,
        "language": "en",
        "assistant_name": "Amparo",
        "hide_model": "everybody",
        "hides_model": True,
        "own": [
            *("recipe", "provider", "model", "temperature", "top_k", "similarity_floor", "language"),
            *("assistant_name", "hide_model"),
        ],
        "chunks": 0,
        "embedding_model": "",
    }
    run("change", "obras", "--question", "", "--top-k", "", "--temperature", "", "--provider", "", "--language", "")
    left = json.loads(run("show", "obras", "--json"))
    assert (left["sample_questions"], left["top_k"], left["temperature"], left["provider"]) == (
        [],
        8,
        0.4,
        "extractive",
    )


@pytest.mark.usefixtures("works")
def test_the_command_takes_back_what_the_project_says_of_its_model(run: Callable[..., str]) -> None:
    for option, said in (
        ("--hide-model=everybody", "no se muestra (del proyecto)"),
        ("--hide-model=readers", "no se muestra a quien solo lee (del proyecto)"),
        ("--hide-model=nobody", "se muestra (del proyecto)"),
        ("--assistant-name=Amparo", "se muestra (del proyecto)"),
        ("--hide-model=settings", "se muestra (según LEGAJO_HIDE_MODEL)"),
    ):
        assert f"Qué modelo responde: {said}\n" in run("change", "obras", option)


@pytest.mark.usefixtures("works")
def test_the_command_names_what_is_wrong(run: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No existe la receta «mejor»"):
        run("change", "--recipe", "mejor")
    with pytest.raises(InputError, match="una de las dos cosas"):
        run("change", "--instructions", "Breve.", "--instructions-file", str(tmp_path / "x"))
    with pytest.raises(InputError, match="Indique qué cambia"):
        run("change")
    with pytest.raises(InputError, match="No se pudo leer"):
        run("change", "--instructions-file", str(tmp_path / "falta"))
    with pytest.raises(InputError, match=r"^Ya tiene un proyecto «obras»\."):
        run("create", "obras")
    with pytest.raises(InputError, match=r"^«obras» tiene 0 documentos\. Todo se borraría .*repita .* --yes"):
        run("delete", "obras")
    with pytest.raises(NotFoundError, match="No existe el proyecto «nohay»"):
        run("delete", "nohay", "--yes")


def test_the_command_makes_names_lists_and_deletes(run: Callable[..., str]) -> None:
    assert run("create", "obras") == "Se creó el proyecto «obras».\n"
    assert run("rename", "obras", "Zonas y obras") == "«obras» se muestra como «Zonas y obras».\n"
    run("create", "leyes")
    assert run("list").splitlines() == [
        "leyes · propietario · 0 documentos",
        "obras («Zonas y obras») · propietario · 0 documentos",
    ]
    assert run("members", "obras") == "local: propietario\n"
    assert json.loads(run("members", "obras", "--json")) == {"person": "local", "role": "owner"}
    assert run("delete", "obras", "--yes") == "Se borró el proyecto «obras».\n"
    assert [json.loads(line)["project"] for line in run("list", "--json").splitlines()] == ["leyes"]
