"""Markers tied to literal quotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.generation.abstention import ABSTENTION, is_abstention
from rag_system.generation.citation_repair import repair_notices
from rag_system.generation.doubts import Doubt
from rag_system.generation.grounding import ground
from rag_system.generation.markers import marker_numbers
from tests.builders import chunk, evidence

LAW = chunk(
    "La inscripción es gratuita. El plazo para apelar es de quince (15) días hábiles. "
    "La autoridad resuelve en treinta (30) días. No procede recurso alguno.",
    chunk_id=11,
    page=4,
)
OTHER = chunk("El silencio es positivo en los demás casos.", chunk_id=22, document="otra", page=None)

ANSWERS = [
    ("Puede apelar dentro de 15 días hábiles [1].", [(1, "El plazo para apelar es de quince (15) días hábiles.")]),
    ("La autoridad tiene 30 días para resolver. [1]", [(1, "La autoridad resuelve en treinta (30) días.")]),
    ("La inscripción no cuesta: es gratuita [1][2].", [(1, "La inscripción es gratuita.")]),
    ("Sí [2].", [(2, OTHER.text)]),  # nothing of its own to compare
    ("Según la Ley: «No procede recurso alguno.» [1]", [(1, "No procede recurso alguno.")]),
    (
        "Hay silencio positivo [2]. La inscripción es gratuita [1].",
        [(2, OTHER.text), (1, "La inscripción es gratuita.")],
    ),
    ("Sin marcadores no hay citas.", []),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_quotes(answer: str, expected: list[tuple[int, str]]) -> None:
    assert [(citation.n, citation.quote) for citation in ground(answer, evidence(LAW, OTHER)).citations] == expected


def test_where_it_stands() -> None:
    (citation,) = ground("Es gratuita [1].", evidence(LAW)).citations
    assert (citation.chunk_id, citation.document, citation.path, citation.page) == (11, "ley.md", "leyes/ley.md", 4)


def test_a_number_cited_twice_gives_its_best_quote() -> None:
    answer = "Hay reglas [1]. El plazo para apelar es de 15 días hábiles [1]."
    assert [citation.quote for citation in ground(answer, evidence(LAW)).citations] == [
        "El plazo para apelar es de quince (15) días hábiles."
    ]


def test_a_long_quote_is_cut_and_still_literal() -> None:
    long = chunk("El plazo " + "muy largo " * 60 + "vence.")
    (citation,) = ground("El plazo vence [1].", evidence(long)).citations
    assert len(citation.quote) <= 300
    assert citation.quote in long.text


def test_what_the_answer_quotes_is_marked_whole() -> None:
    quoted = "Los recursos se interponen " + "ante la misma autoridad que dictó el acto, " * 8 + "en quince (15) días."
    (citation,) = ground(f"Según la Ley, artículo 218: «{quoted}» [1]", evidence(chunk(quoted))).citations
    assert len(quoted) > 300
    assert citation.quote == quoted


QUOTATIONS = [
    ("Según el mismo documento: «a)» [1]", "Son: a) uno; b) dos.", "a)"),
    ("Según Manual, «4. Contraseñas» (p. 12): «El resto.» [1]", "La clave. El resto.", "El resto."),
    ("Según Manual, «Anexo [3]»: «la nota “uno” (2)» [1]", "Vea la nota «uno» [2].", "la nota «uno» [2]"),
    ("También: «Son requisitos:\n(…)\nc) El recibo.» [1]", "Son requisitos:\na) A.\nc) El recibo.", "c) El recibo."),
]


@pytest.mark.parametrize(("answer", "source", "quote"), QUOTATIONS)
def test_a_quotation_claims_what_it_quotes(answer: str, source: str, quote: str) -> None:
    grounding = ground(answer, evidence(chunk(source)))
    assert ([c.quote for c in grounding.citations], grounding.unsupported) == ([quote], ())


def test_words_that_are_not_in_the_source_are_no_quotation_of_it() -> None:
    answer = "Según Manual, «Plazos»: «Son requisitos:\n(…)\nel elefante azul come peras.» [1]"
    assert ground(answer, evidence(chunk("El plazo vence en marzo."))).unsupported == (answer,)


UNSUPPORTED = [
    ("El cielo es verde y hay elefantes [1].", ("El cielo es verde y hay elefantes [1].",)),
    ("Según la Ley 29733, el cielo es verde [1].", ("Según la Ley 29733, el cielo es verde [1].",)),
    ("Hay elefantes azules. [1] El plazo para apelar es de 15 días [1].", ("Hay elefantes azules. [1]",)),
    ("- Hay elefantes azules [1][2]\n- Hay silencio positivo [1][2]", ("- Hay elefantes azules [1][2]",)),
    ("Puede apelar en 15 días [1]. La inscripción no cuesta: es gratuita [1][2].", ()),
    ("Sí [1]. La Ley 29733 [1].", ()),
    ("Los elefantes viajan en globo.", ("Los elefantes viajan en globo.",)),  # cites nothing, and nothing says so
    ("Sí, con condiciones.", ()),  # too short to tell
    ("Con gusto le explico. El plazo para apelar es de 15 días.", ()),
]


@pytest.mark.parametrize(("answer", "expected"), UNSUPPORTED)
def test_sentences_that_share_nothing_with_their_sources(answer: str, expected: tuple[str, ...]) -> None:
    assert ground(answer, evidence(LAW, OTHER)).unsupported == expected
    assert all(sentence in answer for sentence in expected)


def test_what_supports_nothing_is_no_citation() -> None:
    assert (
        ground("El cielo es verde y hay elefantes [1]. Hay silencio positivo [2].", evidence(LAW, OTHER)).citations[0].n
        == 2
    )


def test_a_heading_supports_too() -> None:
    article = chunk("Quince días hábiles.", headings=("Plazo para impugnar una multa",))
    assert ground("La multa se impugna dentro de plazo [1].", evidence(article)).unsupported == ()


ABSTENTIONS = [
    (ABSTENTION, True),
    ("no encontre informacion sobre eso en sus documentos", True),
    (f"«{ABSTENTION}»", True),
    (f"{ABSTENTION} [1]", True),
    (f"Lo siento. {ABSTENTION}", True),
    (f"{ABSTENTION} Sin embargo, la Ley 29733 señala que el plazo para apelar es de quince días hábiles [1].", False),
    ("El plazo es de 15 días [1].", False),
    ("", False),
]


@pytest.mark.parametrize(("text", "expected"), ABSTENTIONS)
def test_abstention(text: str, expected: bool) -> None:
    assert is_abstention(text) is expected


def test_a_source_may_be_quoted_twice() -> None:
    source = evidence(chunk("El plazo para apelar es de quince días. La reconsideración exige nueva prueba."))
    text = "El plazo para apelar es de quince días [1]. La reconsideración exige nueva prueba [1]."
    assert [(c.n, c.quote) for c in ground(text, source).citations] == [
        (1, "El plazo para apelar es de quince días."),
        (1, "La reconsideración exige nueva prueba."),
    ]


@pytest.mark.parametrize(
    ("said", "page"),
    [
        ("La multa es de 5 UIT [1].", 4),
        ("Son diez días [1].", 3),
        ("Según Ley 29733 (p. 4): «La multa es de cinco UIT.» [1]", 4),
        ("Según Ley 29733 (p. 3): «El plazo es de diez días.» [1]", 3),
        ("El pago se hace en caja [1].", 6),
    ],
)
def test_a_quote_stands_on_its_page_in_a_passage_over_several(said: str, page: int) -> None:
    first, second = "El plazo es de diez días.", "La multa es de cinco UIT."
    over_two = replace(chunk(f"{first}\n{second}", page=3), page_last=4, page_starts=(len(first) + 1,))
    # nothing stands on page 5
    after = replace(
        chunk(f"{second}\nEl pago se hace en caja.", chunk_id=2, page=4),
        page_last=6,
        page_starts=(len(second) + 1,) * 2,
    )
    both = replace(evidence(over_two)[0], neighbours=(over_two, after))
    assert [citation.page for citation in ground(said, [both]).citations] == [page]


def test_a_quote_that_runs_into_the_next_chunk_is_literal_and_begins_where_it_begins() -> None:
    first, second = (
        chunk("El plazo es de diez días.\nSe cuenta en hábiles.", page=3),
        chunk("No hay prórroga.", chunk_id=2),
    )
    both = replace(evidence(first)[0], text=f"{first.text}\n{second.text}", neighbours=(first, second))
    told = ground("Según Ley 29733: «Se cuenta en hábiles.\nNo hay prórroga.» [1]", [both], adds_markers=False)
    assert told.unsupported == ()
    assert [(each.chunk_id, each.quote) for each in told.citations] == [(first.chunk_id, "Se cuenta en hábiles.")]


DOUBTS = [
    ("Puede apelar dentro de 20 días hábiles [1].", Doubt.FIGURE),
    ("La autoridad resuelve en 15 días [1].", Doubt.ANOTHER_FIGURE),
    ("El plazo para apelar es de al menos quince días hábiles [1].", Doubt.NONE),
    ("Procede recurso alguno [1].", Doubt.SENSE),
    ("Según la Ley 30364, la inscripción es gratuita [1].", Doubt.IDENTIFIER),
    ("El ministro viaja en avión privado a Europa [1].", Doubt.WORDS),
]


@pytest.mark.parametrize(("answer", "doubt"), DOUBTS)
def test_a_doubt_says_why(answer: str, doubt: Doubt) -> None:
    assert [each for _, each in ground(answer, evidence(LAW, OTHER)).doubts] == ([doubt] if doubt else [])


# ---------------------------------------------------------------- markers that the model forgot

UNCITED = [
    # (answer, as it is shown, the numbers that were added)
    ("Puede apelar en el plazo de 15 días hábiles.", "Puede apelar en el plazo de 15 días hábiles [1].", [1]),
    ("El silencio es positivo en los demás casos.", "El silencio es positivo en los demás casos [2].", [2]),
    (
        "La inscripción es gratuita [1]. La autoridad resuelve en 30 días.",
        "La inscripción es gratuita [1]. La autoridad resuelve en 30 días [1].",
        [1],
    ),
    (
        "**El plazo para apelar es de 15 días hábiles.**\n\nConsulte otra cosa si desea.",
        "**El plazo para apelar es de 15 días hábiles [1].**\n\nConsulte otra cosa si desea.",
        [1],
    ),
    (
        "| Trámite | Plazo |\n|---|---|\n| Plazo para apelar | 15 días hábiles |",
        "| Trámite | Plazo |\n|---|---|\n| Plazo para apelar | 15 días hábiles [1] |",
        [1],
    ),
    (
        "Los plazos son:\n- Plazo para apelar: 15 días hábiles\n- La autoridad resuelve en 30 días",
        "Los plazos son:\n- Plazo para apelar: 15 días hábiles [1]\n- La autoridad resuelve en 30 días [1]",
        [1, 1],
    ),
    ("El plazo para apelar es de 20 días hábiles.", "El plazo para apelar es de 20 días hábiles.", []),  # marked
    ("Hay silencio.", "Hay silencio.", []),  # too short to tell
    ("¿Desea saber el plazo para apelar?", "¿Desea saber el plazo para apelar?", []),
    (
        "La autoridad resuelve en 30 días, según el D.Leg.\n728.",
        "La autoridad resuelve en 30 días, según el D.Leg.\n728.",
        [],
    ),
    (
        "La autoridad resuelve en 30 días, D.Leg. N.° 728.",
        "La autoridad resuelve en 30 días, D.Leg. N.° 728.",
        [],
    ),  # inside the abbreviation never; and nothing where another norm is named
    ("```\nLa autoridad resuelve en 30 días.\n```", "```\nLa autoridad resuelve en 30 días.\n```", []),
    ("Con gusto le explico el plazo para apelar.", "Con gusto le explico el plazo para apelar.", []),
]


@pytest.mark.parametrize(("answer", "shown", "added"), UNCITED)
def test_a_sentence_that_a_source_surely_says_is_cited_with_it(answer: str, shown: str, added: list[int]) -> None:
    grounding = ground(answer, evidence(LAW, OTHER))
    assert (grounding.text, [n for _, n in grounding.added]) == (shown, added)
    assert ground(grounding.text, evidence(LAW, OTHER)).added == ()
    assert {citation.n for citation in grounding.citations} == set(marker_numbers(grounding.text, (1, 2)))


@pytest.mark.parametrize("answer", [answer for answer, _, _ in UNCITED])
def test_what_no_model_wrote_gets_no_marker(answer: str) -> None:
    grounding = ground(answer, evidence(LAW, OTHER), adds_markers=False)
    assert (grounding.text, grounding.added) == (answer, ())


def test_an_added_citation_is_stored_as_such() -> None:
    answer = "La inscripción es gratuita [1]. La autoridad resuelve en 30 días. La inscripción es gratuita."
    citations = ground(answer, evidence(LAW)).citations
    assert [(citation.quote, citation.added) for citation in citations] == [
        ("La inscripción es gratuita.", False),
        ("La autoridad resuelve en treinta (30) días.", True),
    ]


@pytest.mark.parametrize(
    ("numbers", "which"), [([1], "[1]"), ([2, 1], "[1] y [2]"), ([1, 1], "[1]"), ([3, 1, 2], "[1], [2] y [3]")]
)
def test_a_person_is_told_of_added_citations(numbers: list[int], which: str) -> None:
    (notice,) = repair_notices([("Una oración.", n) for n in numbers])
    assert notice.endswith(f"agregó {which}.")
    assert repair_notices([]) == ()
