"""What of the candidates is in force: as their documents tell, and as other documents of the project do.

A norm that another one repeals is found out by each search, by the identifiers of both: nothing has to be kept true
when either comes, changes or goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from psycopg import Connection

from rag_system.query.identifier_names import identifier_name
from rag_system.query.identifiers import by_name, family, same_identifier
from rag_system.search.table import Column, Table
from rag_system.storage.sql import queries
from rag_system.types import StateKind, TextState

__all__ = ["OUT_OF_FORCE", "force", "repealed_documents"]

# Of the score of what is not in force, where the question does not ask for the past; decision 0031 has the figures.
OUT_OF_FORCE = 0.7

_SQL = queries("rag_system.search", "repealed.sql")
_YEAR = re.compile(r"(?:@|/|-)((?:19|20)\d\d)(?!\d)")


def repealed_documents(
    connection: Connection, projects: Sequence[str], document_ids: Iterable[str]
) -> dict[str, TextState]:
    """Those of the documents that another document of their project repeals, by id."""
    key = {"projects": list(projects), "documents": sorted(set(document_ids))}
    found: dict[str, TextState] = {}
    for document, own, repealed, told, by, years in connection.execute(_SQL["repealed"], key):
        if document not in found and _is_repealed(own, repealed, by):
            found[document] = _state(told, _norm(by), years)
    return found


def force(table: Table, *, past: bool) -> Column:
    """What each row's score counts: less where a text is not in force, unless the question asks for the past."""
    less = np.float32(1.0 if past else OUT_OF_FORCE)
    return np.where(np.array(table.out_of_force, bool), less, np.float32(1.0)).astype(np.float32)


def _is_repealed(own: Sequence[str], repealed: str, by: Sequence[str]) -> bool:
    """Whether the norm that is repealed is the document: what it is first of all, not the law that it carries out.

    An edition of the norm that repeals is not repealed by it.
    """
    norm = _norm(own)
    return same_identifier(norm, repealed) and not any(same_identifier(norm, each) for each in by)


def _norm(identifiers: Sequence[str]) -> str:
    """The norm by its number that a document is first of all."""
    return next((each for each in identifiers if family(each) == "norm" and not by_name(each)), "")


def _state(told: str, by: str, years: Sequence[int]) -> TextState:
    dated = _YEAR.search(by)
    year = int(dated[1]) if dated else next(iter(years), None)
    return TextState(kind=StateKind.REPEALED, told=told, by=identifier_name(by), year=year)
