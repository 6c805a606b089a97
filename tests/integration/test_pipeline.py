"""The life of a question over a real PostgreSQL, with the hashed embeddings and a real wire format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ProviderError
from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.protocol import Answerer
from rag_system.generation.providers import build_answerer
from rag_system.outcome import collect
from rag_system.pipeline import NO_DOCUMENTS, RAGPipeline, Scope
from rag_system.search.recipes import RECIPES
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.opening import open_database
from rag_system.storage.projects import create_project
from rag_system.storage.publishing import remove_document
from rag_system.storage.vocabulary import project_acronyms
from rag_system.types import Finished, Message, Planned, Retrieved, Route, Token
from tests.fakes.provider_server import running
from tests.indexing import Indexing

DOCUMENTS = {
    "leyes/LEY-27444.md": "# Ley N.° 27444\n\n"
    "## Artículo 207. Recursos\n\nEl término para apelar es de quince días.\n\n"
    "## Artículo 208. Feriados\n\nSi el último día es feriado, el plazo se prorroga al primer día hábil siguiente.\n",
    "leyes/LEY-29733.md": "# Ley N.° 29733\n\n"
    "## Artículo 5. Consentimiento\n\nEl término para oponerse es de diez días.\n",
    "manual.txt": "Manual de mesa de partes\n\nEl término para responder una queja es de treinta días.\n",
    "tesis.md": "# Tesis\n\nLa memoria de una oficina es su archivo (Arias, 2020). Otra idea es de Pérez (2019).\n",
}

Ask = Callable[..., RAGPipeline]


@pytest.fixture
def embeddings() -> HashEmbeddings:
    return HashEmbeddings()


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("documentos")
    for path, text in DOCUMENTS.items():
        file = folder / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    settings = Settings(home=server_home, database_url=SecretStr(own_database_url))
    with open_database(settings) as database:
        indexer = Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project="general")
        assert [report.status for report in indexer.run(folder)] == ["indexed"] * len(DOCUMENTS)
    return str(conninfo_to_dict(own_database_url)["dbname"])


@pytest.fixture
def make_pipeline(database: Database, embeddings: HashEmbeddings) -> Callable[..., RAGPipeline]:
    def make(settings: Settings, project: str = "general") -> RAGPipeline:
        return RAGPipeline(
            database=database,
            settings=settings,
            embeddings=lambda: embeddings,
            answerer=build_answerer,
            project=project,
        )

    return make


@pytest.fixture
def empty(make_pipeline: Callable[..., RAGPipeline], settings: Settings) -> RAGPipeline:
    return make_pipeline(settings, "nuevo")


@pytest.fixture
def pipeline(make_pipeline: Callable[..., RAGPipeline], settings: Settings) -> RAGPipeline:
    return make_pipeline(settings)


def test_a_streamed_answer_goes_plan_search_tokens_end(pipeline: RAGPipeline) -> None:
    events = list(pipeline.stream("¿Cuál es el término para apelar según la ley 27444?"))
    kinds = [type(event) for event in events]
    assert (kinds[0], kinds[1], kinds[-1]) == (Planned, Retrieved, Finished)
    assert set(kinds[2:-1]) == {Token}
    answer = collect(events).answer
    assert "quince días" in answer.text
    assert "".join(e.text for e in events if isinstance(e, Token)) == answer.text
    assert answer.citations[0].path == "leyes/LEY-27444.md"
    assert 0 < answer.metrics["ttft"] <= answer.metrics["total"]


def test_query_returns_the_keys_of_the_original_system(pipeline: RAGPipeline) -> None:
    found = pipeline.query("¿Cuál es el término para apelar según la ley 27444?")
    assert found["success"] is True
    assert found["question"] == "¿Cuál es el término para apelar según la ley 27444?"
    source = found["sources"][0]
    assert {"rank", "similarity_score", "file_name", "chunk_id", "content", "preview", "page"} <= set(source)
    assert (source["rank"], source["file_name"]) == (1, "LEY-27444.md")
    assert "LEY-27444.md" in found["relevant_documents"]
    phases = {"total", "embedding", "retrieval", "context", "generation", "ttft"}
    assert set(found["metrics"]["latency_ms"]) == phases
    assert all(found["metrics"]["latency_ms"][phase] > 0 for phase in phases)


def test_a_law_named_drops_the_other_law_and_keeps_what_has_no_number(pipeline: RAGPipeline) -> None:
    _, found = pipeline.search("término según la ley 27444", scope=Scope(top_k=20))
    paths = {candidate.chunk.path for candidate in found.candidates}
    assert "leyes/LEY-27444.md" in paths
    assert "leyes/LEY-29733.md" not in paths
    assert {each.path for each in found.funnel.examples if each.reason == "off_topic"} == {"leyes/LEY-29733.md"}
    assert found.funnel.merged == found.funnel.returned + sum(found.funnel.rejected.values())


def test_a_follow_up_keeps_the_law_of_the_conversation(pipeline: RAGPipeline) -> None:
    history = [
        Message("user", "¿Cuál es el término para apelar según la ley 27444?"),
        Message("assistant", "Quince días [1]."),
    ]
    plan, found = pipeline.search("¿y si es feriado?", history)
    assert (plan.reformulated, plan.identifiers) == (True, ("ley:27444",))
    assert any("prorroga" in candidate.text for candidate in found.candidates[:2])
    assert found.candidates[0].chunk.path == "leyes/LEY-27444.md"


@pytest.mark.parametrize("question", ["¿Y cuántos días son?", "De cuántos días es el término, por favor"])
@pytest.mark.parametrize("before", ["¿Qué término hay para responder una queja?", "¿Cómo oponerse?", "¿Cómo apelar?"])
def test_who_asks_on_is_answered_from_the_document_of_the_last_answer(
    pipeline: RAGPipeline, before: str, question: str
) -> None:
    """Also where the question stands alone: three documents say of how many days a term is. Another topic is found."""
    told = collect(pipeline.stream(before)).answer
    cited = told.citations[:1]
    history = [Message("user", before), Message("assistant", told.text, tuple((c.n, c.chunk_id) for c in cited))]
    _, alone = pipeline.search(question, history[:1])
    _, found = pipeline.search(question, history)
    assert {c.chunk.path for c in found.candidates if c.scores["conversation"]} == {c.path for c in cited}
    ranks = [[c.chunk.path for c in each.candidates].index(cited[0].path) for each in (alone, found)]
    assert ranks[1] <= ranks[0]
    assert found.candidates[ranks[1]].score > alone.candidates[ranks[0]].score
    _, other = pipeline.search("¿Qué dice Arias (2020) de la memoria de una oficina?", history)
    assert other.candidates[0].chunk.path == "tesis.md"


def test_a_slip_is_put_right_and_told(pipeline: RAGPipeline) -> None:
    answer = collect(pipeline.stream("cual es el termibo para apelar segun la ley 27444")).answer
    assert "Busqué «término» en lugar de «termibo»." in answer.notices
    assert "quince días" in answer.text


def test_an_answer_tells_the_question_that_was_searched(pipeline: RAGPipeline) -> None:
    question = "cual es el termibo para apelar segun la ley 27444"
    plan, _ = pipeline.search(question)
    assert collect(pipeline.stream(question)).plan == plan
    assert plan.standalone_question == question.replace("termibo", "término")


def test_what_was_removed_is_not_proposed(pipeline: RAGPipeline, database: Database) -> None:
    with database.connection() as connection:
        (law,) = (d for d in list_documents(connection, "general") if d.path == "leyes/LEY-29733.md")
        assert remove_document(connection, "general", law.document_id)
    _, found = pipeline.search("término", scope=Scope(top_k=20))
    assert found.candidates
    assert all(candidate.chunk.path != law.path for candidate in found.candidates)
    assert found.funnel.generated["lexical"] == 2  # the law that stayed, and the manual


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_answers_and_accounts_for_each_candidate(pipeline: RAGPipeline, recipe: str) -> None:
    question = "¿El término para apelar, un artículo de la ley 27444 sobre recursos, es de quince días?"
    _, found = pipeline.search(question, scope=Scope(recipe=recipe, top_k=2))
    assert found.candidates[0].chunk.path == "leyes/LEY-27444.md"
    funnel = found.funnel
    assert funnel.merged == funnel.returned + sum(funnel.rejected.values())
    assert all(count >= 0 for count in funnel.rejected.values())
    assert all(RECIPES[recipe].uses(strategy) for strategy in funnel.generated)


def test_vectors_alone_know_no_law_and_reject_what_is_too_far(pipeline: RAGPipeline) -> None:
    _, found = pipeline.search("El término para apelar según la ley 29733", scope=Scope(recipe="tomori", top_k=20))
    assert set(found.funnel.generated) == {"semantic"}
    assert found.funnel.rejected["below_min_similarity"] >= 1
    assert "off_topic" not in found.funnel.rejected
    assert all(candidate.scores["semantic"] >= 0.5 for candidate in found.candidates)


def test_odd_characters_are_only_characters(pipeline: RAGPipeline) -> None:
    for question in (
        "¿término\0 para apelar?",
        "término \ud800 para apelar",
        "'; DROP TABLE chunks; --",
        "%s %(project)s 📄",
    ):
        assert collect(pipeline.stream(question)).answer.text


def test_names_and_known_words_are_not_put_right(pipeline: RAGPipeline) -> None:
    for question in ("término según la SUNASA", "¿Qué dice Pérez (2019)?", "plazo de la ley 27445"):
        plan, _ = pipeline.search(question)
        assert (plan.standalone_question, plan.notices) == (question, ())


def test_an_acronym_is_searched_by_the_long_form_that_a_document_gives_it(
    pipeline: RAGPipeline, database: Database, embeddings: HashEmbeddings, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "siglas.txt"
    file.write_text("La Comisión de Archivo Vecinal (CAV) guarda los planos.", encoding="utf-8")
    indexer = Indexing(database=database, embeddings=embeddings, settings=settings, project="general")
    list(indexer.run(file))
    with database.connection() as connection:
        assert project_acronyms(connection, ["general"], ["cav"]) == {"cav": "Comisión de Archivo Vecinal"}
    _, found = pipeline.search("¿qué hace la CAV?", scope=Scope(top_k=20))
    assert "expansion" in found.funnel.generated


def test_an_article_named_comes_first(pipeline: RAGPipeline) -> None:
    _, found = pipeline.search("artículo 208 de la ley 27444")
    assert found.candidates[0].chunk.section.endswith("Artículo 208.- Feriados")


def test_author_and_year_together_come_first(pipeline: RAGPipeline) -> None:
    outcome = collect(pipeline.stream("¿Qué dice Arias (2020)?"))
    assert outcome.search.candidates[0].chunk.path == "tesis.md"
    assert outcome.search.candidates[0].scores["citation"] == 1.0
    assert len(outcome.search.candidates) <= 3


ABSENT = [
    ("¿Qué dice la ley 30407?", "Ley 30407"),
    ("¿Qué dice el artículo 900 de la ley 27444?", "artículo 900"),
    ("¿Qué dice Quispe (2018)?", "Quispe"),
]


@pytest.mark.parametrize(("question", "named"), ABSENT)
def test_what_is_named_and_absent_is_answered_with_silence(pipeline: RAGPipeline, question: str, named: str) -> None:
    answer = collect(pipeline.stream(question)).answer
    assert answer.abstained
    assert answer.text.startswith(ABSTENTION.rstrip("."))
    assert named.lower() in answer.text.lower()
    assert (answer.citations, answer.evidence) == ((), ())


def test_a_norm_that_is_only_mentioned_is_told(
    pipeline: RAGPipeline, database: Database, embeddings: HashEmbeddings, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "nota.txt"
    file.write_text("La Ley N.° 30057 se aplica al término de la carrera, dice esta nota.", encoding="utf-8")
    Indexing(database=database, embeddings=embeddings, settings=settings, project="general").run(file)
    answer = collect(pipeline.stream("¿Qué dice la Ley 30057 sobre el término de la carrera?")).answer
    assert any("no está" in notice and "30057" in notice for notice in answer.notices)
    known = collect(pipeline.stream("¿Cuál es el término para apelar según la ley 27444?")).answer
    assert known.notices == ()


def test_a_law_keeps_its_place_beside_a_regulation_that_speaks_more_of_it(
    pipeline: RAGPipeline, database: Database, embeddings: HashEmbeddings, settings: Settings, tmp_path: Path
) -> None:
    rule = "El formulario que dice la Ley 31999 y su reglamento"
    articles = [f"## Artículo {number}\n\n{rule} es el formulario {number}.\n" for number in range(1, 121)]
    texts = {
        "norma.md": f"# Ley de Mesas de Partes\n\nLEY N.° 31999\n\n{'El interesado acude en persona a la mesa. ' * 30}",
        "reglamento.md": "# Reglamento de la Ley N.° 31999\n\n" + "\n".join(articles),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        Indexing(database=database, embeddings=embeddings, settings=settings, project="general").run(tmp_path / name)
    _, found = pipeline.search("¿Qué dice la ley 31999 y su reglamento sobre el formulario?")
    assert found.funnel.reading is not None
    assert found.funnel.reading.absent == ()


def test_a_search_without_angles_needs_nobody_who_answers(
    database: Database, embeddings: HashEmbeddings, settings: Settings
) -> None:
    def nobody(settings: Settings, provider: ProviderName | None) -> Answerer:
        raise ProviderError("nadie responde")

    pipeline = RAGPipeline(
        database=database, settings=settings, embeddings=lambda: embeddings, answerer=nobody, project="general"
    )
    _, found = pipeline.search("¿Cuál es el término para apelar según la ley 27444?")
    assert found.candidates


def test_who_answers_is_looked_for_once_a_question(
    database: Database, embeddings: HashEmbeddings, settings: Settings
) -> None:
    looked: list[ProviderName | None] = []

    def answerer(force: Settings, provider: ProviderName | None) -> Answerer:
        looked.append(provider)
        return build_answerer(force, provider)

    pipeline = RAGPipeline(
        database=database,
        settings=settings.model_copy(update={"query_angles": 2}),
        embeddings=lambda: embeddings,
        answerer=answerer,
        project="general",
    )
    question, history = "¿Y si es feriado?", [Message(role="user", content="¿Qué término hay para apelar?")]
    assert collect(pipeline.stream(question, history)).plan.reformulated  # rewritten, widened and answered
    assert looked == [None]
    pipeline.search(question, history)
    assert looked == [None, None]


def test_the_missing_half_of_a_comparison_is_told(pipeline: RAGPipeline) -> None:
    answer = collect(pipeline.stream("Compara el término para apelar de la ley 27444 y el de la ley 30225")).answer
    assert not answer.abstained
    assert answer.notices == ("Entre sus documentos no está la ley 30225: la respuesta sale de los demás.",)


def test_an_empty_project_says_so(empty: RAGPipeline, database: Database) -> None:
    assert "No existe el proyecto «nuevo»" in collect(empty.stream("¿Qué plazo hay para apelar?")).answer.error
    with database.connection() as connection:
        create_project(connection, "nuevo")
    answer = collect(empty.stream("¿Qué plazo hay para apelar?")).answer
    assert (answer.text, answer.abstained) == (NO_DOCUMENTS, True)


def test_courtesy_and_lists_search_nothing(pipeline: RAGPipeline) -> None:
    for question, route in (("hola", Route.TRIVIAL), ("¿qué documentos tienes?", Route.INVENTORY)):
        outcome = collect(pipeline.stream(question))
        assert outcome.plan.route is route
        assert outcome.search.candidates == ()
    assert "LEY-27444.md" in outcome.answer.text


def test_courtesy_is_answered_while_the_database_fails(
    make_pipeline: Callable[..., RAGPipeline], database: Database, settings: Settings
) -> None:
    with database.as_login() as connection:
        connection.execute("ALTER TABLE projects RENAME TO lost")
    pipeline = make_pipeline(settings.model_copy(update={"assistant_name": "Quipu"}))
    answer = collect(pipeline.stream("¿quién eres?")).answer
    assert "Quipu" in answer.text
    assert not answer.error


def test_another_embedding_model_does_not_break_the_conversation(
    pipeline: RAGPipeline, database: Database, settings: Settings
) -> None:
    other = RAGPipeline(
        database=database,
        settings=settings,
        embeddings=lambda: HashEmbeddings(model_id="otro/64/1"),
        answerer=build_answerer,
        project="general",
    )
    answer = collect(other.stream("¿Cuál es el término para apelar?")).answer
    assert answer.abstained
    assert "otro/64/1" in answer.text


# ---------------------------------------------------------------- a language model answers


@pytest.fixture
def provider_url() -> Iterator[str]:
    with running() as (_, url):
        yield url


def with_model(settings: Settings, url: str, key: str) -> Settings:
    changes = {
        "llm_provider": "local",
        "llm_model": "prueba",
        "llm_base_url": f"{url}/v1",
        "local_api_key": SecretStr(key),
    }
    return settings.model_copy(update=changes)


def test_a_model_answers_with_markers_that_point_at_sources(
    make_pipeline: Callable[..., RAGPipeline], settings: Settings, provider_url: str
) -> None:
    pipeline = make_pipeline(with_model(settings, provider_url, "ok"))
    answer = collect(pipeline.stream("¿Cuál es el término para apelar según la ley 27444?")).answer
    assert (answer.provider, answer.model, answer.incomplete) == ("local", "prueba", False)
    assert "[1]" in answer.text
    (citation,) = answer.citations
    assert any(
        citation.quote in chunk.text for chunk in answer.evidence[0].chunks if chunk.chunk_id == citation.chunk_id
    )


def test_a_cut_stream_keeps_the_text_and_says_that_it_is_incomplete(
    make_pipeline: Callable[..., RAGPipeline], settings: Settings, provider_url: str
) -> None:
    pipeline = make_pipeline(with_model(settings, provider_url, "cut"))
    answer = collect(pipeline.stream("¿Cuál es el término para apelar según la ley 27444?")).answer
    assert answer.incomplete
    assert answer.text
    assert answer.error
    assert "cut" not in answer.error
