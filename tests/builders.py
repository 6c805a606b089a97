"""Small builders of the values that travel, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rag_system.generation.remembered import as_sources
from rag_system.query.text import query_terms
from rag_system.search.collection import Collection
from rag_system.search.recipes import Recipe
from rag_system.search.request import SearchRequest
from rag_system.search.table import Ranking, Row, Table
from rag_system.storage.projects import ProjectRow
from rag_system.types import AnswerRequest, Candidate, Chunk, Evidence, Fact, Message, QueryPlan, Route


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


def table(chunks: Sequence[Chunk]) -> Table:
    return Table(
        chunk_ids=[each.chunk_id for each in chunks],
        document_ids=[each.document_id for each in chunks],
        similarities=np.zeros(len(chunks), np.float32),
        languages=["es"] * len(chunks),
        states=[each.state.kind if each.state else "" for each in chunks],
        identifiers=[each.identifiers for each in chunks],
        heading_paths=[each.heading_path for each in chunks],
        texts=[each.text for each in chunks],
    )


def search_request(question: str, *, recipe: Recipe, top_k: int = 8, identifiers: Sequence[str] = ()) -> SearchRequest:
    return SearchRequest(
        collection=Collection(projects=[ProjectRow(project_id="general")]),
        plan=QueryPlan(
            question=question, route=Route.RETRIEVE, standalone_question=question, identifiers=tuple(identifiers)
        ),
        dense_query=question,
        embedded=list,
        terms=query_terms(question),
        recipe=recipe,
        top_k=top_k,
    )


def ranking(
    found: Sequence[Candidate],
    wanted: SearchRequest,
    *,
    rejected: Mapping[str, Sequence[Row]] | None = None,
    proposals: Mapping[str, Sequence[int]] | None = None,
    shown: Sequence[str] = (),
) -> Ranking:
    """Of candidates that all have the same scores, best first; what is not `rejected` was kept."""
    gone = {row for group in (rejected or {}).values() for row in group}
    return Ranking(
        request=wanted,
        proposals=proposals or {},
        table=table([each.chunk for each in found]),
        fused=[each.score for each in found],
        scores={name: [each.scores[name] for each in found] for name in (found[0].scores if found else ())},
        kept=[row for row in range(len(found)) if row not in gone],
        rejected=rejected or {},
        shown=shown,
        timings_ms={"ranking": 0.0},
    )


def request(
    question: str,
    sources: Sequence[Evidence] = (),
    *,
    standalone: str = "",
    history: tuple[Message, ...] = (),
    instructions: str = "",
    facts: tuple[str, ...] = (),
    past: bool = False,
) -> AnswerRequest:
    plan = QueryPlan(
        question=question,
        route=Route.RETRIEVE,
        standalone_question=standalone or question,
        past=past,
        reformulated=bool(standalone),
    )
    return AnswerRequest(
        plan=plan,
        evidence=tuple(sources),
        history=history,
        instructions=instructions,
        facts=as_sources(Fact(number, text) for number, text in enumerate(facts, 1)),
    )
