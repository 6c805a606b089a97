"""The life of a task: what it is done with is gathered; then it is written, by a model or in the documents' words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from rag_system.errors import LegajoError
from rag_system.generation.answering import fail
from rag_system.generation.citation_label import inert
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import without_provider
from rag_system.generation.sanitizing import disarm
from rag_system.query.tasks import OFFER
from rag_system.scope import Scope, confined
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import ProjectRow
from rag_system.tasks.by_hand import needs_model, write_by_hand
from rag_system.tasks.keeping import Keeping, Kept
from rag_system.tasks.listing import passages_of
from rag_system.tasks.material import Material, gather
from rag_system.tasks.quoting import Written
from rag_system.tasks.reading import Cost, Reading, as_translation, numbered, retrieved
from rag_system.tasks.resolving import described
from rag_system.timing import Stopwatch
from rag_system.types import (
    Answer,
    AnswerRequest,
    Assignment,
    Chunk,
    Event,
    Finished,
    Message,
    Planned,
    QueryPlan,
    Retrieved,
    Route,
    Task,
    Token,
)

__all__ = ["Tasks"]

NO_MODEL = "extractive"
TAKEN = "No encontré un documento que se llame «{}»: tomé «{}», del que son los pasajes más cercanos."
LONG = (
    "Para hacerlo con todo el texto hay que enviar al modelo de lenguaje unos {tokens} tokens, en {requests} consultas."
)


class Tasks:
    """Does the tasks of a project. Safe to share between threads.

    `project_of` gives its row and the settings with its word where it has one; `answerer` who writes; `vector_of` what
    words mean, if they can be compared with the passages of a project.
    """

    def __init__(
        self,
        *,
        database: Database,
        project: str,
        project_of: Callable[[], tuple[ProjectRow, Settings]],
        answerer: Callable[[Settings, ProviderName | None], Answerer],
        vector_of: Callable[[ProjectRow, str], Sequence[float] | None],
    ) -> None:
        self._database = database
        self._project = project
        self._project_of = project_of
        self._answerer = answerer
        self._vector_of = vector_of

    def do(
        self,
        plan: QueryPlan,
        history: Sequence[Message],
        scope: Scope,
        watch: Stopwatch,
        *,
        otherwise: Callable[[QueryPlan], Iterator[Event]],
    ) -> Iterator[Event]:
        """The events of a task's answer. Where its words mean no documents, they are a question: `otherwise`."""
        hides_model = True  # until it is known
        try:
            project, settings = self._project_of()
            hides_model = settings.hide_model
            answerer = self._answerer(settings, scope.provider)
            with watch.phase("reading"):
                material = self._gather(plan, history, scope, project)
                events = self._events(_Desk(material, plan, scope, watch, project, settings), answerer)
        except LegajoError as error:
            yield from fail(error, plan, watch, hides_model=hides_model)
            return
        if events is not None:
            yield from events
            return
        for event in _searched(material, plan, scope, answerer, otherwise):
            if isinstance(event, Retrieved) and (told := self._of_described(event, material, plan, scope, watch)):
                yield from told
                return
            yield event

    def _of_described(
        self, found: Retrieved, material: Material, plan: QueryPlan, scope: Scope, watch: Stopwatch
    ) -> Iterator[Event] | None:
        """A fact about the document of which what was found is, where none is called as it was named; None where it is
        of several, or does not say it.
        """
        task = plan.task
        if task is None or task.kind != "facts" or not material.unknown:
            return None
        path = described(material.unknown, [each.chunk for each in found.search.candidates])
        try:
            project, settings = self._project_of()
            of_it = replace(plan, task=replace(task, names=()))
            material = self._gather(of_it, (), replace(scope, documents=(path,)), project) if path else Material()
        except LegajoError:
            return None
        written = write_by_hand(material) if material.documents else None
        if written is None or written.abstained:
            return None
        taken = TAKEN.format(inert(task.names[0]), inert(material.documents[0].label))
        of_it = replace(of_it, notices=(*plan.notices, taken))
        told = _Desk(material, of_it, scope, watch, project, settings).told(written)
        return chain([Planned(of_it)], (_after(found, event) for event in told))

    def _gather(self, plan: QueryPlan, history: Sequence[Message], scope: Scope, project: ProjectRow) -> Material:
        if scope.concept or scope.all_projects:  # what is there is searched for, and no document as a whole
            return Material()
        material = self._database.again(
            lambda connection: gather(connection, self._project, plan, history, chosen=scope.documents), snapshot=True
        )
        task = material.task
        matter = self._vector_of(project, task.what) if task and task.kind == "compare" and task.what else None
        return material if matter is None else replace(material, matter=np.asarray(matter, np.float32))

    def _events(self, desk: _Desk, answerer: Answerer) -> Iterator[Event] | None:
        """None where the material says nothing to the task."""
        material, settings = desk.material, desk.settings
        if material.task is None:
            return None
        if answerer.provider != NO_MODEL and (request := desk.request()) is not None:
            kept = Kept(self._database, self._project, prompt_tokens=settings.prompt_tokens)
            keeping = Keeping(answerer, kept, anew=desk.scope.anew)
            reading = Reading(request, keeping, kept, prompt_tokens=settings.prompt_tokens)
            cost = reading.cost
            may_ask = settings.history_messages > 1 and not desk.scope.unasked  # else nobody could say yes
            if cost.tokens > settings.task_tokens and may_ask and not material.task.confirmed:
                return desk.told(_offer(cost))
            events = reading.events(desk.watch)
            return map(as_translation, events) if material.task.kind == "translate" else events
        written = write_by_hand(material)
        return None if written is None else desk.told(written)


def _searched(
    material: Material,
    plan: QueryPlan,
    scope: Scope,
    answerer: Answerer,
    otherwise: Callable[[QueryPlan], Iterator[Event]],
) -> Iterator[Event]:
    """The task's words as a question."""
    task = plan.task
    lacking = [needs_model(task.kind)] if task and answerer.provider == NO_MODEL else []
    notices = filter(None, chain(plan.notices, material.notices, lacking))
    asked = confined(replace(plan, route=Route.RETRIEVE, task=None, notices=tuple(notices)), scope)
    yield Planned(asked)
    yield from otherwise(asked)


@dataclass(frozen=True, slots=True)
class _Desk:
    """All that one task is done with."""

    material: Material
    plan: QueryPlan
    scope: Scope
    watch: Stopwatch
    project: ProjectRow
    settings: Settings

    def request(self) -> AnswerRequest | None:
        """All that a model is to read; None where it has nothing to add: an index is there, and so is an author."""
        material, task = self.material, self.material.task
        if task is None or material.said or task.kind == "facts" or (task.kind == "outline" and task.what != "gist"):
            return None
        told = material.answer or material.conversation
        evidence = told.evidence if told else numbered(_passages(material, task))
        if not (told or evidence) or (task.kind == "compare" and len(material.documents) < 2):
            return None
        return AnswerRequest(
            plan=replace(self.plan, notices=(*self.plan.notices, *material.notices)),
            evidence=evidence,
            instructions=self.project.instructions,
            assistant_name=self.settings.assistant_name,
            hides_model=self.settings.hide_model,
            language=self.settings.answer_language or "",
            assignment=Assignment(
                task=task,
                documents=material.label,
                said=told.text if told else "",
                said_is="answer" if material.answer else "conversation" if material.conversation else "notes",
                shows_evidence=material.conversation is None,
            ),
        )

    def told(self, written: Written) -> Iterator[Event]:
        """The events of what no model writes."""
        if written.evidence:
            yield retrieved(written.evidence)
        self.watch.mark("ttft")
        text = disarm(written.text)
        yield Token(text)
        self.watch.mark("total")
        answer = Answer(
            text=text,
            citations=written.citations,
            evidence=written.evidence,
            abstained=written.abstained,
            provider=NO_MODEL,
            notices=(*self.plan.notices, *self.material.notices, *written.notices),
            metrics=self.watch.metrics,
        )
        yield Finished(without_provider(answer) if self.settings.hide_model else answer)


def _after(found: Retrieved, event: Event) -> Event:
    """What is cited, told with the account of the search that led to its document."""
    if not isinstance(event, Retrieved):
        return event
    return replace(event, search=replace(found.search, candidates=event.search.candidates))


def _passages(material: Material, task: Task) -> Sequence[Chunk]:
    """Of a collection that is searched through for a list, only those that have some of it."""
    if task.kind == "list_all" and len(material.documents) > 1:
        return passages_of(task.what, material.parts)
    return material.chunks


def _offer(cost: Cost) -> Written:
    tokens = f"{round(cost.tokens, -3):,}".replace(",", " ")
    return Written(text=f"{LONG.format(tokens=tokens, requests=cost.requests)} {OFFER}")
