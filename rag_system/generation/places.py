"""What the place of a passage speaks for: a heading that names what is asked for, or a disposition that only passes.

Pure functions over folded Spanish text (`query.text.fold`): no accents, lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from rag_system.generation.word_patterns import load_data, one_of

__all__ = ["Standing", "asks_of_dispositions", "heading_names", "holds_for_others", "is_regulation", "standing"]


class Standing(IntEnum):
    """How lasting a rule is by its place: what holds for a while answers a question less than what always holds."""

    PERMANENT = 0
    FINAL = 1  # complementary and final dispositions: exceptions, mandates to others, reforms of other norms
    TRANSITORY = 2


_WORDS = load_data("disposiciones.toml")
_KIND = one_of(_WORDS["clases"])
_KINDS = rf"{_KIND}(?:[\s,.]+(?:y )?{_KIND})*\b"
_ORDINAL = rf"(?:{one_of(_WORDS['decenas'])}[ -]?)?{one_of(_WORDS['ordinales'])}"
# How a heading opens. A singular without its ordinal may be of a thing: «Disposición final de residuos sólidos».
_DISPOSITION = re.compile(
    r"^[\W_]*(?:(?:titulo|capitulo|seccion) \w+[\W_]+|[ivxl\d]+[.)-]+\s*)?(?:de las )?(?:"
    rf"disposiciones (?:(?:generales|especiales|varias|reglamentarias),? (?:y )?)?{_KINDS}"
    rf"|{_ORDINAL} disposicion {_KINDS}"
    rf"|disposicion {_KINDS}(?! (?:de|del|a|al|en|para|por)\b)"
    rf"|(?:normas? |regimen )transitori\w+|{_KINDS}$)"
)
_OF_DISPOSITIONS = re.compile(rf"\b{one_of(_WORDS['preguntas'])}\b")


def standing(headings: Sequence[str]) -> Standing:
    """How lasting what stands below folded headings is.

    >>> standing(("disposiciones finales y transitorias", "quinta.- elecciones")), standing(("articulo primero",))
    (<Standing.TRANSITORY: 2>, <Standing.PERMANENT: 0>)
    """
    named = [found[0] for heading in headings if (found := _DISPOSITION.match(heading))]
    if any("transitori" in each for each in named):
        return Standing.TRANSITORY
    return Standing.FINAL if named else Standing.PERMANENT


def asks_of_dispositions(question: str) -> bool:
    """Whether a folded question may be about what holds for a while, or from a day on."""
    return _OF_DISPOSITIONS.search(question) is not None


_NAMING = tuple(
    (re.compile(one_of(row["pregunta"])), re.compile(rf"\b{one_of(row['encabezado'])}\b"))
    for row in load_data("encabezados.toml")["pide"]
)


def heading_names(question: str) -> re.Pattern[str] | None:
    """What the heading of an article that answers a folded question may call it; None when nothing is known."""
    named = [naming.pattern for asked, naming in _NAMING if asked.search(question)]
    return re.compile("|".join(named)) if named else None


_GROUPS = tuple(re.compile(rf"\b(?:{line})\b") for line in load_data("regimenes.toml")["grupos"].split("\n") if line)
_REGULATION = re.compile(r"\breglament\w*")


def holds_for_others(title: str, question: str) -> bool:
    """Whether a norm with a folded title is for a group that a folded question does not speak of.

    >>> holds_for_others("ley de los trabajadores del hogar", "¿cuantas vacaciones me tocan?")
    True
    """
    return any(group.search(title) and not group.search(question) for group in _GROUPS)


def is_regulation(title: str, question: str) -> bool:
    """Whether a folded title is of the regulation of a law, and the folded question asks for none."""
    return _REGULATION.search(title) is not None and _REGULATION.search(question) is None
