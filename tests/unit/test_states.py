"""Which text of a document is not in force, by its own notes: documents in the manners of several countries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.ingestion.chunking import chunk
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.edges import Edges
from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.ingestion.states import with_states
from rag_system.ingestion.structure import Line, blocks_from_lines
from rag_system.types import StateKind
from tests.effort import examples

BY_LAW = "(*) {} por el Artículo 2 de la Ley N° 40871, publicada el 3 mayo 2019{}"
REPLACED = ", cuyo texto es el siguiente:"


def states(text: str) -> dict[str, str]:
    """The texts that are not in force, without their notes and labels, each with its state."""
    blocks = with_states(blocks_from_lines(Line(text=line.strip()) for line in text.splitlines() if line.strip()))
    told = {block.text: block.state for block in blocks if block.kind is not BlockKind.HEADING and block.state}
    return {said: state.label for said, state in told.items() if said not in state.told}


IN_2019 = "texto anterior a la reforma de 2019 (Ley N° 40871)"
GONE_2019 = "texto derogado en 2019 (Ley N° 40871)"

DOCUMENTS = {
    "an article gives way to the quotation below its note": (
        f"""
        Artículo 1.- Objeto
        La ley regula las ferias.
        Artículo 2.- Plazo
        El plazo es de quince días.
        No hay prórroga. (*)
        {BY_LAW.format("Artículo modificado", REPLACED)}
        “Artículo 2.- Plazo
        El plazo es de treinta días.”
        Artículo 3.- Puestos
        Hay sesenta puestos.
        """,
        {"El plazo es de quince días.": IN_2019, "No hay prórroga. (*)": IN_2019},
    ),
    "a list of notes, in Uruguay": (
        """
        Artículo 2
        La inscripción es gratuita. (*)
        (*)Notas:
        Redacción dada por: Ley N° 40871 de 08/04/2019 artículo 31.
        TEXTO ORIGINAL:
        La inscripción se paga.
        Artículo 3.- Canon
        Los feriantes pagan un canon. Se fija cada año. (*)
        (*)Notas:
        Derogado/s por: Ley N° 40871 de 08/04/2019 artículo 9.
        Artículo 4
        Texto original:
        Es el que se imprime.
        """,
        {
            "La inscripción se paga.": IN_2019,
            "Los feriantes pagan un canon. Se fija cada año. (*)": GONE_2019,
            "(*)Notas:": GONE_2019,
        },
    ),
    "one that was changed twice": (
        f"""
        Artículo 1.- Objeto
        La ley regula las ferias.
        Artículo 2.- Plazo
        El plazo es de quince días.
        (*) Artículo modificado por la Ley N° 40100, publicada el 3 mayo 2008{REPLACED}
        “Artículo 2.- Plazo
        El plazo es de veinte días.”
        {BY_LAW.format("Artículo modificado", REPLACED)}
        “Artículo 2.- Plazo
        El plazo es de treinta días.”
        """,
        {
            "El plazo es de quince días.": "texto anterior a la reforma de 2008 (Ley N° 40100)",
            "El plazo es de veinte días.”": IN_2019,
        },
    ),
    "a numeral alone": (
        f"""
        Artículo 2.- Plazo
        2.1 El plazo es de quince días. (*)
        {BY_LAW.format("Numeral modificado", REPLACED)}
        "2.1 El plazo es de treinta días."
        2.2 La prórroga es de cinco días.
        Artículo 3.- Puestos
        Hay sesenta puestos.
        """,
        {"2.1 El plazo es de quince días. (*)": IN_2019},
    ),
    "an item, whose note stands in its own line": (
        """
        Artículo 2.- Deberes
        Son deberes:
        a) Avisar.
        b) Pagar la mora. () () Inciso derogado por la Ley N° 40871, publicada el 14-01-2003.
        c) Asistir.
        Artículo 3.- Puestos
        Hay sesenta puestos.
        """,
        {"b) Pagar la mora. ()": "texto derogado en 2003 (Ley N° 40871)"},
    ),
    "an article that was repealed": (
        f"""
        Artículo 2.- Plazo
        El plazo es de quince días.
        {BY_LAW.format("Artículo derogado", ".")}
        Artículo 3.- Puestos
        Hay sesenta puestos.
        """,
        {"El plazo es de quince días.": GONE_2019},
    ),
    "a chapter, by the note below its heading": (
        f"""
        CAPÍTULO I. Los plazos
        {BY_LAW.format("Capítulo derogado", ".")}
        Artículo 2.- Plazo
        El plazo es de quince días.
        Artículo 3.- Puestos
        Hay sesenta puestos.
        CAPÍTULO II. Las multas
        Artículo 4.- Multa
        La multa es de diez soles.
        """,
        {"El plazo es de quince días.": GONE_2019, "Hay sesenta puestos.": GONE_2019},
    ),
    "a whole norm, by the note in its head": (
        """
        LEY DE FERIAS
        (*) DEROGADA por la Ley N° 40871, publicada el 3 mayo 2019.
        Artículo 1.- Plazo
        El plazo es de quince días.
        Artículo 2.- Puestos
        Hay sesenta puestos.
        """,
        {"El plazo es de quince días.": GONE_2019, "Hay sesenta puestos.": GONE_2019},
    ),
    "a label holds for the paragraph that the note above it names": (
        """
        Artículo 2.- Cuota
        La cuota es mensual.
        El tope es el cuatro por ciento.
        (Segundo párrafo modificado por el artículo 3° del Decreto Legislativo N° 2218, publicado el 14.8.2022).
        TEXTO ANTERIOR
        El tope es el dos por ciento.
        Las familias pobres no pagan.
        Artículo 3.- Corte
        Se corta por falta de pago.
        """,
        {"El tope es el dos por ciento.": "texto anterior a la reforma de 2022 (Decreto Legislativo N° 2218)"},
    ),
    "or for the item": (
        """
        Artículo 3.- Corte
        Se corta:
        a) Por tres cuotas.
        (Literal a) modificado por el artículo 3° del Decreto Legislativo N° 2218, publicado el 14.8.2022).
        TEXTO ANTERIOR
        a) Por una cuota.
        b) Por riego.
        Artículo 4.- Reconexión
        Se reconecta en un día.
        """,
        {"a) Por una cuota.": "texto anterior a la reforma de 2022 (Decreto Legislativo N° 2218)"},
    ),
    "or for the article, headings and all": (
        """
        Artículo 3.- Corte
        Se corta por tres cuotas.
        (Artículo 3° modificado por el artículo 3° del Decreto Legislativo N° 2218, publicado el 14.8.2022).
        TEXTO VIGENTE HASTA EL 30.6.2023
        (12)
        Artículo 3.- Corte
        Se corta por una cuota.
        No hay aviso.
        Artículo 4.- Reconexión
        Se reconecta en un día.
        """,
        {
            "(12)": "texto anterior a la reforma de 2023 (Decreto Legislativo N° 2218)",
            "Se corta por una cuota.": "texto anterior a la reforma de 2023 (Decreto Legislativo N° 2218)",
            "No hay aviso.": "texto anterior a la reforma de 2023 (Decreto Legislativo N° 2218)",
        },
    ),
    "a repealed paragraph stands below its label, and what is above its note stays": (
        """
        Artículo 3.- Corte
        Se corta por tres cuotas.
        (Segundo párrafo derogado por el artículo 3° del Decreto Legislativo N° 2218, publicado el 14.8.2022).
        TEXTO ANTERIOR
        El corte no se avisa.
        Artículo 4.- Reconexión
        Se reconecta en un día.
        """,
        {"El corte no se avisa.": "texto derogado en 2022 (Decreto Legislativo N° 2218)"},
    ),
    "what was stands in quotation marks": (
        """
        Artículo 7.- Recursos
        Se resuelve en veinte días.
        Artículo modificado por la Ley 42187, publicada el 11 de diciembre de 2024, que antes estaba redactado así:
        «Se resuelve en treinta días.
        No cabe otro recurso.»
        La apelación agota la vía.
        Artículo 8.- Costas
        Las paga quien pierde.
        """,
        {
            "«Se resuelve en treinta días.": "texto anterior a la reforma de 2024 (Ley 42187)",
            "No cabe otro recurso.»": "texto anterior a la reforma de 2024 (Ley 42187)",
        },
    ),
    "Argentina": (
        """
        ARTICULO 1° — Se apela en diez días. (Artículo sustituido por art. 4° de la Ley N° 26.388 B.O. 25/6/2008)
        ARTICULO 2° — La multa es de mil pesos. (Artículo derogado por art. 4° de la Ley N° 26.388 B.O. 25/6/2008)
        """,
        {"La multa es de mil pesos.": "texto derogado en 2008 (Ley N° 26.388)"},
    ),
    "Colombia": (
        """
        ARTÍCULO 2o. <Artículo modificado por la Ley 2815 de 2019. El nuevo texto es el siguiente:> A los seis meses.
        <Legislación Anterior>
        Texto original de la Ley 2390 de 2013:
        ARTÍCULO 2o. EDAD. Entran desde los dieciocho meses.
        ARTÍCULO 3o. APORTE. <Artículo INEXEQUIBLE> Las familias pagan el cinco por ciento.
        ARTÍCULO 4o. PERSONAL. Hay una cuidadora por cada ocho niños.
        """,
        {
            "Entran desde los dieciocho meses.": "texto anterior a la reforma de 2019 (Ley 2815 de 2019)",
            "Las familias pagan el cinco por ciento.": "texto declarado inconstitucional",
        },
    ),
    "Spain": (
        """
        Artículo 4. Horario
        1. De lunes a jueves se cierra a las doce.
        2. El sábado se cierra a la una.
        Se modifica el apartado 2 por el art. 1 de la Ordenanza 3/2021, de 18 de marzo.
        Redacción anterior:
        2. El sábado se cierra a las tres.
        3. El domingo no se abre.
        Artículo 5. Música
        No se permite.
        """,
        {"2. El sábado se cierra a las tres.": "texto anterior a la reforma de 2021 (Ordenanza 3/2021)"},
    ),
    "a rule of a house, without articles": (
        """
        # Reglamento de la cooperativa
        Aprobado por la asamblea.
        El préstamo es de ocho veces el ahorro.
        Texto anterior: El préstamo es de tres veces el ahorro.
        La tasa la publica el consejo.
        """,
        {"El préstamo es de tres veces el ahorro.": "texto anterior"},
    ),
    "of some words, of another norm, of what was added: nothing": (
        f"""
        REGLAMENTO DE FERIAS
        (*) La Ley N° 27050 fue DEROGADA por la Ley N° 40871, publicada el 3 mayo 2019.
        Artículo 1.- Plazo
        El plazo es de quince días.
        (*) Artículo derogado por la Ley N° 40871, en lo que respecta a los institutos.
        Artículo 2.- Puestos
        Hay sesenta puestos.
        {BY_LAW.format("Artículo incorporado", ".")}
        Artículo 3.- Multa
        La multa es de diez soles.
        Artículo modificado por la Ley 40871, publicada el 3 de mayo de 2019.
        """,
        {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", DOCUMENTS)
def test_what_is_not_in_force(case: str) -> None:
    text, expected = DOCUMENTS[case]
    assert states(text) == expected


def test_an_article_of_which_nothing_is_left_keeps_its_number_and_its_note() -> None:
    gone = "Artículo 51°.- Artículo derogado por la Ley N° 40871."
    text = f"Artículo 50.- Corte\nSe corta.\n{gone}\nArtículo 52.- Fin\nRige hoy."
    blocks = list(with_states(blocks_from_lines(Line(text=line) for line in text.splitlines())))
    at = next(n for n, block in enumerate(blocks) if block.text == "Artículo 51°")
    assert blocks[at].kind is BlockKind.HEADING
    assert blocks[at + 1].text == "Artículo derogado por la Ley N° 40871"
    assert blocks[at + 1].state is not None
    assert blocks[at + 1].state.kind is StateKind.REPEALED


def test_a_chunk_has_one_state() -> None:
    text, _ = DOCUMENTS["an article gives way to the quotation below its note"]
    blocks = blocks_from_lines(Line(text=line.strip()) for line in text.splitlines() if line.strip())
    document = ExtractedDocument(format="txt", blocks=blocks, pages=None)
    drafts = list(
        chunk(document, title="Ley", max_tokens=400, overlap_tokens=80, count_tokens=lambda texts: [9] * len(texts))
    )
    told = {draft.text.split("\n")[0]: draft.state.label if draft.state else "" for draft in drafts}
    assert told == {
        "La ley regula las ferias.": "",
        "El plazo es de quince días.": IN_2019,
        "El plazo es de treinta días.”": "",
        "Hay sesenta puestos.": "",
    }


def test_a_label_at_the_edge_of_many_pages_is_no_running_line() -> None:
    def page(number: int) -> Page:
        words = ["TEXTO ANTERIOR", f"Plazo {number} de la ley.", *(f"Renglón {n}." for n in range(9)), "Diario oficial"]
        lines = [PageLine(text, 72.0, 300.0, 700.0 - 20 * n, 10.0, 595.0) for n, text in enumerate(words)]
        return Page(number=number, lines=lines)

    edges, pages = Edges(), [page(n) for n in range(1, 6)]
    edges.learn(pages)
    left = [line.text for line in edges.body(pages[2])]
    assert "TEXTO ANTERIOR" in left
    assert "Diario oficial" not in left


# ---------------------------------------------------------------- whatever stands there

LINES = st.sampled_from(
    [line.strip() for text, _ in DOCUMENTS.values() for line in text.splitlines() if line.strip()]
    + ["(", "TEXTO ANTERIOR", "[Derogado]", "<Inciso INEXEQUIBLE>", "(*)", "El plazo es de diez días."]
)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(LINES, max_size=25))
def test_no_word_is_lost_and_none_is_moved(lines: list[str]) -> None:
    blocks = blocks_from_lines(Line(text=line) for line in lines)
    cut = list(with_states(blocks))
    assert _letters(cut) == _letters(blocks)
    assert all(block.text for block in cut)


def _letters(blocks: list[Block] | tuple[Block, ...]) -> str:
    return "".join(char for block in blocks for char in block.text if char.isalnum())
