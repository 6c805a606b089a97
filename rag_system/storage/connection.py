"""A database that is reached, through a small pool: who acts in a transaction, how long it may take, what it says."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from threading import local
from time import monotonic, sleep
from typing import TYPE_CHECKING, Concatenate, LiteralString, ParamSpec, Self, TypeVar

import psycopg
from pgvector.psycopg import register_vector
from psycopg import Connection, sql
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout

from rag_system.errors import ForbiddenError, LostStoreError, SessionEndedError, StorageError
from rag_system.storage.connecting import (
    LOCK_S,
    STATEMENT_S,
    check_socket,
    configure,
    connect,
    explain,
    public_address,
)
from rag_system.storage.embedded import EmbeddedServer
from rag_system.storage.principal import APP_ROLE, NOBODY, WORKER, Principal

if TYPE_CHECKING:
    from rag_system.storage.replicas import Replica

__all__ = ["Database", "telling"]

Result = TypeVar("Result")
Given = ParamSpec("Given")
_heard = local()  # `tell`: what this thread tells while it waits

# A server that cannot be reached, or is lost in the middle of a search, reaches the caller as a `StorageError`: the
# warnings of psycopg and its pool would only repeat it.
logging.getLogger("psycopg").setLevel(logging.ERROR)

_POOL_SIZE = 8  # the chat's threads; a server of 50 connections serves several programs
_WAIT_S = 45.0  # for a connection: a standby takes over from a primary in half a minute (docs/how-to/escalar.md)
_RECONNECT_S = 2.0  # before whoever waits begins anew: the pauses between attempts double each time
_PAUSE_S = 0.05  # before work is begun anew; the pauses double, too

_AS_ROLE = f"set_config('role', '{APP_ROLE}', true)"
# Who logs in may be the owner of the tables, or anything: a transaction takes on a role that is neither.
_GOES_ON = """
    SELECT FROM sessions
    WHERE secret_hash = {session} AND person_id = {person} AND ended_at IS NULL AND expires_at > now()
"""
_MAY_ACT_AS_ROLE = "SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = %s"


class Database:
    """A migrated database, for one who acts. Lend a connection with `with db.connection() as conn:`.

    As it is opened it acts for nobody, and sees nothing: `as_person`, `as_job`, `as_worker`, `as_keeper` and
    `as_reader_of` give it somebody to act for, over the same connections. Who opened it closes it when done. A
    connection is checked before it is lent. When the embedded server died meanwhile, it is started again.

    A person may be waiting: no lock is waited for longer than `LOCK_S`, no statement longer than `STATEMENT_S`, and
    `BusyStoreError` is raised then. Work that nobody waits for takes its connections from `unhurried()`.
    """

    def __init__(
        self,
        *,
        conninfo: str,
        owner: str = "",
        server: EmbeddedServer | None = None,
        replica: Replica | None = None,
        wait_s: float = _WAIT_S,
    ) -> None:
        self.replica = replica  # what may be searched instead: `replicas.search`
        self._conninfo = conninfo
        self._owner = owner or conninfo  # who owns the tables
        self._server = server
        self._wait_s = wait_s
        self._waiting = set[object]()  # who waits for a connection, and has for a while
        self._lost: list[None] = []  # one for each time that the server was lost, and its work begun anew
        self._principal = NOBODY
        self._openings: dict[str, bytes] = {}  # how a transaction begins, by its first words
        self._hurried = True
        self._pool = ConnectionPool[Connection[TupleRow]](
            self._reachable,
            min_size=1,
            max_size=_POOL_SIZE,
            configure=configure,
            check=check_socket if server is not None else ConnectionPool.check_connection,
            num_workers=1,
            reconnect_timeout=_RECONNECT_S,
            name="legajo",
            open=True,
        )

    def __repr__(self) -> str:
        return f"Database({public_address(self._conninfo)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def as_person(self, person: str, *, session: str = "") -> Self:
        """What a person may see and change; with the digest of a session's secret, for as long as that goes on.

        A transaction that begins after its end raises `SessionEndedError`.
        """
        return self.acting_for(Principal(person=person, session=session))

    def as_keeper(self, *, of: str = "") -> Self:
        """The accounts and memberships of all, and nothing else; with a person, also all that this person said."""
        return self.acting_for(Principal(is_keeper=True, person=of))

    def as_job(self, project: str) -> Self:
        """What a job of a project works on."""
        return self.acting_for(Principal(project=project))

    def as_worker(self) -> Self:
        """The ingestions of all projects, to find those that nobody works on."""
        return self.acting_for(WORKER)

    def as_reader_of(self, link: str) -> Self:
        """The conversation that a link shows; `link` is the SHA-256 of its secret."""
        return self.acting_for(Principal(link=link))

    def check_session(self) -> None:
        """Raise `SessionEndedError` where who acts does so in a session that has ended."""
        if self._principal.session:
            with self.connection():
                pass

    def unhurried(self) -> Self:
        """The same, for work that takes as long as it takes."""
        view = copy(self)
        view._hurried, view._openings = False, {}
        return view

    def acting_for(self, principal: Principal) -> Self:
        """The same, for one who acts."""
        view = copy(self)
        view._principal, view._openings = principal, {}
        view.replica = self.replica and self.replica.acting_for(principal)
        return view

    @contextmanager
    def connection(self) -> Iterator[Connection[TupleRow]]:
        """A connection in a transaction that is committed at the end, or rolled back by an exception."""
        lent, until_its_end = self._begun("BEGIN")
        with until_its_end:
            yield lent

    def run(
        self,
        work: Callable[Concatenate[Connection[TupleRow], Given], Result],
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """What one piece of work makes in a transaction of its own: it is given the connection, and these."""
        with self.connection() as connection:
            return work(connection, *args, **kwargs)

    @contextmanager
    def snapshot(self) -> Iterator[Connection[TupleRow]]:
        """A connection that only reads, and sees the whole of it as it was at its first statement.

        A search reads in several steps: a document that is published between them would be half old and half new.
        """
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        lent, until_its_end = self._begun(begin)
        with until_its_end:
            yield lent

    def again(self, work: Callable[[Connection[TupleRow]], Result], *, snapshot: bool = False) -> Result:
        """What `work` makes in a transaction, begun anew where the server is lost in the middle, as in a fail-over.

        Where the answer to a commit is lost, nobody knows whether it was done: a second time must do no harm.
        """
        deadline, pause_s = monotonic() + self._wait_s, _PAUSE_S
        while True:
            try:
                with self.snapshot() if snapshot else self.connection() as connection:
                    return work(connection)
            except LostStoreError:
                if monotonic() >= deadline:
                    raise
                self._lost.append(None)
            sleep(pause_s)  # who was the primary, and only reads now, can be reached at once
            pause_s = min(2 * pause_s, _RECONNECT_S)

    @property
    def retries(self) -> int:
        """How often `again` has begun anew, whoever acts."""
        return len(self._lost)

    @property
    def is_away(self) -> bool:
        """Whether somebody waits for a connection, and has for a while."""
        return bool(self._waiting)

    def _begun(self, begin: LiteralString) -> tuple[Connection[TupleRow], ExitStack]:
        """A connection in a transaction of who acts. A server that is lost before that is waited for."""
        deadline = monotonic() + self._wait_s
        while True:
            try:
                with ExitStack() as stack:
                    lent = stack.enter_context(self.as_login())
                    stack.enter_context(self._acting(lent, begin))
                    return lent, stack.pop_all()
            except LostStoreError:
                if monotonic() >= deadline:
                    raise

    @contextmanager
    def _acting(self, connection: Connection[TupleRow], begin: LiteralString) -> Iterator[None]:
        """A transaction of who acts, begun in one round trip: a question takes half a dozen of them."""
        connection.autocommit = True  # its own BEGIN would be a round trip more
        try:
            cursor = connection.execute(self._opening(connection, begin), prepare=False)
            while cursor.nextset():
                pass
            if self._principal.session and not cursor.rowcount:
                raise SessionEndedError
            yield
            connection.commit()  # psycopg forgets what it prepared when it rolls back, …
        finally:
            if not connection.closed:
                connection.rollback()  # … as it must after an error: some of it never reached the server
                connection.autocommit = False

    def _opening(self, connection: Connection[TupleRow], begin: LiteralString) -> bytes:
        """Say who acts and how long that may take, for this transaction alone: a pooler gives the session to somebody
        else then.
        """
        if begin not in self._openings:
            who, limits = self._principal, (LOCK_S, STATEMENT_S) if self._hurried else (0.0, 0.0)  # 0: none
            lock, statement = (f"{each * 1000:.0f}ms" for each in limits)
            said = {
                "legajo.person": who.person,
                "legajo.project": who.project,
                "legajo.worker": _on(who.is_worker),
                "legajo.keeper": _on(who.is_keeper),
                "legajo.link": who.link,
                "lock_timeout": lock,
                "statement_timeout": statement,
            }
            acts: list[sql.Composable] = [
                sql.SQL("set_config({}, {}, true)").format(name, value) for name, value in said.items()
            ]
            (may,) = connection.execute(_MAY_ACT_AS_ROLE, (APP_ROLE,)).fetchone() or (False,)
            acts += [sql.SQL(_AS_ROLE)] * bool(may)
            goes_on = sql.SQL(_GOES_ON).format(session=who.session, person=who.person)
            parts = [sql.SQL(begin), sql.SQL("SELECT {}").format(sql.SQL(", ").join(acts))]
            parts += [goes_on] * bool(who.session)
            self._openings[begin] = sql.SQL(";").join(parts).as_bytes(connection)
        return self._openings[begin]

    @contextmanager
    def as_login(self) -> Iterator[Connection[TupleRow]]:
        """The same with no more than who logs in may: for `doctor` and tests, never for a person."""
        if self._server is not None and not self._server.is_running():
            self._server.ensure_running()  # here, so that the caller learns why it does not start
        with ExitStack() as stack:
            lent = self._lent(stack)
            try:
                yield lent
            except psycopg.OperationalError as error:
                raise explain(error, self._conninfo) from error
            except psycopg.errors.ReadOnlySqlTransaction as error:  # who was the primary follows another now
                lent.close()
                raise LostStoreError from error
            except psycopg.errors.InsufficientPrivilege as error:
                raise ForbiddenError from error
            except psycopg.Error as error:
                raise StorageError("La base de datos rechazó la operación. Ejecute «legajo doctor».") from error

    def _lent(self, stack: ExitStack) -> Connection[TupleRow]:
        """A connection, as soon as there is one: who asks anew makes the pool try anew to reach the server."""
        deadline, me = monotonic() + self._wait_s, object()
        try:
            while True:
                left = max(deadline - monotonic(), 0.0)
                try:
                    return stack.enter_context(self._pool.connection(timeout=min(left, _RECONNECT_S)))
                except PoolTimeout:
                    self._waiting.add(me)
                    getattr(_heard, "tell", _nothing)()
                    if left <= _RECONNECT_S:
                        raise self._timeout_reason() from None
        finally:
            self._waiting.discard(me)

    @contextmanager
    def as_owner(self) -> Iterator[Connection[TupleRow]]:
        """A connection of its own, of who owns the tables, in one transaction: for measures, never for a person."""
        with psycopg.connect(self._owner, prepare_threshold=None) as connection:
            register_vector(connection)
            connection.commit()
            yield connection

    def address(self) -> str:
        """Where the database is, password included, after starting the embedded server if it is down."""
        return self._reachable()

    def lend_pool(self, borrow: Callable[[ConnectionPool[Connection[TupleRow]]], object]) -> None:
        """Let a library use the same connections."""
        borrow(self._pool)

    def close(self) -> None:
        """Give back every connection and, as its last user, stop the embedded server."""
        if self.replica is not None:
            self.replica.close()
        self._pool.close()
        if self._server is not None:
            self._server.release()

    def _timeout_reason(self) -> StorageError:
        """Why no connection came: the pool itself only says that it waited."""
        try:
            connect(self._reachable()).close()
        except StorageError as error:
            return error
        return StorageError(
            f"Las {_POOL_SIZE} conexiones con la base de datos están ocupadas: espere un momento y vuelva a intentar."
        )

    def _reachable(self) -> str:
        """Where to connect; the pool asks before each new connection, so that a dead server is started first."""
        if self._server is not None:
            self._server.ensure_running()
        return self._conninfo


@contextmanager
def telling(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` each time that this thread has waited for the database for two more seconds; it may raise instead.

    Threads that are begun meanwhile tell nothing.
    """
    before = getattr(_heard, "tell", _nothing)
    _heard.tell = tell
    try:
        yield
    finally:
        _heard.tell = before


def _nothing() -> None:
    """Nobody is there to be told."""


def _on(flag: bool) -> str:
    return "on" if flag else ""
