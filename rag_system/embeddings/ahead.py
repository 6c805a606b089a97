"""A question's vectors, under way in other threads while its words are looked up."""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread

from rag_system.embeddings.protocol import EmbeddingModel

__all__ = ["QueryVectors"]


class QueryVectors:
    """The vectors of the texts of one question, each computed once. Used by one thread.

    A program that ends waits for none of them.
    """

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._begun: dict[str, Future[list[float]]] = {}

    def begin(self, text: str) -> None:
        """Start to embed a text whose vector will probably be wanted."""
        if text not in self._begun:
            self._begun[text] = Future()
            Thread(target=copy_context().run, args=(self._embed, text), name="embedding", daemon=True).start()

    def of(self, text: str) -> list[float]:
        """The vector, as soon as it is there; raises what the model raised."""
        self.begin(text)
        return self._begun[text].result()

    def _embed(self, text: str) -> None:
        future = self._begun[text]
        try:
            future.set_result(self._model.embed_query(text))
        except BaseException as error:  # noqa: BLE001  (whoever asks for the vector gets it)
            future.set_exception(error)
