"""An in-memory embedding model for tests: hashed words and word pairs, deterministic, nothing to load."""

from __future__ import annotations

import hashlib
import math
import re
from itertools import pairwise

from rag_system.embeddings.protocol import Manifest

__all__ = ["HashEmbeddings"]

DIMENSION = 64
_WORD = re.compile(r"\w+")


class HashEmbeddings:
    """Texts that share words have similar vectors; a text without words has a fixed unit vector."""

    def __init__(self, *, model_id: str = "hash/64/1", dimension: int = DIMENSION) -> None:
        self._manifest = Manifest(model_id=model_id, dimension=dimension, max_tokens=512)

    @property
    def manifest(self) -> Manifest:
        return self._manifest

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        words = _WORD.findall(text.lower())
        vector = [0.0] * self._manifest.dimension
        for gram in (*words, *map(" ".join, pairwise(words))):
            digest = hashlib.blake2b(gram.encode("utf-8", "replace"), digest_size=2).digest()
            vector[digest[0] % len(vector)] += 1.0 if digest[1] % 2 else -1.0
        length = math.hypot(*vector)
        return [value / length for value in vector] if length else [1.0, *vector[1:]]

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(_WORD.findall(text)) for text in texts]
