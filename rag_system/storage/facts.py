"""What people asked to be remembered about a project. Questions get it with the project's row (`storage.projects`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg import Connection

from rag_system.errors import InputError, NotFoundError
from rag_system.storage.audit import write_down
from rag_system.storage.projects import lock_project
from rag_system.storage.sql import queries, rows_of
from rag_system.types import Fact

__all__ = ["LONGEST_FACT", "MOST_FACTS", "RememberedFact", "add_fact", "forget_fact", "list_facts"]

LONGEST_FACT = 300  # characters: a sentence or two; what is longer is a document
MOST_FACTS = 50  # of a project: all of them come with each question

_SQL = queries("rag_system.storage.queries", "facts.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedFact:
    """A fact, and whose it is."""

    number: int
    text: str
    added_by: str  # a person
    added_at: datetime


def add_fact(connection: Connection, project: str, text: str) -> Fact:
    """Remember something; what is remembered already stays the fact that it is.

    Empty, too long or one too many raises `InputError`; the rest as `lock_project`.
    """
    fact = _checked(text)
    lock_project(connection, project)
    there = list_facts(connection, project)
    if same := next((each for each in there if each.text.casefold() == fact.casefold()), None):
        return Fact(same.number, same.text)
    if len(there) >= MOST_FACTS:
        raise InputError(
            f"Ya se recuerdan {MOST_FACTS} hechos, que son los que caben. Olvide alguno antes.",
            code="too_many_facts",
            limit=MOST_FACTS,
        )
    (number,) = connection.execute(_SQL["add"], {"project": project, "fact": fact}).fetchone() or (0,)
    write_down(connection, project, "fact.add", f"M{number}")
    return Fact(number, fact)


def list_facts(connection: Connection, project: str) -> list[RememberedFact]:
    """All, by number."""
    return rows_of(connection, RememberedFact, _SQL["list"], {"project": project})


def forget_fact(connection: Connection, project: str, number: int) -> None:
    """Remember it no longer. One that is not there raises `NotFoundError`; the rest as `lock_project`."""
    lock_project(connection, project)
    if not connection.execute(_SQL["forget"], {"project": project, "number": number}).rowcount:
        raise NotFoundError(f"No se recuerda ningún hecho [M{number}].", code="unknown_fact", number=number)
    write_down(connection, project, "fact.forget", f"M{number}")


def _checked(text: str) -> str:
    """On one line, without what nobody sees."""
    seen = "".join(char if char.isprintable() else " " * char.isspace() for char in text)
    fact = " ".join(seen.split())
    if not fact or len(fact) > LONGEST_FACT:
        raise InputError(
            f"Lo que se recuerda tiene de 1 a {LONGEST_FACT} caracteres, y esto tiene {len(fact)}. Escríbalo en una "
            "oración o dos.",
            code="fact_length",
            limit=LONGEST_FACT,
        )
    return fact
