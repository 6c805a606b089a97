"""What happened between the candidates and the results, as one frozen value that people and programs read. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rag_system.query.text import matching_words
from rag_system.search.request import SearchRequest
from rag_system.search.selection import Selection
from rag_system.search.strategies import Expansion
from rag_system.search.table import Ranking, Row
from rag_system.types import Chunk, Funnel, Reading, Rejection, Survivor

__all__ = ["EXAMPLES", "examples", "grouped", "trace"]

EXAMPLES = 3  # rejected passages named for each reason, the best ones: a person can object to these

SPREAD = ("", "semantic", "lexical", "expansion")  # scores without a unit of their own; "" is the fused one

Groups = Mapping[str, Sequence[Row]]
ChunkOf = Callable[[Row], Chunk]


def grouped(ranking: Ranking, selection: Selection) -> Groups:
    """By reason, the candidates that are not among the results."""
    repeats = [repeat for repeat, _ in selection.repeats]
    gone = {*selection.chosen, *repeats}
    behind = [row for row in ranking.kept if row not in gone]
    return {
        **ranking.rejected,
        "near_duplicate": repeats,
        "beyond_top_k": behind,
    }


def examples(ranking: Ranking, groups: Groups) -> Iterator[tuple[str, Row]]:
    """The best of each reason."""
    for reason, group in groups.items():
        for row in sorted(group, key=ranking.fused.__getitem__, reverse=True)[:EXAMPLES]:
            yield reason, row


def trace(ranking: Ranking, selection: Selection, chunk_of: ChunkOf, *, absent: Sequence[str] = ()) -> Funnel:
    """The way of a question. `chunk_of` is asked for the results and for the examples of those that are none.

    `absent` are the norms asked for that no candidate's document is.
    """
    request = ranking.request
    groups = grouped(ranking, selection)
    levels = _Levels(ranking)
    terms = [*request.terms, *(request.broader_terms() if Expansion.name in ranking.proposals else ())]
    return Funnel(
        generated={name: len(ids) for name, ids in ranking.proposals.items()},
        merged=len(ranking.fused),
        rejected={reason: len(group) for reason, group in groups.items()},
        returned=len(selection.chosen),
        reading=_reading(request, absent),
        survivors=tuple(_survivors(ranking, selection, levels, chunk_of, terms)),
        examples=tuple(_rejections(ranking, selection, groups, levels, chunk_of)),
        projects=request.collection.names if request.collection.is_wide else (),
        documents=tuple(request.within.documents) if request.within else (),
        outside=request.within.outside if request.within else 0,
        yielded=tuple(request.yielded),
    )


class _Levels:
    """Scores in one unit, 0…1. Cosines and BM25 have none that a person could judge: they are spread between the worst
    and the best candidate of this question, as the fused score is. Other strategies score in 0…1 already."""

    def __init__(self, ranking: Ranking) -> None:
        known = {**ranking.scores, **{name: list(judged.values()) for name, judged in ranking.judged.items()}}
        self._ranges = {name: _range(name, scores) for name, scores in known.items()}
        self._fused = _range("", ranking.fused)

    def fused(self, score: float) -> float:
        return _level(score, self._fused)

    def each(self, scores: Mapping[str, float]) -> dict[str, float]:
        return {name: _level(score, self._ranges[name]) for name, score in scores.items()}


def _range(name: str, scores: Sequence[float]) -> tuple[float, float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return (0.0, 1.0) if name not in SPREAD and low >= 0 and high <= 1 else (low, high)


def _level(score: float, bounds: tuple[float, float]) -> float:
    """0…1; where all score alike, 1 for what scores at all."""
    low, high = bounds
    return round((score - low) / (high - low), 4) if high > low else float(score > 0)


def _survivors(
    ranking: Ranking, selection: Selection, levels: _Levels, chunk_of: ChunkOf, terms: Sequence[str]
) -> Iterator[Survivor]:
    least = float("inf")  # score of those above
    proposed = {name: frozenset(ids) for name, ids in ranking.proposals.items()}
    for row in selection.chosen:
        chunk, score, scores = chunk_of(row), ranking.fused[row], ranking.scores_of(row)
        found = matching_words(chunk.text, terms)
        above = matching_words(f"{chunk.title} {chunk.section}", [term for term in terms if term not in found])
        yield Survivor(
            project=chunk.project,
            chunk_id=chunk.chunk_id,
            path=chunk.path,
            page=chunk.page_first,
            section=chunk.section,
            score=score,
            level=levels.fused(score),
            scores=scores,
            levels=levels.each(scores),
            proposed_by=tuple(name for name, ids in proposed.items() if ranking.table.chunk_ids[row] in ids),
            words=tuple(dict.fromkeys(found.values())),
            heading_words=tuple(dict.fromkeys(above.values())),
            guaranteed=row in selection.guaranteed,
            ceded=least < score,
            state=chunk.state.label if chunk.state else "",
        )
        least = min(least, score)


def _rejections(
    ranking: Ranking, selection: Selection, groups: Groups, levels: _Levels, chunk_of: ChunkOf
) -> Iterator[Rejection]:
    better = dict(selection.repeats)
    for reason, row in examples(ranking, groups):
        chunk = chunk_of(row)
        yield Rejection(
            reason=reason,
            project=chunk.project,
            chunk_id=chunk.chunk_id,
            path=chunk.path,
            page=chunk.page_first,
            section=chunk.section,
            level=levels.fused(ranking.fused[row]),
            identifiers=chunk.identifiers,
            repeats=chunk_of(better[row]).path if row in better else "",
        )


def _reading(request: SearchRequest, absent: Sequence[str]) -> Reading:
    plan = request.plan
    return Reading(
        standalone_question=plan.standalone_question,
        reformulated=plan.reformulated,
        dense_query=request.dense_query,
        words=tuple(dict.fromkeys(matching_words(plan.standalone_question, request.terms).values())),
        angles=plan.angles,
        identifiers=plan.identifiers,
        absent=tuple(absent),
        elsewhere=request.elsewhere,
        authors=plan.authors,
        years=plan.years,
        notices=plan.notices,
    )
