"""An assistant in memory, with the interface of `assistant.assistant.Assistant`: three small documents, word overlap
as search and quoted sentences as answers. It lets the chat be driven without a database or a model.

Some questions ask for a behaviour instead of an answer: «hostil» (an answer full of markup that must stay inert),
«dudosa» (a sentence that its source does not support), «sin fin» (an answer that ends only when it is stopped),
«callado» (a provider that says nothing more), «corte» (a provider that fails midway), «caída» (an error).
"""

from __future__ import annotations

import base64
import itertools
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Unpack, cast
from uuid import uuid4

from pydantic import SecretStr

from assistant.branches import branch
from assistant.concepts import ConceptSummary
from assistant.exporting import Format, conversation_path, exported, packed
from assistant.feedback import Rating, Reason
from assistant.keys import KeySummary, Owner
from assistant.originals import Original, Passage
from assistant.permissions import Doing, may
from assistant.projects import ProjectChange, ProjectSettings, project_settings
from assistant.saved_questions import SavedQuestion
from assistant.sharing import SharedConversation
from assistant.view import State, Turn, answered
from rag_system.errors import (
    ForbiddenError,
    InputError,
    NotFoundError,
    ProviderAuthenticationError,
    ProviderConnectionError,
    StorageError,
    UnreadableFileError,
)
from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.credentials import Credentials, Key, settings_credentials
from rag_system.generation.providers import Resolved, resolve_provider
from rag_system.ingestion.concepts import Tagger, tidy, tree_errors
from rag_system.ingestion.report import IngestReport
from rag_system.query.tasks import OFFER
from rag_system.scope import Scope, confined
from rag_system.settings import ProviderName, Settings
from rag_system.storage.projects import ProjectRow, Role
from rag_system.types import (
    Answer,
    Candidate,
    Chunk,
    Citation,
    Concept,
    Event,
    Evidence,
    Finished,
    Funnel,
    NearWord,
    Planned,
    QueryPlan,
    Reading,
    Rejection,
    Retrieved,
    Route,
    SearchResult,
    Survivor,
    Token,
)
from rag_system.viewing import Mark, PagePicture
from tests.browser.fake_conversations import FakeConversations, FakeFolders, Talk
from tests.browser.fake_library import FakeLibrary, FakeShelf

__all__ = ["HOSTILE", "FakeAssistant", "FakeConcepts", "FakeCopier", "FakeFeedback", "FakeKeys", "FakeOriginals"]

HOSTILE = (
    "Texto con <script>window.hacked=1</script> y <img src=x onerror='window.hacked=2'> dentro [1]. "
    "Cuesta $5 y luego $10. ![rastro](http://198.51.100.7/p.png) "
    "[pulse aquí](http://198.51.100.7/robo) y [otro](javascript:window.hacked=3). :red[rojo] <b>negrita</b>"
)
DOUBTED = "El cielo de la oficina es verde [1]."
_PIXEL = base64.b64decode(  # a picture of one dot
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
_WORD = re.compile(r"\w+")


class FakeConcepts:
    """A tree in memory; chunks are tagged by name alone."""

    def __init__(self, chunks: Callable[[], list[Chunk]]) -> None:
        self._chunks = chunks
        self._tree: list[Concept] = []

    def tree(self) -> list[Concept]:
        return list(self._tree)

    def overview(self) -> list[ConceptSummary]:
        found = {each.name: self.documents(each.name) for each in self.tree()}
        return [
            ConceptSummary(
                name=each.name,
                parent=each.parent,
                aliases=each.aliases,
                depth=int(bool(each.parent)),
                documents=len(found[each.name]),
                chunks=sum(found[each.name].values()),
            )
            for each in self.tree()
        ]

    def replace(self, concepts: Sequence[Concept]) -> None:
        concepts = tidy(concepts)
        if errors := tree_errors(concepts):
            raise InputError("\n".join(errors))
        self._tree = concepts

    def documents(self, name: str) -> dict[str, int]:
        chunks = self._chunks()
        tags = Tagger([each for each in self.tree() if each.name == name]).tag(
            [(c.heading_path, c.text) for c in chunks]
        )
        return dict(Counter(chunk.document_id for chunk, found in zip(chunks, tags, strict=True) if found))

    def must_exist(self, name: str) -> None:
        if name not in [each.name for each in self.tree()]:
            raise InputError(f"No existe el concepto «{name}».")


class FakeOriginals:
    """Documents to be read as text; of a PDF, page 8 cannot be drawn and page 9 has no marks."""

    def __init__(self, chunks: Callable[[], list[Chunk]]) -> None:
        self._chunks = chunks

    def _of(self, path: str) -> list[Chunk]:
        return [chunk for chunk in self._chunks() if chunk.path == path]

    def find(self, path: str, *, project: str = "") -> Original | None:
        found = self._of(path)
        return (
            Original(
                project=project or "general",
                document_id=found[0].document_id,
                path=path,
                title=found[0].title,
                format=path.rsplit(".", 1)[-1],
                sha256="",
                pages=24 if path.endswith(".pdf") else None,
                passages=len(found),
            )
            if found
            else None
        )

    def content(self, original: Original) -> bytes:
        return "\n".join(chunk.text for chunk in self._of(original.path)).encode()

    def page(self, original: Original, number: int, *, quotes: Sequence[str] = ()) -> PagePicture:  # noqa: ARG002
        if number == 8:
            raise UnreadableFileError("No se pudo dibujar la página. Descargue el original para verla.")
        marks = tuple(Mark(left=0.1, top=0.5, width=0.4, height=0.1) for _ in quotes if number != 9)
        return PagePicture(png=_PIXEL, page=number, pages=24, marks=marks)

    def place_of(self, original: Original, chunk_id: int) -> int | None:
        ids = [chunk.chunk_id for chunk in self._of(original.path)]
        return ids.index(chunk_id) if chunk_id in ids else None

    def passages(self, original: Original, *, first: int, limit: int) -> list[Passage]:
        return [
            Passage(ordinal=ordinal, headings=chunk.heading_path, page=chunk.page_first, text=chunk.text)
            for ordinal, chunk in enumerate(self._of(original.path))
        ][first : first + limit]


class FakeCopier:
    """Another project, «contratos», where nothing is kept: it takes what is not called «ocupado»."""

    def targets(self) -> dict[str, str]:
        return {"contratos": "Contratos"}

    def copy(
        self,
        paths: Sequence[str],
        *,
        to: str,  # noqa: ARG002
        moves: bool = False,
        replaces: bool = False,
    ) -> Iterator[IngestReport]:
        for path in paths:
            if "ocupado" in path and not replaces:
                yield IngestReport(path=path, status="failed", code="path_taken")
            else:
                yield IngestReport(path=path, status="moved" if moves else "copied")


class FakeFeedback:
    """Ratings in memory, by conversation."""

    def __init__(self) -> None:
        self._ratings: dict[str, dict[int, Rating]] = {}

    def rate(
        self, conversation: str, ordinal: int, *, up: bool, reasons: Sequence[Reason] = (), comment: str = ""
    ) -> None:
        rating = Rating(up=up, reasons=tuple(reasons), comment=comment)
        self._ratings.setdefault(conversation, {})[ordinal] = rating

    def unrate(self, conversation: str, ordinal: int) -> None:
        self._ratings.get(conversation, {}).pop(ordinal, None)

    def of_conversation(self, conversation: str) -> dict[int, Rating]:
        return dict(self._ratings.get(conversation, {}))


class FakeSavedQuestions:
    """Questions in memory, by their id."""

    def __init__(self) -> None:
        self._kept: dict[str, SavedQuestion] = {}

    def all(self) -> list[SavedQuestion]:
        return sorted(self._kept.values(), key=lambda each: each.name)

    def save(self, question: str) -> None:
        key = str(uuid4())
        self._kept[key] = SavedQuestion(question_id=key, name=question, question=question)

    def rename(self, question_id: str, name: str) -> None:
        self._kept[question_id] = replace(self._kept[question_id], name=name)

    def remove(self, question_id: str) -> None:
        del self._kept[question_id]


class FakeTags:
    """Tags in memory."""

    def __init__(self) -> None:
        self._paths: dict[str, tuple[str, ...]] = {}

    def all(self) -> dict[str, tuple[str, ...]]:
        return {tag: paths for tag, paths in sorted(self._paths.items()) if paths}

    def add(self, tag: str, paths: Sequence[str]) -> str:
        self._paths[tag] = tuple(dict.fromkeys((*self._paths.get(tag, ()), *paths)))
        return tag

    def take(self, tag: str, paths: Sequence[str]) -> None:
        self._paths[tag] = tuple(path for path in self._paths.get(tag, ()) if path not in paths)


class FakeKeys:
    """Keys in memory; `ajena` stands for one that only the project's owner may set."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._kept: dict[tuple[Owner, ProviderName], str] = {}

    def credentials(self) -> Credentials:
        own = {name: Key(payer=owner, secret=SecretStr(text)) for (owner, name), text in self._kept.items()}
        return settings_credentials(self._settings) | Credentials(own)

    def all(self) -> list[KeySummary]:
        added_at = datetime(2026, 11, 2, tzinfo=UTC)
        return [
            KeySummary(provider=name, owner=owner, added_at=added_at, added_by="local", is_readable=True)
            for owner, name in self._kept
        ]

    def add(self, provider: ProviderName, secret: str, *, owner: Owner = "person") -> None:
        if secret == "ajena":
            raise ForbiddenError
        self._kept[owner, provider] = secret

    def remove(self, provider: ProviderName, *, owner: Owner = "person") -> None:
        del self._kept[owner, provider]

    def test(self, provider: ProviderName, *, owner: Owner = "person") -> None:
        if self._kept[owner, provider] == "mala":
            raise ProviderAuthenticationError

    def models(self, provider: ProviderName) -> list[str]:
        return [f"{provider}-grande", f"{provider}-veloz"]


class FakeAssistant:
    """Everything in memory; safe for the few sessions of a test."""

    def __init__(self, *, settings: Settings | None = None, empty: bool = False, role: Role = "owner") -> None:
        self.settings = settings or Settings(_env_file=None, allowed_providers=("extractive", "groq"))  # type: ignore[call-arg]
        self.conversations = FakeConversations()
        self.folders = FakeFolders(self.conversations.talks)
        self.library = FakeLibrary(empty=empty)
        self.concepts = FakeConcepts(self._chunks)
        self.originals = FakeOriginals(self._chunks)
        self.copier = FakeCopier()
        self.feedback = FakeFeedback()
        self.saved_questions = FakeSavedQuestions()
        self.shelf = FakeShelf(self.library)
        self.tags = FakeTags()
        self.keys = FakeKeys(self.settings)
        self.project = "general"
        self._row = ProjectRow(project_id=self.project, role=role, chunk_count=len(self.library.chunks))
        self._pace = threading.Event()  # never set: its wait is the rhythm of an endless answer

    def _chunks(self) -> list[Chunk]:
        return list(self.library.chunks.values())

    # ------------------------------------------------------------ answering

    waits_for_database = False

    def stream(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        provider: ProviderName | None = None,
        concept: str = "",
        documents: Sequence[str] = (),
        all_projects: bool = False,
        instead_of: int | None = None,
    ) -> Iterator[Event]:
        self.library.asked.set()
        if "caída" in question:
            raise StorageError
        talk = self.conversations.talks.setdefault(conversation_id, Talk()) if conversation_id else Talk()
        before = talk.leaf if instead_of is None else talk.turns[instead_of].parent
        asked = talk.add(Turn(role="user", content=question), before)
        yield from self._answered(talk, asked, provider, concept, documents, all_projects=all_projects)

    def answer_again(
        self,
        conversation_id: str,
        answer: int,
        *,
        provider: ProviderName | None = None,
        concept: str = "",
        documents: Sequence[str] = (),
        all_projects: bool = False,
    ) -> Iterator[Event]:
        talk = self.conversations.talks[conversation_id]
        asked = talk.turns[answer].parent or 0
        yield from self._answered(talk, asked, provider, concept, documents, all_projects=all_projects)

    def _answered(
        self,
        talk: Talk,
        asked: int,
        provider: ProviderName | None,
        concept: str,
        documents: Sequence[str],
        *,
        all_projects: bool,
    ) -> Iterator[Event]:
        *before, question = [talk.turns[at] for at in branch(talk.parents, asked)]
        previous = [turn.content for turn in before if turn.role == "user"]
        plan = self._plan(question.content, previous[-1] if previous else "")
        if concept:
            plan = replace(plan, notices=(*plan.notices, f"Busqué solo en lo que trata de «{concept}»."))
        if documents:
            plan = confined(plan, Scope(documents=documents))
        answer, funnel, state = Answer(text="", incomplete=True), Funnel(), cast("State", "stopped")
        place = talk.add(replace(answered(answer, funnel), state="writing"), asked)
        try:
            for event in self._events(plan, provider or self.settings.llm_provider, documents, all_projects):
                if isinstance(event, Token):
                    answer = replace(answer, text=answer.text + event.text)
                if isinstance(event, Retrieved):
                    funnel = event.search.funnel
                if isinstance(event, Finished):
                    answer, state = event.answer, "complete"
                yield event
        finally:
            talk.fill(place, replace(answered(answer, funnel), state=state))

    def _plan(self, question: str, previous: str) -> QueryPlan:
        leans = bool(previous) and question.casefold().startswith("¿y ")
        return QueryPlan(
            question=question,
            route=Route.INVENTORY if "documentos tienes" in question else Route.RETRIEVE,
            standalone_question=f"{previous} {question}" if leans else question,
            reformulated=leans,
            notices=("Busqué «permisos» en lugar de «permizos».",) if "permizos" in question else (),
        )

    def _events(self, plan: QueryPlan, provider: str, documents: Sequence[str], all_projects: bool) -> Iterator[Event]:
        yield Planned(plan)
        if plan.route is Route.INVENTORY:
            names = "".join(f"- **{item.title}** ({item.file_name})\n" for item in self.library.all())
            yield from _spoken(f"Tiene {len(self.library.all())} documentos:\n\n{names}", plan, (), provider)
            return
        held = [chunk for chunk in self.library.chunks.values() if not documents or chunk.path in documents]
        if all_projects:  # the first document is of another
            held = [replace(each, project="contratos" if each.document_id == "d1" else "general") for each in held]
        evidence = self._evidence(plan.standalone_question, held)
        found = _search(evidence, plan, held)
        outside = len(self.library.chunks) - len(held)
        projects = ("general", "contratos") if all_projects else ()
        funnel = replace(found.funnel, projects=projects, documents=tuple(documents), outside=outside)
        yield Retrieved(replace(found, funnel=funnel), evidence)
        if "sin fin" in plan.question:
            for number in itertools.count(1):
                self._pace.wait(0.06)
                yield Token(f"palabra{number} ")
        if "callado" in plan.question:
            yield Token("Un momento ")
            self._pace.wait()
        if "corte" in plan.question:
            yield from (Token(piece) for piece in ("Los permisos ", "se revisan "))
            text = "Los permisos se revisan "
            error = str(ProviderConnectionError())
            yield Finished(Answer(text=text, incomplete=True, error=error, provider=provider, model="falso"))
            return
        if "tesis entera" in plan.question:
            yield from _spoken(f"Son 90 000 tokens. {OFFER}", plan, (), provider)
            return
        if "dudosa" in plan.question:
            yield from _spoken(DOUBTED, plan, (), provider)
            return
        if "hostil" in plan.question:
            evidence = evidence or self._evidence("acceso", held)
            yield from _spoken(HOSTILE, plan, evidence, provider)
            return
        text = " ".join(f"{_sentence(item.chunk, plan.standalone_question)} [{item.n}]" for item in evidence)
        yield from _spoken(text or ABSTENTION, plan, evidence, provider)

    def _evidence(self, question: str, held: Sequence[Chunk]) -> tuple[Evidence, ...]:
        words = _words(question)
        scored = [(len(words & _words(chunk.text)), chunk) for chunk in held]
        best = sorted((pair for pair in scored if pair[0] >= 2), key=lambda pair: -pair[0])[:2]
        return tuple(
            Evidence(n=n, chunk=chunk, text=chunk.text, score=score / len(words))
            for n, (score, chunk) in enumerate(best, start=1)
        )

    def explained(self, funnel: Funnel) -> Funnel:
        return replace(funnel, near_words=(NearWord(word="permisos", similarity=0.41),))

    def project_names(self) -> dict[str, str]:
        return {"general": "General", "contratos": "Contratos"}

    def may(self, doing: Doing) -> bool:
        return may(self._row.role, doing)

    def project_settings(self) -> ProjectSettings:
        return project_settings(self._row, self.settings)

    def settings_in_force(self) -> Settings:
        return self._row.settings(self.settings)

    def change_project(self, **changed: Unpack[ProjectChange]) -> None:
        self._row = replace(self._row, **changed)  # type: ignore[arg-type]

    def provider_status(self, provider: ProviderName | None = None) -> Resolved:
        return resolve_provider(self.settings_in_force(), provider, self.keys.credentials())

    # ------------------------------------------------------------ conversations

    def turns(self, conversation_id: str) -> list[Turn]:
        return self.conversations.unredacted_turns(conversation_id)

    def shared_conversation(self, secret: str) -> SharedConversation:
        for key, talk in self.conversations.talks.items():
            if secret and talk.secret == secret and not talk.deleted:
                return SharedConversation(title=self.conversations.named(key).title, turns=tuple(talk.shown))
        raise NotFoundError("Ese enlace no muestra ninguna conversación, o ya no.")

    def export_conversation(self, conversation_id: str, *, format: Format) -> bytes:
        title = self.conversations.named(conversation_id).title
        return exported(self.turns(conversation_id), title=title, format=format)

    def export_conversations(self, *, format: Format) -> bytes:
        listed = (each for archived in (False, True) for each in self.conversations.recent(archived=archived))
        files = (
            (conversation_path(each), self.export_conversation(each.conversation_id, format=format)) for each in listed
        )
        return packed(files, format=format)

    def save_conversation(self, conversation_id: str) -> Mapping[str, str] | IngestReport:
        talk = self.conversations.talks[conversation_id]
        path = f"conversaciones/{self.conversations.named(conversation_id).title}.md"
        again, talk.saved_as = talk.saved_as == path, path
        return IngestReport(path=path, status="unchanged") if again else {str(uuid4()): path}

    # ------------------------------------------------------------ documents

    def passage(self, chunk_id: int) -> Chunk | None:
        return self.library.chunks.get(chunk_id)

    def follow_ups(self, turn: Turn) -> list[str]:
        return ["¿Qué dice «Manual de teletrabajo» sobre los equipos?"] if turn.notices else []

    def suggestions(self, *, documents: Sequence[str] = ()) -> list[str]:
        if documents:
            return ["¿Qué dice «Manual de teletrabajo» sobre los equipos?"]
        if not self.library.chunks:
            return []
        questions = ("¿Cada cuánto se revisan los permisos de acceso?", "Cuente sin fin los permisos de acceso")
        return [*questions, "¿Qué documentos tienes?"]


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}


def _sentence(chunk: Chunk, question: str) -> str:
    """The sentence of a chunk that shares most words with the question."""
    body = chunk.text.split("\n", 1)[-1]
    sentences = re.findall(r"[^.]+\.", body) or [body]
    return max(sentences, key=lambda sentence: len(_words(sentence) & _words(question))).strip()


def _search(evidence: tuple[Evidence, ...], plan: QueryPlan, chunks: Iterable[Chunk]) -> SearchResult:
    candidates = tuple(
        Candidate(chunk=item.chunk, score=item.score, scores={"semantic": item.score, "lexical": item.score / 2})
        for item in evidence
    )
    chosen = {item.chunk.chunk_id for item in evidence}
    others = [chunk for chunk in chunks if chunk.chunk_id not in chosen]
    funnel = Funnel(
        generated={"semantic": len(evidence) + len(others), "lexical": len(evidence)},
        merged=len(evidence) + len(others),
        rejected={"below_min_score": len(others)},
        returned=len(evidence),
        reading=Reading(
            standalone_question=plan.standalone_question,
            reformulated=plan.reformulated,
            dense_query=plan.standalone_question,
            words=tuple(sorted(_words(plan.standalone_question))),
            notices=plan.notices,
        ),
        survivors=tuple(_survivor(candidate, _words(plan.standalone_question)) for candidate in candidates),
        examples=tuple(_rejection(chunk) for chunk in others),
    )
    return SearchResult(candidates=candidates, funnel=funnel, timings_ms={"semantic": 4.0})


def _survivor(candidate: Candidate, words: set[str]) -> Survivor:
    chunk = candidate.chunk
    return Survivor(
        project=chunk.project,
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        page=chunk.page_first,
        section=chunk.section,
        score=candidate.score,
        level=1.0,
        scores=candidate.scores,
        levels={"semantic": 1.0, "lexical": 0.5},
        proposed_by=("semantic", "lexical"),
        words=tuple(sorted(words & _words(chunk.text))),
    )


def _rejection(chunk: Chunk) -> Rejection:
    return Rejection(
        reason="below_min_score",
        project=chunk.project,
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        page=chunk.page_first,
        section=chunk.section,
        level=0.02,
    )


def _spoken(text: str, plan: QueryPlan, evidence: tuple[Evidence, ...], provider: str) -> Iterator[Event]:
    yield from (Token(piece) for piece in re.findall(r"\S+\s*", text))
    citations = tuple(
        Citation(
            n=item.n,
            project=item.chunk.project,
            chunk_id=item.chunk.chunk_id,
            document=item.chunk.file_name,
            path=item.chunk.path,
            page=item.chunk.page_first,
            quote=_sentence(item.chunk, plan.standalone_question),
        )
        for item in evidence
    )
    metrics = {"embedding": 6.0, "retrieval": 12.5, "generation": 310.0, "ttft": 84.0, "total": 742.0}
    yield Finished(
        Answer(
            text=text,
            citations=citations,
            evidence=evidence,
            abstained=text == ABSTENTION,
            provider=provider,
            model="extractive",
            notices=plan.notices,
            metrics=metrics,
            unsupported=(text,) if text == DOUBTED else (),
        )
    )
