"""The life of a question, top to bottom: `RAGPipeline` reads a question and yields the events of its answer.

Each step is a call into the room that bears its name; nothing reaches back into an earlier step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from psycopg import Connection

from rag_system.embeddings.ahead import QueryVectors
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import LegajoError, StorageError
from rag_system.generation import replies
from rag_system.generation.abstention import abstain
from rag_system.generation.answerability import (
    NormsElsewhere,
    named_gap,
    norms_not_searched,
    norms_only_mentioned,
)
from rag_system.generation.answering import fail, say, write
from rag_system.generation.citation_label import nearest_label
from rag_system.generation.confidence import Doubt, doubt_of
from rag_system.generation.context import build_context
from rag_system.generation.prompt import SOURCES_SHARE
from rag_system.generation.protocol import Answerer
from rag_system.outcome import collect
from rag_system.query.expansion import expand
from rag_system.query.headings import asks_for_section
from rag_system.query.plan import analyze
from rag_system.query.rereading import dense_queries, spelled, with_rewrite
from rag_system.query.text import query_terms, tokens
from rag_system.scope import Scope, confined, offering_all, searched_part
from rag_system.search.near_words import common_words, nearest, passage_texts
from rag_system.search.recipes import Recipe, get_recipe
from rag_system.search.request import SearchRequest
from rag_system.search.reranking import Reranker, rerank
from rag_system.search.scope import read_search_scope, with_concepts
from rag_system.search.searching import choose, find
from rag_system.search.strategies import Heading
from rag_system.search.table import Ranking
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.projects import COMMON_LANGUAGE, ProjectRow, check_model, get_project
from rag_system.storage.vocabulary import ProjectVocabulary, project_acronyms
from rag_system.tasks.doing import Tasks
from rag_system.timing import Stopwatch
from rag_system.types import (
    AnswerRequest,
    Event,
    Evidence,
    Funnel,
    Message,
    NearWord,
    Planned,
    QueryPlan,
    Retrieved,
    Route,
    SearchResult,
)

__all__ = ["Interpretation", "RAGPipeline", "Scope"]

NO_DOCUMENTS = "Todavía no hay documentos. Agregue los suyos y vuelva a preguntar."
ANGLES_TOP_K = 12  # passages at least where several angles were searched: each may bring its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """All that is decided about a question before its search."""

    plan: QueryPlan
    project: ProjectRow
    scope: Scope
    recipe: Recipe
    vectors: QueryVectors | None  # on their way; None where there is nothing to search


class RAGPipeline:
    """Answers questions about the documents of a project. Safe to share between threads.

    `embeddings`, `answerer` and `reranker` are called when they are first needed: courtesy and lists load no model.
    """

    def __init__(
        self,
        *,
        database: Database,
        settings: Settings,
        embeddings: Callable[[], EmbeddingModel],
        answerer: Callable[[ProviderName | None], Answerer],
        reranker: Callable[[], Reranker | None] = lambda: None,
        project: str,
    ) -> None:
        self._database = database
        self._project_id = project
        self._settings = settings
        self._embeddings = embeddings
        self._answerer = answerer
        self._reranker = reranker
        self._tasks = Tasks(database=database, project=project, settings=settings, row=self._project, answerer=answerer)

    # ------------------------------------------------------------ the whole way

    def stream(self, question: str, history: Sequence[Message] = (), *, scope: Scope = Scope()) -> Iterator[Event]:
        """Answer piece by piece: `Planned`, `Retrieved` (when something was searched), `Token`…, `Finished`.

        A second `Planned` follows when the documents' words or a model changed how the question is read.
        """
        watch = Stopwatch()
        plan = confined(self.plan(question, history), scope)
        yield Planned(plan)
        match plan.route:
            case Route.TRIVIAL:
                yield from say(replies.courtesy(plan, self._name()), plan, watch)
            case Route.INVENTORY:
                yield from say(self._inventory(plan, scope), plan, watch)
            case Route.TASK:
                search = partial(self._answer, history=self._recent(history), scope=scope, watch=watch)
                yield from self._tasks.do(plan, history, scope, watch, otherwise=search)
            case Route.RETRIEVE:
                yield from self._answer(plan, self._recent(history), scope, watch)

    def query(self, question: str, history: Sequence[Message] = (), *, scope: Scope = Scope()) -> dict[str, Any]:
        """Answer at once. The keys are those of the system this one re-creates."""
        return collect(self.stream(question, history, scope=scope)).as_dict()

    def search(
        self, question: str, history: Sequence[Message] = (), *, scope: Scope = Scope()
    ) -> tuple[QueryPlan, SearchResult]:
        """Only understand and retrieve: the passages about a question or a task; courtesy and lists have none."""
        plan = self.plan(question, history)
        if plan.route not in (Route.RETRIEVE, Route.TASK):
            return plan, SearchResult()
        watch = Stopwatch()
        read = self.interpret(plan, self._recent(history), scope, watch)
        return read.plan, self.retrieve(read, watch)

    def near_words(self, funnel: Funnel) -> tuple[NearWord, ...]:
        """The words of a search's best candidates that its question's vector lies nearest to: about 0.2 s.

        No part of an answer: for a person who asks how the question was read.
        """
        if funnel.reading is None:
            return ()
        ids = [*(each.chunk_id for each in funnel.survivors), *(each.chunk_id for each in funnel.examples)]
        with self._database.connection() as connection:
            words = common_words(passage_texts(connection, self._project_id, ids))
        return nearest(funnel.reading.dense_query, words, self._embeddings().embed_documents)

    # ------------------------------------------------------------ the steps

    def plan(self, question: str, history: Sequence[Message] = ()) -> QueryPlan:
        """Length gate, route, reformulation, citations, identifiers: how the question is read."""
        s = self._settings
        return analyze(
            question,
            history,
            min_chars=s.min_question_chars,
            max_chars=s.max_question_chars,
            history_messages=s.history_messages,
        )

    def interpret(self, plan: QueryPlan, history: Sequence[Message], scope: Scope, watch: Stopwatch) -> Interpretation:
        """The plan in the light of a model's words and of the documents', and its vectors under way."""
        project = self._project()
        recipe = get_recipe(scope.recipe or project.recipe or self._settings.recipe)
        with watch.phase("reformulation"):
            plan = self._rewritten(plan, history, scope)
            vectors = self._begun(plan, project, recipe)
            plan = self._spelled(plan)
        plan = self._angled(plan, project, scope, watch)
        return Interpretation(plan=plan, project=project, scope=scope, recipe=recipe, vectors=vectors)

    def retrieve(self, read: Interpretation, watch: Stopwatch) -> SearchResult:
        """Search the project with a recipe, and read the best again where it says so.

        The words are looked up while the question's vector is under way; only what is left of it is waited for.
        """
        if read.vectors is None:
            return SearchResult()
        reranker = self._reranker() if read.recipe.rerank else None
        with watch.phase("embedding"):
            self._wait_for_vectors(read, read.vectors)
        with watch.phase("retrieval"), self._database.snapshot() as connection:
            ranking = find(connection, self._request(connection, read, read.vectors, watch))
            if reranker is None:
                return _chosen(connection, ranking)
        with watch.phase("reranking"):  # takes long: without a connection
            ranking = rerank(ranking, reranker)
        with watch.phase("retrieval"), self._database.snapshot() as connection:
            return _chosen(connection, ranking)

    def _wait_for_vectors(self, read: Interpretation, vectors: QueryVectors) -> None:
        """Compute what is searched besides the question's own vector, and that too where a server computes it.

        No connection is held meanwhile: a server may take seconds.
        """
        asked, *others = dense_queries(read.plan, by_identifier=read.recipe.by_identifier)
        vectors.begin(asked)
        for text in (*others, *read.plan.angles):
            vectors.of(text)
        if self._embeddings().manifest.is_remote:
            vectors.of(asked)

    def _request(
        self, connection: Connection, read: Interpretation, vectors: QueryVectors, watch: Stopwatch
    ) -> SearchRequest:
        plan, scope, recipe = read.plan, read.scope, read.recipe
        asked, *others = dense_queries(plan, by_identifier=recipe.by_identifier)

        def embedded() -> list[float]:
            with watch.phase("embedding"):
                return vectors.of(asked)

        return SearchRequest(
            project=read.project,
            plan=plan,
            dense_query=asked,
            embedded=embedded,
            original_vector=next(map(vectors.of, others), None),
            terms=query_terms(plan.standalone_question),
            broader_terms=cache(partial(_broader, plan.standalone_question, connection, self._project_id)),
            angle_vectors=[vectors.of(angle) for angle in plan.angles],
            recipe=recipe,
            top_k=scope.top_k or recipe.top_k or self._default_top_k(plan),
            within=read_search_scope(
                connection,
                read.project,
                concept=scope.concept,
                documents=scope.documents,
                identifiers=plan.identifiers,
            ),
        )

    def _begun(self, plan: QueryPlan, project: ProjectRow, recipe: Recipe) -> QueryVectors | None:
        """The question's vector on its way, in case that its words are right; None where there is nothing to search."""
        if not project.chunk_count:
            return None
        model = self._embeddings()
        check_model(project, model.manifest)
        vectors = QueryVectors(model)
        vectors.begin(dense_queries(plan, by_identifier=recipe.by_identifier)[0])
        return vectors

    def _project(self) -> ProjectRow:
        """The project's row, with the settings' word on who answers where it has none of its own."""
        with self._database.connection() as connection:
            row = get_project(connection, self._project_id)
        name = row.assistant_name or self._settings.assistant_name
        hides = self._settings.hide_model if row.hide_model is None else row.hide_model
        return replace(row, assistant_name=name, hide_model=hides)

    def _name(self) -> str:
        try:
            return self._project().assistant_name
        except StorageError:  # a greeting needs no database
            return self._settings.assistant_name

    def _rewritten(self, plan: QueryPlan, history: Sequence[Message], scope: Scope) -> QueryPlan:
        """A follow-up in a model's words, where one answers and speaks of the same."""
        if not plan.reformulated:
            return plan
        rewrite = self._answerer(scope.provider).rewrite(plan.question, history)
        return with_rewrite(plan, rewrite or "", [turn.content for turn in history])

    def _spelled(self, plan: QueryPlan) -> QueryPlan:
        with self._database.connection() as connection:
            return spelled(plan, ProjectVocabulary(connection, self._project_id))

    def _angled(self, plan: QueryPlan, project: ProjectRow, scope: Scope, watch: Stopwatch) -> QueryPlan:
        """The plan with further angles to search, where they are wanted and a model answers in time."""
        most = self._settings.query_angles if project.chunk_count and not plan.citation else 0
        if not most:
            return plan
        with watch.phase("angles"):
            return replace(plan, angles=self._answerer(scope.provider).angles(plan.standalone_question, most=most))

    def _default_top_k(self, plan: QueryPlan) -> int:
        if plan.citation:
            return self._settings.citation_top_k
        return max(self._settings.top_k, ANGLES_TOP_K) if plan.angles else self._settings.top_k

    def _recent(self, history: Sequence[Message]) -> Sequence[Message]:
        return history[max(len(history) - self._settings.history_messages, 0) :]

    def _inventory(self, plan: QueryPlan, scope: Scope) -> str:
        with self._database.connection() as connection:
            return replies.inventory(list_documents(connection, self._project_id), plan, chosen=scope.documents)

    def _answer(self, plan: QueryPlan, history: Sequence[Message], scope: Scope, watch: Stopwatch) -> Iterator[Event]:
        hides_model = self._settings.hide_model
        try:
            hides_model = bool(self._project().hide_model)
            answerer = self._answerer(scope.provider)
            read = self.interpret(plan, history, scope, watch)
            if read.plan != plan:
                yield Planned(read.plan)
            if read.vectors is None:
                yield from say(NO_DOCUMENTS, read.plan, watch, abstained=True)
                return
            found = self.retrieve(read, watch)
        except LegajoError as error:  # a failure in retrieval never blocks the conversation
            yield from fail(error, plan, watch, hides_model=hides_model)
            return
        with watch.phase("context"):
            evidence = self._context(found)
        yield Retrieved(found, evidence)
        yield from offering_all(self._written(read, found, evidence, history, answerer, watch), scope)

    def _context(self, found: SearchResult) -> tuple[Evidence, ...]:
        s = self._settings
        tokens = s.prompt_tokens * SOURCES_SHARE
        return build_context(found.candidates, max_chars=s.context_chars, max_tokens=tokens)

    def _written(
        self,
        read: Interpretation,
        found: SearchResult,
        evidence: tuple[Evidence, ...],
        history: Sequence[Message],
        answerer: Answerer,
        watch: Stopwatch,
    ) -> Iterator[Event]:
        """The answer, unless what the question names is nowhere; what else seems to be missing is the answerer's."""
        plan, project = read.plan, read.project
        with watch.phase("answerability"):
            elsewhere = NormsElsewhere(norms=found.elsewhere, searched=searched_part(read.scope))
            gap = named_gap(plan, evidence, elsewhere)
            sections = _sections(found, evidence)
            doubt = Doubt() if gap or sections else self._doubt(read, found, evidence)
        if gap or not evidence or (doubt.off_topic and not answerer.model):
            words = found.funnel.reading.words if found.funnel.reading else ()
            yield from say(abstain(gap or nearest_label(evidence), searched=words), plan, watch, abstained=True)
            return
        request = AnswerRequest(
            plan=plan,
            evidence=evidence,
            history=tuple(history),
            instructions=project.instructions,
            facts=tuple(project.facts),
            assistant_name=project.assistant_name,
            hides_model=bool(project.hide_model),
            similarities=None if answerer.model else self._similarities(read),
            is_doubtful=doubt.off_topic or doubt.nearest,
            sections=sections if asks_for_section(plan.standalone_question) else frozenset(),
        )
        others = norms_only_mentioned(plan, evidence, unfound=found.absent, elsewhere=elsewhere)
        yield from write(request, answerer, watch, others=others, unanswered=norms_not_searched(plan, elsewhere))

    def _similarities(self, read: Interpretation) -> Callable[[Sequence[str]], Sequence[float]] | None:
        """How near texts come to the question, where that takes no server: for whoever quotes sentences."""
        model, vectors = self._embeddings(), read.vectors
        if vectors is None or model.manifest.is_remote:
            return None
        question = dense_queries(read.plan, by_identifier=read.recipe.by_identifier)[0]

        def compare(texts: Sequence[str]) -> Sequence[float]:
            cosines = np.array(model.embed_documents(list(texts))) @ np.array(vectors.of(question))
            return [float(cosine) for cosine in cosines]

        return compare

    def _doubt(self, read: Interpretation, found: SearchResult, evidence: Sequence[Evidence]) -> Doubt:
        # The floor was measured in one language. Across two, what answers and what does not come equally near.
        one_language = read.project.main_language == COMMON_LANGUAGE
        floor = self._embeddings().manifest.similarity_floor if one_language else 0.0
        return doubt_of(read.plan, found, evidence, floor=floor)


def _chosen(connection: Connection, ranking: Ranking) -> SearchResult:
    """The passages that answer, with their concepts where the project has a tree."""
    project = ranking.request.project
    found = choose(connection, ranking)
    return with_concepts(connection, project.project_id, found) if project.has_concepts else found


def _sections(found: SearchResult, evidence: Sequence[Evidence]) -> frozenset[int]:
    """The numbers of the evidence under a heading that is what the question says."""
    named = {each.chunk.chunk_id: each.scores.get(Heading.name, 0.0) for each in found.candidates}
    most = max(named.values(), default=0.0)
    return frozenset(each.n for each in evidence if most and named.get(each.chunk.chunk_id) == most)


def _broader(question: str, connection: Connection, project: str) -> list[str]:
    """The terms of the broader words, without those that the question has itself."""
    acronyms = project_acronyms(connection, project, tokens(question))
    own = set(query_terms(question))
    return [term for term in query_terms(" ".join(expand(question, acronyms=acronyms))) if term not in own]
