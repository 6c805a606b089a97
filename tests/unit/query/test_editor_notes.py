"""What editors write between the lines of a norm, in the manners of several countries."""

from __future__ import annotations

import pytest

from rag_system.query.editor_notes import Note, is_note, item_mark, read_label, read_note, split_notes

# the note, what was done, to which part, its number, what follows, by what, in which year
NOTES = [
    # Peru
    ("(*) Artículo modificado por el Artículo Único de la Ley N° 40871, publicada el 05 julio 2018, cuyo texto es el "
     "siguiente:",
     ("replaced", "articulo", "", "new", "Ley N° 40871", 2018)),
    ("() () Numeral modificado por la Ley N° 40871, publicada el 14-01-2003, cuyo tenor es el siguiente:",
     ("replaced", "numeral", "", "new", "Ley N° 40871", 2003)),
    ("(\\) Párrafo sustituido por el Decreto de Urgencia Nº 061-2001, publicado 09-06-01, cuyo texto es el siguiente:",
     ("replaced", "parrafo", "", "new", "Decreto de Urgencia Nº 061-2001", 2001)),
    ("(Inciso b) del artículo 29° modificado por el artículo 4° de la Ley N° 40524, publicada el 13.12.2016).",
     ("replaced", "inciso", "b", "", "Ley N° 40524", 2016)),
    ("(52) Artículo sustituido por el Artículo 18º del Decreto Legislativo N° 953, publicado el 5 de febrero de 2004.",
     ("replaced", "articulo", "", "", "Decreto Legislativo N° 953", 2004)),
    ("Artículo 12 modificado por el artículo 3 del Decreto Supremo 021-2019-JUS.",
     ("replaced", "articulo", "12", "", "Decreto Supremo 021-2019-JUS", 2019)),
    ("(El segundo párrafo fue derogado por el Decreto Legislativo N° 953, publicado el 5 de febrero de 2004.)",
     ("repealed", "parrafo", "", "", "Decreto Legislativo N° 953", 2004)),
    ("(*) Numeral 25.2 derogado por la Única Disposición Derogatoria de la Ley Nº 41522, publicada el 23 julio 2022.",
     ("repealed", "numeral", "25.2", "", "Ley Nº 41522", 2022)),
    ("(*) Artículo dejado sin efecto por la Primera Disposición de la Ley Nº 41495, publicada el 16 junio 2022.",
     ("repealed", "articulo", "", "", "Ley Nº 41495", 2022)),
    ("(*) DEROGADO por el Artículo 4 de la Ley Nº 42114, publicada el 03 setiembre 2024.",
     ("repealed", "", "", "", "Ley Nº 42114", 2024)),
    ("Artículo modificado por la Ley 27180, publicada el 5 de octubre de 1999. Posteriormente, fue derogado por la Ley "
     "28976, publicada el 5 de febrero de 2007.", ("repealed", "articulo", "", "", "Ley 28976", 2007)),
    ("Artículo modificado por la Ley 42187, publicada el 11 de diciembre de 2024, que, antes del cambio, estaba "
     "redactado así:",
     ("replaced", "articulo", "", "old", "Ley 42187", 2024)),
    # Argentina
    ("(Artículo derogado por art. 3° del Decreto N° 868/99 B.O. 17/08/1999)",
     ("repealed", "articulo", "", "", "Decreto N° 868/99", 1999)),
    ("(Artículo sustituido por art. 4° delDecreto N° 724/2006B.O. 13/6/2006)",
     ("replaced", "articulo", "", "", "Decreto N° 724/2006", 2006)),
    ("(Nota Infoleg: Norma abrogada por art. 7° del Decreto N° 1311/2001 B.O. 26/10/2001).",
     ("repealed", "norma", "", "", "Decreto N° 1311/2001", 2001)),
    # Spain
    ("Se deroga por la disposición derogatoria única de la Ley 3/2012, de 6 de julio.",
     ("repealed", "", "", "", "Ley 3/2012", 2012)),
    ("Se declara la inconstitucionalidad y nulidad del apartado 2 por Sentencia del TC 54/2018, de 24 de mayo.",
     ("unconstitutional", "apartado", "2", "", "", 2018)),
    ("Se añade por el art. 2 de la Ley 11/2020, de 30 de diciembre.", ("other", "", "", "", "Ley 11/2020", 2020)),
    # Colombia
    ("<Artículo modificado por el artículo 2 de la Ley 797 de 2003. El nuevo texto es el siguiente:>",
     ("replaced", "articulo", "", "new", "Ley 797 de 2003", 2003)),
    ("<Artículo INEXEQUIBLE>", ("unconstitutional", "articulo", "", "", "", None)),
    ("<Artículo derogado por el artículo 118 de la Ley 1563 de 2012>",
     ("repealed", "articulo", "", "", "Ley 1563 de 2012", 2012)),
    # Mexico
    ("(Se deroga). Artículo derogado DOF 12-11-2012", ("repealed", "", "", "", "", 2012)),
    ("IV. (Se deroga).", ("repealed", "", "", "", "", None)),
    ("Fracción reformada DOF 12-06-2015", ("replaced", "fraccion", "", "", "", 2015)),
    # anywhere
    ("[Derogado]", ("repealed", "", "", "", "", None)),
    ("Artículo 120.- Derogado", ("repealed", "", "", "", "", None)),
    ("(*) Párrafo incorporado por el Artículo 4 del Decreto Legislativo Nº 1113.",
     ("other", "parrafo", "", "", "Decreto Legislativo Nº 1113", None)),
    # of a part of its words only
    ("(*) DEROGADO por la Ley N° 40512, publicada el 02 noviembre 2016, en lo que respecta a los institutos.",
     ("other", "", "", "", "Ley N° 40512", 2016)),
    ("La presente disposición estaría derogada tácitamente por la Ley 40220.", None),
]  # fmt: skip

NO_NOTES = [
    "El artículo 5 fue modificado por la Ley 30807.",
    "El texto original del contrato se guarda en el archivo.",
    "Quedan derogadas las normas que se opongan a la presente ley.",
    "Se derogan los usos y costumbres del mercado.",
    "Anulado el pedido, se devuelve el dinero.",
    "c) Anulado",
    "Artículo sustituido por otro de igual valor.",
    "El capítulo tercero describe el método modificado por los autores.",
    "El inciso que se elimina por error se vuelve a escribir.",
]


@pytest.mark.parametrize(("text", "told"), NOTES)
def test_what_a_note_says(text: str, told: tuple[object, ...] | None) -> None:
    note = read_note(text)
    assert (note and _told(note)) == told


def _told(note: Note) -> tuple[object, ...]:
    return note.change.value, note.part, note.number, note.follows.value, note.by, note.year


@pytest.mark.parametrize("text", NO_NOTES)
def test_what_a_text_says_itself_is_no_note(text: str) -> None:
    assert read_note(text) is None
    assert not is_note(text)


APPARATUS = [
    "(*) De conformidad con el Artículo 2 de la Resolución N° 15, se precisa el plazo.",
    "CONCORDANCIAS: D.S. N° 090-2013-EF",
    "Ver la Primera Disposición Complementaria del Decreto Legislativo N° 1311.",
    "TEXTO ANTERIOR",
]


@pytest.mark.parametrize("text", APPARATUS)
def test_what_else_an_editor_adds_is_a_note_too(text: str) -> None:
    assert is_note(text)


LABELS = [
    ("TEXTO ANTERIOR", ("TEXTO ANTERIOR", "old", None)),
    ("(TEXTO ANTERIOR A LA MODIFICACIÓN)", ("(TEXTO ANTERIOR A LA MODIFICACIÓN)", "old", None)),
    ("Texto anterior: El plazo era de 8 días.", ("Texto anterior:", "old", None)),
    ("TEXTO VIGENTE HASTA EL 30.6.2023", ("TEXTO VIGENTE HASTA EL 30.6.2023", "old", 2023)),
    ("Redacción anterior:", ("Redacción anterior:", "old", None)),
    ("<Legislación Anterior>", ("<Legislación Anterior>", "old", None)),
    ("Texto original de la Ley 789 de 2002:", ("Texto original de la Ley 789 de 2002:", "old", None)),
    ("Antes decía: El plazo es de 8 días.", ("Antes decía:", "old", None)),
    ("TEXTO VIGENTE", ("TEXTO VIGENTE", "new", None)),
    ("El texto anterior a la reforma decía otra cosa.", None),
    ("Texto original del contrato", None),
    ("El texto vigente del reglamento está en la web.", None),
]


@pytest.mark.parametrize(("text", "told"), LABELS)
def test_labels_above_a_text(text: str, told: tuple[object, ...] | None) -> None:
    label = read_label(text)
    assert (label and (label.text, label.follows.value, label.year)) == told


SPLIT = [
    ("b) Pagar la mora. (*) Inciso derogado por la Ley N° 29338.",
     ["b) Pagar la mora.", "(*) Inciso derogado por la Ley N° 29338."]),
    ("l) Poner multas; () () Inciso modificado por la Ley N° 27920, cuyo texto es el siguiente:",
     ["l) Poner multas; ()", "() Inciso modificado por la Ley N° 27920, cuyo texto es el siguiente:"]),
    ("Es gratuito (Artículo sustituido por art. 2° de la Ley N° 25.326 B.O. 2/11/2000). Otra cosa.",
     ["Es gratuito", "(Artículo sustituido por art. 2° de la Ley N° 25.326 B.O. 2/11/2000).", "Otra cosa."]),
    ("<Inciso INEXEQUIBLE> El plazo es de cinco días.", ["<Inciso INEXEQUIBLE>", "El plazo es de cinco días."]),
    ("Los requisitos (artículo 5) se han modificado por la Ley 5.",
     ["Los requisitos (artículo 5) se han modificado por la Ley 5."]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), SPLIT)
def test_notes_inside_a_text_stand_apart(text: str, parts: list[str]) -> None:
    assert list(split_notes(text)) == parts


MARKS = [
    ("b) Pagar", "b"), ("25.2 El plazo", "25.2"), ("“3.1 Una feria", "3.1"), ("IV. Colgar", "iv"), ("(56) c) Por", "c"),
    ("4)", "4"), ("- En las quejas", "-"), ("El plazo", ""), ("45 días", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "mark"), MARKS)
def test_marks_of_items(text: str, mark: str) -> None:
    assert item_mark(text) == mark
