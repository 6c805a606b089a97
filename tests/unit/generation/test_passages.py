"""A passage taken apart: sentences, items with their lead-in, headings and notes."""

from __future__ import annotations

import pytest

from rag_system.generation.passages import Kind, read_passage


def parts(text: str) -> list[tuple[str, str, str]]:
    """Kind, text and lead-in of each sentence."""
    return [(s.kind.value, s.text, s.lead.text if s.lead else "") for s in read_passage(text)]


def test_a_list_hangs_on_its_lead_in() -> None:
    assert parts("Hay dos casos. Son los siguientes:\na) Uno. Con detalle.\nb) Dos.\nFuera de ellos no procede.") == [
        ("prose", "Hay dos casos.", ""),
        ("prose", "Son los siguientes:", ""),
        ("item", "a) Uno.", "Son los siguientes:"),
        ("item", "Con detalle.", "Son los siguientes:"),
        ("item", "b) Dos.", "Son los siguientes:"),
        ("prose", "Fuera de ellos no procede.", ""),
    ]


def test_an_item_has_what_stands_below_it_before_the_next_number() -> None:
    first = "1. Fumar\n\nFumar en el taller.\nTampoco afuera."
    text = f"Se prohíbe:\n{first}\n2. Correr\n\nCorrer en la rampa.\nFuera de ello rige el reglamento."
    assert [(kind, text) for kind, text, lead in parts(text) if lead] == [
        ("item", "1. Fumar"),
        ("item", "Fumar en el taller."),
        ("item", "Tampoco afuera."),
        ("item", "2. Correr"),
        ("item", "Correr en la rampa."),
    ]
    assert read_passage(text)[2].paragraph == read_passage(text)[1].paragraph


@pytest.mark.parametrize(
    "text",
    [
        "Se prohíbe:\n1. Fumar.\n2. Correr.\nEl reglamento rige desde enero.",
        "Traiga:\n1. DNI\n2. Recibo\nSe atiende de nueve a doce.",
        "Se prohíbe:\n1. Fumar.\nArtículo 5.- Quejas\nSe anotan.\n2. Las del mes.",
    ],
)
def test_what_follows_a_list_is_no_item(text: str) -> None:
    assert [kind for kind, _, lead in parts(text) if lead][-1] == "item"
    assert [text for kind, text, _ in parts(text) if kind == "prose"][1:]


def test_a_list_without_bullets() -> None:
    assert [part[0] for part in parts("El porcentaje es:\nPesqueras 10%\nMineras 8%")] == ["prose", "item", "item"]


def test_headings_questions_and_notes() -> None:
    text = "CAPÍTULO II\nPlazos\n¿Cuándo vence?\nVence a los diez días.\n(*) Artículo modificado por la Ley 1."
    assert [(s.kind, s.text) for s in read_passage(text)] == [
        (Kind.HEADING, "CAPÍTULO II"),
        (Kind.HEADING, "Plazos"),
        (Kind.HEADING, "¿Cuándo vence?"),
        (Kind.PROSE, "Vence a los diez días."),
        (Kind.NOTE, "(*) Artículo modificado por la Ley 1."),
    ]
    heading = read_passage(text)[3].heading
    assert heading is not None
    assert heading.text == text[heading.start : heading.end] == "¿Cuándo vence?"


def test_the_last_line_is_no_heading() -> None:
    assert [part[0] for part in parts("El plazo vence el lunes")] == ["prose"]


def test_a_lead_in_knows_whether_its_list_follows() -> None:
    assert [s.leads for s in read_passage("Son estos:\na) Uno.")] == [True, False]
    assert [s.leads for s in read_passage("Son estos:")] == [False]


def test_rows_hang_on_the_first_row_of_their_table() -> None:
    assert parts("Costos\nServicio | Costo\nCopia | S/ 1\nPlano | S/ 9\nSe pagan en caja.") == [
        ("heading", "Costos", ""),
        ("item", "Servicio | Costo", ""),
        ("item", "Copia | S/ 1", "Servicio | Costo"),
        ("item", "Plano | S/ 9", "Servicio | Costo"),
        ("prose", "Se pagan en caja.", ""),
    ]


def test_lines_of_a_slide_are_items_under_the_first() -> None:
    slide = "Brigadas de emergencia\nEvacuación: chaleco verde\nPrimeros auxilios: chaleco blanco\nNotas: pasar lista."
    sentences = read_passage(slide)
    assert [sentence.kind for sentence in sentences] == [Kind.HEADING, Kind.ITEM, Kind.ITEM, Kind.PROSE]
    assert {sentence.heading.text for sentence in sentences[1:] if sentence.heading} == {"Brigadas de emergencia"}


@pytest.mark.parametrize(
    "text",
    [
        "Guía de recursos\nPlazos\nEl plazo es de quince días.",
        "Uno\n\nDos\n\nTres\n\nEl plazo vence.",
        "UNO\nDOS\nTRES\nYa.",
    ],
)
def test_titles_stay_titles(text: str) -> None:
    assert {sentence.kind for sentence in read_passage(text)[:-1]} == {Kind.HEADING}


def test_a_command_hangs_on_what_introduces_it() -> None:
    text = "Así se apaga.\nVea también reiniciar.\n# shutdown -h now\nEl equipo tarda:\n$ uptime\nEso es todo."
    assert parts(text) == [
        ("prose", "Así se apaga.", ""),
        ("prose", "Vea también reiniciar.", ""),
        ("item", "# shutdown -h now", "Vea también reiniciar."),
        ("prose", "El equipo tarda:", ""),
        ("item", "$ uptime", "El equipo tarda:"),
        ("prose", "Eso es todo.", ""),
    ]
    assert parts("Se apaga así.\n# poweroff\n2. Precio\nCuesta diez.")[2:] == [
        ("item", "2. Precio", ""),
        ("prose", "Cuesta diez.", ""),
    ]


def test_lines_right_below_the_heading_of_a_passage_are_its_items() -> None:
    slide = "Agua para tres días\nSe revisa cada mes\nNotas: mostrar el bolso."
    assert [each.kind for each in read_passage(slide, under="El bolso")] == [Kind.ITEM, Kind.ITEM, Kind.PROSE]
    assert read_passage(f"El bolso\n{slide}", under="El bolso")[0].kind is Kind.HEADING
    assert [each.kind for each in read_passage(slide)][:2] == [Kind.HEADING, Kind.HEADING]
