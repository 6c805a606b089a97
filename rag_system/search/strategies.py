"""The strategies: each proposes chunks for a question and scores every candidate, its own and the others'.

A strategy lives for one search. `send` queues its statements in the open pipeline, `propose` reads the rows, and
`column` scores the table of candidates once their texts are there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection, Cursor, sql

from rag_system.query.identifiers import article_references, same_identifier
from rag_system.query.text import fold
from rag_system.search.filters import MENTIONED_IDENTIFIER, with_known_edition
from rag_system.search.lexical import LexicalScores, score
from rag_system.search.recipes import Recipe
from rag_system.storage.postings import Posting
from rag_system.storage.projects import ProjectRow
from rag_system.storage.sql import queries
from rag_system.types import Chunk, QueryPlan

__all__ = ["Article", "CitationCue", "Expansion", "Lexical", "Metadata", "Probe", "Semantic", "Strategy", "Table"]

_SEMANTIC = queries("rag_system.search", "semantic.sql")
_LEXICAL = queries("rag_system.search", "lexical.sql")
_ARTICLE = queries("rag_system.search", "article.sql")
_METADATA = queries("rag_system.search", "metadata.sql")

MIN_EF_SEARCH = 100  # recall 0.97 at m = 16 over 100,000 chunks; at 40 it is 0.76
EXACT_UP_TO = 5_000  # chunks of a project that are compared one by one: about 3 ms
MAX_SCAN_TUPLES = "100000"  # that the approximate index may visit to find a project's own among others'
NAMED_DOCUMENTS = 40  # documents that carry an identifier of the question, at most
TITLED_DOCUMENTS = 400  # documents that share a word with the question in their title, at most
OWN_IDENTIFIER = 1.0  # metadata score of a document that is what was asked for
TITLE_SHARE = 0.5  # of the question's weight that a title must cover before its document is proposed
TITLED_PROPOSED = 3  # documents proposed for their title, at most, with as many chunks each

Column = NDArray[np.float32]
Rows = Cursor[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question, ready to be searched."""

    project: ProjectRow
    plan: QueryPlan
    vector: list[float]  # of the standalone question: ranks every candidate
    original_vector: list[float] | None = None  # of the question as asked, when that differs: proposes candidates too
    terms: Sequence[str]  # analysed, without stopwords
    expanded_terms: Sequence[str]
    recipe: Recipe
    top_k: int

    @property
    def key(self) -> dict[str, object]:
        return {"project": self.project.project_id, "limit": self.recipe.candidates}

    @property
    def bases(self) -> list[str]:
        """The identifiers asked for, without their editions."""
        return [identifier.partition("@")[0] for identifier in self.plan.identifiers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The union of all proposals, hydrated. Row i of every field belongs to the same candidate."""

    chunks: Sequence[Chunk] = ()
    similarities: Column = field(default_factory=lambda: np.zeros(0, np.float32))

    @property
    def chunk_ids(self) -> NDArray[np.int32]:
        return np.array([chunk.chunk_id for chunk in self.chunks], np.int32)


class Strategy(Protocol):
    name: ClassVar[str]

    def send(self, connection: Connection) -> None: ...

    def propose(self) -> list[int]: ...

    def column(self, table: Table) -> Column: ...


class Semantic:
    """Nearest vectors by cosine, over the project and inside the documents that the question names."""

    name: ClassVar[str] = "semantic"

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._cursors: list[Rows] = []

    def send(self, connection: Connection) -> None:
        probe = self._probe
        nearest = sql.Composed([sql.SQL(_SEMANTIC["nearest_exact"])])
        if probe.project.chunk_count > EXACT_UP_TO:
            ef_search = str(max(2 * probe.recipe.candidates, MIN_EF_SEARCH))
            connection.execute(_SEMANTIC["tune"], {"ef_search": ef_search, "max_scan_tuples": MAX_SCAN_TUPLES})
            nearest = sql.SQL(_SEMANTIC["nearest"]).format(dimension=sql.Literal(len(probe.vector)))
        for vector in filter(None, (probe.vector, probe.original_vector)):
            self._cursors.append(connection.execute(nearest, {**probe.key, "vector": HalfVector(vector)}))
        if probe.bases:
            named = {"vector": HalfVector(probe.vector), "bases": probe.bases, "documents": NAMED_DOCUMENTS}
            self._cursors.append(connection.execute(_SEMANTIC["nearest_within_named"], {**probe.key, **named}))

    def propose(self) -> list[int]:
        return list(dict.fromkeys(row[0] for cursor in self._cursors for row in cursor))

    def column(self, table: Table) -> Column:
        return table.similarities


class Lexical:
    """BM25 over the packed postings of every term of the question."""

    name: ClassVar[str] = "lexical"

    def __init__(self, probe: Probe, terms: Sequence[str] | None = None) -> None:
        self._probe = probe
        self._terms = probe.terms if terms is None else terms
        self._cursors: dict[str, Rows] = {}
        self._scores: LexicalScores | None = None

    def send(self, connection: Connection) -> None:
        key = {"project": self._probe.project.project_id, "terms": list(self._terms)}
        self._cursors["postings"] = connection.execute(_LEXICAL["postings"], key, binary=True)
        self._cursors["removed"] = connection.execute(_LEXICAL["removed"], key)

    @property
    def scores(self) -> LexicalScores:
        if self._scores is None:
            self._scores = score(
                self._terms,
                [Posting(*row) for row in self._cursors["postings"]],
                removed=[range(*row) for row in self._cursors["removed"]],
                chunk_count=self._probe.project.chunk_count,
                bm25=self._probe.recipe.bm25,
            )
        return self._scores

    def propose(self) -> list[int]:
        return self.scores.top(self._probe.recipe.candidates)

    def column(self, table: Table) -> Column:
        return self.scores.coverage(table.chunk_ids)


class Expansion(Lexical):
    """BM25 of broader terms. Asked only when the other strategies found too little."""

    name: ClassVar[str] = "expansion"

    def __init__(self, probe: Probe) -> None:
        super().__init__(probe, probe.expanded_terms)


class Metadata:
    """Documents named by the question: by identifier, or by the words of their title, file name or folder."""

    name: ClassVar[str] = "metadata"

    def __init__(self, probe: Probe, lexical: Lexical) -> None:
        self._probe = probe
        self._lexical = lexical
        self._cursors: dict[str, Rows] = {}
        self._documents: dict[str, float] = {}

    def send(self, connection: Connection) -> None:
        key = {"project": self._probe.project.project_id}
        named = {**key, "bases": self._probe.bases, "limit": NAMED_DOCUMENTS}
        titled = {**key, "terms": list(self._probe.terms), "limit": TITLED_DOCUMENTS}
        self._cursors["named"] = connection.execute(_METADATA["named"], named)
        self._cursors["titled"] = connection.execute(_METADATA["titled"], titled)
        self._cursors["frequency"] = connection.execute(_METADATA["document_frequency"], titled)

    def propose(self) -> list[int]:
        ranges = self._named()
        ids = self._lexical.scores.top(self._probe.recipe.candidates, within=ranges) if ranges else []
        for best in self._titled()[:TITLED_PROPOSED]:
            ids += self._lexical.scores.top(TITLED_PROPOSED, within=[best]) or [best.start]
        return list(dict.fromkeys(ids))

    def column(self, table: Table) -> Column:
        return np.array([self._documents.get(chunk.document_id, 0.0) for chunk in table.chunks], np.float32)

    def _named(self) -> list[range]:
        ranges: dict[str, range] = {}
        rows = self._cursors["named"].fetchall()
        present = {identifier for _, identifier, *_ in rows}
        asked = [with_known_edition(identifier, present) for identifier in self._probe.plan.identifiers]
        for document_id, identifier, own, first, count in rows:
            if any(same_identifier(each, identifier) for each in asked):
                self._lift(document_id, OWN_IDENTIFIER if own else MENTIONED_IDENTIFIER)
                ranges[document_id] = range(first, first + count)
        return list(ranges.values())

    def _titled(self) -> list[range]:
        frequency: dict[str, int] = dict(self._cursors["frequency"].fetchall())
        weight = defaultdict(lambda: 1.0, {t: float(1 / (1 + np.log(n))) for t, n in frequency.items()})
        total = sum(weight[term] for term in self._probe.terms) or 1.0
        found: list[tuple[float, range]] = []
        for document_id, terms, first, count in self._cursors["titled"]:
            share = sum(weight[term] for term in terms) / total
            self._lift(document_id, share * share)
            if share >= TITLE_SHARE:
                found.append((share, range(first, first + count)))
        return [r for _, r in sorted(found, key=lambda pair: (-pair[0], pair[1].start))]

    def _lift(self, document_id: str, value: float) -> None:
        self._documents[document_id] = max(value, self._documents.get(document_id, 0.0))


class Article:
    """Chunks under an article the question names, of the norm it names if any: «el artículo 218 de la ley 27444»."""

    name: ClassVar[str] = "article"

    def __init__(self, probe: Probe, metadata: Metadata) -> None:
        self._probe = probe
        self._metadata = metadata
        self._asked = set(article_references(probe.plan.standalone_question))
        self._cursor: Rows | None = None

    def send(self, connection: Connection) -> None:
        if self._asked and self._probe.bases:
            numbers = "|".join(sorted(map(re.escape, self._asked)))
            pattern = rf"art(ículo|iculo|\.)\s*(n\S*\s*)?({numbers})\M"
            self._cursor = connection.execute(
                _ARTICLE["articles"], {**self._probe.key, "bases": self._probe.bases, "pattern": pattern}
            )

    def propose(self) -> list[int]:
        return [row[0] for row in self._cursor or ()]

    def column(self, table: Table) -> Column:
        here = [bool(self._asked.intersection(article_references(chunk.section))) for chunk in table.chunks]
        if not self._probe.bases:
            return np.array(here, np.float32)
        named = self._metadata.column(
            table
        )  # only the best named: an article of that number in a mere mention is another
        best = (named > 0) & (named >= named.max(initial=0))
        return np.array(best & np.array(here, bool), np.float32)


class CitationCue:
    """Author and year standing together in a chunk. Scores what others proposed; proposes nothing itself."""

    name: ClassVar[str] = "citation"
    GAP = 60  # characters between the author and the year, at most: «Arias, J., Pérez, M. y Soto, L. (2020)»

    def __init__(self, plan: QueryPlan) -> None:
        years = "|".join(str(year) for year in plan.years)
        authors = [re.escape(fold(author)) for author in plan.authors]
        self._pattern = [re.compile(rf"\b{a}\b.{{0,{self.GAP}}}?\b(?:{years})", re.DOTALL) for a in authors if years]

    def column(self, table: Table) -> Column:
        if not self._pattern:
            return np.zeros(len(table.chunks), np.float32)
        texts = [fold(chunk.text) for chunk in table.chunks]
        shares = [sum(bool(p.search(text)) for p in self._pattern) / len(self._pattern) for text in texts]
        return np.array(shares, np.float32)
