"""Results as programs and people read them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from assistant.questions import AskedQuestion
from assistant.rendering import (
    answer_fields,
    failure,
    place,
    plan_fields,
    search_fields,
    shorten,
    show_answer,
    show_one_of_several,
    show_plan,
    show_results,
)
from assistant.view import answered
from rag_system.query.plan import analyze
from rag_system.types import Answer, Candidate, Citation, Funnel, Message, SearchResult, StateKind, Survivor, TextState
from tests.builders import chunk, evidence

CHUNK = chunk("El plazo es de\n\nquince (15) días hábiles.", page=7, headings=("Título II", "Artículo 5"))
FOUND = SearchResult(
    candidates=(Candidate(chunk=CHUNK, score=0.815, scores={"semantic": 0.9, "lexical": 0.5}),),
    funnel=Funnel(
        generated={"semantic": 50, "lexical": 40, "metadata": 0},
        merged=70,
        rejected={"off_topic": 60, "near_duplicate": 9},
        returned=1,
    ),
    timings_ms={"search": 12.34567},
)
CITATION = Citation(n=1, chunk_id=1, document="ley.md", path="leyes/ley.md", page=7, quote="quince (15) días hábiles.")
ANSWER = Answer(
    text="Son quince días hábiles [1].",
    citations=(CITATION,),
    evidence=evidence(CHUNK),
    provider="extractive",
    metrics={"ttft": 5.0, "total": 9.5},
)


REPEALED = TextState(kind=StateKind.REPEALED, told="[Derogado]")
PLACES = [
    (("leyes/guia.pdf", 3, "Artículo 5"), "leyes/guia.pdf, p. 3, Artículo 5"),
    (("leyes/guia.md", None, "Artículo 5"), "leyes/guia.md, Artículo 5"),
    (("guia.pdf", 3, ""), "guia.pdf, p. 3"),
    (("guia.txt", None, ""), "guia.txt"),
    (("guia.txt", None, "", REPEALED), "guia.txt [texto derogado]"),
]


@pytest.mark.parametrize(("arguments", "shown"), PLACES)
def test_place(arguments: tuple[Any, ...], shown: str) -> None:
    assert place(*arguments) == shown


PLANS = [
    ("hola", (), "Pregunta:        hola\nRuta:            cortesía\nParece:          un saludo, casi con certeza"),
    (
        "¿Qué documentos tienes?",
        (),
        "Pregunta:        ¿Qué documentos tienes?\nRuta:            lista de documentos\n"
        "Parece:          una pregunta por la lista de documentos, casi con certeza",
    ),
    (
        "¿Qué dice la Ley 29733?",
        (),
        "Pregunta:        ¿Qué dice la Ley 29733?\nRuta:            búsqueda\n"
        "Parece:          una pregunta a los documentos, casi con certeza\nIdentificadores: Ley 29733",
    ),
    (
        "¿Qué sostiene García (2020) sobre la gestión documental?",
        (),
        "Pregunta:        ¿Qué sostiene García (2020) sobre la gestión documental?\nRuta:            búsqueda\n"
        "Parece:          una pregunta a los documentos, casi con certeza\nCita:            garcía, 2020",
    ),
    (
        "¿Qué decía antes el artículo 5 de la Ley 29733?",
        (),
        "Pregunta:        ¿Qué decía antes el artículo 5 de la Ley 29733?\nRuta:            búsqueda\n"
        "Parece:          una pregunta a los documentos, casi con certeza\n"
        "Identificadores: Ley 29733\nVigencia:        pregunta por lo que regía antes",
    ),
    (
        "¿Y cómo se instala?",
        (Message("user", "¿Qué es Samba?"),),
        "Pregunta:        ¿Y cómo se instala?\nRuta:            búsqueda\n"
        "Parece:          una pregunta a los documentos, casi con certeza\nReformulada:     ¿Cómo se instala? (Samba)",
    ),
]


@pytest.mark.parametrize(("question", "history", "shown"), PLANS)
def test_plans_for_people(question: str, history: tuple[Message, ...], shown: str) -> None:
    assert show_plan(analyze(question, history)) == shown


def test_results_for_people() -> None:
    assert show_results(FOUND) == (
        "1. leyes/ley.md, p. 7, Título II › Artículo 5\n   El plazo es de quince (15) días hábiles."
    )
    assert show_results(SearchResult()) == "No se encontró nada."


def test_results_for_people_tell_how_relevant_each_is_among_those_of_its_question() -> None:
    survivor = Survivor(
        chunk_id=CHUNK.chunk_id,
        path=CHUNK.path,
        page=7,
        section="",
        score=0.815,
        level=0.934,
        scores={},
        levels={},
        proposed_by=(),
    )
    found = replace(FOUND, funnel=replace(FOUND.funnel, survivors=(survivor,)))
    assert "Artículo 5  (relevancia 93)\n" in show_results(found)


def test_long_passages_are_cut_at_a_word() -> None:
    long = Candidate(chunk=chunk("palabra " * 100), score=1.0, scores={})
    line = show_results(SearchResult(candidates=(long,))).splitlines()[1].strip()
    assert line.endswith("palabra…")
    assert len(line) <= 300


ANSWERS = [
    (
        ANSWER,
        "Son quince días hábiles [1].\n\nFuentes:\n[1] leyes/ley.md, p. 7, Título II › Artículo 5\n"
        "    «quince (15) días hábiles.»",
    ),
    (  # what the answer says itself is not said twice
        replace(ANSWER, text="Según la Ley: «quince (15)\ndías hábiles.» [1]"),
        "Según la Ley: «quince (15)\ndías hábiles.» [1]\n\nFuentes:\n[1] leyes/ley.md, p. 7, Título II › Artículo 5",
    ),
    (Answer(text="No encontré información.", abstained=True), "No encontré información."),
    (
        Answer(text="Son 7 días [1].", unsupported=("Son 7 días [1].",)),
        "Son 7 días [1].\n\nSin respaldo en la fuente citada:\n- Son 7 días [1].",
    ),
    (
        Answer(text="- **Plazo**: 7 días [1].", unsupported=("- **Plazo**: 7 días [1].",)),
        "- **Plazo**: 7 días [1].\n\nSin respaldo en la fuente citada:\n- **Plazo**: 7 días [1].",
    ),
    (Answer(text="Son quin", incomplete=True, error="El proveedor no respondió."), "Son quin"),
    (Answer(text="Falló la búsqueda.", error="Falló la búsqueda."), ""),
]

FAILURES = [
    (Answer(text="Son quin", error="No respondió."), "La respuesta quedó incompleta. No respondió."),
    (Answer(text="", error="No respondió."), "No respondió."),
    (Answer(text="Falló la búsqueda.", error="Falló la búsqueda."), "Falló la búsqueda."),
]


@pytest.mark.parametrize(("answer", "shown"), ANSWERS)
def test_answers_for_people(answer: Answer, shown: str) -> None:
    assert show_answer(answered(answer)) == shown


def test_a_source_is_named_once_whatever_is_quoted_from_it() -> None:
    other = replace(CITATION, quote="El plazo es de")
    shown = show_answer(answered(replace(ANSWER, citations=(CITATION, other, CITATION))))
    assert shown.splitlines()[-3:] == [
        "[1] leyes/ley.md, p. 7, Título II › Artículo 5",
        "    «quince (15) días hábiles.»",
        "    «El plazo es de»",
    ]


def test_a_number_stands_once_with_all_places_of_its_passage_and_where_the_answer_comes_to_it() -> None:
    other = chunk("De oficio.", chunk_id=2, page=9, headings=("Título II", "Artículo 6"))
    last = chunk("Sin costo.", chunk_id=3)
    (found,) = evidence(CHUNK)
    joined = replace(found, neighbours=(CHUNK, other))
    answer = Answer(
        text="«Sin costo.» [2] «quince (15) días hábiles.» [1] «De oficio.» [1]",
        citations=(
            CITATION,
            replace(CITATION, chunk_id=2, page=9, quote="De oficio."),
            replace(CITATION, n=2, chunk_id=3, page=None, quote="Sin costo."),
        ),
        evidence=(joined, replace(evidence(last)[0], n=2)),
    )
    assert show_answer(answered(answer)).partition("Fuentes:\n")[2].splitlines() == [
        "[2] leyes/ley.md",
        "[1] leyes/ley.md, p. 7, Título II › Artículo 5",
        "    y p. 9, Título II › Artículo 6",
    ]


def test_a_section_is_named_once_without_marks_of_notes_and_an_open_quotation() -> None:
    headings = ("Artículo 2.- Licencia", "“Artículo 2.- Licencia", "Artículo 3.- (75) PLAZO DE QUINCE (15) DÍAS(76)")
    found = SearchResult(
        candidates=(Candidate(chunk=chunk("Es de diez días.", headings=headings), score=1.0, scores={}),)
    )
    assert "leyes/ley.md, Artículo 2.- Licencia › Artículo 3.- PLAZO DE QUINCE (15) DÍAS\n" in show_results(found)


@pytest.mark.parametrize("heading", ["(2) Alcance", "1.4 open(3)", "H(2)O en la caldera", "Anexo (3)"])
def test_a_number_that_is_no_mark_of_a_note_stays_in_the_name_of_a_section(heading: str) -> None:
    found = SearchResult(candidates=(Candidate(chunk=chunk("Es así.", headings=(heading,)), score=1.0, scores={}),))
    assert f"leyes/ley.md, {heading}\n" in show_results(found)


def test_each_of_several_answers_stands_below_its_question_with_its_notices() -> None:
    asked = AskedQuestion(id="a", question="¿Qué\nplazo hay?")
    head = f"{'─' * 80}\nPregunta a: ¿Qué plazo hay?\n\n"
    assert show_one_of_several(asked, "Diez días.", ["Es de 2020."]) == f"{head}Aviso: Es de 2020.\n\nDiez días.\n"
    assert show_one_of_several(asked, "Diez días.", []) == f"{head}Diez días.\n"


@pytest.mark.parametrize(("answer", "told"), FAILURES)
def test_failures_for_people(answer: Answer, told: str) -> None:
    assert failure(answered(answer)) == told


def test_fields_for_programs() -> None:
    row = {
        **plan_fields("a-1", analyze("¿Qué dice la Ley 29733?")),
        **search_fields(FOUND),
        **answer_fields(answered(ANSWER)),
    }
    row = json.loads(json.dumps(row))
    assert {name: row[name] for name in ("id", "route", "reformulated", "identifiers", "years")} == {
        **{"id": "a-1", "route": "retrieve", "reformulated": False},
        **{"identifiers": ["ley:29733"], "years": []},
    }
    assert row["results"] == [
        {
            "rank": 1,
            "score": 0.815,
            "document": "ley.md",
            "path": "leyes/ley.md",
            "page": 7,
            "chunk_id": 1,
            "section": "Título II › Artículo 5",
            "text": CHUNK.text,
            "state": None,
            "project": "",
            "scores": {"semantic": 0.9, "lexical": 0.5},
        }
    ]
    assert {name: row["funnel"][name] for name in ("generated", "merged", "rejected", "returned")} == {
        **{"generated": {"semantic": 50, "lexical": 40, "metadata": 0}, "merged": 70},
        **{"rejected": {"off_topic": 60, "near_duplicate": 9}, "returned": 1},
    }
    assert row["timings_ms"] == {"search": 12.346}
    assert row["citations"][0]["quote"] == "quince (15) días hábiles."
    assert row["metrics"] == {"ttft_ms": 5.0, "total_ms": 9.5}
    assert "code" not in row


def test_a_citation_names_for_programs_the_result_that_holds_it() -> None:
    neighbour = replace(CHUNK, chunk_id=9, text="Se cuenta desde la notificación.")
    (one,) = ANSWER.evidence
    passage = replace(one, text=f"{CHUNK.text}\n{neighbour.text}", neighbours=(CHUNK, neighbour))
    quoted = replace(CITATION, chunk_id=9, quote=neighbour.text)
    answer = replace(ANSWER, citations=(quoted,), evidence=(passage,))
    (citation,) = answer_fields(answered(answer))["citations"]
    assert [citation] == answer.citation_fields
    assert citation["chunk_id"] == CHUNK.chunk_id
    (source,) = answered(answer).sources
    assert [(each.chunk_id, each.passage) for each in source.excerpts] == [(9, neighbour.text)]


def test_an_error_for_programs_has_its_code_and_what_its_sentence_names() -> None:
    failed = Answer(text="", error="Groq no respondió.", code="provider_connection", params={"label": "Groq"})
    row = json.loads(json.dumps(answer_fields(answered(failed))))
    assert {name: row[name] for name in ("error", "code", "params")} == {
        **{"error": "Groq no respondió.", "code": "provider_connection", "params": {"label": "Groq"}}
    }


# text, characters at most, what is shown
SHORTENED = [
    ("uno dos", 7, "uno dos"),
    ("uno  dos\ntres", 12, "uno dos tres"),
    ("uno dos tres", 11, "uno dos…"),
    ("uno dos tres", 8, "uno…"),  # the cut may fall right behind a word, and nobody knows that it was whole
    ("unodostres", 5, "unod…"),
]


@pytest.mark.parametrize(("text", "limit", "shown"), SHORTENED)
def test_what_is_too_long_ends_at_a_word(text: str, limit: int, shown: str) -> None:
    assert shorten(text, limit) == shown
    assert len(shown) <= limit
