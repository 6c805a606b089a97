"""A database with a project whose guide is to be replaced by its next version, and what can be seen of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from psycopg import Connection, sql
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.library import Library
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion.report import IngestReport
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.storage.segments import merge_segments
from tests.faults.processes import Program, cleared_away, until
from tests.faults.program import PROJECT, accept, ingest, work
from tests.indexing import library_of, upload

NAME = "guia.md"
PATH = f"cargados/{NAME}"
ARTICLES = 60  # a chunk each: two batches
QUESTION = "¿Cuál es el plazo de la Unidad de Gestión Educativa Local?"

# When and how often is no part of what is stored, and ids are told by the path that they belong to.
_TIMES = {"created_at", "updated_at", "accepted_at", "started_at", "advanced_at"}
_VOLATILE = {*_TIMES, "attempt", "crashes", "tries", "rate"}
_IDS = "SELECT document_id::text, path FROM documents UNION SELECT ingestion_id::text, path FROM ingestions"
_TABLES = """
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped AND c.relname <> 'audit'
    ORDER BY c.relname
"""  # who offered a file stays written down, whatever became of it
_numbers = count(1)


def guide(version: str, *, articles: int = ARTICLES) -> str:
    """A guide of which every chunk says its version, with an acronym to learn and norms to mention."""
    office = "la Unidad de Gestión Educativa Local"
    parts = [f"# Guía de trámites\n\nEdición {version} de {office} (UGEL), según la Ley N.° 27444.\n"]
    for number in range(1, articles + 1):
        words = " ".join(f"requisito{number}x{i} de la edición {version}," for i in range(4))
        parts.append(
            f"## Artículo {number}. Trámite {number}\n\nEdición {version}. El plazo del trámite ante {office} es de "
            f"{number} días hábiles. Se presentan: {words} según la edición {version}.\n"
        )
    return "\n".join(parts)


class Site:
    """A database of its own on some server."""

    def __init__(self, server: str, folder: Path, *, like: Site | None = None, stalled_s: float = 10.0) -> None:
        name = f"site_{next(_numbers)}"
        template = like.name if like else "template1"
        with psycopg.connect(server, autocommit=True) as connection:
            statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
            connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))
        self.name: str = name
        self.url = make_conninfo(server, dbname=name)
        self.folder = folder / name
        self.folder.mkdir()
        self.settings = Settings(home=self.folder, database_url=SecretStr(self.url))
        self.log = self.folder / "log"
        self.programs: list[Program] = []
        self._stalled_s = stalled_s

    # ------------------------------------------------------------ using the product

    @contextmanager
    def database(self) -> Iterator[Database]:
        with open_database(self.settings) as database:
            yield database.as_person(LOCAL_PERSON)

    @contextmanager
    def library(self) -> Iterator[Library]:
        with self.database() as database:
            yield library_of(database=database, settings=self.settings, embeddings=HashEmbeddings, project=PROJECT)

    def index(self, text: str, name: str = NAME) -> None:
        """Take a file in without any disturbance."""
        with self.library() as library:
            report = upload(library, name, text.encode())
        assert report.status in ("indexed", "updated"), report

    def accept(self, text: str, name: str = NAME) -> str:
        """Put a file into the queue; its ingestion's id."""
        (ingestion_id,) = self.accept_all({name: text})
        return ingestion_id

    def accept_all(self, texts: Mapping[str, str]) -> list[str]:
        """The same for files by their names, one after the other."""
        ids = []
        with self.library() as library:
            for name, text in texts.items():
                (accepted,) = library.accept_stream(name, BytesIO(text.encode()), same_name="replace")
                assert accepted.ingestion_id, accepted
                ids.append(accepted.ingestion_id)
        return ids

    def offer(self, text: str, name: str = NAME) -> IngestReport:
        """Offer a file for which nothing is to be done."""
        with self.library() as library:
            (accepted,) = library.accept_stream(name, BytesIO(text.encode()), same_name="replace")
        assert accepted.report is not None, accepted
        return accepted.report

    def cancel(self, ingestion_id: str) -> bool:
        with self.library() as library:
            return library.cancel(ingestion_id)

    def search(self) -> set[str]:
        """The editions that the passages of a search are of."""
        with self.database() as database:
            return editions(pipeline(database, self.settings))

    # ------------------------------------------------------------ programs

    def start_worker(self, point: str = "") -> Program:
        return self._start(work, self.url, self.folder, self._stalled_s, point)

    def start_ingesting(self, folder: Path, point: str = "") -> Program:
        return self._start(ingest, self.url, self.folder, folder, point)

    def start_accepting(self, text: str) -> Program:
        return self._start(accept, self.url, self.folder, NAME, text.encode())

    def _start(self, run: Callable[..., None], *arguments: object) -> Program:
        self.programs.append(Program(self.log, run, *arguments))
        return self.programs[-1]

    def embedded(self) -> int:
        """Chunks that its workers were asked to embed."""
        journal = self.folder / "journal"
        return sum(map(int, journal.read_text().split())) if journal.exists() else 0

    # ------------------------------------------------------------ looking

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        with psycopg.connect(self.url) as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Connection]:
        """A connection to look again and again over: to open one costs more than most looks."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            yield connection

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self.connection() as connection:
            return connection.execute(query.encode(), values).fetchall()

    def wait_until_over(self) -> None:
        """No ingestion is under way, and no job is left."""
        busy = (
            "SELECT count(*) FROM (SELECT FROM ingestions WHERE status IN ('queued', 'working')"
            " UNION ALL SELECT FROM procrastinate_jobs) AS busy"
        )
        with self.watching() as connection:
            until(lambda: connection.execute(busy.encode()).fetchone() == (0,), f"{self.name} does not end; {self.log}")

    def wait_for_workers(self, number: int) -> None:
        """So many attend to the queue, and would end well if they were asked to."""
        query = b"SELECT count(*) FROM procrastinate_workers"
        with self.watching() as connection:
            until(
                lambda: connection.execute(query).fetchone() == (number,), f"{number} workers do not attend; {self.log}"
            )

    def wait_for_lock(self, *, waiters: int = 1) -> None:
        """So many wait for a lock that this test holds."""
        with self.watching() as connection:
            until(lambda: number_waiting(connection) >= waiters, f"nobody waits; {self.log}")

    @contextmanager
    def nobody_writes(self, table: str) -> Iterator[None]:
        """Hold whoever wants to write to a table, in the middle of the transaction; who reads goes on."""
        with closing(psycopg.connect(self.url)) as connection:  # closed without a word: the server may be dead
            connection.execute(sql.SQL("LOCK TABLE {} IN SHARE MODE").format(sql.Identifier(table)))
            yield

    def contents(self) -> dict[str, list[str]]:
        """Every row of every table, with what may differ between two undisturbed runs taken out."""
        with self.database() as database, database.connection() as connection:
            merge_segments(connection, PROJECT, more_than=0)
        with self.connection() as connection:
            names = dict(connection.execute(_IDS).fetchall())
            tables = [name for (name,) in connection.execute(_TABLES)]
            return {table: sorted(_rows(connection, table, names)) for table in tables}


def number_waiting(connection: Connection) -> int:
    """How many wait for a lock that somebody else holds."""
    query = (
        b"SELECT count(DISTINCT l.pid) FROM pg_locks l LEFT JOIN pg_database d ON d.oid = l.database"
        b" WHERE NOT l.granted AND (d.datname = current_database() OR l.pid IN"
        b" (SELECT pid FROM pg_stat_activity WHERE datname = current_database()))"
    )
    ((number,),) = connection.execute(query)
    return int(number)


def pipeline(database: Database, settings: Settings) -> RAGPipeline:
    def no_answerer(*_: object) -> Any:
        raise AssertionError("a search asks no model")

    return RAGPipeline(
        database=database, settings=settings, embeddings=HashEmbeddings, answerer=no_answerer, project=PROJECT
    )


def editions(pipeline: RAGPipeline) -> set[str]:
    """The editions of the guide that a search finds. A chunk without one would be a hole."""
    _, found = pipeline.search(QUESTION, scope=Scope(top_k=12))
    assert found.candidates, "a search finds nothing"
    texts = [candidate.chunk.text for candidate in found.candidates]
    return {text.lower().partition("edición ")[2][:1] or text for text in texts}


def _rows(connection: Connection, table: str, names: dict[str, str]) -> Iterator[str]:
    query = sql.SQL("SELECT to_jsonb(t) FROM {} AS t").format(sql.Identifier(table))
    for (row,) in connection.execute(query):
        kept = {key: names.get(str(value), value) for key, value in row.items() if key not in _VOLATILE}
        yield json.dumps(kept, sort_keys=True)


@contextmanager
def ended(sites: list[Site]) -> Iterator[None]:
    """No program of the sites outlives the test."""
    try:
        yield
    finally:
        for site in sites:
            with cleared_away(site.programs):
                pass
