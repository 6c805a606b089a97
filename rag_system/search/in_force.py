"""What of the candidates is in force: as their documents tell, and as other documents of the project do.

A norm that another one repeals is found out by each search, by the identifiers of both: nothing has to be kept true
when either comes, changes or goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from psycopg import Connection

from rag_system.query.identifier_names import identifier_name
from rag_system.query.identifiers import by_name, family, same_identifier
from rag_system.search.table import Column, Table
from rag_system.storage.sql import array_of, queries
from rag_system.types import StateKind, TextState

__all__ = ["IN_FORCE_LESS", "LESS", "force", "is_repealed", "repealed_documents"]

# What a text has the less whose force is not the one asked for; the best in meaning and words has about 1. What was
# replaced has its successor in the same document, and gives way to it; what was repealed may be all there is, and the
# answer then says so. Less than what names a document or an article lifts. Decision 0031 has the figures.
LESS: Mapping[str, float] = {StateKind.PREVIOUS: 0.5, StateKind.REPEALED: 0.2, StateKind.UNCONSTITUTIONAL: 0.2}
IN_FORCE_LESS = 0.3  # where the question asks for the past

_SQL = queries("rag_system.search", "repealed.sql")
_KIND_AND_NUMBER = re.compile(r"[\w?]+:\d+(?:-(?:\d{4}|\d{2})(?!\d))?")
_YEAR = re.compile(r"(?:@|/|-)((?:19|20)\d\d)(?!\d)")


def repealed_documents(
    connection: Connection, projects: Sequence[str], document_ids: Iterable[str]
) -> dict[str, TextState]:
    """Those of the documents that another document of their project repeals, by id."""
    key = {"projects": list(projects), "documents": array_of(sorted(set(document_ids)))}
    found: dict[str, TextState] = {}
    for document, own, repealed, told, by, years in connection.execute(_SQL["repealed"], key):
        if document not in found and is_repealed(own, repealed, by):
            found[document] = _state(told, _norm(by), years)
    return found


def force(table: Table, *, past: bool) -> Column:
    """What each row has the less: what is not in force, or what is, where the question asks for the past."""
    if not any(table.states):  # nothing to choose between
        return np.zeros(len(table), np.float32)
    less = [(0.0 if state else IN_FORCE_LESS) if past else LESS.get(state, 0.0) for state in table.states]
    return np.array(less, np.float32)


def is_repealed(own: Sequence[str], repealed: str, by: Sequence[str]) -> bool:
    """Whether the norm that is repealed is the document: what it is first of all, not the law that it carries out.

    An edition of the norm that repeals is not repealed by it.
    """
    names = _norm(own)
    return any(same_identifier(name, repealed) for name in names) and not any(
        same_identifier(name, each) for name in names for each in by
    )


def _norm(identifiers: Sequence[str]) -> list[str]:
    """The norm by its number that a document is first of all, as its file's name and its text write it."""
    norms = [each for each in identifiers if family(each) == "norm" and not by_name(each)]
    return [each for each in norms if _number(each) == _number(norms[0])]


def _number(norm: str) -> str:
    """`ds:031-2009-cul` and `ds:031-2009-bibliotecas`, so named by a file, are both `ds:031-2009`."""
    match = _KIND_AND_NUMBER.match(norm)
    return match[0] if match else norm


def _state(told: str, by: Sequence[str], years: Sequence[int]) -> TextState:
    norm = min(by, key=len, default="")  # «D.S. 018-2020-CUL», not what its file is called besides
    dated = _YEAR.search(norm)
    year = int(dated[1]) if dated else next(iter(years), None)
    return TextState(kind=StateKind.REPEALED, told=told, by=identifier_name(norm) if norm else "", year=year)
