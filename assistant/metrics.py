"""What answers took and what became of them, a row each: nobody's name, and not a word of what was asked. What else was
asked of a model has rows beside them."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import uuid4

from psycopg import Connection
from psycopg.types.json import Jsonb

from assistant.view import Turn, answered
from rag_system.errors import LegajoError
from rag_system.generation.grounding import ground
from rag_system.storage.connection import Database
from rag_system.storage.sql import queries, rows_of
from rag_system.types import Answer, Event, Evidence, Finished, Funnel, Retrieved, Token, Usage

__all__ = ["AnswerMetrics", "DayMetrics", "Draft", "PhaseMetrics", "Unanswered"]

_SQL = queries("rag_system.storage.queries", "metrics.sql")
_MARKERS = re.compile(r"\[M?\d+\](?:[\s,;.]*\[M?\d+\])*")  # those of one sentence stand together at its end
_FELT = ("ttft", "total")  # columns of their own
_MOST_DOCUMENTS, _MOST_QUESTIONS = 10, 20  # that are listed


class Draft:
    """What is known of an answer while its events arrive."""

    def __init__(self) -> None:
        self.funnel = Funnel()
        self.evidence: tuple[Evidence, ...] = ()
        self._pieces: list[str] = []
        self._answer: Answer | None = None

    def take(self, event: Event) -> None:
        """Learn what an event tells."""
        match event:
            case Retrieved(search=search, evidence=evidence):
                self.funnel, self.evidence = search.funnel, evidence
            case Finished(answer=answer):
                self._answer = answer
            case Token(text=piece):
                self._pieces.append(piece)

    @property
    def finished(self) -> bool:
        """Whether nothing more is to come."""
        return self._answer is not None

    @property
    def text(self) -> str:
        """What was written so far."""
        return self._answer.text if self._answer else "".join(self._pieces)

    @property
    def answer(self) -> Answer:
        """As far as it came, with what that much of it cites."""
        if self._answer is not None:
            return self._answer
        text = self.text
        citations = ground(text, self.evidence, adds_markers=False).citations if text else ()
        return Answer(text=text, citations=citations, evidence=self.evidence, incomplete=True)

    @property
    def turn(self) -> Turn:
        """The same with the account of its search."""
        return answered(self.answer, self.funnel)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMetrics:
    """The answers of a day. Times in milliseconds, half of them (p50) or 19 of 20 (p95) took no longer."""

    day: date
    answers: int
    abstained: int
    incomplete: int
    failed: int
    cited: int  # sentences with a citation
    marked: int  # sentences that no source supports
    first_token_p50_ms: float | None
    first_token_p95_ms: float | None
    total_p50_ms: float | None
    total_p95_ms: float | None
    tokens_in: int | None  # of titles too
    tokens_out: int | None
    cost_usd: float | None
    proposed: float  # candidates of an answer, in the mean
    merged: float
    rejected: float
    returned: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseMetrics:
    """What a phase took, in milliseconds, in all the days that are kept."""

    phase: str
    answers: int
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """A question that nothing was found for."""

    question: str
    asked_at: datetime  # last
    times: int


class AnswerMetrics:
    """What the answers of a project took, kept for `days`; 0 keeps nothing."""

    def __init__(self, database: Database, project: str, *, days: int) -> None:
        self._database = database
        self._project = project
        self._days = days

    def beside(self, answer: Turn) -> Callable[[Connection[Any]], None]:
        """Writes the row of an answer in the transaction that it is given; in a second one, nothing."""
        return partial(self._write, {"metrics_id": uuid4(), "purpose": "answer", **self._kept, **_row(answer)})

    def _write(self, row: dict[str, object], connection: Connection[Any]) -> None:
        if self._days:
            connection.execute(_SQL["record"], row)

    def record(self, answer: Turn) -> None:
        """The same in a transaction of its own. What an answer took is not worth to lose the answer for."""
        self._record(self.beside(answer))

    def record_title(self, provider: str, usage: Usage) -> None:
        """What it took to ask what a conversation is to be called, beside the rows of answers."""
        asked = _row(Turn(role="assistant", content="", provider=provider, usage=usage))
        self._record(partial(self._write, {"metrics_id": uuid4(), "purpose": "title", **self._kept, **asked}))

    def _record(self, write: Callable[[Connection[Any]], None]) -> None:
        if self._days:
            with suppress(LegajoError), self._database.connection() as connection:
                connection.execute(_SQL["unhurried_commit"])
                write(connection)

    def days(self) -> list[DayMetrics]:
        """Day by day, the oldest first. What is older than it should be is removed."""
        with self._database.connection() as connection:
            connection.execute(_SQL["forget"], self._kept)
            return rows_of(connection, DayMetrics, _SQL["days"], self._kept)

    def phases(self) -> list[PhaseMetrics]:
        """Phase by phase."""
        return self._database.run(rows_of, PhaseMetrics, _SQL["phases"], self._kept)

    def cited_documents(self) -> dict[str, int]:
        """How many answers cite a document, by path, the most cited first; of the conversations that one may read."""
        with self._database.connection() as connection:
            return dict(
                connection.execute(_SQL["cited_documents"], {**self._kept, "limit": _MOST_DOCUMENTS}).fetchall()
            )

    def unanswered(self) -> list[Unanswered]:
        """The questions that met silence, the latest first; of the conversations that one may read."""
        return self._database.run(rows_of, Unanswered, _SQL["unanswered"], {**self._kept, "limit": _MOST_QUESTIONS})

    @property
    def _kept(self) -> dict[str, object]:
        return {"project": self._project, "days": self._days}


def _row(answer: Turn) -> dict[str, object]:
    funnel, usage = answer.funnel, answer.usage
    return {
        "provider": answer.provider,
        "phases": Jsonb({name: took for name, took in answer.metrics.items() if name not in _FELT}),
        "first_token_ms": answer.metrics.get("ttft"),
        "total_ms": answer.metrics.get("total"),
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost_usd": usage.cost_usd,
        "proposed": sum(funnel.generated.values()),
        "merged": funnel.merged,
        "rejected": sum(funnel.rejected.values()),
        "returned": funnel.returned,
        "cited": len(_MARKERS.findall(answer.content)) if answer.citations else 0,
        "marked": len(answer.unsupported),
        "abstained": answer.abstained,
        "incomplete": answer.incomplete,
        "error": answer.code,
    }
