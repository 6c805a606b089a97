"""Whom and where a question asks about: countries, and names with capitals. A passage about another is no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rag_system.query.expansion import expand
from rag_system.query.identifiers import find_identifiers
from rag_system.query.text import fold, stem, tokens
from rag_system.query.word_lists import STOPWORDS, load_data

__all__ = ["Name", "find_names"]


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is printed, and the ways in which a text may hold it: all the stems of one of them."""

    printed: str
    ways: tuple[frozenset[str], ...]


# A name restricts what is asked only where one of these leads to it: «de España», «según la OTAN»; «contestar WhatsApp»
# only mentions it.
_LEADS = "del|de|en|el|la|los|las|segun|por|ante|e"
_CAPITAL = r"[A-ZÁÉÍÓÚÜÑ][\wáéíóúüñ]+"
_CAPITALS = re.compile(
    rf"(?:(?<=\s)(?P<lead>{_LEADS})\s)(?P<name>{_CAPITAL}(?:\s(?:(?:de|del|de la|y|e)\s)?{_CAPITAL})*)"
)
# «Trabajo en Arequipa»: where the person is changes no rule.
_WHERE_I_AM = re.compile(r"\b(?:trabajo|vivo|resido|laboro|estoy|naci|compre|alquile|soy)\s(?:\w+\s){0,2}$")
# Not names, although people write them with capitals; nor is the country of the documents any restriction.
_COMMON = frozenset(
    tokens(
        """peru peruano peruana estado ley decreto codigo reglamento constitucion articulo titulo capitulo anexo norma
        gobierno municipalidad ministerio congreso republica navidad fiestas patrias año nuevo semana santa internet
        derecho pdf dios trabajo reglamentos directiva resolucion ordenanza acuerdo acta anexos informe anual
        memoria manual guia plan programa politica procedimiento protocolo instructivo lineamientos bases estatuto
        contrato convenio documento archivo formulario formato expediente interno interna general ordenado unico
        texto tuo leyes normas etica seguridad inciso numeral literal disposicion final complementaria transitoria
        preliminar tupa rit rof mof dictamen laudo sentencia casacion jurisprudencia clausula poliza tarifario ficha
        pliego silabo legislacion normativa circular"""
    )
)
_MOST_CAPITALS = 0.6  # share of a question's words from which capitals are its writer's habit


def find_names(question: str) -> tuple[Name, ...]:
    """The names that a question is about.

    >>> [name.printed for name in find_names("¿Qué dice la ley chilena de la OTAN?")]
    ['Chile', 'OTAN']
    """
    for match in find_identifiers(question):
        question = f"{question[: match.start]}{'#' * (match.end - match.start)}{question[match.end :]}"
    places = list(_places(question))
    taken = {way for name in places for way in name.ways}
    capitals = (name for name in _capitals(question) if not any(each <= way for way in taken for each in name.ways))
    return (*places, *capitals)


def _places(question: str) -> Iterator[Name]:
    words = set(tokens(question))
    padded = f" {' '.join(tokens(question))} "
    for place, nouns in _dictionary().items():
        if words & nouns or f" {fold(place)} " in padded:
            ways = {frozenset({stem(noun)}) for noun in nouns} | {frozenset(stem(word) for word in tokens(place))}
            yield Name(place, tuple(ways))


@cache
def _dictionary() -> Mapping[str, frozenset[str]]:
    places: Mapping[str, str] = load_data("lugares.toml")["lugares"]
    return {place: frozenset(words.split()) for place, words in places.items()}


def _capitals(question: str) -> Iterator[Name]:
    words = re.findall(r"[^\W\d_]+", question)
    if sum(word[0].isupper() for word in words) > _MOST_CAPITALS * len(words):
        return
    for match in _CAPITALS.finditer(_plain_leads(question)):
        printed = question[match.start("name") : match.end("name")]
        said = [word for word in tokens(printed) if word not in STOPWORDS]
        own = [word for word in said if word not in _COMMON]
        if own and not _WHERE_I_AM.search(fold(question[: match.start("lead")])):
            yield Name(printed, (frozenset(map(stem, said)), *_other_ways(printed)))


def _plain_leads(question: str) -> str:
    """The question with «Según», «según» and «En» as the pattern knows them; as long as it was."""
    return re.sub(r"[Ss]eg[úu]n(?=\s)|\bEn(?=\s)", lambda word: fold(word[0]), question)


def _other_ways(printed: str) -> list[frozenset[str]]:
    """An acronym's long form, and the reverse."""
    return [frozenset(map(stem, tokens(other))) for other in expand(printed)]
