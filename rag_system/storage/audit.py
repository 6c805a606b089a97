"""Who did what: a line of each thing that somebody may have to answer for. It is added to and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from psycopg import Connection

from rag_system.errors import ForbiddenError
from rag_system.storage.sql import queries, rows_of

__all__ = [
    "Action",
    "AuditEntry",
    "PeopleAction",
    "list_audit",
    "list_people_audit",
    "must_own",
    "tell_role",
    "write_down",
    "write_down_of",
]

Action = Literal[
    "concepts.change",
    "conversation.delete",
    "conversation.export",
    "conversation.forget",
    "conversation.restore",
    "conversation.share",
    "conversation.unshare",
    "document.add",
    "document.copy",
    "document.move",
    "document.remove",
    "document.rename",
    "document.reread",
    "document.restore",
    "document.tag",
    "fact.add",
    "fact.forget",
    "feedback.export",
    "key.add",
    "key.remove",
    "people.change",
    "project.change",
    "project.create",
]
PeopleAction = Literal[
    "people.accept",
    "people.add",
    "people.end",
    "people.export",
    "people.invite",
    "people.password",
    "people.remove",
    "people.reset",
    "people.role",
]

_SQL = queries("rag_system.storage.queries", "audit.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """What somebody did."""

    person: str  # empty: a job
    done_at: datetime
    action: str
    object: str  # what it was done to: a path, a conversation's id, a setting's name


def write_down(connection: Connection, project: str, action: Action, target: str = "") -> None:
    """Note what is done in this transaction: it stands or falls with it. Who acts, and when, the database says."""
    connection.execute(_SQL["write_down"], {"project": project, "action": action, "object": target})


def list_audit(connection: Connection, project: str, *, limit: int) -> list[AuditEntry]:
    """The latest first. Who does not own the project is told so: `ForbiddenError`."""
    must_own(connection, project, "el registro de lo hecho")
    return rows_of(connection, AuditEntry, _SQL["list"], {"project": project, "limit": limit})


def write_down_of(connection: Connection, person: str, action: PeopleAction, *, by: str, detail: str = "") -> None:
    """The same of somebody's account, for who keeps accounts, which no project is told."""
    connection.execute(_SQL["write_down_of"], {"by": by, "action": action, "object": person, "detail": detail})


def tell_role(connection: Connection, project: str, person: str, role: str, *, by: str) -> None:
    """Note in a project what somebody may do there from now on, said by who keeps accounts."""
    connection.execute(_SQL["tell_role"], {"project": project, "by": by, "object": f"{person}: {role}"})


def list_people_audit(connection: Connection, *, limit: int) -> list[AuditEntry]:
    """What was done to accounts, the latest first, for who keeps them; others see nothing."""
    return rows_of(connection, AuditEntry, _SQL["list_people"], {"limit": limit})


def must_own(connection: Connection, project: str, what: str) -> None:
    """Raise `ForbiddenError` where who acts does not own the project, and `what` is shown to its owners alone."""
    (owns,) = connection.execute(_SQL["is_owner"], {"project": project}).fetchone() or (False,)
    if not owns:
        raise ForbiddenError(f"Solo quien es dueño del proyecto puede ver {what}. Pídaselo.", code="owners_only")
