"""How well a sentence answers a question, from words alone: no model, no embeddings.

The score of a sentence is the coverage of the question's terms, each weighted by its rarity inside the evidence, plus
small cues: the type of answer that the question asks for, and the rank of the passage.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_system.generation.asking import Asked, before_the_copula, is_kind_word, read_question, speaks_of_itself
from rag_system.generation.cuts import pieces
from rag_system.generation.degrees import misses_degree
from rag_system.generation.passages import Kind, Sentence
from rag_system.generation.places import asks_of_dispositions, heading_names, holds_for_others, is_regulation, standing
from rag_system.generation.terms import TermReader, distinct_terms, topic_terms
from rag_system.query.identifiers import extract_identifiers, same_identifier
from rag_system.query.text import fold, query_terms, stem, tokens
from rag_system.types import Evidence

__all__ = ["Scored", "score_sentences"]

# Weights of the parts, in units of coverage (0…1). Fitted (listwise logistic regression, then rounded) on questions
# over legal texts and the sample documents; each set is answered nearly as well when the fit leaves it out.
_NEW_WEIGHT = 3.0  # of a follow-up's own terms, over those of the conversation
_NEAR_WEIGHT = 0.9  # a term found only in the heading or lead-in right above the sentence
_FAR_WEIGHT = 0.35  # … only in the outer headings, the document's title or its file name
_BEFORE_WEIGHT = 0.3  # … only in the sentence before
_ELSEWHERE = 0.5  # factor of a sentence that holds no term itself
_OWN = 0.1  # the terms in the sentence itself, once more
_HEADING = 0.5  # and those in the headings right above: «Artículo 218.- Recursos administrativos»
_EARLY = 0.1  # and those in its first words: what it speaks of
_EARLY_WORDS = 12
_DENSITY = 0.3  # of a sentence with a quarter of its words from the question
_FULL_DENSITY = 0.25
_TYPE = 0.7  # holds the kind of thing asked for
_SETS_FIGURE = 0.7  # «El plazo es de quince días»
_COUNTS = 0.5  # «93 controles»
_OFF_TOPIC = 0.5  # of these three is left to a sentence on nothing of what is asked about
_ON_TOPIC = 0.5  # coverage from which they count in full
_DEFINES_IT = 1.2
_LISTS_IT = 0.35
_OUTRIGHT = 0.5  # names who, or allows or forbids, where that is asked
_STRAYS = 0.25  # lost by what holds only for a case that the question does not suppose
_SEARCH = 0.75  # of the search's own score, as a share of its best
_RANK = 0.5  # of the best passage
_RANK_DECAY = 0.2  # the bonus of rank r, from 0, is divided by 1 + decay·r
_NAMED = 0.1  # of the norm that the question names, over others that mention it
_HEADING_NAMES = 0.3  # the heading names the kind of thing asked for: «Plazo», «Causales de nulidad»
_PASSING = 0.6  # lost by a final disposition, twice that by a transitory one
_OF_OTHERS = 0.1  # lost by a norm for a group that the question does not name
_REGULATES = 0.2  # lost by the regulation of a law, where none is asked for
_FIRST = 0.3  # a passage opens with its rule, and goes on with exceptions
_POOR = 0.2  # lost by scraps, and lead-ins whose list is elsewhere
_ITSELF = 0.9  # lost by what tells of its document
_ONLY_TOLD_OF = 0.1  # of what defines: «El acto es eficaz…» says something of the thing, not what it is
_UNDER_ITS_NAME = 0.9  # of what defines: the first words of an article that has the thing's name
_OF_IT = 0.4  # of what defines: «titular de los datos», for «datos»
_SHORT_CHARS = 20
_BRIEF_CHARS = 60  # a sentence that is shorter says little, unless it is of a list
_LONGEST_ENTRY_CHARS = 80
_ENTRY_REST = 2  # terms that the name of an entry may have besides those asked for

_BESIDES_AN_ARTICLE = frozenset(query_terms("favor porfa texto contenido completo resumen"))

_NEVER_QUOTED = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})
_HEADING_NUMBER = re.compile(r"^\s*(?:art[ií]culo\s+\S+\s*[-–—.]*\s*|[\dIVX.]+[-.)]+\s*)", re.IGNORECASE)
_MARK = re.compile(r"^\s*(?:[-–—•]|\(?\w{1,3}[.)])\s*")  # of an item
_NONE: frozenset[str] = frozenset()

_ANNOUNCES = re.compile(r"\b(?:siguientes?|a saber)\b.*:$", re.DOTALL)  # of a list, in folded text
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
    lists: bool  # the question asks for a list
    score: float


def score_sentences(
    question: str, passages: Sequence[tuple[Evidence, Sequence[Sentence]]], *, asked: str = ""
) -> list[Scored]:
    """Every sentence that could be an answer, best first.

    `asked` is a follow-up as it was typed: its own terms weigh more than those that `question` took from the
    conversation.
    """
    passages, is_article = _of_the_article_asked(question, passages)
    terms = topic_terms(question)
    read = TermReader(question, terms)
    bags = [[read(s.text) for s in sentences] for _, sentences in passages]
    new = read(asked) if asked else _NONE
    weights = _weights(terms, [bag for of_passage in bags for bag in of_passage], new)
    named = extract_identifiers(question)
    ranks = _ranks([evidence for evidence, _ in passages])
    scorer = _Scorer(asked or question, weights, whole=question, read=read, ranks=ranks, named=named)
    scored = [
        each
        for (evidence, sentences), of_passage in zip(passages, bags, strict=True)
        for each in scorer.score(evidence, sentences, of_passage)
    ]
    scored = _by_degree(scored, question, terms)
    if is_article and not any(map(_says_more, topic_terms(question))):
        scored = _from_its_beginning(scored)
    return sorted(scored, key=lambda item: -item.score)


def _articles(text: str) -> frozenset[str]:
    return frozenset(_ARTICLE.findall(fold(text)))


def _of_the_article_asked(
    question: str, passages: Sequence[tuple[Evidence, Sequence[Sentence]]]
) -> tuple[Sequence[tuple[Evidence, Sequence[Sentence]]], bool]:
    """Only the passages of the articles that the question names, if there are any; and whether there are."""
    asked = _articles(question)
    named = [pair for pair in passages if asked & _articles(" ".join(pair[0].chunk.heading_path[-1:]))]
    return named or passages, bool(named)


def _says_more(term: str) -> bool:
    """Whether a term of a question that names an article is neither its number nor courtesy."""
    return not (term.isdigit() or term in _BESIDES_AN_ARTICLE)


def _from_its_beginning(scored: Sequence[Scored]) -> list[Scored]:
    """The first words of an article on top: whoever asks what it says, and no more, reads it from there."""
    best = max(scored, key=lambda item: item.evidence.score, default=None)
    if best is None:
        return []
    same = [item for item in scored if item.evidence.chunk.document_id == best.evidence.chunk.document_id]
    first = min(same, key=lambda item: (item.evidence.chunk.chunk_id, item.position))
    top = max(item.score for item in scored)
    return [replace(item, score=top + _OWN) if item is first else item for item in scored]


def _by_degree(scored: Sequence[Scored], question: str, terms: Sequence[str]) -> list[Scored]:
    """The items of a list with the scores of the same list given anew: «muy grave», where asked for, before «grave»."""
    lists: defaultdict[object, list[Scored]] = defaultdict(list)
    for place, item in enumerate(scored):
        of = item.sentence
        lists[(item.evidence, of.lead, of.heading) if of.kind is Kind.ITEM else place].append(item)
    return [item for of_list in lists.values() for item in _with_the_degree_first(of_list, question, terms)]


def _with_the_degree_first(items: Sequence[Scored], question: str, terms: Sequence[str]) -> Sequence[Scored]:
    if len(items) == 1:
        return items
    wholes: defaultdict[int, str] = defaultdict(str)  # an item may have several sentences
    for item in items:
        wholes[item.sentence.paragraph] += f"{item.sentence.text} "
    missed = dict(zip(wholes, misses_degree(question, terms, list(wholes.values())), strict=True))
    if not any(missed.values()):
        return items
    order = sorted(items, key=lambda item: (missed[item.sentence.paragraph], -item.score))
    scores = sorted((item.score for item in items), reverse=True)
    return [replace(item, score=score) for item, score in zip(order, scores, strict=True)]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A passage, with what is the same for all its sentences."""

    evidence: Evidence
    sentences: Sequence[Sentence]
    bags: Sequence[frozenset[str]]  # the question's terms in each sentence
    far: frozenset[str]  # … in the outer headings, the title and the file name
    standing: float  # what the search and the title speak for
    passing: float  # what is lost where the headings say that it holds for a while


class _Scorer:
    def __init__(
        self,
        question: str,
        weights: Mapping[str, float],
        *,
        whole: str,
        read: TermReader,
        ranks: Mapping[Evidence, int],
        named: Sequence[str],
    ) -> None:
        self._weights = weights
        self._read = read
        self._ranks = ranks
        self._named = named
        self._question = fold(whole)
        self._asides: dict[str, float] = {}  # by title
        self._best = max((item.score for item in ranks), default=0.0) or 1.0
        self._asked = _asked_of(question, whole)
        self._names = heading_names(fold(question))
        self._passing = 0.0 if asks_of_dispositions(fold(question)) else _PASSING
        words = {stem(word): fold(word) for word in tokens(question)}
        self._words = frozenset(words[term] for term in weights if term in words)
        kinds = self._asked.kinds
        self._kind_terms = frozenset(term for term in weights if kinds and is_kind_word(words.get(term, term)))

    def score(
        self, evidence: Evidence, sentences: Sequence[Sentence], bags: Sequence[frozenset[str]]
    ) -> Iterator[Scored]:
        """Each sentence of a passage that could be an answer."""
        chunk = evidence.chunk
        passage = _Passage(
            evidence=evidence,
            sentences=sentences,
            bags=bags,
            far=self._read(" ".join((chunk.title, chunk.file_name, *chunk.heading_path[:-1]))),
            standing=self._standing(evidence),
            passing=self._passing * standing([fold(heading) for heading in chunk.heading_path]),
        )
        for position, sentence in enumerate(sentences):
            if sentence.kind not in _NEVER_QUOTED and pieces(sentence.text):
                yield self._score(passage, position)

    def _score(self, passage: _Passage, position: int) -> Scored:
        evidence, sentences, asked = passage.evidence, passage.sentences, self._asked
        sentence, own = sentences[position], passage.bags[position]
        folded, above = fold(sentence.text), _above(sentence, evidence)
        near, held = self._read(above), asked.worth(folded)
        coverage, seen = self._coverage(passage, position, near)
        entry = self._entry(sentences, position) if asked.defines else 0.0
        score = 1.0 if entry else coverage
        score += _OWN * self._weight(own) + _HEADING * self._weight(near) + _EARLY * self._weight(self._early(sentence))
        score += _DENSITY * min(len(own) / (len(distinct_terms(sentence.text)) or 1) / _FULL_DENSITY, 1.0)
        score += self._answering(
            sentence,
            folded,
            held=held,
            entry=max(entry, self._titled(evidence, sentences, position)),
            unseen=self._kind_terms - seen,
            coverage=coverage,
        )
        score += passage.standing + _FIRST * (not position) + self._named_above(above, evidence) - passage.passing
        score += _OUTRIGHT * asked.says_outright(folded) - _STRAYS * asked.strays(folded)
        score -= _POOR * _poverty(sentence) + _ITSELF * speaks_of_itself(folded)
        return Scored(
            evidence=evidence,
            sentence=sentence,
            position=position,
            coverage=1.0 if entry else coverage,
            matched=len(seen | self._kind_terms if held else seen),  # «junio y julio» says «meses»
            entry=entry > 0,
            lists=asked.lists,
            score=score,
        )

    def _early(self, sentence: Sentence) -> frozenset[str]:
        """The question's terms in the first words."""
        words = sentence.text.split()
        return self._read(" ".join(words[:_EARLY_WORDS]) if len(words) > _EARLY_WORDS else sentence.text)

    def _weight(self, terms: Iterable[str]) -> float:
        return sum(map(self._weights.__getitem__, terms))

    def _coverage(self, passage: _Passage, position: int, near: frozenset[str]) -> tuple[float, frozenset[str]]:
        """Each term counts once, where it counts most. And the terms that were seen at all."""
        own, before = passage.bags[position], passage.bags[position - 1] if position else _NONE
        total, seen = 0.0, _NONE
        for weight, terms in ((1.0, own), (_NEAR_WEIGHT, near), (_FAR_WEIGHT, passage.far), (_BEFORE_WEIGHT, before)):
            total += weight * self._weight(terms - seen)
            seen |= terms
        return total if own else total * _ELSEWHERE, seen

    def _answering(
        self, sentence: Sentence, folded: str, *, held: float, entry: float, unseen: frozenset[str], coverage: float
    ) -> float:
        """What the sentence is worth as an answer of the kind asked for; any figure is of little worth off the topic.

        `held` is the worth of the best kind that it holds.
        """
        asked = self._asked
        held = held / asked.most if asked.most else 0.0
        said = held * self._weight(unseen)  # «quince días» says «plazo»
        defines = max(entry, self._defined(folded), self._spelled_out(folded)) if asked.defines else 0.0
        leads = sentence.leads or _ANNOUNCES.search(folded) is not None
        lists = asked.lists and (leads or folded.count(";") > 1 or folded.count(",") > 3)
        figure = _SETS_FIGURE * asked.sets_a_figure(folded) + _COUNTS * asked.counts(folded)
        on_topic = _OFF_TOPIC + (1 - _OFF_TOPIC) * min(coverage / _ON_TOPIC, 1.0)
        return said + on_topic * (_TYPE * held + figure) + _DEFINES_IT * defines + _LISTS_IT * lists

    def _standing(self, evidence: Evidence) -> float:
        """What the search and the title of its document speak for."""
        search = _RANK / (1 + _RANK_DECAY * self._ranks[evidence]) + _SEARCH * evidence.score / self._best
        return search + _NAMED * self._is_named(evidence) - self._aside(evidence.chunk.title)

    def _aside(self, title: str) -> float:
        """What is lost by a norm that is not the first to look into, for what its title says."""
        if title not in self._asides:
            folded = fold(title)
            others, regulates = holds_for_others(folded, self._question), is_regulation(folded, self._question)
            self._asides[title] = _OF_OTHERS * others + _REGULATES * regulates
        return self._asides[title]

    def _named_above(self, above: str, evidence: Evidence) -> float:
        """What the headings speak for where one of those right above names what is asked for."""
        if not self._is_named_by(above):
            return 0.0
        return _HEADING_NAMES * self._weight(self._read(" ".join((above, *evidence.chunk.heading_path))))

    def _is_named_by(self, above: str) -> bool:
        """Whether a heading has a name of what is asked for; a word of the question counts as such already."""
        names = self._names.findall(fold(above)) if self._names else ()
        return any(stem(name) not in self._weights for name in names)

    def _is_named(self, evidence: Evidence) -> bool:
        return any(same_identifier(asked, own) for asked in self._named for own in evidence.chunk.identifiers)

    def _defined(self, folded: str) -> float:
        """How surely the sentence says what the thing asked for is: «El teletrabajo es…», «Son actos … las …»."""
        subject, is_said = before_the_copula(folded)
        return self._is_all_of(subject) * (1.0 if is_said else _ONLY_TOLD_OF)

    def _spelled_out(self, folded: str) -> float:
        """The same of what an acronym asked for stands for: «Compensación por Tiempo de Servicios (CTS)»."""
        return _UNDER_ITS_NAME * any(f" ({word})" in folded or f" ({word}s)" in folded for word in self._words)

    def _titled(self, evidence: Evidence, sentences: Sequence[Sentence], position: int) -> float:
        """The same of the first sentence of an article that is headed by the thing: «Artículo 33.- Domicilio»."""
        first = all(each.kind in _NEVER_QUOTED for each in sentences[:position])
        if not (first and self._asked.defines and evidence.chunk.heading_path):
            return 0.0
        return _UNDER_ITS_NAME * self._is_all_of(_HEADING_NUMBER.sub("", evidence.chunk.heading_path[-1]))

    def _is_all_of(self, text: str) -> float:
        """0…1: whether a name is the thing asked for, and little else: a «titular de datos» is no datum."""
        if not 0 < len(text) <= _LONGEST_ENTRY_CHARS or not self._weights.keys() <= self._read(text):
            return 0.0
        unread = self._read.unread(text)
        if len(unread) > _ENTRY_REST:
            return 0.0
        of_it = unread[:1] == query_terms(text)[:1]
        return 1 / (1 + len(unread)) * (_OF_IT if of_it else 1.0)

    def _entry(self, sentences: Sequence[Sentence], position: int) -> float:
        """Whether the sentence stands in a paragraph that opens with the thing asked for: «Datos sensibles. Los …»."""
        paragraph = [s for s in sentences if s.paragraph == sentences[position].paragraph]
        heading = paragraph[0].heading
        start, *rest = re.split(r"[.:](?:\s|$)", _MARK.sub("", paragraph[0].text), maxsplit=1)
        goes_on = len(paragraph) > 1 or any(map(str.strip, rest))
        opens = self._is_all_of(start) if goes_on else 0.0
        return max(opens, self._is_all_of(heading.text) if heading else 0.0)


def _asked_of(question: str, whole: str) -> Asked:
    """What a question asks for; «¿y de los accidentes?» asks for what the question before it did."""
    asked = read_question(fold(question))
    return asked if asked.something else read_question(fold(whole))


def _above(sentence: Sentence, evidence: Evidence) -> str:
    """The headings and the lead-in right above a sentence."""
    inside = [span.text for span in (sentence.heading, sentence.lead) if span]
    return " ".join((*evidence.chunk.heading_path[-1:], *inside))


def _poverty(sentence: Sentence) -> int:
    """How often a sentence says too little: a scrap, a lead-in whose list is elsewhere, the first row of a table."""
    brief = sentence.kind is Kind.PROSE and len(sentence.text) < _BRIEF_CHARS
    scrap = len(sentence.text) < _SHORT_CHARS and sentence.lead is None
    alone = sentence.text.endswith(":") and not sentence.leads
    return brief + scrap + alone + 2 * (sentence.is_row and sentence.leads)
