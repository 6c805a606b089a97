"""Which candidates may answer: each rejection carries its reason. Pure functions over the ranked list."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from rag_system.query.identifiers import by_name, extract_identifiers, family, same_identifier
from rag_system.types import Candidate

__all__ = [
    "MENTIONED_IDENTIFIER",
    "Judge",
    "below_score",
    "below_similarity",
    "off_topic",
    "reject",
    "with_known_edition",
]

Reason = str
Judge = Callable[[Candidate], bool]  # True when the candidate must leave

MENTIONED_IDENTIFIER = 0.3  # metadata score of a document whose head mentions what was asked for

_DIGITS = re.compile(r"\d{2,}")


def reject(
    candidates: Sequence[Candidate], judges: Sequence[tuple[Reason, Judge]]
) -> tuple[list[Candidate], dict[Reason, list[Candidate]]]:
    """The candidates that every judge lets stay, and those that leave by their reason (the first one), all in order."""
    kept: list[Candidate] = []
    rejected: dict[Reason, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        reason = next((name for name, leaves in judges if leaves(candidate)), None)
        (kept if reason is None else rejected[reason]).append(candidate)
    return kept, dict(rejected)


def off_topic(identifiers: Sequence[str], candidates: Sequence[Candidate]) -> Judge:
    """Leaves when its document *is* something else of the family asked for, and neither its head nor its text names
    what was asked.

    Laws, decrees and resolutions are one family; standards are one for each issuer. Documents without identifiers of
    that family stay; several identifiers in a question are a union. An edition counts when one of `candidates` has it:
    «¿qué cambió de la ISO 27001:2013?» is answered by a guide to that of 2022. A norm asked for by its name alone
    counts when one of `candidates` says that it is it: others may be, under another name.
    """
    present = {identifier for candidate in candidates for identifier in candidate.chunk.identifiers}
    certain = [asked for asked in identifiers if not by_name(asked) or _any_same([asked], present)]
    asked = [with_known_edition(identifier, present) for identifier in certain]
    families = {family(identifier) for identifier in asked}

    @cache  # many candidates are of one document
    def is_another(own: tuple[str, ...]) -> bool:
        return any(family(i) in families for i in own) and not _any_same(asked, own)

    def leaves(candidate: Candidate) -> bool:
        named = candidate.scores.get("metadata", 0.0) >= MENTIONED_IDENTIFIER
        if named or not is_another(candidate.chunk.identifiers):
            return False
        text = candidate.chunk.text
        return not (_may_name(asked, text) and _any_same(asked, extract_identifiers(text)))

    return leaves


def with_known_edition(identifier: str, present: Iterable[str]) -> str:
    """The identifier as asked for when something present matches it, otherwise without its edition."""
    return identifier if _any_same([identifier], present) else identifier.partition("@")[0]


def below_score(minimum: float) -> Judge:
    """Leaves when its fused score is below `minimum`."""
    return lambda candidate: candidate.score < minimum


def below_similarity(minimum: float) -> Judge:
    """Leaves when the cosine of its vector with the question's, −1…1, is below `minimum`."""
    return lambda candidate: candidate.scores.get("semantic", 0.0) < minimum


def _any_same(asked: Iterable[str], found: Iterable[str]) -> bool:
    return any(same_identifier(a, f) for a in asked for f in found)


def _may_name(asked: Iterable[str], text: str) -> bool:
    """Cheaply: some number of what was asked stands in the text, or what was asked has no number."""
    plain = text.replace(".", "")
    return any(number in plain for identifier in asked for number in _DIGITS.findall(identifier) or [""])
