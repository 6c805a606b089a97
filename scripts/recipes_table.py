"""Write the tables of docs/reference/recipes.md from the recipes' data. With --check only compare.

Only what stands between the two marks is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from rag_system.search.recipes import RECIPES, Recipe

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "recipes.md"
BEGIN, END = "<!-- generated: scripts/recipes_table.py -->\n", "<!-- end of what is generated -->\n"

_MEANINGS = {
    "candidates": "candidates of each strategy",
    "bm25": "BM25 variant",
    "by_identifier": "the norms that a question names choose its documents",
    "min_score": "fused score below which a candidate leaves",
    "min_similarity": "raw cosine below which a candidate leaves",
    "per_document": "chunks of a document before others get their turn",
    "crowding": "what each further chunk of a document loses of its score",
    "duplicate_similarity": "Jaccard similarity from which a chunk repeats a better one",
    "rerank": "candidates that a configured reranker reads again",
    "passage_chars": "characters up to which a hit brings its neighbours",
    "top_k": "results where nobody asks for a number",
}
_NEVER = {"min_similarity": -1.0, "rerank": 0, "passage_chars": 0}  # values that switch something off
_OWN_TABLE = ("name", "about", "fusion", "weights")


def page(old: str) -> str:
    """The page, with its tables as the recipes are now."""
    head, _, rest = old.partition(BEGIN)
    return f"{head}{BEGIN}\n{tables()}\n{END}{rest.partition(END)[2]}"


def tables() -> str:
    """What each recipe is, the weights of its strategies, and everything else."""
    recipes = RECIPES.values()
    described = [(f"`{recipe.name}`", recipe.about, recipe.fusion.replace("_", " ")) for recipe in recipes]
    strategies = dict.fromkeys(name for recipe in recipes for name in recipe.weights)
    weights = [(name, *(_cell(recipe.weights.get(name)) for recipe in recipes)) for name in strategies]
    others = [field.name for field in fields(Recipe) if field.name not in _OWN_TABLE]
    settings = [(_MEANINGS[name], *(_cell(_value(recipe, name)) for recipe in recipes)) for name in others]
    names = [f"`{name}`" for name in RECIPES]
    return "\n".join(
        (
            _table(("recipe", "what it is", "fusion"), described),
            _table(("weight of the strategy", *names), weights),
            _table(("", *names), settings),
        )
    )


def _value(recipe: Recipe, name: str) -> object:
    value = getattr(recipe, name)
    return recipe.bm25.variant.value if name == "bm25" else None if value == _NEVER.get(name, ...) else value


def _cell(value: object) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case _:
            return str(value)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    current = PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        sys.exit(0 if current == page(current) else f"{PAGE} is out of date: run {sys.argv[0]}")
    PAGE.write_text(page(current), encoding="utf-8")
