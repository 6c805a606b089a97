"""Texts to vectors: one protocol, several models, and the one place where a model is chosen."""

from __future__ import annotations

from rag_system.embeddings.e5 import E5Embeddings
from rag_system.embeddings.protocol import EmbeddingModel, Manifest
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError
from rag_system.settings import Settings

__all__ = ["E5Embeddings", "EmbeddingModel", "HashEmbeddings", "Manifest", "load_embeddings"]

DEFAULT = "multilingual-e5-small"


def load_embeddings(settings: Settings) -> EmbeddingModel:
    """The model that `settings.embedding_model` names. Its files and packages are loaded at the first use."""
    name = settings.embedding_model.strip()
    if name == DEFAULT:
        return E5Embeddings(cache_dir=settings.cache_dir, threads=settings.embedding_threads)
    raise ConfigurationError(f"LEGAJO_EMBEDDING_MODEL={name!r} no es un modelo conocido. Use «{DEFAULT}».")
