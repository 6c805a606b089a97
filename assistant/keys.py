"""A person's and a project's own keys for providers: kept sealed, used for the next question, shown to nobody."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from psycopg import Connection
from pydantic import SecretStr

from rag_system.errors import InputError, MissingKeyError, SealingError
from rag_system.generation.credentials import Credentials, Key, settings_credentials
from rag_system.generation.providers import PROVIDERS, list_models, try_key
from rag_system.settings import ProviderName, Settings
from rag_system.storage.audit import Action, write_down
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.storage.provider_keys import (
    ProviderKeyRow,
    list_keys,
    put_key,
    read_all_keys,
    remove_key,
    reseal_all,
)
from rag_system.storage.sealing import SealingKeys

__all__ = ["OWN_KEY_PROVIDERS", "KeySummary", "Keys", "Owner", "check_provider", "rotate_sealing_key", "stored_keys"]

Owner = Literal["person", "project"]
OWN_KEY_PROVIDERS: tuple[ProviderName, ...] = tuple(name for name, row in PROVIDERS.items() if row.needs_key)
_LONGEST_KEY = 512  # characters: the longest that providers give have some 200
_KEY = re.compile(r"[!-~]+")  # what a header of HTTP carries, without blanks


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySummary:
    """What is to be known of a key: never the key."""

    provider: ProviderName
    owner: Owner
    added_at: datetime
    added_by: str  # a person
    is_readable: bool  # False: its sealing key is missing


class Keys:
    """The keys that a person may use in a project: its own, then the project's, then those of the settings."""

    def __init__(self, *, database: Database, settings: Settings, project: str) -> None:
        self._database = database
        self._settings = settings
        self._project = project
        self._sealing = SealingKeys(settings)

    def credentials(self) -> Credentials:
        """What the next question may be paid with, read anew: a key may be added or removed at any time."""
        nearest = {row.provider: row for row in reversed(self._rows())}  # the person's take the place of the project's
        own = {name: Key(payer=_owner(row), secret=row.open(self._sealing)) for name, row in nearest.items()}
        return settings_credentials(self._settings) | Credentials(own)

    def all(self) -> list[KeySummary]:
        """The person's own, then the project's, each by provider."""
        return [
            KeySummary(
                provider=row.provider,
                owner=_owner(row),
                added_at=row.added_at,
                added_by=row.added_by,
                is_readable=row.open(self._sealing) is not None,
            )
            for row in self._rows()
        ]

    def add(self, provider: ProviderName, secret: str, *, owner: Owner = "person") -> None:
        """Keep a key from now on, in place of the one there was.

        One that cannot be a key raises `InputError`; for the project only its owner may: `ForbiddenError`.
        """
        check_provider(provider)
        with self._database.connection() as connection:
            put_key(connection, provider, _checked(secret), self._sealing, project=self._named(owner))
            self._note(connection, "key.add", provider, owner)

    def remove(self, provider: ProviderName, *, owner: Owner = "person") -> None:
        """Delete a key. One that is not there raises `NotFoundError`; the project's is its owner's to remove."""
        check_provider(provider)
        with self._database.connection() as connection:
            remove_key(connection, provider, project=self._named(owner))
            self._note(connection, "key.remove", provider, owner)

    def test(self, provider: ProviderName, *, owner: Owner = "person") -> None:
        """Ask the provider for a word with this key. Raises `ProviderError` with what it says."""
        check_provider(provider)
        found = [row for row in self._rows() if (row.provider, _owner(row)) == (provider, owner)]
        if not found:
            raise InputError(
                f"No hay ninguna clave de {PROVIDERS[provider].label} que probar: agréguela primero.",
                code="unknown_key",
                provider=provider,
            )
        key = Key(payer=owner, secret=found[0].open(self._sealing))
        try_key(self._settings, provider, Credentials({provider: key}))

    def models(self, provider: ProviderName) -> list[str]:
        """The models that a provider offers to who asks, by name; none of the one that quotes.

        Raises `ProviderError` with what it says, or `InputError` where there is no key to ask it with.
        """
        if PROVIDERS[provider].sdk == "none":
            return []
        try:
            return list_models(self._settings, provider, self.credentials())
        except MissingKeyError as error:
            raise InputError(str(error), code="unknown_key", provider=provider) from None

    def _rows(self) -> list[ProviderKeyRow]:
        return self._database.run(list_keys, self._project)

    def _note(self, connection: Connection, action: Action, provider: str, owner: Owner) -> None:
        """A person's own keys are that person's affair."""
        if owner == "project":
            write_down(connection, self._project, action, provider)

    def _named(self, owner: Owner) -> str | None:
        return self._project if owner == "project" else None


def rotate_sealing_key(settings: Settings) -> tuple[int, int]:
    """Seal everybody's keys with another sealing key: how many were, and how many could not be opened.

    The file's old one is forgotten when nothing needs it. One from the environment is changed there, before: the new
    one first, the old one behind it.
    """
    keys = SealingKeys(settings)
    if not keys.is_given:
        keys.add_first()
    with open_database(settings) as database, database.connection() as connection:
        done, left = reseal_all(connection, keys)
    if not left and not keys.is_given:
        keys.keep_first()
    return done, left


def stored_keys(settings: Settings) -> int:
    """How many keys are kept. One that cannot be opened raises `SealingError`, which says what to do."""
    keys = SealingKeys(settings)
    with open_database(settings) as database, database.connection() as connection:
        rows = read_all_keys(connection)
    if closed := sum(row.open(keys) is None for row in rows):
        where = "LEGAJO_SEALING_KEY" if keys.is_given else f"«{keys.file}»"
        raise SealingError(
            f"De {len(rows)} claves guardadas, {closed} no se pueden abrir con la clave de sellado que hay. Restaure "
            f"{where} como estaba, o agregue esas claves de nuevo.",
            keys=closed,
        )
    return len(rows)


def _owner(row: ProviderKeyRow) -> Owner:
    return "project" if row.person_id is None else "person"


def check_provider(provider: str) -> None:
    """Raise `InputError` for one that nobody keeps keys of."""
    if provider not in OWN_KEY_PROVIDERS:
        label = next((row.label for row in PROVIDERS.values() if row.name == provider), f"«{provider}»")
        raise InputError(
            f"De {label} no se guardan claves propias: elija {', '.join(OWN_KEY_PROVIDERS)}.",
            code="no_own_keys",
            provider=provider,
        )


def _checked(typed: str) -> SecretStr:
    text = typed.strip()
    if not _KEY.fullmatch(text) or len(text) > _LONGEST_KEY:
        raise InputError(
            "Eso no es una clave. Cópiela entera, sin espacios, de la página del proveedor.", code="not_a_key"
        )
    return SecretStr(text)
