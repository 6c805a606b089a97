"""Which norms a document repeals whole: «Deróguese la Ley N° 27806», «Quedan derogados los Decretos Supremos N° 1 y 2».

A norm of the collection that another one repeals is not in force, though its own file does not know it. A part of a
norm («el artículo 5 de la Ley…»), an exception («en lo que se oponga», «salvo…») and a norm that is only mentioned
(«que modifica la Ley…», «Que, mediante Ley…») repeal nothing whole. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rag_system.query.editor_notes import is_note
from rag_system.query.identifier_grammar import aligned_plain
from rag_system.query.identifiers import by_name, family, find_identifiers, kind, same_identifier
from rag_system.query.months import MONTH_PATTERN
from rag_system.query.sentences import split_sentences
from rag_system.types import ChunkDraft

__all__ = ["repealed_by", "repeals_in"]

_TOLD_CHARS = 300

_VERB = re.compile(
    r"\b(?:(?:derog|abrog)(?:u?e|a)n?se|se (?:derog|abrog)an?|(?:derogar|abrogar)"
    r"|quedan? (?:\w+ ){0,2}(?:derogad|abrogad)[oa]s?|(?:dejan?se|se dejan?|dejar) (?:\w+ )?sin efecto)\b"
)
_TELLS_OF_IT = re.compile(
    r"^\W*que\b|\b(?:mediante|por) (?:el |la |lo |cual)"
)  # before the verb: a recital, another norm
_NOT = re.compile(r"\bno (?:se )?$")
_PARTLY = re.compile(
    r"\b(?:salvo|excepto|con excepcion|a excepcion|en lo que|en cuanto|en la parte|en el extremo|unicamente"
    r"|parcialmente|respecto (?:al?|del?))\b"
)
_PART = re.compile(
    r"\b(?:articulos?|arts?\.|incisos?|parrafos?|numeral(?:es)?|literal(?:es)?|apartados?|disposicion(?:es)?|capitulos?"
    r"|titulos?|anexos?|fraccion(?:es)?|puntos?|acapites?|items?|secciones|seccion|modificacion(?:es)?)\b"
)
# Where the next thing that is repealed begins: after the verb, a semicolon, a line, or «, el …» and «y la …».
_NEXT = re.compile(r"[;\n:]|(?:,|\by\b|\be\b|\basi como\b)\s+(?:de\s+)?(?=(?:el|la|los|las|del)\b)")
_DIRECT = re.compile(
    r"[\s,.:()-]*(?:\d{1,2}[.)-]\s*|[a-z][.)]\s*|[ivx]+[.)-]\s*)?"
    r"(?:expresamente|integramente|totalmente|asimismo|igualmente|a partir\b[^;\n]{0,60}|[\s,])*"
    r"(?:(?:el|la|los|las)\s+)?(?:siguientes?\s+)?(?:normas?|leyes|decretos)?[\s:,]*"
)
_APPROVED = re.compile(r"(?P<thing>[^;\n]*)\b(?:aprobad|promulgad)[oa]s?\s+(?:por|mediante|con)\s+(?:(?:el|la)\s+)?")
_LIST = re.compile(r"[\s,]*(?:y|e|o)?\s*(?:(?:el|la|los|las)\s+)?(?:n\.?\s?°s?\.?|nros?\.?)?\s*")
_ITEM = re.compile(r"\s*(?:\d{1,3}(?:\.\d{1,3})*[.)-]|[a-z][.)]|[-•·–])\s*")
_DATE = re.compile(rf"[\s,]*(?:de fecha|del?)\s+\d{{1,2}}\W{{0,2}}\s*(?:de\s+)?{MONTH_PATTERN}\s+(?:del?\s+)?(\d{{4}})")
_RECITALS = re.compile(r"\b(?:considerando|vistos?|exposicion de motivos|antecedentes)\b")


def repealed_by(drafts: Sequence[ChunkDraft], own: Sequence[str]) -> dict[str, str]:
    """What the norms `own` repeal in their text in force, canonical, each with the words that say so.

    Nothing of a document that is no norm itself: what a thesis tells of a law repeals nothing.
    """
    if not any(family(identifier) == "norm" for identifier in own):
        return {}
    in_force = (draft for draft in drafts if draft.state is None and _may_repeal(draft.heading_path))
    found: dict[str, str] = {}
    for _, section in groupby(in_force, key=lambda draft: draft.heading_path):
        for identifier, told in repeals_in("\n".join(draft.text for draft in section)):
            if not any(same_identifier(identifier, each) for each in own):
                found.setdefault(identifier, told)
    return found


def _may_repeal(heading_path: Sequence[str]) -> bool:
    """Not in the article of another norm that is set out here, nor in what a norm tells before its own articles."""
    quoted = bool(heading_path) and heading_path[-1][:1] in '“"«'
    return not quoted and not any(_RECITALS.search(aligned_plain(heading)) for heading in heading_path)


def repeals_in(text: str) -> Iterator[tuple[str, str]]:
    """The norms that a text repeals, canonical, with the sentence that does.

    >>> [norm for norm, _ in repeals_in("Deróganse la Ley N° 27986, del Hogar, y el artículo 3 de la Ley 28000.")]
    ['ley:27986']
    """
    for sentence in _sentences(text):
        plain = aligned_plain(sentence)
        verb = _VERB.search(plain)
        if (
            verb is None
            or is_note(sentence)
            or _TELLS_OF_IT.search(plain, 0, verb.start())
            or _NOT.search(plain[: verb.start()])
        ):
            continue
        yield from ((norm, sentence[:_TOLD_CHARS]) for norm in _objects(sentence, plain, verb.end()))


def _sentences(text: str) -> Iterator[str]:
    """Each with the list that it leads in."""
    open_sentence = ""
    for span in split_sentences(text):
        if open_sentence and _ITEM.match(aligned_plain(span.text)):
            open_sentence = f"{open_sentence}\n{span.text}"
            continue
        if open_sentence:
            yield open_sentence
        open_sentence = span.text if span.text.rstrip().endswith(":") else ""
        if not open_sentence:
            yield span.text
    if open_sentence:
        yield open_sentence


def _objects(sentence: str, plain: str, start: int) -> Iterator[str]:
    """The norms that stand as what the verb repeals."""
    matches = [match for match in find_identifiers(sentence) if match.start >= start and not by_name(match.canonical)]
    before, accepted = start, False
    for place, match in enumerate(matches):
        end = matches[place + 1].start if place + 1 < len(matches) else len(plain)
        between = plain[before : match.start]
        in_list = place > 0 and _LIST.fullmatch(between) is not None
        accepted = accepted if in_list else _is_object(between)
        before = match.end
        norm = _dated(match.canonical, plain[match.end : end])
        if norm and accepted and _is_whole(norm, plain[match.end : end]):
            yield norm


def _is_object(between: str) -> bool:
    """Whether what leads to a norm says that it is repealed itself: «la», «, y el», «el Reglamento aprobado por»."""
    start = max((match.end() for match in _NEXT.finditer(between)), default=0)
    lead = between[start:]
    if _DIRECT.fullmatch(lead):
        return True
    approved = _APPROVED.fullmatch(lead)
    return approved is not None and _PART.search(approved["thing"]) is None


def _dated(norm: str, after: str) -> str:
    """A decree's number is used again each year: without one, in it or in the date behind it, it names none."""
    if kind(norm) != "decreto" or re.search(r"[@/]", norm):
        return norm
    date = _DATE.match(after)
    return f"{norm}@{date[1]}" if date else ""


def _is_whole(norm: str, after: str) -> bool:
    exception = _PARTLY.search(after.partition(";")[0].partition("\n")[0])
    part = re.match(r"\s*,?\s*art(?:iculo|\.)\s*\d", after)  # «el Decreto Ley N° 21116, artículo 4»
    return family(norm) == "norm" and not (exception or part)
