"""The questions of a message that asks more than one: «¿Quién responde los reclamos y en cuántos días?». Pure.

What things differ in is told by what each of them is, or by the matter in which they are compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_system.query.text import fold, query_terms

__all__ = ["Comparison", "comparison", "several_questions"]

_PREPOSITION = r"(?:(?:a|ante|cada|con|de|desde|en|hasta|para|por|sobre)\s+)?"
_QUESTION = rf"{_PREPOSITION}(?:(?:cu[aá]l|qui[eé]n)(?:es)?|cu[aá]nt[oa]s?|cu[aá]ndo|d[oó]nde|qué|cómo)\b"
_ASKS = re.compile(rf"{_QUESTION}|\b(?:que|como)\b", re.IGNORECASE)
_ENOUGH = 2  # words that say something, for a question to be understood by itself
_SIGNS = " ¿?¡!,."
_BETWEEN = re.compile(rf"\?\s*(?:(?:y|e|o)\s+)?¿?\s*(?=\w)|,?\s+(?:y|e|o)\s+¿?(?={_QUESTION})", re.IGNORECASE)
_ARTICLE = r"(?:(?:el|la|los|las|lo|un|una|unos|unas)\s+)?"
_A_FEW_WORDS = r"\w+(?:\s+\w+){0,4}?"
_NAMED = r"\w+(?:\s+\w+){0,5}"  # with its article
_LIST = rf"{_NAMED}?(?:,\s+{_NAMED}){{0,4}}?\s+(?:y|e|o|u)\s+{_NAMED}?"  # of six at most: time grows with their number
_DIFFER = re.compile(  # a list of things, or two of them
    rf"""(?:\b(?:que|cual\s+es\s+la)\s+diferencia\s+(?:de|en)\s+{_ARTICLE}(?P<matter>{_A_FEW_WORDS})
        |\bdiferencias?)\s+(?:(?:hay|existe|habria|tienen?)\s+)?entre\s+(.+)
      | \bse\s+(?:diferencia|distingue)n\s+(.+\s(?:y|e|o)\s.+)
      | \bse\s+(?:diferencia|distingue)n?\s+(.+?)\s+(?:y|e|del?)\s+(.+)
      | \bque\s+(?:diferencia|distingue)\s+al?\s+(.+?)\s+del?\s+(.+)
      | \b(?:es|son)\s+lo\s+mismo\s+(.+?)\s+que\s+(.+)
      | \bcompar(?:a|e|ar|ame|eme)\s+(?:al?\s+)?(.+?)\s+(?:y|e|con)\s+(?:al?\s+)?(.+)
      | (?:^|[,:;.]\s)([^,:;]+?)\s+(?:vs\.?|versus)\s+(.+)
      | (?:^|[:;.]\s)({_LIST})[,:;]?\s+¿?(?:y\s+)?
        (?:en\s+que\s+(?:se\s+(?:diferencian|distinguen)|difieren)
          |(?:que|cual\s+es\s+la)\s+diferencia(?:\s+(?:hay|existe|tienen))?
          |son\s+lo\s+mismo)$""",
    re.VERBOSE,
)
_MATTER = re.compile(rf"\s+en\s+cuanto\s+al?\s+{_ARTICLE}({_A_FEW_WORDS})$")
_LAST = re.compile(r"(.+\S)\s+(?:y|e)\s+(.+)|(.+\S)\s+(?:o|u)\s+(.+)")  # of a list, and those before it
_LEADING_ARTICLE = re.compile(rf"^{_ARTICLE}")
# «¿cuánto fue la diferencia …?», «¿en qué plazo se devuelve la diferencia …?»
_ASKS_OTHERWISE = re.compile(
    r"\b(?:si|cuant[oa]s?|quien(?:es)?|cuando|donde|como)\b|\b(?:a|con|por|de|para|desde|hasta)\s+(?:que|cual)\b|\ben\s+que\s+\S"
)
_MORE = re.compile(r"[?¿;:,]|^(?:que|cual(?:es)?)\b")  # another question
_CLAUSE_END = re.compile(r"[,.;:?!]\s")
_LONGEST_THING = 8  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two things or more, folded, and the matter in which they are compared, where it is told."""

    things: tuple[str, ...]
    matter: str = ""


def comparison(question: str) -> Comparison | None:
    """The things of which a question asks what they differ in; None where it asks something else.

    >>> comparison("¿Qué diferencia de plazo hay entre la reconsideración y la apelación?")
    Comparison(things=('reconsideracion', 'apelacion'), matter='plazo')
    """
    plain = fold(question).strip(_SIGNS)
    matter = found[1] if (found := _MATTER.search(plain)) else ""
    plain = plain[: found.start()] if found else plain
    told = _DIFFER.search(plain)
    if not told or _ASKS_OTHERWISE.search(_CLAUSE_END.split(plain[: told.start()])[-1]):
        return None
    first, *others = _things([each for each in told.groups()[1:] if each])
    head = first.rpartition(" de ")[0]  # «la sanción de una falta leve y la de una grave»
    things = first, *(f"{head} {each}" if head and each.startswith("de ") else each for each in others)
    matter = told["matter"] or matter
    named = others and all(query_terms(each) and len(each.split()) <= _LONGEST_THING for each in things)
    asks_more = any(_MORE.search(each) or _ASKS_OTHERWISE.search(each) for each in (*things, matter))
    return Comparison(things=things, matter=matter) if named and not asks_more else None


def _things(told: Sequence[str]) -> list[str]:
    """Without their articles: the two that stand apart, or those of a list, whose commas stand before its last."""
    if len(told) == 1 and (last := _LAST.fullmatch(told[0])):
        before, after = (each for each in last.groups() if each)
        told = [*before.split(", "), after]
    return [_LEADING_ARTICLE.sub("", each.strip()) for each in told]


def several_questions(question: str) -> tuple[tuple[str, str], ...]:
    """Each question as it was asked, and as it is understood without the others; none where there is only one.

    >>> several_questions("¿Quién responde los reclamos y en cuántos días?")[1]
    ('en cuántos días', 'en cuántos días responde los reclamos')
    """
    if compared := comparison(question):
        asks = f"qué {compared.matter} tiene" if compared.matter else "qué es"
        told = (f"{asks} {each}" for each in compared.things)
        return tuple((each, each) for each in told)
    asked = [part for each in _BETWEEN.split(question) if (part := each.strip(_SIGNS))]
    if len(asked) < 2 or not all(map(_ASKS.search, asked)):
        return ()
    spoken = [" ".join(_ASKS.sub("", part).split()) for part in asked]
    return tuple((part, _understood(part, spoken[:at] + spoken[at + 1 :])) for at, part in enumerate(asked))


def _understood(part: str, others: Sequence[str]) -> str:
    """With what the others speak of, where it leaves that out."""
    return part if len(query_terms(part)) >= _ENOUGH else " ".join((part, *others))
