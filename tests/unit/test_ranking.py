"""Fusion, filters and the final pick: pure functions over candidates."""

from __future__ import annotations

import numpy as np
import pytest

from rag_system.errors import ConfigurationError
from rag_system.search.filters import below_score, off_topic, reject
from rag_system.search.fusion import fuse, minmax
from rag_system.search.recipes import RECIPES, Fusion, Recipe, get_recipe
from rag_system.search.selection import select
from rag_system.types import Candidate, Chunk, QueryPlan, Route


def candidate(
    document: str,
    score: float = 0.5,
    *,
    text: str = "",
    identifiers: tuple[str, ...] = (),
    chunk_id: int = 0,
    metadata: float = 0.0,
) -> Candidate:
    chunk = Chunk(
        chunk_id=chunk_id,
        document_id=document,
        path=document,
        title=document,
        heading_path=(),
        page_first=None,
        page_last=None,
        text=text or f"texto único número {chunk_id} de {document}",
        identifiers=identifiers,
    )
    return Candidate(chunk=chunk, score=score, scores={"metadata": metadata})


def plan(*identifiers: str) -> QueryPlan:
    return QueryPlan(question="", route=Route.RETRIEVE, standalone_question="", identifiers=identifiers)


def column(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


# ---------------------------------------------------------------- fusion


def test_minmax_spreads_over_zero_to_one() -> None:
    assert minmax(column(0.8, 0.85, 0.9)).tolist() == pytest.approx([0, 0.5, 1], abs=1e-5)
    assert minmax(column(0.8, 0.8)).tolist() == [0, 0]


def test_weighted_fusion_of_the_original_system() -> None:
    recipe = Recipe(name="r", weights={"semantic": 0.6, "lexical": 0.4, "metadata": 0.3})
    columns = {"semantic": column(0.9, 0.8), "lexical": column(0, 2), "metadata": column(0, 1)}
    fused = fuse(columns, recipe)
    # row 0: 0.6 · 1 + 0.4 · 0 + 0;  row 1: 0.6 · 0 + 0.4 · 1 + 0.3 · 1
    assert fused.tolist() == pytest.approx([0.6, 0.7])


def test_reciprocal_rank_fusion() -> None:
    recipe = Recipe(name="r", fusion=Fusion.RECIPROCAL_RANK, weights={"semantic": 1, "lexical": 1})
    fused = fuse({"semantic": column(0.9, 0.8), "lexical": column(0, 3)}, recipe)
    # row 0: (61/61 + 0) / 2;  row 1: (61/62 + 61/61) / 2
    assert fused.tolist() == pytest.approx([0.5, (61 / 62 + 1) / 2])


def test_an_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="default"):
        get_recipe("mejor")
    assert set(RECIPES) >= {"default", "nisira", "rrf"}


# ---------------------------------------------------------------- filters

ISO_CASES = [
    ("iso27001.pdf", ("iso:27001",), "", True),
    ("ISO_9001_2015.pdf", ("iso:9001@2015",), "", False),
    ("Reglamento.pdf", (), "conforme a la ISO 27001", True),
    ("manual.pdf", (), "", True),
    ("ISO_9001_2015.pdf", ("iso:9001@2015",), "Se alinea con la ISO/IEC 27001 en seguridad.", True),
    ("ley.pdf", ("ley:29733",), "", True),
]


@pytest.mark.parametrize(("name", "identifiers", "text", "stays"), ISO_CASES)
def test_topic_filter(name: str, identifiers: tuple[str, ...], text: str, stays: bool) -> None:
    found = [candidate(name, identifiers=identifiers, text=text)]
    kept, reasons = reject(found, [("off_topic", off_topic(plan("iso:27001"), found))])
    assert bool(kept) is stays
    assert reasons.get("off_topic", []) == ([] if stays else found)


NORM_CASES = [
    ("LEY-29409.md", ("ley:29409",), 1.0, "", True),
    ("DS-005-2012-TR.md", ("ds:005-2012-tr",), 0.0, "", False),
    ("Código Tributario.pdf", ("ds:133-2013-ef",), 0.0, "", False),
    ("Reglamento.pdf", ("ds:014-2010-tr",), 0.6, "", True),
    ("Código.pdf", ("ds:133-2013-ef",), 0.0, "según la Ley N° 29409", True),
    ("Guía ISO.pdf", ("iso:45001",), 0.0, "", True),
    ("Manual.pdf", (), 0.0, "", True),
]


@pytest.mark.parametrize(("name", "identifiers", "metadata", "text", "stays"), NORM_CASES)
def test_laws_and_decrees_are_rivals(
    name: str, identifiers: tuple[str, ...], metadata: float, text: str, stays: bool
) -> None:
    found = [candidate(name, identifiers=identifiers, metadata=metadata, text=text)]
    kept, _ = reject(found, [("off_topic", off_topic(plan("ley:29409"), found))])
    assert bool(kept) is stays


def test_several_identifiers_are_a_union() -> None:
    both = [candidate("a", identifiers=("iso:9001",)), candidate("b", identifiers=("iso:27001",))]
    kept, _ = reject(both, [("off_topic", off_topic(plan("iso:9001", "iso:27001"), both))])
    assert kept == both


def test_an_edition_asked_for_rejects_another() -> None:
    editions = [candidate("a", identifiers=("iso:27001@2013",)), candidate("b", identifiers=("iso:27001@2022",))]
    kept, _ = reject(editions, [("off_topic", off_topic(plan("iso:27001@2022"), editions))])
    assert [c.chunk.document_id for c in kept] == ["b"]


def test_an_edition_that_no_document_has_rejects_none() -> None:
    found = [candidate("a", identifiers=("iso:27001@2022",)), candidate("b", identifiers=("iso:9001@2015",))]
    kept, _ = reject(found, [("off_topic", off_topic(plan("iso:27001@2005"), found))])
    assert [c.chunk.document_id for c in kept] == ["a"]


def test_a_low_score_leaves_with_its_reason() -> None:
    found = [candidate("a", 0.9), candidate("b", 0.01)]
    kept, reasons = reject(found, [("low", below_score(0.05))])
    assert [c.chunk.document_id for c in kept] == ["a"]
    assert reasons == {"low": found[1:]}


# ---------------------------------------------------------------- selection


def test_a_crowding_document_gives_way_to_a_close_rival() -> None:
    recipe = Recipe(name="r", per_document=2, crowding=0.1)
    found = [candidate("a", 0.9 - i / 100, chunk_id=i) for i in range(4)] + [candidate("b", 0.85, chunk_id=9)]
    assert [c.chunk.document_id for c in select(found, recipe=recipe, top_k=3).chosen] == ["a", "a", "b"]


def test_a_document_that_clearly_leads_keeps_its_chunks() -> None:
    recipe = Recipe(name="r", per_document=2, crowding=0.1)
    found = [candidate("a", 0.9 - i / 100, chunk_id=i) for i in range(4)] + [candidate("b", 0.3, chunk_id=9)]
    assert [c.chunk.document_id for c in select(found, recipe=recipe, top_k=4).chosen] == ["a", "a", "a", "a"]


def test_a_named_document_always_gets_a_place() -> None:
    recipe = Recipe(name="r")
    found = [candidate(f"d{i}", 0.9, chunk_id=i) for i in range(5)] + [
        candidate("named", 0.1, metadata=1.0, chunk_id=9)
    ]
    selection = select(found, recipe=recipe, top_k=3)
    assert selection.chosen[-1].chunk.document_id == "named"
    assert len(selection.chosen) == 3
    assert selection.guaranteed == (found[-1],)


def test_a_repeat_of_a_better_candidate_is_passed_over() -> None:
    text = "El plazo para interponer el recurso de apelación es de quince días hábiles perentorios."
    found = [
        candidate("a", 0.9, text=text),
        candidate("b", 0.8, text=text.replace("El plazo", "Entonces el plazo")),
        candidate("c", 0.7, text="Otra cosa enteramente distinta, sin relación con lo anterior."),
    ]
    selection = select(found, recipe=Recipe(name="r"), top_k=3)
    assert [c.chunk.document_id for c in selection.chosen] == ["a", "c"]
    assert selection.repeats == ((found[1], found[0]),)
    assert selection.guaranteed == ()


def test_each_norm_of_a_comparison_gets_a_place() -> None:
    leading = [candidate("a", 0.9 - i / 100, identifiers=("ley:1",), metadata=1.0, chunk_id=i) for i in range(5)]
    other = candidate("b", 0.2, identifiers=("ley:2",), metadata=1.0, chunk_id=9)
    selection = select([*leading, other], recipe=Recipe(name="r"), top_k=3, identifiers=("ley:1", "ley:2"))
    assert [c.chunk.document_id for c in selection.chosen] == ["a", "a", "b"]
    assert selection.guaranteed == (other,)


def test_one_place_is_enough_for_each_name() -> None:
    found = [candidate("a", 0.9 - i / 10, identifiers=("ley:1",), metadata=1.0, chunk_id=i) for i in range(3)]
    selection = select(found, recipe=Recipe(name="r"), top_k=2, identifiers=("ley:1",))
    assert list(selection.chosen) == found[:2]
    assert selection.guaranteed == ()
