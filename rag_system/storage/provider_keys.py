"""The keys for providers that people and projects bring, as they are stored: sealed, each for its own row."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from psycopg import Connection
from pydantic import SecretStr

from rag_system.errors import ForbiddenError, NotFoundError
from rag_system.settings import ProviderName
from rag_system.storage.sealing import Sealed, SealingKeys
from rag_system.storage.sql import queries, rows_of

__all__ = ["ProviderKeyRow", "list_keys", "put_key", "read_all_keys", "remove_key", "reseal_all"]

_SQL = queries("rag_system.storage.queries", "keys.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderKeyRow(Sealed):
    """A key as stored: a person's or a project's."""

    project_id: str | None
    person_id: str | None
    provider: ProviderName
    added_at: datetime
    added_by: str

    def open(self, keys: SealingKeys) -> SecretStr | None:
        """The key itself; None where it cannot be opened here."""
        return keys.open(self, place=_place(self.project_id, self.person_id, self.provider))


def list_keys(connection: Connection, project: str) -> list[ProviderKeyRow]:
    """The acting person's own, then the project's, where it is a member of it."""
    return rows_of(connection, ProviderKeyRow, _SQL["list"], {"project": project})


def put_key(
    connection: Connection, provider: ProviderName, secret: SecretStr, keys: SealingKeys, *, project: str | None
) -> None:
    """Set the project's key, or without one the acting person's own, in place of what it had.

    A project that is not an own one raises `ForbiddenError` from the connection.
    """
    connection.execute(_SQL["hold"])
    key = _key(connection, provider, project)
    sealed = keys.seal(secret, place=_place(key["project"], key["person"], provider))
    connection.execute(_SQL["put"], {**key, **asdict(sealed)})


def remove_key(connection: Connection, provider: ProviderName, *, project: str | None) -> None:
    """Delete it. One that is not there raises `NotFoundError`, one of somebody else's project `ForbiddenError`."""
    key = _key(connection, provider, project)
    if connection.execute(_SQL["remove"], key).rowcount:
        return
    there = list_keys(connection, project or "")
    if any(row.project_id == project and row.provider == provider for row in there):
        raise ForbiddenError
    raise NotFoundError("No hay ninguna clave de ese proveedor que quitar.", code="unknown_key", provider=provider)


def read_all_keys(connection: Connection) -> list[ProviderKeyRow]:
    """Everybody's, to look whether they can be opened, or to seal them anew: never for a person."""
    connection.execute(_SQL["act_as_sealer"])
    return rows_of(connection, ProviderKeyRow, _SQL["all"])


def reseal_all(connection: Connection, keys: SealingKeys) -> tuple[int, int]:
    """Seal everybody's with the first sealing key: how many were, and how many could not be opened and stay."""
    connection.execute(_SQL["act_as_sealer"])
    connection.execute(_SQL["hold_alone"])
    done = left = 0
    for row in read_all_keys(connection):
        secret = row.open(keys)
        if secret is None:
            left += 1
            continue
        sealed = keys.seal(secret, place=_place(row.project_id, row.person_id, row.provider))
        place = {"project": row.project_id, "person": row.person_id, "provider": row.provider}
        connection.execute(_SQL["reseal"], {**place, **asdict(sealed)})
        done += 1
    return done, left


def _key(connection: Connection, provider: ProviderName, project: str | None) -> dict[str, str | None]:
    (person,) = connection.execute(_SQL["person"]).fetchone() or (None,)
    return {"project": project, "person": None if project else person, "provider": provider}


def _place(project: str | None, person: str | None, provider: str) -> str:
    """What a sealed key is bound to."""
    return json.dumps(["provider_keys", project, person, provider])
