"""What chunks mention, in a real PostgreSQL: written with the document, counted, and gone with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.publishing import remove_document
from tests.indexing import Indexing

PROJECT = "pruebas"

LONG = " ".join(["El trámite es gratuito y lo puede hacer cualquier persona."] * 40)  # fills a chunk
TAXES = f"""# Guía de tributos

## Quién cobra

La SUNAT cobra los tributos según la Ley N° 27444. {LONG}

## Quién resuelve

Contra la SUNAT resuelve el Tribunal Fiscal. {LONG}
"""
CLAIMS = """# Guía de reclamos

## Ante quién

El reclamo va al Tribunal Fiscal.
"""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of an organisation whose recipe looks at what documents name."""
    return settings.model_copy(update={"entities": "rules"})


@pytest.fixture
def indexer(database: Database, settings: Settings) -> Indexing:
    return Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project=PROJECT)


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def index(indexer: Indexing, folder: Path) -> None:
    assert all(not report.error for report in indexer.run(folder))


def counted(database: Database) -> dict[str, int]:
    with database.connection() as connection:
        return dict(connection.execute("SELECT entity, chunk_count FROM entities ORDER BY 1").fetchall())


def test_each_entity_is_counted_over_the_chunks_of_the_project(
    indexer: Indexing, database: Database, tmp_path: Path
) -> None:
    write(tmp_path, tributos=TAXES, reclamos=CLAIMS)
    index(indexer, tmp_path)
    assert counted(database) == {"ley:27444": 1, "sunat": 2, "tribunal fiscal": 2}
    with database.connection() as connection:
        by_chunk = connection.execute("SELECT entities FROM chunk_entities ORDER BY entities").fetchall()
        by_entity = connection.execute("SELECT sum(cardinality(chunk_ids)) FROM entity_chunks").fetchone()
    assert [row[0] for row in by_chunk] == [["ley:27444", "sunat"], ["sunat", "tribunal fiscal"], ["tribunal fiscal"]]
    assert by_entity == (5,)


def test_a_new_version_is_counted_in_the_place_of_the_old_one(
    indexer: Indexing, database: Database, tmp_path: Path
) -> None:
    write(tmp_path, tributos=TAXES, reclamos=CLAIMS)
    index(indexer, tmp_path)
    write(tmp_path, tributos=TAXES.replace("Contra la SUNAT", "Contra la OEFA"))
    index(indexer, tmp_path)
    assert counted(database) == {"ley:27444": 1, "oefa": 1, "sunat": 1, "tribunal fiscal": 2}


def test_a_removed_document_takes_its_entities_along(indexer: Indexing, database: Database, tmp_path: Path) -> None:
    write(tmp_path, tributos=TAXES, reclamos=CLAIMS)
    index(indexer, tmp_path)
    with database.connection() as connection:
        (removed,) = (d for d in list_documents(connection, PROJECT) if d.path == "tributos.md")
        assert remove_document(connection, PROJECT, removed.document_id)
    assert counted(database) == {"tribunal fiscal": 1}
    with database.connection() as connection:
        assert connection.execute("SELECT entities FROM chunk_entities").fetchall() == [(["tribunal fiscal"],)]
