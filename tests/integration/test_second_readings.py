"""What may be added to a search, over a real PostgreSQL: further angles, and a second reading of the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError
from rag_system.generation.providers import build_answerer
from rag_system.interpretation import ANGLES_TOP_K
from rag_system.outcome import collect
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.search.reranking import Reranker
from rag_system.search.testing import WordOverlapReranker
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.types import Planned
from tests.fakes.provider_server import running
from tests.indexing import Indexing

QUESTION = "¿Cuánto tiempo hay para reclamar?"
DOCUMENTS = {
    "LEY-27444.md": "# Ley N.° 27444\n\n## Artículo 207. Recursos\n\n"
    "El plazo para apelar una resolución es de quince días.\n",
    "manual.md": "# Manual\n\n## Horario\n\nHay tiempo para almorzar de una a dos de la tarde.\n",
    "quejas.md": "# Quejas\n\n## Cómo reclamar\n\nPara reclamar se escribe en el libro. Tiempo de respuesta: un mes.\n",
}
NAMING = "¿Cuánto tiempo hay para reclamar según la Ley 27444?"

Make = Callable[..., RAGPipeline]


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """With the documents."""
    folder = tmp_path_factory.mktemp("documentos")
    for path, text in DOCUMENTS.items():
        (folder / path).write_text(text, encoding="utf-8")
    settings = Settings(home=server_home, database_url=SecretStr(own_database_url))
    with open_database(settings) as database:
        indexer = Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project="general")
        assert {report.status for report in indexer.run(folder)} == {"indexed"}
    return str(conninfo_to_dict(own_database_url)["dbname"])


@pytest.fixture
def make(database: Database, settings: Settings) -> Make:
    embeddings = HashEmbeddings()

    def build(reranker: Callable[[], Reranker | None] = lambda: None, **changes: object) -> RAGPipeline:
        changed = settings.model_copy(update=changes)
        return RAGPipeline(
            database=database,
            settings=changed,
            embeddings=lambda: embeddings,
            answerer=build_answerer,
            reranker=reranker,
            project="general",
        )

    return build


# ---------------------------------------------------------------- a second reading


def test_a_reranker_reads_what_the_recipe_says_and_its_time_is_told(make: Make) -> None:
    reader = WordOverlapReranker()
    outcome = collect(make(lambda: reader, recipe="lumen").stream(QUESTION))
    assert len(reader.read) == outcome.search.funnel.merged - outcome.search.funnel.rejected["below_min_score"]
    assert "rerank" in outcome.search.candidates[0].scores
    assert outcome.search.candidates[0].chunk.path == "quejas.md"  # «tiempo» and «reclamar», of three words
    assert outcome.answer.metrics["reranking"] >= 0
    assert outcome.search.timings_ms["reranking"] >= 0
    funnel = outcome.search.funnel
    assert funnel.merged == funnel.returned + sum(funnel.rejected.values())


def test_a_document_that_the_question_names_keeps_its_place(make: Make) -> None:
    reader = WordOverlapReranker()
    _, found = make(lambda: reader, recipe="lumen").search(NAMING, scope=Scope(top_k=1))
    assert [candidate.chunk.path for candidate in found.candidates] == ["LEY-27444.md"]


@pytest.mark.parametrize(("recipe", "with_reader"), [("lumen", False), ("rrf", True)])
def test_nothing_is_read_again_unless_recipe_and_settings_say_so(make: Make, recipe: str, with_reader: bool) -> None:
    reader = WordOverlapReranker()
    outcome = collect(make(lambda: reader if with_reader else None, recipe=recipe).stream(QUESTION))
    assert reader.read == []
    assert "reranking" not in outcome.answer.metrics
    assert "rerank" not in outcome.search.candidates[0].scores


def test_a_reranker_that_cannot_be_loaded_is_told_before_anything_is_searched(make: Make) -> None:
    def refuse() -> Reranker:
        raise ConfigurationError("Falta el modelo de LEGAJO_RERANKER.")

    answer = collect(make(refuse, recipe="lumen").stream(QUESTION)).answer
    assert (answer.error, answer.abstained) == ("Falta el modelo de LEGAJO_RERANKER.", True)
    assert "embedding" not in answer.metrics


# ---------------------------------------------------------------- angles


@pytest.fixture
def provider(request: pytest.FixtureRequest) -> Iterator[dict[str, object]]:
    """The settings of a model that behaves as the test's scenario says; «list» answers with two phrases."""
    with running() as (_, url):
        key = SecretStr(f"{request.param}-angles")
        changes = {"llm_provider": "local", "llm_model": "m", "llm_base_url": f"{url}/v1", "local_api_key": key}
        answerer = build_answerer(Settings(_env_file=None).model_copy(update=changes))
        assert answerer.chat_model  # type: ignore[attr-defined]  # a model's: its SDK takes seconds to import
        yield changes


@pytest.mark.parametrize("provider", ["list"], indirect=True)
def test_angles_propose_what_the_question_s_words_do_not(make: Make, provider: dict[str, object]) -> None:
    events = list(make(query_angles=2, **provider).stream(QUESTION))
    outcome = collect(events)
    assert outcome.plan.angles == ("plazo para apelar una resolución", "recurso de apelación, quince días")
    assert sum(isinstance(event, Planned) for event in events) == 2  # the second one shows the angles
    assert outcome.search.funnel.generated["angles"] > 0
    assert outcome.search.funnel.reading is not None
    assert outcome.search.funnel.reading.angles == outcome.plan.angles
    (law,) = (c for c in outcome.search.candidates if c.chunk.path == "LEY-27444.md")
    assert law.scores["angles"] == 1.0  # the nearest to «plazo para apelar una resolución»
    assert outcome.answer.metrics["angles"] > 0


@pytest.mark.parametrize("provider", ["list"], indirect=True)
def test_angles_do_not_change_which_norms_are_meant(make: Make, provider: dict[str, object]) -> None:
    plan, found = make(query_angles=2, **provider).search(NAMING)
    assert (plan.identifiers, len(plan.angles)) == (("ley:27444",), 2)
    _, alone = make().search(NAMING)
    assert found.funnel.rejected.get("off_topic") == alone.funnel.rejected.get("off_topic")


@pytest.mark.parametrize("provider", ["bad", "cut", "empty"], indirect=True)
def test_a_model_that_fails_costs_no_search(make: Make, provider: dict[str, object]) -> None:
    plan, found = make(query_angles=3, **provider).search(QUESTION)
    assert plan.angles == ()
    assert found.candidates
    assert "angles" not in found.funnel.generated


@pytest.mark.parametrize("provider", ["list"], indirect=True)
def test_by_default_no_model_is_asked(make: Make, provider: dict[str, object]) -> None:
    outcome = collect(make(**provider).stream(QUESTION))
    assert outcome.plan.angles == ()
    assert "angles" not in outcome.answer.metrics


def test_without_a_model_the_question_is_searched_alone(make: Make) -> None:
    plan, found = make(query_angles=3).search(QUESTION)
    assert plan.angles == ()
    assert found.candidates


@pytest.mark.parametrize("provider", ["list"], indirect=True)
def test_more_passages_are_read_with_angles_unless_a_number_is_asked_for(
    make: Make, provider: dict[str, object], database: Database, settings: Settings, tmp_path: Path
) -> None:
    for n in range(ANGLES_TOP_K + 4):
        words = " ".join(f"palabra{n}x{m}" for m in range(12))
        (tmp_path / f"nota{n}.txt").write_text(f"Nota para reclamar a tiempo: {words}.", encoding="utf-8")
    indexer = Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project="general")
    list(indexer.run(tmp_path))
    pipeline = make(query_angles=2, **provider)
    assert len(pipeline.search(QUESTION)[1].candidates) == ANGLES_TOP_K
    assert len(pipeline.search(QUESTION, scope=Scope(top_k=5))[1].candidates) == 5
    assert len(make().search(QUESTION)[1].candidates) == settings.top_k
