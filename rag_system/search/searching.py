"""From a probe to a ranked list: a round trip for words, one for meaning, one for texts, one for what stands beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from pgvector import HalfVector
from psycopg import Connection

from rag_system.query.identifiers import same_identifier
from rag_system.search.filters import Judge, below_score, below_similarity, off_topic, reject
from rag_system.search.funnel import trace
from rag_system.search.fusion import fuse
from rag_system.search.passages import as_passages, read_around
from rag_system.search.reranking import Reranker, rerank
from rag_system.search.selection import select
from rag_system.search.strategies import (
    Angles,
    Article,
    CitationCue,
    Cosine,
    Expansion,
    Graph,
    LengthPrior,
    Lexical,
    Metadata,
    Probe,
    Semantic,
    Strategy,
    Table,
)
from rag_system.storage.sql import queries
from rag_system.types import Candidate, Chunk, SearchResult

__all__ = ["Ranking", "choose", "find", "find_chunk", "read_again", "widen"]

_CHUNKS = queries("rag_system.search", "chunks.sql")

WIDENED_PER_PLACE = 2  # candidates widened for each result: some fall into others' passages, repeat or crowd


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Every candidate of a question with its score, before the final pick."""

    probe: Probe
    proposals: Mapping[str, Sequence[int]]  # strategy → chunk ids
    kept: Sequence[Candidate]  # those that may answer, best first
    rejected: Mapping[str, Sequence[Candidate]]  # reason → those that may not
    timings_ms: Mapping[str, float]


def find(connection: Connection, probe: Probe) -> Ranking:
    """All that the strategies propose, ranked and filtered: all that a reranker needs."""
    started = perf_counter()
    strategies, proposals, table, waited = _gather(connection, probe)
    gathered = perf_counter()
    ranked = _rank(strategies, table, probe)
    kept, rejected = reject(ranked, _judges(probe, ranked))
    timings = {"database": (gathered - started - waited) * 1e3, "ranking": (perf_counter() - gathered) * 1e3}
    return Ranking(probe=probe, proposals=proposals, kept=kept, rejected=rejected, timings_ms=timings)


def read_again(ranking: Ranking, reranker: Reranker) -> Ranking:
    """The ranking after `reranker` read as many of the best as the recipe says."""
    started = perf_counter()
    plan, depth = ranking.probe.plan, ranking.probe.recipe.rerank
    kept = rerank(ranking.kept, plan.standalone_question, reranker, depth=depth)
    timings = {**ranking.timings_ms, "reranking": (perf_counter() - started) * 1e3}
    return replace(ranking, kept=kept, timings_ms=timings)


def widen(connection: Connection, ranking: Ranking) -> Ranking:
    """The ranking with its best chunks widened to passages, where the recipe gives them room."""
    probe = ranking.probe
    if not probe.recipe.passage_chars:
        return ranking
    started = perf_counter()
    best = ranking.kept[: WIDENED_PER_PLACE * probe.top_k]
    around = read_around(connection, probe.project.project_id, best)
    kept, absorbed = as_passages(ranking.kept, around, longest=probe.recipe.passage_chars)
    timings = {**ranking.timings_ms, "passages": (perf_counter() - started) * 1e3}
    return replace(ranking, kept=kept, rejected={**ranking.rejected, "same_passage": absorbed}, timings_ms=timings)


def choose(ranking: Ranking) -> SearchResult:
    """The chunks that answer, best first, with what happened on the way."""
    started = perf_counter()
    probe, kept, rejected = ranking.probe, ranking.kept, ranking.rejected
    wanted = list(CitationCue(probe.plan).both_sides(kept)) if _by_citation(probe) else []
    selection = select(kept, recipe=probe.recipe, top_k=probe.top_k, identifiers=probe.identifiers, wanted=wanted)
    ranked = [*kept, *(candidate for group in rejected.values() for candidate in group)]
    elsewhere = tuple(probe.facet.elsewhere) if probe.facet else ()
    funnel = trace(probe, ranking.proposals, ranked=ranked, rejected=rejected, selection=selection)
    took = {"ranking": ranking.timings_ms["ranking"] + (perf_counter() - started) * 1e3}
    return SearchResult(
        candidates=selection.chosen,
        absent=tuple(asked for asked in probe.plan.identifiers if not _is_there(asked, ranked, elsewhere)),
        elsewhere=elsewhere,
        funnel=funnel,
        timings_ms={**ranking.timings_ms, **took},
    )


def _is_there(asked: str, ranked: Sequence[Candidate], elsewhere: Sequence[str]) -> bool:
    """Whether a norm asked for is the document of some candidate, or one that the search was not to look into."""
    known = {*elsewhere, *(identifier for candidate in ranked for identifier in candidate.chunk.identifiers)}
    return any(same_identifier(asked, own) for own in known)


def _gather(connection: Connection, probe: Probe) -> tuple[list[Strategy], dict[str, list[int]], Table, float]:
    """Ask the recipe's strategies, then read the texts of the union; at the end, the seconds waited for the vector.

    Words first, while the question's vector may still be under way; meaning in a round trip of its own.
    """
    lexical = Lexical(probe)
    metadata = Metadata(probe, lexical)
    known: list[Strategy] = [Semantic(probe), lexical, metadata, Article(probe, metadata), Graph(probe)]
    if probe.angle_vectors:
        known.append(Angles(probe))
    strategies = [strategy for strategy in known if probe.recipe.uses(strategy.name)]
    by_words = [strategy for strategy in strategies if not isinstance(strategy, Semantic | Angles)]
    by_meaning = [strategy for strategy in strategies if isinstance(strategy, Semantic | Angles)]
    asked = _ask(connection, by_words)
    started = perf_counter()
    probe.embedded()
    waited = perf_counter() - started
    asked |= _ask(connection, by_meaning)
    proposals = {strategy.name: asked[strategy.name] for strategy in strategies}
    merged = {i for ids in proposals.values() for i in ids}
    if len(merged) < probe.top_k and probe.recipe.uses(Expansion.name) and probe.broader_terms():
        strategies.append(expansion := Expansion(probe))
        proposals |= _ask(connection, [expansion])
        merged |= set(proposals[expansion.name])
    table = _hydrate(connection, probe, sorted(merged))
    return strategies, proposals, table, waited


def _ask(connection: Connection, strategies: Sequence[Strategy]) -> dict[str, list[int]]:
    """What the strategies propose, in one round trip."""
    if not strategies:
        return {}
    with connection.pipeline():
        for strategy in strategies:
            strategy.send(connection)
    return {strategy.name: strategy.propose() for strategy in strategies}


def _hydrate(connection: Connection, probe: Probe, ids: Sequence[int]) -> Table:
    key = {
        "project": probe.project.project_id,
        "ids": list(ids),
        "vector": HalfVector(probe.vector),
        "with_entities": probe.recipe.uses(Graph.name),
    }
    rows = connection.execute(_CHUNKS["hydrate"], key).fetchall()
    rows.sort(key=lambda row: row[0])
    return Table(
        chunks=[_chunk(row[:9], identifiers=row[9]) for row in rows],
        similarities=np.array([row[10] for row in rows], np.float32),
        languages=[row[-1] for row in rows],
        entities=[row[11] for row in rows],
    )


def _rank(strategies: Sequence[Strategy], table: Table, probe: Probe) -> list[Candidate]:
    if not table.chunks:
        return []
    columns = {strategy.name: strategy.column(table) for strategy in strategies}
    if _by_citation(probe):
        columns[CitationCue.name] = CitationCue(probe.plan).column(table)
    if probe.recipe.uses(LengthPrior.name):
        columns[LengthPrior.name] = LengthPrior().column(table)
    if (cosine := Cosine(probe.project)).differs:
        columns[cosine.name] = cosine.column(table)
    fused = fuse(columns, probe.recipe)
    best_first = np.argsort(-fused, kind="stable")
    scores = np.stack([fused, *columns.values()], axis=1, dtype=np.float64)[best_first].round(6).tolist()
    return [
        Candidate(chunk=table.chunks[i], score=row[0], scores=dict(zip(columns, row[1:], strict=True)))
        for i, row in zip(best_first, scores, strict=True)
    ]


def _by_citation(probe: Probe) -> bool:
    return probe.plan.citation and probe.recipe.uses(CitationCue.name)


def _judges(probe: Probe, ranked: Sequence[Candidate]) -> list[tuple[str, Judge]]:
    by_topic = [("off_topic", off_topic(probe.identifiers, ranked))] if probe.identifiers else []
    return [
        *by_topic,
        ("below_min_similarity", below_similarity(probe.recipe.min_similarity)),
        ("below_min_score", below_score(probe.recipe.min_score)),
    ]


def find_chunk(connection: Connection, project: str, chunk_id: int) -> Chunk | None:
    """One chunk, if it is still there."""
    row = connection.execute(_CHUNKS["one"], {"project": project, "chunk_id": chunk_id}).fetchone()
    return _chunk(row) if row else None


def _chunk(row: Sequence[Any], *, identifiers: Sequence[str] = ()) -> Chunk:
    chunk_id, document_id, path, title, heading_path, page_first, page_last, starts, text = row
    return Chunk(
        chunk_id=chunk_id,
        document_id=document_id,
        path=path,
        title=title,
        heading_path=tuple(heading_path),
        page_first=page_first,
        page_last=page_last,
        text=text,
        identifiers=tuple(identifiers),
        page_starts=tuple(starts or ()),
    )
