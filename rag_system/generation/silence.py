"""When what the question names is not in the evidence: a reason to stay silent, in words a person can check.

Three rules, each about something that the question asks for by name:

1. norms or standards: no passage mentions any of them;
2. authors: no passage mentions one of them (together with a year, where the question gives one);
3. an article of a norm: no passage of that norm is that article, or mentions it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query.citations import name_in_print
from rag_system.query.identifiers import (
    article_references,
    extract_identifiers,
    find_identifiers,
    same_identifier,
)
from rag_system.query.text import fold
from rag_system.types import Evidence, QueryPlan

__all__ = ["missing_from", "only_mentioned"]


def missing_from(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """What the question names and the evidence lacks, as the end of a Spanish sentence; empty when nothing is."""
    texts = [_everything(item) for item in evidence]
    present = any(_is_the_norm(item, plan.identifiers) for item in evidence)
    if plan.identifiers and not present and not any(_mentions(text, plan.identifiers) for text in texts):
        return f"no aparece {_as_written(plan)}"
    if plan.authors and not any(_cites(fold(text), plan) for text in texts):
        years = f" ({', '.join(map(str, plan.years))})" if plan.years else ""
        return f"no aparece {' ni '.join(map(name_in_print, plan.authors))}{years}"
    articles = article_references(plan.standalone_question) if plan.identifiers else []
    if articles and not any(set(articles) & set(article_references(text)) for text in _of_the_norm(plan, evidence)):
        return f"no aparece el artículo {' ni el '.join(articles)} de {_as_written(plan)}"
    return ""


def only_mentioned(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """A notice for the person when a norm asked for is not among the documents, although passages may mention it."""
    absent = [asked for asked in plan.identifiers if not any(_is_the_norm(item, [asked]) for item in evidence)]
    if not absent or not evidence:
        return ""
    if len(absent) < len(plan.identifiers):
        return f"Entre sus documentos no está {_as_written(plan, absent)}: la respuesta sale de los demás."
    return f"Entre sus documentos no está {_as_written(plan)}: la respuesta sale de otros que la mencionan."


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
    of_norm = [item for item in evidence if _is_the_norm(item, plan.identifiers)]
    return [_everything(item) for item in of_norm or evidence]


def _is_the_norm(item: Evidence, identifiers: Sequence[str]) -> bool:
    chunk = item.chunk
    known = any(same_identifier(own, asked) for own in chunk.identifiers for asked in identifiers)
    return known or _mentions("\n".join((chunk.title, chunk.path)), identifiers)


def _everything(item: Evidence) -> str:
    headings = [heading for chunk in item.chunks for heading in chunk.heading_path]
    return "\n".join((item.chunk.title, item.chunk.path, *headings, item.text))


def _mentions(text: str, identifiers: Sequence[str]) -> bool:
    return any(same_identifier(found, asked) for found in extract_identifiers(text) for asked in identifiers)


def _as_written(plan: QueryPlan, identifiers: Sequence[str] = ()) -> str:
    """The norms, or those of `identifiers`, in the person's own spelling."""
    question = plan.standalone_question
    named = [match for match in find_identifiers(question) if not identifiers or match.canonical in identifiers]
    return " ni ".join(question[match.start : match.end] for match in named) or "esa norma"
