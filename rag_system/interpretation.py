"""How a question was understood, and where and how its answer is looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_system.embeddings.ahead import QueryVectors
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.embeddings.recent import recent_vectors
from rag_system.query.rereading import dense_queries
from rag_system.scope import Scope
from rag_system.search.collection import Collection
from rag_system.search.recipes import Recipe
from rag_system.settings import Settings
from rag_system.storage.projects import ProjectRow, check_model
from rag_system.types import AnswerRequest, Message, QueryPlan

__all__ = ["Interpretation", "begun", "last_cited"]

ANGLES_TOP_K = 12  # passages at least where several angles are searched: each may bring its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """All that is decided about a question before its search."""

    plan: QueryPlan
    project: ProjectRow  # in which it is asked: its instructions hold
    settings: Settings  # with its word where it has one
    searched: Collection
    scope: Scope
    recipe: Recipe
    vectors: QueryVectors | None  # on their way; None where there is nothing to search
    several: Sequence[tuple[str, str]]  # the questions of a message that asks more than one: `query.several`
    yielded: tuple[str, ...]  # steps left out for want of memory
    cited: tuple[int, ...] = ()  # chunks that the last answer cites, where one project is searched: `Message.sources`

    @property
    def top_k(self) -> int:
        """How many passages are wanted."""
        usual = self.settings.citation_top_k if self.plan.citation else self.settings.top_k
        least = ANGLES_TOP_K if self.plan.angles else 1
        return self.scope.top_k or self.recipe.top_k or max(usual, least)

    def similarities(
        self, embeddings: Callable[[], EmbeddingModel]
    ) -> Callable[[Sequence[str]], Sequence[float]] | None:
        """How near texts come to the question, where that takes no server: for whoever quotes sentences.

        A follow-up is compared as it was typed too: what the conversation lends it is what was answered before.
        """
        vectors = self.vectors
        if vectors is None or (model := embeddings()).manifest.is_remote:
            return None
        asked = dense_queries(self.plan, by_identifier=self.recipe.by_identifier)

        def compare(texts: Sequence[str]) -> Sequence[float]:
            question = np.mean([vectors.of(each) for each in asked], axis=0)
            cosines: list[float] = (recent_vectors(model).of(texts) @ (question / np.linalg.norm(question))).tolist()
            return cosines

        return compare

    def each_question(
        self, request: AnswerRequest, embeddings: Callable[[], EmbeddingModel]
    ) -> Iterator[AnswerRequest]:
        """The questions of a message that asks more than one, each as a request of its own; nothing of one.

        Sentences are compared with what it asks alone: what the others lend it is what they were answered with.
        """
        for asked, whole in self.several:
            alone = replace(self, plan=replace(request.plan, standalone_question=asked))
            plan = replace(request.plan, question=asked, standalone_question=whole, reformulated=asked != whole)
            yield replace(request, plan=plan, similarities=alone.similarities(embeddings))


def begun(
    plan: QueryPlan, searched: Collection, recipe: Recipe, embeddings: Callable[[], EmbeddingModel]
) -> QueryVectors | None:
    """The question's vector on its way, in case that its words are right; None where there is nothing to search."""
    if not searched.chunk_count:
        return None
    model = embeddings()
    for project in searched.projects:
        check_model(project, model.manifest)
    vectors = QueryVectors(model)
    vectors.begin(dense_queries(plan, by_identifier=recipe.by_identifier)[0])
    return vectors


def last_cited(history: Sequence[Message]) -> tuple[int, ...]:
    """The chunks that the last answer of a conversation cites; none where it is not known."""
    answer = next((turn for turn in reversed(history) if turn.role == "assistant"), None)
    return tuple(dict.fromkeys(chunk_id for _, chunk_id in answer.sources)) if answer else ()
