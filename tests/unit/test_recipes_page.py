"""The page about the recipes is the one that their data makes."""

from __future__ import annotations

import runpy
from pathlib import Path

from rag_system.search.recipes import RECIPES

SCRIPT = Path(__file__).parents[2] / "scripts" / "recipes_table.py"


def test_the_page_about_the_recipes_is_current() -> None:
    script = runpy.run_path(str(SCRIPT))
    text = script["PAGE"].read_text(encoding="utf-8")
    assert text == script["page"](text), "run scripts/recipes_table.py"
    assert all(f"| `{name}` | {recipe.about} |" in text for name, recipe in RECIPES.items())
    assert all(f"| {strategy} |" in text for recipe in RECIPES.values() for strategy in recipe.weights)


def test_what_is_written_by_hand_stays() -> None:
    script = runpy.run_path(str(SCRIPT))
    page = script["page"](f"antes\n{script['BEGIN']}viejo\n{script['END']}después\n")
    assert page.startswith("antes\n")
    assert page.endswith("después\n")
    assert "viejo" not in page
