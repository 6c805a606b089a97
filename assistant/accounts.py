"""Who may enter: people with their passwords, sessions, invitations and roles. Who holds this keeps the accounts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, get_args

from psycopg import Connection
from psycopg.errors import ForeignKeyViolation

from assistant.passwords import digest, hash_password, is_password, new_secret
from rag_system import LOCAL_PERSON
from rag_system.errors import InputError, NotFoundError, SessionEndedError, SignInError, TooManyAttemptsError
from rag_system.storage.audit import AuditEntry, PeopleAction, list_people_audit, tell_role, write_down_of
from rag_system.storage.connection import Database
from rag_system.storage.projects import Role
from rag_system.storage.sql import queries, rows_of

__all__ = ["ROLES", "Account", "Accounts", "Role", "person_name", "plain_name", "set_role"]

ROLES: tuple[Role, ...] = get_args(Role)

_SQL = queries("rag_system.storage.queries", "people.sql")
_NAME = re.compile(r"[\w.@+-]{1,100}")
_SESSION_LIFE = timedelta(days=14)
_INVITATION_LIFE = timedelta(days=7)
_ADMINISTERS = "admin"
_WINDOW = timedelta(minutes=15)
_MOST_OF_A_NAME = 10  # attempts within the window that failed, wherever they came from
_MOST_OF_AN_ADDRESS = 50  # an office has one address
_SPENT = "Esta invitación no existe, ya se usó o venció. Pida otra a quien administra Legajo."


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What is told of a person who may enter."""

    person: str
    is_administrator: bool
    created_at: datetime
    has_password: bool
    invited_until: datetime | None  # an invitation or a reset waits to be used
    sessions: int  # open ones
    roles: Mapping[str, Role]  # by project


class Accounts:
    """The accounts of all. Made by `Assistant.accounts`, or for an administrator by `PersonalAssistant.administration`.

    Names are compared without case. Whom a call names and who is not there raises `NotFoundError`. What is changed is
    written down as done `by` a person.
    """

    def __init__(self, database: Database, *, by: str = LOCAL_PERSON) -> None:
        self._by = by
        self._database = database
        self._kept = database.as_keeper()

    # ------------------------------------------------------------ entering

    def sign_in(self, person: str, password: str, *, address: str) -> str:
        """The secret of a new session. `address` is where the attempt comes from.

        An unknown person, one without a password and a wrong password are one `SignInError`, at the same cost. Too many
        failures of a name or an address raise `TooManyAttemptsError` instead, also for who would know the password.
        """
        name = plain_name(person)
        attempt = self._attempt(name, address)
        with self._kept.connection() as connection:
            found = connection.execute(_SQL["password"], {"person": name}).fetchone()
        if not is_password(password, found[0] if found else None):
            raise SignInError
        with self._kept.connection() as connection:
            connection.execute(_SQL["succeed"], {"name": digest(name), "attempt": attempt})
            return _begin_session(connection, name)

    def _attempt(self, name: str, address: str) -> int:
        """Count an attempt, before anything is known of it: of many at the same time none is missed."""
        key = {"name": digest(name), "address": digest(address), "window": _WINDOW}
        with self._kept.connection() as connection:
            connection.execute(_SQL["forget_attempts"], key)
            (attempt,) = connection.execute(_SQL["attempt"], key).fetchone() or (0,)
        with self._kept.connection() as connection:
            of_name, of_address = connection.execute(_SQL["attempts"], key).fetchone() or (0, 0)
        if of_name > _MOST_OF_A_NAME or of_address > _MOST_OF_AN_ADDRESS:
            raise TooManyAttemptsError
        return int(attempt)

    def sign_in_identity(self, *, issuer: str, subject: str, email: str) -> str:
        """The secret of a session for who proved an identity and a verified e-mail address at a provider.

        The first time it is tied to the person of that name, who is made where there is none, without any project.
        """
        key = {"issuer": issuer, "subject": subject}
        with self._kept.connection() as connection:
            found = connection.execute(_SQL["identity"], key).fetchone()
            if found is None:
                found = (person_name(email),)
                if connection.execute(_SQL["add"], {"person": found[0], "administrator": False}).rowcount:
                    write_down_of(connection, found[0], "people.add", by=found[0], detail=issuer)
                if not connection.execute(_SQL["identify"], {**key, "person": found[0]}).rowcount:
                    raise SignInError(
                        "Esa dirección ya entra con otra identidad. Pida ayuda a quien administra Legajo.",
                        code="other_identity",
                    )
            return _begin_session(connection, found[0])

    def person_of(self, secret: str) -> str:
        """Whose session it is. One that has ended, expired or never was raises `SessionEndedError`."""
        with self._kept.connection() as connection:
            found = connection.execute(_SQL["session"], {"secret": digest(secret)}).fetchone()
        if found is None:
            raise SessionEndedError
        return str(found[0])

    def end_session(self, secret: str) -> None:
        """End one; nothing when it has ended."""
        with self._kept.connection() as connection:
            connection.execute(_SQL["end_session"], {"secret": digest(secret)})

    def end_sessions(self, person: str) -> int:
        """End all of a person; how many there were."""
        with self._kept.connection() as connection:
            self._note(connection, name := _existing(connection, person), "people.end")
            return _end_sessions(connection, name)

    # ------------------------------------------------------------ passwords

    def invited(self, secret: str) -> str:
        """Who may choose a password with an invitation, which is not used by this. Else `SignInError`."""
        return self._invitation("invitation", secret)

    def accept(self, secret: str, password: str) -> str:
        """Use an invitation: the secret of a new session of who has the password from now on."""
        kept = hash_password(password, person=self.invited(secret))  # a password that does not serve uses nothing
        person = self._invitation("use_invitation", secret)
        with self._kept.connection() as connection:
            connection.execute(_SQL["set_password"], {"person": person, "hash": kept})
            write_down_of(connection, person, "people.accept", by=person)
            _end_sessions(connection, person)
            return _begin_session(connection, person)

    def _invitation(self, query: str, secret: str) -> str:
        with self._kept.connection() as connection:
            found = connection.execute(_SQL[query], {"secret": digest(secret)}).fetchone()
        if found is None:
            raise SignInError(_SPENT, code="spent_invitation")
        return str(found[0])

    def change_password(self, person: str, old: str, new: str, *, but: str = "", address: str) -> None:
        """Another password for who knows the old one; the other sessions end, but for that of the secret `but`."""
        name = plain_name(person)
        attempt = self._attempt(name, address)
        with self._kept.connection() as connection:
            found = connection.execute(_SQL["password"], {"person": name}).fetchone()
        if not is_password(old, found[0] if found else None):
            raise SignInError("La contraseña actual no es esa. Vuelva a intentar.", code="wrong_password")
        kept = hash_password(new, person=name)
        with self._kept.connection() as connection:
            connection.execute(_SQL["succeed"], {"name": digest(name), "attempt": attempt})
            connection.execute(_SQL["set_password"], {"person": name, "hash": kept})
            write_down_of(connection, name, "people.password", by=name)
            _end_sessions(connection, name, but=but)

    def invite(self, person: str, *, administrator: bool = False) -> str:
        """Make a person. The secret of the invitation, good for seven days and once. `InputError`: who is there."""
        name = person_name(person)
        with self._kept.connection() as connection:
            _add(connection, name, administrator)
            self._note(connection, name, "people.invite", _ADMINISTERS if administrator else "")
            return _invite(connection, name)

    def reset(self, person: str) -> str:
        """Take a person's password away and end the sessions; the secret of the invitation to choose another."""
        with self._kept.connection() as connection:
            name = _existing(connection, person)
            self._note(connection, name, "people.reset")
            connection.execute(_SQL["forget_password"], {"person": name})
            _end_sessions(connection, name)
            return _invite(connection, name)

    # ------------------------------------------------------------ people

    def people(self) -> list[Account]:
        """Of all, by name; who sits at the machine is no account."""
        with self._kept.connection() as connection:
            return [each for each in rows_of(connection, Account, _SQL["list"]) if each.person != LOCAL_PERSON]

    def add(self, person: str, password: str | None, *, administrator: bool = False) -> str:
        """Make a person with a password, or with None one who enters by a provider; the name as it is kept.

        Who is there raises `InputError`.
        """
        name = person_name(person)
        kept = None if password is None else hash_password(password, person=name)
        with self._kept.connection() as connection:
            _add(connection, name, administrator)
            self._note(connection, name, "people.add", _ADMINISTERS if administrator else "")
            if kept is not None:
                connection.execute(_SQL["set_password"], {"person": name, "hash": kept})
        return name

    def existing(self, person: str) -> str:
        """The name as it is kept of who has an account."""
        return self._kept.run(_existing, person)

    def is_administrator(self, person: str) -> bool:
        """Whether a person keeps the accounts."""
        with self._kept.connection() as connection:
            return connection.execute(_SQL["is_administrator"], {"person": person}).rowcount > 0

    def give_role(self, person: str, project: str, role: Role | None) -> None:
        """What a person may do in a project; None: nothing."""
        with self._kept.connection() as connection:
            name = plain_name(person)
            if name != LOCAL_PERSON:  # the machine's own may be given one, too
                _existing(connection, name)
            set_role(connection, name, project, role)
            self._note(connection, name, "people.role", f"{project}: {role or 'none'}")
            tell_role(connection, project, name, role or "none", by=self._by)

    def export(self, person: str) -> dict[str, Any]:
        """All that is known of a person, by table. Of secrets and passwords, only when they were made."""
        with self._kept.connection() as connection:
            self._note(connection, name := _existing(connection, person), "people.export")
        with self._database.as_keeper(of=name).connection() as connection:
            (known,) = connection.execute(_SQL["known"], {"person": name}).fetchone() or ({},)
        return dict(known)

    def remove(self, person: str) -> None:
        """Forget a person and all that is theirs, for good; projects stay.

        Neither the last administrator nor the only owner of a project: `InputError`.
        """
        with self._kept.connection() as connection:
            name = _existing(connection, person)
            if [each for (each,) in connection.execute(_SQL["lock_administrators"])] == [name]:
                raise InputError(
                    f"«{name}» es la única persona que administra las cuentas. Nombre antes a otra: «legajo people "
                    "invite NOMBRE --admin».",
                    code="last_administrator",
                )
            if alone := [each for (each,) in connection.execute(_SQL["owned_alone"], {"person": name})]:
                raise InputError(
                    f"Solo «{name}» es propietario de {', '.join(f'«{each}»' for each in alone)}. Nombre antes a otra "
                    f"persona («legajo people role NOMBRE PROYECTO owner») o borre lo que sea solo suyo («legajo --as "
                    f"{name} projects delete PROYECTO»).",
                    code="last_owner",
                )
            connection.execute(_SQL["remove"], {"person": name})
            self._note(connection, name, "people.remove")

    # ------------------------------------------------------------ who did what

    def audit(self, *, limit: int = 1000) -> list[AuditEntry]:
        """What was done to accounts and by whom, the latest first."""
        return self._kept.run(list_people_audit, limit=limit)

    def _note(self, connection: Connection, person: str, action: PeopleAction, detail: str = "") -> None:
        write_down_of(connection, person, action, by=self._by, detail=detail)


def person_name(typed: str) -> str:
    """A name as it is kept; one that cannot be used raises `InputError`."""
    name = plain_name(typed)
    if not _NAME.fullmatch(name) or name == LOCAL_PERSON:
        raise InputError(
            "Ese nombre no sirve: use letras, números, puntos o guiones, o una dirección de correo.", code="person_name"
        )
    return name


def set_role(connection: Connection, person: str, project: str, role: Role | None) -> None:
    """Write or take away a membership, for whoever the connection acts. A project keeps an owner: else `InputError`."""
    key = {"project": project, "person": person}
    owners = [each for (each,) in connection.execute(_SQL["lock_owners"], key)]
    if owners == [person] and role != "owner":
        raise InputError("El proyecto quedaría sin propietario. Nombre antes a otra persona.", code="last_owner")
    try:
        if role is None:
            connection.execute(_SQL["take_role"], key)
        else:
            connection.execute(_SQL["give_role"], {**key, "role": role})
    except ForeignKeyViolation:
        raise NotFoundError(f"No existe el proyecto «{project}» o la persona «{person}». Revise los nombres.") from None


def plain_name(typed: str) -> str:
    """A name without case, of whoever it may be."""
    return unicodedata.normalize("NFKC", typed).strip().casefold()


def _existing(connection: Connection, person: str) -> str:
    name = plain_name(person)
    if name == LOCAL_PERSON or not connection.execute(_SQL["exists"], {"person": name}).rowcount:
        raise NotFoundError(
            f"No existe la persona «{person}». «legajo people list» muestra las que hay.",
            code="unknown_person",
            person=person,
        )
    return name


def _add(connection: Connection, name: str, administrator: bool) -> None:
    if not connection.execute(_SQL["add"], {"person": name, "administrator": administrator}).rowcount:
        raise InputError(
            f"«{name}» ya tiene cuenta. Para darle otra contraseña use «legajo people reset {name}».",
            code="person_exists",
            person=name,
        )


def _invite(connection: Connection, name: str) -> str:
    secret = new_secret()
    connection.execute(_SQL["invite"], {"person": name, "secret": digest(secret), "life": _INVITATION_LIFE})
    return secret


def _begin_session(connection: Connection, name: str) -> str:
    secret = new_secret()
    connection.execute(_SQL["forget_sessions"], {"person": name})
    connection.execute(_SQL["begin_session"], {"person": name, "secret": digest(secret), "life": _SESSION_LIFE})
    return secret


def _end_sessions(connection: Connection, name: str, *, but: str = "") -> int:
    return connection.execute(_SQL["end_sessions"], {"person": name, "but": digest(but) if but else ""}).rowcount
