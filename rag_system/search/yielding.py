"""What a search leaves out where memory is short: what costs most and adds least, first. It always answers."""

from __future__ import annotations

from dataclasses import replace

from rag_system.memory import Pressure, pressure
from rag_system.search.recipes import Recipe
from rag_system.settings import Settings

__all__ = ["LITTLE_MEMORY", "STEPS", "lightened"]

STEPS = ("rerank", "expansion", "angles")  # that may yield

LITTLE_MEMORY = "Queda poca memoria en el servidor: se buscó con menos pasos que de costumbre."


def lightened(recipe: Recipe, settings: Settings) -> tuple[Recipe, tuple[str, ...]]:
    """The recipe with what memory allows now, and which of its `STEPS` yield."""
    level = pressure(settings)
    yielded = ["rerank"] if level and recipe.rerank and settings.reranker else []
    if level == Pressure.CRITICAL:
        yielded += ["expansion"] if recipe.uses("expansion") else []
        yielded += ["angles"] if settings.query_angles else []
    if not yielded:
        return recipe, ()
    weights = {name: weight for name, weight in recipe.weights.items() if name not in yielded}
    return replace(recipe, rerank=0 if "rerank" in yielded else recipe.rerank, weights=weights), tuple(yielded)
