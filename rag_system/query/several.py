"""The questions of a message that asks more than one: «¿Quién responde los reclamos y en cuántos días?». Pure.

What two things differ in is told by what each of them is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query.text import fold, query_terms

__all__ = ["several_questions", "things_compared"]

_PREPOSITION = r"(?:(?:a|ante|cada|con|de|desde|en|hasta|para|por|sobre)\s+)?"
_QUESTION = rf"{_PREPOSITION}(?:(?:cu[aá]l|qui[eé]n)(?:es)?|cu[aá]nt[oa]s?|cu[aá]ndo|d[oó]nde|qué|cómo)\b"
_ASKS = re.compile(rf"{_QUESTION}|\b(?:que|como)\b", re.IGNORECASE)
_ENOUGH = 2  # words that say something, for a question to be understood by itself
_SIGNS = " ¿?¡!,."
_BETWEEN = re.compile(rf"\?\s*(?:(?:y|e|o)\s+)?¿?\s*(?=\w)|,?\s+(?:y|e|o)\s+¿?(?={_QUESTION})", re.IGNORECASE)
_ARTICLE = r"(?:(?:el|la|los|las|lo|un|una|unos|unas)\s+)?"
_DIFFER = re.compile(
    rf"""\bdiferencias?\s+(?:(?:hay|existe|habria|tienen?)\s+)?entre\s+{_ARTICLE}(.+?)\s+(?:y|e)\s+{_ARTICLE}(.+)
      | \bse\s+(?:diferencia|distingue)n?\s+{_ARTICLE}(.+?)\s+(?:y|e|del?)\s+{_ARTICLE}(.+)
      | \bque\s+(?:diferencia|distingue)\s+al?\s+{_ARTICLE}(.+?)\s+del?\s+{_ARTICLE}(.+)
      | \b(?:es|son)\s+lo\s+mismo\s+{_ARTICLE}(.+?)\s+que\s+{_ARTICLE}(.+)
      | \bcompar(?:a|e|ar|ame|eme)\s+(?:al?\s+)?{_ARTICLE}(.+?)\s+(?:y|e|con)\s+(?:al?\s+)?{_ARTICLE}(.+)
      | (?:^|.*[,:;.]\s){_ARTICLE}(.+?)\s+(?:vs\.?|versus)\s+{_ARTICLE}(.+)""",
    re.VERBOSE,
)
# «¿cuánto fue la diferencia …?», «¿en qué plazo se devuelve la diferencia …?»
_ASKS_OTHERWISE = re.compile(
    r"\b(?:si|cuant[oa]s?|quien(?:es)?|cuando|donde|como)\b|\b(?:a|con|por|de|para|desde|hasta)\s+(?:que|cual)\b|\ben\s+que\s+\S"
)
_MORE = re.compile(r"[?¿;:,]")  # a third thing, or another question
_CLAUSE_END = re.compile(r"[,.;:?!]\s")
_LONGEST_THING = 8  # words


def things_compared(question: str) -> tuple[str, ...]:
    """The two things of which a question asks what they differ in; none where it asks something else.

    >>> things_compared("¿Qué diferencia hay entre la reconsideración y la apelación?")
    ('reconsideracion', 'apelacion')
    """
    plain = fold(question).strip(_SIGNS)
    found = _DIFFER.search(plain)
    if not found or _ASKS_OTHERWISE.search(_CLAUSE_END.split(plain[: found.start()])[-1]):
        return ()
    first, second = (each.strip(_SIGNS) for each in found.groups() if each)
    if _MORE.search(f"{first} {second}"):
        return ()
    head = first.rpartition(" de ")[0]  # «la sanción de una falta leve y la de una grave»
    things = first, f"{head} {second}" if head and second.startswith("de ") else second
    return things if all(query_terms(each) and len(each.split()) <= _LONGEST_THING for each in things) else ()


def several_questions(question: str) -> tuple[tuple[str, str], ...]:
    """Each question as it was asked, and as it is understood without the others; none where there is only one.

    >>> several_questions("¿Quién responde los reclamos y en cuántos días?")[1]
    ('en cuántos días', 'en cuántos días responde los reclamos')
    """
    if things := things_compared(question):
        return tuple((f"qué es {each}", f"qué es {each}") for each in things)
    asked = [part for each in _BETWEEN.split(question) if (part := each.strip(_SIGNS))]
    if len(asked) < 2 or not all(map(_ASKS.search, asked)):
        return ()
    spoken = [" ".join(_ASKS.sub("", part).split()) for part in asked]
    return tuple((part, _understood(part, spoken[:at] + spoken[at + 1 :])) for at, part in enumerate(asked))


def _understood(part: str, others: Sequence[str]) -> str:
    """With what the others speak of, where it leaves that out."""
    return part if len(query_terms(part)) >= _ENOUGH else " ".join((part, *others))
