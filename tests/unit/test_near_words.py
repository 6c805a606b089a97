"""The words that a question's vector lies nearest to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.search.near_words import common_words, nearest

EMBED = HashEmbeddings().embed_documents


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["El plazo vence.", "Los plazos y la apelación"], ["plazo", "vence", "apelación"]),  # both texts have «plazo»
        (["Entre nosotros, para ellas"], []),  # only stopwords
        (["la ley 29733 de 2011"], []),  # short words and numbers
        ([], []),
    ],
)
def test_common_words(texts: list[str], words: list[str]) -> None:
    assert common_words(texts) == words


def test_no_more_words_than_asked_for() -> None:
    assert common_words(["apelación reconsideración", "apelación"], limit=1) == ["apelación"]


def test_the_question_s_own_words_come_first() -> None:
    words = ["vacaciones", "despido", "multa", "banco", "descanso"]
    near = nearest("despido y multa", words, EMBED, count=2)
    assert {each.word for each in near} == {"despido", "multa"}
    assert near[0].similarity >= near[1].similarity > 0


@pytest.mark.parametrize("words", [[], ["despido"]])
def test_fewer_than_two_words_compare_with_nothing(words: list[str]) -> None:
    assert nearest("despido", words, EMBED) == ()


@given(st.text(max_size=20), st.lists(st.text(min_size=1, max_size=8), max_size=12))
def test_similarities_are_cosines_best_first(meaning: str, words: list[str]) -> None:
    near = nearest(meaning, words, EMBED)
    similarities = [each.similarity for each in near]
    assert similarities == sorted(similarities, reverse=True)
    assert all(-1.001 <= similarity <= 1.001 for similarity in similarities)
    assert len(near) == (0 if len(words) < 2 else min(len(words), 8))
