"""From a request to its passages: the candidates are ranked as columns; the best are read, and picked from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
from psycopg import Connection

from rag_system.query.identifiers import same_identifier
from rag_system.query.joining import join
from rag_system.search.filters import Judge, below, off_topic, reject
from rag_system.search.funnel import EXAMPLES, examples, grouped, trace
from rag_system.search.fusion import fuse
from rag_system.search.in_force import force, repealed_documents
from rag_system.search.passages import Passages, as_passages, goes_on, near
from rag_system.search.request import SearchRequest
from rag_system.search.reranking import shown
from rag_system.search.selection import Selection, select
from rag_system.search.strategies import (
    Angles,
    Article,
    CitationCue,
    Conversation,
    Cosine,
    Definition,
    Expansion,
    Graph,
    Heading,
    Lexical,
    Metadata,
    Semantic,
    Strategy,
)
from rag_system.search.table import Column, Ranking, Row, Table, read_table
from rag_system.search.texts import Texts
from rag_system.types import Candidate, Passage, SearchResult

__all__ = ["choose", "find"]

READ_PER_PLACE = 2  # candidates read and widened for each result: some fall into others' passages, repeat or crowd


def find(connection: Connection, request: SearchRequest) -> Ranking:
    """All that the strategies propose, ranked and filtered: all that a reranker needs."""
    started = perf_counter()
    strategies, proposals, waited = _gather(connection, request)
    table = read_table(connection, request, sorted({i for ids in proposals.values() for i in ids}))
    repealing = [project.project_id for project in request.collection.projects if project.has_repeals]
    repealed = repealed_documents(connection, repealing, table.document_ids) if repealing else {}
    table = table.with_repealed(repealed)
    gathered = perf_counter()
    order, fused, scores = _rank(strategies, table, request)
    kept, rejected = reject(order, _judges(request, table, fused, scores))
    timings = {"database": (gathered - started - waited) * 1e3, "ranking": (perf_counter() - gathered) * 1e3}
    return Ranking(
        request=request,
        proposals=proposals,
        table=table,
        fused=fused,
        scores=scores,
        repealed=repealed,
        kept=kept,
        rejected=rejected,
        shown=_shown(connection, request, table, kept[: request.recipe.rerank]),
        timings_ms=timings,
    )


def choose(connection: Connection, ranking: Ranking) -> SearchResult:
    """The passages that answer, best first, with what happened on the way."""
    started = perf_counter()
    texts = _read_best(connection, ranking)
    ranking, passages = _widen(ranking, texts)
    read = perf_counter()
    selection = select(ranking, _text_of(ranking, texts), wanted=_wanted(ranking))
    ids, absent = ranking.table.chunk_ids, _absent(ranking)
    told = (row for _, row in examples(ranking, grouped(ranking, selection)))
    texts.read(ids[row] for row in (*selection.chosen, *told))  # what was given a place may stand far down
    funnel = trace(ranking, selection, lambda row: texts.chunk(ids[row]), absent=absent)
    took = {"passages": (read - started) * 1e3, "ranking": (perf_counter() - read) * 1e3}
    return SearchResult(
        candidates=tuple(_candidates(ranking, selection, texts, passages)),
        absent=absent,
        elsewhere=ranking.request.elsewhere,
        funnel=funnel,
        timings_ms={**ranking.timings_ms, **took, "ranking": ranking.timings_ms["ranking"] + took["ranking"]},
    )


# ---------------------------------------------------------------- who proposes what


def _gather(connection: Connection, request: SearchRequest) -> tuple[list[Strategy], dict[str, list[int]], float]:
    """Ask the recipe's strategies in one round trip; at the end, the seconds waited for the vector.

    Words first: the database looks them up while the question's vector may still be under way.
    """
    lexical = Lexical(request)
    metadata = Metadata(request, lexical)
    known: list[Strategy] = [Semantic(request), lexical, metadata, Article(request, metadata)]
    known += [Heading(request), Definition(request), Graph(request)]
    known += [Angles(request)] if request.angle_vectors else []
    known += [Conversation(request)] if request.cited else []
    strategies = [strategy for strategy in known if request.recipe.uses(strategy.name)]
    by_meaning = [strategy for strategy in strategies if isinstance(strategy, Semantic | Angles)]
    with connection.pipeline():
        for strategy in strategies:
            if strategy not in by_meaning:
                strategy.send(connection)
        started = perf_counter()
        request.embedded()
        waited = perf_counter() - started
        for strategy in by_meaning:
            strategy.send(connection)
    proposals = {strategy.name: strategy.propose() for strategy in strategies}
    found = {i for ids in proposals.values() for i in ids}
    if len(found) < request.top_k and request.recipe.uses(Expansion.name) and request.broader_terms():
        strategies.append(expansion := Expansion(request))
        with connection.pipeline():
            expansion.send(connection)
        proposals[expansion.name] = expansion.propose()
    return strategies, proposals, waited


# ---------------------------------------------------------------- ranking


def _rank(
    strategies: Sequence[Strategy], table: Table, request: SearchRequest
) -> tuple[list[Row], list[float], dict[str, list[float]]]:
    """The rows, best first, their fused scores and those of each strategy."""
    if not len(table):
        return [], [], {}
    columns: dict[str, Column] = {strategy.name: strategy.column(table) for strategy in strategies}
    if _by_citation(request):
        columns[CitationCue.name] = CitationCue(request.plan).column(table)
    if (cosine := Cosine(request.collection)).differs:
        columns[cosine.name] = cosine.column(table)
    fused = fuse(columns, request.recipe) - force(table, past=request.plan.past)
    order: list[Row] = np.argsort(-fused, kind="stable").tolist()
    rounded = np.stack([fused, *columns.values()], dtype=np.float64).round(6).tolist()
    return order, rounded[0], dict(zip(columns, rounded[1:], strict=True))


def _by_citation(request: SearchRequest) -> bool:
    return request.plan.citation and request.recipe.uses(CitationCue.name)


def _judges(
    request: SearchRequest, table: Table, fused: Sequence[float], scores: Mapping[str, Sequence[float]]
) -> list[tuple[str, Judge]]:
    nothing = [0.0] * len(table)
    judges = [
        ("below_min_similarity", below(request.recipe.min_similarity, scores.get(Semantic.name, nothing))),
        ("below_min_score", below(request.recipe.min_score, fused)),
    ]
    if not request.identifiers:
        return judges
    return [("off_topic", off_topic(request.identifiers, table, scores.get(Metadata.name, nothing))), *judges]


def _absent(ranking: Ranking) -> tuple[str, ...]:
    """The norms asked for that no candidate's document is, nor one that the search was not to look into."""
    request = ranking.request
    known = {*request.elsewhere, *(identifier for own in ranking.table.identifiers for identifier in own)}
    return tuple(asked for asked in request.plan.identifiers if not any(same_identifier(asked, own) for own in known))


# ---------------------------------------------------------------- reading the best


def _read_best(connection: Connection, ranking: Ranking) -> Texts:
    """Those that can be among the results or among the examples, with what may complete them."""
    texts = Texts(connection, ranking.request.collection, repealed=ranking.repealed)
    ids = ranking.table.chunk_ids
    best = _best(ranking)
    likely = [*ranking.kept[: len(best) + EXAMPLES], *(row for _, row in examples(ranking, ranking.rejected))]
    texts.read([*(ids[row] for row in likely), *_beside(ranking, best)])
    return texts


def _best(ranking: Ranking) -> Sequence[Row]:
    return ranking.kept[: READ_PER_PLACE * ranking.request.top_k]


def _beside(ranking: Ranking, best: Sequence[Row]) -> list[int]:
    """What may complete the best, and the other candidates that stand beside that."""
    if not ranking.request.recipe.passage_chars:
        return []
    ids = ranking.table.chunk_ids
    around = near(ids[row] for row in best)
    return [*around, *(ids[row] for row in ranking.kept if not around.isdisjoint((ids[row] - 1, ids[row] + 1)))]


def _widen(ranking: Ranking, texts: Texts) -> tuple[Ranking, Passages]:
    """The ranking without what fell into a better one's passage, where the recipe gives passages room."""
    longest, ids = ranking.request.recipe.passage_chars, ranking.table.chunk_ids
    if not longest:
        return ranking, Passages(runs={}, absorbed=())
    best = _best(ranking)
    documents = {ranking.table.document_ids[row] for row in best}
    beside = texts.pieces.keys() & near(ids[row] for row in best)
    around = {i for i in beside if texts.pieces[i].document_id in documents}
    passages = as_passages([ids[row] for row in ranking.kept], texts.pieces, around=around, longest=longest)
    kept = [row for row in ranking.kept if ids[row] in passages.runs]
    gone = [row for row in ranking.kept if ids[row] not in passages.runs]
    return replace(ranking, kept=kept, rejected={**ranking.rejected, "same_passage": gone}), passages


def _text_of(ranking: Ranking, texts: Texts) -> Callable[[Row], str]:
    """Gives a candidate's text; one that was not read yet comes with the best others that were not."""
    ids = ranking.table.chunk_ids

    def text_of(row: Row) -> str:
        if ids[row] not in texts.pieces:
            unread = [ids[other] for other in ranking.kept if ids[other] not in texts.pieces]
            texts.read([ids[row], *unread[: READ_PER_PLACE * ranking.request.top_k]])
        return texts.pieces[ids[row]].text

    return text_of


def _wanted(ranking: Ranking) -> list[Row]:
    if not _by_citation(ranking.request):
        return []
    return list(CitationCue(ranking.request.plan).both_sides(ranking.kept, ranking.table))


def _candidates(ranking: Ranking, selection: Selection, texts: Texts, passages: Passages) -> Iterator[Candidate]:
    for row in selection.chosen:
        chunk_id = ranking.table.chunk_ids[row]
        run = passages.runs.get(chunk_id, (chunk_id,))
        found = Candidate(
            chunk=texts.chunk(chunk_id),
            score=ranking.fused[row],
            scores=ranking.scores_of(row),
            passage=_passage(texts, run),
        )
        yield replace(found, goes_on=goes_on(found.text, texts.pieces[run[-1]], texts.pieces.get(run[-1] + 1)))


def _passage(texts: Texts, run: Sequence[int]) -> Passage | None:
    if len(run) < 2:
        return None
    return Passage(chunks=tuple(map(texts.chunk, run)), text=join([texts.pieces[i] for i in run]))


def _shown(connection: Connection, request: SearchRequest, table: Table, rows: Sequence[Row]) -> list[str]:
    """What a reranker reads: it takes long, and holds no connection meanwhile."""
    texts = Texts(connection, request.collection)
    ids = [table.chunk_ids[row] for row in rows]
    texts.read(ids)
    return [shown(texts.chunk(chunk_id)) for chunk_id in ids]
