"""Whether two Spanish sentences on one subject say opposite things: «podrá» and «no podrá», «hasta» and «al menos».

Rules over words, one clause at a time: what a negation reaches, which side of a figure is meant, and pairs of words
that exclude each other. A free paraphrase without the words of its source is never called opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from rag_system.generation.figures import Figure
from rag_system.query.text import fold, stem
from rag_system.query.word_lists import STOPWORDS

__all__ = ["Denial", "bound_of", "denials", "exclude_each_other", "opposed", "root", "roots", "split_clauses"]

# ---------------------------------------------------------------- words

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_WITH_DIPHTHONG = 5  # letters; shorter ones are other words: «bien», «cien»
_DIPHTHONGS = (("ue", "o"), ("ie", "e"))


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """The stem of a folded word with its diphthong undone, so that «resuelve» meets «resolver»."""
    found = stem(word)
    if len(found) >= _SHORTEST_WITH_DIPHTHONG:
        for diphthong, vowel in _DIPHTHONGS:
            found = found.replace(diphthong, vowel)
    return found


def roots(text: str) -> list[str]:
    """The roots of the words that say something, in order; numbers are no words."""
    return [root(word) for word in _words(text) if word not in STOPWORDS and not word[0].isdigit()]


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


_CLAUSE_END = re.compile(r"[;\n]|\s(?=(?:y|e|pero|sino|mientras)\s)|,\s(?=(?:salvo|excepto|pero|sino|y|e)\s)")


def split_clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence start and end."""
    start = 0
    for mark in _CLAUSE_END.finditer(text):
        yield start, mark.start()
        start = mark.end()
    yield start, len(text)


# ---------------------------------------------------------------- negation

_NEGATORS = frozenset("no nunca jamas tampoco ni sin ningun ninguna ninguno nadie".split())
_FORBIDS = re.compile(r"(?:prohib|imped|impid)\w*$")
_LOSES = re.compile(r"(?:pierd|perd|carec|exclu|exoner)\w*$")
# Between a negation and what it denies: auxiliaries, pronouns, articles.
_LIGHT = frozenset(
    """
    se le les lo la los las me nos el un una su sus al del de a que ser es son era fue sea sean sera seran esta estan
    este estara puede pueden podra podran pueda puedan debe deben debera deberan ha han haya hay tiene tienen tendra
    tendran tener hace falta ningun ninguna en por para con mas menos y o otro otra tal nada cualquier
    """.split()
)
# «No menos del 2 %» gives a side of a figure and denies nothing.
_NO_NEGATION = re.compile(r"\bno (?:obstante|solo|solamente|unicamente|sin|menos|mas)\b")
_REACH = 3  # words that a negation denies
_ONLY = re.compile(r"\b(?:solo|solamente|unicamente|exclusivamente)\b")
# «Los que no son vecinos», «si no responde»: what a condition denies is not what the sentence denies.
_CONDITION = re.compile(r"(?:\b(?:si|cuando|quien|quienes|aunque|l[ao]s? que|el que|aquell[ao]s que) )$")


@dataclass(frozen=True, slots=True)
class Denial:
    """A negation: the first word that it denies, all that it reaches, and what stands before it, as roots."""

    head: str
    reach: frozenset[str]
    before: frozenset[str] = frozenset()
    soft: bool = False  # «pierde el derecho»: it may answer another denial, and denies nothing by itself

    def matches(self, other: Denial) -> bool:
        """Whether both deny the same."""
        if other.soft:
            return self.head in other.reach
        return bool(self.reach & other.reach) or self.head in other.before or other.head in self.before


@lru_cache(maxsize=1_024)
def denials(text: str) -> list[Denial]:
    """The negations of a sentence.

    >>> [denial.head for denial in denials("El conductor no podrá usar el vehículo, sin excepción.")]
    ['usar', 'excepcion']
    """
    return list(_denials(text))


def _denials(text: str) -> Iterator[Denial]:
    for clause in re.split(r"[,;:.\n(]", _NO_NEGATION.sub(" ", fold(text))):
        words = _WORD.findall(clause)
        for place, word in enumerate(words):
            before = " ".join(words[max(0, place - 2) : place]) + " "
            soft = _LOSES.match(word) is not None
            if (soft or word in _NEGATORS or _FORBIDS.match(word)) and not _CONDITION.search(before):
                reached = _telling(words[place + 1 :])[:_REACH]
                if reached:
                    subject = frozenset() if word == "sin" else frozenset(_telling(words[:place]))
                    yield Denial(reached[0], frozenset(reached), subject, soft)


def _telling(words: Sequence[str]) -> list[str]:
    return [root(word) for word in words if word not in _LIGHT and not word[0].isdigit()]


def opposed(claim: str, claim_roots: AbstractSet[str], source: str, source_roots: AbstractSet[str]) -> bool:
    """Whether one denies what the other affirms."""
    mine, theirs = denials(claim), denials(source)
    if _denies(mine, theirs, source_roots):
        return True
    return not _ONLY.search(fold(claim)) and _denies(theirs, mine, claim_roots)


def _denies(denied: Sequence[Denial], others: Sequence[Denial], affirmed: AbstractSet[str]) -> bool:
    """Whether something denied on one side is said on the other, which denies nothing like it."""
    return any(
        denial.head in affirmed and not any(denial.matches(other) for other in others)
        for denial in denied
        if not denial.soft
    )


# ---------------------------------------------------------------- sides of a figure

_AT_MOST = re.compile(
    r"\b(?:maxim[oa]s?|hasta|no (?:\w+ ){0,2}(?:mayor(?:es)?|superior(?:es)?|mas)\b|(?:no|nunca) (?:\w+ ){0,2}"
    r"(?:exced\w+|super[ae]\w*|pas[ae]\w*)|como mucho|a lo sumo|a mas tardar|tope)\b"
)
_AT_LEAST = re.compile(
    r"\b(?:minim[oa]s?|al menos|por lo menos|cuando menos|no (?:\w+ ){0,2}(?:menor(?:es)?|inferior(?:es)?|menos)|desde|"
    r"a partir del?)\b"
)
_LEFT, _RIGHT = 40, 18  # characters around a figure in which its side is said


def bound_of(text: str, figure: Figure) -> str:
    """`most`, `least`, or nothing: which side of the figure the text means."""
    before, after = _around(text, figure)
    most, least = _last(_AT_MOST, before), _last(_AT_LEAST, before)
    if most < 0 and least < 0:
        most, least = _last(_AT_MOST, after), _last(_AT_LEAST, after)
    if most == least:
        return ""
    return "most" if most > least else "least"


def _around(text: str, figure: Figure) -> tuple[str, str]:
    """What stands before and after, up to the next figure or stop."""
    before = re.split(r"[;.\n]|\d", fold(text[max(0, figure.start - _LEFT) : figure.start]))[-1]
    return before, re.split(r"[;.,\n]|\d", fold(text[figure.end : figure.end + _RIGHT]))[0]


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


# ---------------------------------------------------------------- words that exclude each other

_PAIRS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"))
    for one, other in (
        (r"habil(?:es)?|laborables?", r"calendario|naturales"),
        (r"obligatori[oa]s?|obligatoriamente", r"facultativ[oa]s?|opcional(?:es)?|voluntari[oa]s?"),
        (r"antes", r"despues"),
        (r"aprob\w+|acept\w+", r"rechaz\w+|desaprob\w+|deneg\w+|denieg\w+"),
        (r"gratuit[oa]s?|gratis", r"pagad[oa]s?|onerosos?"),
        (r"positiv[oa]s?", r"negativ[oa]s?"),
        (r"anticipad[oa]|adelantad[oa]|por adelantado", r"vencid[oa]|por vencido"),
    )
)


# «Abre los lunes», where the source ends with «… y cierra los lunes»: that clause holds no other word of the subject.
_OPENS = re.compile(r"\b(?:abr(?:e|en|ira|iran)|abiert[oa]s?|atienden?)\b")
_CLOSES = re.compile(r"\b(?:cierran?|cerrad[oa]s?|cerraran?)\b")
_DAY = re.compile(r"\b(?:lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|feriados?)\b")
_DENIED_BEFORE = re.compile(r"\b(?:no|ni|sin|nunca)(?: \w+){0,2} $")


def exclude_each_other(claim: str, source: str) -> bool:
    """Whether the claim has one word of a pair, and the source, in its clause on the same thing, only the other."""
    mine, theirs = fold(claim), fold(source)
    return _opens_when_closed(mine, theirs) or any(
        _only_other(mine, one, other, theirs) for pair in _PAIRS for one, other in (pair, pair[::-1])
    )


def _opens_when_closed(claim: str, source: str) -> bool:
    """Whether the claim opens on a single day on which the source only closes the same, at no hour."""
    days = set(_DAY.findall(claim))
    if len(days) != 1 or _CLOSES.search(claim) or not _affirms(claim, _OPENS):
        return False
    clauses = [source[start:end] for start, end in split_clauses(source)]
    on_the_day = [clause for clause in clauses if days.intersection(_DAY.findall(clause))]
    said = frozenset(roots(claim))
    return bool(on_the_day) and all(_only_closes(clause, said) for clause in on_the_day)


def _only_closes(clause: str, said: frozenset[str]) -> bool:
    """Whether a clause closes, and speaks of nothing besides what was said: «y cierra los lunes»."""
    others = roots(_DAY.sub(" ", _CLOSES.sub(" ", clause)))
    return _affirms(clause, _CLOSES) and said.issuperset(others) and not re.search(r"\d", clause)


def _affirms(text: str, words: re.Pattern[str]) -> bool:
    return any(not _DENIED_BEFORE.search(text[: match.start()]) for match in words.finditer(text))


def _only_other(claim: str, one: re.Pattern[str], other: re.Pattern[str], source: str) -> bool:
    if not _affirms(claim, one) or other.search(claim) or not _affirms(source, other):
        return False
    said = frozenset(roots(one.sub(" ", claim)))
    clauses = [source[start:end] for start, end in split_clauses(source)]
    shared = [len(said.intersection(roots(clause))) for clause in clauses]
    nearest = [clause for clause, words in zip(clauses, shared, strict=True) if words == max(shared) > 0]
    return any(other.search(clause) for clause in nearest) and not any(one.search(clause) for clause in nearest)
