"""What every front end gets from `ProjectAssistant`: conversations that are remembered, and a library of documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from assistant import library, view
from assistant.library import UPLOADS
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.ingestion.addresses import Address, IpAddress, Reach
from rag_system.ingestion.web import fetch
from rag_system.ingestion.web_exchange import Route, WebLimits
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.types import Finished, Funnel, Planned, Retrieved, Token
from tests.fakes.web_server import Visit, WebServer, running
from tests.indexing import opened_project, upload

LAW = b"""# Ley N.\xc2\xb0 27444

## Art\xc3\xadculo 207. Recursos

El t\xc3\xa9rmino para apelar es de quince d\xc3\xadas.

## Art\xc3\xadculo 208. Feriados

Si el \xc3\xbaltimo d\xc3\xada es feriado, el plazo se prorroga al primer d\xc3\xada h\xc3\xa1bil siguiente.
"""


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def stocked(assistant: ProjectAssistant) -> ProjectAssistant:
    assert upload(assistant, "LEY-27444.md", LAW).status == "indexed"
    return assistant


def test_a_conversation_remembers_what_was_said_and_cited(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    assert stocked.conversations.recent() == []
    list(stocked.stream("¿Cuál es el término para apelar según la ley 27444?", conversation_id=conversation))
    follow_up = list(stocked.stream("¿y si el último día es feriado?", conversation_id=conversation))
    assert isinstance(follow_up[0], Planned)
    assert follow_up[0].plan.identifiers == ("ley:27444",)
    asked, answered, _, last = stocked.turns(conversation)
    assert (asked.role, asked.content) == ("user", "¿Cuál es el término para apelar según la ley 27444?")
    assert "quince días" in answered.content
    assert "prorroga" in last.content
    citation = answered.citations[0]
    assert (citation.path, citation.n) == (f"{UPLOADS}/LEY-27444.md", 1)
    assert citation.quote in citation.passage
    assert answered.metrics["total"] > 0
    (listed,) = stocked.conversations.recent()
    assert listed.title.startswith("Término")


def test_an_answer_read_back_is_the_one_that_was_shown(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    events = list(stocked.stream("¿Cuál es el término para apelar?", conversation_id=conversation))
    (found,) = (event.search for event in events if isinstance(event, Retrieved))
    (shown,) = (view.answered(event.answer, found.funnel) for event in events if isinstance(event, Finished))
    assert shown.citations
    kept = tuple(replace(citation, result_id=None) for citation in shown.citations)
    read = stocked.turns(conversation)[1]
    assert read == replace(shown, citations=kept, ordinal=1, parent=0, versions=(1,), said_at=read.said_at)


def test_what_no_database_stores_is_left_out_of_what_was_asked(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    pasted = "plazo para apelar seg\udcfan la\x00 ley 27444"
    events = list(stocked.stream(pasted, conversation_id=conversation))
    assert isinstance(events[0], Planned)
    assert stocked.turns(conversation)[0].content == events[0].plan.question == "plazo para apelar segn la ley 27444"


def test_notices_are_remembered(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    list(stocked.stream("cual es el termibo para apelar segun la ley 27444", conversation_id=conversation))
    assert list(stocked.turns(conversation)[1].notices) == ["Busqué «término» en lugar de «termibo»."]


def test_why_an_answer_has_its_sources_is_remembered_as_it_was(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    events = list(stocked.stream("¿Cuál es el termino para apelar según la ley 27444?", conversation_id=conversation))
    (shown,) = (event.search.funnel for event in events if isinstance(event, Retrieved))
    stored = stocked.turns(conversation)[1].funnel
    assert stored == shown
    best = stored.survivors[0]
    assert {"término", "apelar"} <= set(best.words)  # as the law writes them
    assert "lexical" in best.proposed_by
    assert (best.level, stored.reading.identifiers if stored.reading else ()) == (1.0, ("ley:27444",))


def test_an_abstention_remembers_what_was_searched_and_why_nothing_stayed(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    list(stocked.stream("¿Cuál es el término para apelar según la ley 99999?", conversation_id=conversation))
    answered = stocked.turns(conversation)[1]
    assert answered.abstained
    assert (answered.funnel.returned, answered.funnel.survivors) == (0, ())
    assert {(each.reason, each.path) for each in answered.funnel.examples} == {("off_topic", f"{UPLOADS}/LEY-27444.md")}
    assert answered.funnel.reading is not None
    assert answered.funnel.reading.absent == ("ley:99999",)


def test_a_funnel_that_was_stored_with_fewer_fields_is_read(stocked: ProjectAssistant, database: Database) -> None:
    conversation = stocked.conversations.create()
    list(stocked.stream("¿Cuál es el término para apelar?", conversation_id=conversation))
    old = {"generated": {"semantic": 2}, "merged": 2, "rejected": {}, "returned": 2}
    with database.connection() as connection:
        connection.execute("UPDATE messages SET funnel = %s WHERE role = 'assistant'", [Jsonb(old)])
    assert stocked.turns(conversation)[1].funnel == Funnel(generated={"semantic": 2}, merged=2, returned=2)


def test_the_words_nearest_to_a_question_come_from_its_candidates(stocked: ProjectAssistant) -> None:
    _, found = stocked.pipeline.search("¿Cuál es el término para apelar?")
    assert found.funnel.near_words == ()
    near = stocked.explained(found.funnel).near_words
    assert {"término", "apelar"} <= {each.word for each in near[:3]}
    assert [each.similarity for each in near] == sorted((each.similarity for each in near), reverse=True)
    assert stocked.explained(Funnel()).near_words == ()


def test_a_citation_outlives_its_document(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    list(stocked.stream("¿Cuál es el término para apelar?", conversation_id=conversation))
    (document,) = stocked.library.all()
    assert stocked.library.remove(document.document_id)
    assert stocked.library.all() == []
    assert stocked.turns(conversation)[1].citations[0].passage


def test_the_words_of_removed_documents_leave_without_waiting_for_new_ones(
    stocked: ProjectAssistant, database: Database
) -> None:
    for document in stocked.library.all():
        assert stocked.library.remove(document.document_id)
        assert not stocked.library.remove(document.document_id)
    with database.connection() as connection:
        for table in ("postings", "segments", "removed_chunks"):
            assert connection.execute(sql.SQL("SELECT FROM {}").format(sql.Identifier(table))).fetchall() == []


def test_an_answer_that_is_broken_off_is_kept_as_incomplete(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    events = stocked.stream("¿Cuál es el término para apelar según la ley 27444?", conversation_id=conversation)
    shown = next(event for event in events if isinstance(event, Token))
    events.close()  # type: ignore[attr-defined]
    _, answered = stocked.turns(conversation)
    assert (answered.content, answered.incomplete, answered.state) == (shown.text, True, "stopped")


def test_a_question_and_the_place_of_its_answer_are_stored_before_it_is_answered(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    events = stocked.stream("¿Cuál es el término para apelar?", conversation_id=conversation)
    next(events)
    asked, place = stocked.turns(conversation)
    assert (asked.role, asked.content) == ("user", "¿Cuál es el término para apelar?")
    assert (place.role, place.content, place.incomplete) == ("assistant", "", True)
    events.close()  # type: ignore[attr-defined]
    assert [turn.content for turn in stocked.turns(conversation)] == [asked.content, ""]


def test_an_answer_stands_below_its_question_even_when_it_ends_after_the_next_one(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    late = stocked.stream("¿Cuál es el término para apelar según la ley 27444?", conversation_id=conversation)
    shown = next(event for event in late if isinstance(event, Token))
    list(stocked.stream("¿Qué dice el artículo 208 de la ley 27444?", conversation_id=conversation))
    late.close()  # type: ignore[attr-defined]
    first, answer, second, last = stocked.turns(conversation)
    assert (first.role, second.role) == ("user", "user")
    assert (answer.content, answer.incomplete) == (shown.text, True)
    assert "prorroga" in last.content
    assert last.citations
    assert not last.incomplete


def test_an_answer_of_a_conversation_deleted_meanwhile_is_not_kept(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    events = stocked.stream("¿Cuál es el término para apelar según la ley 27444?", conversation_id=conversation)
    next(events)
    stocked.conversations.delete(conversation)
    list(events)
    assert stocked.turns(conversation) == []


def test_an_answer_of_which_nothing_arrived_is_no_history(stocked: ProjectAssistant) -> None:
    conversation = stocked.conversations.create()
    question = "¿Cuál es el término para apelar según la ley 27444?"
    events = stocked.stream(question, conversation_id=conversation)
    next(events)
    events.close()  # type: ignore[attr-defined]
    follow_up = next(stocked.stream("¿y si el último día es feriado?", conversation_id=conversation))
    assert isinstance(follow_up, Planned)
    assert follow_up.plan.identifiers == ("ley:27444",)


@pytest.mark.parametrize("conversation", ["", "no-es-un-id", "a\0b"])
def test_an_id_that_is_none_gets_a_clear_error(assistant: ProjectAssistant, conversation: str) -> None:
    with pytest.raises(InputError, match="no existe"):
        assistant.turns(conversation)


def test_documents_are_counted_by_project(assistant: ProjectAssistant, settings: Settings) -> None:
    assert assistant.library.count() == 0
    for name in ("a.md", "b.md"):
        upload(assistant, name, LAW)
    with opened_project(settings, project="otro") as other:
        upload(other, "c.md", LAW)
        assert (assistant.library.count(), other.library.count()) == (2, 1)


def test_a_question_without_a_conversation_is_not_recorded(stocked: ProjectAssistant) -> None:
    events = list(stocked.stream("¿Cuál es el término para apelar?"))
    assert isinstance(events[-1], Finished)
    assert stocked.conversations.recent() == []


UPLOAD_NAMES = [
    ("LEY-27444.md", "LEY-27444.md"),
    ("../../etc/passwd.md", "passwd.md"),
    ("C:\\Users\\ana\\ley.md", "ley.md"),
    ("ñandú 📄.md", "ñandú 📄.md"),
    ("a" * 300 + ".md", "a" * 300 + ".md"),
    ("nulo\0.md", "nulo.md"),
]


@pytest.mark.parametrize(("name", "stored"), UPLOAD_NAMES)
def test_the_name_of_an_upload_never_leads_elsewhere(assistant: ProjectAssistant, name: str, stored: str) -> None:
    report = upload(assistant, name, LAW)
    assert (report.status, report.path) == ("indexed", f"{UPLOADS}/{stored}")


def test_an_upload_again_is_unchanged(stocked: ProjectAssistant) -> None:
    assert upload(stocked, "LEY-27444.md", LAW).status == "unchanged"
    assert upload(stocked, "LEY-27444.md", LAW + b"\nMas texto.\n").status == "updated"
    assert len(stocked.library.all()) == 1


def test_a_passage_is_found_by_its_id(stocked: ProjectAssistant) -> None:
    answer = stocked.ask("¿Cuál es el término para apelar según la ley 27444?")
    citation = answer.citations[0]
    passage = stocked.passage(citation.chunk_id)
    assert passage is not None
    assert citation.quote in passage.text
    assert stocked.passage(999_999) is None


def test_suggestions_come_from_the_documents(assistant: ProjectAssistant) -> None:
    assert assistant.suggestions() == []
    upload(assistant, "LEY-27444.md", LAW)
    suggestions = assistant.suggestions()
    assert any("27444" in question for question in suggestions)
    assert len(suggestions) == len(set(suggestions)) <= 4


def test_a_path_that_does_not_exist_is_said_before_anything_is_done(assistant: ProjectAssistant) -> None:
    with pytest.raises(InputError, match="no-existe"):
        list(assistant.library.add([Path("no-existe.pdf")]))


class HereToo(Reach):
    """The usual rules, and this machine, where the test's server is."""

    def check(self, address: Address, ip: IpAddress) -> None:
        if not ip.is_loopback:
            super().check(address, ip)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A web of one server, which every name leads to."""
    route = Route(policy=HereToo(), resolver=lambda _host, _port: ["127.0.0.1"])
    limits = WebLimits(max_bytes=1 << 20)
    monkeypatch.setattr(library, "fetch_with", lambda _settings, url: fetch(url, limits=limits, route=route))
    with running({"/normas/29733": Visit.answer}) as server:
        yield server


def test_a_page_of_the_web_waits_in_the_queue_and_becomes_a_document(
    assistant: ProjectAssistant, web: WebServer
) -> None:
    url = f"http://www.gob.pe:{web.port}/normas/29733"
    (accepted,) = assistant.library.accept_url(url)
    key = accepted.ingestion_id
    assert assistant.library.ingestion(key) is None
    assert [each.ingestion_id for each in assistant.library.ingestions()] == [key]
    list(assistant.library.see_through({key: url}))
    (document,) = assistant.library.all()
    assert (document.title, document.format, document.origin) == ("Ley 29733", "html", url)
    (again,) = assistant.library.accept_url(url)
    assert again.report is not None
    assert (again.report.status, web.asked) == ("unchanged", ["/normas/29733", "/normas/29733"])


REFUSED = [
    ("http://www.gob.pe:{port}/falta", "http://www.gob.pe:{port}/falta", "La página no existe (404)"),
    ("http://10.1.2.3/norma", "http://10.1.2.3/norma", "dirección privada"),
    ("http://ana:secreta@www.gob.pe:{port}/", "http://www.gob.pe:{port}/", "contraseña"),
    ("ftp://www.gob.pe/norma", "ftp://www.gob.pe/norma", "http"),
]


@pytest.mark.parametrize(("url", "path", "reason"), REFUSED)
def test_a_page_that_cannot_be_read_is_told_and_waits_nowhere(
    assistant: ProjectAssistant, web: WebServer, url: str, path: str, reason: str
) -> None:
    web.pages["/falta"] = lambda visit: visit.answer(status=404)
    (accepted,) = assistant.library.accept_url(url.format(port=web.port))
    report = accepted.report
    assert report is not None
    assert (report.status, report.path) == ("failed", path.format(port=web.port))
    assert reason in report.error
    assert "secreta" not in repr(report)
    assert (assistant.library.ingestions(), assistant.library.all()) == ([], [])
