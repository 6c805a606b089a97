"""Documents that another project gets too, or instead: stored as if they had been read there, and embedded once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from psycopg import sql

from assistant.assistant import Assistant
from assistant.commands import cli
from assistant.copying import Copier
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, IncompatibleStoreError, InputError, NotFoundError
from rag_system.ingestion import publication
from rag_system.ingestion.report import IngestReport
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.types import Concept
from tests.indexing import filled, project_of, upload

LEASE = """# Ley N.° 31999, Ley de Alquileres

La Superintendencia de Predios Urbanos (SPU) la aplica.

## Artículo 1. Garantía

La garantía del local se devuelve en treinta días, como manda la Ley N.° 31999 y vigila la SPU.

## Artículo 2. Renta

La renta se paga el quinto día hábil. La SPU multa a quien se retrasa.

## Artículo 3. (Derogado)

## Artículo 4. Disposición derogatoria

Deróguese la Ley N.° 30111.
"""
BIKES = "# Bicicletas\n\nLas bicicletas se guardan en el sótano del local, según la Ley N.° 31999."
STALL = "# Puestos\n\nLa garantía del puesto se devuelve en cinco días."
ENGLISH = "# Bicycles\n\nThe bicycles are kept in the basement of the house, and nobody rides them on the stairs."
LEASE_PATH, BIKES_PATH, ENGLISH_PATH = (f"cargados/{name}.md" for name in ("alquiler", "bicicletas", "bicycles"))
QUESTIONS = (
    "¿En cuántos días se devuelve la garantía?",
    "¿Qué dice la Ley 31999 de la SPU?",
    "¿Dónde van las bicicletas?",
)
CONCEPTS = [Concept(name="Garantía"), Concept(name="Bicicletas", parent="Garantía")]
# Whatever is stored of a project, but for its name, the audit and conversations.
TABLES = (
    "acronyms", "chunk_concepts", "chunk_entities", "chunks", "concepts", "document_concepts", "document_identifiers",
    "document_terms", "documents", "embeddings", "entities", "entity_chunks", "file_parts", "files", "ingestions",
    "language_means", "postings", "removed_chunks", "repeals", "segments", "staged_chunks", "staged_vectors",
)  # fmt: skip
# Names and times of the making, and how the file was read, which nobody looks at any more.
NAMES = {
    "extracted",
    "project_id",
    "ingestion_id",
    "created_at",
    "updated_at",
    "accepted_at",
    "started_at",
    "advanced_at",
    "rate",
}


class CountingEmbeddings(HashEmbeddings):
    embedded = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded += len(texts)
        return super().embed_documents(texts)


@pytest.fixture
def embeddings() -> CountingEmbeddings:
    return CountingEmbeddings()


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    documents = {"puestos.md": STALL, "alquiler.md": LEASE, "bicicletas.md": BIKES, "bicycles.md": ENGLISH}
    return filled(own_database_url, server_home, {"origen": documents}, entities="rules")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of an organisation whose recipe looks at what documents name."""
    return settings.model_copy(update={"entities": "rules"})


@pytest.fixture
def assistant(settings: Settings, embeddings: CountingEmbeddings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=embeddings) as opened:
        yield opened


@pytest.fixture
def source(assistant: Assistant) -> ProjectAssistant:
    return project_of(assistant, "origen")


def made(assistant: Assistant, name: str) -> ProjectAssistant:
    """An empty project with concepts."""
    project = project_of(assistant, name)
    project.concepts.replace(CONCEPTS)
    return project


def copied(project: ProjectAssistant, *paths: str, to: str = "destino", **how: bool) -> list[IngestReport]:
    return list(project.copier.copy(paths, to=to, **how))


def stored(database: Database, project: str) -> dict[str, list[Any]]:
    """All rows of a project, documents by their path instead of their id."""
    with database.connection() as connection:
        paths = {
            f'"{document_id}"': f'"{path}"'
            for document_id, path in connection.execute(
                "SELECT document_id::text, path FROM documents WHERE project_id = %s", [project]
            )
        }
        return {table: _rows(connection, table, project, paths) for table in TABLES}


def _rows(connection: Any, table: str, project: str, paths: dict[str, str]) -> list[Any]:
    query = sql.SQL("SELECT to_jsonb(t) FROM {} t WHERE project_id = %s").format(sql.Identifier(table))
    rows = [
        json.dumps({k: v for k, v in row.items() if k not in NAMES}) for (row,) in connection.execute(query, [project])
    ]
    for document_id, path in paths.items():
        rows = [row.replace(document_id, path) for row in rows]
    return sorted(rows)


def found(project: ProjectAssistant, question: str) -> list[tuple[str, int, str, float, Any]]:
    _, result = project.pipeline.search(question)
    return [(c.chunk.path, c.chunk.chunk_id, c.text, c.score, c.scores) for c in result.candidates]


# ---------------------------------------------------------------- as if it had been read there


def test_a_copy_is_stored_and_found_as_if_it_had_been_read_there(
    assistant: Assistant, source: ProjectAssistant, database: Database, embeddings: CountingEmbeddings
) -> None:
    target, beside = made(assistant, "destino"), made(assistant, "leído")
    for path, words in {"alquiler": LEASE, "bicicletas": BIKES, "bicycles": ENGLISH}.items():
        assert upload(beside, f"{path}.md", words.encode()).status == "indexed"
    embeddings.embedded = 0
    reports = copied(source, LEASE_PATH, BIKES_PATH, ENGLISH_PATH)
    assert [(each.path, each.status) for each in reports] == [
        (path, "copied") for path in (LEASE_PATH, BIKES_PATH, ENGLISH_PATH)
    ]
    assert embeddings.embedded == 0
    there, read = stored(database, "destino"), stored(database, "leído")
    assert {table: (there[table], rows) for table, rows in read.items() if there[table] != rows} == {}
    assert all(read[table] for table in TABLES if not table.startswith(("staged", "removed")))
    for question in QUESTIONS:
        assert found(target, question) == found(beside, question) != []
    assert len(source.library.all()) == 4


def test_the_bytes_come_along(assistant: Assistant, source: ProjectAssistant) -> None:
    target = made(assistant, "destino")
    copied(source, LEASE_PATH)
    original = target.originals.find(LEASE_PATH)
    assert original is not None
    assert target.originals.content(original) == LEASE.encode()


# ---------------------------------------------------------------- what may be in the way


def test_what_is_there_already_is_left(assistant: Assistant, source: ProjectAssistant) -> None:
    target = made(assistant, "destino")
    copied(source, LEASE_PATH)
    before = target.audit()
    (again,) = copied(source, LEASE_PATH, LEASE_PATH)
    assert (again.status, target.audit()) == ("unchanged", before)


def test_other_content_is_only_replaced_when_asked(assistant: Assistant, source: ProjectAssistant) -> None:
    target = made(assistant, "destino")
    upload(target, "alquiler.md", STALL.encode())
    (refused, taken) = copied(source, LEASE_PATH, BIKES_PATH)
    assert (refused.status, refused.code, taken.status) == ("failed", "path_taken", "copied")
    assert {each.title for each in target.library.all()} == {"Puestos", "Bicicletas"}
    (replaced,) = copied(source, LEASE_PATH, replaces=True)
    assert replaced.status == "copied"
    assert {each.title for each in target.library.all()} == {"Ley N.° 31999, Ley de Alquileres", "Bicicletas"}


def test_a_file_on_its_way_is_not_pushed_aside(assistant: Assistant, source: ProjectAssistant) -> None:
    target = made(assistant, "destino")
    target.library.accept_stream("alquiler.md", BytesIO(STALL.encode()))
    (refused,) = copied(source, LEASE_PATH)
    assert (refused.status, refused.code) == ("failed", "path_taken")
    assert [each.path for each in target.library.ingestions()] == [LEASE_PATH]
    target.library.accept_stream(
        "bicicletas.md", BytesIO(BIKES.encode())
    )  # the same bytes: they need not be read any more
    (taken,) = copied(source, BIKES_PATH)
    assert taken.status == "copied"
    assert [each.path for each in target.library.ingestions()] == [LEASE_PATH]


def test_content_at_another_path_is_stored_once(assistant: Assistant, source: ProjectAssistant) -> None:
    target = made(assistant, "destino")
    upload(target, "otro nombre.md", LEASE.encode())
    (taken,) = copied(source, LEASE_PATH)
    assert (taken.status, taken.copy_of) == ("copied", "cargados/otro nombre.md")
    upload(source, "otra copia.md", LEASE.encode())
    project_of(assistant, "vacío")
    (taken,) = copied(source, "cargados/otra copia.md", to="vacío")  # a copy brings its original's chunks
    assert (taken.status, taken.copy_of, taken.chunks) == ("copied", "", 5)


def test_a_project_of_another_model_takes_none(
    assistant: Assistant, source: ProjectAssistant, settings: Settings
) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings(model_id="otro/64/1")) as other:
        upload(project_of(other, "destino"), "suyo.md", STALL.encode())
        with pytest.raises(IncompatibleStoreError, match=r"otro/64/1.*legajo reindex"):
            copied(source, LEASE_PATH)
        assert [each.path for each in project_of(other, "destino").library.all()] == ["cargados/suyo.md"]


def test_a_full_project_takes_none(assistant: Assistant, source: ProjectAssistant, settings: Settings) -> None:
    small = settings.model_copy(update={"max_project_chunks": 1})
    project_of(assistant, "destino")
    with Assistant.open(small, embeddings=HashEmbeddings()) as opened:
        (refused,) = copied(project_of(opened, "origen"), LEASE_PATH)
    assert (refused.status, "1 fragmentos, su límite" in refused.error) == ("failed", True)
    assert project_of(assistant, "destino").library.all() == []


@pytest.mark.parametrize(
    ("path", "to", "error", "said"),
    [
        (LEASE_PATH, "origen", InputError, "ya está en «origen»"),
        (LEASE_PATH, "nada", NotFoundError, "No existe el proyecto «nada». Hay: destino, origen"),
        ("alquiler.md", "destino", InputError, "Se parecen: «cargados/alquiler.md»"),
    ],
)
def test_what_is_not_there(
    assistant: Assistant, source: ProjectAssistant, path: str, to: str, error: type[Exception], said: str
) -> None:
    target = project_of(assistant, "destino")
    with pytest.raises(error, match=re.escape(said)):
        copied(source, BIKES_PATH, path, to=to)
    assert target.library.all() == []


# ---------------------------------------------------------------- moving


def test_what_is_moved_is_gone_here(assistant: Assistant, source: ProjectAssistant, database: Database) -> None:
    target, (left, moved) = made(assistant, "destino"), (stored(database, "origen"), LEASE_PATH)
    (report,) = copied(source, moved, moves=True)
    assert report.status == "moved"
    assert moved not in {each.path for each in source.library.all()}
    assert [each.path for each in target.library.all()] == [moved]
    assert set(stored(database, "origen")["files"]) < set(left["files"])
    assert moved not in {path for path, *_ in found(source, QUESTIONS[0])}
    assert found(target, QUESTIONS[0])[0][0] == moved
    (again,) = copied(target, moved, to="origen")
    (report,) = copied(source, moved, moves=True)  # it is there already: only gone here
    assert (again.status, report.status) == ("copied", "moved")
    assert [each.path for each in target.library.all()] == [moved]


def test_a_document_that_cannot_be_moved_stays_whole(
    assistant: Assistant, source: ProjectAssistant, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in the last step, after all is written there."""
    made(assistant, "destino")
    before = {name: stored(database, name) for name in ("origen", "destino")}
    monkeypatch.setattr(publication, "finish", fail)
    with pytest.raises(IncompatibleStoreError):
        copied(source, LEASE_PATH, moves=True)
    assert {name: stored(database, name) for name in before} == before


def fail(*_: object, **__: object) -> None:
    raise IncompatibleStoreError


def test_it_is_written_down_in_both(assistant: Assistant, source: ProjectAssistant) -> None:
    target = project_of(assistant, "destino")
    before = len(source.audit())
    copied(source, LEASE_PATH)
    copied(source, BIKES_PATH, moves=True)
    assert [(e.action, e.object) for e in source.audit()[: len(source.audit()) - before]] == [
        ("document.move", BIKES_PATH),
        ("document.copy", LEASE_PATH),
    ]
    assert [(e.action, e.object) for e in target.audit()[:2]] == [
        ("document.add", BIKES_PATH),
        ("document.add", LEASE_PATH),
    ]


# ---------------------------------------------------------------- who may


@pytest.mark.parametrize(
    ("here", "there", "copies", "moves"),
    [
        ("reader", "editor", None, ForbiddenError),
        ("editor", "owner", None, None),
        ("owner", "reader", ForbiddenError, ForbiddenError),
        ("", "owner", NotFoundError, NotFoundError),
        ("owner", "", NotFoundError, NotFoundError),
    ],
)
def test_who_may(
    assistant: Assistant,
    source: ProjectAssistant,
    settings: Settings,
    database: Database,
    here: str,
    there: str,
    copies: type[Exception] | None,
    moves: type[Exception] | None,
) -> None:
    target = project_of(assistant, "destino")
    with database.as_login() as owner:
        owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
        for project, role in {"origen": here, "destino": there}.items():
            if role:
                owner.execute("INSERT INTO memberships VALUES (%s, 'ana', %s)", [project, role])
    hers = Copier(database.as_person("ana"), settings, "origen")  # got by without asking whether it is theirs
    assert [*hers.targets()] == (["destino"] if there in ("owner", "editor") else [])
    before = {name: stored(database, name) for name in ("origen", "destino")}
    for moving, error in ((False, copies), (True, moves)):
        if error is None:
            assert [each.status for each in hers.copy([LEASE_PATH], to="destino", moves=moving)] == [
                "moved" if moving else "copied"
            ]
            target.library.remove(target.library.all()[0].document_id)
        else:
            with pytest.raises(error):
                list(hers.copy([LEASE_PATH], to="destino", moves=moving))
            assert stored(database, "origen") == before["origen"]
            assert target.library.all() == []


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> list[str]:
    result = CliRunner().invoke(cli, ["documents", *arguments])
    assert result.exit_code in (0, 1), result.stderr
    return [*result.stdout.splitlines(), *result.stderr.splitlines()]


def test_the_command_copies_and_moves(
    assistant: Assistant, source: ProjectAssistant, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    upload(project_of(assistant, "destino"), "alquiler.md", STALL.encode())
    way = ("--project", "origen", "--to", "destino")
    lines = run("--copy", LEASE_PATH, "--move", BIKES_PATH, *way)
    assert [line.split()[0] for line in lines] == ["no", "movido"]
    assert "--replace" in lines[0]
    (row,) = map(json.loads, run("--copy", LEASE_PATH, "--replace", "--json", *way))
    assert (row["path"], row["status"], row["chunks"]) == (LEASE_PATH, "copied", 5)
    for wrong in (["--copy", LEASE_PATH], ["--to", "destino"], ["--replace"]):
        with pytest.raises(InputError, match="--to"):
            CliRunner().invoke(cli, ["documents", *wrong], standalone_mode=False, catch_exceptions=False)
