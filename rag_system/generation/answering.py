"""From a request to the events of its answer: streamed as it is written, and checked when it is whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from rag_system.background import begin
from rag_system.errors import LegajoError, ProviderError
from rag_system.generation.abstention import is_abstention
from rag_system.generation.citation_repair import repair_notices
from rag_system.generation.grounding import Grounding, ground
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import without_provider
from rag_system.generation.sanitizing import AnswerFilter, disarm
from rag_system.generation.sources import Sources
from rag_system.timing import Stopwatch
from rag_system.types import Answer, AnswerRequest, Citation, Event, Evidence, Finished, QueryPlan, Token, chunks_of

__all__ = ["fail", "say", "write"]

DOUBTFUL = "Puede que los documentos no respondan justo a esto: revise las fuentes."


def write(
    request: AnswerRequest, answerer: Answerer, watch: Stopwatch, *, others: str = "", unanswered: str = ""
) -> Iterator[Event]:
    """What a model, or whoever quotes, writes: cleaned, streamed and, at the end, compared with its sources.

    `others`: what is told of an answer that is from other documents than those asked for; `unanswered`: where none is
    found.
    """
    harmless = AnswerFilter(request)
    written = _Written()
    with watch.phase("generation"):
        yield from _streamed(request, answerer, harmless, watch, written)
    with watch.phase("check"):
        text = harmless.whole("".join(written.pieces))
        abstained = written.failure is None and is_abstention(text)
        grounding = Grounding(text=text) if abstained else _checked(text, request, answerer, written)
    watch.mark("total")
    of_documents = filter(None, [unanswered if abstained else others])
    answer = Answer(
        text=grounding.text,
        citations=grounding.citations,
        unsupported=grounding.unsupported,
        evidence=() if abstained else _used(request, grounding),
        abstained=abstained,
        incomplete=written.failure is not None,
        **(written.failure.fields if written.failure else {}),
        provider=answerer.provider,
        model=answerer.model,
        notices=(
            *answerer.notices,
            *request.plan.notices,
            *of_documents,
            *([DOUBTFUL] if request.is_doubtful and answerer.model and not abstained else ()),
            *(_not_in_force(grounding.citations, request) if answerer.model else ()),
            *harmless.notices,
            *repair_notices(grounding.added),
        ),
        metrics=watch.metrics,
        usage=answerer.usage,
    )
    yield Finished(without_provider(answer) if request.hides_model else answer)


def _not_in_force(citations: Sequence[Citation], request: AnswerRequest) -> Iterator[str]:
    """What a person should know of what a model cites: who quotes says it himself."""
    chunks = chunks_of(request.sources)
    states = {cited.n: chunks[cited.project, cited.chunk_id].state for cited in citations}
    yield from (f"La fuente [{n}] no está vigente: {state.label}." for n, state in sorted(states.items()) if state)


@dataclass
class _Written:
    """What has been written so far."""

    pieces: list[str] = field(default_factory=list)
    failure: ProviderError | None = None
    sources: Future[Sources] | None = None  # read while a model writes


def _streamed(
    request: AnswerRequest, answerer: Answerer, harmless: AnswerFilter, watch: Stopwatch, written: _Written
) -> Iterator[Token]:
    """The pieces as they come, kept in `written`."""
    try:
        for piece in harmless.pieces(answerer.stream(request)):
            if not written.pieces and piece.strip():
                watch.mark("ttft")
            written.pieces.append(piece)
            yield Token(piece)
            if answerer.model and written.sources is None:  # who quotes has ended, and needs little
                written.sources = begin(Sources(request.sources, request.plan.standalone_question).read)
    except ProviderError as failure:
        written.failure = failure


def _checked(text: str, request: AnswerRequest, answerer: Answerer, written: _Written) -> Grounding:
    sources = written.sources.result() if written.sources else None
    return ground(
        text,
        request.sources,
        question=request.plan.standalone_question,
        sources=sources,
        adds_markers=bool(answerer.model),
    )


def _used(request: AnswerRequest, grounding: Grounding) -> tuple[Evidence, ...]:
    """What was found, and the facts that are cited."""
    cited = {citation.n for citation in grounding.citations}
    return (*request.evidence, *(fact for fact in request.facts if fact.n in cited))


def say(
    text: str, plan: QueryPlan, watch: Stopwatch, *, abstained: bool = False, sources: tuple[Evidence, ...] = ()
) -> Iterator[Event]:
    """An answer that no model writes; it may name documents, and cite `sources`."""
    citations = ground(text, sources, adds_markers=False).citations if sources else ()
    answer = Answer(text=text, abstained=abstained, notices=plan.notices, citations=citations, evidence=sources)
    yield from _said(answer, watch)


def fail(error: LegajoError, plan: QueryPlan, watch: Stopwatch, *, hides_model: bool) -> Iterator[Event]:
    """What went wrong before anything was written, told as the answer."""
    answer = Answer(text=str(error), abstained=True, notices=plan.notices, **error.fields)
    yield from _said(without_provider(answer) if hides_model else answer, watch)


def _said(answer: Answer, watch: Stopwatch) -> Iterator[Event]:
    answer = replace(answer, text=disarm(answer.text))
    watch.mark("ttft")
    yield Token(answer.text)
    watch.mark("total")
    yield Finished(replace(answer, metrics=watch.metrics))
