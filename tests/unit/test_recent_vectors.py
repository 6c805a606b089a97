"""Vectors of sentences that were compared before: the same as the model gives, each computed once while it is kept."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_system.embeddings.recent import RecentVectors, recent_vectors
from rag_system.embeddings.testing import HashEmbeddings


class Counting(HashEmbeddings):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return super().embed_documents(texts)


SENTENCES = st.lists(st.sampled_from(["El plazo es de 15 días.", "Se apela por escrito.", "Cierra en feriados.", ""]))


@given(calls=st.lists(SENTENCES, max_size=6), kept=st.integers(0, 5))
def test_vectors_are_those_of_the_model_whatever_is_kept(calls: list[list[str]], kept: int) -> None:
    model = Counting()
    recent = RecentVectors(model, kept=kept)
    for texts in calls:
        assert np.allclose(recent.of(texts), np.reshape(model.embed_documents(texts), (len(texts), 64)))


def test_a_sentence_is_embedded_once_while_it_is_kept() -> None:
    model = Counting()
    recent = RecentVectors(model, kept=2)
    for texts in (["uno", "dos"], ["dos", "tres", "tres"], ["dos"], ["uno"]):
        recent.of(texts)
    assert model.asked == ["uno", "dos", "tres", "uno"]


def test_all_who_ask_share_them() -> None:
    model = Counting()
    assert recent_vectors(model) is recent_vectors(model)
    assert recent_vectors(model) is not recent_vectors(Counting())
