"""What came of a question, once all the events of its answer were read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from rag_system.types import Answer, Event, Evidence, Finished, Planned, QueryPlan, Retrieved, SearchResult

__all__ = ["Outcome", "collect", "error_fields"]

PREVIEW_CHARS = 200
PHASES = ("total", "embedding", "retrieval", "context", "generation", "ttft")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All that the events of one answer said."""

    plan: QueryPlan
    search: SearchResult
    answer: Answer

    def as_dict(self) -> dict[str, Any]:
        """The keys of the system that this one re-creates; times in milliseconds."""
        answer = self.answer
        passages = [evidence for evidence in answer.evidence if not evidence.is_fact]
        sources = [_source(rank, evidence) for rank, evidence in enumerate(passages, 1)]
        return {
            "success": not answer.error,
            "question": self.plan.question,
            "answer": answer.text,
            "sources": sources,
            "relevant_documents": list(dict.fromkeys(source["file_name"] for source in sources)),
            "citations": answer.citation_fields,
            "abstained": answer.abstained,
            "incomplete": answer.incomplete,
            "error": answer.error,
            **error_fields(answer),
            "metrics": {
                "latency_ms": {phase: answer.metrics.get(phase, 0.0) for phase in PHASES},
                "usage": answer.usage.reported,
            },
        }


def collect(events: Iterable[Event]) -> Outcome:
    """Read all events of an answer."""
    last: dict[type[Event], Any] = {type(event): event for event in events}
    search = last[Retrieved].search if Retrieved in last else SearchResult()
    return Outcome(plan=last[Planned].plan, search=search, answer=last[Finished].answer)


class _Told(Protocol):
    """Whatever may tell an error."""

    @property
    def code(self) -> str: ...
    @property
    def params(self) -> Mapping[str, str | float]: ...


def error_fields(told: _Told) -> dict[str, Any]:
    """What programs get beside the sentence of an error; nothing where there is none."""
    return {"code": told.code, "params": dict(told.params)} if told.code else {}


def _source(rank: int, evidence: Evidence) -> dict[str, Any]:
    chunk = evidence.chunk
    return {
        "rank": rank,
        "similarity_score": evidence.score,
        "file_name": chunk.file_name,
        "path": chunk.path,
        "project": chunk.project,
        "chunk_id": chunk.chunk_id,
        "content": evidence.text,
        "preview": chunk.text[:PREVIEW_CHARS],
        "page": chunk.page_first,
        "state": chunk.state.fields if chunk.state else None,
        **({} if evidence.concepts is None else {"concepts": [asdict(concept) for concept in evidence.concepts]}),
    }
