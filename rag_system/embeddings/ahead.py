"""A question's vectors, under way in other threads while its words are looked up."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial

from rag_system.background import begin
from rag_system.embeddings.protocol import EmbeddingModel

__all__ = ["QueryVectors"]


class QueryVectors:
    """The vectors of the texts of one question, each computed once. Used by one thread."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._begun: dict[str, Future[list[float]]] = {}

    def begin(self, text: str) -> None:
        """Start to embed a text whose vector will probably be wanted."""
        if text not in self._begun:
            self._begun[text] = begin(partial(self._model.embed_query, text))

    def wait(self, asked: str, *others: str) -> None:
        """Compute the others while `asked` is under way, and that too where a server computes it, in seconds maybe."""
        self.begin(asked)
        for text in (*others, *([asked] if self._model.manifest.is_remote else [])):
            self.of(text)

    def of(self, text: str) -> list[float]:
        """The vector, as soon as it is there; raises what the model raised."""
        self.begin(text)
        return self._begun[text].result()
