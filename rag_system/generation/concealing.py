"""Sentences of ours without the name of a provider, of its key's variable or of a model.

For projects that keep to themselves what writes their answers. What happened and what to do stays.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from rag_system.generation.providers import PROVIDERS
from rag_system.types import Answer

__all__ = ["conceal", "unnamed"]

# As `failures` writes them.
_MODEL_NAMED = {"no ofrece el modelo «": "no ofrece el modelo configurado", "de lo que «": "de lo que el modelo"}
_QUOTED = r"«(?:[^«»]|«[^«»]*»)*»?"  # a person's own words may hold quotes
_AFTER = {"de": "del proveedor", "a": "al proveedor", "": "el proveedor"}


def conceal(sentence: str) -> str:
    """The sentence with «el proveedor» for its name, «su clave» for the variable, «el modelo configurado» for it.

    What stands in quotes is a person's word, or a document's, and is left alone.

    >>> conceal("Groq está saturado. Busqué «Groq».")
    'El proveedor está saturado. Busqué «Groq».'
    """
    return _names().sub(_in_its_place, sentence)


def unnamed(answer: Answer) -> Answer:
    """The answer without who wrote it. Its text is left alone: it speaks of the documents."""
    notices = tuple(map(conceal, answer.notices))
    return replace(answer, provider="", model="", error=conceal(answer.error), notices=notices)


def _in_its_place(match: re.Match[str]) -> str:
    if match["model"]:
        return _MODEL_NAMED[match["model"]]
    if match["variable"]:
        return "su clave"
    if not match["label"]:
        return match[0]
    words = _AFTER[(match["after"] or "").strip()]
    begins = match.start() == 0 or match.string[: match.start()].endswith((". ", ": "))
    return words[0].upper() + words[1:] if begins else words


@cache
def _names() -> re.Pattern[str]:
    rows = PROVIDERS.values()
    labels = "|".join(re.escape(row.label) for row in rows)
    variables = "|".join(re.escape(row.key_variable) for row in rows if row.key_variable)
    models = "|".join(map(re.escape, _MODEL_NAMED))
    return re.compile(
        rf"(?P<model>{models})[^»]*»|{_QUOTED}|\b(?P<after>(?:de|a) )?\b(?P<label>{labels})\b|(?P<variable>{variables})"
    )
