"""A second, slower reading of the best candidates by a model that sees question and passage together.

Only a recipe with `rerank` > 0 asks for it, and only a model that `LEGAJO_RERANKER` names does it. The model must have
been trained on Spanish or on many languages: an English one lowers what the first ranking found (MRR@10 on
xquad-es: 97.5 → 87.0). sentence-transformers and torch are installed separately and imported when the model is loaded.
"""

from __future__ import annotations

import importlib
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

from rag_system.embeddings.protocol import encodable
from rag_system.errors import ConfigurationError
from rag_system.search.table import Ranking
from rag_system.settings import Settings
from rag_system.types import Chunk

__all__ = ["RERANK", "CrossEncoderReranker", "Reranker", "load_reranker", "rerank", "shown"]

RERANK = "rerank"  # the name of the model's own number among a candidate's scores

# Of a judgement, 0…1, beside a fused score, of which the blend of meaning and words lies in 0…1. The judgement knows
# best which of two passages answers; the fused score also knows what the question names (a document, an article, an
# author), which no reader of one passage sees. That some of the first score helps a cross-encoder: Lin, Nogueira &
# Yates 2021, «Pretrained Transformers for Text Ranking», §3.2.2.
JUDGEMENT_WEIGHT = 2.0
BATCH_PAIRS = 8  # of up to 512 tokens each
# Heads that judge a pair: one trained for it, or the «yes» and «no» of a language model. An embedding model has none,
# and sentence-transformers would give it a random one.
JUDGING_HEADS = ("ForSequenceClassification", "ForCausalLM", "ForConditionalGeneration")


class Reranker(Protocol):
    """Judges how well passages answer a question."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """One number a text, in order: log-odds that it answers, so 0 is undecided and higher is better."""
        ...


def rerank(ranking: Ranking, reranker: Reranker) -> Ranking:
    """The ranking after `reranker` read the passages that the recipe shows it, the best of those kept.

    What was read gains `JUDGEMENT_WEIGHT` times the probability that it answers, so it stays before what was not; the
    model's own number stands in `judged["rerank"]`.
    """
    started = perf_counter()
    read = ranking.kept[: len(ranking.shown)]
    judged = reranker.score(ranking.request.plan.standalone_question, ranking.shown)
    fused = list(ranking.fused)
    for row, judgement in zip(read, judged, strict=True):
        fused[row] = round(fused[row] + JUDGEMENT_WEIGHT * _sigmoid(judgement), 6)
    return replace(
        ranking,
        fused=fused,
        judged={RERANK: {row: round(judgement, 6) for row, judgement in zip(read, judged, strict=True)}},
        kept=[*sorted(read, key=lambda row: -fused[row]), *ranking.kept[len(read) :]],
        timings_ms={**ranking.timings_ms, "reranking": (perf_counter() - started) * 1e3},
    )


def shown(chunk: Chunk) -> str:
    """The passage under its document's title and its headings, as it was indexed."""
    return "\n".join(part for part in (chunk.title, chunk.section, chunk.text) if part)


def _sigmoid(value: float) -> float:
    return (1 + math.tanh(value / 2)) / 2  # without overflow


# ---------------------------------------------------------------- sentence-transformers


def load_reranker(settings: Settings) -> Reranker | None:
    """The model that `settings.reranker` names, loaded; None without one."""
    name = settings.reranker.strip()
    return CrossEncoderReranker(name=name, threads=settings.embedding_threads) if name else None


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, loaded when made. Safe to share between threads.

    `name` is a hub name or a folder; `threads` are torch's, 0 for all cores. Raises `ConfigurationError` when the
    package or the model is missing, or the model does not judge pairs.
    """

    def __init__(self, *, name: str, threads: int = 0) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._model = _load(name)
        torch: Any = importlib.import_module("torch")
        self._as_it_is = torch.nn.Identity()  # most models would already apply a sigmoid
        if threads:
            torch.set_num_threads(threads)

    @property
    def name(self) -> str:
        return self._name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        pairs = [(encodable(question), encodable(text)) for text in texts]
        with self._lock:
            scores: list[float] = self._model.predict(
                pairs, batch_size=BATCH_PAIRS, show_progress_bar=False, activation_fn=self._as_it_is
            ).tolist()
        return scores


def _load(name: str) -> Any:
    try:
        package: Any = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise ConfigurationError(
            f"LEGAJO_RERANKER={name} necesita un paquete que falta. "
            "Instálelo con «scripts/setup --with transformers» o deje LEGAJO_RERANKER sin valor."
        ) from error
    damaged: type[Exception] = importlib.import_module("safetensors").SafetensorError
    try:
        model = package.CrossEncoder(name)
    except (OSError, ValueError, RuntimeError, damaged) as error:
        raise ConfigurationError(
            f"No se pudo cargar el modelo «{name}» de LEGAJO_RERANKER. Revise el nombre o la carpeta, y la red si hay "
            "que descargarlo, o deje LEGAJO_RERANKER sin valor."
        ) from error
    _check_head(name, model)
    return model


def _check_head(name: str, model: Any) -> None:
    architectures = model.config.architectures or JUDGING_HEADS
    if model.num_labels != 1 or not any(each.endswith(JUDGING_HEADS) for each in architectures):
        raise ConfigurationError(
            f"El modelo «{name}» de LEGAJO_RERANKER no sirve para reordenar pasajes. Use un «cross-encoder» "
            "multilingüe de una sola salida, como «cross-encoder/mmarco-mMiniLMv2-L12-H384-v1»."
        )
