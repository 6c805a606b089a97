"""How well a sentence answers a question, from words alone: no model, no embeddings.

The score of a sentence is the coverage of the question's terms, each weighted by its rarity inside the evidence, plus
small cues: the type of answer that the question asks for, and the rank of the passage.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag_system.generation.passages import Kind, Sentence
from rag_system.query.text import analyze_terms, fold, query_terms
from rag_system.types import Evidence

__all__ = ["Scored", "article_asked", "score_sentences"]

# Weights of the parts, in units of coverage (0…1). Found by trial on development questions over legal texts.
_CONTEXT_WEIGHT = 0.5  # a term found only in the heading or lead-in that the sentence hangs on
_BEFORE_WEIGHT = 0.3  # a term found only in the sentence before
_TYPE_BONUS = 0.12
_ARTICLE_BONUS = 0.5  # the article that the question names
_RANK_WEIGHT = 0.25  # of the best passage; the others in proportion to their score
_SHORT_CHARS = 30  # shorter sentences rarely say anything
_SHORT_PENALTY = 0.15

_ASKS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(asked), re.compile(answer))
    for asked, answer in (
        (
            r"\b(?:cuant[oa]s?|plazos?|monto|porcentaje|edad|tope|maxim[oa]|minim[oa]|costo|multa|precio|duracion|dura)\b",
            r"\d|\b(?:un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|veinte|treinta|mitad|tercio)\b",
        ),
        (
            r"\b(?:cuando|fechas?|desde que|hasta que|vence|vigencia|mes|meses)\b",
            r"\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|septiembre|octubre|noviembre|diciembre|dias?|"
            r"meses|mes|anos?|quincena|dentro de|a partir de|plazo|fecha)\b",
        ),
        (
            r"\b(?:quien|quienes|autoridad|competente|encargad[oa]s?|responsables?)\b",
            r"\b(?:corresponde|compete|competente|a cargo|responsable|ministerio|autoridad|empleador|titular|juez|jefe|"
            r"direccion|gerencia|consejo|comite|entidad|obligad[oa]s?|podran?|tienen derecho)\b",
        ),
        (
            r"\b(?:que es|que son|que significa|que se entiende|definicion|concepto|en que consiste)\b",
            r"\b(?:se entiende|es el|es la|es un|es una|son los|son las|consiste|se define|se denomina|conjunto de|"
            r"significa)\b",
        ),
        (
            r"\b(?:puedo|pueden?|podemos|debo|debe|deben|obligatori[oa]|permitid[oa]|prohibid[oa]|derecho a)\b",
            r"\b(?:puede[n]?|podra[n]?|debe[n]?|debera[n]?|prohibid[oa]|prohibe|derecho|no procede|obligad[oa]s?|"
            r"facultad|permite)\b",
        ),
        (r"\b(?:sancion|sanciones|multas?|infraccion)\b", r"\b(?:uit|multa|sancion|suspension|amonestacion|grave)\b"),
        (r"\b(?:donde|ante quien)\b", r"\b(?:ante|en la sede|en el local|oficina|lugar|domicilio)\b"),
    )
)
_ARTICLE = re.compile(r"\bart(?:iculo|s?\.|s)?\s*(?:n\.?\s*)?(\d{1,4})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A sentence with what it scored."""

    evidence: Evidence
    sentence: Sentence
    position: int  # among the sentences of its passage
    coverage: float  # 0…1, of the question's terms, in the sentence and what it hangs on
    own: float  # the part of it that stands in the sentence itself
    score: float


def score_sentences(question: str, passages: Sequence[tuple[Evidence, Sequence[Sentence]]]) -> list[Scored]:
    """Every sentence that could be an answer, best first."""
    terms = query_terms(question)
    bags = {
        evidence.n: [frozenset(analyze_terms(sentence.text)) for sentence in sentences]
        for evidence, sentences in passages
    }
    weights = _weights(terms, [bag for bag_list in bags.values() for bag in bag_list])
    scorer = _Scorer(question, weights, best=max((evidence.score for evidence, _ in passages), default=0.0))
    scored = [
        scorer.score(evidence, sentence, position, bags[evidence.n])
        for evidence, sentences in passages
        for position, sentence in enumerate(sentences)
        if sentence.kind is not Kind.HEADING
    ]
    return sorted(scored, key=lambda item: -item.score)


def _weights(terms: Iterable[str], bags: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequency over the sentences, as a share of the question: the weights sum to 1."""
    counts = Counter(term for bag in bags for term in bag)
    rarity = {term: math.log(1 + (len(bags) + 1) / (counts[term] + 0.5)) for term in terms}
    total = sum(rarity.values()) or 1.0
    return {term: value / total for term, value in rarity.items()}


def article_asked(question: str) -> frozenset[str]:
    """The article numbers that the question names."""
    return frozenset(_ARTICLE.findall(fold(question)))


class _Scorer:
    def __init__(self, question: str, weights: Mapping[str, float], *, best: float) -> None:
        self._weights = weights
        self._best = best
        asked = fold(question)
        self._answers = [answer for question_shape, answer in _ASKS if question_shape.search(asked)]
        self._articles = article_asked(question)

    def score(self, evidence: Evidence, sentence: Sentence, position: int, bags: Sequence[frozenset[str]]) -> Scored:
        own_bag = bags[position]
        own = self._sum(own_bag)
        context = frozenset(analyze_terms(_context(evidence, sentence))) - own_bag
        before = (bags[position - 1] if position else frozenset[str]()) - own_bag - context
        coverage = own + _CONTEXT_WEIGHT * self._sum(context) + _BEFORE_WEIGHT * self._sum(before)
        bonus = self._type_bonus(sentence.text) + self._article_bonus(evidence) + self._rank_bonus(evidence)
        penalty = _SHORT_PENALTY if len(sentence.text) < _SHORT_CHARS and sentence.lead is None else 0.0
        return Scored(
            evidence=evidence,
            sentence=sentence,
            position=position,
            coverage=coverage,
            own=own,
            score=coverage + bonus - penalty,
        )

    def _sum(self, terms: Iterable[str]) -> float:
        return sum(self._weights.get(term, 0.0) for term in terms)

    def _type_bonus(self, text: str) -> float:
        folded = fold(text)
        return _TYPE_BONUS if any(answer.search(folded) for answer in self._answers) else 0.0

    def _article_bonus(self, evidence: Evidence) -> float:
        here = article_asked(" ".join(evidence.chunk.heading_path)) if self._articles else frozenset[str]()
        return _ARTICLE_BONUS if here & self._articles else 0.0

    def _rank_bonus(self, evidence: Evidence) -> float:
        return _RANK_WEIGHT * max(0.0, evidence.score) / self._best if self._best > 0 else 0.0


def _context(evidence: Evidence, sentence: Sentence) -> str:
    lead = sentence.lead.text if sentence.lead else ""
    return " ".join((evidence.chunk.title, *evidence.chunk.heading_path, sentence.heading, lead))
