"""The word lists of `data/*.toml`, which a person can edit, read once."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

__all__ = ["PREDICATES", "STOPWORDS", "load_data", "words"]


def load_data(name: str) -> dict[str, Any]:
    """A data file of this package."""
    return tomllib.loads((files("rag_system.query") / "data" / name).read_text(encoding="utf-8"))


_LISTS = load_data("palabras.toml")


def words(group: str) -> list[str]:
    """The words of all the lists of a group."""
    return [word for text in _LISTS[group].values() for word in text.split()]


STOPWORDS = frozenset(words("vacias"))  # they carry no topic: questions lose them, documents keep them
PREDICATES = "|".join(words("predicados"))  # third-person verbs, as alternatives of a pattern
