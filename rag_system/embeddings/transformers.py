"""Any sentence-transformers model, from the hub or a folder. The package (with torch) is installed separately."""

from __future__ import annotations

import importlib
import threading
from functools import cached_property
from typing import Any

from rag_system.embeddings.protocol import Manifest, encodable
from rag_system.errors import ConfigurationError, EmbeddingError

__all__ = ["SentenceTransformersEmbeddings"]

BATCH_TEXTS = 16
PASSAGE_PROMPTS = ("document", "passage", "corpus")  # the names that models use
E5_PREFIXES = ("query: ", "passage: ")  # the E5 models need them and do not declare them
ASSUMED_MAX_TOKENS = 512  # where the model states no limit


class SentenceTransformersEmbeddings:
    """Loaded at the first use. `name` is a hub name or a folder; `threads` are torch's, 0 for all cores."""

    def __init__(self, *, name: str, threads: int = 0) -> None:
        self._name = name
        self._threads = threads
        self._lock = threading.Lock()

    @cached_property
    def manifest(self) -> Manifest:
        query, passage = _prefixes(self._name, self._model.prompts)
        return Manifest(
            model_id=f"sentence-transformers:{self._name}/1",
            dimension=len(self._encode([query + "dimensión"])[0]),
            max_tokens=self._model.max_seq_length or ASSUMED_MAX_TOKENS,
            query_prefix=query,
            passage_prefix=passage,
        )

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._encode([self.manifest.passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> list[float]:
        return self._encode([self.manifest.query_prefix + text])[0]

    def count_tokens(self, texts: list[str]) -> list[int]:
        ids = self._model.tokenizer([encodable(text) for text in texts], add_special_tokens=False)["input_ids"]
        return [len(row) for row in ids]

    def _encode(self, texts: list[str]) -> list[list[float]]:
        if not texts:
            return []
        with self._lock:
            vectors: list[list[float]] = self._model.encode(
                [encodable(text) for text in texts],
                prompt="",  # the prefix is already there
                batch_size=BATCH_TEXTS,
                show_progress_bar=False,
                normalize_embeddings=True,
            ).tolist()
        return vectors

    @cached_property
    def _model(self) -> Any:
        try:
            package: Any = importlib.import_module("sentence_transformers")
        except ImportError as error:
            raise ConfigurationError(
                f"LEGAJO_EMBEDDING_MODEL=sentence-transformers:{self._name} necesita un paquete que falta. "
                "Instálelo con «scripts/setup --with transformers» o use «multilingual-e5-small»."
            ) from error
        self._limit_threads()
        try:
            return package.SentenceTransformer(self._name)
        except (OSError, ValueError) as error:
            raise EmbeddingError(
                f"No se pudo cargar el modelo «{self._name}» de sentence-transformers. "
                "Revise el nombre o la carpeta, y la red si hay que descargarlo."
            ) from error

    def _limit_threads(self) -> None:
        if self._threads:
            torch: Any = importlib.import_module("torch")
            torch.set_num_threads(self._threads)


def _prefixes(name: str, prompts: dict[str, str]) -> tuple[str, str]:
    """The prefixes of questions and of passages: the model's own, or those of its family."""
    passage = next((prompts[key] for key in PASSAGE_PROMPTS if prompts.get(key)), "")
    if prompts.get("query") or passage:
        return prompts.get("query", ""), passage
    return E5_PREFIXES if "e5" in name.lower().rsplit("/", 1)[-1].split("-") else ("", "")
