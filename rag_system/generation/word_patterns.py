"""The patterns of `data/*.toml`, which a person can edit: regular expressions over folded text, one a line."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["load_data", "one_of"]


@cache
def load_data(name: str) -> dict[str, Any]:
    """A data file of this package."""
    return tomllib.loads((files("rag_system.generation") / "data" / name).read_text(encoding="utf-8"))


def one_of(lines: str) -> str:
    """The lines of a text as the alternatives of one group.

    >>> one_of("plazos?\\nvigencia\\n")
    '(?:plazos?|vigencia)'
    """
    return f"(?:{'|'.join(line for line in lines.split(chr(10)) if line)})"
