"""What the words of a task say beside what it is about: how long, in which language, which piece, what is listed."""

from __future__ import annotations

import re

from rag_system.query.spelled_numbers import SPELLED, read_spelled
from rag_system.query.word_lists import load_data
from rag_system.types import TaskKind

__all__ = ["clause_end", "cut_manner", "sentences_asked", "what_is_asked"]

_DATA = load_data("tareas.toml")
_TONGUE = f"(?:{'|'.join(_DATA['lenguas'].split())})"
_AMOUNT = rf"(?:\d+|poc[oa]s|{SPELLED.pattern})"
_FEW = 3
# How many sentences each unit may have: «en dos párrafos», «en cien palabras».
_UNITS = {"linea": 1.0, "punto": 1.0, "oracion": 1.0, "frase": 1.0, "idea": 1.0, "item": 1.0, "viñeta": 1.0}
_UNITS |= {"parrafo": 4.0, "palabra": 0.04}
_SIZED = re.compile(rf"\b(?P<n>{_AMOUNT})\s+(?:(?P<unit>{'|'.join(_UNITS)})(?:s|es)?)\b")
_BRIEF = re.compile(r"\b(?:brev\w+|cort[oa]s?|concis[oa]|rapid[oa]|pequeñ[oa])\b")
BRIEF = 5  # sentences

# What is said of the product after its object: «… en cinco líneas», «… por capítulos, de forma sencilla».
_MANNER = re.compile(
    rf"""\s+(?: (?:en|con|de)\s+(?:(?:no\s+mas|menos|un\s+maximo)\s+de\s+)?{_AMOUNT}\s+\w+
      | en\s+(?:viñetas|puntos|resumen|una\s+tabla|un\s+cuadro)
      | por\s+(?:capitulos|secciones|partes|temas|articulos|puntos) | punto\s+por\s+punto | paso\s+a\s+paso
      | un[oa]\s+por\s+un[oa] | brevemente | por\s+favor | porfa | otra\s+vez | de\s+nuevo | ahora
      | (?:de|con|sin|en|como|para|mas|muy)\s+(?:\w+\s+){{0,4}}?(?:forma|manera|modo|palabras|lenguaje|facil|simples?
      |sencill[oa]s?|clar[oa]|cristiano|manzanas|tecnicismos|niñ[oa]s?|despacio)(?:\s+\w+)? )$""",
    re.VERBOSE,
)  # fmt: skip
_INTO = re.compile(rf"(?:^|\s)(?:al?|en)\s+(?:idioma\s+)?(?P<what>{_TONGUE})$")
_AS_TO = re.compile(
    r"\s+(?:sobre|en\s+cuanto\s+al?|respecto\s+(?:del?|al?)|en\s+materia\s+de"
    r"|en\s+lo\s+(?:(?:relativo|referente|tocante|que\s+\w+)\s+al?|del?))"
    r"\s+(?P<what>.+)$"
)
_PIECE = re.compile(
    r"(?<!\ba\s)\b(?:un|una|unos|unas)\s+(?P<what>[a-zñ]+(?:\s+(?!(?:con|usando|segun|sobre|acerca)\b|basad|a\s+partir|en\s+base)[a-zñ]+){0,12})"
)
_ALL = re.compile(
    r"\btod[oa]s\s+(?:y\s+cada\s+un[oa]\s+de\s+)?(?:los|las|sus)\s+(?P<what>\S+.*)"
    r"|(?P<free>(?:[a-zñ]{3,}s\s+son\s+)?(?:gratis|gratuit[oa]s?)|(?:prohibid|obligatori)[oa]s?)"
    r"|\b(?:los|las|de)\s+(?P<some>[a-zñ]{3,}.*)"
)
# A `DocumentFact`, by what asks for it.
_FACTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (fact, re.compile(pattern))
    for fact, pattern in (
        ("pages", r"\b(?:paginas?|hojas?|folios?|carillas?|pgs?|extension|largo)\b"),
        ("date", r"\bcuando\b|\ben\s+que\s+(?:fecha|dia|año)\b"),  # «¿cuándo se firmó?» asks for no name
        ("signatories", r"\b(?:firm|suscri|promulg)\w+"),
        ("version", r"\b(?:version|edicion|revision)\b"),
        ("issuer", r"\b(?:entidad|organo|organismo|institucion|empresa)\b|\b(?:emit|expid|dict|aprob)\w+"),
        ("date", r"\b(?:fecha|cuando|año|dia)\b"),
        ("author", r"\b(?:autor\w*|escribi\w*|redact\w*|elabor\w*|prepar\w*|hizo|hicieron|publico|de\s+quien)\b"),
        ("title", r"\b(?:titul\w+|llama)\b"),
        ("kind", r"\b(?:tipo|clase)\s+de\s+\w+"),
    )
)  # fmt: skip
_AND = re.compile(r"\s+y\s+(?=(?:[a-z]{1,3}\s+)?(?:quien|cuando|que|cual|cuant)[a-z]*\b)")  # «… y de cuándo es»
_GIST = re.compile(r"\b(?:de|sobre)\s+que\s+(?:temas\s+)?(?:se\s+)?(?:trat|va|habl|vers|es)")
_COUNTED = re.compile(r"\bcuant[oa]s\s+(?P<what>\w+)")


def sentences_asked(plain: str) -> int:
    """How many sentences a summary may have, by the plain words of a message; 0 where they do not say.

    >>> sentences_asked("resume la tesis en tres puntos"), sentences_asked("un resumen breve")
    (3, 5)
    """
    if sized := _SIZED.search(plain):
        return max(round(_number(sized["n"]) * _UNITS[sized["unit"]]), 1)
    return BRIEF if _BRIEF.search(plain) else 0


def _number(said: str) -> int:
    if said.startswith("poc"):
        return _FEW
    return int(said) if said.isdigit() else next(read_spelled(said))[0]


def cut_manner(kind: TaskKind, plain: str) -> int:
    """Where what a task is about ends: before its length, its language, its aspect."""
    end = len(plain)
    while found := _MANNER.search(plain, 0, end):
        end = found.start()
    shape = {"translate": _INTO, "compare": _AS_TO}.get(kind)
    found = shape.search(plain, 0, end) if shape else None
    return found.start() if found else end


def clause_end(plain: str) -> int:
    """Where the first clause ends of those that each ask for a `DocumentFact`: «quién firma el acta | y cuándo».

    >>> clause_end("quien firma el acta y cuando"), clause_end("quien firma el acta y que plazo da")
    (19, 34)
    """
    joint = _AND.search(plain)
    return joint.start() if joint and len(_facts(plain)) > 1 else len(plain)


def what_is_asked(kind: TaskKind, plain: str) -> tuple[str, tuple[int, int]]:
    """What is wanted of a task's object: each `DocumentFact`, joined by commas, or the place of the words that say it;
    of several facts the place of the first.
    """
    if kind == "facts":
        if (counted := _COUNTED.search(plain)) and not _FACTS[0][1].match(counted["what"]):
            return "", counted.span("what")
        asked = _facts(plain)
        return ", ".join(dict.fromkeys(fact for fact, _ in asked)), asked[0][1] if asked else (0, 0)
    if kind == "outline":
        return "gist" if _GIST.search(plain) else "", (0, 0)
    shape = {"translate": _INTO, "compare": _AS_TO, "draft": _PIECE, "list_all": _ALL}.get(kind)
    found = shape.search(plain) if shape else None
    if found is None:
        return "", (0, 0)
    return "", found.span(next(name for name, said in found.groupdict().items() if said))


def _facts(plain: str) -> list[tuple[str, tuple[int, int]]]:
    """The `DocumentFact` that each clause asks for, with the place of its words; of the whole where one asks for
    something else.
    """
    joints = [found.span() for found in _AND.finditer(plain)]
    starts, ends = (0, *(end for _, end in joints)), (*(start for start, _ in joints), len(plain))
    asked = [_fact(plain, start, end) for start, end in zip(starts, ends, strict=True)]
    return [each for each in (asked if all(asked) else [_fact(plain, 0, len(plain))]) if each]


def _fact(plain: str, start: int, end: int) -> tuple[str, tuple[int, int]] | None:
    asked = ((fact, found.span()) for fact, asks in _FACTS if (found := asks.search(plain, start, end)))
    return next(asked, None)
