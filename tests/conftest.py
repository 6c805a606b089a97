"""What several kinds of tests share: an environment without the developer's settings, and a real database.

One embedded server runs for the whole session, one for each process where pytest-xdist starts several; each test that
asks for a database gets a fresh, migrated one.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from argon2 import PasswordHasher
from psycopg import sql
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from rag_system import LOCAL_PERSON
from rag_system.embeddings import DEFAULT, EmbeddingModel, load_embeddings
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.embedded import EmbeddedServer
from rag_system.storage.opening import open_database
from tests.effort import choose_profile

# A run in the background starts deaf to Ctrl-C, one of nohup to SIGHUP, and its children would inherit that: they are
# tested with both. What is handled here, even by nothing, begins anew in them.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

choose_profile()

_TEMPLATE, _LIBRARY = "legajo_template", "legajo_library"
_COPY = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")  # a third of the work of copying through the log
_OURS = ("LEGAJO_", "LLM_", "DATABASE_URL", "GOOGLE_API_KEY", "GROQ_API_KEY", "OPENROUTER_API_KEY", "LOCAL_API_KEY")
_CARELESS = ("fsync", "full_page_writes", "synchronous_commit", "wal_compression")  # nothing here outlives a run
_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30  # a file system in memory, and the bytes that must be free there  # noqa: S108
_numbers = itertools.count(1)

Copied = Callable[[str], Iterator[str]]  # the connection string of a copy of the database that is named


_models: dict[tuple[Path, int], EmbeddingModel] = {}


def _loaded_once(settings: Settings) -> EmbeddingModel:
    """The product's own model, of which a process has one: to load it is most of what a command costs."""
    if settings.embedding_model != DEFAULT:
        return load_embeddings(settings)
    key = settings.cache_dir.resolve(), settings.embedding_threads
    if key not in _models:
        _models[key] = load_embeddings(settings)
    return _models[key]


@pytest.fixture(scope="session", autouse=True)
def _clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of the developer's settings; hashes of passwords, made to be slow, are quick; a model is loaded once."""
    nowhere = tmp_path_factory.mktemp("nowhere")
    with pytest.MonkeyPatch.context() as patch:
        for name in [each for each in os.environ if each.startswith((*_OURS, "PG"))]:
            patch.delenv(name)
        patch.setattr("rag_system.home._SOURCE", nowhere)
        patch.setattr("rag_system.home.default_home", lambda: nowhere)  # only where a `.env` is looked for
        for place in ("assistant.assistant", "rag_system.embeddings"):
            patch.setattr(f"{place}.load_embeddings", _loaded_once)
        patch.setattr("assistant.passwords._HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture(autouse=True)
def _own_main(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit's tester leaves its script in the place of the program, where new processes would look for it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


def pytest_collection_finish() -> None:
    """What was imported stays: the collector need not look through it again and again."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    from tests.scheduling import Together

    return Together(config, log)


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the embedding model is built, once for all processes of a run; a home's `cache` may lead here."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"
    shared.mkdir(exist_ok=True)
    return shared


@pytest.fixture(scope="session")
def quick_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """For the files of servers: in memory where there is room, which takes a twentieth of the work of a disk for the
    thousand files of each test's database.
    """
    if not _MEMORY.is_dir() or shutil.disk_usage(_MEMORY).free < _ROOM:
        yield tmp_path_factory.mktemp("servers")
        return
    with TemporaryDirectory(prefix="legajo-tests-", dir=_MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def server_home(quick_folder: Path, cache: Path) -> Path:
    """A home for the session's embedded server."""
    home = quick_folder / "home"
    home.mkdir()
    (home / "cache").symlink_to(cache)
    return home


@pytest.fixture(scope="session")
def server(server_home: Path) -> Iterator[str]:
    """The connection string of the session's server, which also holds a migrated template database."""
    with EmbeddedServer(server_home / "postgresql") as running:
        conninfo = running.acquire()
        with psycopg.connect(conninfo, autocommit=True) as conn:
            for setting in _CARELESS:
                conn.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
            conn.execute("SELECT pg_reload_conf()")
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_TEMPLATE)))
        _open(make_conninfo(conninfo, dbname=_TEMPLATE), server_home).close()
        yield conninfo


@pytest.fixture(scope="session")
def copied(server: str) -> Iterator[Copied]:
    """Makes a copy of a database and takes it away, over one connection: to connect is a quarter of that work."""
    with psycopg.connect(server, autocommit=True) as connection:

        def copy(template: str) -> Iterator[str]:
            name = sql.Identifier(text := f"test_{next(_numbers)}")
            connection.execute(_COPY.format(name, sql.Identifier(template)))
            yield make_conninfo(server, dbname=text)
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

        yield copy


@pytest.fixture
def empty_database_url(copied: Copied) -> Iterator[str]:
    """The connection string of a database without any table."""
    yield from copied("template1")


@pytest.fixture(scope="session")
def template(server: str) -> str:
    """The name of the database that each test's own is a copy of: migrated, and empty. A file whose tests all begin
    with the same documents has a fixture of this name for one that took them in once (`tests.indexing.filled`).
    """
    assert server
    return _TEMPLATE


@pytest.fixture
def database_url(copied: Copied, template: str) -> Iterator[str]:
    """The connection string of a fresh, migrated database."""
    yield from copied(template)


@pytest.fixture(scope="session")
def lasting_database_url(copied: Copied) -> Iterator[str]:
    """The connection string of a migrated database that many tests share."""
    yield from copied(_TEMPLATE)


@pytest.fixture(scope="session")
def untouched_database_url(copied: Copied) -> Iterator[str]:
    """The same for those that only look."""
    yield from copied(_TEMPLATE)


@pytest.fixture(scope="session")
def lasting_people_url(copied: Copied) -> Iterator[str]:
    """The same for people with accounts."""
    yield from copied(_TEMPLATE)


@pytest.fixture(scope="module")
def own_database_url(copied: Copied) -> Iterator[str]:
    """The connection string of a migrated database that the tests of a file share."""
    yield from copied(_TEMPLATE)


@pytest.fixture(scope="session")
def model(server_home: Path) -> EmbeddingModel:
    """The product's own, loaded once."""
    return _loaded_once(Settings(home=server_home))


@pytest.fixture(scope="session")
def library(server: str, server_home: Path, model: EmbeddingModel, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with the documents of `tests.small_library`, to be copied."""
    from assistant.assistant import Assistant
    from tests.small_library import take_in

    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(_COPY.format(sql.Identifier(_LIBRARY), sql.Identifier(_TEMPLATE)))
    url = SecretStr(make_conninfo(server, dbname=_LIBRARY))
    with Assistant.open(Settings(home=server_home, database_url=url), embeddings=model) as assistant:
        take_in(assistant, tmp_path_factory.mktemp("library"))
    return _LIBRARY


@pytest.fixture
def library_url(copied: Copied, library: str) -> Iterator[str]:
    """The connection string of a fresh database with three documents in a project, and one in another."""
    yield from copied(library)


@pytest.fixture(scope="session")
def lasting_library_url(copied: Copied, library: str) -> Iterator[str]:
    """The same for many tests."""
    yield from copied(library)


@pytest.fixture(scope="session")
def unread_library_url(copied: Copied, library: str) -> Iterator[str]:
    """The same where no worker is."""
    yield from copied(library)


@pytest.fixture
def settings(database_url: str, server_home: Path) -> Settings:
    """Settings of a program on a fresh, migrated database."""
    # A title is asked for beside the answer: tests count what a model is asked.
    return Settings(home=server_home, database_url=SecretStr(database_url), model_titles=False)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """A fresh, migrated database, for the person at the computer."""
    with open_database(settings) as opened:
        yield opened.as_person(LOCAL_PERSON)


def _open(conninfo: str, home: Path) -> Database:
    return open_database(Settings(home=home, database_url=SecretStr(conninfo)))
