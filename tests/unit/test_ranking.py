"""Recipes, filters and the final pick: pure functions over candidates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from rag_system.errors import ConfigurationError
from rag_system.search.filters import below, off_topic, reject
from rag_system.search.recipes import RECIPES, Recipe, get_recipe
from rag_system.search.selection import Selection, select
from rag_system.types import Candidate, Chunk
from tests.builders import ranking, search_request, table


def candidate(
    document: str,
    score: float = 0.5,
    *,
    text: str = "",
    identifiers: tuple[str, ...] = (),
    chunk_id: int = 0,
    metadata: float = 0.0,
    cosine: float = 0.0,
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
    return Candidate(chunk=chunk, score=score, scores={"metadata": metadata, "semantic": cosine})


def judged(asked: Sequence[str], found: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Those that stay, and those that are off topic."""
    names = [each.scores["metadata"] for each in found]
    judge = off_topic(asked, table([each.chunk for each in found]), names)
    kept, rejected = reject(range(len(found)), [("off_topic", judge)])
    return [found[row] for row in kept], [found[row] for row in rejected.get("off_topic", ())]


def picked(found: Sequence[Candidate], recipe: Recipe, top_k: int, identifiers: Sequence[str] = ()) -> Selection:
    wanted = search_request("¿?", recipe=recipe, top_k=top_k, identifiers=identifiers)
    return select(ranking(found, wanted), lambda row: found[row].chunk.text)


def documents(found: Sequence[Candidate], rows: Iterable[int]) -> list[str]:
    return [found[row].chunk.document_id for row in rows]


# ---------------------------------------------------------------- recipes


def test_an_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="default, nisira, lumen, lume, rrf, tomori"):
        get_recipe("mejor")


def test_what_a_strategy_leans_on_is_asked_too() -> None:
    leaning = {"article": "metadata", "metadata": "lexical", "expansion": "lexical"}
    for recipe in RECIPES.values():
        assert all(recipe.uses(other) for name, other in leaning.items() if recipe.uses(name)), recipe.name


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
def test_a_standard_asked_for_drops_the_other_ones(
    name: str, identifiers: tuple[str, ...], text: str, stays: bool
) -> None:
    found = [candidate(name, identifiers=identifiers, text=text)]
    assert judged(["iso:27001"], found) == ((found, []) if stays else ([], found))


def test_each_document_of_a_collection_is_judged_on_its_own() -> None:
    found = [
        candidate(name, identifiers=own, text=text, chunk_id=i) for i, (name, own, text, _) in enumerate(ISO_CASES)
    ]
    kept, rejected = judged(["iso:27001"], found)
    assert kept == [each for each, (*_, stays) in zip(found, ISO_CASES, strict=True) if stays]
    assert rejected == [found[1]]


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
    kept, _ = judged(["ley:29409"], found)
    assert bool(kept) is stays


def test_several_identifiers_are_a_union() -> None:
    both = [candidate("a", identifiers=("iso:9001",)), candidate("b", identifiers=("iso:27001",))]
    kept, _ = judged(["iso:9001", "iso:27001"], both)
    assert kept == both


EDITIONS = [  # what is asked for, and which of the editions of 2013 and 2022, and one without a year, stay
    (["iso:27001"], ["2013", "2022", "undated"]),
    (["iso:27001@2013"], ["2013", "undated"]),
    (["iso:27001@2022"], ["2022", "undated"]),
    (["iso:27001@2013", "iso:27001@2022"], ["2013", "2022", "undated"]),
    (["iso:27001@2013", "iso:9001"], ["2013", "undated"]),
]


@pytest.mark.parametrize(("asked", "staying"), EDITIONS)
def test_an_edition_asked_for_rejects_another(asked: list[str], staying: list[str]) -> None:
    editions = [candidate(year, identifiers=(f"iso:27001@{year}",)) for year in ("2013", "2022")]
    editions.append(candidate("undated", identifiers=("iso:27001",)))
    kept, _ = judged(asked, editions)
    assert [c.chunk.document_id for c in kept] == staying


def test_an_edition_that_no_document_has_rejects_none() -> None:
    found = [candidate("a", identifiers=("iso:27001@2022",)), candidate("b", identifiers=("iso:9001@2015",))]
    kept, _ = judged(["iso:27001@2005"], found)
    assert [c.chunk.document_id for c in kept] == ["a"]


def test_what_scores_too_little_leaves_with_its_reason() -> None:
    assert reject([1, 0, 2], [("low", below(0.05, [0.9, 0.01, 0.05]))]) == ([0, 2], {"low": [1]})
    assert reject([0], [("far", below(Recipe(name="r").min_similarity, [-0.9]))]) == ([0], {})


def test_the_first_reason_counts() -> None:
    judges = [("far", below(0.5, [0.1])), ("low", below(0.05, [0.01]))]
    assert reject([0], judges) == ([], {"far": [0]})


# ---------------------------------------------------------------- selection


def test_a_crowding_document_gives_way_to_a_close_rival() -> None:
    recipe = Recipe(name="r", per_document=2, crowding=0.1)
    found = [candidate("a", 0.9 - i / 100, chunk_id=i) for i in range(4)] + [candidate("b", 0.85, chunk_id=9)]
    assert documents(found, picked(found, recipe, 3).chosen) == ["a", "a", "b"]


def test_a_document_that_clearly_leads_keeps_its_chunks() -> None:
    recipe = Recipe(name="r", per_document=2, crowding=0.1)
    found = [candidate("a", 0.9 - i / 100, chunk_id=i) for i in range(4)] + [candidate("b", 0.3, chunk_id=9)]
    assert documents(found, picked(found, recipe, 4).chosen) == ["a", "a", "a", "a"]


def test_a_named_document_always_gets_a_place() -> None:
    recipe = Recipe(name="r")
    found = [candidate(f"d{i}", 0.9, chunk_id=i) for i in range(5)] + [
        candidate("named", 0.1, metadata=1.0, chunk_id=9)
    ]
    selection = picked(found, recipe, 3)
    assert selection.chosen[-1] == 5
    assert len(selection.chosen) == 3
    assert selection.guaranteed == (5,)


def test_a_repeat_of_a_better_candidate_is_passed_over() -> None:
    text = "El plazo para interponer el recurso de apelación es de quince días hábiles perentorios."
    found = [
        candidate("a", 0.9, text=text),
        candidate("b", 0.8, text=text.replace("El plazo", "Entonces el plazo")),
        candidate("c", 0.7, text="Otra cosa enteramente distinta, sin relación con lo anterior."),
    ]
    selection = picked(found, Recipe(name="r"), 3)
    assert documents(found, selection.chosen) == ["a", "c"]
    assert selection.repeats == ((1, 0),)
    assert selection.guaranteed == ()


def test_each_norm_of_a_comparison_gets_a_place() -> None:
    leading = [candidate("a", 0.9 - i / 100, identifiers=("ley:1",), metadata=1.0, chunk_id=i) for i in range(5)]
    other = candidate("b", 0.2, identifiers=("ley:2",), metadata=1.0, chunk_id=9)
    selection = picked([*leading, other], Recipe(name="r"), 3, ("ley:1", "ley:2"))
    assert documents([*leading, other], selection.chosen) == ["a", "b", "a"]
    assert selection.guaranteed == (5,)


def test_one_place_is_enough_for_each_name() -> None:
    found = [candidate("a", 0.9 - i / 10, identifiers=("ley:1",), metadata=1.0, chunk_id=i) for i in range(3)]
    selection = picked(found, Recipe(name="r"), 2, ("ley:1",))
    assert selection.chosen == (0, 1)
    assert selection.guaranteed == ()
