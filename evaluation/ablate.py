"""What each rule, table and cue is worth: every set is asked with all of them, and again without each.

    scripts/ablate [--set manuales tesis statutes] [--statutes DIR] [--only NAME…] [--each] [--ingested]

A part stays in the product only while some collection that it was not written for loses at least half a percent
without it. A new part joins `PARTS` with the way to switch it off; every regular expression, and every function that
may say no or find nothing, has a switch by itself (`--each`). With `--ingested` they are those that read documents: one
is off, and a set is asked again where what is read of it changes. Printed is the number of answers that are others
without the part, and of those that were right with it alone and without it alone, where any were.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

from assistant.project_assistant import ProjectAssistant
from evaluation.measure import OF_MESSAGES, Row, held, opened, read_options, read_set
from evaluation.switches import (
    NEVER,
    Part,
    as_it_was,
    caches,
    each_function,
    each_pattern,
    giving,
    instead,
    modules_of,
)
from rag_system.generation.confidence import Doubt
from rag_system.ingestion.chunking import chunk
from rag_system.ingestion.document_metadata import document_metadata
from rag_system.ingestion.loaders import extract
from rag_system.query.citations import CitationCue
from rag_system.query.rereading import dense_queries
from rag_system.search import recipes
from rag_system.types import QueryPlan

SHOWN = ("phrase@1", "phrase@5", "first", "any", "silent", "nearest", *OF_MESSAGES, "failed")
_ASKING = ("query", "search", "search.strategies", "generation", "tasks", "pipeline", "interpretation")
_READING = ("ingestion", "query")
_UNDER_ALL = ("query.text.", "query.sentences.", "query.word_lists.")  # without which nothing is read

Held = tuple[frozenset[str], str]


def _first_query(plan: QueryPlan, *, by_identifier: bool) -> list[str]:
    """Without a follow-up as it was typed."""
    return dense_queries(plan, by_identifier=by_identifier)[:1]


def _recipe(**changed: Any) -> Part:
    """The default recipe, changed."""
    default = replace(recipes.RECIPES["default"], **changed)
    return Part({**recipes.RECIPES, "default": default}, ("search.recipes.RECIPES",))


def _weight(*strategies: str) -> Part:
    """The default recipe without strategies."""
    return _recipe(weights={**recipes.RECIPES["default"].weights, **dict.fromkeys(strategies, 0.0)})


PARTS: Mapping[str, Part] = {
    # how a question is read
    "courtesy": as_it_was("query.plan.strip_courtesy", "query.reformulation.strip_courtesy"),
    "shorthand": as_it_was("query.plan.shorthand_in_full", "query.reformulation.shorthand_in_full"),
    "spelling": giving({}, "query.rereading.corrections"),
    "broader words": giving([], "search.strategies.lexical.expand"),
    "authors and years": giving(CitationCue(), "query.plan.find_citations", "query.reformulation.find_citations"),
    "the past": giving(False, "query.plan.asks_for_the_past"),
    "several questions": giving((), "pipeline.several_questions"),
    "comparisons": giving(None, "query.several.comparison", "generation.extractive.comparison"),
    "sections quoted": giving(False, "pipeline.asks_for_section"),
    "follow-ups: what goes on asking": giving(False, "query.context_dependence.keeps_asking"),
    "follow-ups: connectors": as_it_was("query.context_dependence.without_connector"),
    "follow-ups: norms": as_it_was("query.reformulation._spell_out"),
    "follow-ups: as typed": instead(_first_query, "interpretation.dense_queries"),
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
    "whole lists found": as_it_was("search.passages._with_whole_list"),
    "text in force first, found": giving(np.float32(0), "search.searching.force"),
    # which sentence is quoted, and how sure it is
    "vectors of sentences": giving(None, "interpretation.Interpretation.similarities"),
    "text in force first, quoted": giving(0.0, "generation.sentence_ranking._force"),
    "orders to a model": as_it_was("generation.sentence_ranking.mark_injections"),
    "confidence": giving(Doubt(), "pipeline.read_doubt"),
    "what is counted": giving(True, "generation.confidence.counts_what_is_asked"),
    "a number is asked": instead(NEVER, "generation.sentence_ranking._ASKS_FIGURE"),
    "a time is asked": giving(frozenset(), "generation.sentence_ranking._times_asked"),
    "definitions": giving((), "query.definitions.things_asked", "generation.extractive.things_asked"),
    "definitions: headwords": giving(frozenset(), "query.definitions._named"),
    "definitions: «se entiende por»": instead(NEVER, "query.definitions._COMES"),
    "a follow-up's own words": instead(1.0, "generation.sentence_ranking.NEW_WORDS"),
    "articles asked by number": giving({}, "generation.sentence_ranking._of_the_article_asked"),
    "articles from their beginning": giving(False, "generation.sentence_ranking._asks_for_the_whole_article"),
    "what is excluded": instead(
        lambda _, __, said: [False] * len(said),
        "generation.sentence_ranking.say_contrary",
        "generation.deciding.say_contrary",
    ),
    "notes of a slide": instead(lambda _, __, scores: scores, "generation.sentence_ranking._with_notes_back"),
    # how a quote grows
    "commands": instead(NEVER, "generation.passages._COMMAND"),
    "notes apart": as_it_was("generation.passages._with_notes_apart"),
    "items with what is below": as_it_was("generation.passages._with_whole_items"),
    "bare lines as lists": instead(lambda _, sentences, __: sentences, "generation.passages._with_bare_lists"),
    "bare lists whole": giving(None, "generation.quotes._bare_list"),
    "lists whole": giving(None, "generation.extractive.quote_list"),
    "lists that open a section": giving(None, "generation.extractive.list_that_opens"),
    "what is announced": as_it_was("generation.quotes._with_what_it_announces"),
    "the question of a FAQ": instead(lambda said, at: said[at].span.start, "generation.quotes._with_its_question"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="PART", help="these parts, by their names")
    parser.add_argument("--each", action="store_true", help="each regular expression and function too, by itself")
    parser.add_argument("--ingested", action="store_true", help="those that read documents")
    options, folders = read_options(parser)
    modules = modules_of(*(_READING if options.ingested else _ASKING))
    parts = {} if options.ingested else dict(PARTS)
    if options.each or options.ingested or options.only:
        each = {**each_function(modules), **each_pattern(modules)}
        parts |= {name: part for name, part in each.items() if not name.startswith(_UNDER_ALL)}
    if unknown := [name for name in options.only or () if name not in parts]:
        parser.error(f"no such part: {', '.join(unknown)}")
    parts = {name: parts[name] for name in options.only or parts}
    print("| set | part | answers that differ | lost and won without it |\n|---|---|---|---|")
    for name, part, differ, changes in (_read_anew if options.ingested else _asked)(folders, parts, modules):
        print(f"| {name} | {part} | {differ} | {changes} |", flush=True)


Told = tuple[str, str, int, str]  # a set, a part, how many answers differ, and what is lost and won
Folders = Mapping[str, Sequence[Path]]


def _asked(folders: Folders, parts: Mapping[str, Part], modules: Sequence[ModuleType]) -> Iterator[Told]:
    """Of each part without which answers are others. Asked again is only where it did something."""
    kept = caches(modules)
    with opened(folders) as projects:
        for name, project in projects.items():
            rows = read_set(name)
            did, whole = _watching(project, rows, parts, kept)
            for part, switch in parts.items():
                places = [at for at in range(len(rows)) if switch.is_used_by_all or part in did[at]]
                with switch.without(), _forgotten(kept):
                    without = [_held(project, rows[at]) for at in places]
                yield from _told(name, part, [rows[at] for at in places], [whole[at] for at in places], without)


def _watching(
    project: ProjectAssistant, rows: Sequence[Row], parts: Mapping[str, Part], kept: Sequence[Any]
) -> tuple[list[set[str]], list[Held]]:
    """Of each question the parts that did something, and what is held with all of them."""
    did: list[set[str]] = [set()]
    whole: list[Held] = []
    with ExitStack() as stack:
        for name, part in parts.items():
            stack.enter_context(part.watched(partial(_note, did, name)))
        for row in rows:
            with _forgotten(kept):
                whole.append(held(project, row))
            did.append(set())
    return did, whole


def _note(did: Sequence[set[str]], name: str) -> None:
    did[-1].add(name)


def _read_anew(folders: Folders, parts: Mapping[str, Part], modules: Sequence[ModuleType]) -> Iterator[Told]:
    """Of each part without which other passages are read, and other answers are found in them."""
    kept = caches(modules)
    for name, paths in folders.items():
        rows, read = read_set(name), _passages(paths)
        with _here(), opened({name: paths}) as projects:
            whole = [held(projects[name], row) for row in rows]
        for part, switch in parts.items():
            with switch.without(), _forgotten(kept), _here():
                if _passages(paths) == read:
                    continue
                with opened({name: paths}) as projects:
                    without = [_held(projects[name], row) for row in rows]
            yield from _told(name, part, rows, whole, without)


def _passages(folders: Sequence[Path]) -> list[str]:
    """What is read of documents, where it can be."""
    try:
        return [repr(each) for folder in folders for file in sorted(folder.rglob("*.*")) for each in _read(file)]
    except Exception as error:  # noqa: BLE001 - what is left may not do without the part
        return [repr(error)]


def _read(file: Path) -> Iterator[Any]:
    document = extract(file, name=file.name)
    about = document_metadata(document, path=file.name)
    yield about
    yield from chunk(document, title=about.title, max_tokens=300, overlap_tokens=30, count_tokens=_words)


def _words(texts: Sequence[str]) -> list[int]:
    return [len(each.split()) for each in texts]


@contextmanager
def _here() -> Iterator[None]:
    """Documents are read in this process, where parts are switched off."""
    with patch("rag_system.ingestion.indexing.extract_safely", _extracted):
        yield


def _extracted(file: Path, *, name: str, **_: Any) -> Any:
    return extract(file, name=name)


def _held(project: ProjectAssistant, row: Row) -> Held:
    try:
        return held(project, row)
    except Exception as error:  # noqa: BLE001 - what is left may not do without the part
        return frozenset({"failed"}), repr(error)


@contextmanager
def _forgotten(kept: Sequence[Any]) -> Iterator[None]:
    """What the product keeps of what it has read is read anew, and again afterwards."""
    try:
        for each in kept:
            each.cache_clear()
        yield
    finally:
        for each in kept:
            each.cache_clear()


def _told(name: str, part: str, rows: Sequence[Row], whole: Sequence[Held], without: Sequence[Held]) -> Iterator[Told]:
    if differ := sum(one[1] != other[1] for one, other in zip(whole, without, strict=True)):
        kinds = (row["kind"] for row in rows)
        changes = _changes((kind, one[0], other[0]) for kind, one, other in zip(kinds, whole, without, strict=True))
        yield name, part, differ, changes


def _changes(rows: Iterable[tuple[str, frozenset[str], frozenset[str]]]) -> str:
    """«first −2 +1 (everyday)»: of each figure and kind, how many answers have it no more, and how many only now."""
    lost, won = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for kind, before, after in rows:
        lost.update((figure, kind) for figure in before - after)
        won.update((figure, kind) for figure in after - before)
    told = (each for each in sorted({*lost, *won}) if each[0] in SHOWN)
    return ", ".join(f"{figure} −{lost[figure, kind]} +{won[figure, kind]} ({kind})" for figure, kind in told)


if __name__ == "__main__":
    main()
