"""What each rule, table and cue is worth: every set is asked with all of them, and again without each.

    scripts/ablate [--set manuales tesis statutes] [--statutes DIR] [--only NAME…]

A part stays in the product only while some collection that it was not written for loses at least half a percent
without it. A new part joins `PARTS` with the way to switch it off. What is printed is the number of answers that are
others without it, and of those that were right with it alone and without it alone, where any were.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from evaluation.measure import SETS, Row, folders_of, held, opened, read_set
from rag_system.generation.confidence import Doubt
from rag_system.query.citations import CitationCue
from rag_system.query.rereading import dense_queries
from rag_system.search import recipes
from rag_system.types import QueryPlan

SHOWN = ("phrase@1", "phrase@5", "first", "any", "silent", "nearest")
_PRODUCT = "rag_system."
_READING = tuple(f"{_PRODUCT}{name}" for name in ("generation", "query", "search"))
_NEVER = re.compile(r"(?!)")

Switch = Callable[[], AbstractContextManager[Any]]
Held = tuple[frozenset[str], str]


def _instead(value: Any, *places: str) -> Switch:
    """Something else in the place of what a module has."""

    @contextmanager
    def without() -> Iterator[None]:
        with ExitStack() as stack:
            for place in places:
                stack.enter_context(patch(f"{_PRODUCT}{place}", value))
            yield

    return without


def _giving(value: Any, *places: str) -> Switch:
    """A function that gives always the same."""
    return _instead(lambda *_, **__: value, *places)


def _as_it_was(*places: str) -> Switch:
    """A function that gives back what it is given first."""
    return _instead(lambda first, *_, **__: first, *places)


def _first_query(plan: QueryPlan, *, by_identifier: bool) -> list[str]:
    return dense_queries(plan, by_identifier=by_identifier)[:1]


def _recipe(**changed: Any) -> Switch:
    """The default recipe, changed."""

    @contextmanager
    def without() -> Iterator[None]:
        with patch.dict(recipes.RECIPES, {"default": replace(recipes.RECIPES["default"], **changed)}):
            yield

    return without


def _weight(*strategies: str) -> Switch:
    """The default recipe without strategies."""
    return _recipe(weights={**recipes.RECIPES["default"].weights, **dict.fromkeys(strategies, 0.0)})


PARTS: Mapping[str, Switch] = {
    # how a question is read
    "courtesy": _as_it_was("query.plan.strip_courtesy", "query.reformulation.strip_courtesy"),
    "shorthand": _as_it_was("query.plan.shorthand_in_full", "query.reformulation.shorthand_in_full"),
    "spelling": _giving({}, "query.rereading.corrections"),
    "broader words": _giving([], "search.strategies.lexical.expand"),
    "authors and years": _giving(CitationCue(), "query.plan.find_citations", "query.reformulation.find_citations"),
    "the past": _giving(False, "query.plan.asks_for_the_past"),
    "several questions": _giving((), "pipeline.several_questions"),
    "comparisons": _giving(None, "query.several.comparison", "generation.extractive.comparison"),
    "sections quoted": _giving(False, "pipeline.asks_for_section"),
    "follow-ups: what goes on asking": _giving(False, "query.context_dependence.keeps_asking"),
    "follow-ups: connectors": _as_it_was("query.context_dependence.without_connector"),
    "follow-ups: norms": _as_it_was("query.reformulation._spell_out"),
    "follow-ups: as typed": _instead(_first_query, "interpretation.dense_queries"),
    # what is found
    "lexical": _weight("lexical", "metadata", "article"),  # which stand on it
    **{
        name: _weight(name)
        for name in ("metadata", "article", "heading", "definition", "conversation", "angles", "citation")
    },
    "norms choose documents": _recipe(by_identifier=False),
    "crowding": _recipe(crowding=0.0),
    "repeats": _recipe(duplicate_similarity=2.0),
    "passages": _recipe(passage_chars=0),
    "whole lists found": _as_it_was("search.passages._with_whole_list"),
    "text in force first, found": _giving(np.float32(0), "search.searching.force"),
    # which sentence is quoted, and how sure it is
    "vectors of sentences": _giving(None, "interpretation.Interpretation.similarities"),
    "text in force first, quoted": _giving(0.0, "generation.sentence_ranking._force"),
    "orders to a model": _as_it_was("generation.sentence_ranking.mark_injections"),
    "confidence": _giving(Doubt(), "pipeline.read_doubt"),
    "what is counted": _giving(True, "generation.confidence.counts_what_is_asked"),
    "a number is asked": _instead(_NEVER, "generation.sentence_ranking._ASKS_FIGURE"),
    "a time is asked": _giving(frozenset(), "generation.sentence_ranking._times_asked"),
    "definitions": _giving(frozenset(), "generation.sentence_ranking.thing_asked", "generation.extractive.thing_asked"),
    "definitions: headwords": _giving(frozenset(), "query.definitions._named"),
    "definitions: «se entiende por»": _instead(_NEVER, "query.definitions._COMES"),
    "a follow-up's own words": _instead(1.0, "generation.sentence_ranking.NEW_WORDS"),
    "articles asked by number": _giving({}, "generation.sentence_ranking._of_the_article_asked"),
    "articles from their beginning": _giving(False, "generation.sentence_ranking._asks_for_the_whole_article"),
    "what is excluded": _instead(
        lambda _, __, said: [False] * len(said),
        "generation.sentence_ranking.say_contrary",
        "generation.deciding.say_contrary",
    ),
    "notes of a slide": _instead(lambda _, __, scores: scores, "generation.sentence_ranking._with_notes_back"),
    # how a quote grows
    "commands": _instead(_NEVER, "generation.passages._COMMAND"),
    "notes apart": _as_it_was("generation.passages._with_notes_apart"),
    "items with what is below": _as_it_was("generation.passages._with_whole_items"),
    "bare lines as lists": _instead(lambda _, sentences, __: sentences, "generation.passages._with_bare_lists"),
    "bare lists whole": _giving(None, "generation.quotes._bare_list"),
    "lists whole": _giving(None, "generation.extractive.quote_list"),
    "lists that open a section": _giving(None, "generation.extractive.list_that_opens"),
    "what is announced": _as_it_was("generation.quotes._with_what_it_announces"),
    "the question of a FAQ": _instead(lambda said, at: said[at].span.start, "generation.quotes._with_its_question"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="sets", nargs="+", default=list(SETS))
    parser.add_argument("--statutes", type=Path, help="folder with the texts of the laws, for the set «statutes»")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    options = parser.parse_args()
    folders = {name: [options.statutes] if name == "statutes" else folders_of(name) for name in options.sets}
    print("| set | part | answers that differ | lost and won without it |\n|---|---|---|---|")
    with opened(folders) as projects:
        for name in folders:
            rows = read_set(name)
            whole = [held(projects[name], row) for row in rows]
            for part in options.only:
                with PARTS[part](), _forgotten():
                    without = [held(projects[name], row) for row in rows]
                if differ := sum(one[1] != other[1] for one, other in zip(whole, without, strict=True)):
                    print(f"| {name} | {part} | {differ} | {_changes(rows, whole, without)} |", flush=True)


@contextmanager
def _forgotten() -> Iterator[None]:
    """What the product keeps of what it has read is read anew, and again afterwards."""
    modules = [module for name, module in sys.modules.items() if name.startswith(_READING)]
    values = [value for module in modules for value in vars(module).values() if hasattr(value, "cache_parameters")]
    kept = [value for value in values if value.cache_parameters()["maxsize"] is not None]  # but for data files
    try:
        yield [each.cache_clear() for each in kept]
    finally:
        for each in kept:
            each.cache_clear()


def _changes(rows: Sequence[Row], whole: Sequence[Held], without: Sequence[Held]) -> str:
    """«first −2 +1 (everyday)»: of each figure and kind, how many answers have it no more, and how many only now."""
    lost, won = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row, (before, _), (after, _) in zip(rows, whole, without, strict=True):
        lost.update((figure, row["kind"]) for figure in before - after)
        won.update((figure, row["kind"]) for figure in after - before)
    told = (each for each in sorted({*lost, *won}) if each[0] in SHOWN)
    return ", ".join(f"{figure} −{lost[figure, kind]} +{won[figure, kind]} ({kind})" for figure, kind in told)


if __name__ == "__main__":
    main()
