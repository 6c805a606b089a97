"""Questions to the synthetic collection, as people ask: by identifier, by content, without accents, with a slip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchmarks.collection import Collection, SyntheticChunk, SyntheticDocument
from benchmarks.vectors import question_vector
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

__all__ = ["BenchmarkQuestion", "Questioner"]

TERMS = (5, 15)  # of a question of content
SUBJECT_TERMS = (2, 4)  # of a question that names a norm
# Of twenty in a row: the first six name a norm where there is one, the last has a slip; each third has no accents.
CYCLE, BY_IDENTIFIER, WITH_SLIP, WITHOUT_ACCENTS = 20, 6, 19, 3

_BY_IDENTIFIER = (
    "¿Qué dice la {name} sobre {words}?",
    "¿Qué establece el artículo {article} de la {name}?",
    "Según la {name}, ¿cómo se regula {words}?",
)
_BY_CONTENT = (
    "¿Cuál es el plazo para {words}?",
    "¿Quién responde por {words}?",
    "¿En qué casos se sanciona {words}?",
    "¿Qué requisitos tiene {words}?",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkQuestion:
    """A question with the vector that a model would give it."""

    text: str
    vector: list[float]


class Questioner:
    """Watches the documents pass and asks about `count` of their chunks, evenly spread."""

    def __init__(self, *, collection: Collection, count: int, seed: int = 1) -> None:
        edges = np.linspace(0, collection.chunk_count, min(count, collection.chunk_count) + 1).astype(int).tolist()
        rng = np.random.default_rng((seed, count))
        self._rng = rng
        self._targets = [int(rng.integers(low, high)) for low, high in pairwise(edges)]
        self._seen = 0
        self.questions: list[BenchmarkQuestion] = []

    def watch(self, documents: Iterable[SyntheticDocument]) -> Iterator[SyntheticDocument]:
        """Hand the documents on, and ask about those that hold a target."""
        for document in documents:
            stop = self._seen + len(document.chunks)
            while len(self.questions) < len(self._targets) and self._targets[len(self.questions)] < stop:
                chunk = document.chunks[self._targets[len(self.questions)] - self._seen]
                self.questions.append(self._ask(document, chunk, len(self.questions)))
            self._seen = stop
            yield document

    def _ask(self, document: SyntheticDocument, chunk: SyntheticChunk, number: int) -> BenchmarkQuestion:
        named = document.name != "" and number % CYCLE < BY_IDENTIFIER
        words = self._words(chunk, SUBJECT_TERMS if named else TERMS)
        if number % CYCLE == WITH_SLIP:
            words[-1] = _slip(words[-1])
        templates = _BY_IDENTIFIER if named else _BY_CONTENT
        text = templates[number % len(templates)].format(
            name=document.name, article=chunk.article, words=" de ".join(words)
        )
        return BenchmarkQuestion(
            text=text if number % WITHOUT_ACCENTS else fold(text), vector=question_vector(self._rng, chunk.vector)
        )

    def _words(self, chunk: SyntheticChunk, terms: tuple[int, int]) -> list[str]:
        """Words of the chunk, common and rare as they come."""
        said = dict.fromkeys(word.strip(".") for word in chunk.text.lower().split())
        telling = [word for word in said if len(word) > 3 and word.isalpha() and fold(word) not in STOPWORDS]
        count = min(int(self._rng.integers(*terms)), len(telling))
        return [telling[i] for i in sorted(self._rng.choice(len(telling), count, replace=False))]


def _slip(word: str) -> str:
    """Two letters swapped in the middle."""
    middle = len(word) // 2
    return word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
