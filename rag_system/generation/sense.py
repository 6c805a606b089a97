"""Whether two Spanish sentences on one subject say opposite things: «podrá» and «no podrá», «hasta» and «al menos».

Rules over closed classes of words, one clause at a time: what a negation reaches, whether a condition is turned round,
which side of a figure is meant, words that exclude each other, and «todos» where the other speaks of some. A free
paraphrase without the words of its source is never called opposite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from rag_system.generation.figures import Figure
from rag_system.generation.words import clauses, root, roots, words
from rag_system.query.text import fold, stem
from rag_system.query.word_lists import STOPWORDS, load_data

__all__ = ["Said", "bound_of", "exclude_each_other", "is_general", "opposed", "said_in", "speaks_of_every"]

# ---------------------------------------------------------------- negation

_NEGATORS = frozenset("no nunca jamas tampoco ni sin ningun ninguna ninguno nadie".split())
_DENYING_A_WORD = frozenset(("no", "sin"))  # «ninguna caja», «ni el jefe» speak of boxes and chiefs all the same
_FORBIDS = re.compile(r"(?:prohib|imped|impid)\w*$")
# What may answer a negation in other words, and denies nothing by itself.
_SOFT = re.compile(
    r"(?:pierd|perd|carec|exclu|exoner|exent|exim|exim|libr|nul|invalid|improced|inadmis|rechaz|deneg|denieg|cerrad|"
    r"cierra|gratuit|gratis|indispon|indetermin|irrenunc|imposib|salvo|excep|menos|sol[oa]|solament|unicament|fuera|"
    r"evita|dej[aeo]|omit|quit|neg[aou]|nieg|limit|caduc|venc|reserv|confidenc|opcion|facultat|volunt|incumpl|falta|"
    r"ausen|anul|suspend|inexist|inaplic|insufic|incapa|indefin|desaprob|desestim|desist|desauto)\w*$"
)
# Between a negation and what it denies: auxiliaries, pronouns, articles, what is allowed or required.
_LIGHT = frozenset(
    """
    se le les lo la los las me nos el un una su sus al del de a que ser es son era fue sea sean sera seran esta estan
    este esten estara ha han haya hay tiene tienen tendra tendran tener tenga tengan hace hara ningun ninguna en por
    para con mas menos y o otro otra tal nada cualquier quien quienes usted alguno alguna soy somos estoy estamos
    """.split()
)
_VERBS = frozenset(
    load_data("palabras.toml")["vacias"]["verbos"].split()
)  # of those that say nothing: forms of «ser», «tener», «poder»
_MODAL = re.compile(
    r"(?:pued|podr|podi|deb|necesari|obligatori|oblig|exig|requ(?:er|ier|iri)|necesit|permit|proced|admit|hace|"
    r"falta|preciso|posible|correspond)\w*$"
)
# «No menos del 2 %» gives a side of a figure and denies nothing.
_NO_NEGATION = re.compile(
    r"\bo no\b|\bno (?:obstante|solo|solamente|unicamente|sin|menos|mas|mayor(?:es)?|menor(?:es)?|"
    r"superior(?:es)?|inferior(?:es)?|(?:\w+ ){0,2}(?:exce[dp]\w+|super[ae]\w*|sobrepas\w*|"
    r"pas[ae]r?\b|ser (?:mayor|menor|superior|inferior)))\b"
)
_ALIKE = 0.6  # share of the words of the shorter of two clauses that both have: they speak of the same
_SAME = 0.7  # share of all the words of two clauses that both have
_REACH = 3  # words that a negation denies
_INFINITIVE = re.compile(r"[aei]r(?:se|l[aeo]s?|me|nos)?$")
_CONDITION = re.compile(
    r"\b(?:si|cuando|aunque|mientras|siempre que|siempre y cuando|quien|quienes|(?:l[ao]s?|el|aquell[ao]s?) que|que)\b"
)
_CONCESSION = re.compile(r"\b(?:aunque|aun (?:si|sin|cuando)|incluso (?:si|sin|cuando))\b[^,;:.(]*")


_AFTER_NEGATION = re.compile(
    r"\b(?:no|ni|sin|nunca|jamas|tampoco|nadie|ningun[ao]?|prohib\w+|imp[ie]d\w+)\b((?:(?!\b(?:pero|sino|aunque)\b)[^;.(])*)"
)


@lru_cache(maxsize=2_048)
def _denials(text: str) -> tuple[tuple[str, ...], ...]:
    """What each negation of a text reaches, as roots, its first word first; «si no responde» denies nothing."""
    return tuple(_find_denials(text))


def _find_denials(text: str) -> Iterator[tuple[str, ...]]:
    for clause in _split(text):
        said, since = words(clause), 0
        for place, word in enumerate(said):
            if word in _NEGATORS or _FORBIDS.match(word):
                reached = _telling(said[place + 1 :])[:_REACH]
                if reached and not _CONDITION.search(" ".join(said[since:place])):
                    yield tuple(reached)
                since = place


class Said(NamedTuple):
    """The stems of a text that it affirms, those that it denies, and of these the kinds: «personal no docente»."""

    affirmed: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()


@lru_cache(maxsize=2_048)
def said_in(text: str) -> Said:
    """Which words of a text stand right after a negation, but for light words, and which have none.

    Of what follows the first word without a break it says neither: «no es socio activo».

    >>> said = said_in("El personal no docente no tiene derecho al bono.")
    >>> sorted(said.affirmed), sorted(said.denied), sorted(said.kinds)
    (['bon', 'personal'], ['derech', 'docent'], ['docent'])
    """
    told = [_said_in_clause(words(each)) for each in _split(text)]
    return Said(*(frozenset().union(*of) for of in zip(*told, strict=True))) if told else Said()


def _said_in_clause(said: Sequence[str]) -> tuple[set[str], set[str], set[str]]:
    """What is affirmed in a clause, what is denied, and which kinds are: a kind is named after a word, or by itself."""
    affirmed, denied, kinds = set[str](), set[str](), set[str]()
    negator, reached, only_infinitive = -1, False, False
    for place, word in enumerate(said):
        if word in _DENYING_A_WORD or word in _NEGATORS:
            negator, reached, only_infinitive = place if word in _DENYING_A_WORD else -1, False, False
        elif reached and word not in STOPWORDS and word not in _LIGHT:
            continue
        elif negator < 0 or reached:
            negator, reached = -1, False
            affirmed.update(() if word in STOPWORDS or word in _LIGHT else (stem(word),))
        elif word == "que":
            only_infinitive = True  # «no hay que pagar», and not «no dicen que los socios…»
        elif word in _LIGHT or word in _VERBS or _MODAL.match(word):
            continue
        elif word in STOPWORDS or (only_infinitive and not _INFINITIVE.search(word)):
            negator = -1  # «no sé cuánto pagan»
            affirmed.update(() if word in STOPWORDS else (stem(word),))
        else:
            denied.add(stem(word))
            kinds.update((stem(word),) if place == negator + 1 else ())
            reached = True
    return affirmed, denied, kinds


def _split(text: str) -> list[str]:
    return re.split(r"[,;:.\n(|]", _NO_NEGATION.sub(" ", fold(text)))


def _telling(said: Sequence[str]) -> list[str]:
    return [root(word) for word in said if word not in _LIGHT and not _MODAL.match(word) and not word[0].isdigit()]


def _is_negative(text: str, denied: Sequence[Sequence[str]]) -> bool:
    """Whether anything is denied in it: «…, aunque no deba notificarse» denies nothing but just that."""
    folded = _NO_NEGATION.sub(" ", fold(text))
    conceded = {each for part in _CONCESSION.findall(folded) for each in roots(part)}
    said = words(folded if any(head in conceded for head, *_ in denied) else _CONCESSION.sub(" ", folded))
    return any(word in _NEGATORS or _FORBIDS.match(word) or _SOFT.match(word) for word in said)


def opposed(claim: str, claim_roots: AbstractSet[str], source: str, source_roots: AbstractSet[str]) -> bool:
    """Whether one denies what the other affirms; the roots of each are in the spelling of the other."""
    mine, theirs = _denied(claim, source_roots), _denied(source, claim_roots)
    if (mine and not _is_negative(source, mine)) or (theirs and not _is_negative(claim, theirs)):
        return True
    return (_left(mine, source) and _left(theirs, claim)) or _parity_differs(claim, source)


def _parity_differs(claim: str, source: str) -> bool:
    """Whether one of two clauses that are nearly the same is denied, and the other is not."""
    mine, theirs = (
        [(frozenset(_telling(words(each))), _is_denied(each)) for each in _parts(_CONCESSION.sub(" ", fold(text)))]
        for text in (claim, source)
    )
    for said, denied in mine:
        near = [d for stated, d in theirs if len(said) >= 2 and len(said & stated) >= _SAME * len(said | stated)]
        if near and all(each != denied for each in near):
            return True
    return False


def _parts(text: str) -> list[str]:
    return [text[start:end] for start, end in clauses(text)]


def _is_denied(clause: str) -> bool:
    said = words(_NO_NEGATION.sub(" ", fold(clause)))
    return any((word in _NEGATORS and word != "sin") or _FORBIDS.match(word) for word in said)


def _denied(denying: str, affirmed: AbstractSet[str]) -> list[tuple[str, ...]]:
    """What one side denies and the other says."""
    return [
        reach
        for reach in _denials(denying)
        if reach[0] in affirmed and len(affirmed & set(reach)) >= min(2, len(set(reach)))
    ]


def _left(denied: Sequence[Sequence[str]], other: str) -> bool:
    """Whether the other side, which denies something too, does not deny all of these."""
    after = [_telling(words(each)) for each in _AFTER_NEGATION.findall(fold(other))]
    return any(not any(head in reached for reached in after) for head, *_ in denied)


# ---------------------------------------------------------------- sides of a figure

_SIDE = re.compile(
    r"\b(?:(?P<most>maxim[oa]s?|hasta|no (?:\w+ ){0,2}(?:mayor(?:es)?|superior(?:es)?|mas)\b|(?:no|nunca) (?:\w+ ){0,2}"
    r"(?:exced\w+|super[ae]\w*|pas[ae]\w*)|como mucho|a lo sumo|a mas tardar|tope|menos de|inferior(?:es)? a|"
    r"menor(?:es)? (?:a|que))|(?P<least>minim[oa]s?|al menos|por lo menos|cuando menos|no (?:\w+ ){0,2}"
    r"(?:menor(?:es)?|inferior(?:es)?|menos)|desde|a partir del?|mas de|superior(?:es)? a|mayor(?:es)? (?:a|que)"
    r")|(?P<may>(?:pued|podr)\w+ (?:exced|super|pas)\w+))\b"
)
_NEVER = re.compile(r"\b(?:no|nunca|jamas|ningun)\b")
_LEFT, _RIGHT = 60, 18  # characters around a figure in which its side is said


def bound_of(text: str, figure: Figure) -> str:
    """`most`, `least`, or nothing: which side of the figure the text means."""
    for near in _around(text, figure):
        if sides := [match.lastgroup or "" for match in _SIDE.finditer(near)]:
            may = "most" if _NEVER.search(near) else "least"  # «en ningún caso puede exceder»
            return may if sides[-1] == "may" else sides[-1]
    return ""


def _around(text: str, figure: Figure) -> tuple[str, str]:
    """What stands before and after, up to the next figure or stop."""
    before = re.split(r"[;.\n]|\d", fold(text[max(0, figure.start - _LEFT) : figure.start]))[-1]
    return before, re.split(r"[;.,\n]|\d", fold(text[figure.end : figure.end + _RIGHT]))[0]


# ---------------------------------------------------------------- words that exclude each other

_SETS: tuple[tuple[re.Pattern[str], ...], ...] = tuple(
    tuple(re.compile(rf"\b(?:{word})\b") for word in exclusive)
    for exclusive in (
        (r"obligatori[oa]s?|obligatoriamente", r"facultativ[oa]s?|opcional(?:es)?|voluntari[oa]s?"),
        (r"antes", r"despues"),
        (r"anterior(?:es)?|previ[oa]s?", r"posterior(?:es)?"),
        (
            r"aunque|aun cuando|incluso si",
            r"salvo que|salvo si|a menos que|excepto (?:si|cuando)",
            r"siempre (?:que|y cuando)|(?<!como )si",
        ),
        (r"primer[oa]s?", r"ultim[oa]s?"),
        (r"encima|por arriba", r"debajo|por abajo"),
        (r"abr(?:e|en|ira|iran)|abiert[oa]s?|atienden?", r"cierran?|cerrad[oa]s?|cerraran?"),
        (r"aprob\w+|acept\w+", r"rechaz\w+|desaprob\w+|deneg\w+|denieg\w+"),
        (
            r"diari[oa]s?|diariamente|cada dia|todos los dias",
            r"semanal(?:es|mente)?|cada semana",
            r"quincenal(?:es|mente)?|cada (?:quince dias|dos semanas)",
            r"mensual(?:es|mente)?|cada mes",
            r"bimestral(?:es|mente)?|cada dos meses",
            r"trimestral(?:es|mente)?|cada tres meses",
            r"semestral(?:es|mente)?|cada seis meses",
            r"anual(?:es|mente)?|cada año",
        ),
    )
)
_DENIED_BEFORE = re.compile(r"\b(?:no|ni|sin|nunca)(?: \w+){0,2} $")


def exclude_each_other(claim: str, source: str) -> bool:
    """Whether the claim has one word of a set, and the source, in its clause on the same thing, only another."""
    mine, theirs = fold(claim), fold(source)
    return any(
        _only_other(mine, one, other, theirs)
        for words_ in _SETS
        for one in words_
        for other in words_
        if one is not other
    )


def _affirms(text: str, pattern: re.Pattern[str]) -> bool:
    return any(not _DENIED_BEFORE.search(text[: match.start()]) for match in pattern.finditer(text))


def _only_other(claim: str, one: re.Pattern[str], other: re.Pattern[str], source: str) -> bool:
    if not _affirms(claim, one) or other.search(claim) or not _affirms(source, other):
        return False
    mine = [each for each in _parts(claim) if one.search(each)]
    theirs = [each for each in _parts(source) if other.search(each) and not one.search(each)]
    same = [each for each in _parts(source) if one.search(each)]
    for said in mine:
        nearest = max((_likeness(one.sub(" ", said), other.sub(" ", stated)) for stated in theirs), default=0.0)
        if nearest >= _ALIKE and all(_likeness(one.sub(" ", said), one.sub(" ", each)) < nearest for each in same):
            return True
    return False


def _likeness(one: str, other: str) -> float:
    """The share of the words of the shorter clause that the other has, 0…1."""
    said, stated = frozenset(roots(one)), frozenset(roots(other))
    return len(said & stated) / (min(len(said), len(stated)) or 1)


# ---------------------------------------------------------------- all, and some

_ALL = re.compile(
    r"\b(?:cualquier(?! (?:momento|tiempo|hora|estado|caso))|cualesquiera|"
    r"tod[oa] (?:el|la)(?! (?:dia|noche|semana|mes|año|mañana|tarde|tiempo|vida|informacion))|"
    r"tod[oa]s l[ao]s(?! (?:dias|semanas|meses|años))|siempre(?! (?:que|y|sin|con|bajo|en) )|"
    r"sin (?:excepci\w+|importar|limite\w*|condicion\w*|distincion|restriccion\w*)|ilimitad\w+)\b"
)
_EVERY = re.compile(
    rf"{_ALL.pattern}|\b(?:cualquiera|tod[oa]s?|siempre|cada|ningun[ao]?|nunca|jamas|nadie|en general|"
    r"segun corresponda|entre otr[oa]s)\b"
)


def is_general(text: str) -> bool:
    """Whether a text speaks of all there are: «cualquier», «todos», «siempre»."""
    return _ALL.search(fold(text)) is not None


def speaks_of_every(text: str) -> bool:
    """Whether a text says so in these or other words, «cada», «ningún» among them."""
    return _EVERY.search(fold(text)) is not None
