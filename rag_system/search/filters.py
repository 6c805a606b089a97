"""Which candidates may answer: each rejection carries its reason. Pure functions over the ranked list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rag_system.query.identifiers import extract_identifiers, kind, same_identifier
from rag_system.types import Candidate, QueryPlan

__all__ = ["Judge", "below_score", "off_topic", "reject", "with_known_edition"]

Reason = str
Judge = Callable[[Candidate], bool]  # True when the candidate must leave

_DIGITS = re.compile(r"\d{2,}")


def reject(
    candidates: Sequence[Candidate], judges: Sequence[tuple[Reason, Judge]]
) -> tuple[list[Candidate], Counter[Reason]]:
    """The candidates that every judge lets stay, in order, and how many left for which reason (the first one)."""
    kept: list[Candidate] = []
    reasons: Counter[Reason] = Counter()
    for candidate in candidates:
        reason = next((name for name, leaves in judges if leaves(candidate)), None)
        if reason is None:
            kept.append(candidate)
        else:
            reasons[reason] += 1
    return kept, reasons


def off_topic(plan: QueryPlan, candidates: Sequence[Candidate]) -> Judge:
    """Leaves when its document *is* something else of the kind asked for, and its text does not name what was asked.

    Documents without identifiers of that kind stay; several identifiers in a question are a union. An edition counts
    when one of `candidates` has it: «¿qué cambió de la ISO 27001:2013?» is answered by a guide to that of 2022.
    """
    present = {identifier for candidate in candidates for identifier in candidate.chunk.identifiers}
    asked = [with_known_edition(identifier, present) for identifier in plan.identifiers]
    kinds = {kind(identifier) for identifier in asked}

    def leaves(candidate: Candidate) -> bool:
        rivals = [i for i in candidate.chunk.identifiers if kind(i) in kinds]
        if not rivals or _any_same(asked, candidate.chunk.identifiers):
            return False
        return not (
            _may_name(asked, candidate.chunk.text) and _any_same(asked, extract_identifiers(candidate.chunk.text))
        )

    return leaves


def with_known_edition(identifier: str, present: Iterable[str]) -> str:
    """The identifier as asked for when something present matches it, otherwise without its edition."""
    return identifier if _any_same([identifier], present) else identifier.partition("@")[0]


def below_score(minimum: float) -> Judge:
    """Leaves when its fused score is below `minimum`."""
    return lambda candidate: candidate.score < minimum


def _any_same(asked: Iterable[str], found: Iterable[str]) -> bool:
    return any(same_identifier(a, f) for a in asked for f in found)


def _may_name(asked: Iterable[str], text: str) -> bool:
    """Cheaply: some number of what was asked stands in the text, or what was asked has no number."""
    plain = text.replace(".", "")
    return any(number in plain for identifier in asked for number in _DIGITS.findall(identifier) or [""])
