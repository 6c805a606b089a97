"""What each rule, table and cue is worth: every set is measured with all of them, and again without each.

    scripts/ablate [--set manuales tesis statutes] [--statutes DIR] [--only NAME…]

A part stays in the product only while some collection that it was not written for loses at least half a percent
without it. A new part joins `PARTS` with the way to switch it off.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from evaluation.measure import SETS, Shares, figures, folders_of, opened, read_set
from rag_system.generation.confidence import Doubt
from rag_system.search import recipes

SHOWN = ("phrase@1", "phrase@5", "first", "silent", "nearest")

Switch = Callable[[], AbstractContextManager[Any]]


def _returning(place: str, value: Callable[..., Any]) -> Switch:
    return lambda: patch(place, value)


def _weight(*strategies: str) -> Switch:
    """The default recipe without strategies."""

    @contextmanager
    def without() -> Iterator[None]:
        usual = recipes.RECIPES["default"]
        changed = replace(usual, weights={**usual.weights, **dict.fromkeys(strategies, 0.0)})
        with patch.dict(recipes.RECIPES, {"default": changed}):
            yield

    return without


def _same(text: str, *_: object) -> str:
    return text


PARTS: Mapping[str, Switch] = {
    "spelling": _returning("rag_system.query.rereading.corrections", lambda *_: {}),
    "broader words": _returning("rag_system.search.strategies.lexical.expand", lambda *_: []),
    "lexical": _weight("lexical", "metadata", "article"),  # which stand on it
    "metadata": _weight("metadata"),
    "article": _weight("article"),
    "vectors of sentences": _returning("rag_system.pipeline.RAGPipeline._similarities", lambda *_: None),
    "text in force first, found": _returning("rag_system.search.searching.force", lambda *_, **__: np.float32(0)),
    "text in force first, quoted": _returning("rag_system.generation.sentence_ranking._force", lambda *_, **__: 0.0),
    "orders to a model": _returning("rag_system.generation.sentence_ranking.mark_injections", _same),
    "confidence": _returning("rag_system.pipeline.read_doubt", lambda *_, **__: Doubt()),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="sets", nargs="+", default=list(SETS))
    parser.add_argument("--statutes", type=Path, help="folder with the texts of the laws, for the set «statutes»")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    options = parser.parse_args()
    folders = {name: [options.statutes] if name == "statutes" else folders_of(name) for name in options.sets}
    with opened(folders) as projects:
        for name in folders:
            rows = read_set(name)
            whole = figures(projects[name], rows)
            _print(name, "all", whole)
            for part in options.only:
                with PARTS[part]():
                    _print(name, f"− {part}", _change(figures(projects[name], rows), whole))


def _change(without: Shares, whole: Shares) -> Shares:
    return {
        kind: {name: round(value - whole[kind][name], 3) for name, value in shares.items()}
        for kind, shares in without.items()
    }


def _print(name: str, part: str, shares: Shares) -> None:
    cells: Sequence[str] = [
        f"{shares[kind][figure]:+.3f}" if part != "all" else f"{shares[kind][figure]:.3f}"
        for kind in ("plain", "everyday", "absent")
        for figure in (SHOWN if kind != "absent" else SHOWN[-2:])
    ]
    print(f"| {name} | {part} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
