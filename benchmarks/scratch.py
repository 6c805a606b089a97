"""A database to measure in: empty when it is entered, gone when it is left."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from rag_system.errors import InputError, StorageError
from rag_system.settings import Settings

__all__ = ["scratch_settings"]

_DATABASE = "legajo_benchmark"


@contextmanager
def scratch_settings(settings: Settings, *, keep: bool) -> Iterator[Settings]:
    """Settings of an empty database: on a server of its own, or of its own name on that of DATABASE_URL.

    A second measurement at the same time, which would empty it, raises `InputError`.
    """
    with _alone(settings), _emptied(settings, keep=keep) as scratch:
        yield scratch


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    settings.cache_dir.mkdir(parents=True, exist_ok=True)
    with (settings.cache_dir / "benchmark.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                "Ya hay un «legajo benchmark» en marcha: dos a la vez se medirían el uno al otro. Espere a que termine."
            ) from None
        yield


@contextmanager
def _emptied(settings: Settings, *, keep: bool) -> Iterator[Settings]:
    if settings.database_url is None:
        home = settings.cache_dir / "benchmark"
        shutil.rmtree(home, ignore_errors=True)  # of a run that was broken off
        try:
            yield settings.model_copy(update={"home": home})
        finally:
            if not keep:
                shutil.rmtree(home, ignore_errors=True)
        return
    url = settings.database_url.get_secret_value()
    _administer(url, "DROP DATABASE IF EXISTS {} WITH (FORCE)")
    _administer(url, "CREATE DATABASE {}")
    try:
        yield settings.model_copy(update={"database_url": SecretStr(make_conninfo(url, dbname=_DATABASE))})
    finally:
        if not keep:
            _administer(url, "DROP DATABASE IF EXISTS {} WITH (FORCE)")


def _administer(url: str, statement: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(_DATABASE)))
    except psycopg.Error as error:
        raise StorageError(
            f"No se pudo preparar la base de datos «{_DATABASE}» en el servidor de DATABASE_URL: el usuario debe poder "
            "crear bases de datos. O quite DATABASE_URL para medir con el servidor incluido."
        ) from error
