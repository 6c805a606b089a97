"""The explanation of an answer, as a person reads it in a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.explaining import explain
from assistant.wording import identifier_name, reason_name, strategy_counts
from rag_system.query.plan import analyze
from rag_system.types import Funnel, NearWord, Reading, Rejection, Survivor

QUESTION = "¿Qué plazo da la Ley 29733 para responder?"
PLAN = analyze(QUESTION)
FIRST = Survivor(
    chunk_id=4,
    path="leyes/ley.md",
    page=7,
    section="Título II › Artículo 5.- Plazos",
    score=0.9,
    level=1.0,
    scores={"semantic": 0.87, "lexical": 0.3, "metadata": 1.0, "article": 0.0},
    levels={"semantic": 0.8, "lexical": 0.5, "metadata": 1.0, "article": 0.0},
    proposed_by=("semantic", "metadata"),
    words=("plazo", "responderá"),
    heading_words=("Ley",),
)
LAST = replace(FIRST, chunk_id=5, level=0.07, proposed_by=("novel_way",), words=(), heading_words=(), guaranteed=True)
OTHER = Rejection(
    reason="off_topic", chunk_id=6, path="leyes/otra.md", page=None, section="", level=0.6, identifiers=("ley:27444",)
)
COPY = replace(OTHER, reason="near_duplicate", level=0.5, repeats="leyes/ley.md")
FUNNEL = Funnel(
    generated={"semantic": 50, "lexical": 40, "metadata": 0},
    merged=70,
    rejected={"off_topic": 60, "near_duplicate": 8, "beyond_top_k": 0},
    returned=2,
    reading=Reading(
        standalone_question=QUESTION,
        dense_query="¿Qué plazo da para responder?",
        words=("plazo", "Ley", "responder"),
        angles=("término para contestar", "días hábiles"),
        notices=("Busqué «plazo» en lugar de «plaso».",),
    ),
    survivors=(FIRST, LAST),
    examples=(OTHER, COPY),
    near_words=(NearWord(word="plazos", similarity=0.324), NearWord(word="respuesta", similarity=0.2)),
)

EXPLANATION = """\
CÓMO SE LEYÓ LA PREGUNTA
Pregunta:        ¿Qué plazo da la Ley 29733 para responder?
Ruta:            búsqueda
Parece:          una pregunta a los documentos, casi con certeza
Identificadores: Ley 29733
Por significado: «¿Qué plazo da para responder?»
Por palabras:    plazo, Ley, responder
También:         «término para contestar», «días hábiles»
Aviso:           Busqué «plazo» en lugar de «plaso».
Más cercanas:    plazos 0,32 · respuesta 0,20
                 (las palabras de los pasajes que más se acercan al sentido que se buscó)

DE LOS CANDIDATOS A LOS RESULTADOS
Propuestos:      50 significado · 40 palabras
Distintos:       70
Descartados:     60 tratan de otra norma · 8 repiten otro pasaje
Quedan:          2

POR QUÉ QUEDARON ESTOS
  Los puntos van de 0 a 100 y solo sirven para ordenar: 100 en el total, el significado y las
  palabras es el mejor candidato de esta pregunta. No son la probabilidad de que la respuesta sea
  correcta.
   1. 100  leyes/ley.md, p. 7, Artículo 5.- Plazos
           significado 80 · palabras 50 · título o nombre 100
           contiene «plazo», «responderá»; en sus títulos, «Ley»
           propuesto por: significado, título o nombre
   2.   7  leyes/ley.md, p. 7, Artículo 5.- Plazos
           significado 80 · palabras 50 · título o nombre 100
           no contiene ninguna palabra de la pregunta
           propuesto por: novel way
           tiene un lugar asegurado: la pregunta lo nombra

DESCARTADOS, CON EJEMPLOS
  Tratan de otra norma (60):
       60  leyes/otra.md
           es Ley 27444
  Repiten otro pasaje (8):
       50  leyes/otra.md
           repite leyes/ley.md"""


def test_the_whole_way_of_a_question() -> None:
    assert explain(PLAN, FUNNEL).replace("\N{NO-BREAK SPACE}", " ") == EXPLANATION


def test_where_everything_was_rejected_it_says_what_and_why() -> None:
    text = explain(PLAN, replace(FUNNEL, survivors=(), returned=0, near_words=()))
    assert "Quedan:          0" in text
    assert "POR QUÉ QUEDARON" not in text
    assert "leyes/otra.md\n           es Ley 27444" in text


def test_a_norm_that_no_document_is_is_said() -> None:
    reading = Reading(standalone_question="", identifiers=("ley:29733", "ley:99999"), absent=("ley:99999",))
    assert "\nSin documento:   Ley 99999\n" in explain(PLAN, replace(FUNNEL, reading=reading))


def test_a_funnel_that_was_stored_reads_in_the_same_order() -> None:
    forgotten = replace(FIRST, levels=dict(reversed(FIRST.levels.items())))
    stored = replace(FUNNEL, generated=dict(reversed(FUNNEL.generated.items())), survivors=(forgotten, LAST))
    assert explain(PLAN, stored) == explain(PLAN, FUNNEL)


def test_where_nothing_was_searched_only_the_reading_is_told() -> None:
    assert explain(analyze("hola"), Funnel()).splitlines() == [
        "CÓMO SE LEYÓ LA PREGUNTA",
        "Pregunta:        hola",
        "Ruta:            cortesía",
        "Parece:          un saludo, casi con certeza",
        "No se buscó en los documentos.",
    ]


def test_of_a_task_it_is_told_that_it_reads_and_does_not_search() -> None:
    told = explain(analyze("Resume la ley 31000"), Funnel()).splitlines()
    assert told[-1] == "No se buscaron pasajes: una tarea lee los documentos mismos, de principio a fin."


def test_a_passage_below_one_that_scored_less_says_why() -> None:
    text = explain(PLAN, replace(FUNNEL, survivors=(FIRST, replace(LAST, ceded=True))))
    assert "cedió el paso a otro documento" in text


IDENTIFIERS = [
    ("ley:29733", "Ley 29733"),
    ("ds:003-2013-jus", "D.S. 003-2013-JUS"),
    ("iso:27001@2022", "ISO 27001:2022"),
    ("cobit@2019", "COBIT 2019"),
    ("gdpr", "GDPR"),
    ("pci-dss@4", "PCI-DSS 4"),
]


@pytest.mark.parametrize(("canonical", "name"), IDENTIFIERS)
def test_identifiers_as_people_write_them(canonical: str, name: str) -> None:
    assert identifier_name(canonical) == name


def test_a_name_without_a_word_shows_itself() -> None:
    assert strategy_counts({"new_way": 2, "semantic": 1, "lexical": 0}) == [("significado", 1), ("new way", 2)]
    assert (reason_name("off_topic"), reason_name("new_reason")) == ("tratan de otra norma", "new reason")
