"""What the chat makes of answers, funnels, times and reports, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.summaries import DocumentSummary
from assistant.view import ShownCitation, Turn
from rag_system.generation.extractive import NEAREST, NEAREST_OF
from rag_system.types import (
    Answer,
    Candidate,
    Chunk,
    Citation,
    Evidence,
    Finished,
    Funnel,
    Payer,
    Planned,
    Progress,
    QueryPlan,
    Reading,
    Rejection,
    Retrieved,
    Route,
    SearchResult,
    StateKind,
    Survivor,
    TextState,
    Token,
    Usage,
)
from ui.components.addresses import Place
from ui.components.answer import answer_data, highlighted
from ui.components.metrics import duration, metrics_html
from ui.components.sources import funnel_html, reading_html
from ui.components.stream import live_html
from ui.components.upload import UploadResult, results_html
from ui.components.writing import Live
from ui.views.documents import document_html

PLAN = QueryPlan(question="¿Plazo?", route=Route.RETRIEVE, standalone_question="¿Plazo?")
CHUNK = Chunk(
    chunk_id=4,
    document_id="d",
    path="leyes/ley_29733.pdf",
    title="Ley 29733 <b>",
    heading_path=("Título II", "Artículo 5"),
    page_first=3,
    page_last=4,
    text="El plazo es de diez días. Se cuenta desde la notificación.",
)
EVIDENCE = Evidence(n=1, chunk=CHUNK, text=CHUNK.text, score=0.8)
SURVIVOR = Survivor(
    chunk_id=4,
    path=CHUNK.path,
    page=3,
    section=CHUNK.section,
    score=0.81,
    level=1.0,
    scores={"semantic": 0.9, "lexical": 0.5, "metadata": 0.01},
    levels={"semantic": 0.9, "lexical": 0.5, "metadata": 0.01},
    proposed_by=("semantic",),
    words=("plazo", "diez"),
    heading_words=("<i>Ley</i>",),
)
OTHER = Rejection(
    reason="off_topic",
    chunk_id=9,
    path="leyes/otra.md",
    page=None,
    section="Título I › Artículo 9",
    level=0.4,
    identifiers=("ley:27444",),
)
FUNNEL = Funnel(
    generated={"semantic": 50, "lexical": 12, "metadata": 0},
    merged=55,
    rejected={"off_topic": 40, "near_duplicate": 0},
    returned=8,
    survivors=(SURVIVOR,),
    examples=(OTHER,),
)
SEARCH = SearchResult(
    candidates=(Candidate(chunk=CHUNK, score=0.81, scores={"semantic": 0.9, "lexical": 0.5}),), funnel=FUNNEL
)


def citation(quote: str, n: int = 1) -> Citation:
    return Citation(n=n, chunk_id=4, document="ley_29733.pdf", path=CHUNK.path, page=3, quote=quote)


ANSWER = Answer(text="Diez días [1].", citations=(citation("El plazo es de diez días."),), evidence=(EVIDENCE,))


def live(*events: Planned | Progress | Retrieved | Token | Finished) -> Live:
    state = Live()
    for event in events:
        state.take(event)
    return state


def test_how_far_a_long_reading_is_is_said_until_it_is_done() -> None:
    assert "Leyendo la parte 1 de 3…" in live_html(live(Progress(done=0, total=3)))
    assert "Leyendo la parte 3 de 3…" in live_html(live(Progress(done=0, total=3), Progress(done=3, total=3)))


@pytest.mark.parametrize(
    ("quotes", "expected"),
    [
        (("b c",), [("a ", False), ("b c", True), (" d", False)]),
        (("a", "d"), [("a", True), (" b c ", False), ("d", True)]),
        (("a b", "b c"), [("a b", True), (" c", True), (" d", False)]),  # overlapping: each letter once
        (("a b c", "b"), [("a b c", True), (" d", False)]),
        (("z",), [("a b c d", False)]),
        ((), [("a b c d", False)]),
    ],
)
def test_quotes_are_highlighted_in_their_passage(quotes: tuple[str, ...], expected: list[tuple[str, bool]]) -> None:
    assert highlighted("a b c d", quotes) == expected


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=5), max_size=4))
def test_highlighting_never_changes_the_passage(passage: str, quotes: list[str]) -> None:
    assert "".join(part for part, _ in highlighted(passage, tuple(quotes))) == passage


def test_the_browser_gets_file_page_section_and_quote() -> None:
    data = answer_data(live(Planned(PLAN), Retrieved(SEARCH, (EVIDENCE,)), Token("Diez"), Finished(ANSWER)).turn)
    (source,) = data["sources"]
    assert source["file"] == "ley_29733.pdf"
    assert source["place"] == "página 3 · Título II › Artículo 5"
    (excerpt,) = source["excerpts"]
    assert excerpt["parts"][0] == ("El plazo es de diez días.", True)
    (document,) = data["documents"]
    assert document["name"] == "Ley 29733 <b>"
    assert document["places"] == [{"label": "p. 3 · Artículo 5", "numbers": [{"n": "1", "at": 0}]}]
    assert 'data-n="1"' in data["html"]


def test_a_sentence_without_support_is_marked_and_the_mark_has_words() -> None:
    answer = Answer(text="El cielo es verde [1].", evidence=(EVIDENCE,), unsupported=("El cielo es verde [1].",))
    data = answer_data(live(Finished(answer)).turn)
    assert data["html"] == '<p>El cielo es verde [1].<span class="unsupported">†</span></p>\n'
    assert data["labels"]["unsupported"] == "sin respaldo en la fuente citada"


def test_quotes_of_one_passage_share_its_source() -> None:
    quotes = (citation("El plazo es de diez días."), citation("Se cuenta desde la notificación."))
    answer = Answer(text="Diez días [1].", citations=quotes, evidence=(EVIDENCE,))
    (source,) = live(Finished(answer)).turn.sources
    (excerpt,) = source.excerpts
    assert excerpt.quotes == ("El plazo es de diez días.", "Se cuenta desde la notificación.")


def test_a_page_without_number_is_left_out() -> None:
    answer = Answer(
        text="Diez días [1].",
        citations=(Citation(n=1, chunk_id=4, document="a.md", path="a.md", page=None, quote="diez"),),
        evidence=(EVIDENCE,),
    )
    (source,) = answer_data(live(Finished(answer)).turn)["sources"]
    assert source["place"] == "Título II › Artículo 5"
    assert source["open"] == "Abrir la fuente 1: Ley 29733 <b> · Artículo 5"


def cited_at(n: int, path: str, *places: tuple[int | None, str]) -> list[ShownCitation]:
    known = {"n": n, "document": path.rsplit("/", 1)[-1], "path": path, "quote": "", "passage": "Texto."}
    return [ShownCitation(**known, chunk_id=at, page=page, section=name) for at, (page, name) in enumerate(places)]


def test_the_list_of_sources_names_each_document_and_each_place_once() -> None:
    cited = (
        *cited_at(1, "leyes/ley.pdf", (3, "Título I › Artículo 5")),
        *cited_at(2, "guía.md", (None, "Plazos")),
        *cited_at(3, "leyes/ley.pdf", (3, "Título I › Artículo 5")),
        *cited_at(5, "leyes/ley.pdf", (9, "Artículo 8"), (10, "Artículo 8")),
        *cited_at(6, "nota.txt", (None, "")),
    )
    data = answer_data(Turn(role="assistant", content="Diez días [1] [2] [3] [5] [6].", citations=cited))
    places = [
        (d["name"], [(p["label"], [each["n"] for each in p["numbers"]]) for p in d["places"]])
        for d in data["documents"]
    ]
    assert places == [
        ("ley.pdf", [("p. 3 · Artículo 5", ["1", "3"]), ("p. 9 · Artículo 8", ["5"])]),
        ("guía.md", [("Plazos", ["2"])]),
        ("nota.txt", [("", ["6"])]),
    ]


def test_a_source_quoted_from_two_places_is_listed_at_both() -> None:
    first, second = cited_at(1, "ley.pdf", (3, "Artículo 5"), (4, "Artículo 8"))
    cited = (replace(first, quote="Diez días."), replace(second, quote="Quince días."))
    (document,) = answer_data(Turn(role="assistant", content="«Quince días.» [1]", citations=cited))["documents"]
    assert document["places"] == [
        {"label": "p. 3 · Artículo 5", "numbers": [{"n": "1", "at": 0}]},
        {"label": "p. 4 · Artículo 8", "numbers": [{"n": "1", "at": 1}]},
    ]


def test_the_words_that_decide_stand_out_in_the_first_quote_and_are_copied_as_they_are() -> None:
    content = "Según la ley: «El plazo para apelar es de 15 días.» [1]\n\nTambién: «Se apela en 15 días.» [1]"
    turn = Turn(
        role="assistant",
        content=content,
        provider="extractive",
        funnel=Funnel(generated={"lexical": 3}, reading=Reading(standalone_question="¿Qué plazo hay para apelar?")),
        citations=tuple(cited_at(1, "ley.pdf", (3, ""))),
    )
    data = answer_data(turn)
    assert data["html"].count("<strong>") == 1
    assert "«El plazo para apelar es de <strong>15 días</strong>.»" in data["html"]
    assert "«El plazo para apelar es de 15 días.»" in data["copy"]
    nearest = (f"{opening}\n\n{content}" for opening in (NEAREST, NEAREST_OF.format(number=1)))
    for other in (replace(turn, provider="local"), *(replace(turn, content=each) for each in nearest)):
        assert "<strong>" not in answer_data(other)["html"]


@pytest.mark.parametrize(
    ("question", "follows", "folds"),
    [
        ("¿Qué plazo hay para apelar?", False, True),
        ("¿Qué plazo hay para apelar y quién resuelve la apelación?", False, False),
        ("¿Qué plazo hay para apelar y quién resuelve la apelación?", True, True),  # which is not taken apart
        ("¿Qué diferencia hay entre la apelación y la reconsideración?", False, False),
    ],
)
def test_quotes_are_folded_where_they_back_up_the_first_and_not_where_they_answer_another_question(
    question: str, follows: bool, folds: bool
) -> None:
    turn = Turn(
        role="assistant",
        content="Según la ley: «Se apela en 15 días.» [1]\n\nTambién: «Resuelve el superior.» [1]",
        provider="extractive",
        funnel=Funnel(generated={"lexical": 3}, reading=Reading(standalone_question=question, reformulated=follows)),
        citations=tuple(cited_at(1, "ley.pdf", (3, ""))),
    )
    assert bool(answer_data(turn)["also"]) is folds
    assert not answer_data(replace(turn, content=f"{NEAREST}\n\n{turn.content}"))["also"]  # any may be the answer


def test_a_remembered_fact_is_a_source_without_a_document() -> None:
    fact = ShownCitation(
        n=-2,
        chunk_id=-2,
        document="",
        path="",
        section="",
        page=None,
        quote="Se paga en caja.",
        passage="Se paga en caja.",
    )
    turn = Turn(
        role="assistant", content="En caja [M2], en diez días [1].", citations=(fact, *cited_at(1, "ley.pdf", (3, "")))
    )
    data = answer_data(turn)
    assert [source["n"] for source in data["sources"]] == ["1", "M2"]
    card = data["sources"][-1]
    assert (card["title"], card["file"], card["address"]) == ("Hecho recordado", "", "")
    assert card["open"] == "Abrir la fuente M2: Hecho recordado"
    assert card["copy"] == "Hecho recordado: «Se paga en caja.»"
    assert data["documents"][-1] == {
        "name": "Hechos recordados",
        "path": "",
        "places": [{"label": "", "numbers": [{"n": "M2", "at": 0}]}],
    }
    assert '<button type="button" class="marker" data-n="M2">M2</button>' in data["html"]


def test_what_is_not_in_force_is_called_so_on_its_chip_and_its_card() -> None:
    was = TextState(kind=StateKind.PREVIOUS, told="TEXTO ANTERIOR", by="Ley 3", year=2021)
    (cited,) = cited_at(1, "ley.pdf", (3, "Artículo 5"))
    data = answer_data(Turn(role="assistant", content="Diez [1].", citations=(replace(cited, state=was),)))
    assert data["sources"][0]["state"] == "texto anterior a la reforma de 2021 (Ley 3)"
    ((place,),) = [document["places"] for document in data["documents"]]
    assert place["label"] == "texto anterior a la reforma de 2021 (Ley 3) · p. 3 · Artículo 5"
    assert answer_data(Turn(role="assistant", content="Diez [1].", citations=(cited,)))["sources"][0]["state"] == ""


def test_a_source_of_several_parts_is_one_card_that_says_only_what_changes() -> None:
    cited = cited_at(1, "ley.pdf", (3, "Artículo 5"), (3, "Artículo 5"), (4, "Artículo 6"))
    (card,) = answer_data(Turn(role="assistant", content="Diez [1].", citations=tuple(cited)))["sources"]
    assert card["place"] == "página 3 · Artículo 5"
    assert [excerpt["place"] for excerpt in card["excerpts"]] == ["", "", "página 4 · Artículo 6"]


def test_a_stopped_answer_keeps_what_arrived() -> None:
    turn = live(Planned(PLAN), Retrieved(SEARCH, (EVIDENCE,)), Token("El plazo "), Token("es")).turn
    assert (turn.content, turn.state, turn.funnel) == ("El plazo es", "stopped", FUNNEL)


def test_the_screen_says_what_is_being_done_until_the_first_word() -> None:
    assert "Buscando en sus documentos…" in live_html(live(Planned(PLAN)))
    assert "Leyendo 1 pasaje…" in live_html(live(Planned(PLAN), Retrieved(SEARCH, (EVIDENCE,))))
    assert "Un momento: la base de datos vuelve" in live_html(replace(live(Planned(PLAN)), is_held=True))
    assert "Diez" in live_html(live(Planned(PLAN), Token("Diez")))


def test_the_funnel_names_strategies_and_reasons_in_spanish() -> None:
    html = funnel_html(FUNNEL)
    for words in (
        "significado 50 · palabras 12",
        "Tratan de otra norma",
        "<small>Total 100 · significado 90 · palabras 50</small>",
        "style='width: 100%'",
    ):
        assert words in html
    assert "ley_29733.pdf · p. 3 · Artículo 5" in html


def test_the_funnel_says_what_speaks_for_a_passage() -> None:
    html = funnel_html(replace(FUNNEL, survivors=(replace(SURVIVOR, guaranteed=True, ceded=True),)))
    assert "Contiene «plazo», «diez»; en sus títulos, «&lt;i&gt;Ley&lt;/i&gt;»" in html
    assert "Propuesto por: significado" in html
    assert "Tiene un lugar asegurado: la pregunta lo nombra" in html
    assert "Cedió el paso a otro documento" in html


def test_a_reason_opens_on_examples_by_name() -> None:
    html = funnel_html(replace(FUNNEL, survivors=()))
    assert "<details><summary>Tratan de otra norma</summary>" in html
    assert "<li>otra.md · Artículo 9<small>40 · Es Ley 27444</small></li>" in html
    assert "Repiten otro pasaje" not in html  # none did


def test_the_account_of_an_answer_without_passages_ends_with_none() -> None:
    assert "Quedaron<small></small></th><td><span class='legajo-number'>0</span></td>" in funnel_html(Funnel())


def test_a_reason_without_a_name_shows_its_own() -> None:
    assert "Motivo nuevo&lt;i&gt;" in funnel_html(Funnel(rejected={"motivo_nuevo<i>": 2}))


def test_the_reading_tells_only_what_there_is() -> None:
    html = reading_html(Reading(standalone_question="¿Plazo <b>?", dense_query="¿Plazo <b>?", words=("Plazo",)))
    assert "<td>¿Plazo &lt;b&gt;?</td>" in html
    assert "Por palabras" in html
    assert "Se entendió así" not in html
    assert "Por nombre" not in html


def test_the_reading_of_a_follow_up_about_a_norm() -> None:
    reading = Reading(
        standalone_question="¿Y el plazo? (Ley 29733)",
        reformulated=True,
        dense_query="¿Y el plazo?",
        words=("plazo",),
        identifiers=("ley:29733",),
        notices=("Busqué «plazo» en lugar de «plaso».",),
    )
    html = reading_html(reading)
    for words in ("¿Y el plazo? (Ley 29733)", "<td>Ley 29733</td>", "Busqué «plazo» en lugar de «plaso»."):
        assert words in html


@pytest.mark.parametrize(
    ("milliseconds", "expected"),
    [(0.42, "0,4 ms"), (12.5, "12 ms"), (84.0, "84 ms"), (742.0, "742 ms"), (1500.0, "1,5 s")],
)
def test_times_read_as_people_say_them(milliseconds: float, expected: str) -> None:
    assert duration(milliseconds) == expected


def test_the_first_word_and_the_total_come_before_the_phases() -> None:
    html = metrics_html({"embedding": 6.0, "ttft": 84.0, "total": 742.0}, Usage())
    assert html.index("Primera palabra") < html.index("Total") < html.index("Vector de la pregunta")


def test_tokens_and_cost_are_shown_where_they_are_reported() -> None:
    html = metrics_html({"total": 742.0}, Usage(tokens_in=321, tokens_out=12, cost_usd=0.00042))
    for name, value in (("Tokens leídos", "321"), ("Tokens escritos", "12"), ("Costo", "US$ 0,000420")):
        assert f"<th scope='row'>{name}</th><td>{value}</td>" in html
    assert "Costo" not in metrics_html({"total": 742.0}, Usage(tokens_in=321, tokens_out=12))


@pytest.mark.parametrize(
    ("payer", "words"), [("person", "suya"), ("project", "del proyecto"), ("settings", "de los ajustes")]
)
def test_whose_key_paid_is_told(payer: Payer, words: str) -> None:
    assert f"<th scope='row'>Clave usada</th><td>{words}</td>" in metrics_html({"total": 742.0}, Usage(paid_by=payer))
    assert "Clave" not in metrics_html({"total": 742.0}, Usage())


def test_each_file_gets_one_line_with_its_reason() -> None:
    html = results_html(
        [
            UploadResult(name="a_<i>.pdf", status="indexed", pages=12, chunks=30),
            UploadResult(name="b.txt", status="failed", notes=("El archivo está dañado.",)),
            UploadResult(name="c.txt", status="unchanged"),
        ]
    )
    assert "<strong>a_&lt;i&gt;.pdf</strong> agregado · 12 páginas · 30 pasajes" in html
    assert "<small>El archivo está dañado.</small>" in html
    assert "ya estaba, sin cambios" in html


def test_nothing_of_a_document_acts_in_the_list() -> None:
    hostile = "<img src=x onerror=alert(1)> www.ejemplo.org"
    document = DocumentSummary(
        document_id="d1",
        path=f"{hostile}.pdf",
        title=hostile,
        format="pdf",
        category="",
        pages=1,
        chunks=0,
        size_bytes=1,
        status="empty",
        error=hostile,
        identifiers=(),
        updated_at=datetime(2026, 11, 2, tzinfo=UTC),
        origin="javascript:alert(1)",
        copy_of=hostile,
    )
    html = document_html(document)
    assert "<img" not in html
    assert re.findall("href='(.*?)'", html) == [Place(path=document.path).address]
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") == 4
    assert "sin texto" in html


def test_documents_of_one_title_are_told_apart_by_their_files() -> None:
    cited = (
        *cited_at(1, "2023/acta.pdf", (1, "")),
        *cited_at(2, "acta-2024.pdf", (1, "")),
        *cited_at(3, "n.txt", (1, "")),
    )
    titled = tuple(replace(each, title="Acta") if each.n < 3 else each for each in cited)
    found = answer_data(Turn(role="assistant", content="Sí [1] [2] [3].", citations=titled))["documents"]
    assert [each["name"] for each in found] == ["Acta · acta.pdf", "Acta · acta-2024.pdf", "n.txt"]


def test_a_source_that_is_a_note_is_called_so() -> None:
    turn = Turn(role="assistant", content="Sí [1].", citations=cited_at(1, "notas/Horario.md", (1, "")))
    assert [each["name"] for each in answer_data(turn)["documents"]] == ["Nota · Horario.md"]
