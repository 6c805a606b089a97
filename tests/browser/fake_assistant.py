"""An assistant in memory, with the interface of `assistant.assistant.Assistant`: three small documents, word overlap
as search and quoted sentences as answers. It lets the chat be driven without a database or a model.

Some questions ask for a behaviour instead of an answer: «hostil» (an answer full of markup that must stay inert),
«sin fin» (an answer that ends only when it is stopped), «corte» (a provider that fails midway), «caída» (an error).
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from rag_system.errors import ProviderConnectionError, StorageError
from rag_system.settings import ProviderName, Settings
from rag_system.types import (
    Answer,
    Candidate,
    Chunk,
    Citation,
    Event,
    Evidence,
    Finished,
    Funnel,
    Message,
    Planned,
    QueryPlan,
    Retrieved,
    Route,
    SearchResult,
    Token,
)

__all__ = ["HOSTILE", "FakeAssistant"]

HOSTILE = (
    "Texto con <script>window.hacked=1</script> y <img src=x onerror='window.hacked=2'> dentro [1]. "
    "Cuesta $5 y luego $10. ![rastro](http://198.51.100.7/p.png) "
    "[pulse aquí](http://198.51.100.7/robo) y [otro](javascript:window.hacked=3). :red[rojo] <b>negrita</b>"
)
_ABSTAINED = "No encontré información sobre eso en sus documentos."
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderStatus:
    provider: str
    model: str
    notice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    conversation_id: str
    title: str
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    role: str
    content: str
    citations: tuple[Citation, ...] = ()
    provider: str = ""
    model: str = ""
    metrics: dict[str, float] = field(default_factory=dict)
    abstained: bool = False
    incomplete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    document_id: str
    path: str
    file_name: str
    title: str
    format: str
    category: str = ""
    pages: int | None = None
    chunks: int = 0
    size_bytes: int = 0
    status: str = "ready"
    identifiers: tuple[str, ...] = ()
    updated_at: datetime = datetime(2026, 11, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    path: str
    stage: str
    done: int
    total: int
    files_done: int
    files_total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    path: str
    status: str
    pages: int | None = None
    chunks: int = 0
    error: str = ""
    document_id: str = ""


def _chunk(
    number: int, document: str, path: str, title: str, heading: tuple[str, ...], page: int | None, text: str
) -> Chunk:
    return Chunk(
        chunk_id=number,
        document_id=document,
        path=path,
        title=title,
        heading_path=heading,
        page_first=page,
        page_last=page,
        text=text,
    )


_CHUNKS = (
    _chunk(
        1,
        "d1",
        "guias/guia_iso_27001.pdf",
        "Guía de seguridad de la información (ISO/IEC 27001:2022)",
        ("Capítulo 3. Controles", "3.2 Control de acceso"),
        7,
        "3.2 Control de acceso\nEl acceso a los sistemas se concede según la necesidad de cada puesto. "
        "Los permisos se revisan cada seis meses y se retiran el mismo día en que una persona deja la organización. "
        "Las cuentas compartidas no se permiten, salvo autorización escrita del responsable de seguridad.",
    ),
    _chunk(
        2,
        "d1",
        "guias/guia_iso_27001.pdf",
        "Guía de seguridad de la información (ISO/IEC 27001:2022)",
        ("Capítulo 5. Auditoría",),
        15,
        "Capítulo 5. Auditoría\nLa auditoría interna se realiza al menos una vez al año. "
        "Sus hallazgos se comunican a la dirección en un plazo de quince días.",
    ),
    _chunk(
        3,
        "d2",
        "manuales/teletrabajo.md",
        "Manual de teletrabajo",
        ("Equipos",),
        None,
        "Equipos\nLa organización entrega a cada persona en teletrabajo un equipo con disco cifrado. "
        "El equipo se devuelve dentro de los cinco días siguientes al fin del contrato.",
    ),
)


class FakeAssistant:
    """Everything in memory; safe for the few sessions of a test."""

    def __init__(self, *, settings: Settings | None = None, empty: bool = False) -> None:
        self.settings = settings or Settings(_env_file=None, allowed_providers=("extractive", "groq"))  # type: ignore[call-arg]
        self._chunks = {} if empty else {chunk.chunk_id: chunk for chunk in _CHUNKS}
        self._conversations: dict[str, list[Turn]] = {}
        self._numbers = itertools.count(1)
        self._pace = threading.Event()  # never set: its wait is the rhythm of an endless answer

    def close(self) -> None:
        self._pace.set()

    # ------------------------------------------------------------ answering

    def stream(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        history: Sequence[Message] | None = None,
        project: str = "general",
        provider: ProviderName | None = None,
    ) -> Iterator[Event]:
        if "caída" in question:
            raise StorageError
        turns = self._conversations.setdefault(conversation_id, []) if conversation_id else []
        previous = [turn for turn in turns if turn.role == "user"]
        plan = self._plan(question, previous[-1].content if previous else "")
        turns.append(Turn(role="user", content=question))
        answer = Answer(text="", incomplete=True)
        try:
            for event in self._events(plan, provider or self.settings.llm_provider):
                if isinstance(event, Token):
                    answer = replace(answer, text=answer.text + event.text)
                if isinstance(event, Finished):
                    answer = event.answer
                yield event
        finally:
            turns.append(_stored(answer))

    def _plan(self, question: str, previous: str) -> QueryPlan:
        leans = bool(previous) and question.casefold().startswith("¿y ")
        return QueryPlan(
            question=question,
            route=Route.INVENTORY if "documentos tienes" in question else Route.RETRIEVE,
            standalone_question=f"{previous} {question}" if leans else question,
            reformulated=leans,
            notices=("Se buscó «permisos» en lugar de «permizos».",) if "permizos" in question else (),
        )

    def _events(self, plan: QueryPlan, provider: str) -> Iterator[Event]:
        yield Planned(plan)
        if plan.route is Route.INVENTORY:
            names = "".join(f"- **{item.title}** ({item.file_name})\n" for item in self.documents())
            yield from _spoken(f"Tiene {len(self.documents())} documentos:\n\n{names}", plan, (), provider)
            return
        evidence = self._evidence(plan.standalone_question)
        yield Retrieved(_search(evidence), evidence)
        if "sin fin" in plan.question:
            for number in itertools.count(1):
                self._pace.wait(0.02)
                yield Token(f"palabra{number} ")
        if "corte" in plan.question:
            yield from (Token(piece) for piece in ("Los permisos ", "se revisan "))
            text = "Los permisos se revisan "
            error = str(ProviderConnectionError())
            yield Finished(Answer(text=text, incomplete=True, error=error, provider=provider, model="falso"))
            return
        if "hostil" in plan.question:
            evidence = evidence or self._evidence("acceso")
            yield from _spoken(HOSTILE, plan, evidence, provider)
            return
        text = " ".join(f"{_sentence(item.chunk, plan.standalone_question)} [{item.n}]" for item in evidence)
        yield from _spoken(text or _ABSTAINED, plan, evidence, provider)

    def _evidence(self, question: str) -> tuple[Evidence, ...]:
        words = _words(question)
        scored = [(len(words & _words(chunk.text)), chunk) for chunk in self._chunks.values()]
        best = sorted((pair for pair in scored if pair[0] >= 2), key=lambda pair: -pair[0])[:2]
        return tuple(
            Evidence(n=n, chunk=chunk, text=chunk.text, score=score / len(words))
            for n, (score, chunk) in enumerate(best, start=1)
        )

    def provider_status(self, provider: ProviderName | None = None) -> ProviderStatus:
        name = provider or self.settings.llm_provider
        notice = "" if name == "extractive" else "Falta GROQ_API_KEY: mientras tanto se responde con citas textuales."
        return ProviderStatus(provider="extractive", model="extractive", notice=notice)

    # ------------------------------------------------------------ conversations

    def new_conversation(self, *, project: str = "general") -> str:
        conversation_id = f"c{next(self._numbers)}"
        self._conversations[conversation_id] = []
        return conversation_id

    def conversations(self, *, project: str = "general", limit: int = 50) -> list[ConversationSummary]:
        kept = [(key, turns) for key, turns in self._conversations.items() if turns]
        return [
            ConversationSummary(conversation_id=key, title=turns[0].content[:60], updated_at=datetime.now(UTC))
            for key, turns in reversed(kept)
        ][:limit]

    def turns(self, conversation_id: str) -> list[Turn]:
        return list(self._conversations.get(conversation_id, ()))

    def delete_conversation(self, conversation_id: str) -> None:
        self._conversations.pop(conversation_id, None)

    # ------------------------------------------------------------ documents

    def documents(self, *, project: str = "general") -> list[DocumentSummary]:
        groups: dict[str, list[Chunk]] = {}
        for chunk in self._chunks.values():
            groups.setdefault(chunk.document_id, []).append(chunk)
        return [_summary(chunks) for chunks in groups.values()]

    def ingest_bytes(
        self,
        name: str,
        data: bytes,
        *,
        project: str = "general",
        on_progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        text = data.decode("utf-8", errors="replace").strip()
        for stage in ("read", "chunk", "embed", "publish"):
            if on_progress:
                on_progress(IngestProgress(path=name, stage=stage, done=1, total=1, files_done=0, files_total=1))
        if name.endswith(".pdf") and not data.startswith(b"%PDF"):
            return IngestReport(path=name, status="failed", error="El archivo está dañado. Ábralo y guárdelo de nuevo.")
        if not text:
            return IngestReport(path=name, status="empty")
        if any(chunk.path == name and chunk.text == text for chunk in self._chunks.values()):
            return IngestReport(path=name, status="unchanged")
        number = max(self._chunks, default=0) + 1
        title = Path(name).stem.replace("_", " ").capitalize()
        self._chunks[number] = _chunk(number, f"d{number}", name, title, (), None, text)
        return IngestReport(path=name, status="indexed", chunks=1, document_id=f"d{number}")

    def remove_document(self, document_id: str, *, project: str = "general") -> None:
        self._chunks = {key: chunk for key, chunk in self._chunks.items() if chunk.document_id != document_id}

    def passage(self, chunk_id: int, *, project: str = "general") -> Chunk | None:
        return self._chunks.get(chunk_id)

    def suggestions(self, *, project: str = "general", limit: int = 4) -> list[str]:
        if not self._chunks:
            return []
        return ["¿Cada cuánto se revisan los permisos de acceso?", "¿Qué documentos tienes?"][:limit]


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) > 3}


def _sentence(chunk: Chunk, question: str) -> str:
    """The sentence of a chunk that shares most words with the question."""
    body = chunk.text.split("\n", 1)[-1]
    sentences = re.findall(r"[^.]+\.", body) or [body]
    return max(sentences, key=lambda sentence: len(_words(sentence) & _words(question))).strip()


def _search(evidence: tuple[Evidence, ...]) -> SearchResult:
    candidates = tuple(
        Candidate(chunk=item.chunk, score=item.score, scores={"semantic": item.score, "lexical": item.score / 2})
        for item in evidence
    )
    funnel = Funnel(
        generated={"semantic": 3, "lexical": len(evidence)},
        merged=3,
        rejected={"min_score": 3 - len(evidence)},
        returned=len(evidence),
    )
    return SearchResult(candidates=candidates, funnel=funnel, timings_ms={"semantic": 4.0})


def _spoken(text: str, plan: QueryPlan, evidence: tuple[Evidence, ...], provider: str) -> Iterator[Event]:
    yield from (Token(piece) for piece in re.findall(r"\S+\s*", text))
    citations = tuple(
        Citation(
            n=item.n,
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
            abstained=text == _ABSTAINED,
            provider=provider,
            model="extractive",
            notices=plan.notices,
            metrics=metrics,
        )
    )


def _stored(answer: Answer) -> Turn:
    return Turn(
        role="assistant",
        content=answer.text,
        citations=answer.citations,
        provider=answer.provider,
        model=answer.model,
        metrics=dict(answer.metrics),
        abstained=answer.abstained,
        incomplete=answer.incomplete,
    )


def _summary(chunks: list[Chunk]) -> DocumentSummary:
    first = chunks[0]
    return DocumentSummary(
        document_id=first.document_id,
        path=first.path,
        file_name=first.file_name,
        title=first.title,
        format=first.file_name.rsplit(".", 1)[-1],
        pages=24 if first.page_first else None,
        chunks=len(chunks),
    )
