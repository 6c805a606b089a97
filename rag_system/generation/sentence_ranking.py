"""Which sentence of the passages answers a question: a linear model over a few figures, without a language model.

The figures are the share of the question's words (rarer ones weighing more) in the sentence, right above it, right
before it and in its titles; what the search thought of its passage; its shape; and how near its vector lies to the
question's. The weights are listwise: taught so that of all sentences of an answer's sources the right one scores most
(`training/sentences.py`; figures and comparisons in `docs/reference/answers.md`).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from rag_system.generation.cuts import pieces
from rag_system.generation.figures import read_figures
from rag_system.generation.passages import Kind, Sentence, heading_above, read_passage
from rag_system.generation.polarity import say_contrary
from rag_system.generation.prompt_injection import is_about_injection, mark_injections
from rag_system.query.articles import article_references
from rag_system.query.definitions import defined_in_each
from rag_system.query.joining import join, shared_header
from rag_system.query.text import analyze_terms, fold, query_terms, stem, tokens
from rag_system.query.word_lists import STOPWORDS
from rag_system.types import Chunk, Evidence, StateKind

__all__ = [
    "FIGURES",
    "NO_NUMBERS",
    "TIMES",
    "Row",
    "Similarities",
    "asked_for",
    "figures_of",
    "rank_sentences",
    "read_passages",
    "score_by_words",
    "score_with_vectors",
    "sentence_rows",
    "with_vectors",
]

Similarities = Callable[[Sequence[str]], Sequence[float]]  # of texts with the question: cosines, −1…1
Passages = Mapping[Evidence, Sequence[Sentence]]
Table = NDArray[np.float64]  # a row a sentence, a column a figure
Scores = NDArray[np.float64]

FIGURES = (
    "own",  # 0…1, of the question's words: in the sentence
    "above",  # … only in the heading or the lead-in right above it
    "titled",  # … only in the document's title or the outer headings
    "before",  # … only in the sentence before
    "early",  # … in its first words
    "passage",  # what the search gave its passage, as a share of the best one's
    "rank",  # 1 for the best passage, falling with its rank
    "opens",  # 1 where it is the first of its passage
    "item",  # 1 of a list or table
    "announces",  # 1 where it ends in a colon
    "short",  # 1 under 60 characters
    "length",  # ln(1 + words)
    "figure",  # 1 where the question asks how much or when, and the sentence states a number
    "time",  # 1 where it asks when or for how long, and the sentence states a time
    "defines",  # 0…1, of the words of what it asks to be told what it is: those that the sentence says it of
    "contrary",  # 1 where it says a word asked for the other way («no mortal»), and another sentence says it as asked
    "near",  # its cosine, in standard deviations from the mean of those compared; 0 where it was not compared
    "nearest",  # its cosine less the best one's
    "closest",  # 1 where its cosine is the best
)

NEW_WORDS = 3.0  # weight of a follow-up's own words, over those that the conversation lends it
COMPARED = 8  # sentences whose vectors are compared with the question's: the best by all the other figures
LONGEST_COMPARED = 320  # characters
RANK_DECAY = 0.2
_BESIDE = 0.8  # of a passage's score, for the chunks that only stand beside the one that was found
EARLY_WORDS = 6
SHORT_CHARS = 60

# In log-odds, what a sentence has the less that is not in force, or the more where the past is asked for: more where
# another text took its place. Decision 0031 has the figures.
FORCE: Mapping[StateKind, float] = {
    StateKind.PREVIOUS: 4.5,
    StateKind.REPEALED: 2.5,
    StateKind.UNCONSTITUTIONAL: 2.5,
}

_NEVER_QUOTED = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})
_ARTICLE = re.compile(r"\bart(?:[íi]culos?|s?\.?)\s*(?:n\S*\s*)?\d+\S*", re.IGNORECASE)
_ASKED = r"(?:\b(?:que|cual(?:es)?)\s+(?:(?:es|son|era|sera)\s+)?|^\W*)(?:(?:el|la|los|las|su|un|una)\s+)?"
_ASKS_FIGURE = re.compile(
    r"\b(?:cuant[oa]s?|cuando|minim[oa]s?|maxim[oa]s?|demora\w*|tarda\w*)\b"
    rf"|{_ASKED}(?:plazos?|edad|monto|porcentaje|tope|precio|costo)\b"
)
_ASKS_HOW_LONG = re.compile(
    r"\b(?:demora\w*|tarda\w*|dura\w*"
    r"|cuant[oa]s?\s+(?:tiempo|rato|anticipacion|(?:minuto|hora|dia|semana|mes|año|ano)\w*))\b"
    rf"|{_ASKED}(?:plazos?|tiempo|edad|anticipacion)\b"
)
_ASKS_WHEN = re.compile(rf"\bcuando\b|{_ASKED}(?:vigencia|dias?|fechas?|mes|horas?)\b")
_LENGTHS = frozenset({"segundo", "minuto", "hora", "dia", "semana", "mes", "año"})
TIMES = _LENGTHS | {"date", "weekday", "hour"}
NO_NUMBERS = frozenset({"article", "code"})  # they name a place or a thing


def rank_sentences(
    question: str,
    passages: Passages,
    *,
    asked: str = "",
    past: bool = False,
    similarities: Similarities | None = None,
) -> list[Row]:
    """The sentences that could be an answer, best first, with scores in log-odds of one against another.

    `asked` is a follow-up as it was typed: its own words weigh more than those that `question` took from the
    conversation. `similarities` is asked once, for the sentences that are best without it: only these are ranked.
    What is not in force stands back, unless the question asks for the `past`: then it comes first.
    """
    of_article = _of_the_article_asked(question, passages)
    rows = list(_rows(of_article or passages))
    if not rows:
        return []
    table = figures_of(question, rows, asked=asked)
    if of_article and _asks_for_the_whole_article(question, rows):
        return [replace(row, score=-float(place)) for place, row in enumerate(_from_the_beginning(rows, past=past))]
    scores = score_by_words(table) + _force(rows, past=past)
    if similarities is not None:
        best = np.argsort(-scores, kind="stable")[:COMPARED]
        rows = [rows[place] for place in best]
        table = with_vectors(table[best], similarities([row.compared for row in rows]))
        scores = score_with_vectors(table) + _force(rows, past=past)
    scores = _with_notes_back(question, rows, scores)
    return [replace(rows[place], score=float(scores[place])) for place in np.argsort(-scores, kind="stable")]


# ---------------------------------------------------------------- sentences


def read_passages(question: str, evidence: Sequence[Evidence]) -> Passages:
    """The sentences of the passages: a quote never runs from one article into the next.

    Words that speak to a model are marked as such, and never quoted, unless the question is about them.
    """
    parts = [part for item in evidence for part in _parts(item)]
    read: Passages = {part: read_passage(part.text, heading_above(part.chunks[0])) for part in parts}
    return read if is_about_injection(question) else {part: mark_injections(said) for part, said in read.items()}


def sentence_rows(question: str, evidence: Sequence[Evidence]) -> list[Row]:
    """The sentences of the passages that may be quoted."""
    passages = read_passages(question, evidence)
    return list(_rows(_of_the_article_asked(question, passages) or passages))


def _parts(item: Evidence) -> list[Evidence]:
    """Each chunk of a passage by itself, so that a quote never runs from one article into the next; those of one list,
    or of one table, together.
    """
    if not item.neighbours:
        return [item]
    groups: list[list[Chunk]] = []
    for chunk in item.neighbours:
        last = groups[-1] if groups and groups[-1][-1].heading_path == chunk.heading_path else None
        if last and shared_header(join(last), chunk.text):
            last.append(chunk)
        else:
            groups.append([chunk])
    return [
        replace(
            item,
            chunk=item.chunk if item.chunk in group else group[0],
            text=join(group),
            neighbours=tuple(group) if group[1:] else (),
            score=item.score * (1 if item.chunk in group else _BESIDE),
            goes_on=item.goes_on and group is groups[-1],
        )
        for group in groups
    ]


# ---------------------------------------------------------------- figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A sentence that may be quoted, and what stands around it."""

    evidence: Evidence
    sentence: Sentence
    position: int  # among the sentences of its passage
    opens: bool  # no other stands before it in its passage
    above: str  # the heading and the lead-in right above it
    before: str  # the sentence before it
    score: float = 0.0  # in log-odds, once it is ranked

    @property
    def is_past(self) -> bool:
        """Whether it is not in force."""
        return self.evidence.chunk.state is not None

    @property
    def headword(self) -> str:
        """What right before it may name what it tells: «Datos sensibles.», or its heading; no other item."""
        of_heading = self.sentence.heading is not None and self.sentence.heading.text == self.before
        return self.before if of_heading or self.before.endswith((".", ":")) else ""

    @property
    def compared(self) -> str:
        """What its vector is made from."""
        return f"{self.above}. {self.sentence.text}"[:LONGEST_COMPARED] if self.above else self.sentence.text


def figures_of(question: str, rows: Sequence[Row], *, asked: str = "") -> Table:
    """A row of `FIGURES` for each sentence; those that take vectors are 0."""
    bags = [frozenset(analyze_terms(row.sentence.text)) for row in rows]
    weights = _weights(query_terms(question), bags, new=frozenset(query_terms(asked)) if asked else frozenset())
    best = max(row.evidence.score for row in rows) or 1.0
    ranks = {score: rank for rank, score in enumerate(sorted({row.evidence.score for row in rows}, reverse=True))}
    plain = fold(question)
    asks_figure, times = _ASKS_FIGURE.search(plain) is not None, _times_asked(plain)
    thing, defined = defined_in_each(question, [(row.sentence.text, row.headword) for row in rows])
    whole_thing = _share(weights, thing) or 1.0
    contrary = say_contrary(question, weights, [(row.sentence.text, row.above) for row in rows])
    table = np.zeros((len(rows), len(FIGURES)))
    for place, (row, own) in enumerate(zip(rows, bags, strict=True)):
        said, score = row.sentence.text, row.evidence.score
        table[place, :16] = (
            *_shares(weights, own, row),
            _share(weights, _terms(" ".join(said.split()[:EARLY_WORDS]))),
            score / best,
            1 / (1 + RANK_DECAY * ranks[score]),
            row.opens,
            row.sentence.kind is Kind.ITEM,
            said.endswith(":"),
            len(said) < SHORT_CHARS,
            math.log1p(len(said.split())),
            asks_figure and bool(_stated(said)),
            not times.isdisjoint(_stated(said)),
            _share(weights, defined[place]) / whole_thing,
            contrary[place],
        )
    return table


def asked_for(question: str) -> tuple[bool, bool]:
    """Whether a question asks for a number, and whether for a time."""
    plain = fold(question)
    return _ASKS_FIGURE.search(plain) is not None, bool(_times_asked(plain))


def _times_asked(plain: str) -> frozenset[str]:
    """The units of the times that answer a folded question: a date does not say how long; none where none is asked."""
    if _ASKS_WHEN.search(plain):
        return TIMES
    return _LENGTHS if _ASKS_HOW_LONG.search(plain) else frozenset()


def with_vectors(table: Table, similarities: Sequence[float]) -> Table:
    """The table with how near each sentence comes to the question, in its last three columns."""
    near, at = np.asarray(similarities), FIGURES.index("near")
    table[:, at:] = np.stack([(near - near.mean()) / (near.std() + 1e-6), near - near.max(), near == near.max()], 1)
    return table


def _force(rows: Sequence[Row], *, past: bool) -> Scores:
    states = [row.evidence.chunk.state for row in rows]
    forces = np.array([FORCE[state.kind] if state else 0.0 for state in states])
    return forces if past else -forces


def _with_notes_back(question: str, rows: Sequence[Row], scores: Scores) -> Scores:
    """A note of who speaks stands behind the best line of its slide, where of what is asked it says no more than the
    title that both stand under.
    """
    terms, told = frozenset(query_terms(question)), scores.copy()
    for place, row in enumerate(rows):
        if not row.sentence.is_spoken or terms & _terms(row.sentence.text) - _terms(row.above):
            continue
        slide = [at for at, each in enumerate(rows) if each.evidence == row.evidence and each.above == row.above]
        if lines := [at for at in slide if not rows[at].sentence.is_spoken]:
            best = max(lines, key=told.__getitem__)
            told[best] = max(told[best], np.nextafter(told[place], np.inf))
    return told


def _rows(passages: Passages) -> Iterator[Row]:
    for evidence, sentences in passages.items():
        opens = True
        for position, sentence in enumerate(sentences):
            if _may_be_quoted(sentence, evidence, sentences):
                yield Row(
                    evidence=evidence,
                    sentence=sentence,
                    position=position,
                    opens=opens,
                    above=_above(sentence, evidence),
                    before=sentences[position - 1].text if position else "",
                )
                opens = False


def _may_be_quoted(sentence: Sentence, evidence: Evidence, sentences: Sequence[Sentence]) -> bool:
    """Not a heading, an order to a model or an editor's note, but the note where it is all that is left of a text."""
    if not pieces(sentence.text) or (sentence.leads and sentence.is_row):
        return False
    if sentence.kind is Kind.NOTE:
        return evidence.chunk.state is not None and all(each.kind in _NEVER_QUOTED for each in sentences)
    return sentence.kind not in _NEVER_QUOTED


def _above(sentence: Sentence, evidence: Evidence) -> str:
    nearest = evidence.chunk.heading_path[-1] if evidence.chunk.heading_path else ""
    heading = sentence.heading.text if sentence.heading else nearest
    return " ".join(filter(None, (heading, sentence.lead.text if sentence.lead else "")))


@lru_cache(maxsize=1024)
def _stated(text: str) -> frozenset[str]:
    """The units of the numbers that a sentence states, "" for none; an article «un» is no number."""
    return frozenset(figure.unit for figure in read_figures(text)) - NO_NUMBERS


def _weights(terms: Iterable[str], bags: Sequence[frozenset[str]], *, new: frozenset[str]) -> dict[str, float]:
    """Inverse document frequency over the sentences, as a share of the question: the weights sum to 1."""
    counts = Counter(term for bag in bags for term in bag)
    rarity = {
        term: math.log(1 + (len(bags) + 1) / (counts[term] + 0.5)) * (NEW_WORDS if term in new else 1.0)
        for term in terms
    }
    total = sum(rarity.values()) or 1.0
    return {term: value / total for term, value in rarity.items()}


def _shares(weights: Mapping[str, float], own: frozenset[str], row: Row) -> Iterator[float]:
    """Each word of the question counts once, where it stands nearest."""
    chunk = row.evidence.chunk
    titles = " ".join((chunk.title, chunk.file_name, *chunk.heading_path[:-1]))
    left = set(weights)
    for bag in (own, *map(_terms, (row.above, titles, row.before))):
        found = left & bag
        left -= found
        yield _share(weights, found)


def _share(weights: Mapping[str, float], terms: Iterable[str]) -> float:
    return sum(weights.get(term, 0.0) for term in terms)


@lru_cache(maxsize=512)
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyze_terms(text))


def _of_the_article_asked(question: str, passages: Passages) -> Passages:
    """The passages of the articles that the question names: none where it names none, or they were not found."""
    asked = set(article_references(question))
    return {part: read for part, read in passages.items() if asked & set(article_references(part.chunk.section))}


def _asks_for_the_whole_article(question: str, rows: Sequence[Row]) -> bool:
    """«¿Qué dice el artículo 20 del Reglamento?»: but for article and document it names nothing of its sentences."""
    titles = {row.evidence.chunk.title for row in rows}
    rest = {stem(word) for word in tokens(_ARTICLE.sub(" ", question)) if word not in STOPWORDS}
    rest -= {term for title in titles for term in _terms(title)}
    return all(rest.isdisjoint(_terms(row.sentence.text)) for row in rows)


def _from_the_beginning(rows: Sequence[Row], *, past: bool) -> list[Row]:
    """As a reader of the best document finds them: what is in force, or what was, where there is such."""
    best = max(rows, key=lambda row: row.evidence.score).evidence.chunk.document_id
    of_best = [row for row in rows if row.evidence.chunk.document_id == best]
    of_best = [row for row in of_best if row.is_past == past] or of_best
    return sorted(of_best, key=lambda row: (row.evidence.chunk.chunk_id, row.position))


# ---------------------------------------------------------------- the model


def score_by_words(table: Table) -> Scores:
    """The scores without what takes vectors."""
    return np.asarray(table @ _weights_of()["words"])


def score_with_vectors(table: Table) -> Scores:
    """The scores of a table that `with_vectors` has filled."""
    return np.asarray(table @ _weights_of()["vectors"])


@cache
def _weights_of() -> Mapping[str, Scores]:
    """By model, in the order of `FIGURES`."""
    text = files("rag_system.generation").joinpath("data", "sentence_ranking.json").read_text("utf-8")
    return {name: np.array([of.get(each, 0.0) for each in FIGURES]) for name, of in json.loads(text)["models"].items()}
