"""A norm asked for by its name alone chooses a document that says that it is it, and silences nothing by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.generation.answerability import NormsElsewhere, named_gap, norms_only_mentioned
from rag_system.search.filters import off_topic
from rag_system.types import Chunk, Evidence, QueryPlan
from tests.builders import chunk, evidence, request, table

CIVIL = replace(chunk("La posesión se adquiere.", title="Código Civil"), identifiers=("dl:295", "codigo:civil"))
LABOUR = replace(chunk("El descanso es anual.", title="Decreto Legislativo 713"), identifiers=("dl:713",))
MENTION = replace(chunk("Rige el Código Civil.", title="Ley 26872"), identifiers=("ley:26872",))


def _leaving(asked: str, *chunks: Chunk) -> list[Chunk]:
    leaves = off_topic([asked], table(chunks), [0.0] * len(chunks))
    return [each for row, each in enumerate(chunks) if leaves(row)]


def test_rivals_leave_where_a_document_is_the_norm() -> None:
    assert _leaving("codigo:civil", CIVIL, LABOUR, MENTION) == [LABOUR]


def test_nobody_leaves_where_no_document_says_that_it_is_the_norm() -> None:
    assert _leaving("codigo:penal", CIVIL, LABOUR, MENTION) == []
    assert _leaving("ley:30407", CIVIL, LABOUR) == [CIVIL, LABOUR]


def _asked(question: str, identifier: str, *chunks: Chunk) -> tuple[QueryPlan, tuple[Evidence, ...]]:
    asked = request(question, evidence(*chunks))
    return replace(asked.plan, identifiers=(identifier,)), asked.evidence


def test_it_stops_nothing_and_the_person_is_told() -> None:
    plan, passages = _asked("¿Qué dice el código laboral del descanso anual?", "codigo:trabajo", LABOUR)
    assert named_gap(plan, passages, NormsElsewhere()) == ""
    assert norms_only_mentioned(plan, passages, unfound=plan.identifiers, elsewhere=NormsElsewhere()) == (
        "Entre sus documentos no está el código laboral: la respuesta sale de otros."
    )


def test_a_title_alone_says_what_a_document_is() -> None:
    untagged = replace(CIVIL, identifiers=())
    plan, passages = _asked("¿Qué dice el Código Civil de la posesión?", "codigo:civil", untagged)
    assert norms_only_mentioned(plan, passages, unfound=plan.identifiers, elsewhere=NormsElsewhere()) == ""
    plan, passages = _asked(
        "¿Qué dice el Código Civil?", "codigo:civil", chunk("Uno.", title="Ley que modifica el Código Civil")
    )
    assert norms_only_mentioned(plan, passages, unfound=plan.identifiers, elsewhere=NormsElsewhere()) != ""


def test_of_norms_that_were_not_searched_each_is_told_where_it_is() -> None:
    asked = request("Compare la Ley 26872, la Ley 31888 y el Código Penal", evidence(MENTION))
    plan = replace(asked.plan, identifiers=("ley:26872", "ley:31888", "codigo:penal"))
    elsewhere = NormsElsewhere(norms=("codigo:penal",), searched="entre los documentos elegidos")
    assert norms_only_mentioned(plan, asked.evidence, unfound=("ley:31888",), elsewhere=elsewhere) == (
        "El Código Penal está en su biblioteca, pero no entre los documentos elegidos; "
        "entre sus documentos no está la Ley 31888: la respuesta sale de los demás."
    )
    both = NormsElsewhere(norms=("ley:31888", "codigo:penal"), searched="entre los documentos elegidos")
    assert norms_only_mentioned(plan, asked.evidence, unfound=(), elsewhere=both).startswith(
        "La Ley 31888 y el Código Penal están en su biblioteca, pero no entre los documentos elegidos: "
    )


@pytest.mark.parametrize(
    ("question", "identifier", "told"),
    [
        ("¿Qué dice el Código Civil?", "codigo:civil", "no está el Código Civil: la respuesta sale de otros que lo"),
        ("¿Qué dice la Ley 26872?", "ley:26872", "no está la Ley 26872: la respuesta sale de otros que la"),
        ("¿Qué pide en ISO 27002?", "iso:27002", "no está la ISO 27002: la respuesta sale de otros que la"),
    ],
)
def test_a_norm_is_told_with_its_article_and_its_pronoun(question: str, identifier: str, told: str) -> None:
    note = chunk("Rigen el Código Civil, la Ley 26872 y la ISO 27002.", title="Nota")
    plan, passages = _asked(question, identifier, note)
    assert (
        norms_only_mentioned(plan, passages, unfound=(identifier,), elsewhere=NormsElsewhere())
        == f"Entre sus documentos {told} mencionan."
    )
