"""The graph strategy over real tables: what a question names, and what stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from psycopg import Connection

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.query.plan import analyze
from rag_system.search.collection import Collection
from rag_system.search.recipes import Recipe
from rag_system.search.request import SearchRequest
from rag_system.search.searching import choose, find
from rag_system.search.strategies import Graph
from rag_system.search.table import Ranking, Table
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from tests.indexing import filled

PROJECT = "pruebas"
BOTH = ["La SUNAT remite el caso al Tribunal Fiscal.", "La SUNAT responde ante el Tribunal Fiscal en diez días."]
SUNAT = "La SUNAT fiscaliza a los contribuyentes."
TRIBUNAL = "El Tribunal Fiscal publica sus acuerdos."
MINISTRY = "El Ministerio de Trabajo inspecciona."
WHOLE_MINISTRY = "El Ministerio de Trabajo y Promoción del Empleo registra contratos."
OTHERS = [f"La Guía Práctica número {n} explica el trámite." for n in range(20)]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of an organisation whose recipe looks at what documents name."""
    return settings.model_copy(update={"entities": "rules"})


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    texts = enumerate([*BOTH, SUNAT, TRIBUNAL, MINISTRY, WHOLE_MINISTRY, *OTHERS])
    documents = {f"{number:02}.txt": text for number, text in texts}
    return filled(own_database_url, server_home, {PROJECT: documents}, entities="rules")


def asked(connection: Connection, question: str, **weights: float) -> SearchRequest:
    return SearchRequest(
        collection=Collection(projects=[get_project(connection, PROJECT)]),
        plan=analyze(question),
        embedded=lambda: HashEmbeddings().embed_query(question),
        terms=[],
        recipe=Recipe(name="prueba", weights=weights, min_score=0.0),
        top_k=8,
    )


def ask(connection: Connection, question: str) -> tuple[list[str], dict[str, float]]:
    """The texts that are proposed, and the score of each text there is."""
    graph = Graph(asked(connection, question))
    graph.send(connection)
    proposed = graph.propose()
    rows = connection.execute(
        "SELECT chunk_id, text, entities FROM chunks JOIN chunk_entities USING (project_id, chunk_id) ORDER BY 1"
    ).fetchall()
    texts = {row[0]: row[1] for row in rows}
    scores = graph.column(Table(entities=[row[2] for row in rows]))
    return [texts[i] for i in proposed], dict(zip(texts.values(), scores.tolist(), strict=True))


def test_chunks_that_mention_all_of_the_question_s_entities_are_proposed_and_score_one(database: Database) -> None:
    with database.connection() as connection:
        proposed, scores = ask(connection, "que diferencia hay entre la sunat y el tribunal fiscal")
    assert sorted(proposed) == sorted(BOTH)  # whichever was published first
    assert scores[BOTH[0]] == pytest.approx(1)
    assert 0 < scores[SUNAT] < 1
    assert scores[OTHERS[0]] == 0


def test_what_stands_beside_the_question_s_entities_counts_at_most_half(database: Database) -> None:
    with database.connection() as connection:
        proposed, scores = ask(connection, "¿Qué hacen la SUNAT y el Ministerio de Trabajo?")
    assert proposed == []
    assert 0 < scores[TRIBUNAL] < 0.5 * scores[SUNAT]


def test_a_name_inside_a_longer_one_that_the_question_names_is_left_out(database: Database) -> None:
    with database.connection() as connection:
        _, scores = ask(connection, "la sunat ante el ministerio de trabajo y promocion del empleo")
        _, shorter = ask(connection, "la sunat ante el ministerio de trabajo")
    assert scores[WHOLE_MINISTRY] > 0
    assert scores[MINISTRY] == 0
    assert shorter[MINISTRY] > 0


@pytest.mark.parametrize(
    "question", ["¿Cuántos días hay?", "¿Qué dicen la Ley N° 99999 y la OEFA?", "¿Qué hace la SUNAT?"]
)
def test_a_question_that_names_less_than_two_known_entities_scores_nothing(database: Database, question: str) -> None:
    with database.connection() as connection:
        proposed, scores = ask(connection, question)
    assert proposed == []
    assert set(scores.values()) == {0.0}


def test_a_recipe_lifts_by_it_only_where_it_gives_it_a_weight(database: Database) -> None:
    def scored(found: Ranking) -> dict[str, float]:
        return {each.chunk.text: each.scores["graph"] for each in choose(connection, found).candidates}

    question = "¿Qué hace la SUNAT ante el Tribunal Fiscal?"
    with database.connection() as connection:
        with_graph = find(connection, asked(connection, question, semantic=1.0, graph=0.5))
        without = find(connection, asked(connection, question, semantic=1.0))
        assert scored(with_graph)[BOTH[0]] == pytest.approx(1)
    assert "graph" in with_graph.proposals
    assert "graph" not in without.proposals
    assert "graph" not in without.scores
