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

# As `failures` writes them. The words of a person stand in quotes and are left alone.
_MODEL_NAMED = (
    (re.compile(r"el modelo «[^»]*»"), "el modelo configurado"),
    (re.compile(r"de lo que «[^»]*» admite"), "de lo que el modelo admite"),
)
_AFTER = {"de": "del proveedor", "a": "al proveedor", "": "el proveedor"}
_SENTENCE_START = re.compile(r"(?:^|(?<=[.:] ))el proveedor")


def conceal(sentence: str) -> str:
    """The sentence with «el proveedor» for its name, «su clave» for the variable, «el modelo configurado» for it."""
    for pattern, words in _MODEL_NAMED:
        sentence = pattern.sub(words, sentence)
    unnamed = _labels().sub(lambda match: _AFTER[(match["after"] or "").strip()], sentence)
    return _SENTENCE_START.sub("El proveedor", _variables().sub("su clave", unnamed))


def unnamed(answer: Answer) -> Answer:
    """The answer without who wrote it. Its text is left alone: it speaks of the documents."""
    notices = tuple(map(conceal, answer.notices))
    return replace(answer, provider="", model="", error=conceal(answer.error), notices=notices)


@cache
def _labels() -> re.Pattern[str]:
    names = "|".join(re.escape(row.label) for row in PROVIDERS.values())
    return re.compile(rf"(?<!«)\b(?P<after>(?:de|a) )?\b(?:{names})\b")


@cache
def _variables() -> re.Pattern[str]:
    return re.compile("|".join(row.key_variable for row in PROVIDERS.values() if row.key_variable))
