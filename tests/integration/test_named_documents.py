"""What a search reads of the documents that a question names: no more where thousands mention a law."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from psycopg import Connection

from rag_system.search.strategies.article import heading_pattern
from rag_system.search.strategies.metadata import NAMED_DOCUMENTS
from rag_system.storage.connection import Database
from rag_system.storage.projects import create_project
from rag_system.storage.sql import queries

PROJECT = "general"
MENTIONING, OWN = 3_000, 2
KEY: Mapping[str, Any] = {
    "project": PROJECT,
    "bases": ["ley:27444"],
    "limit": NAMED_DOCUMENTS,
    "documents": NAMED_DOCUMENTS,
    "pattern": heading_pattern(["5"]),
    "vector": "[1,0,0]",
}
MADE = [
    "INSERT INTO documents (project_id, document_id, path, sha256, status, chunk_count, first_chunk_id)"
    " SELECT %(project)s, gen_random_uuid(), n || '.md', n, 'indexed', 1, n FROM generate_series(1, %(count)s) AS n",
    "INSERT INTO document_identifiers (project_id, base, identifier, document_id, own)"
    " SELECT project_id, 'ley:27444', 'ley:27444', document_id, first_chunk_id <= %(own)s FROM documents",
    "INSERT INTO chunks"
    " (project_id, chunk_id, document_id, ordinal, heading_path, text, tokens, content_hash)"
    " SELECT project_id, first_chunk_id, document_id, 0, '{Artículo 5}', 'Texto.', 2, sha256 FROM documents",
    "INSERT INTO embeddings (project_id, chunk_id, embedding) SELECT project_id, chunk_id, '[0,1,0]' FROM chunks",
]


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.connection() as lent:
        create_project(lent, PROJECT)
        for statement in MADE:
            lent.execute(statement, {"project": PROJECT, "count": MENTIONING, "own": OWN})
    with database.as_login() as owner:
        owner.execute("ANALYZE documents, document_identifiers, chunks, embeddings")
    with database.connection() as lent:
        yield lent


def rows_read(plan: Mapping[str, Any]) -> int:
    """By all scans of tables in a plan that was run."""
    own = int(plan["Actual Rows"] * plan["Actual Loops"]) if "Relation Name" in plan else 0
    return own + sum(rows_read(each) for each in plan.get("Plans", ()))


@pytest.mark.parametrize(
    ("file", "query"),
    [("metadata.sql", "named"), ("article.sql", "articles"), ("semantic.sql", "nearest_within_named")],
)
def test_of_a_law_that_thousands_mention_a_few_documents_are_read(
    connection: Connection, file: str, query: str
) -> None:
    statement = queries("rag_system.search.strategies", file)[query]
    ((((plan,),)),) = connection.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + statement, KEY).fetchall()
    assert rows_read(plan["Plan"]) <= 3 * NAMED_DOCUMENTS


def test_the_documents_that_are_the_law_come_first(connection: Connection) -> None:
    named = queries("rag_system.search.strategies", "metadata.sql")["named"]
    own = [row[2] for row in connection.execute(named, KEY)]
    assert own == [True] * OWN + [False] * (NAMED_DOCUMENTS - OWN)
    articles = queries("rag_system.search.strategies", "article.sql")["articles"]
    assert [row[0] for row in connection.execute(articles, KEY)] == [1, 2]


def test_an_own_document_without_text_leaves_the_article_to_those_that_mention_the_law(connection: Connection) -> None:
    connection.execute("UPDATE documents SET chunk_count = 0 WHERE first_chunk_id <= %s", [OWN])
    articles = queries("rag_system.search.strategies", "article.sql")["articles"]
    assert len(connection.execute(articles, KEY).fetchall()) == NAMED_DOCUMENTS - OWN


HEADINGS = [
    ("Artículo 5. Consentimiento", True),
    ("ARTÍCULO 5°.- CONSENTIMIENTO", True),
    ("articulo n.° 5", True),
    ("Art. 12-A", True),
    ("Artículo 50", False),
    ("Artículo 1", False),
]


@pytest.mark.parametrize(("heading", "wanted"), HEADINGS)
def test_headings_are_read_whatever_the_locale_of_the_server(database: Database, heading: str, wanted: bool) -> None:
    with database.connection() as connection:
        found = connection.execute('SELECT %s COLLATE "C" ~* %s', [heading, heading_pattern(["5", "12-A"])])
        assert found.fetchone() == (wanted,)


def test_a_copy_that_is_named_gives_the_chunks_of_its_original(connection: Connection) -> None:
    connection.execute(
        "INSERT INTO documents"
        " (project_id, document_id, path, sha256, status, chunk_count, first_chunk_id, copy_of)"
        " SELECT project_id, gen_random_uuid(), 'copia.md', sha256, 'indexed', 1, first_chunk_id, document_id"
        " FROM documents WHERE path = '9.md'"
    )
    connection.execute(
        "INSERT INTO document_identifiers (project_id, base, identifier, document_id, own)"
        " SELECT project_id, 'ley:29733', 'ley:29733', document_id, true FROM documents WHERE path = 'copia.md'"
    )
    key = {**KEY, "bases": ["ley:29733"]}
    strategies = "rag_system.search.strategies"
    assert connection.execute(queries(strategies, "article.sql")["articles"], key).fetchall() == [(9,)]
    (named,) = connection.execute(queries(strategies, "metadata.sql")["named"], key).fetchall()
    original = connection.execute("SELECT document_id::text FROM documents WHERE path = '9.md'").fetchone()
    assert original == named[:1]
