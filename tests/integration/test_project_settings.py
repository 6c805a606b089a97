"""What is set for a project, seen at work: in the search, in what a provider is sent, in what a reader is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from psycopg import Connection, sql

from assistant.assistant import Assistant, PersonalAssistant
from assistant.project_assistant import ProjectAssistant
from assistant.projects import LONGEST_QUESTION, MOST_QUESTIONS, project_settings
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError, ForbiddenError, InputError, LegajoError, NotFoundError
from rag_system.generation.clients import client
from rag_system.generation.providers import resolve_provider
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import ProjectRow
from tests.fakes.asking import make_settings
from tests.fakes.provider_server import FakeProviderServer, running
from tests.indexing import project_of, upload

PASSWORD = "una contraseña larga"
LAW = "# Ley de consultas\n\n## Artículo 5. Plazo\n\nEl plazo para apelar es de quince días hábiles."
OTHERS = {
    "manual.md": "# Manual\n\nQuien no está conforme con una multa tiene un plazo para apelar ante la gerencia.",
    "tesis.md": "# Tesis\n\nEntre los encuestados, pocos conocían el plazo y casi nadie llegó a apelar una vez.",
    "acta.md": "# Acta\n\nSe acordó apelar la sanción de tránsito antes de que venza el plazo, en marzo.",
}
QUESTION = "¿Cuál es el plazo para apelar?"


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def project(assistant: Assistant) -> ProjectAssistant:
    project = project_of(assistant)
    for name, text in {"ley.md": LAW, **OTHERS}.items():
        assert upload(project, name, text.encode()).status == "indexed"
    return project


def returned(project: ProjectAssistant, question: str = QUESTION) -> int:
    return len(project.pipeline.search(question)[1].candidates)


# ---------------------------------------------------------------- the search


def test_as_many_passages_as_the_project_says(project: ProjectAssistant) -> None:
    for wanted in (1, 3):
        project.change_project(top_k=wanted)
        assert returned(project) == wanted
    project.change_project(recipe="tomori", top_k=2, similarity_floor=0)  # which has limits of its own
    assert returned(project) == 2


def test_what_is_less_near_than_the_project_says_leaves(project: ProjectAssistant) -> None:
    _, all_found = project.pipeline.search(QUESTION)
    cosines = sorted(each.scores["semantic"] for each in all_found.candidates)
    floor = (cosines[0] + cosines[-1]) / 2
    assert cosines[0] < floor < cosines[-1]
    project.change_project(similarity_floor=floor)
    _, found = project.pipeline.search(QUESTION)
    assert all(each.scores["semantic"] >= floor for each in found.candidates)
    assert found.funnel.rejected["below_min_similarity"] > 0
    project.change_project(similarity_floor=1)
    assert project.ask(QUESTION).abstained


def test_the_settings_have_the_same_word_where_the_project_has_none(assistant: Assistant, settings: Settings) -> None:
    chosen = settings.model_copy(update={"similarity_floor": 1.0, "top_k": 1})
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as other:
        project = project_of(other)
        for name, text in OTHERS.items():
            upload(project, name, text.encode())
        assert project.ask(QUESTION).abstained
        project.change_project(similarity_floor=0, top_k=2)
        assert returned(project) == 2


def test_an_empty_chat_offers_the_projects_questions(project: ProjectAssistant) -> None:
    made = project.suggestions()
    project.change_project(sample_questions=["¿Qué plazo hay?", "  ", "¿Quién   firma?"])
    assert project.suggestions() == ["¿Qué plazo hay?", "¿Quién firma?"]
    project.change_project(sample_questions=None)
    assert project.suggestions() == made


# ---------------------------------------------------------------- who answers


Asked = tuple[ProjectAssistant, FakeProviderServer]


@pytest.fixture
def asked(settings: Settings) -> Iterator[Asked]:
    """A project that a server of its own could answer, though the settings name nobody who writes."""
    with running() as (server, _):
        own = make_settings(server, "local", "ok-clave", llm_provider="extractive")
        chosen = settings.model_copy(update={name: getattr(own, name) for name in own.model_fields_set})
        with Assistant.open(chosen, embeddings=HashEmbeddings()) as opened:
            project = project_of(opened)
            upload(project, "ley.md", LAW.encode())
            yield project, server
    client.cache_clear()


def test_provider_model_temperature_and_language_reach_who_answers(asked: Asked) -> None:
    project, server = asked
    assert project.ask(QUESTION).provider == "extractive"
    assert server.bodies == []
    project.change_project(provider="local", model="otro-modelo", temperature="0.1", language="pt")
    answer = project.ask(QUESTION)
    assert (answer.provider, answer.model) == ("local", "otro-modelo")
    assert (server.bodies[-1]["model"], server.bodies[-1]["temperature"]) == ("otro-modelo", 0.1)
    assert "\n7. Responda en portugués, con trato" in server.bodies[-1]["messages"][0]["content"]
    status = project.provider_status()
    assert (status.provider, status.model) == ("local", "otro-modelo")
    project.change_project(model="", temperature=None, language=None)
    project.ask(QUESTION)
    assert (server.bodies[-1]["model"], server.bodies[-1]["temperature"]) == ("modelo-de-prueba", 0.4)
    assert project.ask(QUESTION, provider="extractive").provider == "extractive"  # asked for by name


WHO = [
    # the settings' provider, model, address and reserve; the project's provider and model; who answers, with which
    ("google", "g-1", "http://a", "local", "", "", ("google", "g-1", "http://a", "local")),
    ("google", "g-1", "http://a", "local", "", "g-2", ("google", "g-2", "http://a", "local")),
    ("google", "g-1", "http://a", "local", "google", "", ("google", "g-1", "http://a", "local")),
    ("google", "g-1", "http://a", "local", "groq", "", ("groq", "openai/gpt-oss-120b", "", None)),
    ("google", "g-1", "http://a", "local", "groq", "k-1", ("groq", "k-1", "", None)),
    ("google", "g-1", "http://a", "local", "local", "", ("local", "", "", None)),
    ("extractive", "l-1", "http://a", None, "local", "", ("local", "l-1", "http://a", None)),
    ("extractive", "l-1", "http://a", None, "groq", "", ("groq", "openai/gpt-oss-120b", "", None)),
    ("groq", "k-1", "", None, "openrouter", "", ("groq", "k-1", "", None)),  # which LEGAJO_PROVIDERS does not offer
    ("groq", "k-1", "", None, "openrouter", "o-1", ("groq", "k-1", "", None)),
]


@pytest.mark.parametrize(("provider", "model", "address", "reserve", "own", "own_model", "expected"), WHO)
def test_model_address_and_reserve_are_of_the_provider_that_they_were_set_for(
    provider: Any, model: str, address: str, reserve: Any, own: str, own_model: str, expected: tuple[str, ...]
) -> None:
    general = Settings(
        llm_provider=provider, llm_model=model, llm_base_url=address, llm_fallback=reserve,
        allowed_providers=("extractive", "google", "groq", "local"), google_api_key="g", groq_api_key="k",
        _env_file=None,
    )  # type: ignore[call-arg]  # fmt: skip
    force = ProjectRow(project_id="p", provider=own, model=own_model).settings(general)
    found = resolve_provider(force)
    assert (found.provider, found.model, force.llm_base_url, force.llm_fallback) == expected


def test_a_provider_that_is_not_offered_cannot_be_set(settings: Settings) -> None:
    chosen = settings.model_copy(update={"allowed_providers": ("extractive", "local")})
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as opened:
        project = project_of(opened)
        with pytest.raises(InputError, match=r"^Proveedor: «groq» no se ofrece aquí\. Elija entre extractive, local"):
            project.change_project(provider="groq")
        project.change_project(provider="local")


def test_readers_are_not_shown_what_is_hidden_from_them(assistant: Assistant, project: ProjectAssistant) -> None:
    project.change_project(provider="extractive", hide_model="readers")
    for name, role in (("ana", "editor"), ("beto", "reader")):
        assistant.accounts().add(name, PASSWORD)
        project.give_role(name, role)  # type: ignore[arg-type]
    ana, beto = (assistant.as_person(name).project("general") for name in ("ana", "beto"))
    assert [each.ask(QUESTION).provider for each in (project, ana, beto)] == ["extractive", "extractive", ""]
    seen = [each.project_settings() for each in (project, ana, beto)]
    assert [(each.hides_model, each.provider) for each in seen] == [
        (False, "extractive"),
        (False, "extractive"),
        (True, ""),
    ]
    project.change_project(hide_model="everybody")
    assert [each.ask(QUESTION).provider for each in (project, ana, beto)] == ["", "", ""]
    assert [each.project_settings().provider for each in (project, ana)] == ["extractive", ""]  # who set it knows


# ---------------------------------------------------------------- what cannot be set


@pytest.fixture(scope="module")
def lasting(own_database_url: str, server_home: Path) -> Iterator[ProjectAssistant]:
    from pydantic import SecretStr

    chosen = Settings(home=server_home, database_url=SecretStr(own_database_url))
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as opened:
        yield project_of(opened)


OUT_OF_RANGE = st.one_of(
    st.tuples(st.just("top_k"), st.one_of(st.integers(max_value=0), st.integers(min_value=21), st.just("8,5"))),
    st.tuples(st.just("temperature"), st.one_of(st.floats(max_value=-0.001), st.floats(min_value=2.001), st.just("x"))),
    st.tuples(st.just("similarity_floor"), st.one_of(st.floats(max_value=-0.001), st.floats(min_value=1.001))),
    st.tuples(st.just("temperature"), st.just(float("nan"))),
    st.tuples(st.sampled_from(["provider", "language", "colour"]), st.text().map("¿{}".format)),  # no name of one
    st.tuples(st.just("sample_questions"), st.lists(st.just("¿Qué?"), min_size=MOST_QUESTIONS + 1, max_size=9)),
    st.tuples(st.just("sample_questions"), st.just(["x" * (LONGEST_QUESTION + 1)])),
    st.tuples(st.just("model"), st.just("x" * 201)),
    st.tuples(st.sampled_from(["assistant_name", "name"]), st.just("x" * 101)),
    st.tuples(st.just("instructions"), st.just("x" * 4001)),
)


@examples(max_examples=60, deadline=None)
@given(change=OUT_OF_RANGE)
def test_what_is_out_of_range_is_one_sentence_and_changes_nothing(lasting: ProjectAssistant, change: Any) -> None:
    name, value = change
    before = lasting.project_settings()
    with pytest.raises(InputError) as refused:
        lasting.change_project(**{name: value})
    said = str(refused.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200
    assert lasting.project_settings() == before


IN_RANGE = st.fixed_dictionaries(
    {},
    optional={
        "top_k": st.integers(1, 20),
        "temperature": st.floats(0, 2),
        "similarity_floor": st.floats(0, 1),
        "provider": st.sampled_from(["extractive", "google", "groq", "openrouter", "local"]),
        "language": st.sampled_from(["es", "ca", "de", "en", "eu", "fr", "gl", "it", "pt", "qu"]),
        "hide_model": st.sampled_from(["nobody", "readers", "everybody"]),
        "recipe": st.sampled_from(["default", "rrf"]),
        "model": st.sampled_from(["a", "openai/gpt-oss-120b"]),
        "assistant_name": st.sampled_from(["Amparo", "Ñusta"]),
    },
)


@examples(max_examples=40, deadline=None)
@given(changed=IN_RANGE)
def test_what_is_set_is_in_force_until_it_is_taken_back(lasting: ProjectAssistant, changed: dict[str, Any]) -> None:
    before = lasting.project_settings()
    lasting.change_project(**changed)
    shown = lasting.project_settings()
    assert set(shown.own) == set(changed)
    assert {name: getattr(shown, name) for name in changed} == changed
    lasting.change_project(**dict.fromkeys(changed))  # type: ignore[arg-type]
    assert lasting.project_settings() == before


# ---------------------------------------------------------------- projects as a whole


@pytest.fixture
def person(assistant: Assistant) -> PersonalAssistant:
    return assistant.as_person(LOCAL_PERSON)


def test_projects_are_listed_by_name_with_ones_role(person: PersonalAssistant, project: ProjectAssistant) -> None:
    for name in ("obras", "actas"):
        person.create_project(name)
    person.project("actas").change_project(name="Zonas", colour="blue")
    listed = [(each.project, each.name, each.colour, each.role, each.documents) for each in person.projects()]
    assert listed == [
        ("general", "general", "", "owner", 4),
        ("obras", "obras", "", "owner", 0),
        ("actas", "Zonas", "blue", "owner", 0),
    ]


def test_two_projects_have_no_name_in_common(person: PersonalAssistant) -> None:
    for name in ("obras", "actas"):
        person.create_project(name)
    person.project("obras").change_project(name="Zonas y obras")
    for taken in ("zonas y OBRAS", "obras"):
        with pytest.raises(InputError, match="Ya hay un proyecto que se llama"):
            person.project("actas").change_project(name=taken)
    with pytest.raises(InputError, match="Ya hay un proyecto que se llama"):
        person.create_project("Zonas y obras")
    person.project("obras").change_project(name="obras")  # its own


def held(connection: Connection, project: str) -> dict[str, int]:
    """Rows of a project, by table."""
    tables = connection.execute(
        "SELECT DISTINCT table_name FROM information_schema.columns"
        " WHERE column_name = 'project_id' AND table_schema = current_schema()"
    ).fetchall()
    counted = {
        name: connection.execute(
            sql.SQL("SELECT count(*) FROM {} WHERE project_id = %s").format(sql.Identifier(name)), [project]
        ).fetchone()
        for (name,) in tables
    }
    return {name: row[0] for name, row in counted.items() if row and row[0]}


def test_a_deleted_project_is_gone_with_all_that_was_its_own_and_stays_gone(
    assistant: Assistant, person: PersonalAssistant, project: ProjectAssistant, database: Database
) -> None:
    person.create_project("obras")
    works = person.project("obras")
    upload(works, "ley.md", LAW.encode())
    works.facts.add("La caja cierra a las cuatro")
    conversation = works.conversations.create()
    list(works.stream(QUESTION, conversation_id=conversation))
    works.keys.add("groq", "gsk-1", owner="project")
    with (Path(__file__)).open("rb") as file:
        (waiting,) = works.library.accept_stream("espera.txt", file)
    with database.as_login() as owner:
        before = held(owner, "general")
        assert {"documents", "chunks", "conversations", "messages", "citations", "facts", "ingestions"} <= held(
            owner, "obras"
        ).keys()
    person.delete_project("obras")
    with database.as_login() as owner:
        assert held(owner, "obras") == {}
        assert held(owner, "general") == before
    (report,) = works.library.see_through({waiting.ingestion_id: "espera.txt"})  # a worker finds nothing to be done
    assert (report.status, report.code) == ("failed", "cancelled")
    calls: list[Callable[[], object]] = [
        lambda: person.project("obras"),
        lambda: person.delete_project("obras"),
        works.conversations.create,
        lambda: works.facts.add("x"),
        works.project_settings,
        lambda: list(works.stream(QUESTION, conversation_id=conversation)),
    ]
    for call in calls:
        with pytest.raises(NotFoundError):
            call()
    assert "No existe el proyecto «obras»" in works.ask(QUESTION).text
    assert [each.project for each in person.projects()] == ["general"]


def test_only_its_owner_deletes_a_project(assistant: Assistant, project: ProjectAssistant) -> None:
    for name, role in (("ana", "editor"), ("beto", "reader"), ("caro", None)):
        assistant.accounts().add(name, PASSWORD)
        if role:
            project.give_role(name, role)  # type: ignore[arg-type]
    for name in ("ana", "beto"):
        with pytest.raises(ForbiddenError, match="Solo quien es dueño"):
            assistant.as_person(name).delete_project("general")
        with pytest.raises(ForbiddenError):
            assistant.as_person(name).project("general").change_project(colour="red")
    with pytest.raises(NotFoundError):
        assistant.as_person("caro").delete_project("general")
    assert project.library.count() == 4


def test_a_view_of_a_row_needs_no_database() -> None:
    shown = project_settings(ProjectRow(project_id="p", name="Pruebas"), Settings(_env_file=None))  # type: ignore[call-arg]
    assert (shown.name, shown.provider, shown.own) == ("Pruebas", "extractive", ())


def test_an_unknown_recipe_is_told_with_those_there_are(project: ProjectAssistant) -> None:
    with pytest.raises(ConfigurationError, match="Elija una de estas"):
        project.change_project(recipe="mejor")
    assert issubclass(ConfigurationError, LegajoError)
