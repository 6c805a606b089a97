"""What every embedding model offers: langchain-core's `Embeddings` plus a manifest stored beside the vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["EmbeddingModel", "Manifest", "encodable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts about a model that must agree between the index and the question."""

    model_id: str  # changes whenever the vectors would
    dimension: int
    max_tokens: int  # of the model, special tokens and prefix included
    query_prefix: str = ""
    passage_prefix: str = ""
    is_remote: bool = False  # asked over a network: what waits for a vector holds no connection meanwhile


class EmbeddingModel(Protocol):
    """Unit-length vectors; the prefixes of the manifest are added by the model itself."""

    @property
    def manifest(self) -> Manifest:
        """The facts about the model."""
        ...

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a passage, in order."""
        ...

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        ...

    def count_tokens(self, texts: list[str]) -> list[int]:
        """Tokens of each text, without prefix and special tokens."""
        ...

    def __hash__(self) -> int:
        """What was computed with a model is kept by it."""
        ...


def encodable(text: str) -> str:
    """The text as UTF-8 can carry it: halves of surrogate pairs become «?»."""
    return text.encode("utf-8", "replace").decode("utf-8")
