"""A question's vectors, under way in another thread while its words are looked up."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from contextvars import copy_context

from rag_system.embeddings.protocol import EmbeddingModel

__all__ = ["QueryVectors"]


class QueryVectors:
    """The vectors of the texts of one question, each computed once. Used by one thread."""

    def __init__(self, *, model: EmbeddingModel, executor: Executor) -> None:
        self._model = model
        self._executor = executor
        self._begun: dict[str, Future[list[float]]] = {}

    def begin(self, text: str) -> None:
        """Start to embed a text whose vector will probably be wanted."""
        if text not in self._begun:
            self._begun[text] = self._executor.submit(copy_context().run, self._model.embed_query, text)

    def of(self, text: str) -> list[float]:
        """The vector, as soon as it is there; raises what the model raised."""
        self.begin(text)
        return self._begun[text].result()
