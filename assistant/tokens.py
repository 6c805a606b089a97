"""Tokens by which programs act for a person: what each may do, in which project, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from assistant.passwords import digest, new_secret
from rag_system.errors import AccessError, InputError, NotFoundError
from rag_system.storage.connection import Database
from rag_system.storage.sql import queries, row_of, rows_of

__all__ = ["LONGEST_DAYS", "SCOPES", "Bearer", "Token", "TokenScope", "Tokens", "bearer_of"]

# search: find passages, and list projects and documents. ask: answers and one's conversations. upload: add and remove
# documents. metrics: figures of the whole program. What the person may not do, no token of theirs may.
TokenScope = Literal["search", "ask", "upload", "metrics"]
SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)
LONGEST_DAYS = 366

_PREFIX = "legajo_"  # so that a token is known for one where it was left lying about
_LONGEST_NAME = 100
_FEWEST = 4  # letters of an id
_SQL = queries("rag_system.storage.queries", "tokens.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is told of a token."""

    token_id: str
    name: str
    scopes: list[TokenScope]
    project: str | None  # the only one that it opens; None: all of the person's
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None  # to the minute


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """For whom a program acts that showed a token, and how far."""

    token_id: str
    person: str
    scopes: list[TokenScope]
    project: str | None


class Tokens:
    """Those of a person. Made by `PersonalAssistant.tokens`."""

    def __init__(self, database: Database, person: str) -> None:
        self._database = database
        self._key = {"person": person}

    def all(self) -> list[Token]:
        """In the order in which they were made, those that have expired among them."""
        return self._database.run(rows_of, Token, _SQL["list"], self._key)

    def add(
        self, name: str, *, scopes: Sequence[TokenScope], days: int, project: str | None = None
    ) -> tuple[str, Token]:
        """Make one: the secret, which is told this once, and what is known of it from now on.

        days: until it expires, from 1 to 366. Whether the project is there is for the caller to look.
        """
        if not (name := name.strip()) or len(name) > _LONGEST_NAME:
            raise InputError(f"Póngale al token un nombre de 1 a {_LONGEST_NAME} caracteres, como el del programa.")
        if not scopes or set(scopes) - set(SCOPES):
            raise InputError(f"Elija para qué sirve el token: {', '.join(SCOPES)}.")
        if not 1 <= days <= LONGEST_DAYS:
            raise InputError(f"Un token vale de 1 a {LONGEST_DAYS} días.")
        secret = _PREFIX + new_secret()
        key = self._key | {"secret": digest(secret), "name": name, "project": project, "life": timedelta(days=days)}
        made = self._database.run(row_of, Token, _SQL["add"], {**key, "scopes": list(dict.fromkeys(scopes))})
        if made is None:
            raise InputError
        return secret, made

    def withdraw(self, beginning: str) -> None:
        """End the token whose id begins so, in at least 4 letters. `NotFoundError`: none does."""
        whole = len(beginning) >= _FEWEST and beginning.replace("-", "").isalnum()
        with self._database.connection() as connection:
            if not (whole and connection.execute(_SQL["withdraw"], {**self._key, "beginning": beginning}).rowcount):
                raise NotFoundError(f"No hay ningún token «{beginning}». «legajo tokens list» muestra los que hay.")


def bearer_of(database: Database, secret: str) -> Bearer:
    """Whose token it is. One that was withdrawn, has expired or never was raises `AccessError`."""
    with database.as_keeper().connection() as connection:
        found = row_of(connection, Bearer, _SQL["bearer"], {"secret": digest(secret)})
        if found is None:
            raise AccessError(
                "El token no existe, venció o fue retirado. Cree otro con «legajo tokens add».", code="unknown_token"
            )
        connection.execute(_SQL["used"], {"token": found.token_id})
    return found
