"""Norms that are cited by their name alone: «la Constitución», «Código Procesal Civil», «LPAG», in one canonical form.

The form is `constitucion[@year]`, `codigo:name`, `ley:name`, or `reglamento:name` for the regulation of one of them.
The names are in `data/normas.toml`, which a person can edit; `rag_system.query.identifiers` reads them beside the norms
that have numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rag_system.query.text import fold
from rag_system.query.word_lists import load_data

__all__ = ["NamedNorm", "named_norms"]

NamedNorm = tuple[str, int, int]  # the canonical form, and where it starts and ends

_GAP = r"[\s-]+"  # the names of files part words with hyphens
_SMALL_WORDS = frozenset("de del la las los el y e en a por al".split())
_SMALL = rf"(?:(?:{'|'.join(sorted(_SMALL_WORDS))}){_GAP})*"
_STARTS, _ENDS = r"(?<![a-zñ\d])", r"(?![a-zñ\d])"

_REGULATION = (
    rf"(?P<regulation>reglamento{_GAP}(?:general{_GAP})?del?{_GAP}(?:(?:la|el){_GAP})?"
    rf"(?:(?:tuo|texto{_GAP}unico{_GAP}ordenado){_GAP}del?{_GAP}(?:(?:la|el){_GAP})?)?"
    rf"(?:ley{_GAP}(?:n\S{{0,3}}\s?)?\d[\d.]*,?{_GAP})?)?"  # «de la Ley 29783, Ley de Seguridad y…»
)
_OF_YEAR = rf"(?:,?{_GAP}\(?(?:del?{_GAP})?(?:a[nñ]o{_GAP})?(?P<%s>(?:1[89]|20)\d\d|93|79)\)?(?!\d))"
_OF_HERE = rf"(?:{_GAP}(?:del{_GAP}(?:peru|estado|pais)|de{_GAP}la{_GAP}republica|peruana|nacional|vigente){_ENDS})"
# «La constitución de la sociedad», «en mora», «simultánea» found something: they are no norm.
_NO_FOUNDING = (
    rf"(?!{_GAP}(?:del?{_GAP}(?!la{_GAP}republica|\d|peru|estado|pais|a[nñ]o)|en{_GAP}(?:mora|empresa|garantia|linea)"
    r"|simultanea|sucesiva|definitiva|electronica|legal|fisica|quimica|apostolica|formal|efectiva"
    rf"|[yoe]{_GAP}(?:(?:el|la|su){_GAP})?(?:funcionamiento|registro|inscripcion|organizacion|formalizacion"
    rf"|legalizacion|modificacion|disolucion)|por{_GAP}(?:oferta|escritura)))"
)
_CONSTITUTION = re.compile(
    rf"""{_STARTS} (?:
        constitucion{_GAP}politica{_ENDS} {_OF_HERE}* {_OF_YEAR % "after_politica"}?
      | constitucion {_OF_HERE}+ {_OF_YEAR % "after_here"}?
      | constitucion {_OF_YEAR % "after"}
      | (?<!para\sla\s)(?<=\bla\s) (?:constitucion{_ENDS} {_NO_FOUNDING} | const\b | cpp{_ENDS})
      | carta{_GAP}magna{_ENDS}
      | (?<=\bthe\s)constitution{_ENDS} | (?<=\ba\s)constituicao{_ENDS}
    )""",
    re.VERBOSE,
)
_AFTER_ARTICLE = re.compile(r"\bart(?:iculo|iculos|s)?\.?\s*(?:n\S{0,2}\s*)?\d[\d\s,y°.a-]*?(?:,?\s*del?\s+)?$")
_AFTER_THE = re.compile(r"\b(?:el|del|al)\s+$")
_REACH = 60  # characters before an acronym that may make one of it
_LONGEST_UNSURE = 2  # letters of an acronym that only an article before it makes sure


def named_norms(plain: str) -> Iterator[NamedNorm]:
    """The norms that an aligned fold (`identifier_grammar.aligned_fold`) of a text cites by name."""
    names = _names()
    for match in names.pattern.finditer(plain):
        canonical = names.canonical[str(match.lastgroup)]
        yield _regulation_of(canonical) if match["regulation"] else canonical, match.start(), match.end()
    for match in _CONSTITUTION.finditer(plain):
        year = next(filter(None, match.groups()), "")
        year = f"19{year}" if len(year) == len("93") else year
        yield f"constitucion@{year}" if year else "constitucion", match.start(), match.end()
    for match in names.unsure_pattern.finditer(plain):
        before = plain[max(0, match.start() - _REACH) : match.start()]
        if _AFTER_ARTICLE.search(before) or (len(match[0]) > _LONGEST_UNSURE and _AFTER_THE.search(before)):
            yield names.unsure[match[0]], match.start(), match.end()


def _regulation_of(canonical: str) -> str:
    return f"reglamento:{canonical.partition(':')[2]}"


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of the data, as patterns of an aligned fold."""

    pattern: re.Pattern[str]  # one group for each name
    canonical: Mapping[str, str]  # group → canonical form
    unsure_pattern: re.Pattern[str]
    unsure: Mapping[str, str]  # acronym → canonical form


@cache
def _names() -> _Names:
    data = load_data("normas.toml")
    groups: dict[str, str] = {}
    written = [
        rf"(?:nuevo{_GAP})?codigo{_GAP}(?:{_any_of('codigo', data['codigos'], groups)})",
        rf"ley{_GAP}(?:{_any_of('ley', data['leyes'], groups)})",
        *(rf"(?P<{_group(canonical, groups)}>{acronym})" for acronym, canonical in data["siglas"].items()),
    ]
    unsure: Mapping[str, str] = data["siglas_tras_articulo"]
    initials = "".join(sorted({*"clnr", *(acronym[0] for acronym in data["siglas"])}))  # of codigo, ley, nuevo, …
    return _Names(  # a look at the first letter passes over most of a text in a quarter of the time
        pattern=re.compile(rf"(?=[{initials}]){_STARTS}{_REGULATION}(?:{'|'.join(written)}){_ENDS}"),
        canonical=groups,
        unsure_pattern=re.compile(rf"{_STARTS}(?:{'|'.join(unsure)}){_ENDS}"),
        unsure=unsure,
    )


def _any_of(kind: str, named: Mapping[str, list[str]], groups: dict[str, str]) -> str:
    """Longer names first: «civil y comercial» is not «civil»."""
    ways = [(f"{kind}:{name}", way) for name, listed in named.items() for way in listed]
    ways.sort(key=lambda each: -len(each[1]))
    return "|".join(rf"(?P<{_group(canonical, groups)}>{_as_pattern(way)})" for canonical, way in ways)


def _group(canonical: str, groups: dict[str, str]) -> str:
    name = f"name{len(groups)}"
    groups[name] = canonical
    return name


def _as_pattern(way: str) -> str:
    """A name whose small words may be others, or missing; a final «s» may be missing too."""
    words = [word for word in fold(way).split() if word.strip(",") not in _SMALL_WORDS]
    return _SMALL + rf",?{_GAP}{_SMALL}".join(re.sub(r"s$", "s?", word.strip(",")) for word in words)
