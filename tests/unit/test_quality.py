"""What reads like an answer, whatever it is about: tables of real passages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.search.quality import asked_for, density, filler_share, repeated, score_quality
from rag_system.search.strategies import QualityPrior, Table
from rag_system.types import QueryPlan, Route
from tests.builders import chunk

RULE = (
    "El empleador debe pagar la gratificación dentro de la primera quincena de julio y de diciembre. El trabajador que "
    "cesa antes tiene derecho a un sexto por cada mes completo; el pago no podrá exceder de 48 horas."
)
PLAIN = "La presente guía reúne experiencias de varias oficinas y agradece la participación de sus equipos."

INDEX = (
    "ÍNDICE\nTítulo I. Disposiciones generales ........ 3\nArtículo 1. Objeto ........ 3\nArtículo 2. Ámbito ........ 4"
)
INDEX_WITHOUT_DOTS = "Contenido\nCapítulo 1 Introducción 5\nCapítulo 2 Marco legal 9\n2.1 Antecedentes de la norma 12"
MENU = "MÁS LEÍDOS\nNoticias\nTribunal reafirma que la maternidad activa una protección reforzada...\n2 abril, 2026"
SIGNATURE = "POR TANTO:\nMando se publique y cumpla.\nDado en la Casa de Gobierno, en Lima, a los ocho días de mayo."
CLOSING = "Regístrese, comuníquese y publíquese."
OPENING = "EL PRESIDENTE DE LA REPÚBLICA\nPOR CUANTO:\nEL CONGRESO DE LA REPÚBLICA;\nHa dado la Ley siguiente:"
RECITAL = (
    "Que, mediante Ley N.° 27658 se declara al Estado en proceso de modernización;\nQue, conforme a ello, procede;"
)
DOWNLOAD = "Descargue el PDF de la norma\nLea también: las claves de la reforma\n4 abril, 2026"
CONCORDANCES = "CONCORDANCIAS: D.S. N° 008-2011-PRODUCE (REGLAMENTO)"
SCRAP = "Órganos colegiados"

FILLERS = [INDEX, INDEX_WITHOUT_DOTS, MENU, SIGNATURE, CLOSING, OPENING, RECITAL, DOWNLOAD, CONCORDANCES, SCRAP]


def score(question: str, *texts: str) -> list[float]:
    return score_quality(question, [chunk(text, document=str(n)) for n, text in enumerate(texts)])


@pytest.mark.parametrize("filler", FILLERS)
def test_filler_goes_below_any_sentence_and_a_rule_above(filler: str) -> None:
    rule, plain, low = score("¿qué derechos tiene el trabajador?", RULE, PLAIN, filler)
    assert low < -0.2 <= plain < rule


@pytest.mark.parametrize(
    ("question", "filler"),
    [
        ("¿por qué se aprobó la modernización del Estado?", RECITAL),
        ("¿quién firmó la ley?", SIGNATURE),
        ("¿qué capítulos tiene el manual?", INDEX),
        ("¿cuáles son las concordancias de la ley?", CONCORDANCES),
    ],
)
def test_what_the_question_is_about_is_no_filler(question: str, filler: str) -> None:
    assert score(question, filler)[0] > score("¿qué derechos tiene el trabajador?", filler)[0]


@pytest.mark.parametrize(
    "text",
    [
        "Considerando la naturaleza del programa, se exime del reintegro a los distritos de origen.",
        "Constituyen faltas y por tanto dan lugar a sanción las conductas que incumplan los deberes.",
        "Artículo modificado: el plazo es de 30 días\nAño Monto 2019 0.10\nAño Monto 2020 0.20",
        "La entrega de información en línea no genera costos; el enlace para su descarga dura treinta días.",
        "El registro se publica en el portal de la entidad, que lo comunica a sus trabajadores.",
        "“Artículo 14.- Infracciones\n(...)\nComprende también la negativa a admitir un envío postal.”",
    ],
)
def test_rules_that_resemble_filler_stay(text: str) -> None:
    assert filler_share(text.lower()) < 0.2


ASKED = [
    ("¿Cuándo tienen que repartirnos las utilidades?", "dentro de los treinta (30) días naturales", True),
    ("¿Cuándo tienen que repartirnos las utilidades?", "participan todos los trabajadores", False),
    ("¿En qué fechas depositan la CTS?", "los primeros quince (15) días de mayo y noviembre", True),
    ("¿Y cuándo me pagan?", "en la primera quincena de julio", True),
    ("¿Desde qué fecha rige?", "entrará en vigencia el 1 de enero", True),
    ("¿En cuánto tiempo debo registrar el contrato?", "plazo no mayor de 3 días hábiles", True),
    ("¿Con cuántos días debo avisar?", "con una anticipación de 5 días hábiles", True),
    ("¿La licencia caduca?", "tiene vigencia indeterminada", True),
    ("¿La licencia caduca?", "se solicita en la municipalidad", False),
    ("¿Cada cuánto se revisa?", "la revisión es anual", True),
    ("¿Cuánto se paga por cada bolsa?", "el impuesto es de S/ 0.50", True),
    ("¿Cuánto cuesta la licencia?", "el trámite es gratuito", True),
    ("¿De cuánto es la multa?", "no menor de una (1) UIT", True),
    ("¿De cuánto es la multa?", "la autoridad sanciona la infracción", False),
    ("¿Qué porcentaje me descuentan?", "aporta el 13 % de su remuneración", True),
    ("¿Qué parte puedo acumular?", "hasta un tercio del descanso", True),
    ("¿Cuál es el monto del subsidio?", "el premio vale $ 20", True),
    ("¿Cuántos miembros tiene el comité?", "lo integran doce personas", True),
    ("¿Cuántos miembros tiene el comité?", "lo integran personas de la empresa", False),
]


@pytest.mark.parametrize(("question", "text", "answers"), ASKED)
def test_figures_and_dates_count_where_they_are_asked_for(question: str, text: str, answers: bool) -> None:
    with_it, without = score(
        question, text + " según el caso que corresponda", "lo que disponga cada entidad del Estado"
    )
    assert (with_it > without + 0.5) == answers


@pytest.mark.parametrize(
    "question",
    [
        "¿qué es un dato sensible?",
        "¿quién nombra al director?",
        "¿dónde me quejo?",
        "¿qué hago con la computadora cuando renuncio?",
    ],
)
def test_other_questions_ask_for_no_figure(question: str) -> None:
    assert asked_for(question) is None


def test_a_heading_says_what_its_article_holds() -> None:
    named, other = (chunk("Se fija por decreto supremo.", headings=(h,)) for h in ("Artículo 5.- Plazo de 3 días", "A"))
    scores = score_quality("¿qué plazo hay?", [named, other])
    assert scores[0] > scores[1]


def test_what_stands_in_three_documents_is_boilerplate_and_two_may_be_versions() -> None:
    texts = ["igual", "igual", "igual", "doble", "doble", "solo"]
    assert repeated(texts, ["a", "b", "c", "a", "b", "a"]) == [True, True, True, False, False, False]
    assert repeated(["igual"] * 3, ["a", "a", "b"]) == [False] * 3


def test_density_grows_with_rules_and_figures() -> None:
    assert density(PLAIN.lower()) == 0
    # «debe», «tiene», «podra», «48»: four of the eight that make a passage full
    assert density(RULE.lower().replace("á", "a")) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "text", ["¿" * 120 + "\n", "- " * 60 + "\n", "1,", "1.1", "ciento a ", "… ", "1.1 a ", "(" * 119 + "\n"]
)
@pytest.mark.parametrize(
    "question", ["¿cuánto se paga?", "¿en qué fecha?", "¿qué plazo?", "¿qué porcentaje?", "¿quién?"]
)
def test_no_text_is_read_more_than_a_few_times(question: str, text: str) -> None:
    assert -1 <= score(question, text * 3_000)[0] <= 1  # a quadratic pattern would take minutes


@given(st.text(max_size=80), st.lists(st.text(max_size=300), max_size=6))
def test_any_texts_score_within_the_cap(question: str, texts: list[str]) -> None:
    scores = score(question, *texts)
    assert len(scores) == len(texts)
    assert all(-1 <= value <= 1 for value in scores)


def test_only_the_candidates_within_reach_are_read() -> None:
    table = Table(chunks=[chunk(SCRAP, chunk_id=i) for i in range(QualityPrior.READ + 5)])
    plan = QueryPlan(question="", route=Route.RETRIEVE, standalone_question="¿qué órganos hay?")
    column = QualityPrior(plan, np.linspace(1, 0, len(table.chunks), dtype=np.float32)).column(table)
    assert (column[: QualityPrior.READ] < 0).all()
    assert not column[QualityPrior.READ :].any()
