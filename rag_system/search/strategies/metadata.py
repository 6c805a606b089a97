"""Names: documents that are, or are called, what the question names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from math import ceil
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.identifiers import family, same_identifier
from rag_system.search.filters import MENTIONED_IDENTIFIER, names_any, with_known_edition, with_known_editions
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.lexical import Lexical
from rag_system.search.strategies.protocol import Found
from rag_system.search.table import Column, Table
from rag_system.storage.sql import queries

__all__ = ["NAMED_DOCUMENTS", "Metadata"]

_SQL = queries("rag_system.search.strategies", "metadata.sql")

NAMED_DOCUMENTS = 40  # documents that carry an identifier of the question, at most
TITLED_DOCUMENTS = 400  # documents that share a word with the question in their title, at most
COMMON_IN_TITLES = 400  # documents with a word in their title from which it is too common to find any by
OWN_IDENTIFIER = 1.0  # metadata score of a document that is what was asked for
LAW = "norm"  # the family of laws, decrees and resolutions
WHOLE_TITLE = 0.5  # of a document whose title, file name or folder hold all that the question says
TITLE_SHARE = 0.5  # of the question's weight that a title must cover before its document is proposed
TITLED_PROPOSED = 3  # documents proposed for their title, at most, with as many chunks each


class Metadata:
    """Documents named by the question: by identifier, or by the words of their title, file name or folder.

    Of several projects, each weighs a word of titles by how many of its own titles have it.
    """

    name: ClassVar[str] = "metadata"

    def __init__(self, request: SearchRequest, lexical: Lexical) -> None:
        self._request = request
        self._lexical = lexical
        self._named_rows: list[Found] = []
        self._titled_rows: list[Found] = []
        self._documents: dict[str, float] = {}

    def send(self, connection: Connection) -> None:
        named = {"bases": self._request.bases, "limit": NAMED_DOCUMENTS}
        titled = {"terms": list(self._request.terms), "limit": TITLED_DOCUMENTS, "common": COMMON_IN_TITLES}
        for part in self._request.collection.parts:
            key = {"project": part.name}
            if self._request.bases:
                self._named_rows.append((part, connection.execute(_SQL["named"], {**key, **named})))
            self._titled_rows.append((part, connection.execute(_SQL["titled"], {**key, **titled})))

    def propose(self) -> list[int]:
        groups = self._named()
        share = ceil(self._request.recipe.candidates / max(len(groups), 1))
        ids = [found for ranges in groups for found in self._lexical.scores.top(share, within=ranges)]
        titled = filter(None, map(self._best_of, self._titled()))
        for best in islice(titled, TITLED_PROPOSED):
            ids += best
        return list(dict.fromkeys(ids))

    def column(self, table: Table) -> Column:
        lifts = [self._documents.get(document, 0.0) for document in table.document_ids]
        if self._request.identifiers:
            asked = tuple(with_known_editions(self._request.identifiers, table))
            for row, lift in enumerate(lifts):  # only those are read that it may lift
                if lift < MENTIONED_IDENTIFIER and names_any(asked, table.texts[row]):
                    lifts[row] = MENTIONED_IDENTIFIER
        return np.array(lifts, np.float32)

    def _best_of(self, document: range) -> list[int]:
        """A few of its chunks that have a word of the question, or else its first."""
        first = filter(self._request.may_answer, [document.start])
        return self._lexical.scores.top(TITLED_PROPOSED, within=[document]) or list(first)

    def _named(self) -> list[list[range]]:
        """The documents that are each norm asked for, and together those that mention one.

        Apart: a regulation says the words of its law more often than the law, and would leave it no place.
        """
        groups: defaultdict[str, dict[str, range]] = defaultdict(dict)
        rows = [(part.first, *row) for part, found in self._named_rows for row in found.fetchall()]
        present = {identifier for _, _, identifier, *_ in rows}
        asked = [with_known_edition(identifier, present) for identifier in self._request.plan.identifiers]
        for raised, document_id, identifier, own, all_own, first, count in rows:
            norm = next((each for each in asked if same_identifier(each, identifier)), None)
            if norm is not None:
                is_it = own and not _only_adopts(norm, all_own)
                self._lift(document_id, OWN_IDENTIFIER if is_it else MENTIONED_IDENTIFIER)
                groups[norm if is_it else ""][document_id] = range(raised + first, raised + first + count)
        return [list(documents.values()) for documents in groups.values()]

    def _titled(self) -> list[range]:
        found: list[tuple[float, range]] = []
        for part, rows in self._titled_rows:
            for document_id, share, first, count in rows.fetchall():
                self._lift(document_id, WHOLE_TITLE * share * share)
                if share >= TITLE_SHARE:
                    found.append((share, range(part.first + first, part.first + first + count)))
        return [r for _, r in sorted(found, key=lambda pair: (-pair[0], pair[1].start))]

    def _lift(self, document_id: str, value: float) -> None:
        self._documents[document_id] = max(value, self._documents.get(document_id, 0.0))


def _only_adopts(asked: str, own: Sequence[str]) -> bool:
    """Whether a document with those identifiers is a law, a decree or a resolution that is about a standard.

    «ISO 27001» in the title of the resolution that makes it compulsory is no more the standard than the other norms are
    that lean on it: where the answer stands, their words and their meaning say.
    """
    return family(asked) != LAW and any(family(each) == LAW for each in own)
