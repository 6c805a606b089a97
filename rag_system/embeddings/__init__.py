"""Texts to vectors: one protocol, several models, and the one place where a model is chosen."""

from __future__ import annotations

from rag_system.embeddings.ahead import QueryVectors
from rag_system.embeddings.e5 import E5Embeddings
from rag_system.embeddings.protocol import EmbeddingModel, Manifest, encodable
from rag_system.embeddings.recent import RecentVectors, recent_vectors
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError
from rag_system.settings import Settings

__all__ = [
    "E5Embeddings",
    "EmbeddingModel",
    "HashEmbeddings",
    "Manifest",
    "QueryVectors",
    "RecentVectors",
    "encodable",
    "load_embeddings",
    "recent_vectors",
]

DEFAULT = "multilingual-e5-small"


def load_embeddings(settings: Settings) -> EmbeddingModel:
    """The model that `settings.embedding_model` names; its packages, files and connections wait for the first use."""
    kind, _, name = settings.embedding_model.strip().partition(":")
    if kind == DEFAULT and not name:
        return E5Embeddings(cache_dir=settings.cache_dir, threads=settings.embedding_threads)
    if kind == "sentence-transformers" and name:
        from rag_system.embeddings.transformers import SentenceTransformersEmbeddings

        return SentenceTransformersEmbeddings(name=name, threads=settings.embedding_threads)
    if kind == "google" and name:
        from rag_system.embeddings.remote import GoogleEmbeddings

        return GoogleEmbeddings(model=name, settings=settings)
    if kind == "openai" and name:
        from rag_system.embeddings.remote import OpenAIEmbeddings

        return OpenAIEmbeddings(model=name, settings=settings)
    raise ConfigurationError(
        f"LEGAJO_EMBEDDING_MODEL no admite «{settings.embedding_model}». Use «{DEFAULT}» (sin red ni clave), "
        "«sentence-transformers:nombre-o-carpeta», «google:gemini-embedding-001» u «openai:modelo»."
    )
