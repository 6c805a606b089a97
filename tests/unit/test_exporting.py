"""What leaves the chat as plain text stands on its own: references, quotes, and what is to be known of an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document

from assistant.conversations import ConversationSummary
from assistant.exporting import (
    answer_text,
    conversation_path,
    conversation_text,
    exported,
    file_name,
    packed,
    source_text,
)
from assistant.view import CitedSource, ShownCitation, Turn
from rag_system.types import StateKind, TextState

CITED = ShownCitation(
    n=1,
    chunk_id=1,
    document="ley.pdf",
    path="leyes/ley.pdf",
    title="Ley de consultas",
    section="Título II › Artículo 5",
    page=3,
    quote="es de\ndiez días.",
    passage="El plazo es de\ndiez días.",
)
ANSWER = Turn(role="assistant", content="Diez días [1].\n", citations=(CITED,))
(SOURCE,) = ANSWER.sources
(FIRST,) = SOURCE.excerpts

WAS = TextState(kind=StateKind.PREVIOUS, told="TEXTO ANTERIOR", by="Ley 3", year=2021)
SOURCES = [
    (SOURCE, "Ley de consultas (ley.pdf), página 3, Artículo 5: «es de diez días.»"),
    (replace(SOURCE, title=""), "ley.pdf, página 3, Artículo 5: «es de diez días.»"),
    (
        replace(SOURCE, title="", excerpts=(FIRST, replace(FIRST, page=None, section="", quotes=("Uno.", "Dos.")))),
        "ley.pdf, página 3, Artículo 5: «es de diez días.»; ley.pdf: «Uno.» «Dos.»",
    ),
    (replace(SOURCE, excerpts=(replace(FIRST, quotes=()),)), "Ley de consultas (ley.pdf)"),
    (
        replace(SOURCE, excerpts=(replace(FIRST, state=WAS),)),
        "Ley de consultas (ley.pdf), página 3, Artículo 5, texto anterior a la reforma de 2021 (Ley 3): "
        "«es de diez días.»",
    ),
]


@pytest.mark.parametrize(("source", "copied"), SOURCES)
def test_a_source_is_copied_with_its_place(source: CitedSource, copied: str) -> None:
    assert source_text(source) == copied


REFERENCE = "Fuentes:\n[1] Ley de consultas (ley.pdf), página 3, Artículo 5: «es de diez días.»"
ANSWERS = [
    (ANSWER, f"Diez días [1].\n\n{REFERENCE}"),
    (replace(ANSWER, citations=()), "Diez días [1]."),
    (replace(ANSWER, state="stopped"), f"Diez días [1].\n\nRespuesta detenida\n\n{REFERENCE}"),
    (
        replace(ANSWER, incomplete=True, unsupported=("Siempre. ",)),
        f"Diez días [1].\n\nRespuesta incompleta\n\nSin respaldo en la fuente citada:\n- Siempre.\n\n{REFERENCE}",
    ),
]


@pytest.mark.parametrize(("turn", "copied"), ANSWERS)
def test_an_answer_is_copied_with_its_references_and_its_doubts(turn: Turn, copied: str) -> None:
    assert answer_text(turn) == copied


def test_what_an_answer_quotes_is_not_quoted_again_below_it() -> None:
    quoting = replace(ANSWER, content="Según la ley: «es de\ndiez días.» [1]")
    place = "[1] Ley de consultas (ley.pdf), página 3, Artículo 5"
    assert answer_text(quoting) == f"{quoting.content}\n\nFuentes:\n{place}"


@pytest.mark.parametrize(("turn", "copied"), ANSWERS)
def test_without_its_references_an_answer_names_none(turn: Turn, copied: str) -> None:
    kept = answer_text(turn, references=False)
    assert kept == copied.replace(f"\n\n{REFERENCE}", "").replace(" [1]", "")


@pytest.mark.parametrize(
    ("title", "heads"),
    [
        ("Plazos", "# Plazos\n\n## ¿Qué plazo hay?"),
        ("¿Qué\nplazo hay?", "# ¿Qué plazo hay?"),  # nothing is said twice
        ("¿Qué\nplazo", "# ¿Qué plazo hay?"),
    ],
)
def test_a_conversation_is_told_from_its_first_question_on(title: str, heads: str) -> None:
    turns = [Turn(role="user", content="¿Qué\nplazo hay?"), ANSWER]
    assert conversation_text(turns, title=title) == f"{heads}\n\nDiez días [1].\n\n{REFERENCE}\n"


def test_a_conversation_is_exported_as_a_word_document() -> None:
    content = "Según **la ley**:\n\n- uno\n- *dos*\n\n3. tres\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[1]: http://x"
    turns = [Turn(role="user", content="¿Qué plazo?"), Turn(role="assistant", content=content, citations=(CITED,))]
    taken = Document(BytesIO(exported(turns, title="Plazos", format="docx")))
    assert [(each.style.name if each.style else "", each.text) for each in taken.paragraphs] == [
        ("Heading 1", "Plazos"),
        ("Heading 2", "¿Qué plazo?"),
        ("Normal", "Según la ley:"),
        ("List Bullet", "uno"),
        ("List Bullet", "dos"),
        ("List Paragraph", "3. tres"),
        ("Normal", "[1]: http://x"),
        ("Normal", REFERENCE),
    ]
    (table,) = taken.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["a", "b"], ["1", "2"]]
    assert [run.text for each in taken.paragraphs for run in each.runs if run.bold] == ["la ley"]


def test_several_are_packed_under_names_that_any_system_takes() -> None:
    listed = [summary("¿Plazo para apelar?"), summary("plazo para apelar"), summary("Ley 27444: recursos", "Recursos")]
    content = packed(((conversation_path(each), each.title.encode()) for each in listed), format="md")
    with ZipFile(BytesIO(content)) as archive:
        assert archive.namelist() == [
            "Plazo para apelar.md",
            "plazo para apelar (2).md",
            "Recursos/Ley 27444 recursos.md",
        ]
        assert archive.read("plazo para apelar (2).md") == b"plazo para apelar"


def summary(title: str, folder: str = "") -> ConversationSummary:
    return ConversationSummary(conversation_id="", title=title, updated_at=datetime.now(UTC), folder=folder)


def test_a_conversation_is_exported_for_programs() -> None:
    turns = [Turn(role="user", content="¿Qué plazo?", ordinal=0), replace(ANSWER, ordinal=1, parent=0)]
    asked, answered = json.loads(exported(turns, title="Plazos", format="json"))["messages"]
    assert (asked["role"], asked["content"]) == ("user", "¿Qué plazo?")
    assert (answered["parent"], answered["answer"], answered["state"]) == (0, "Diez días [1].\n", "complete")
    assert [(each["path"], each["page"]) for each in answered["citations"]] == [("leyes/ley.pdf", 3)]


NAMES = [
    ("¿Plazos: a/b?", "Plazos a b"),
    ("../../etc", "etc"),
    ("...", "conversación"),
    ("x\ny", "x y"),
]


@pytest.mark.parametrize(("title", "name"), NAMES)
def test_a_title_makes_a_file_name_of_every_system(title: str, name: str) -> None:
    assert file_name(title) == name
