"""What the place of a passage speaks for: a heading that names what is asked for, or a disposition that only passes.

Pure functions over folded Spanish text (`query.text.fold`): no accents, lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

__all__ = ["Standing", "asks_of_dispositions", "heading_names", "standing"]


class Standing(IntEnum):
    """How lasting a rule is by its place: what holds for a while answers a question less than what always holds."""

    PERMANENT = 0
    FINAL = 1  # complementary and final dispositions: exceptions, mandates to others, reforms of other norms
    TRANSITORY = 2


_KIND = r"(?:complementari[ao]s?|final(?:es)?|transitori[ao]s?|derogatori[ao]s?|modificatori[ao]s?|adicional(?:es)?)"
_KINDS = rf"{_KIND}(?:[\s,.]+(?:y )?{_KIND})*\b"
_ORDINAL = (
    r"(?:(?:decim[oa]|vigesim[oa]|trigesim[oa])[ -]?)?"
    r"(?:primera|segunda|tercera|cuarta|quinta|sexta|septima|setima|octava|novena|decima|vigesima|unica)"
)
# How a heading opens. A singular without its ordinal may be of a thing: «Disposición final de residuos sólidos».
_DISPOSITION = re.compile(
    r"^[\W_]*(?:(?:titulo|capitulo|seccion) \w+[\W_]+|[ivxl\d]+[.)-]+\s*)?(?:de las )?(?:"
    rf"disposiciones (?:(?:generales|especiales|varias|reglamentarias),? (?:y )?)?{_KINDS}"
    rf"|{_ORDINAL} disposicion {_KINDS}"
    rf"|disposicion {_KINDS}(?! (?:de|del|a|al|en|para|por)\b)"
    rf"|(?:normas? |regimen )transitori\w+|{_KINDS}$)"
)
# Whoever asks for a date, a year, what was changed, or what holds until then, may mean the dispositions.
_OF_DISPOSITIONS = re.compile(
    r"\b(?:disposici\w+|transitori\w+|derog\w+|vigen\w+|vigor|rige|regir|adecu\w+|adapt\w+|modific\w+|reglamentar|"
    r"implement\w+|public\w+|financi\w+|(?:19|20)\d\d)\b"
)


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


# What a question asks for → how the heading of an article that gives it calls that.
_NAMES: tuple[tuple[str, str], ...] = (
    (
        r"\bplazos?\b|\bcuant[oa]s? (?:dias|horas|meses|semanas|a[nñ]os|tiempo)\b|\ben cuanto tiempo\b|"
        r"\b(?:demora|dura|tarda|vence|caduca|prescribe|termina)\w*|\b(?:hasta|desde) cuando\b|\bcuando\b",
        r"plazos?|duracion|vigencia|termino|periodo|tiempo|prescripcion|caducidad|vencimiento|oportunidad|fechas?",
    ),
    (
        r"\b(?:que (?:es|son|significa\w*|se entiende|se considera\w*|quiere decir)|defin\w+|concepto de|"
        r"en que consisten?)\b",
        r"conceptos?|definici\w+|nocion|naturaleza|glosario",
    ),
    (
        r"\b(?:causas?|causales|motivos?|en que casos|cuando (?:se |es |procede|termina|acaba)\w*|"
        r"por que (?:motivo|razon)\w*)\b",
        r"causas?|causales|supuestos|casos|motivos|procedencia|extincion",
    ),
    (r"\b(?:requisitos?|que (?:se )?necesit\w+|que documentos|que piden)\b", r"requisitos?|documentos|condiciones"),
    (
        r"\b(?:quien|quienes|que (?:autoridad|organo|entidad))\b",
        r"competen\w+|autoridad\w*|organos?|titular\w*|sujetos?|contribuyentes?|obligad\w+|responsab\w+|beneficiari\w+|"
        r"legitim\w+|ambito|designacion|nombramiento|eleccion",
    ),
    (
        r"\b(?:cuanto|monto|porcentaje|tasa|cuesta|paga\w*|indemnizacion)\b",
        r"montos?|tasas?|cuantia|importes?|remuneracion|calculo|alicuotas?|escalas?|indemnizacion|costos?|valor",
    ),
    (
        r"\b(?:multas?|sancion\w*|castig\w+|pena|que (?:me |le )?pasa si|que ocurre si)\b",
        r"sanci\w+|infracci\w+|multas?|faltas?|incumplimiento",
    ),
    (
        r"\b(?:puedo|pueden?|prohib\w+|permitid\w+|impedid\w+)\b",
        r"prohibici\w+|impedimentos?|restricci\w+|incompatibilidad\w*|facultad\w*",
    ),
)
_NAMING = tuple((re.compile(asked), re.compile(rf"\b(?:{named})\b")) for asked, named in _NAMES)


def heading_names(question: str) -> re.Pattern[str] | None:
    """What the heading of an article that answers a folded question may call it; None when nothing is known."""
    named = [naming.pattern for asked, naming in _NAMING if asked.search(question)]
    return re.compile("|".join(named)) if named else None
