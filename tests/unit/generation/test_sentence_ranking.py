"""What the figures of a sentence say that the words it shares with the question do not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.generation.sentence_ranking import FIGURES, figures_of, sentence_rows, with_vectors
from tests.builders import chunk, evidence


def figures(question: str, text: str) -> dict[str, float]:
    """Of the last sentence that may be quoted."""
    table = figures_of(question, sentence_rows(question, evidence(chunk(text))))
    return dict(zip(FIGURES, table[-1].tolist(), strict=True))


@pytest.mark.parametrize(
    ("question", "sentence", "figure", "time"),
    [
        ("¿Cuántos días hay para apelar?", "El recurso se presenta dentro de los doce días hábiles.", 1, 1),
        ("¿Qué plazo hay para apelar?", "Contra la multa cabe recurso dentro de un mes.", 1, 1),
        ("¿Qué plazo hay para apelar?", "Basta un escrito firmado por una persona.", 0, 0),  # an article, no number
        ("¿Qué plazo hay para apelar?", "El recurso se rige por el artículo 218.", 0, 0),
        ("¿Qué plazo hay para apelar?", "Apelar cuesta 410 coronas.", 1, 0),
        ("¿Cuándo abren la feria?", "La feria se abre cada domingo.", 1, 1),
        ("¿Cuánto cuesta apelar?", "El recurso se presenta dentro de los doce días hábiles.", 1, 0),
        ("¿Quién resuelve el recurso?", "La sala resuelve en doce días.", 0, 0),
    ],
)
def test_a_number_and_a_time_where_they_are_asked_for(question: str, sentence: str, figure: int, time: int) -> None:
    found = figures(question, f"Del recurso.\n{sentence}")
    assert (found["figure"], found["time"]) == (figure, time)


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("¿Qué es foliar?", "c) Foliar: Numerar las hojas.", 1),
        ("que quiere decir foliar", "Foliar\nSe numeran las hojas.", 1),
        ("¿Qué se entiende por acto firme?", "Se entiende por acto firme el que ya no se impugna.", 1),
        ("¿Qué son los datos sensibles?", "- Datos sensibles. Los que tocan la intimidad.", 1),
        ("¿Qué son los datos sensibles según la ley?", "- Datos sensibles. Los que tocan la intimidad.", 1),
        ("De acuerdo con la guía, ¿qué es foliar?", "c) Foliar: Numerar las hojas.", 1),
        ("¿Qué es foliar en el archivo?", "c) Foliar: Numerar las hojas.", 1),
        ("que es la regla en que se basa el archivo", "- Regla. La que se sigue.", 0.228),
        ("¿Qué es la regla según la cual se folia?", "- Regla de foliar. La que se sigue.", 1),
        ("a que le llaman teletrabajo", "El teletrabajo es una modalidad de empleo.", 1),
        ("a que le llaman teletrabajo", "El teletrabajo parcial es una modalidad de empleo.", 0),
        ("¿Qué es IPERC?", "IPERC | Identificación de peligros", 1),
        ("¿Qué datos se consideran sensibles?", "- Datos sensibles. Los que tocan la intimidad.", 1),
        ("¿Qué se consideran datos sensibles?", "- Datos sensibles. Los que tocan la intimidad.", 1),
        ("¿Qué datos se consideran para la encuesta?", "- Encuesta. Preguntas a los vecinos.", 0),
        ("¿Quién paga el teletrabajo?", "El teletrabajo es una modalidad de empleo.", 0),
        ("¿Qué es el teletrabajo?", "El teletrabajo no es obligatorio.", 0),
        ("¿Qué es el teletrabajo?", "- Teletrabajo\n- Trabajo presencial", 0),
        ("un trabajador que es padre, ¿cuántos días tiene?", "Trabajador: quien presta servicios.", 0),
        ("¿Cuánto se paga por concepto de vacaciones?", "Vacaciones: treinta días.", 0),
        ("¿Cuándo es definitivo el cierre?", "Cierre: fin del ejercicio.", 0),
    ],
)
def test_what_a_thing_is_where_that_is_asked(question: str, text: str, share: int) -> None:
    assert round(figures(question, f"Del recurso.\n{text}")["defines"], 3) == share


OF_ACCIDENTS = "Accidente | Avisa\nMortal | La jefa\nNo mortal | El médico"


@pytest.mark.parametrize(
    ("question", "text", "contrary"),
    [
        (
            "¿Quién avisa de un accidente no mortal?",
            OF_ACCIDENTS,
            [1, 0],
        ),
        ("¿Quién avisa de un accidente mortal?", OF_ACCIDENTS, [0, 0]),
        (
            "si el accidente no fue mortal, ¿quién avisa?",
            OF_ACCIDENTS,
            [1, 0],
        ),
        (
            "¿Quién avisa de un accidente no mortal?",
            "Accidente | Avisa\nMortal | La jefa\nLeve | El médico",
            [0, 0],
        ),  # no other says it
        ("¿Dónde dejo un equipo sin garantía?", "Con garantía, en caja. Sin garantía, en taller.", [1, 0]),
        ("no tengo garantía, ¿lo reciben?", "Con garantía, en caja. Sin garantía, en taller.", [1, 0]),
        ("¿Quiénes tienen derecho al bono?", "Tiene derecho Ana. No tendrán derecho los demás.", [0, 0]),
        ("¿Quiénes no tienen derecho al bono?", "Tiene derecho Ana. No tendrán derecho los demás.", [0, 0]),
        ("¿Dónde no se puede fumar?", "Queda prohibido fumar en el muelle. En la capilla no se puede fumar.", [0, 0]),
        ("¿Qué pierde quien paga tarde?", "Quien paga tarde pierde el turno. Quien no paga pierde el puesto.", [0, 0]),
        ("¿Qué plazo tengo para apelar?", "Se apela en 15 días. Quien no apela paga menos.", [0, 0]),
        ("¿El curso incluye el seguro?", "El curso incluye el remo. El curso no incluye el seguro.", [0, 0]),
        ("¿no se puede cancelar un pedido?", "Se cancela por teléfono. No se cancela en feriados.", [0, 0]),
        ("no sé cuánto cuesta cancelar", "Cancelar cuesta 5 soles. No se puede cancelar en feriados.", [0, 0]),
        ("¿Cuántas cajas entran?", "Las cajas entran por atrás. Ninguna caja pesa más de 20 kg.", [0, 0]),
        ("si ni el jefe firma, ¿quién decide?", "El jefe firma. No decide el jefe sin informe.", [0, 0]),
        ("¿Qué socio activo paga?", "El socio activo paga. El socio no activo y el activo votan.", [0, 0]),
    ],
)
def test_what_is_said_the_other_way_where_another_says_it_as_asked(
    question: str, text: str, contrary: list[int]
) -> None:
    table = figures_of(question, sentence_rows(question, evidence(chunk(f"Del servicio.\n\n{text}"))))
    assert table[-2:, FIGURES.index("contrary")].tolist() == contrary


def test_a_sentence_is_of_the_kind_that_its_heading_names() -> None:
    asked, heads = "¿Qué cobra el personal no directivo?", ("Personal directivo", "Personal no directivo")
    found = [chunk("Cobra una dieta.", chunk_id=n, headings=(head,)) for n, head in enumerate(heads, 1)]
    table = figures_of(asked, sentence_rows(asked, evidence(*found)))
    assert table[:, FIGURES.index("contrary")].tolist() == [1, 0]


def test_the_sentence_that_comes_nearest_is_told_from_those_that_come_close() -> None:
    question, text = "¿Quién firma?", "El recurso lo firma la jefa. La nota la firma el director. Nadie más firma."
    table = figures_of(question, sentence_rows(question, evidence(chunk(text))))
    assert not table[:, FIGURES.index("closest")].any()
    told = dict(zip(FIGURES, with_vectors(table, [0.80, 0.84, 0.83]).T.tolist(), strict=True))
    assert told["closest"] == [0, 1, 0]
    assert told["nearest"] == pytest.approx([-0.04, 0, -0.01])


def test_a_note_whose_only_line_is_its_title_can_be_quoted() -> None:
    text = "La clave del wifi de la oficina es huerto2026"
    note = replace(chunk(text, chunk_id=1), title=text)
    assert [row.sentence.text for row in sentence_rows("¿Cuál es la clave del wifi?", evidence(note))] == [text]
