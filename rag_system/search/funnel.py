"""What happened between the candidates and the results, as one frozen value that people and programs read. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rag_system.query.identifiers import same_identifier
from rag_system.query.text import matching_words
from rag_system.search.selection import Selection
from rag_system.search.strategies import Expansion, Probe
from rag_system.types import Candidate, Funnel, Reading, Rejection, Survivor

__all__ = ["trace"]

EXAMPLES = 3  # rejected passages named for each reason, the best ones: a person can object to these

SPREAD = ("", "semantic", "lexical", "expansion")  # scores without a unit of their own; "" is the fused one

Groups = Mapping[str, Sequence[Candidate]]


def trace(
    probe: Probe,
    proposals: Mapping[str, Sequence[int]],
    *,
    ranked: Sequence[Candidate],
    rejected: Groups,
    selection: Selection,
) -> Funnel:
    """The way of a question: `proposals` are the chunk ids of each strategy, `ranked` is their union."""
    chosen = {candidate.chunk.chunk_id for candidate in selection.chosen}
    repeats = {repeat.chunk.chunk_id: better for repeat, better in selection.repeats}
    gone = chosen | repeats.keys() | {c.chunk.chunk_id for group in rejected.values() for c in group}
    groups: Groups = {
        **rejected,
        "near_duplicate": [repeat for repeat, _ in selection.repeats],
        "beyond_top_k": [candidate for candidate in ranked if candidate.chunk.chunk_id not in gone],
    }
    levels = _Levels(ranked)
    terms = [*probe.terms, *(probe.broader_terms() if Expansion.name in proposals else ())]
    return Funnel(
        generated={name: len(ids) for name, ids in proposals.items()},
        merged=len(ranked),
        rejected={reason: len(group) for reason, group in groups.items()},
        returned=len(selection.chosen),
        reading=_reading(probe, ranked),
        survivors=tuple(
            replace(
                _survivor(candidate, levels, proposals, terms),
                guaranteed=candidate in selection.guaranteed,
                ceded=any(above.score < candidate.score for above in selection.chosen[:rank]),
            )
            for rank, candidate in enumerate(selection.chosen)
        ),
        examples=tuple(_examples(groups, levels, repeats)),
        documents=tuple(probe.facet.documents) if probe.facet else (),
        outside=probe.facet.outside if probe.facet else 0,
    )


class _Levels:
    """Scores in one unit, 0…1. Cosines and BM25 have none that a person could judge: they are spread between the worst
    and the best candidate of this question, as the fused score is. Other strategies score in 0…1 already."""

    def __init__(self, ranked: Sequence[Candidate]) -> None:
        names = {name for candidate in ranked for name in candidate.scores}  # a reranker scores only the best
        self._ranges = {name: _range(name, [c.scores[name] for c in ranked if name in c.scores]) for name in names}
        self._fused = _range("", [c.score for c in ranked])

    def fused(self, candidate: Candidate) -> float:
        return _level(candidate.score, self._fused)

    def each(self, candidate: Candidate) -> dict[str, float]:
        return {name: _level(score, self._ranges[name]) for name, score in candidate.scores.items()}


def _range(name: str, scores: Sequence[float]) -> tuple[float, float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return (0.0, 1.0) if name not in SPREAD and low >= 0 and high <= 1 else (low, high)


def _level(score: float, bounds: tuple[float, float]) -> float:
    """0…1; where all score alike, 1 for what scores at all."""
    low, high = bounds
    return round((score - low) / (high - low), 4) if high > low else float(score > 0)


def _survivor(
    candidate: Candidate, levels: _Levels, proposals: Mapping[str, Sequence[int]], terms: Sequence[str]
) -> Survivor:
    chunk = candidate.chunk
    found = matching_words(chunk.text, terms)
    above = matching_words(f"{chunk.title} {chunk.section}", [term for term in terms if term not in found])
    return Survivor(
        chunk_id=chunk.chunk_id,
        path=chunk.path,
        page=chunk.page_first,
        section=chunk.section,
        score=candidate.score,
        level=levels.fused(candidate),
        scores=candidate.scores,
        levels=levels.each(candidate),
        proposed_by=tuple(name for name, ids in proposals.items() if chunk.chunk_id in ids),
        words=tuple(dict.fromkeys(found.values())),
        heading_words=tuple(dict.fromkeys(above.values())),
    )


def _examples(groups: Groups, levels: _Levels, repeats: Mapping[int, Candidate]) -> Iterator[Rejection]:
    for reason, group in groups.items():
        for candidate in sorted(group, key=lambda each: -each.score)[:EXAMPLES]:
            chunk, better = candidate.chunk, repeats.get(candidate.chunk.chunk_id)
            yield Rejection(
                reason=reason,
                chunk_id=chunk.chunk_id,
                path=chunk.path,
                page=chunk.page_first,
                section=chunk.section,
                level=levels.fused(candidate),
                identifiers=chunk.identifiers,
                repeats=better.chunk.path if better else "",
            )


def _reading(probe: Probe, ranked: Sequence[Candidate]) -> Reading:
    plan = probe.plan
    present = {identifier for candidate in ranked for identifier in candidate.chunk.identifiers}
    elsewhere = tuple(probe.facet.elsewhere) if probe.facet else ()
    known = {*present, *elsewhere}
    return Reading(
        standalone_question=plan.standalone_question,
        reformulated=plan.reformulated,
        dense_query=probe.dense_query,
        words=tuple(dict.fromkeys(matching_words(plan.standalone_question, probe.terms).values())),
        angles=plan.angles,
        identifiers=plan.identifiers,
        absent=tuple(asked for asked in plan.identifiers if not any(same_identifier(asked, own) for own in known)),
        elsewhere=elsewhere,
        authors=plan.authors,
        years=plan.years,
        notices=plan.notices,
    )
