"""When the documents do not answer: a reason to stay silent, in words that a person can check.

The rules, in order; the first that holds decides. The first six are about what the question asks for by name:

| what the passages lack                                                            | unless                          |
|-----------------------------------------------------------------------------------|---------------------------------|
| 1. the norms asked for: no document is one of them, no passage mentions any       |                                 |
| 2. the edition of a standard: they have others                                    |                                 |
| 3. an author asked for, together with a year where the question gives one         |                                 |
| 4. an article of a norm: no passage of that norm is that article, or mentions it  |                                 |
| 5. a telephone, an address of e-mail or another such datum; a year still to come  |                                 |
| 6. a country, or a name with capitals, that the question is about                 | a norm asked for is there; it is|
|                                                                                   | named in passing (`passing`)    |
| 7. what the question takes for granted (`premises`): that a norm was repealed, …  |                                 |
| 8. the rule that it takes for granted (`supposed_rules`): «¿por qué se prohíbe …?» | a norm is asked for; a follow-up|
| 9. nearness: the best passage is hardly nearer to the question than chance        | a norm or author is asked for   |
| 10. words: the best passage is not near, and has too few words of the question    | a norm or author is there       |
| 11. of quotes: a quantity asked for (`quantities`): «¿cuántas horas dura …?»      | a norm is asked for; a story    |
| 12. of quotes: it is not near enough for how well the best sentence fits          | a norm is asked for; a follow-up|

Nearness is the best cosine above the model's floor (`Manifest.similarity_floor`), as a share of what is left to 1. The
question's place among cosines of other chunks of the project (a z-score) was tried instead, and tells less: on the
development questions those with an answer reach down to 3.9 deviations, those without up to 5.6.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial

from rag_system.generation.fitness import Rarity, best_fit, is_a_story, names_acronym, subject_terms
from rag_system.generation.norms_asked import (
    LeftOut,
    as_written,
    everything,
    is_the_norm,
    mentions,
    named_in,
    not_there,
    pronoun,
)
from rag_system.generation.passing import is_in_passing
from rag_system.generation.premises import unsaid_premise
from rag_system.generation.quantities import unsaid_quantity
from rag_system.generation.supposed_rules import unsaid_rule
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.generation.whereabouts import name_of, place_of
from rag_system.query.citations import name_in_print
from rag_system.query.english import in_another_language
from rag_system.query.identifiers import (
    article_references,
    by_name,
)
from rag_system.query.names import Name, find_names
from rag_system.query.text import analyze_terms, fold
from rag_system.query.typing_habits import written_out
from rag_system.types import Evidence, QueryPlan

__all__ = ["LeftOut", "Rarity", "missing_from", "nearness", "not_searched", "only_mentioned", "too_far"]


_NOTHING = LeftOut()


# ---------------------------------------------------------------- what the question names


def missing_from(plan: QueryPlan, evidence: Sequence[Evidence], left_out: LeftOut = _NOTHING) -> str:
    """What the question names and the evidence lacks, as the end of a Spanish sentence; empty when nothing is."""
    rules: tuple[Callable[[QueryPlan, Sequence[Evidence]], str], ...] = (
        partial(_missing_norm, left_out=left_out),
        partial(_missing_edition, left_out=left_out),
        _missing_author,
        partial(_missing_article, left_out=left_out),
        _missing_datum,
        _missing_name,
        unsaid_premise,
        _unsaid_rule,
    )
    return next(filter(None, (rule(plan, evidence) for rule in rules)), "")


def only_mentioned(
    plan: QueryPlan, evidence: Sequence[Evidence], *, unfound: Sequence[str], left_out: LeftOut = _NOTHING
) -> str:
    """A notice for the person when a norm asked for is not among the documents, although passages may mention it.

    unfound: the identifiers that no candidate's document has: a norm that is there may have no passage among the best.
    """
    asked_for = [asked for asked in plan.identifiers if asked in {*unfound, *left_out.norms}]
    absent = [asked for asked in asked_for if not any(is_the_norm(item, [asked]) for item in evidence)]
    if not absent or not evidence:
        return ""
    others = "los demás"
    if len(absent) == len(plan.identifiers):
        mentioned = any(mentions(everything(item), absent) for item in evidence)
        others = f"otros que {pronoun(plan, absent)} mencionan" if mentioned else "otros"
    lack = not_there(plan, absent, left_out, "entre sus documentos")
    return f"{lack[0].upper()}{lack[1:]}: la respuesta sale de {others}."


def not_searched(plan: QueryPlan, left_out: LeftOut) -> str:
    """A notice for the person whom no answer was found for: norms asked for are elsewhere in the library."""
    lack = not_there(plan, left_out.norms, left_out) if left_out.norms else ""
    return f"{lack[0].upper()}{lack[1:]}." if lack else ""


def _missing_norm(plan: QueryPlan, evidence: Sequence[Evidence], *, left_out: LeftOut) -> str:
    """A norm asked for by its name alone may be there under another: nearness decides about it."""
    if all(map(by_name, plan.identifiers)) or any(is_the_norm(item, plan.identifiers) for item in evidence):
        return ""
    mentioned = any(mentions(everything(item), plan.identifiers) for item in evidence)
    return "" if mentioned else not_there(plan, plan.identifiers, left_out)


def _missing_edition(plan: QueryPlan, evidence: Sequence[Evidence], *, left_out: LeftOut) -> str:
    for asked in plan.identifiers:
        base, _, edition = asked.partition("@")
        known = {other for item in evidence for other in named_in(item) if other.partition("@")[0] == base}
        dated = any("@" in other for other in known) and not any(edition in everything(item) for item in evidence)
        if edition and dated:
            lack = f"entre ellos no está la edición {edition} de esa norma"
            return not_there(plan, [asked], left_out) if asked in left_out.norms else lack
    return ""


def _missing_author(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    if not plan.authors or any(_cites(fold(everything(item)), plan) for item in evidence):
        return ""
    years = f" ({', '.join(map(str, plan.years))})" if plan.years else ""
    return f"en ellos no aparece {' ni '.join(map(name_in_print, plan.authors))}{years}"


def _missing_article(plan: QueryPlan, evidence: Sequence[Evidence], *, left_out: LeftOut) -> str:
    articles = article_references(plan.standalone_question) if plan.identifiers else []
    if not articles or any(set(articles) & set(article_references(text)) for text in _of_the_norm(plan, evidence)):
        return ""
    if left_out.norms:
        return not_there(plan, left_out.norms, left_out)
    of_norm = f"de {as_written(plan)}".replace("de el ", "del ")
    return f"en ellos no aparece el artículo {' ni el '.join(articles)} {of_norm}"


def _missing_name(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """Names as the person typed them: what only the conversation named was looked for before."""
    if any(is_the_norm(item, plan.identifiers) for item in evidence):
        return ""
    names = [name for name in find_names(plan.question) if name.printed not in _printed(plan.authors)]
    if not names:
        return ""
    texts = [frozenset(analyze_terms(everything(item))) for item in evidence]
    searched = fold(plan.standalone_question)
    absent = (name for name in names if not any(_has_name(text, name) for text in texts))
    missing = next((name for name in absent if _is_searched(name, plan, searched)), None)
    if missing is None or is_in_passing(missing.printed, plan.standalone_question, evidence):
        return ""
    return f"en ellos no se habla de {missing.printed}"


def _printed(authors: Sequence[str]) -> set[str]:
    return set(map(name_in_print, authors))


def _is_searched(name: Name, plan: QueryPlan, searched: str) -> bool:
    """A name that was corrected before the search is written otherwise there; a country may be an adjective."""
    return fold(name.printed) in searched or fold(name.printed) not in fold(plan.question)


def _has_name(terms: frozenset[str], name: Name) -> bool:
    return any(way <= terms for way in name.ways)


_DIGITS_8, _DIGITS_11 = re.compile(r"(?<!\d)\d{8}(?!\d)"), re.compile(r"(?<!\d)\d{11}(?!\d)")
# What is asked for → what a text that gives it holds, and how it is called.
_DATA: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:numero|nro\.?|cual es el) (?:de )?dni\b|\bdni (?:de|del) "), _DIGITS_8, "ningún número de DNI"),
    (re.compile(r"\b(?:numero de|cual es (?:el|su)) ruc\b"), _DIGITS_11, "ningún número de RUC"),
    (
        re.compile(
            r"\b(?:telefono|celular|whatsapp) (?:de|del)\b|\b(?:cual es|dame|digame|numero de) (?:el |su )?telefono\b"
        ),
        re.compile(r"\d[\d\s()-]{4,}\d"),
        "ningún número de teléfono",
    ),
    (
        re.compile(r"\b(?:cual es|dame|digame|a que) (?:el |su )?(?:correo|e-?mail)\b"),
        re.compile(r"@|\barroba\b"),
        "ninguna dirección de correo",
    ),
)
# A future as it is written, «valdrá», «traerán»; without its accents only verbs of a list: «para» and «otra» are none.
_TO_COME = re.compile(
    r"\b(?!queremos|esperemos|requeremos)\w+(?:[aei]|[bdr])r(?:á|án|emos)\b|"
    r"\b(?:ser|habr|podr|tendr|valdr|saldr|vendr|costar|pagar|subir|bajar|ganar|cobrar|estar|dar|llegar|aumentar|"
    r"cambiar|quedar|celebrar|empezar|durar|realizar)an?\b"
)
_YEAR = re.compile(r"(?<![\d/-])(?:20\d\d|21\d\d)(?![\d/-])")


def _missing_datum(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    question = fold(written_out(plan.question))
    texts = [everything(item) for item in evidence]
    for asked, given, called in _DATA:
        if asked.search(question) and not any(given.search(text) for text in texts):
            return f"en lo que dicen sobre eso no hay {called}"
    if _TO_COME.search(unicodedata.normalize("NFC", plan.question).lower()):
        years = set(_YEAR.findall(question)).difference(*(_YEAR.findall(text) for text in texts))
        if years:
            return f"en ellos no se habla del año {min(years)}"
    return ""


# ---------------------------------------------------------------- how near the passages come

# Found on questions over the sample documents and over legal texts. With an answer: 0.28 or more, and 0.09 or more
# where an English question meets Spanish passages; without one, 0.3 or less.
_NO_NEARER_THAN_CHANCE = 0.15
_IN_ANOTHER_LANGUAGE = 0.08
_NEAR = 0.25
_ENOUGH_WORDS = 0.65  # share of the question's words, rarer ones weighing more
_WORTH_QUOTING = 0.38  # of nearness, and …
_FIT = 0.3  # … of what a sentence that fits all the words makes up for


def nearness(similarities: Sequence[float], floor: float) -> float:
    """The best cosine above a model's floor, as a share of what is left to 1: 0…1.

    A model without a floor is not calibrated: what is no nearer than chance cannot be told, and the words decide.
    """
    near = max(max(similarities, default=floor) - floor, 0.0) / (1.0 - floor)
    return near if floor else max(near, _NO_NEARER_THAN_CHANCE)


def too_far(
    plan: QueryPlan,
    evidence: Sequence[Evidence],
    near: float,
    rarity: Rarity,
    *,
    quoted: bool = False,
    left_out: LeftOut = _NOTHING,
) -> str:
    """Whether no passage speaks of what is asked, as the end of a Spanish sentence; empty when one does.

    `near` is the nearness of the best; `rarity` is asked only where the words decide. `quoted`: the answer will be
    quotes that no model has judged, so that more is asked of the passages.
    """
    if plan.authors or any(is_the_norm(item, plan.identifiers) for item in evidence):
        return ""
    if quoted and (unsaid := unsaid_quantity(plan, evidence)):
        return _beside(evidence, unsaid)
    if in_another_language(plan.question):
        return _NOTHING_NEAR if near < _IN_ANOTHER_LANGUAGE else ""
    by_words = plan.identifiers or near >= _NO_NEARER_THAN_CHANCE  # what a norm's name means, the vector does not hold
    if near >= _NEAR or (by_words and _words_held(plan, evidence, rarity) >= _ENOUGH_WORDS):
        return _beside(evidence) if quoted and _is_beside(plan, evidence, near, rarity) else ""
    if not plan.identifiers:
        return _NOTHING_NEAR
    mentioned = any(mentions(everything(item), plan.identifiers) for item in evidence)
    lack = not_there(plan, plan.identifiers, left_out)
    return f"{lack}, aunque {pronoun(plan, plan.identifiers)} mencionan" if mentioned else lack


_NAME_CHARS = 60
_NOTHING_NEAR = "ningún pasaje trata de lo que pregunta"


def _beside(evidence: Sequence[Evidence], lack: str = _NOTHING_NEAR) -> str:
    """What is lacking, with where a person may look on."""
    nearest = max(evidence, key=lambda item: item.score, default=None)
    if nearest is None:
        return lack
    place = place_of(nearest.chunk)
    name = name_of(nearest.chunk, longest=_NAME_CHARS)
    return f"{lack}; lo más cercano está en {name}{', ' + place if place else ''}"


def _unsaid_rule(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    lack = unsaid_rule(plan, evidence)
    return _beside(evidence, lack) if lack else ""


def _is_beside(plan: QueryPlan, evidence: Sequence[Evidence], near: float, rarity: Rarity) -> bool:
    """Whether quotes would be beside the point: the best passage is not near enough for the words that one holds.

    What the vector says little of is let pass: a follow-up, a norm or an acronym by its name, a whole story.
    """
    question = plan.standalone_question
    if plan.reformulated or plan.identifiers or near >= _WORTH_QUOTING:
        return False
    if is_a_story(question):
        return False
    fit = best_fit(question, evidence, rarity)
    if names_acronym(question):
        return not fit.words
    return not fit.outright and near + _FIT * fit.words < _WORTH_QUOTING


def _words_held(plan: QueryPlan, evidence: Sequence[Evidence], rarity: Rarity) -> float:
    """The share of the question's words that the best passage holds, 0…1; of its subject's, where that is more."""
    question = plan.standalone_question
    texts = [everything(item) for item in evidence]
    either = (topic_terms(question), subject_terms(question))
    return max(_share_held(question, terms, texts, rarity) for terms in either)


def _share_held(question: str, terms: Sequence[str], texts: Sequence[str], rarity: Rarity) -> float:
    read, weights = TermReader(question, terms), rarity(terms)
    whole = sum(weights.values()) or 1.0
    return max((sum(weights[term] for term in read(text)) / whole for text in texts), default=0.0)


# ---------------------------------------------------------------- reading the evidence


def _cites(text: str, plan: QueryPlan) -> bool:
    named = any(_has_word(text, _spaced(author)) for author in plan.authors)
    return named and (not plan.years or any(_has_word(text, f"{year}[a-z]?") for year in plan.years))


def _has_word(text: str, pattern: str) -> bool:
    """Whether folded text has the pattern as words of its own: «arias» is not in «varias»."""
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None


def _spaced(author: str) -> str:
    """A surname whose words a line may part."""
    return r"\s+".join(map(re.escape, fold(author).split()))


def _of_the_norm(plan: QueryPlan, evidence: Sequence[Evidence]) -> list[str]:
    """The passages of the documents that are the norm; failing that, all of them: a norm may go by another name."""
    of_norm = [item for item in evidence if is_the_norm(item, plan.identifiers)]
    return [everything(item) for item in of_norm or evidence]
