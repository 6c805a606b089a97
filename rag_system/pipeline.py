"""The life of a question, top to bottom: `RAGPipeline` reads a question and yields the events of its answer.

Each step is a call into the room that bears its name; nothing reaches back into an earlier step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from psycopg import Connection

from rag_system.embeddings.ahead import QueryVectors
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import LegajoError, StorageError
from rag_system.generation import replies
from rag_system.generation.abstention import abstain
from rag_system.generation.answerability import NormsElsewhere, named_gap, norms_not_searched, norms_only_mentioned
from rag_system.generation.answering import fail, say, write
from rag_system.generation.citation_label import nearest_label
from rag_system.generation.confidence import Doubt, doubted, read_doubt
from rag_system.generation.context import build_context
from rag_system.generation.prompt import SOURCES_SHARE
from rag_system.generation.protocol import Answerer
from rag_system.generation.query_variants import ask_query_variants
from rag_system.generation.remembered import as_sources, telling
from rag_system.generation.rewriting import rewrite
from rag_system.interpretation import Interpretation, begun, last_cited
from rag_system.outcome import collect
from rag_system.query.headings import asks_for_section
from rag_system.query.plan import analyze
from rag_system.query.rereading import dense_queries, spelled, with_rewrite
from rag_system.query.several import several_questions
from rag_system.query.spelling import suspects
from rag_system.query.text import query_terms
from rag_system.scope import Scope, confined, not_searched, offering_all, searched_part
from rag_system.search.collection import Collection, read_collection
from rag_system.search.recipes import get_recipe
from rag_system.search.request import SearchRequest
from rag_system.search.reranking import Reranker, rerank
from rag_system.search.scope import read_search_scope, with_concepts
from rag_system.search.searching import choose, find
from rag_system.search.strategies.heading import sections_of
from rag_system.search.strategies.lexical import broader_terms
from rag_system.search.table import Ranking
from rag_system.search.yielding import LITTLE_MEMORY, lightened
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.facts import add_fact
from rag_system.storage.projects import ProjectRow, filled_projects, get_project
from rag_system.storage.replicas import on_replica
from rag_system.storage.vocabulary import ProjectVocabulary
from rag_system.tasks.doing import Tasks
from rag_system.telemetry.events import tell
from rag_system.timing import Stopwatch
from rag_system.types import (
    AnswerRequest,
    Event,
    Evidence,
    Message,
    Planned,
    QueryPlan,
    Retrieved,
    Route,
    SearchResult,
)

__all__ = ["RAGPipeline", "Scope"]

NO_DOCUMENTS = "Todavía no hay documentos. Agregue los suyos y vuelva a preguntar."
Called = Callable[[], Answerer]  # when it is first needed


class RAGPipeline:
    """Answers questions about the documents of a project, or of all that who asks may read. Safe to share between
    threads.

    `embeddings`, `answerer` and `reranker` are called when they are needed, `answerer` at most once a question.
    """

    def __init__(
        self,
        *,
        database: Database,
        settings: Settings,
        embeddings: Callable[[], EmbeddingModel],
        answerer: Callable[[Settings, ProviderName | None], Answerer],
        reranker: Callable[[], Reranker | None] = lambda: None,
        project: str,
    ) -> None:
        self._database = database
        self._project_id = project
        self._settings = settings
        self._embeddings = embeddings
        self._answerer = answerer
        self._reranker = reranker
        self._tasks = Tasks(
            database=database, project=project, project_of=self._project, answerer=answerer, vector_of=self._vector_of
        )

    # ------------------------------------------------------------ the whole way

    def stream(
        self,
        question: str,
        history: Sequence[Message] = (),
        *,
        scope: Scope = Scope(),
        watch: Stopwatch | None = None,
    ) -> Iterator[Event]:
        """Answer piece by piece: `Planned`, `Retrieved` (when something was searched), `Token`…, `Finished`.

        A second `Planned` follows when the documents' words or a model changed how the question is read. `watch`
        measures the phases.
        """
        watch = watch or Stopwatch()
        plan = confined(self.plan(question, history), scope)
        yield Planned(plan)
        match plan.route:
            case Route.TRIVIAL:
                yield from say(replies.courtesy(plan, self._name()), plan, watch)
            case Route.REMEMBER:
                yield from self._remember(plan, watch)
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
        watch, (project, settings) = Stopwatch(), self._project()
        answerer = cache(partial(self._answerer, settings, scope.provider))  # most searches ask for nobody
        read = self.interpret(plan, project, settings, answerer, self._recent(history), scope, watch)
        found = self.retrieve(read, watch)
        tell("search", outcome="found" if found.candidates else "nothing", watch=watch, project=self._project_id)
        return read.plan, found

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

    def interpret(
        self,
        plan: QueryPlan,
        project: ProjectRow,
        settings: Settings,
        answerer: Called,
        history: Sequence[Message],
        scope: Scope,
        watch: Stopwatch,
    ) -> Interpretation:
        """The plan in the light of a model's words and of the documents', and its vectors under way."""
        searched, plan = self._searched(plan, project, scope)
        recipe = get_recipe(scope.recipe or settings.recipe).limited(project.top_k, settings.similarity_floor)
        recipe, yielded = lightened(recipe, self._settings)
        with watch.phase("reformulation"):
            if plan.reformulated:  # a follow-up, in a model's words where one answers and speaks of the same
                model = answerer().side_model
                words = rewrite(model, plan.question, history) if model else None
                plan = with_rewrite(plan, words or "", [turn.content for turn in history])
            vectors = begun(plan, searched, recipe, self._embeddings)
            plan = self._spelled(plan, searched)
        several = () if plan.reformulated else several_questions(plan.standalone_question)
        if vectors and not plan.citation and "angles" not in yielded:
            own = tuple(whole for _, whole in several)
            plan = replace(plan, angles=own + self._angles(plan, answerer, watch))
        if yielded and vectors:
            plan = replace(plan, notices=(*plan.notices, LITTLE_MEMORY))
        return Interpretation(
            plan=plan,
            project=project,
            settings=settings,
            searched=searched,
            scope=scope,
            recipe=recipe,
            vectors=vectors,
            several=several,
            yielded=yielded,
            cited=() if scope.all_projects else last_cited(history),
        )

    def retrieve(self, read: Interpretation, watch: Stopwatch) -> SearchResult:
        """Search with a recipe, and read the best again where it says so.

        The words are looked up while the question's vector is under way; only what is left of it is waited for.
        """
        if read.vectors is None:
            return SearchResult()
        reranker = self._reranker() if read.recipe.rerank else None
        with watch.phase("embedding"):  # without a connection: a server may take seconds
            read.vectors.wait(*dense_queries(read.plan, by_identifier=read.recipe.by_identifier), *read.plan.angles)
        vectors, projects = read.vectors, read.searched.projects

        def found(connection: Connection) -> tuple[Ranking, SearchResult | None]:
            ranking = find(connection, self._request(connection, read, vectors, watch))
            return ranking, None if reranker else _chosen(connection, ranking)

        with watch.phase("retrieval"):
            ranking, chosen = on_replica(self._database, projects, found)
        if reranker is None or chosen is not None:
            return chosen or SearchResult()
        with watch.phase("reranking"):  # takes long: without a connection
            ranking = rerank(ranking, reranker)
        with watch.phase("retrieval"):
            return on_replica(self._database, projects, partial(_chosen, ranking=ranking))

    def _request(
        self, connection: Connection, read: Interpretation, vectors: QueryVectors, watch: Stopwatch
    ) -> SearchRequest:
        plan, scope, recipe = read.plan, read.scope, read.recipe
        searched = read.searched
        if scope.all_projects:  # anew: what was published since has chunks of its own
            anew, _ = read_collection(connection, self._project_id, self._embeddings().manifest)
            searched = anew.among(searched.names)  # a replica may not know yet who is no longer let in
        asked, *others = dense_queries(plan, by_identifier=recipe.by_identifier)

        def embedded() -> list[float]:
            with watch.phase("embedding"):
                return vectors.of(asked)

        return SearchRequest(
            collection=searched,
            plan=plan,
            dense_query=asked,
            embedded=embedded,
            original_vector=next(map(vectors.of, others), None),
            terms=query_terms(plan.standalone_question),
            broader_terms=cache(partial(broader_terms, plan.standalone_question, connection, searched.names)),
            angle_vectors=[vectors.of(angle) for angle in plan.angles],
            cited=read.cited,
            recipe=recipe,
            yielded=read.yielded,
            top_k=read.top_k,
            within=read_search_scope(
                connection,
                read.project,
                concept=scope.concept,
                documents=scope.documents,
                identifiers=plan.identifiers,
            ),
        )

    def _searched(self, plan: QueryPlan, project: ProjectRow, scope: Scope) -> tuple[Collection, QueryPlan]:
        """What is searched, and the plan, which tells the person what is not."""
        if not scope.all_projects:
            return Collection(projects=[project]), plan
        manifest = self._embeddings().manifest
        read = partial(read_collection, project=self._project_id, manifest=manifest)
        searched, left_out = self._database.again(read)
        return searched, replace(plan, notices=(*plan.notices, *not_searched(left_out)))

    def _vector_of(self, project: ProjectRow, words: str) -> list[float] | None:
        """What words mean, where the vectors of the project's passages are of the same model."""
        model = self._embeddings()
        return model.embed_query(words) if project.embedding_model == model.manifest.model_id else None

    def _project(self) -> tuple[ProjectRow, Settings]:
        """The project as it is now, and the settings with its word where it has one."""
        row = self._database.again(partial(get_project, project=self._project_id))
        return row, row.settings(self._settings)

    def _name(self) -> str:
        try:
            return self._project()[1].assistant_name
        except StorageError:  # a greeting needs no database
            return self._settings.assistant_name

    def _remember(self, plan: QueryPlan, watch: Stopwatch) -> Iterator[Event]:
        """Keep what a person asked to be kept, and say by which mark it is cited."""
        try:
            fact = self._database.run(add_fact, self._project_id, plan.fact)
        except LegajoError as error:  # who only reads, or too much
            yield from fail(error, plan, watch, hides_model=False)
        else:
            yield from say(replies.remembered(fact), plan, watch, sources=as_sources([fact]))

    def _spelled(self, plan: QueryPlan, searched: Collection) -> QueryPlan:
        """Without a look at the documents' words where all are common ones, as in most questions."""

        def put_right(connection: Connection) -> QueryPlan:
            return spelled(plan, ProjectVocabulary(connection, searched.names))

        return on_replica(self._database, searched.projects, put_right) if suspects(plan.standalone_question) else plan

    def _angles(self, plan: QueryPlan, answerer: Called, watch: Stopwatch) -> tuple[str, ...]:
        """Those that a model adds, where wanted."""
        most = self._settings.query_angles
        if not most or (model := answerer().side_model) is None:
            return ()
        with watch.phase("angles"):
            return ask_query_variants(model, plan.standalone_question, most=most)

    def _recent(self, history: Sequence[Message]) -> Sequence[Message]:
        return history[max(len(history) - self._settings.history_messages, 0) :]

    def _inventory(self, plan: QueryPlan, scope: Scope) -> str:
        with self._database.connection() as connection:
            rows = filled_projects(connection, self._project_id) if scope.all_projects else []
            names = [row.project_id for row in rows] or [self._project_id]
            documents = [row for name in names for row in list_documents(connection, name)]
        return replies.inventory(documents, plan, chosen=scope.documents)

    def _answer(self, plan: QueryPlan, history: Sequence[Message], scope: Scope, watch: Stopwatch) -> Iterator[Event]:
        settings = self._settings
        try:
            project, settings = self._project()
            answerer = self._answerer(settings, scope.provider)
            read = self.interpret(plan, project, settings, lambda: answerer, history, scope, watch)
            if read.plan != plan:
                yield Planned(read.plan)
            facts = self._facts(read, answerer)
            if read.vectors is None and not facts:
                yield from say(NO_DOCUMENTS, read.plan, watch, abstained=True)
                return
            found = self.retrieve(read, watch)
        except LegajoError as error:  # a failure in retrieval never blocks the conversation
            yield from fail(error, plan, watch, hides_model=settings.hide_model)
            return
        with watch.phase("context"):
            s, tokens = self._settings, self._settings.prompt_tokens * SOURCES_SHARE
            evidence = build_context(found.candidates, max_chars=s.context_chars, max_tokens=tokens)
        yield Retrieved(found, (*evidence, *facts))
        yield from offering_all(self._written(read, found, evidence, facts, history, answerer, watch), scope)

    def _facts(self, read: Interpretation, answerer: Answerer) -> tuple[Evidence, ...]:
        """What was asked to be remembered: all for a model, and for who quotes what may answer."""
        facts = as_sources(read.project.facts)
        quotes = answerer.provider == "extractive"
        return tuple(telling(read.plan.standalone_question, facts)) if quotes else facts

    def _written(
        self,
        read: Interpretation,
        found: SearchResult,
        evidence: tuple[Evidence, ...],
        facts: tuple[Evidence, ...],
        history: Sequence[Message],
        answerer: Answerer,
        watch: Stopwatch,
    ) -> Iterator[Event]:
        """The answer, unless what the question names is nowhere; what else seems to be missing is the answerer's."""
        plan, s = read.plan, read.settings
        with watch.phase("answerability"):
            elsewhere = NormsElsewhere(norms=found.elsewhere, searched=searched_part(read.scope))
            gap = named_gap(plan, (*evidence, *facts), elsewhere)
            sections, doubt = sections_of(found, evidence), Doubt()
            if evidence and not (gap or sections):
                doubt = read_doubt(plan, found, evidence, words_tell=read.searched.is_in_common_language)
            quoted = () if doubt.off_topic and not answerer.model else evidence
        if gap or not (quoted or facts):
            words = found.funnel.reading.words if found.funnel.reading else ()
            yield from say(abstain(gap or nearest_label(evidence), searched=words), plan, watch, abstained=True)
            return
        request = AnswerRequest(
            plan=plan,
            evidence=quoted,
            history=tuple(history),
            instructions=read.project.instructions,
            facts=facts,
            assistant_name=s.assistant_name,
            hides_model=s.hide_model,
            similarities=None if answerer.model else read.similarities(self._embeddings),
            is_doubtful=doubt.off_topic or doubt.nearest,
            sections=sections if asks_for_section(plan.standalone_question) else frozenset(),
            language=s.answer_language or "",
        )
        if not answerer.model:
            each = (doubted(part, found) for part in read.each_question(request, self._embeddings))
            request = replace(request, several=tuple(each))
        others = norms_only_mentioned(plan, evidence, unfound=found.absent, elsewhere=elsewhere)
        yield from write(request, answerer, watch, others=others, unanswered=norms_not_searched(plan, elsewhere))


def _chosen(connection: Connection, ranking: Ranking) -> SearchResult:
    """The passages that answer, with their concepts where their project has a tree."""
    return with_concepts(connection, ranking.request.collection.projects, choose(connection, ranking))
