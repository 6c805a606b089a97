"""How well the best sentence of the passages fits what a question asks about, from words alone.

What a question asks about are its terms without those that serve any subject («plazo», «requisitos», «pagar»).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_system.generation.asking import read_question
from rag_system.generation.passages import Kind, read_chunks
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.query.text import fold, query_terms, tokens
from rag_system.query.word_lists import words
from rag_system.types import Evidence

__all__ = ["Fit", "Rarity", "best_fit", "is_a_story", "names_acronym", "subject_terms"]

Rarity = Callable[[Sequence[str]], Mapping[str, float]]  # how much each term of a project weighs, the rare ones more

_SERVE_ANY_SUBJECT = frozenset(query_terms(" ".join(words("genericas"))))
_OWN_SHARE = 0.3  # of what a sentence holds itself; the rest is of it with the headings and the title above it
_OF_ANOTHER_KIND = 0.6  # left of the fit where the question asks for a figure, a person, … and the sentence has none
_ALL, _MOST = 0.99, 0.5  # of what the question is about
_STORY_WORDS = 12  # from which on a question tells a case, of which no passage has all the words
_ACRONYM = re.compile(r"\b[A-ZÑ]{2,}\b")
_NEVER_ANSWERS = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well the best sentence fits."""

    words: float  # 0…1, the share of what the question is about that it holds, with what stands above it
    outright: bool  # a sentence holds all of it, and its headings, if it has any, name most, or what it is was asked


def best_fit(question: str, evidence: Sequence[Evidence], rarity: Rarity) -> Fit:
    """How well the best sentence fits, its words counted by their rarity in the project."""
    terms, asked = subject_terms(question), read_question(fold(question))
    read, weights = TermReader(question, terms), rarity(terms)
    whole = sum(weights[term] for term in terms) or 1.0
    explains = asked.defines or "diferencia" in fold(question)
    words, outright = 0.0, False
    for said, above, titled in _sentences(evidence):
        own, far = read(said), read(above)
        held = sum(weights[term] for term in own | far) / whole
        fit = held - _OWN_SHARE * (held - sum(weights[term] for term in own) / whole)
        if fit <= words and (outright or held <= _ALL):
            continue  # whatever kind of thing it holds
        headed = sum(weights[term] for term in far) / whole
        right = not asked.most or asked.worth(fold(said)) > 0
        words = max(words, fit * (1.0 if right else _OF_ANOTHER_KIND))
        outright = outright or (right and held > _ALL and (explains or not titled or headed >= _MOST))
    return Fit(words=words, outright=outright)


def subject_terms(question: str) -> list[str]:
    """What a question is about; all its terms when each serves any subject."""
    terms = topic_terms(question)
    return [term for term in terms if term not in _SERVE_ANY_SUBJECT] or terms


def is_a_story(question: str) -> bool:
    """Whether a question tells a case: its vector and its words are of many things."""
    return len(tokens(question)) >= _STORY_WORDS


def names_acronym(question: str) -> bool:
    """Whether all that a question is about are acronyms, whose meaning its vector does not hold: «¿qué es la UIT?»."""
    acronyms = set() if question.isupper() else set(query_terms(" ".join(_ACRONYM.findall(question))))
    return acronyms.issuperset(subject_terms(question))


def _sentences(evidence: Sequence[Evidence]) -> Iterator[tuple[str, str, bool]]:
    """Each sentence that could be quoted, what stands above it, and whether that is more than a document's title."""
    for chunk, titles, sentences in read_chunks(evidence):
        for each in sentences:
            if each.kind not in _NEVER_ANSWERS:
                inside = " ".join(span.text for span in (each.heading, each.lead) if span)
                yield each.text, f"{titles} {inside}", bool(inside) or len(chunk.heading_path) > 1
