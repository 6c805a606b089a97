"""A question to all projects that one may read: found as if they were one, and told of which each passage is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.assistant import Assistant
from assistant.commands import cli
from assistant.exporting import exported
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.outcome import collect
from rag_system.pipeline import Scope
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.types import Concept, SearchResult
from tests import indexing
from tests.indexing import project_of, upload

CITY = {
    "alquiler": "# Alquileres\n\nLa garantía del local se devuelve en treinta días, según la Ley N.° 31999.",
    "ruido": "# Ruido\n\nLas fiestas del barrio terminan a las once. La multa es de cien soles.",
    "noise": "# Noise\n\nThe parties of the neighbourhood end at eleven, and the fine is what the mayor says it is.",
}
WORK = {
    "vacaciones": "# Descansos\n\nLas vacaciones duran treinta días al año, según la Ley N.° 31999 y el reglamento.",
    "uniforme": "# Vestimenta\n\nEl uniforme se devuelve en cinco días. La Superintendencia Nacional (SN) multa.",
    "clothes": "# Clothes\n\nThe uniform is given back within five days, and whoever has lost it pays for it.",
    "iso": "# Guía de la ISO 9001\n\nLas vacaciones del local se registran.",
}
QUESTIONS = (
    "¿En cuántos días se devuelve la garantía del local?",
    "¿Cuánto duran las vacaciones según la Ley 31999?",
    "¿Quién paga la multa de las fiestas?",
    "¿En cuántos días se devuelve el uniforme?",
    "¿Qué dice la SN?",
)
RECIPES = ("default", "nisira", "lume", "rrf", "tomori")
NEAR = 0.05  # of a score: words weigh by the mean length of what was there when their document came


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    projects = {"trabajo": WORK, "ciudad": CITY}
    named = {project: {f"{name}.md": text for name, text in texts.items()} for project, texts in projects.items()}
    return indexing.filled(own_database_url, server_home, named, entities="rules")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of an organisation whose recipe looks at what documents name."""
    return settings.model_copy(update={"entities": "rules"})


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def filled(assistant: Assistant, name: str, documents: Mapping[str, str]) -> ProjectAssistant:
    project = project_of(assistant, name)
    for path, words in documents.items():
        assert upload(project, f"{path}.md", words.encode()).status == "indexed"
    return project


@pytest.fixture
def city(assistant: Assistant) -> ProjectAssistant:
    """Where everything is asked. Beside it there is «trabajo»."""
    return project_of(assistant, "ciudad")


def searched(project: ProjectAssistant, question: str, recipe: str = "") -> SearchResult:
    return project.pipeline.search(question, scope=Scope(all_projects=True, recipe=recipe))[1]


def places(found: SearchResult) -> list[tuple[str, str]]:
    return [(each.chunk.project, each.chunk.file_name) for each in found.candidates]


# ---------------------------------------------------------------- as if they were one


@pytest.mark.parametrize("recipe", RECIPES)
def test_several_projects_are_searched_as_if_they_were_one(
    assistant: Assistant, city: ProjectAssistant, database: Database, settings: Settings, recipe: str
) -> None:
    together = filled(assistant, "todo", {**CITY, **WORK})
    with database.as_login() as owner:
        owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
        owner.execute("INSERT INTO memberships VALUES ('ciudad', 'ana', 'reader'), ('trabajo', 'ana', 'reader')")
    hers = assistant.as_person("ana").project("ciudad")
    for question in QUESTIONS:
        apart = searched(hers, question, recipe)
        whole = together.pipeline.search(question, scope=Scope(recipe=recipe))[1]
        assert [name for _, name in places(apart)] == [name for _, name in places(whole)], question
        for one, other in zip(apart.candidates, whole.candidates, strict=True):
            assert one.scores == pytest.approx(other.scores, abs=NEAR)
            assert one.score == pytest.approx(other.score, abs=NEAR)
        assert apart.funnel.merged == whole.funnel.merged
        assert apart.absent == whole.absent


def test_of_equals_the_one_asked_comes_first(assistant: Assistant, city: ProjectAssistant) -> None:
    filled(assistant, "archivo", {"otro nombre": CITY["alquiler"]})
    assert places(searched(city, QUESTIONS[0]))[0] == ("ciudad", "alquiler.md")
    assert places(searched(project_of(assistant, "archivo"), QUESTIONS[0]))[0] == ("archivo", "otro nombre.md")


def test_what_a_word_means_is_read_out_of_all(assistant: Assistant, city: ProjectAssistant) -> None:
    """«uniforme» is no slip though the city never wears one, and «unifrome» is."""
    plan, found = city.pipeline.search("¿Quién devuelve el unifrome?", scope=Scope(all_projects=True))
    assert plan.notices == ("Busqué «uniforme» en lugar de «unifrome».",)
    assert places(found)[0] == ("trabajo", "uniforme.md")


def test_a_norm_that_another_project_has_is_there_and_chooses(assistant: Assistant, city: ProjectAssistant) -> None:
    filled(assistant, "calidad", {"iso14001": "# Guía de la ISO 14001\n\nLas vacaciones del local se registran."})
    found = searched(city, "¿Qué dice la ISO 9001 de las vacaciones?")
    assert places(found)[0] == ("trabajo", "iso.md")
    assert found.absent == ()
    assert ("calidad", "iso14001.md") not in places(found)
    assert [each.project for each in found.funnel.examples if each.reason == "off_topic"] == ["calidad"]
    assert city.pipeline.search("¿Qué dice la ISO 9001 de las vacaciones?")[1].absent == ("iso:9001",)


def test_what_is_published_meanwhile_is_nobody_else_s(
    assistant: Assistant, city: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the reading of the question and its search."""
    understood = city.pipeline.interpret

    def slowly(*how: Any) -> Any:
        read = understood(*how)
        filled(assistant, "ciudad", {"nuevo": "# Nuevo\n\nLa garantía del local nuevo se devuelve en treinta días."})
        return read

    monkeypatch.setattr(city.pipeline, "interpret", slowly)
    found = searched(city, QUESTIONS[0])
    assert {("ciudad", "nuevo.md"), ("ciudad", "alquiler.md")} == {*places(found)[:2]}
    assert all(
        each.chunk.file_name[:-3] in {"nuevo", *CITY} for each in found.candidates if each.chunk.project == "ciudad"
    )


def test_each_says_its_concepts_where_its_project_has_any(assistant: Assistant, city: ProjectAssistant) -> None:
    project_of(assistant, "trabajo").concepts.replace([Concept(name="Vacaciones")])
    tagged = {each.chunk.project: each.concepts for each in reversed(searched(city, QUESTIONS[1]).candidates)}
    assert tagged["ciudad"] is None
    assert [tag.name for tag in tagged["trabajo"] or ()] == ["Vacaciones"]


# ---------------------------------------------------------------- which ones


def test_only_those_that_one_may_read(assistant: Assistant, city: ProjectAssistant, database: Database) -> None:
    with database.as_login() as owner:
        owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
        owner.execute("INSERT INTO memberships VALUES ('ciudad', 'ana', 'reader')")
    hers = assistant.as_person("ana").project("ciudad")
    assert hers.project_names() == {"ciudad": "ciudad"}
    assert {project for project, _ in places(searched(hers, QUESTIONS[1]))} == {"ciudad"}
    assert searched(hers, QUESTIONS[1]).funnel.projects == ("ciudad",)
    city.change_project(name="La ciudad")
    assert city.project_names() == {"ciudad": "La ciudad", "trabajo": "trabajo"}
    assert searched(city, QUESTIONS[1]).funnel.projects == ("ciudad", "trabajo")
    assert city.pipeline.search(QUESTIONS[1])[1].funnel.projects == ()


def test_another_model_s_are_left_out_and_that_is_told(
    assistant: Assistant, city: ProjectAssistant, settings: Settings
) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings(model_id="otro/64/1")) as other:
        filled(other, "ajeno", {"vacaciones": WORK["vacaciones"]})
        told = collect(city.stream(QUESTIONS[1], all_projects=True)).answer.notices
        assert "No busqué en «ajeno»: se indexó con otro modelo. Páselo al actual con «legajo reindex»." in told
        told = collect(project_of(other, "ciudad").stream(QUESTIONS[1], all_projects=True)).answer.notices
        assert "No busqué en «ciudad», «trabajo»" in " ".join(told)
    with Assistant.open(settings, embeddings=HashEmbeddings(model_id="nuevo/64/1")) as third:
        assert "legajo reindex" in collect(project_of(third, "ciudad").stream("¿Qué?", all_projects=True)).answer.error


def test_an_empty_project_asks_the_others(assistant: Assistant) -> None:
    for project in ("ciudad", "trabajo"):
        assistant.as_person(LOCAL_PERSON).delete_project(project)
    empty = project_of(assistant, "vacío")
    assert collect(empty.stream(QUESTIONS[1], all_projects=True)).answer.text.startswith("Todavía no hay documentos")
    filled(assistant, "trabajo", WORK)
    answer = collect(empty.stream(QUESTIONS[1], all_projects=True)).answer
    assert {citation.project for citation in answer.citations} == {"trabajo"}


@pytest.mark.parametrize("within", [{"concept": "Vacaciones"}, {"documents": ("cargados/ruido.md",)}])
def test_what_is_chosen_in_one_project_does_not_go_with_all(city: ProjectAssistant, within: Any) -> None:
    with pytest.raises(InputError, match="un solo proyecto"):
        city.stream(QUESTIONS[0], all_projects=True, **within)


def test_the_list_of_documents_is_of_all(city: ProjectAssistant) -> None:
    listed = collect(city.stream("¿Qué documentos tienes?", all_projects=True)).answer.text
    assert listed.startswith("Tengo 7 documentos:")
    assert "(iso.md, en «trabajo»)" in listed
    assert "en «" not in collect(city.stream("¿Qué documentos tienes?")).answer.text


# ---------------------------------------------------------------- what is told, and kept


def test_a_citation_keeps_its_project(city: ProjectAssistant, database: Database) -> None:
    conversation = city.conversations.create()
    said = list(city.stream(QUESTIONS[1], conversation_id=conversation, all_projects=True))
    answer = collect(said).answer
    assert {citation.project for citation in answer.citations} == {"trabajo"}
    again = list(city.answer_again(conversation, 1, all_projects=True))
    assert collect(again).answer.text == answer.text
    stored = city.turns(conversation)[-1]
    assert [each.project for each in stored.citations] == [each.project for each in answer.citations]
    assert {source.project for source in stored.sources} == {"trabajo"}
    assert "trabajo: vacaciones.md" in exported(city.turns(conversation), title="", format="md").decode()
    source = stored.sources[0]
    original = city.originals.find(source.path, project=source.project)
    assert original is not None
    assert city.originals.content(original) == WORK["vacaciones"].encode()
    assert city.originals.find(source.path) is None
    own = list(city.stream(QUESTIONS[2], conversation_id=conversation))
    assert {citation.project for citation in collect(own).answer.citations} == {"ciudad"}
    assert {source.project for source in city.turns(conversation)[-1].sources} == {""}  # nobody asked elsewhere


def test_what_an_answer_cites_of_another_project_leads_to_nothing_here(city: ProjectAssistant) -> None:
    """The passages of each project are counted from 0."""
    conversation = city.conversations.create()
    found = [
        collect(city.stream(question, conversation_id=conversation, all_projects=everywhere)).search.funnel.generated
        for question, everywhere in ((QUESTIONS[1], True), (QUESTIONS[2], False), (QUESTIONS[0], False))
    ]
    assert ["conversation" in generated for generated in found] == [False, False, True]


def test_the_words_near_a_question_are_those_of_all(city: ProjectAssistant) -> None:
    near = city.explained(searched(city, QUESTIONS[1]).funnel).near_words
    assert "vacaciones" in {each.word for each in near}


def test_a_rating_shows_the_owners_no_document_of_another_project(city: ProjectAssistant) -> None:
    conversation = city.conversations.create()
    list(city.stream(QUESTIONS[1], conversation_id=conversation, all_projects=True))
    city.feedback.rate(conversation, 1, up=True)
    (entry,) = city.feedback.all(limit=9)
    assert (entry.paths, entry.quote) == ([], "")


def test_the_commands_search_all(city: ProjectAssistant, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*arguments: str) -> str:
        return CliRunner().invoke(cli, [*arguments, QUESTIONS[1], "--project", "ciudad", "--all-projects"]).stdout

    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    monkeypatch.setattr("assistant.assistant.load_embeddings", lambda _: HashEmbeddings())
    assert run("search").startswith("1. trabajo: cargados/vacaciones.md, Descansos")
    assert "[1] trabajo: cargados/vacaciones.md" in run("ask")
    assert "Proyectos:       ciudad, trabajo" in run("search", "--explain")
    row = json.loads(run("ask", "--json"))
    assert {each["project"] for each in row["citations"]} == {"trabajo"}
    assert {each["project"] for each in row["results"]} == {"ciudad", "trabajo"}
    assert row["funnel"]["projects"] == ["ciudad", "trabajo"]
