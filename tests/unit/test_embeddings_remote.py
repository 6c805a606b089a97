"""The embedding models behind an API, against a local server that speaks their wire formats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rag_system.embeddings import EmbeddingModel, load_embeddings
from rag_system.errors import ConfigurationError, EmbeddingError, MissingKeyError
from rag_system.settings import Settings
from tests.fakes.connections import left_to_the_collector
from tests.unit.fake_embedding_server import FakeServer, fake_vector, serving

Load = Callable[..., EmbeddingModel]

KINDS = ("google", "openai")
MODELS = {"google": "gemini-embedding-001", "openai": "nomic-embed-text"}


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with serving() as running:
        yield running


@pytest.fixture
def load(server: FakeServer, tmp_path: Path) -> Load:
    def build(kind: str, *, key: str = "ok", model: str = "", url: str = "") -> EmbeddingModel:
        values: dict[str, Any] = {
            "home": tmp_path,
            "embedding_model": f"{kind}:{model or MODELS[kind]}",
            "llm_provider": "google" if kind == "google" else "local",
            "llm_base_url": url or (server.url if kind == "google" else f"{server.url}/v1"),
            "llm_timeout_s": 5.0,
            "google_api_key" if kind == "google" else "local_api_key": key,
        }
        server.bodies.clear()
        return load_embeddings(Settings(_env_file=None, **values))

    return build


@pytest.mark.parametrize(("kind", "dimension"), [("google", 768), ("openai", 5)])
def test_unit_vectors_in_the_order_of_the_texts(load: Load, kind: str, dimension: int) -> None:
    model = load(kind)
    texts = ["el plazo de apelación", "la póliza", "¿y los días hábiles?"]
    vectors = model.embed_documents(texts)
    assert model.manifest.dimension == dimension
    for text, vector in zip(texts, vectors, strict=True):
        expected = fake_vector(text, dimension)
        assert vector == pytest.approx([value / math.hypot(*expected) for value in expected])
    assert model.embed_query(texts[1]) == pytest.approx(vectors[1])


@pytest.mark.parametrize(("kind", "batches"), [("google", [100, 100, 5]), ("openai", [64, 64, 64, 13])])
def test_many_texts_go_in_batches(load: Load, server: FakeServer, kind: str, batches: list[int]) -> None:
    vectors = load(kind).embed_documents([f"artículo {n}" for n in range(205)])
    assert len(vectors) == 205
    assert [len(body.get("requests") or body["input"]) for body in server.bodies] == batches


def test_google_is_told_what_a_text_is_for(load: Load, server: FakeServer) -> None:
    model = load("google")
    model.embed_documents(["a"])
    model.embed_query("b")
    sent = [body["requests"][0] for body in server.bodies]
    assert [request["taskType"] for request in sent] == ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"]
    assert [request["outputDimensionality"] for request in sent] == [768, 768]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", " \n", "\x00", "a\ud800b", "x" * 1_000_000])
def test_any_text_can_be_sent(load: Load, kind: str, text: str) -> None:
    assert math.hypot(*load(kind).embed_query(text)) == pytest.approx(1)


@pytest.mark.parametrize("kind", KINDS)
def test_no_texts_no_request(load: Load, server: FakeServer, kind: str) -> None:
    assert load(kind).embed_documents([]) == []
    assert server.bodies == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("key", "model", "sentence"),
    [
        ("bad", "", "rechazó la clave"),
        ("ok", "unknown", "no ofrece ese modelo"),
        ("short", "", "devolvió 1 vectores para 2 textos"),
        ("zero", "", "vector vacío"),
        ("words", "", "vector"),
        ("moved", "", "código 307"),
    ],
)
def test_failures_are_said_in_spanish(load: Load, kind: str, key: str, model: str, sentence: str) -> None:
    with pytest.raises(EmbeddingError, match=sentence) as caught:
        load(kind, key=key, model=model).embed_documents(["uno", "dos"])
    assert "API key" not in str(caught.value)  # the SDK's text stays inside


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_is_not_followed_with_the_texts(load: Load, server: FakeServer, kind: str) -> None:
    with pytest.raises(EmbeddingError):
        load(kind, key="moved").embed_documents(["uno"])
    assert not any(path.startswith("/elsewhere") for path in server.paths)


def test_an_answer_that_is_not_json(load: Load) -> None:
    with pytest.raises(EmbeddingError, match="El servidor de vectores"):
        load("openai", key="garbled").embed_query("uno")


@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_estimates(load: Load, server: FakeServer, kind: str) -> None:
    assert load(kind).count_tokens(["", "ley", "x" * 801]) == [0, 1, 201]  # four characters a token, rounded up
    assert server.bodies == []


def test_google_needs_a_key(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path, embedding_model="google:gemini-embedding-001")
    with pytest.raises(MissingKeyError, match="GOOGLE_API_KEY"):
        load_embeddings(settings)


def test_openai_needs_an_address(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path, embedding_model="openai:nomic-embed-text")
    with pytest.raises(ConfigurationError, match="LLM_BASE_URL"):
        load_embeddings(settings)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_is_dropped_closes_its_connections(load: Load, server: FakeServer, kind: str) -> None:
    models = [load(kind)]
    models[0].embed_query("uno")
    assert left_to_the_collector(server.server_port, models.clear) == []
