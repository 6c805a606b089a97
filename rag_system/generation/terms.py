"""Which terms of a question a text holds: the word itself, a relative, or another word for it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rag_system.generation.kinship import are_kin, beginning
from rag_system.query.everyday import relatives, written_for
from rag_system.query.expansion import expand
from rag_system.query.identifiers import without_identifiers
from rag_system.query.text import analyze_terms, query_terms, stem, tokens

__all__ = ["TermReader", "distinct_terms", "topic_terms"]

_TEXTS_READ = 1_024  # sentences and headings kept: those of the sources of one answer or two

# What a question says besides its topic: the request itself, and the kind of document that it names.
_NO_TOPIC = frozenset(
    query_terms(
        """explique explicar explica resuma resume describa detalle necesito saber conocer consulta pregunta
        significa significado definición concepto diferencia diferencias quiere considera entiende consiste llama
        da dan dar tengo tiene tienen hay existe existen toca corresponde corresponden hago hace hacer pasa ocurre
        debo debe deben puedo puede pueden quiero voy va van soy estoy están
        ahora nunca siempre jamás todavía aún hoy actualmente
        establece regula señala dispone indica menciona fija prevé trata contempla define tema acerca respecto según
        ley leyes decreto legislativo supremo resolución ministerial norma reglamento artículo artículos art arts número
        texto documento documentos"""
    )
)

# By their words: their stems are also those of «podar» and «informe».
_BY_WORD = re.compile(r"\b(?:podemos|informaci[oó]n)\b", re.IGNORECASE)


class TermReader:
    """Reads which terms of a question, or of a claim, a text holds, in any of three ways.

    The term itself; a relative («vacaciones» in «descanso vacacional»); or other words for it (`query.expansion`, and
    `query.everyday`: «licencia de conducir» says «brevete»).
    """

    def __init__(self, question: str, terms: Sequence[str]) -> None:
        self._alike: defaultdict[str, list[str]] = defaultdict(list)
        for term in terms:
            self._alike[beginning(term)].append(term)
        self._met: set[str] = set()  # words
        self._said: dict[str, str] = {}  # those of them that say a term → the term
        self._read: dict[str, frozenset[str]] = {}  # titles and headings come again with each sentence
        self._others = [(frozenset(query_terms(other)), term) for term, other in _other_words(question, terms)]
        # «kerosen» as it is typed is the stem of «kerosene», and no stem of its own
        typed = ((word, stem(word)) for word in tokens(question))
        self._others += [(frozenset((word,)), term) for word, term in typed if word != term and term in terms]

    def __call__(self, text: str) -> frozenset[str]:
        if text not in self._read:
            self._read[text] = self._terms_in(text)
        return self._read[text]

    def unread(self, text: str) -> list[str]:
        """The terms of a text that are none of the question's, in order."""
        words = query_terms(text)
        self._meet(frozenset(words))
        heard = frozenset[str]().union(*(other for other, _ in self._others if other <= frozenset(words)))
        return [word for word in words if word not in self._said and word not in heard]

    def _terms_in(self, text: str) -> frozenset[str]:
        words = distinct_terms(text)
        self._meet(words)
        said = {self._said[word] for word in words & self._said.keys()}
        return frozenset(said | {term for other, term in self._others if other <= words})

    def _meet(self, words: frozenset[str]) -> None:
        """Look up which terms the words say that no text had yet: most words come again."""
        for word in words - self._met:
            for term in self._alike.get(beginning(word), ()):
                if are_kin(term, word):
                    self._said[word] = term
                    break
        self._met |= words


@lru_cache(maxsize=_TEXTS_READ)
def distinct_terms(text: str) -> frozenset[str]:
    """All index terms of a text. Whether to keep silent and what to quote is read from the same sentences."""
    return frozenset(analyze_terms(text))


def _other_words(question: str, terms: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each term of a question with what else it is called: by other words, its noun or verb, and in writing."""
    words = {stem(word): word for word in tokens(question)}
    for term in terms:
        word = words.get(term, term)
        yield from ((term, other) for other in (*expand(word), *relatives(word)))
    for said, written in written_for(question):
        heard = {stem(word) for word in said}
        yield from ((term, other) for term in terms if term in heard for other in written)


def topic_terms(question: str) -> list[str]:
    """The terms that say what the question is about; the norms that it names only choose the passages."""
    topic = query_terms(_BY_WORD.sub(" ", without_identifiers(question)))
    return [term for term in topic if term not in _NO_TOPIC] or query_terms(question)
