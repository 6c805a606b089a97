"""The vectors of the sentences compared last: the next question is often about the same pages."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rag_system.embeddings.protocol import EmbeddingModel

__all__ = ["RecentVectors", "recent_vectors"]

KEPT = 4096  # sentences; 6 MiB at 384 dimensions. A question compares eight


class RecentVectors:
    """Vectors of a model by their text, the ones used last. Any thread may call."""

    def __init__(self, model: EmbeddingModel, *, kept: int = KEPT) -> None:
        self._model = model
        self._kept = kept
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text, as `embed_documents` gives it; what is not known is embedded in one call."""
        with self._lock:
            known = {text: self._vectors[text] for text in texts if text in self._vectors}
        if fresh := [text for text in dict.fromkeys(texts) if text not in known]:
            vectors = self._model.embed_documents(fresh)
            known.update((text, np.array(vector, np.float32)) for text, vector in zip(fresh, vectors, strict=True))
        with self._lock:
            for text, vector in known.items():
                self._vectors[text] = vector
                self._vectors.move_to_end(text)
            while len(self._vectors) > self._kept:
                self._vectors.popitem(last=False)
        shape = len(texts), self._model.manifest.dimension
        return np.array([known[text] for text in texts], np.float32).reshape(shape)


@lru_cache(maxsize=1)
def recent_vectors(model: EmbeddingModel) -> RecentVectors:
    """Those of a model, for all who ask in this process; of one model at a time."""
    return RecentVectors(model)
