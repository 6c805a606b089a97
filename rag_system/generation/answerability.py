"""What stops an answer whoever would write it: something that the question asks for by name and no document has.

The rules, in order; the first that holds decides:

| what the passages lack                                                           |
|----------------------------------------------------------------------------------|
| 1. the norms asked for: no document is one of them, no passage mentions any      |
| 2. the edition of a standard: they have others                                   |
| 3. an author asked for, together with a year where the question gives one        |
| 4. an article of a norm: no passage of that norm is that article, or mentions it |
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.generation.norms_asked import (
    NormsElsewhere,
    as_written,
    everything,
    is_the_norm,
    mentions,
    named_in,
    not_there,
    pronoun,
)
from rag_system.query.articles import article_references
from rag_system.query.citations import name_in_print
from rag_system.query.identifiers import by_name
from rag_system.query.text import fold
from rag_system.types import Evidence, QueryPlan

__all__ = ["NormsElsewhere", "named_gap", "norms_not_searched", "norms_only_mentioned"]


def named_gap(plan: QueryPlan, evidence: Sequence[Evidence], elsewhere: NormsElsewhere) -> str:
    """What the question names and the evidence lacks, as the end of a Spanish sentence; empty when nothing is."""
    return (
        _missing_norm(plan, evidence, elsewhere)
        or _missing_edition(plan, evidence, elsewhere)
        or _missing_author(plan, evidence)
        or _missing_article(plan, evidence, elsewhere)
    )


def norms_only_mentioned(
    plan: QueryPlan, evidence: Sequence[Evidence], *, unfound: Sequence[str], elsewhere: NormsElsewhere
) -> str:
    """A notice for the person when a norm asked for is not among the documents, although passages may mention it.

    unfound: the identifiers that no candidate's document has: a norm that is there may have no passage among the best.
    """
    asked_for = [asked for asked in plan.identifiers if asked in {*unfound, *elsewhere.norms}]
    absent = [asked for asked in asked_for if not any(is_the_norm(item, [asked]) for item in evidence)]
    if not absent or not evidence:
        return ""
    others = "los demás"
    if len(absent) == len(plan.identifiers):
        mentioned = any(mentions(everything(item), absent) for item in evidence)
        others = f"otros que {pronoun(plan, absent)} mencionan" if mentioned else "otros"
    lack = not_there(plan, absent, elsewhere, "entre sus documentos")
    return f"{lack[0].upper()}{lack[1:]}: la respuesta sale de {others}."


def norms_not_searched(plan: QueryPlan, elsewhere: NormsElsewhere) -> str:
    """A notice for the person whom no answer was found for: norms asked for are elsewhere in the library."""
    lack = not_there(plan, elsewhere.norms, elsewhere) if elsewhere.norms else ""
    return f"{lack[0].upper()}{lack[1:]}." if lack else ""


def _missing_norm(plan: QueryPlan, evidence: Sequence[Evidence], elsewhere: NormsElsewhere) -> str:
    """A norm asked for by its name alone may be there under another: nearness decides about it."""
    if all(map(by_name, plan.identifiers)) or any(is_the_norm(item, plan.identifiers) for item in evidence):
        return ""
    mentioned = any(mentions(everything(item), plan.identifiers) for item in evidence)
    return "" if mentioned else not_there(plan, plan.identifiers, elsewhere)


def _missing_edition(plan: QueryPlan, evidence: Sequence[Evidence], elsewhere: NormsElsewhere) -> str:
    for asked in plan.identifiers:
        base, _, edition = asked.partition("@")
        known = {other for item in evidence for other in named_in(item) if other.partition("@")[0] == base}
        dated = any("@" in other for other in known) and not any(edition in everything(item) for item in evidence)
        if edition and dated:
            lack = f"entre ellos no está la edición {edition} de esa norma"
            return not_there(plan, [asked], elsewhere) if asked in elsewhere.norms else lack
    return ""


def _missing_author(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    if not plan.authors or any(_cites(fold(everything(item)), plan) for item in evidence):
        return ""
    years = f" ({', '.join(map(str, plan.years))})" if plan.years else ""
    return f"en ellos no aparece {' ni '.join(map(name_in_print, plan.authors))}{years}"


def _missing_article(plan: QueryPlan, evidence: Sequence[Evidence], elsewhere: NormsElsewhere) -> str:
    articles = article_references(plan.standalone_question) if plan.identifiers else []
    if not articles or any(set(articles) & set(article_references(text)) for text in _of_the_norm(plan, evidence)):
        return ""
    if elsewhere.norms:
        return not_there(plan, elsewhere.norms, elsewhere)
    of_norm = f"de {as_written(plan)}".replace("de el ", "del ")
    return f"en ellos no aparece el artículo {' ni el '.join(articles)} {of_norm}"


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
