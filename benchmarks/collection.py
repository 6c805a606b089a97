"""A synthetic collection of norms: documents of some 45 chunks with titles, headings, identifiers, texts and vectors.

Everything follows from the number of chunks and the seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from benchmarks.vectors import TOPIC, Vectors, chunk_vectors, departures
from benchmarks.words import Ranks, Words, figures
from rag_system.query.identifiers import extract_identifiers

__all__ = ["Collection", "SyntheticChunk", "SyntheticDocument"]

CHUNKS_PER_DOCUMENT = 45  # mean; lengths are log-normal, as those of laws are
MEDIAN_CHUNKS, CHUNKS_SPREAD = 21, 1.2
MEDIAN_WORDS, WORDS_SPREAD, FEWEST_WORDS, MOST_WORDS = 78, 0.6, 12, 300  # of a chunk
OWN_WORDS, OWN_SHARE, OWN_ABOVE = 60, 0.25, 60  # a document repeats words of its subject
SENTENCE_WORDS = (9, 24)
MENTIONS = 3.4  # identifiers of others that a document's head names, on average; some are named by a good many
CITING = 0.1  # of the chunks name another norm
NEW_ARTICLE, NEW_PART = 0.6, 0.1  # of the chunks begin one
FIGURED, LARGEST_FIGURE = 0.45, 60  # of the sentences state a figure, as those of norms do
ACRONYMS = 1.3  # that a document defines, on average

HEADING_WORDS, PART_WORDS, TITLE_WORDS, LONG_FORM_WORDS = 5, 4, 6, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticChunk:
    """One chunk, with its vector."""

    heading_path: tuple[str, str]
    article: int
    text: str
    vector: Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticDocument:
    """One document; `name` is how a person writes its identifier, empty where it has none."""

    title: str
    path: str
    name: str
    mentions: Sequence[str]  # written alike
    acronyms: dict[str, str]
    chunks: Sequence[SyntheticChunk]

    @property
    def identifiers(self) -> list[str]:
        """Its canonical identifier, if any."""
        return extract_identifiers(self.name)

    @property
    def mentioned(self) -> list[str]:
        """The canonical identifiers of the others that its head names."""
        return extract_identifiers("; ".join(self.mentions))


class Collection:
    """Documents that together have exactly `chunks` chunks."""

    def __init__(self, *, chunks: int, seed: int = 1) -> None:
        self.chunk_count = chunks
        self.document_count = max(1, round(chunks / CHUNKS_PER_DOCUMENT))
        rng = np.random.default_rng(seed)
        self._seed = seed
        self._sizes = _sizes(rng, self.document_count, chunks)
        self._topics = departures(rng, int(2 * self.document_count**0.5) + 1, TOPIC)
        self._words = Words(running=chunks * MEDIAN_WORDS)
        popularity = (np.arange(self.document_count) + 5.0) ** -0.8
        self._popularity = np.cumsum(popularity / popularity.sum())

    def documents(self) -> Iterator[SyntheticDocument]:
        """Every document, in the order of its chunks."""
        for number, size in enumerate(self._sizes):
            yield self._document(number, int(size))

    def _document(self, number: int, size: int) -> SyntheticDocument:
        rng = np.random.default_rng((self._seed, number))
        popular = np.searchsorted(self._popularity, rng.random(rng.poisson(MENTIONS)))
        mentions = sorted({_norm(int(other)) for other in popular if other != number} - {""})
        author = _Author(rng, self._words, size)
        name, subject = _norm(number), author.phrase(TITLE_WORDS)
        return SyntheticDocument(
            title=f"{name}, norma que regula {subject}" if name else f"Manual de {subject}",
            path=f"{(name or 'Manual').replace(' N° ', '-').replace(' ', '-').upper()}-{number}.md",
            name=name,
            mentions=mentions,
            acronyms={_acronym(rng): author.phrase(LONG_FORM_WORDS) for _ in range(rng.poisson(ACRONYMS))},
            chunks=list(author.chunks(self._topics[rng.integers(len(self._topics))], mentions)),
        )


class _Author:
    """Writes one document. All that is random about it is drawn at once: numpy is slow at drawing one by one."""

    def __init__(self, rng: np.random.Generator, words: Words, size: int) -> None:
        self._rng = rng
        self._size = size
        lengths = rng.lognormal(np.log(MEDIAN_WORDS), WORDS_SPREAD, size)
        self._lengths = np.clip(lengths, FEWEST_WORDS, MOST_WORDS).astype(int).tolist()
        running = sum(self._lengths) + size * (HEADING_WORDS + PART_WORDS) + 100
        self._words = (words.spelled[rank] for rank in _ranks(rng, words, running).tolist())
        self._sentences = iter(rng.integers(*SENTENCE_WORDS, running).tolist())
        self._figures = _figures(rng.spawn(1)[0], running // SENTENCE_WORDS[0] + size)

    def chunks(self, topic: Vectors, cited: Sequence[str]) -> Iterator[SyntheticChunk]:
        vectors = chunk_vectors(self._rng, topic.reshape(1, -1), self._size)
        chances = self._rng.random((self._size, 3)).tolist()
        article, part = 0, ""
        for vector, length, (new_article, new_part, cites) in zip(vectors, self._lengths, chances, strict=True):
            article += new_article < NEW_ARTICLE or not article
            if new_part < NEW_PART or not part:
                part = f"TÍTULO {article // 10 + 1}. {self.phrase(PART_WORDS).upper()}"
            text = self._text(length)
            if cited and cites < CITING:
                text += f" Concordancia: {cited[int(cites / CITING * len(cited))]}."
            heading = f"Artículo {article}.- {self.phrase(HEADING_WORDS).capitalize()}"
            yield SyntheticChunk(heading_path=(part, heading), article=article, text=text, vector=vector)

    def phrase(self, length: int) -> str:
        return " ".join(islice(self._words, length))

    def _text(self, length: int) -> str:
        sentences = []
        while length > 0:
            words = min(length, next(self._sentences))
            sentences.append(f"{self.phrase(words).capitalize()}{next(self._figures)}.")
            length -= words
        return " ".join(sentences)


def _ranks(rng: np.random.Generator, words: Words, count: int) -> Ranks:
    """Words of the language, and among them those of the document's subject, some of them often."""
    own = words.draw_rare(rng, OWN_WORDS, above=OWN_ABOVE)
    drawn = words.draw(rng, count)
    repeated = np.flatnonzero(rng.random(count) < OWN_SHARE)
    drawn[repeated] = own[(rng.random(len(repeated)) ** 2 * len(own)).astype(int)]
    return drawn


def _figures(rng: np.random.Generator, sentences: int) -> Iterator[str]:
    """What each sentence ends with: often a figure, for the words are without digits."""
    ways = figures()
    stated, way = rng.random(sentences) < FIGURED, rng.integers(len(ways), size=sentences)
    numbers = rng.integers(1, LARGEST_FIGURE, (sentences, 2)).tolist()
    for figured, which, pair in zip(stated.tolist(), way.tolist(), numbers, strict=True):
        yield f" {ways[which].format(*pair)}" if figured else ""


def _sizes(rng: np.random.Generator, documents: int, chunks: int) -> Ranks:
    """Chunks of each document: log-normal, at least one, adding up to `chunks`."""
    wanted = rng.lognormal(np.log(MEDIAN_CHUNKS), CHUNKS_SPREAD, documents)
    bounds = np.round(np.cumsum(wanted) / wanted.sum() * (chunks - documents)).astype(np.int32)
    sizes: Ranks = np.diff(bounds, prepend=0).astype(np.int32) + 1
    return sizes


def _norm(number: int) -> str:
    """How a person writes the identifier of a document; one in four has none."""
    match number % 20:
        case 0 | 4 | 8 | 12 | 16:
            return ""
        case 1 | 5 | 9 | 13:
            return f"Decreto Supremo N° {number % 400 + 1:03}-{2001 + number // 400 % 25}-PCM"
        case 2 | 10:
            return f"Decreto Legislativo N° {100 + number // 10}"
        case _:
            return f"Ley N° {10_000 + number}"


def _acronym(rng: np.random.Generator) -> str:
    return "".join(chr(ord("a") + int(letter)) for letter in rng.integers(26, size=int(rng.integers(3, 6))))
