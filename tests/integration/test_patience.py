"""What a file does while the model or the database is away: it waits, says why, and goes on or fails with that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from pydantic import SecretStr

from assistant.commands.queue import _line
from assistant.library import Library
from rag_system.embeddings import EmbeddingModel
from rag_system.embeddings.remote import OpenAIEmbeddings
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion import indexing
from rag_system.ingestion.indexing import Indexer, OtherModelError
from rag_system.ingestion.jobs import Worker, WorkerThread
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.ingestions import Stage
from tests.faults.processes import until
from tests.indexing import library_of
from tests.unit.fake_embedding_server import FakeServer, serving

PROJECT = "pruebas"
RETRY_S = (0.02,)
TEXT = "# Nota {0}\n\nEl plazo de la nota {0} es de diez días."

RemoteSettings = Callable[..., Settings]
Trouble = Callable[[Database, FakeServer], AbstractContextManager[None]]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[FakeServer]:
    with serving() as running:
        yield running


@pytest.fixture
def remote(endpoint: FakeServer, settings: Settings) -> RemoteSettings:
    def told(key: str = "ok") -> Settings:
        update = {"llm_base_url": f"{endpoint.url}/v1", "local_api_key": SecretStr(key), "llm_timeout_s": 5.0}
        return settings.model_copy(update=update)

    return told


@pytest.fixture
def model(remote: RemoteSettings) -> EmbeddingModel:
    """A model behind an endpoint that has said how long its vectors are."""
    model = OpenAIEmbeddings(model="nomic-embed-text", settings=remote())
    assert model.manifest.dimension == 5
    return model


@contextmanager
def endpoint_away(database: Database, endpoint: FakeServer) -> Iterator[None]:
    endpoint.down = True
    try:
        yield
    finally:
        endpoint.down = False


@contextmanager
def disk_full(database: Database, endpoint: FakeServer) -> Iterator[None]:
    with database.as_login() as connection:
        connection.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$"
        )
        connection.execute("CREATE TRIGGER no_room BEFORE INSERT ON staged_vectors EXECUTE FUNCTION no_room()")
    yield
    with database.as_login() as connection:
        connection.execute("DROP FUNCTION no_room CASCADE")


TROUBLES = [
    pytest.param(endpoint_away, "no pudo calcular los vectores (código 503)", id="endpoint away"),
    pytest.param(disk_full, "No queda espacio en el disco de la base de datos", id="disk full"),
]


@pytest.fixture
def library(database: Database, settings: Settings, model: EmbeddingModel) -> Library:
    return library_of(database=database, settings=settings, embeddings=lambda: model, project=PROJECT)


@pytest.fixture
def worker(database: Database, settings: Settings, model: EmbeddingModel) -> Worker:
    return Worker(database=database, embeddings=lambda: model, settings=settings, retry_s=RETRY_S)


def accepted(library: Library, name: str) -> str:
    (file,) = library.accept_stream(name, BytesIO(TEXT.format(name).encode()))
    assert file.ingestion_id
    return file.ingestion_id


def queue(library: Library) -> str:
    """What `legajo queue` shows."""
    return "\n".join(_line(each, attended=True) for each in library.ingestions())


def status(library: Library, ingestion_id: str) -> str:
    report = library.ingestion(ingestion_id)
    return report.status if report else ""


@pytest.mark.parametrize(("trouble", "reason"), TROUBLES)
def test_a_file_waits_for_what_is_away_and_the_queue_says_why(
    database: Database, endpoint: FakeServer, library: Library, worker: Worker, trouble: Trouble, reason: str
) -> None:
    ingestion_id = accepted(library, "nota.md")
    with WorkerThread(worker):
        with trouble(database, endpoint):
            until(lambda: "en cola" in (shown := queue(library)) and reason in shown, "the queue does not say why")
        until(lambda: status(library, ingestion_id) == "indexed", "it is not taken up again")
    assert queue(library) == ""


@pytest.mark.parametrize(("trouble", "reason"), TROUBLES)
def test_what_stays_away_fails_the_file_with_the_reason_until_it_is_retried(
    database: Database,
    endpoint: FakeServer,
    library: Library,
    worker: Worker,
    trouble: Trouble,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(indexing, "MOST_TRIES", 4)
    ingestion_id = accepted(library, "nota.md")
    with WorkerThread(worker):
        with trouble(database, endpoint):
            until(lambda: status(library, ingestion_id) == "failed", "it is tried for ever")
        assert reason in queue(library)
        with database.connection() as connection:
            attempts = connection.execute("SELECT attempt FROM ingestions").fetchall()
        assert attempts == [(4 + 1,)]
        assert library.retry(ingestion_id)
        until(lambda: status(library, ingestion_id) == "indexed", "it is not retried")


def test_the_queue_says_when_it_will_be_tried_again(
    database: Database, endpoint: FakeServer, library: Library, settings: Settings, model: EmbeddingModel
) -> None:
    accepted(library, "nota.md")
    worker = Worker(database=database, embeddings=lambda: model, settings=settings, retry_s=(600.0,))
    with WorkerThread(worker), endpoint_away(database, endpoint):
        until(lambda: "Se volverá a intentar a las" in queue(library), "the queue does not say when")
        (waiting,) = library.ingestions()
    assert waiting.retry_at is not None
    assert abs(waiting.retry_at - datetime.now(UTC) - timedelta(minutes=10)) < timedelta(minutes=5)  # a busy machine
    assert f" {waiting.retry_at.astimezone():%H:%M}." in queue(library)


def test_a_file_is_accepted_while_the_model_has_never_been_reached(
    database: Database, endpoint: FakeServer, settings: Settings, remote: RemoteSettings
) -> None:
    unknown = OpenAIEmbeddings(model="nomic-embed-text", settings=remote())
    library = library_of(database=database, settings=settings, embeddings=lambda: unknown, project=PROJECT)
    worker = Worker(database=database, embeddings=lambda: unknown, settings=settings, retry_s=RETRY_S)
    with endpoint_away(database, endpoint):
        ingestion_id = accepted(library, "nota.md")
        with WorkerThread(worker):
            until(lambda: "código 503" in queue(library), "the queue does not say why")
    with WorkerThread(Worker(database=database, embeddings=lambda: unknown, settings=settings, retry_s=RETRY_S)):
        until(lambda: status(library, ingestion_id) == "indexed", "it is not taken up again")


def test_what_does_not_pass_by_itself_fails_at_once(
    database: Database, settings: Settings, library: Library, remote: RemoteSettings
) -> None:
    ingestion_id = accepted(library, "nota.md")
    refused = OpenAIEmbeddings(model="nomic-embed-text", settings=remote(key="bad"))
    with WorkerThread(Worker(database=database, embeddings=lambda: refused, settings=settings)):
        until(lambda: status(library, ingestion_id) == "failed", "it is tried again")
    assert "rechazó la clave" in queue(library)


def test_a_worker_of_another_model_that_loses_at_publishing_waits_for_the_right_one(
    database: Database, settings: Settings, library: Library
) -> None:
    late, first = accepted(library, "tarde.md"), accepted(library, "primera.md")

    def indexer(model: HashEmbeddings, on_stage: Callable[[Stage], None] | None = None) -> Indexer:
        return Indexer(database=database, embeddings=lambda: model, settings=settings, on_stage=on_stage)

    right = indexer(HashEmbeddings(model_id="otro/32/1", dimension=32))
    overtake = iter([first])

    def before(stage: Stage) -> None:
        if stage == "publish":
            right.run(PROJECT, next(overtake))

    loser = indexer(HashEmbeddings(), before)
    for _ in range(2):
        with pytest.raises(OtherModelError):
            loser.run(PROJECT, late)
        assert "Espera a un proceso que tenga el modelo" in queue(library)
    with database.connection() as connection:  # for as long as it takes: it counts for nothing
        assert connection.execute("SELECT DISTINCT tries FROM ingestions").fetchall() == [(0,)]
    right.run(PROJECT, late)
    assert [status(library, each) for each in (late, first)] == ["indexed", "indexed"]
    with database.connection() as connection:
        assert set(connection.execute("SELECT vector_dims(embedding) FROM embeddings").fetchall()) == {(32,)}
