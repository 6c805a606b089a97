"""What people and other programs do while files are on their way, and workers that are not what they seem."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from assistant.commands import cli
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion.indexing import MOST_CRASHES, Indexer, InterruptedIndexingError
from rag_system.storage import staging
from rag_system.storage.documents import list_documents
from rag_system.storage.files import digest, read_file, store_file
from rag_system.storage.ingestions import accept
from rag_system.storage.publishing import remove_document
from tests.faults.processes import descendants, until
from tests.faults.program import PROJECT, PUBLISHED_AT_ONCE
from tests.faults.site import ARTICLES, NAME, PATH, Site, ended, guide, number_waiting

STALLED_S = 0.5  # here a worker is given up sooner, on a busy machine also one that is well
NEVER_S = 600.0  # longer than a test waits
STEPS = ("read", "chunk", "embed", "batch", "publish")


@pytest.fixture(scope="module")
def old(server: str, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A project with the first edition of the guide."""
    site = Site(server, tmp_path_factory.mktemp("old"))
    site.index(guide("1"))
    return site


@pytest.fixture
def site(server: str, old: Site, tmp_path: Path) -> Iterator[Site]:
    site = Site(server, tmp_path, like=old, stalled_s=STALLED_S)
    with ended([site]):
        yield site


@pytest.fixture
def steady(server: str, old: Site, tmp_path: Path) -> Iterator[Site]:
    """The same where no worker is given up: what is done twice is not done by a worker in the place of another."""
    site = Site(server, tmp_path, like=old, stalled_s=NEVER_S)
    with ended([site]):
        yield site


def note(number: int) -> str:
    return f"# Nota {number}\n\nEl plazo de la nota {number} es de {number} días."


def attempts(site: Site) -> dict[str, int]:
    return dict(site.rows("SELECT path, attempt FROM ingestions WHERE status = 'done'"))


def failure(site: Site, path: str) -> str:
    ((status, error),) = site.rows("SELECT status, error FROM ingestions WHERE path = %s", path)
    assert status == "failed"
    return str(error)


@contextmanager
def at_the_end_of_its_publication(site: Site) -> Iterator[None]:
    """A worker waits where its last batch is written, until this block ends."""
    worker = site.start_worker("publish")
    worker.wait_until_stopped()
    with site.nobody_writes("staged_chunks"):
        worker.go_on()
        site.wait_for_lock()
        yield


# ---------------------------------------------------------------- several workers


def test_two_workers_share_the_queue_and_do_each_file_once(steady: Site) -> None:
    workers = [steady.start_worker(), steady.start_worker()]
    steady.wait_for_workers(2)
    steady.accept_all({f"nota{number}.md": note(number) for number in range(12)})
    steady.wait_until_over()
    assert [worker.end() for worker in workers] == [0, 0]
    assert {f"cargados/nota{number}.md": 1 for number in range(12)}.items() <= attempts(steady).items()
    assert steady.rows("SELECT count(*) FROM documents") == [(13,)]
    assert steady.embedded() == 12


def test_a_worker_that_was_given_up_and_wakes_writes_nothing(site: Site) -> None:
    site.accept(guide("2"))
    sleeper = site.start_worker("batch")
    sleeper.wait_until_stopped()
    other = site.start_worker()
    site.wait_until_over()
    before = site.contents()
    sleeper.go_on()
    assert other.end() == 0
    site.accept(note(1), "nota.md")  # the one that woke is the only worker now
    site.wait_until_over()
    assert sleeper.end() == 0
    assert attempts(site).keys() == {PATH, "cargados/nota.md"}
    assert [row for row in site.contents()["chunks"] if PATH in row] == before["chunks"]


def test_a_worker_that_wakes_beside_the_one_that_took_over_does_not_disturb_it(site: Site) -> None:
    site.accept(guide("2"))
    sleeper = site.start_worker("batch")
    sleeper.wait_until_stopped()
    other = site.start_worker("publish")
    other.wait_until_stopped()
    sleeper.go_on()
    until(lambda: "taken over" in site.log.read_text(), "the one that woke does not notice")
    other.go_on()
    site.wait_until_over()
    assert site.search() == {"2"}
    assert site.rows("SELECT count(*) FROM documents") == [(1,)]


def test_small_files_overtake_large_ones(steady: Site) -> None:
    steady.accept(guide("2"))
    steady.accept_all({f"nota {number}.md": note(number) for number in range(5)})
    steady.start_worker()
    steady.wait_until_over()
    order = [path for (path,) in steady.rows("SELECT path FROM ingestions WHERE attempt = 1 ORDER BY started_at")]
    assert order.index(PATH) >= 3  # a worker has three in hand: those that it begins with are small


# ---------------------------------------------------------------- people who change their mind


@pytest.mark.parametrize("step", STEPS)
def test_cancelling_at_any_step_leaves_everything_as_it_was(site: Site, step: str) -> None:
    site.rows("DELETE FROM ingestions RETURNING 1")  # that of the first edition is told until the next comes
    before = site.contents()
    ingestion_id = site.accept(guide("2"))
    worker = site.start_worker(step)
    worker.wait_until_stopped()
    assert site.cancel(ingestion_id)
    worker.go_on()
    site.wait_until_over()
    assert worker.end() == 0
    assert site.contents() == before
    assert site.search() == {"1"}


def test_what_is_published_but_for_the_commit_is_cancelled_no_more(site: Site) -> None:
    ingestion_id = site.accept(guide("2"))
    with ThreadPoolExecutor() as pool:
        with at_the_end_of_its_publication(site):
            cancelled = pool.submit(site.cancel, ingestion_id)
            site.wait_for_lock(waiters=2)
        assert not cancelled.result()
    site.wait_until_over()
    assert site.search() == {"2"}


@pytest.mark.parametrize("step", STEPS)
def test_a_newer_edition_takes_the_place_of_one_on_its_way(site: Site, step: str) -> None:
    site.accept(guide("2"))
    worker = site.start_worker(step)
    worker.wait_until_stopped()
    site.accept(guide("3"))
    worker.go_on()
    site.wait_until_over()
    assert site.search() == {"3"}
    assert site.rows("SELECT path, status FROM ingestions") == [(PATH, "done")]
    counts = [site.rows(f"SELECT count(*) FROM {table}") for table in ("documents", "files", "staged_chunks")]  # noqa: S608
    assert counts == [[(1,)], [(1,)], [(0,)]]


@pytest.mark.parametrize("step", STEPS)
def test_going_back_to_the_old_edition_gives_up_the_new_one(site: Site, step: str) -> None:
    site.accept(guide("2"))
    worker = site.start_worker(step)
    worker.wait_until_stopped()
    assert site.offer(guide("1")).status == "unchanged"
    worker.go_on()
    site.wait_until_over()
    assert site.search() == {"1"}
    assert site.rows("SELECT count(*) FROM files") == [(1,)]


def test_going_back_while_the_new_edition_is_published_is_one_more_edition(site: Site) -> None:
    site.accept(guide("2"))
    with ThreadPoolExecutor() as pool:
        with at_the_end_of_its_publication(site):
            accepted = pool.submit(site.accept, guide("1"))
            site.wait_for_lock(waiters=2)
        assert accepted.result()
    site.wait_until_over()
    assert site.search() == {"1"}


def test_a_long_publication_tells_how_far_it_is_and_who_waits_for_it(site: Site) -> None:
    site.accept(guide("2"))
    with site.nobody_writes("segments"):  # in the first of its three batches
        site.start_worker()
        site.wait_for_lock()
        site.accept(note(1), "nota.md")
        with site.library() as library:
            until(lambda: "wait" in [told.stage for told in library.ingestions()], "nobody waits to publish")
            publishing, waiting = library.ingestions()
    assert (publishing.stage, publishing.done, publishing.total) == ("publish", 0, ARTICLES + 1)
    assert (waiting.stage, waiting.done, waiting.total) == ("wait", 1, 1)
    site.wait_until_over()
    assert site.rows("SELECT count(*) FROM publications") == [(0,)]


def test_a_long_publication_is_given_up_between_two_batches(site: Site) -> None:
    site.rows("DELETE FROM ingestions RETURNING 1")
    before = site.contents()
    ingestion_id = site.accept(guide("2"))
    with ThreadPoolExecutor() as pool:
        with site.nobody_writes("segments"):
            site.start_worker()
            site.wait_for_lock()
            cancelled = pool.submit(site.cancel, ingestion_id)
            site.wait_for_lock(waiters=2)
        assert cancelled.result()
    site.wait_until_over()
    assert site.contents() == before


def test_a_long_publication_is_given_up_though_it_has_told_nothing_yet(site: Site) -> None:
    ingestion_id = site.accept(guide("2"))
    with ThreadPoolExecutor() as pool:
        with site.nobody_writes("documents"):  # before its first batch
            site.start_worker()
            site.wait_for_lock()
            cancelled = pool.submit(site.cancel, ingestion_id)
            site.wait_for_lock(waiters=2)
        assert cancelled.result()
    site.wait_until_over()
    assert site.search() == {"1"}


def test_a_long_publication_is_given_up_for_a_newer_edition(site: Site) -> None:
    site.accept(guide("2"))
    with ThreadPoolExecutor() as pool:
        with site.nobody_writes("segments"):
            site.start_worker()
            site.wait_for_lock()
            accepted = pool.submit(site.accept, guide("3"))
            site.wait_for_lock(waiters=2)
        accepted.result()
    site.wait_until_over()
    assert "cancelled or taken over" in site.log.read_text()
    assert site.search() == {"3"}


def test_a_publication_goes_on_though_nothing_can_be_told_of_it(steady: Site) -> None:
    """As when another program changes both tables: it waits for the publication, and what is told waits for it."""
    steady.accept(guide("2"))

    def change() -> None:
        with steady.connection() as connection:
            connection.execute("LOCK TABLE publications, ingestions")

    with ThreadPoolExecutor() as pool:
        with steady.nobody_writes("segments"):
            steady.start_worker()
            steady.wait_for_lock()
            changed = pool.submit(change)
            steady.wait_for_lock(waiters=2)
        changed.result()
    steady.wait_until_over()
    assert "goes on untold" in steady.log.read_text()
    assert "cancelled or taken over" not in steady.log.read_text()
    assert steady.search() == {"2"}


def test_who_is_to_end_does_not_see_a_long_publication_through(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "BATCH", PUBLISHED_AT_ONCE)
    ingestion_id, stopping = site.accept(guide("2")), Event()
    with site.database() as database, ThreadPoolExecutor() as pool:
        indexer = Indexer(database=database, embeddings=HashEmbeddings, settings=site.settings, stopping=stopping)
        with site.nobody_writes("segments"):
            running = pool.submit(indexer.run, PROJECT, ingestion_id)
            site.wait_for_lock()
            stopping.set()
        with pytest.raises(InterruptedIndexingError):
            running.result()
    assert site.rows("SELECT status FROM ingestions WHERE path = %s", PATH) == [("queued",)]
    assert site.search() == {"1"}
    site.start_worker()
    site.wait_until_over()
    assert site.search() == {"2"}


def test_a_file_that_is_let_go_of_is_in_the_queue_and_not_called_unreadable(site: Site) -> None:
    ingestion_id, stopping = site.accept("%PDF-1.4 roto", "roto.pdf"), Event()

    def stop(_: object) -> None:
        stopping.set()

    with site.database() as database, pytest.raises(InterruptedIndexingError):
        Indexer(
            database=database, embeddings=HashEmbeddings, settings=site.settings, stopping=stopping, on_stage=stop
        ).run(PROJECT, ingestion_id)
    assert site.rows("SELECT status, error FROM ingestions WHERE ingestion_id = %s", ingestion_id) == [("queued", "")]
    assert site.search() == {"1"}


def test_files_are_accepted_while_another_is_published(site: Site) -> None:
    site.accept(guide("2"))
    with site.nobody_writes("acronyms"):
        site.start_worker()
        site.wait_for_lock()
        site.accept(note(1), "nota.md")
    site.wait_until_over()
    assert site.rows("SELECT count(*) FROM documents") == [(2,)]


def test_an_interrupted_run_goes_on_with_the_next(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "carpeta"
    folder.mkdir()
    (folder / NAME).write_text(guide("2"), encoding="utf-8")
    for number in range(6):
        (folder / f"nota{number}.md").write_text(note(number), encoding="utf-8")
    first = site.start_ingesting(folder, "batch")
    first.wait_until_stopped()
    os.kill(first.pid, signal.SIGINT)
    first.go_on()
    assert first.wait() != 0
    second = site.start_ingesting(folder)
    assert second.wait() == 0
    site.start_worker()  # for the second job of a file that was offered while its first was done
    site.wait_until_over()
    assert len(site.rows("SELECT path FROM documents")) == 1 + 7
    assert site.embedded() == ARTICLES + 1 + 6


# ---------------------------------------------------------------- files that kill


def test_a_file_that_kills_its_worker_each_time_fails_and_the_rest_goes_on(site: Site) -> None:
    poison = site.accept(guide("2"))
    for _ in range(MOST_CRASHES):
        worker = site.start_worker("read")
        worker.wait_until_stopped()
        worker.kill()
    site.accept(note(1), "nota.md")
    site.start_worker()
    site.wait_until_over()
    assert f"{MOST_CRASHES} veces" in failure(site, PATH)
    assert attempts(site).keys() == {"cargados/nota.md"}
    assert site.search() == {"1"}
    with site.library() as library:
        assert library.retry(poison)
    site.wait_until_over()
    assert site.search() == {"2"}


def test_a_file_whose_reading_crashes_fails_with_a_reason_and_can_be_offered_again(steady: Site) -> None:
    steady.accept(guide("2"))
    worker = steady.start_worker("read")
    worker.wait_until_stopped()
    worker.go_on()
    until(lambda: bool(descendants(worker.pid)), "no process reads")
    for child in descendants(worker.pid):  # long before it has imported what it reads with
        os.kill(child, signal.SIGKILL)
    steady.accept(note(1), "nota.md")
    steady.wait_until_over()
    assert "interrumpió" in failure(steady, PATH)
    assert attempts(steady) == {"cargados/nota.md": 1}
    steady.accept(guide("2"))
    steady.wait_until_over()
    assert steady.search() == {"2"}


def test_a_file_offered_again_while_its_worker_dies_is_taken_in(site: Site) -> None:
    first = site.accept(guide("2"))
    worker = site.start_worker("read")
    worker.wait_until_stopped()
    assert site.accept(guide("2")) == first  # a second job, which waits for the first
    worker.kill()
    site.start_worker()
    site.wait_until_over()
    assert site.search() == {"2"}


# ---------------------------------------------------------------- bytes


def test_what_was_not_accepted_leaves_no_bytes(site: Site) -> None:
    with site.nobody_writes("ingestions"):
        program = site.start_accepting(guide("2"))
        site.wait_for_lock()
        program.kill()
    assert site.rows("SELECT count(*) FROM files") == [(1,)]
    assert site.rows("SELECT path, status FROM ingestions") == [(PATH, "done")]


def test_bytes_accepted_while_their_last_document_goes_are_kept(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "otra.md"
    file.write_text(guide("1"), encoding="utf-8")
    with site.database() as database, ThreadPoolExecutor() as pool:

        def remove() -> bool:
            with database.connection() as connection:
                (document,) = list_documents(connection, PROJECT)
                return remove_document(connection, PROJECT, document.document_id)

        with database.connection() as connection, site.watching() as others, file.open("rb") as stream:
            sha256, size = digest(stream)
            stream.seek(0)
            store_file(connection, PROJECT, stream, sha256=sha256, size_bytes=size)
            removed = pool.submit(remove)
            until(lambda: removed.done() or number_waiting(others) > 0, "neither removed nor waiting")
            accept(connection, PROJECT, path="otra.md", sha256=sha256, size_bytes=size)
        assert removed.result()
        with database.connection() as connection:
            assert b"".join(read_file(connection, PROJECT, sha256)) == file.read_bytes()


# ---------------------------------------------------------------- what is told


def test_a_queue_that_nobody_attends_to_says_how_to_get_it_done(steady: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", steady.url)
    monkeypatch.setenv("LEGAJO_HOME", str(steady.folder))
    show = partial(CliRunner().invoke, cli, ["queue", "--project", PROJECT])
    assert "legajo worker" not in show().stderr  # nothing waits
    steady.accept(guide("2"))
    assert "legajo worker" in show().stderr
    steady.start_worker("read").wait_until_stopped()
    assert "legajo worker" not in show().stderr
