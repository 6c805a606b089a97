"""Which words a question's vector lies next to: how a person sees that it was misunderstood.

Cosines of e5 lie close together (0.78…0.86 between a question and any word), so the mean vector of the words compared
is taken from the question and from the words first: what all of them share says nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from psycopg import Connection

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.query.text import fold, stem
from rag_system.query.word_lists import STOPWORDS
from rag_system.storage.connection import Database
from rag_system.storage.sql import queries
from rag_system.types import Funnel, NearWord, Rejection, Survivor

__all__ = ["common_words", "near_words", "nearest", "passage_texts"]

_SQL = queries("rag_system.search", "near_words.sql")

WORDS = 80  # that are embedded: about 0.2 s on two cores
SHORTEST = 4  # letters
SHOWN = 8

_WORD = re.compile(r"[^\W\d_]+")

Embed = Callable[[list[str]], list[list[float]]]


def near_words(
    database: Database, project: str, funnel: Funnel, embeddings: Callable[[], EmbeddingModel]
) -> tuple[NearWord, ...]:
    """The words of a search's best candidates that its question's vector lies nearest to: about 0.2 s.

    No part of an answer: for a person who asks how the question was read.
    """
    if funnel.reading is None:
        return ()
    with database.connection() as connection:
        words = common_words(passage_texts(connection, project, funnel))
    return nearest(funnel.reading.dense_query, words, embeddings().embed_documents)


def passage_texts(connection: Connection, project: str, funnel: Funnel) -> Iterator[str]:
    """The texts of the passages told of that are still there, the best first; `project` is whose they are where nobody
    says.
    """
    ids: defaultdict[str, list[int]] = defaultdict(list)
    passages: Iterable[Survivor | Rejection] = (*funnel.survivors, *funnel.examples)
    for told in passages:
        ids[told.project or project].append(told.chunk_id)
    for name, chunk_ids in ids.items():
        for (text,) in connection.execute(_SQL["texts"], {"project": name, "ids": chunk_ids}):
            yield text


def common_words(texts: Iterable[str], *, limit: int = WORDS) -> list[str]:
    """The words that most of the texts have, lower case, one for each stem, without stopwords and short ones."""
    written, spread = dict[str, str](), Counter[str]()
    for text in texts:
        here = {stem(word): word for word in reversed(_WORD.findall(text.lower())) if _says_something(word)}
        spread.update(here.keys())
        written = {**here, **written}
    return [written[each] for each, _ in spread.most_common(limit)]


def _says_something(word: str) -> bool:
    return len(word) >= SHORTEST and fold(word) not in STOPWORDS


def nearest(meaning: str, words: Sequence[str], embed: Embed, *, count: int = SHOWN) -> tuple[NearWord, ...]:
    """The words nearest to `meaning`, best first. One call of `embed`, which gives unit vectors."""
    if len(words) < 2:  # a single one has nothing to stand out from
        return ()
    vectors = np.array(embed([meaning, *words]), np.float32)
    centred = vectors - vectors[1:].mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), np.float32(1e-9))
    similarities = centred[1:] @ centred[0]
    best = np.argsort(-similarities, kind="stable")[:count]
    return tuple(NearWord(word=words[i], similarity=round(float(similarities[i]), 4)) for i in best)
