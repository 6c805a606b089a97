"""The sources that the product gives to whoever answers, for questions with known answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.project_assistant import ProjectAssistant
from rag_system.scope import Scope
from rag_system.types import Answer, Evidence, Finished, QueryPlan, Retrieved, SearchResult

__all__ = ["Asked", "ask_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question's way through the product, without a model."""

    plan: QueryPlan
    found: SearchResult
    evidence: Sequence[Evidence]
    answer: Answer


def ask_all(project: ProjectAssistant, questions: Sequence[Mapping[str, str]]) -> Iterator[Asked]:
    """Each question in turn."""
    scope = Scope(provider="extractive")
    for row in questions:
        plan = project.pipeline.plan(row["question"])
        found, evidence, answer = SearchResult(), (), Answer(text="")
        for event in project.pipeline.stream(row["question"], scope=scope):
            if isinstance(event, Retrieved):
                found, evidence = event.search, event.evidence
            elif isinstance(event, Finished):
                answer = event.answer
        yield Asked(plan=plan, found=found, evidence=evidence, answer=answer)
