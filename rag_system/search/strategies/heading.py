"""Sections that the question names: «¿cuáles son las hipótesis?» finds «2.6 Hipótesis»."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.headings import fits_heading, inner_headings, is_said_in, subject_terms
from rag_system.query.text import query_terms
from rag_system.search.collection import Part
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.protocol import Rows
from rag_system.search.table import Column, Table
from rag_system.storage.sql import queries
from rag_system.types import Evidence, SearchResult

__all__ = ["Heading", "sections_of"]

_SQL = queries("rag_system.search.strategies", "heading.sql")

Fits = Callable[[frozenset[str], str], bool]  # `fits_heading`

MOST_READ = 20_000  # passages whose headings are read, where the search is confined to documents
BELOW = 0.5  # of a passage that stands further below the heading
IN_OTHER_FORMS = 0.9  # of one whose heading has the question's words in other forms: «teletrabajador» for «teletrabajo»


class Heading:
    """Passages under a heading that says all that the question says besides naming the document.

    In the documents that the search is confined to they are looked up; elsewhere they are among what the words find.
    """

    name: ClassVar[str] = "heading"

    def __init__(self, request: SearchRequest) -> None:
        self._request = request
        self._question = request.plan.standalone_question
        self._terms = subject_terms(self._question)
        self._cursors: list[tuple[Part, Rows]] = []
        self._found: dict[int, float] = {}

    def send(self, connection: Connection) -> None:
        if self._request.by_heading and self._request.within and self._request.within.documents:
            for part in self._request.collection.parts:
                key = {**self._request.key(part), "passages": MOST_READ}
                self._cursors.append((part, connection.execute(_SQL["headings"], key)))

    def propose(self) -> list[int]:
        fits = partial(fits_heading, self._terms)
        for part, rows in self._cursors:
            for chunk_id, path, text in rows.fetchall():
                inner = (heading for _, heading in inner_headings(text))
                fit = _fit(fits, self._question, path, inner)
                if fit and self._request.may_answer(part.first + chunk_id):
                    self._found[part.first + chunk_id] = fit
        ranked = sorted(self._found, key=lambda chunk_id: (-self._found[chunk_id], chunk_id))
        return ranked[: self._request.recipe.candidates]

    def column(self, table: Table) -> Column:
        if not self._request.by_heading:
            return np.zeros(len(table), np.float32)
        fits = cache(fits_heading)  # most passages stand under headings that others have, too
        told = self._told(table, fits, dict.fromkeys(table.titles, self._terms))
        if not any(told):
            told = self._told(table, fits, {title: self._unnamed(title) for title in set(table.titles)})
        column = np.array(told, np.float32)
        if self._request.within and self._request.within.documents:
            return column
        documents = {document for document, fit in zip(table.document_ids, told, strict=True) if fit}
        return column / np.float32(max(len(documents), 1))  # of many, it names none

    def _told(self, table: Table, fits: Fits, terms: Mapping[str, frozenset[str]]) -> list[float]:
        """How well the headings of each passage fit what, by its document's title, is asked of it."""
        asked = {title: partial(fits, of_title) for title, of_title in terms.items()}
        return [
            self._found.get(chunk_id) or _fit(asked[title], self._question, path)
            for chunk_id, title, path in zip(table.chunk_ids, table.titles, table.heading_paths, strict=True)
        ]

    def _unnamed(self, title: str) -> frozenset[str]:
        """What the question says besides the words of a document's title and path: they are left out only where no
        heading says all, for «orden de pago» may be asked of a «Texto Único Ordenado».
        """
        return self._terms - _title_terms(title) or self._terms


@lru_cache(maxsize=4_096)  # documents that a few questions find
def _title_terms(title: str) -> frozenset[str]:
    return frozenset(query_terms(re.sub(r"[/_]", " ", title)))


def _fit(fits: Callable[[str], bool], question: str, path: Sequence[str], inner: Iterable[str] = ()) -> float:
    """How well it fits a passage that stands below the headings of `path` and has `inner` ones."""
    if named := [heading for heading in (*path[-1:], *inner) if fits(heading)]:
        return 1.0 if is_said_in(question, named) else IN_OTHER_FORMS
    return BELOW if any(map(fits, path[:-1])) else 0.0


def sections_of(found: SearchResult, evidence: Sequence[Evidence]) -> frozenset[int]:
    """The numbers of the evidence under a heading that is what the question says."""
    named = {each.chunk.chunk_id: each.scores.get(Heading.name, 0.0) for each in found.candidates}
    most = max(named.values(), default=0.0)
    return frozenset(each.n for each in evidence if most and named.get(each.chunk.chunk_id) == most)
