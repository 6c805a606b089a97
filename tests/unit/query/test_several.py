"""A message that asks more than one thing, taken apart."""

from __future__ import annotations

import pytest

from rag_system.query.several import Comparison, comparison, several_questions


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("¿Quién responde los reclamos y en cuántos días?", ["Quién responde los reclamos", "en cuántos días"]),
        (
            "¿Cuántos miembros tiene el comité? ¿Quién lo preside?",
            ["Cuántos miembros tiene el comité", "Quién lo preside"],
        ),
        ("cuanto vale el carné y donde lo saco", ["cuanto vale el carné", "donde lo saco"]),
        ("¿Qué plazo hay para apelar?", []),
        ("¿Qué derechos y deberes tiene el socio?", []),
        ("Necesito la constancia y la copia, ¿cuánto cuestan?", []),
        ("¿Es verdad que el plazo vence hoy y que no se amplía?", []),
    ],
)
def test_the_questions_of_a_message(message: str, asked: list[str]) -> None:
    assert [each for each, _ in several_questions(message)] == asked


def test_a_long_list_is_read_at_once() -> None:
    """Each article in it used to double the time."""
    asked = ", ".join(f"la constancia {number}" for number in range(45))
    assert comparison(f"Necesito {asked} y no sé cuánto cuestan") is None


def test_what_a_question_leaves_out_is_taken_from_the_others() -> None:
    (_, first), (_, second) = several_questions("¿Quién responde los reclamos y en cuántos días?")
    assert first == "Quién responde los reclamos"
    assert second == "en cuántos días responde los reclamos"


@pytest.mark.parametrize(
    ("message", "things"),
    [
        ("diferencia entre reconsideracion y apelacion", ("reconsideracion", "apelacion")),
        ("¿Cuál es la diferencia entre el aval y la garantía?", ("aval", "garantia")),
        ("¿En qué se diferencian un perito y un testigo?", ("perito", "testigo")),
        ("¿en qué se diferencia la queja del reclamo?", ("queja", "reclamo")),
        ("es lo mismo anular que borrar una factura?", ("anular", "borrar una factura")),
        ("renta fija vs. renta variable", ("renta fija", "renta variable")),
        ("Compárame el bono con el aguinaldo", ("bono", "aguinaldo")),
        (
            "la sanción de una falta leve y la de una grave, ¿en qué se diferencian?",
            ("sancion de una falta leve", "sancion de una grave"),
        ),
        ("apelar o reconsiderar, en que se diferencian", ("apelar", "reconsiderar")),
        ("aval y garantía: ¿cuál es la diferencia?", ("aval", "garantia")),
        (
            "compara la sanción de una falta leve con la de una grave",
            ("sancion de una falta leve", "sancion de una grave"),
        ),
        ("no sé si pagar ya, ¿cuál es la diferencia entre abono y cuota?", ("abono", "cuota")),
        ("¿Es lo mismo el reclamo que la queja? ¿En qué plazo responden el reclamo?", ()),
        ("ISO 9001 vs. ISO 27001: ¿cuál pide auditorías internas?", ()),
        ("¿Se puede compartir el arnés y la línea de vida?", ()),
        ("¿En qué plazo se devuelve la diferencia entre lo pagado y lo que correspondía?", ()),
        ("¿Qué diferencia hay entre falta leve, grave y muy grave?", ("falta leve", "grave", "muy grave")),
        ("¿En qué se diferencian el perito, el testigo y el jurado?", ("perito", "testigo", "jurado")),
        ("No sé si pedir un perito o un testigo para mañana, ¿en qué se diferencian?", ()),
        ("¿Es lo mismo presentar la queja por teléfono y por escrito?", ()),
        ("¿Qué premio distingue al personal de atención y del archivo?", ()),
        ("¿Cuánto fue la diferencia entre los dos grupos y el control?", ()),
        ("¿Qué pasa si hay diferencias entre lo pedido y lo entregado?", ()),
        ("¿Quién decide entre dos ofertas iguales?", ()),
        (
            "Falta leve, falta grave y falta muy grave, ¿en qué se diferencian?",
            ("falta leve", "falta grave", "falta muy grave"),
        ),
        ("¿Qué diferencia hay entre el perito y el testigo, y quién paga al testigo?", ()),
        ("¿Qué diferencia hay entre el perito y el testigo, ¿cuál conviene?", ()),
        ("¿Qué diferencia hay entre el perito, que jura, y el testigo?", ()),
        ("La diferencia entre el perito y el testigo, ¿importa?", ()),
        ("¿Quién elige al perito y al testigo, y en qué se diferencian?", ()),
        ("¿Qué plazo hay para apelar o reconsiderar, y en qué se diferencian?", ()),
        ("¿Hubo diferencia de agrado entre los socios y los vecinos?", ()),
    ],
)
def test_the_things_that_a_question_compares(message: str, things: tuple[str, ...]) -> None:
    compared = comparison(message)
    assert (compared.things if compared else ()) == things
    if things:
        assert tuple(asked.removeprefix("qué es ") for asked, _ in several_questions(message)) == things


@pytest.mark.parametrize(
    "message",
    [
        "¿Qué diferencia de plazo hay entre la queja y el reclamo?",
        "¿En qué se diferencian la queja y el reclamo en cuanto al plazo?",
    ],
)
def test_things_are_asked_for_in_the_matter_in_which_they_are_compared(message: str) -> None:
    assert comparison(message) == Comparison(things=("queja", "reclamo"), matter="plazo")
    assert [asked for asked, _ in several_questions(message)] == ["qué plazo tiene queja", "qué plazo tiene reclamo"]
