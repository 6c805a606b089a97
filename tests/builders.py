"""Small builders of the values that travel, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Sequence

from rag_system.types import AnswerRequest, Candidate, Chunk, Evidence, Message, QueryPlan, Route


def chunk(
    text: str,
    *,
    chunk_id: int = 1,
    document: str = "ley",
    title: str = "Ley 29733",
    headings: tuple[str, ...] = (),
    page: int | None = None,
) -> Chunk:
    return Chunk(
        chunk_id=chunk_id,
        document_id=document,
        path=f"leyes/{document}.md",
        title=title,
        heading_path=headings,
        page_first=page,
        page_last=page,
        text=text,
    )


def evidence(*chunks: Chunk) -> tuple[Evidence, ...]:
    return tuple(Evidence(n=n, chunk=each, text=each.text, score=1 - n / 100) for n, each in enumerate(chunks, 1))


def candidates(*scored: tuple[float, Chunk]) -> list[Candidate]:
    return [Candidate(chunk=each, score=score, scores={}) for score, each in scored]


def request(
    question: str,
    sources: Sequence[Evidence] = (),
    *,
    standalone: str = "",
    history: tuple[Message, ...] = (),
    instructions: str = "",
    facts: tuple[str, ...] = (),
) -> AnswerRequest:
    plan = QueryPlan(
        question=question,
        route=Route.RETRIEVE,
        standalone_question=standalone or question,
        reformulated=bool(standalone),
    )
    return AnswerRequest(plan=plan, evidence=tuple(sources), history=history, instructions=instructions, facts=facts)
