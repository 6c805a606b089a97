"""Searches on read replicas: where one lags too far, is out of reach or fails, the primary is searched instead.

Who acts is known by the same row security on both. What a person may no longer see, the primary has refused before a
search begins: a replica is asked only about projects whose rows the primary has just shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from math import inf
from threading import Lock
from time import monotonic
from typing import Literal, Self, TypeVar

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb

from rag_system.errors import AccessError, SessionEndedError, StorageError
from rag_system.storage.connection import Database
from rag_system.storage.principal import Principal
from rag_system.storage.projects import ProjectRow
from rag_system.storage.sql import queries

__all__ = ["Outcome", "Replica", "on_replica"]

Outcome = Literal["replica", "behind", "unreachable"]
Found = TypeVar("Found")

REST_S = 30.0  # in which a replica that failed is not asked again, and nobody waits for it

_SQL = queries("rag_system.storage.queries", "replicas.sql")
_NEVER = (False, None, None, 0)
_COUNTERS = ("project_id", "next_chunk_id", "next_segment", "chunk_count", "term_count")


def on_replica(
    database: Database, projects: Sequence[ProjectRow], read: Callable[[Connection[TupleRow]], Found]
) -> Found:
    """What `read` makes of a snapshot: of a replica that has the `projects` as the primary has just shown them, else of
    the primary. It is called again on the primary where the replica fails in the middle.
    """
    replica = database.replica
    if replica is not None and projects and (answered := replica.read(database, projects, read)) is not None:
        return answered[0]
    return database.again(read, snapshot=True)


class Replica:
    """The replicas of a database, behind one address, and how they do. Safe to share between threads.

    `lag_s` is how far behind they may be. After a failure they rest for `REST_S`: one question finds out, and the
    others do not wait.
    """

    def __init__(self, database: Database, *, lag_s: float) -> None:
        self._database = database
        self._lag_s = lag_s
        self._standing = _Standing()

    def acting_for(self, principal: Principal) -> Self:
        """The same for one who acts."""
        view = copy(self)
        view._database = self._database.acting_for(principal)
        return view

    def close(self) -> None:
        """Give back every connection."""
        self._database.close()

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        """How many reads a replica answered, and how many the primary did because the replica could not."""
        return self._standing.outcomes

    def read(
        self, primary: Database, projects: Sequence[ProjectRow], read: Callable[[Connection[TupleRow]], Found]
    ) -> tuple[Found] | None:
        """What `read` makes of it, or None where the primary is to be read."""
        if not self._standing.may_be_asked():
            self._standing.note("unreachable")
            return None
        try:
            with self._database.snapshot() as connection:
                if not self._has_seen(connection, primary, projects):
                    self._standing.note("behind", rests=False)
                    return None
                found = read(connection)
        except SessionEndedError:  # which the primary knows: the replica has not seen it begin
            self._standing.note("behind", rests=False)
            return None
        except (StorageError, AccessError):
            self._standing.note("unreachable", rests=True)
            return None
        self._standing.note("replica", rests=False)
        return (found,)

    def behind_s(self, primary: Database) -> float | None:
        """How far behind it is now, in seconds; 0 where it lacks nothing. None: it follows nobody."""
        with self._database.as_login() as connection:
            follows, age_s, replayed, _ = connection.execute(_SQL["seen"], {"projects": Jsonb([])}).fetchone() or _NEVER
        if not follows:
            return None
        if _lacks_nothing(primary, replayed):
            return 0.0
        return inf if age_s is None else float(age_s)

    def _has_seen(self, connection: Connection[TupleRow], primary: Database, projects: Sequence[ProjectRow]) -> bool:
        told = Jsonb([{name: getattr(project, name) for name in _COUNTERS} for project in projects])
        follows, age_s, replayed, seen = connection.execute(_SQL["seen"], {"projects": told}).fetchone() or _NEVER
        if not follows or seen != len(projects):
            return False
        return (age_s is not None and age_s <= self._lag_s) or _lacks_nothing(primary, replayed)


def _lacks_nothing(primary: Database, replayed: str) -> bool:
    with primary.as_login() as connection:
        (lacks_nothing,) = connection.execute(_SQL["nothing_since"], {"replayed": replayed}).fetchone() or (False,)
    return bool(lacks_nothing)


class _Standing:
    """What became of the searches of a process, and whether to ask the replicas again."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._outcomes = Counter[Outcome]()
        self._rests_until = 0.0  # of `monotonic`; 0: it does not rest

    @property
    def outcomes(self) -> Mapping[Outcome, int]:
        with self._mutex:
            return dict(self._outcomes)

    def may_be_asked(self) -> bool:
        with self._mutex:
            if monotonic() < self._rests_until:
                return False
            if self._rests_until:  # this one finds out
                self._rests_until = monotonic() + REST_S
            return True

    def note(self, outcome: Outcome, *, rests: bool | None = None) -> None:
        """Count what became of a search; `rests` is what it says of the replica, None where it was not asked."""
        with self._mutex:
            self._outcomes[outcome] += 1
            if rests is not None:
                self._rests_until = monotonic() + REST_S if rests else 0.0
