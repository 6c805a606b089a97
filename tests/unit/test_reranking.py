"""A second reading of the best candidates: its arithmetic, and the optional package behind it."""

from __future__ import annotations

import importlib.util
import math
import sys
import types
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.errors import ConfigurationError
from rag_system.search.recipes import Recipe
from rag_system.search.reranking import JUDGEMENT_WEIGHT, CrossEncoderReranker, Reranker, load_reranker, rerank, shown
from rag_system.search.table import Ranking
from rag_system.search.testing import WordOverlapReranker
from rag_system.settings import Settings
from rag_system.types import Candidate
from tests.builders import candidates, chunk, ranking, search_request

QUESTION = "¿Cuántos días de vacaciones me tocan?"
VACATION = chunk("El trabajador tiene treinta días de vacaciones.", chunk_id=1)
PAYMENT = chunk("La remuneración se paga cada mes.", chunk_id=2)
HOURS = chunk("La jornada es de ocho horas.", chunk_id=3)


class Fixed:
    """Judges as it is told."""

    name = "fixed"

    def __init__(self, *judgements: float) -> None:
        self._judgements = judgements

    def score(self, question: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002 - the protocol's
        return list(self._judgements[: len(texts)])


def again(found: Sequence[Candidate], reranker: Reranker, *, depth: int) -> Ranking:
    wanted = search_request(QUESTION, recipe=Recipe(name="r", rerank=depth))
    return rerank(ranking(found, wanted, shown=[shown(each.chunk) for each in found[:depth]]), reranker)


def test_what_answers_comes_before_what_led() -> None:
    found = candidates((0.9, PAYMENT), (0.7, VACATION), (0.1, HOURS))
    assert again(found, WordOverlapReranker(), depth=3).kept == [1, 0, 2]


def test_the_new_score_is_the_fused_one_plus_the_judgement() -> None:
    after = again(candidates((0.9, PAYMENT), (0.7, VACATION)), Fixed(0.0, 3.0), depth=2)
    # log-odds 3 are a probability of 1 / (1 + e^-3) = 0.952574: 0.7 + 2 · 0.952574; 0 is one of 0.5: 0.9 + 2 · 0.5
    assert after.kept == [1, 0]
    assert after.fused == [pytest.approx(1.9), pytest.approx(2.605148)]
    assert [after.scores_of(row)["rerank"] for row in after.kept] == [3.0, 0.0]


def test_only_the_best_are_read_and_the_others_stay_behind_as_they_were() -> None:
    found = candidates((0.9, PAYMENT), (0.7, HOURS), (0.6, VACATION))
    reader = WordOverlapReranker()
    after = again(found, reader, depth=2)
    assert len(reader.read) == 2
    assert (after.kept[2:], after.fused[2], after.scores_of(2)) == ([2], 0.6, {})
    assert again(found, reader, depth=0).kept == [0, 1, 2]
    assert again([], reader, depth=5).kept == []


def test_a_passage_is_read_under_its_title_and_headings() -> None:
    reader = WordOverlapReranker()
    article = replace(VACATION, title="Ley 1", heading_path=("Título I", "Artículo 5"))
    again(candidates((1.0, article)), reader, depth=1)
    assert reader.read == ["Ley 1\nTítulo I › Artículo 5\nEl trabajador tiene treinta días de vacaciones."]


@given(
    fused=st.lists(st.integers(0, 3_000_000).map(lambda n: n / 1e6), min_size=1, max_size=8),  # six decimals
    judged=st.lists(st.floats(-1e6, 1e6), min_size=8, max_size=8),
    depth=st.integers(0, 10),
)
def test_nothing_is_lost_and_the_order_is_that_of_the_scores(
    fused: list[float], judged: list[float], depth: int
) -> None:
    found = candidates(*((s, chunk("texto", chunk_id=n)) for n, s in enumerate(sorted(fused, reverse=True))))
    after = again(found, Fixed(*judged), depth=depth)
    assert sorted(after.kept) == list(range(len(found)))
    scores = [after.fused[row] for row in after.kept]
    assert scores == sorted(scores, reverse=True)
    gains = [score - each.score for score, each in zip(after.fused, found, strict=True)]
    assert all(-1e-6 <= gain <= JUDGEMENT_WEIGHT + 1e-6 for gain in gains)


# ---------------------------------------------------------------- sentence-transformers


def settings(name: str) -> Settings:
    return Settings(_env_file=None, reranker=name)


def test_without_a_name_there_is_none() -> None:
    assert load_reranker(settings("")) is None
    assert load_reranker(settings("  ")) is None


def test_a_missing_package_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigurationError, match=r"LEGAJO_RERANKER=x/y .*scripts/setup --with transformers"):
        load_reranker(settings("x/y"))


class StandInCrossEncoder:
    """Of the package's class, what we use: its outputs, its architecture, `predict` to an array."""

    def __init__(self, name: str) -> None:
        if name == "no/existe":
            raise OSError("not a valid model identifier")
        self.num_labels = 3 if name == "nli" else 1
        head = "XLMRobertaModel" if name == "embeddings" else "XLMRobertaForSequenceClassification"
        self.config = types.SimpleNamespace(architectures=[head])

    def predict(self, pairs: list[tuple[str, str]], *, activation_fn: object, **_: object) -> np.ndarray:
        assert activation_fn == "as it is"
        assert all(text.encode("utf-8") for pair in pairs for text in pair)
        return np.array([float(len(text)) for _, text in pairs], np.float32)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {
        "sentence_transformers": {"CrossEncoder": StandInCrossEncoder},
        "safetensors": {"SafetensorError": type("SafetensorError", (Exception,), {})},
        "torch": {"nn": types.SimpleNamespace(Identity=lambda: "as it is"), "set_num_threads": lambda _: None},
    }
    for name, members in parts.items():
        package = types.ModuleType(name)
        vars(package).update(members)
        monkeypatch.setitem(sys.modules, name, package)


def test_a_cross_encoder_of_the_package(stand_in: None) -> None:
    reranker = load_reranker(settings("x/y"))
    assert reranker is not None
    assert reranker.name == "x/y"
    assert reranker.score("¿plazo\ud800?", ["uno", "cinco\ud800"]) == [3.0, 6.0]
    assert reranker.score("¿plazo?", []) == []


@pytest.mark.parametrize(
    ("name", "said"), [("no/existe", "No se pudo cargar"), ("nli", "no sirve"), ("embeddings", "no sirve")]
)
def test_a_model_that_cannot_judge_is_told(stand_in: None, name: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"{name}.*{said}|{said}.*{name}"):
        load_reranker(settings(name))


# ---------------------------------------------------------------- the package itself, where it is installed

needs_package = pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None, reason="sentence-transformers is not installed"
)


def make_model(folder: Path, *, outputs: int = 1, head: bool = True) -> str:
    """A tiny cross-encoder of XLM-R's shape with random weights, made here: nothing is downloaded."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = "<s> <pad> </s> <unk> ¿ ? . el plazo es de quince días hábiles ley".split()
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    names |= {"cls_token": "<s>", "sep_token": "</s>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **names).save_pretrained(
        folder
    )
    torch.manual_seed(7)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.XLMRobertaConfig(
        vocab_size=len(words), max_position_embeddings=66, type_vocab_size=1, num_labels=outputs, **shape
    )
    kind = transformers.XLMRobertaForSequenceClassification if head else transformers.XLMRobertaModel
    kind(config).save_pretrained(folder)
    return str(folder)


@needs_package
def test_the_package_scores_pairs_in_their_order(tmp_path: Path) -> None:
    reranker = CrossEncoderReranker(name=make_model(tmp_path), threads=1)
    texts = ["el plazo es de quince días", "", "ley " * 500, "quince\ud800"]
    together = reranker.score("¿plazo?", texts)
    assert together == pytest.approx([reranker.score("¿plazo?", [text])[0] for text in texts], abs=1e-5)
    assert len(set(together)) > 1
    assert all(math.isfinite(score) for score in together)


@needs_package
@pytest.mark.parametrize(("outputs", "head"), [(3, True), (1, False)])
def test_the_package_loads_what_cannot_judge_and_we_refuse_it(tmp_path: Path, outputs: int, head: bool) -> None:
    with pytest.raises(ConfigurationError, match="no sirve para reordenar"):
        CrossEncoderReranker(name=make_model(tmp_path, outputs=outputs, head=head))


@needs_package
def test_a_damaged_or_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No se pudo cargar"):
        CrossEncoderReranker(name=str(tmp_path / "vacía"))
    folder = make_model(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"roto" * 100)
    with pytest.raises(ConfigurationError, match="No se pudo cargar"):
        CrossEncoderReranker(name=folder)
