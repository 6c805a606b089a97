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
from rag_system.query.expansion import expand
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import analyze_terms, fold, query_terms, stem, tokens
from rag_system.types import Evidence

__all__ = ["Scored", "TermReader", "score_sentences", "topic_terms"]

# Weights of the parts, in units of coverage (0…1). Found by trial on development questions over legal texts.
_NEW_WEIGHT = 3.0  # of a follow-up's own terms, over those of the conversation
_NEAR_WEIGHT = 0.9  # a term found only in the heading or lead-in right above the sentence
_FAR_WEIGHT = 0.35  # … only in the outer headings, the document's title or its file name
_BEFORE_WEIGHT = 0.3  # … only in the sentence before
_ELSEWHERE = 0.5  # factor of a sentence that holds no term itself
_COUNT_BONUS = 0.25
_HEADING_SHARE = 0.5  # of a bonus, when the heading is of the kind asked for: «Plazos»
_DEFINITION_BONUS = 0.35
_LONGEST_ENTRY_CHARS = 80
_SHORTEST_STEM = 5  # letters that two words must share from their start to be related
_RANK_WEIGHT = 0.2  # of the best passage
_RANK_DECAY = 0.2  # the bonus of rank r, from 0, is divided by 1 + decay·r
_NAMED_BONUS = 0.2  # of the norm that the question names, over others that mention it
_FIRST_BONUS = 0.12  # a passage opens with its rule, and goes on with exceptions
_POOR_PENALTY = 0.2  # short scraps, and lead-ins whose list is elsewhere
_SHORT_CHARS = 20

# What a question says besides its topic: the request itself, and the kind of document that it names.
_NO_TOPIC = frozenset(
    query_terms(
        """explique explicar explica resuma resume describa detalle necesito información saber conocer consulta pregunta
        significa significado definición concepto diferencia diferencias quiere
        establece regula señala dispone indica menciona fija prevé trata contempla define tema acerca respecto según
        ley leyes decreto legislativo supremo resolución ministerial norma reglamento artículo artículos número texto
        documento documentos"""
    )
)

_NUMBER = r"(?:\d+\)?|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|quince|veinte|treinta|sesenta|noventa)"
_SPAN_OF_TIME = rf"{_NUMBER} (?:dias?|horas?|semanas?|meses|mes|anos?|minutos)\b"
_MONTHS = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|setiembre|septiembre|octubre|noviembre|diciembre"

# What a question asks for → what a sentence that answers it holds, and what that is worth. Folded text.
_ASKS: tuple[tuple[re.Pattern[str], re.Pattern[str], float], ...] = tuple(
    (re.compile(asked), re.compile(answer), bonus)
    for asked, answer, bonus in (
        (
            r"\bplazos?\b|\bcuant[oa]s? (?:dias|horas|meses|semanas|anos|tiempo)\b|"
            r"\b(?:demora|dura|tarda|vence|caduca)\w*|\b(?:cada|hasta|desde) cuando\b|\bduracion\b|\bvigencia\b",
            rf"{_SPAN_OF_TIME}|\bplazo (?:maximo|minimo|de)\b|\bvigencia\b|\bindefinid[oa]\b",
            0.3,
        ),
        (
            r"\bcada cuanto\b|\bfrecuencia\b|\bperiodicidad\b|\bcuantas veces\b",
            r"\b(?:diari[oa]|semanal|quincenal|mensual|bimestral|trimestral|semestral|anual|cada|veces|al mes)\w*",
            0.4,
        ),
        (
            r"\b(?:cuando|fechas?|que dia|que mes)\b",
            rf"\b(?:{_MONTHS}|quincena|dentro de|a partir de|vencimiento)\b|{_SPAN_OF_TIME}",
            0.2,
        ),
        (
            r"\b(?:multas?|monto|costo|cuesta|precio|tasa|sueldo|remuneracion|impuesto|pagar?n?|paga|porcentaje|tope)\b",
            r"\d ?%|\bs/|\bsoles\b|\buit\b|\bpor ciento\b|\bunidad(?:es)? impositiva|\bremuneraciones\b|"
            r"\bgratuit[oa]\b",
            0.3,
        ),
        (r"\b(?:cuant[oa]s?|edad|maxim[oa]|minim[oa])\b", rf"\d|\b{_NUMBER}\b", 0.15),
        (
            r"\b(?:quien|quienes|autoridad|competente|encargad[oa]s?|responsables?)\b",
            r"\b(?:corresponde|compete|competente|a cargo|responsable|encargad[oa]|ministerio|autoridad|empleador|"
            r"titular|juez|direccion|gerencia|consejo|comite|entidad|obligad[oa]s?|tienen derecho)\b",
            0.15,
        ),
        (
            r"\b(?:que es|que son|que significa|que se entiende|definicion|concepto|en que consiste)\b",
            r"\b(?:se entiende|es (?:el|la|un|una|aquel|aquella|toda?)|son (?:los|las|aquell[oa]s)|consiste|se define|"
            r"se denomina|se considera)\b|^[^.:]{3,60}:",
            0.2,
        ),
        (
            r"\b(?:puedo|pueden?|podemos|debo|debe|deben|obligad[oa]|obligar|permitid[oa]|prohibid[oa]|derecho a)\b",
            r"\b(?:puede[n]?|podra[n]?|debe[n]?|debera[n]?|prohibid[oa]|prohibe|derecho|no procede|obligad[oa]s?|"
            r"facultad|permite)\b",
            0.1,
        ),
        (r"\b(?:donde|ante quien)\b", r"\b(?:ante|en la sede|en el local|oficina|registro|lugar|domicilio)\b", 0.15),
    )
)
_DEFINES = re.compile(r"\b(?:que (?:es|son)|significa\w*|se entiende|defin\w+|concepto|consiste|quiere decir)\b")
_COUNTED = re.compile(r"\bcuant[oa]s (\w{4,})")
_A_NUMBER = re.compile(rf"\d[\d.,]*|{_NUMBER}")
_MARK = re.compile(r"^\s*(?:[-–—•]|\(?\w{1,3}[.)])\s*")  # of an item
_NONE: frozenset[str] = frozenset()

_ARTICLE = re.compile(r"\bart(?:iculo|s?\.|s)?\s*(?:n\.?\s*)?(\d{1,4})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A sentence with what it scored."""

    evidence: Evidence
    sentence: Sentence
    position: int  # among the sentences of its passage
    coverage: float  # 0…1, of the question's terms, in the sentence and what it hangs on
    matched: int  # how many of the question's terms that is
    entry: bool  # its paragraph opens with the thing whose definition is asked for
    score: float


def score_sentences(
    question: str, passages: Sequence[tuple[Evidence, Sequence[Sentence]]], *, asked: str = ""
) -> list[Scored]:
    """Every sentence that could be an answer, best first.

    `asked` is a follow-up as it was typed: its own terms weigh more than those that `question` took from the
    conversation.
    """
    passages = _of_the_article_asked(question, passages)
    terms = topic_terms(question)
    read = TermReader(question, terms)
    bags = {evidence: [read(s.text) for s in sentences] for evidence, sentences in passages}
    new = read(asked) if asked else _NONE
    weights = _weights(terms, [bag for passage_bags in bags.values() for bag in passage_bags], new)
    named = extract_identifiers(question)
    ranks = _ranks([evidence for evidence, _ in passages])
    scorer = _Scorer(asked or question, weights, read=read, ranks=ranks, named=named)
    scored = [
        scorer.score(evidence, sentences, position, bags[evidence])
        for evidence, sentences in passages
        for position, sentence in enumerate(sentences)
        if sentence.kind not in {Kind.HEADING, Kind.NOTE}
    ]
    return sorted(scored, key=lambda item: -item.score)


class TermReader:
    """Reads which terms of a question, or of a claim, a text holds, in any of three ways.

    The term itself; a relative («vacaciones» in «descanso vacacional»); or other words for it (`query.expansion`).
    """

    def __init__(self, question: str, terms: Sequence[str]) -> None:
        self._terms = terms
        self._known: dict[str, str | None] = {}
        words = {stem(word): word for word in tokens(question)}
        self._others = [
            (frozenset(query_terms(other)), term) for term in terms for other in expand(words.get(term, term))
        ]

    def __call__(self, text: str) -> frozenset[str]:
        words = frozenset(analyze_terms(text))
        said = {term for word in words if (term := self._term(word)) is not None}
        return frozenset(said | {term for other, term in self._others if other <= words})

    def _term(self, word: str) -> str | None:
        if word not in self._known:
            self._known[word] = next((term for term in self._terms if _related(term, word)), None)
        return self._known[word]


def _related(term: str, word: str) -> bool:
    """The same stem, or one that begins the other: derived words, and how people shorten long ones («grati»)."""
    if term == word:
        return True
    short, long = sorted((term, word), key=len)
    return len(short) >= _SHORTEST_STEM and short.isalpha() and long.startswith(short)


def topic_terms(question: str) -> list[str]:
    """The terms that say what the question is about; the norms that it names only choose the passages."""
    topic = query_terms(without_identifiers(question))
    return [term for term in topic if term not in _NO_TOPIC] or query_terms(question)


def _articles(text: str) -> frozenset[str]:
    return frozenset(_ARTICLE.findall(fold(text)))


def _of_the_article_asked(
    question: str, passages: Sequence[tuple[Evidence, Sequence[Sentence]]]
) -> Sequence[tuple[Evidence, Sequence[Sentence]]]:
    """Only the passages of the articles that the question names, if there are any."""
    asked = _articles(question)
    named = [pair for pair in passages if asked & _articles(" ".join(pair[0].chunk.heading_path[-1:]))]
    return named or passages


def _weights(terms: Iterable[str], bags: Sequence[frozenset[str]], new: frozenset[str]) -> dict[str, float]:
    """Inverse document frequency over the sentences, as a share of the question: the weights sum to 1."""
    counts = Counter(term for bag in bags for term in bag)
    rarity = {
        term: math.log(1 + (len(bags) + 1) / (counts[term] + 0.5)) * (_NEW_WEIGHT if term in new else 1.0)
        for term in terms
    }
    total = sum(rarity.values()) or 1.0
    return {term: value / total for term, value in rarity.items()}


def _ranks(evidence: Sequence[Evidence]) -> dict[Evidence, int]:
    """Place by score, from 0: the numbers of the sources go by document."""
    by_score = sorted(evidence, key=lambda item: -item.score)
    return {item: rank for rank, item in enumerate(by_score)}


class _Scorer:
    def __init__(
        self,
        question: str,
        weights: Mapping[str, float],
        *,
        read: TermReader,
        ranks: Mapping[Evidence, int],
        named: Sequence[str],
    ) -> None:
        self._weights = weights
        self._read = read
        self._ranks = ranks
        self._named = named
        asked = fold(question)
        self._asks = [ask for ask in _ASKS if ask[0].search(asked)]
        self._defines = _DEFINES.search(asked) is not None
        counted = _COUNTED.search(asked)
        self._counted = stem(counted[1]) if counted else ""

    def score(
        self, evidence: Evidence, sentences: Sequence[Sentence], position: int, bags: Sequence[frozenset[str]]
    ) -> Scored:
        sentence = sentences[position]
        coverage, matched = self._coverage(
            evidence, sentence, bags[position], bags[position - 1] if position else _NONE
        )
        bonus = self._type_bonus(sentence, evidence) + _RANK_WEIGHT / (1 + _RANK_DECAY * self._ranks[evidence])
        entry = self._defines and self._is_entry(sentences, position)
        if entry:
            coverage, bonus = 1.0, bonus + _DEFINITION_BONUS
        bonus += _FIRST_BONUS if position == 0 else 0.0
        bonus += _NAMED_BONUS if self._is_named(evidence) else 0.0
        poor = _POOR_PENALTY if _is_poor(sentence) else 0.0
        return Scored(
            evidence=evidence,
            sentence=sentence,
            position=position,
            coverage=coverage,
            matched=matched,
            entry=entry,
            score=coverage + bonus - poor,
        )

    def _coverage(
        self, evidence: Evidence, sentence: Sentence, own: frozenset[str], before: frozenset[str]
    ) -> tuple[float, int]:
        """Each term counts once, where it counts most."""
        near = self._read(_above(sentence, evidence))
        chunk = evidence.chunk
        far = self._read(" ".join((chunk.title, chunk.file_name, *chunk.heading_path[:-1])))
        total, seen = 0.0, _NONE
        for weight, terms in ((1.0, own), (_NEAR_WEIGHT, near), (_FAR_WEIGHT, far), (_BEFORE_WEIGHT, before)):
            total += weight * sum(self._weights[term] for term in terms - seen)
            seen |= terms
        return total if own else total * _ELSEWHERE, len(seen)

    def _type_bonus(self, sentence: Sentence, evidence: Evidence) -> float:
        folded, above = fold(sentence.text), fold(_above(sentence, evidence))
        kinds = [bonus for _, answer, bonus in self._asks if answer.search(folded)]
        headings = [_HEADING_SHARE * bonus for asked, _, bonus in self._asks if asked.search(above)]
        count = _COUNT_BONUS if self._counted and self._counts(folded) else 0.0
        return max([*kinds, count]) + max(headings, default=0.0)

    def _is_named(self, evidence: Evidence) -> bool:
        return any(same_identifier(asked, own) for asked in self._named for own in evidence.chunk.identifiers)

    def _counts(self, folded: str) -> bool:
        """Whether a number stands right before the thing that is counted: «93 controles»."""
        words = folded.split()
        counted = (i for i, word in enumerate(words) if i and stem(word.strip(".,;:()")) == self._counted)
        return any(_A_NUMBER.fullmatch(word.strip("().,")) for i in counted for word in words[max(0, i - 3) : i])

    def _is_entry(self, sentences: Sequence[Sentence], position: int) -> bool:
        """Whether the sentence stands in a paragraph that opens with the thing asked for: «Datos sensibles. Los …»."""
        paragraph = sentences[position].paragraph
        opening = next(sentence for sentence in sentences if sentence.paragraph == paragraph)
        head = opening.heading.text if opening.heading else ""
        starts = (re.split(r"[.:]", _MARK.sub("", opening.text), maxsplit=1)[0], head)
        return any(len(text) <= _LONGEST_ENTRY_CHARS and len(self._read(text)) == len(self._weights) for text in starts)


def _above(sentence: Sentence, evidence: Evidence) -> str:
    """The headings and the lead-in right above a sentence."""
    inside = [span.text for span in (sentence.heading, sentence.lead) if span]
    return " ".join((*evidence.chunk.heading_path[-1:], *inside))


def _is_poor(sentence: Sentence) -> bool:
    return (len(sentence.text) < _SHORT_CHARS and sentence.lead is None) or (
        sentence.text.endswith(":") and not sentence.leads
    )
