"""A question read again in the light of the documents' words, or of a model: slips put right, other words to search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from rag_system.query.identifiers import extract_identifiers, without_identifiers
from rag_system.query.reformulation import accept_rewrite
from rag_system.query.spelling import Vocabulary, corrections, rewrite_word, usual_spelling
from rag_system.query.text import tokens
from rag_system.query.word_lists import STOPWORDS
from rag_system.types import QueryPlan

__all__ = ["Lexicon", "dense_queries", "spelled", "with_rewrite"]

FEWEST_WORDS = 2  # that say something, for a question to stand without the norm it names


class Lexicon(Vocabulary, Protocol):
    """The words of a project, and how it writes them."""

    def texts(self, term: str) -> list[str]:
        """A few texts that have the term."""
        ...


def with_rewrite(plan: QueryPlan, rewrite: str, said: Sequence[str] = ()) -> QueryPlan:
    """A follow-up in a model's words, where its sentence can be trusted; else in those of the rules.

    `said` is the conversation: a sentence that shares no word with it, or with the question, is about something else.
    """
    text = accept_rewrite(plan.question, rewrite, said=said, identifiers=plan.identifiers)
    return replace(plan, standalone_question=text) if text else plan


def spelled(plan: QueryPlan, vocabulary: Lexicon) -> QueryPlan:
    """Words that no document has, put right where one that they have is a slip away. The person is told."""
    question, notices = plan.standalone_question, list(plan.notices)
    for word, term in corrections(question, vocabulary).items():
        if better := usual_spelling(term, vocabulary.texts(term), instead_of=word):
            question = rewrite_word(question, word, better)
            notices.append(f"Busqué «{better}» en lugar de «{word}».")
    identifiers = tuple(extract_identifiers(question)) if question != plan.standalone_question else plan.identifiers
    return replace(plan, standalone_question=question, identifiers=identifiers, notices=tuple(notices))


def dense_queries(plan: QueryPlan, *, by_identifier: bool) -> list[str]:
    """What the question's vectors are made from, the one that ranks first.

    It is the standalone question, without its identifiers where these choose the documents; a follow-up is also
    searched as its writer put it.
    """
    asked = _passage_question(plan) if by_identifier else plan.standalone_question
    return [asked, *([plan.question] if plan.reformulated else ())]


def _passage_question(plan: QueryPlan) -> str:
    """The question without its identifiers, unless hardly a word is left: they choose the document, it the passage."""
    rest = " ".join(without_identifiers(plan.standalone_question).split()).replace(" ?", "?")
    words = [word for word in tokens(rest) if word not in STOPWORDS]
    return rest if len(words) >= FEWEST_WORDS else plan.standalone_question
