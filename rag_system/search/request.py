"""What is searched for: a question as it was understood, where to look, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import LiteralString

from rag_system.query.definitions import things_asked
from rag_system.query.headings import may_name_section
from rag_system.query.identifiers import bases
from rag_system.search.collection import Collection, Part
from rag_system.search.recipes import Recipe
from rag_system.search.scope import SearchScope
from rag_system.storage.sql import queries
from rag_system.types import QueryPlan

__all__ = ["SearchRequest"]

_SCOPE = queries("rag_system.search", "scope.sql")


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """A question, ready to be searched. What several steps ask of it is read once."""

    collection: Collection  # where
    plan: QueryPlan
    dense_query: str = ""  # the standalone question without what only names a document
    embedded: Callable[[], list[float]]  # the vector of `dense_query`, waited for when it is first needed
    original_vector: list[float] | None = None  # of the question as asked, when that differs: proposes candidates too
    terms: Sequence[str]  # analysed, without stopwords
    broader_terms: Callable[[], Sequence[str]] = tuple  # looked up only when the question's own find too little
    angle_vectors: Sequence[list[float]] = ()  # of further angles: they propose candidates and lift them a little
    cited: Sequence[int] = ()  # chunks that the last answer of the conversation cites
    recipe: Recipe
    top_k: int
    yielded: Sequence[str] = ()  # steps that the recipe has and the memory does not allow
    within: SearchScope | None = None  # nothing else is proposed; of one project alone

    @property
    def vector(self) -> list[float]:
        """Of `dense_query`: ranks every candidate."""
        return self.embedded()

    def key(self, part: Part) -> dict[str, object]:
        key: dict[str, object] = {"project": part.name, "limit": self.recipe.candidates}
        if self.within is None:
            return key
        return {**key, "concepts": list(self.within.concept_ids), "within": list(self.within.document_ids)}

    def confined(self, query: LiteralString) -> LiteralString:
        """A query with a mark among its conditions, confined to the chunks of the scope where there is one."""
        if self.within is None:
            return query
        about = _SCOPE["about"] if self.within.concept_ids else ""
        within = _SCOPE["within"] if self.within.documents else ""
        return query.replace("/* about */", f"\n{about}\n{within}\n")

    def may_answer(self, chunk_id: int) -> bool:
        """Whether the chunk is one of the scope; all are where there is none."""
        return self.within is None or self.within.has(chunk_id)

    @cached_property
    def identifiers(self) -> tuple[str, ...]:
        """Those of the question that choose its documents: none where the recipe does not look at them."""
        return self.plan.identifiers if self.recipe.by_identifier else ()

    @cached_property
    def by_heading(self) -> bool:
        """Whether the question may be the name of a section."""
        return self.recipe.uses("heading") and may_name_section(self.plan.standalone_question)

    @cached_property
    def things(self) -> tuple[frozenset[str], ...]:
        """The index terms of what the question asks to be told what it is, in one reading or two."""
        return things_asked(self.plan.standalone_question) if self.recipe.uses("definition") else ()

    @cached_property
    def bases(self) -> list[str]:
        """What the documents asked for may be called, without editions."""
        return [base for identifier in self.identifiers for base in bases(identifier)]

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """The norms asked for that only documents outside the scope are."""
        return tuple(self.within.elsewhere) if self.within else ()
