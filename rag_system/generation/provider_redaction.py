"""Sentences of ours without the name of a provider, of its key's variable or of a model.

For projects that keep to themselves what writes their answers. What happened and what to do stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, replace
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar

from rag_system.generation.providers import PROVIDERS

__all__ = ["redact_provider", "without_provider"]

# As `failures` writes them.
_MODEL_NAMED = {"no ofrece el modelo «": "no ofrece el modelo configurado", "de lo que «": "de lo que el modelo"}
_NAMING = frozenset({"label", "variable", "model"})  # what their errors' parameters name
_QUOTED = r"«(?:[^«»]|«[^«»]*»)*»?"  # a person's own words may hold quotes
_AFTER = {"de": "del proveedor", "a": "al proveedor", "": "el proveedor"}


def redact_provider(sentence: str) -> str:
    """The sentence with «el proveedor» for its name, «su clave» for the variable, «el modelo configurado» for it.

    What stands in quotes is a person's word, or a document's, and is left alone.

    >>> redact_provider("Groq está saturado. Busqué «Groq».")
    'El proveedor está saturado. Busqué «Groq».'
    """
    return _names().sub(_in_its_place, sentence)


class _Said(Protocol):
    """An answer, as it is made, stored or shown."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def error(self) -> str: ...
    @property
    def params(self) -> Mapping[str, str | float]: ...
    @property
    def notices(self) -> Sequence[str]: ...


Said = TypeVar("Said", bound=_Said)


def without_provider(said: Said, *, words: str = "text") -> Said:
    """It without who wrote it, whom its error may name too. `words` names the field of what was said, which speaks of
    the documents and is left alone, unless it is the error itself.
    """
    spoken = getattr(said, words)
    told = {words: redact_provider(spoken) if spoken == said.error else spoken, "error": redact_provider(said.error)}
    params = {name: value for name, value in said.params.items() if name not in _NAMING}
    notices = tuple(map(redact_provider, said.notices))
    return replace(said, provider="", model="", notices=notices, params=params, **told)


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
