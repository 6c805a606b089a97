"""Follow-ups: which questions lean on the conversation, and what they become alone."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag_system.query.courtesy import strip_courtesy
from rag_system.query.plan import analyze
from rag_system.query.reformulation import accept_rewrite, needs_context, standalone
from rag_system.query.text import fold
from rag_system.query.typing_habits import shorthand_in_full
from rag_system.types import Message


def talk(*turns: str) -> list[Message]:
    """Turns of a person and the assistant, in alternation."""
    return [Message("assistant" if index % 2 else "user", turn) for index, turn in enumerate(turns)]


SAMBA = talk(
    "¿Qué es Samba?",
    "Samba es una implementación libre del protocolo SMB para compartir archivos e impresoras.",
)
VACATIONS = talk(
    "¿Cuántos días de vacaciones da el Decreto Legislativo 713?",
    "Treinta días calendario por cada año completo de servicios [1].",
)
AUDITS = talk(
    "¿Qué exige la ISO 27001 sobre auditorías internas?",
    "La organización debe llevar a cabo auditorías internas a intervalos planificados [1].",
)
DATA_LAW = talk(
    "¿Qué ley protege los datos personales en el Perú?",
    "La Ley 29733, Ley de Protección de Datos Personales [1].",
)
LICENCE = talk(
    "¿Cuáles son los requisitos de la licencia de funcionamiento?",
    "Son la solicitud, la declaración jurada y la vigencia de poder [1].",
)
AUTHOR = talk(
    "¿Qué concluye Arias (2020) sobre el clima laboral?",
    "Que influye en el desempeño [1].",
)
INVENTORY = talk(
    "¿Qué documentos tienes?",
    "Tengo 8 documentos: 1. Guía ISO 9001. 2. Manual de almacén.",
)
COMMITTEE = talk(
    "¿Qué dice la Ley 29783 sobre el comité de seguridad?",
    "Los empleadores con veinte o más trabajadores constituyen un comité [1].",
)


@pytest.mark.parametrize(
    ("history", "question", "contains", "excludes"),
    [
        (SAMBA, "¿y en Windows?", ["samba", "windows"], []),
        (SAMBA, "¿Cómo se configura?", ["samba"], []),
        (SAMBA, "¿Para qué sirve?", ["samba"], []),
        (SAMBA, "¿Es gratis?", ["samba"], []),
        (SAMBA, "¿Es seguro?", ["samba"], []),
        (SAMBA, "¿Qué ventajas tiene?", ["samba"], []),
        (SAMBA, "ventajas y desventajas", ["samba"], []),
        (SAMBA, "¿Quién lo creó?", ["samba"], []),
        (SAMBA, "¿Quién lo desarrolló?", ["samba"], []),
        (SAMBA, "dame un ejemplo", ["samba"], []),
        (SAMBA, "explícame más", ["samba"], []),
        (SAMBA, "¿por qué?", ["samba"], []),
        (SAMBA, "más detalles", ["samba"], []),
        (SAMBA, "¿cómo lo instalo?", ["samba"], []),
        (SAMBA, "¿cómo instalarlo?", ["samba"], []),
        (SAMBA, "¿qué requisitos necesita?", ["samba"], []),
        (SAMBA, "¿cuáles son sus características?", ["samba"], []),
        (SAMBA, "¿Y eso para qué sirve?", ["samba"], []),
        (SAMBA, "¿Y su instalación?", ["samba"], []),
        (SAMBA, "pero ¿cuánto cuesta?", ["samba"], []),
        (SAMBA, "¿Se puede usar en Mac?", ["samba"], []),
        (SAMBA, "ok, ¿y cómo se instala?", ["samba"], []),
        (SAMBA, "gracias, ¿y cómo se desinstala?", ["samba"], []),
        (SAMBA, "¿Qué puertos usa?", ["samba"], []),
        (VACATIONS, "¿y se pueden acumular?", ["vacaciones"], []),
        (VACATIONS, "¿Y si renuncio antes?", ["vacaciones"], []),
        (VACATIONS, "¿Se pueden vender?", ["vacaciones"], []),
        (VACATIONS, "¿Puedo fraccionarlas?", ["vacaciones"], []),
        (VACATIONS, "¿quién las paga?", ["vacaciones"], []),
        (VACATIONS, "¿Qué dice el artículo 17?", ["vacaciones"], []),
        (VACATIONS, "¿y el artículo 18?", ["vacaciones"], []),
        (VACATIONS, "¿Cuándo se pagan?", ["vacaciones"], []),
        (VACATIONS, "¿y en el caso de los CAS?", ["vacaciones", "cas"], []),
        (VACATIONS, "¿y según el Decreto Legislativo 1057?", ["vacaciones", "1057"], ["713"]),
        (VACATIONS, "¿y la Ley 31047?", ["vacaciones", "31047"], ["713"]),
        (VACATIONS, "¿y el 1057?", ["vacaciones", "1057"], ["713"]),
        (VACATIONS, "¿Qué pasa si no las tomo?", ["vacaciones"], []),
        (VACATIONS, "¿me las pueden adelantar?", ["vacaciones"], []),
        (AUDITS, "¿y en la ISO 9001?", ["auditorias", "9001"], ["27001"]),
        (AUDITS, "¿y la 9001?", ["auditorias", "9001"], ["27001"]),
        (AUDITS, "¿y la ISO 14001?", ["auditorias", "14001"], ["27001"]),
        (AUDITS, "¿En qué se diferencia de la ISO 9001?", ["27001", "9001"], []),
        (AUDITS, "¿cada cuánto se hacen?", ["auditorias"], []),
        (AUDITS, "¿quién las realiza?", ["auditorias"], []),
        (AUDITS, "¿y los riesgos?", ["riesgos", "27001"], []),
        (AUDITS, "¿y la versión 2013?", ["auditorias", "27001:2013"], []),
        (DATA_LAW, "¿Qué dice su artículo 5?", ["datos personales", "29733"], []),
        (DATA_LAW, "¿Qué sanciones establece esa ley?", ["29733"], []),
        (DATA_LAW, "¿Cuándo entró en vigencia?", ["datos personales"], []),
        (DATA_LAW, "¿y quién la fiscaliza?", ["datos personales"], []),
        (DATA_LAW, "¿tiene reglamento?", ["datos personales"], []),
        (LICENCE, "¿y cuánto cuesta?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿El segundo se legaliza?", ["declaracion jurada"], []),
        (LICENCE, "¿la última es obligatoria?", ["vigencia de poder"], []),
        (LICENCE, "¿Cuánto demora el trámite?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿Dónde la solicito?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿dónde presento la solicitud?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿y si mi local es pequeño?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿Caduca?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿Puede ser virtual?", ["licencia de funcionamiento"], []),
        (LICENCE, "¿Qué multa hay por no tenerla?", ["licencia de funcionamiento"], []),
        (AUTHOR, "¿qué metodología usó?", ["arias", "2020"], []),
        (AUTHOR, "¿y García (2019)?", ["garcia", "2019", "clima"], ["arias"]),
        (AUTHOR, "¿y cuál fue la muestra?", ["arias", "clima"], []),
        (INVENTORY, "¿de qué trata el segundo?", ["manual de almacen"], []),
        (COMMITTEE, "¿y cuántos miembros tiene?", ["comite", "29783"], []),
        (COMMITTEE, "¿y cuál es el tope por trabajador?", ["comite", "tope por trabajador"], []),
        (LICENCE, "¿y cuál es el horario?", ["licencia de funcionamiento"], []),
        (COMMITTEE, "¿quiénes lo integran?", ["comite"], []),
        (COMMITTEE, "¿Cómo se elige?", ["comite"], []),
        (COMMITTEE, "¿y si tengo menos de veinte trabajadores?", ["comite"], []),
        (COMMITTEE, "compárala con la Ley 30222", ["29783", "30222"], []),
        (COMMITTEE, "resúmelo", ["comite"], []),
        (COMMITTEE, "continúa", ["comite"], []),
        (COMMITTEE, "¿algo más?", ["comite"], []),
        (COMMITTEE, "¿en qué artículo?", ["comite"], []),
        (COMMITTEE, "¿Eso aplica a las MYPE?", ["comite", "mype"], []),
        (COMMITTEE, "¿también para el sector público?", ["comite", "publico"], []),
        (COMMITTEE, "Tampoco entendí la sanción", ["comite"], []),
        (
            SAMBA + talk("¿y cómo se instala?", "Con apt install samba."),
            "¿y en Fedora?",
            ["samba", "fedora", "instala"],
            [],
        ),
        (SAMBA + talk("gracias", "De nada."), "¿y cómo se instala?", ["samba"], []),
        (
            SAMBA + talk("¿Qué es PostgreSQL?", "Un gestor de bases de datos."),
            "¿cómo se instala?",
            ["postgresql"],
            ["samba"],
        ),
        (
            talk(
                "¿Qué es la CTS?",
                "Es la compensación por tiempo de servicios [1]. ¿Quiere que le explique cómo se calcula?",
            ),
            "sí, por favor",
            ["cts", "calcula"],
            [],
        ),
    ],
)
def test_it_leans(history: list[Message], question: str, contains: list[str], excludes: list[str]) -> None:
    plan = analyze(question, history)
    alone = fold(plan.standalone_question)
    assert plan.reformulated
    assert [words for words in contains if words not in alone] == []
    assert [words for words in excludes if words in alone] == []


@pytest.mark.parametrize(
    ("history", "question"),
    [
        (SAMBA, "¿Qué es PostgreSQL?"),
        (SAMBA, "¿Y qué es PostgreSQL?"),
        (SAMBA, "¿y cuál es la capital de Francia?"),
        (SAMBA, "¿y cuál es el horario del municipio?"),
        (SAMBA, "¿Cuántos días de vacaciones le corresponden a un trabajador?"),
        (SAMBA, "¿Qué dice la Ley 29733?"),
        (SAMBA, "ISO 27001"),
        (SAMBA, "¿Cómo calculo la CTS de un trabajador?"),
        (SAMBA, "¿qué es el silencio administrativo?"),
        (SAMBA, "¿Qué dice Arias (2020)?"),
        (SAMBA, "Explícame el procedimiento de compras del manual de almacén"),
        (SAMBA, "¿Cuál es la capital de Francia?"),
        (SAMBA, "¿En qué fechas se deposita la gratificación de julio?"),
        (SAMBA, "¿Cómo está organizada la norma ISO 27001?"),
        (SAMBA, "¿Este año hay feriados nuevos en julio?"),
        (SAMBA, "¿La empresa puede despedir a una trabajadora embarazada?"),
        (SAMBA, "¿Qué multa le ponen al restaurante que no deja entrar perros guía?"),
        (VACATIONS, "¿Qué requisitos exige la licencia de conducir?"),
        (AUDITS, "¿Qué pide la ISO 9001 sobre proveedores?"),
        (LICENCE, "requisitos para la licencia de conducir"),
        (INVENTORY, "¿Qué es la CTS?"),
        (COMMITTEE, "¿Qué dice la Ley 29733 sobre el consentimiento?"),
        (talk("hola", "¡Hola! ¿En qué puedo ayudarle?"), "¿cómo se instala?"),
        (talk(), "¿y cómo se instala?"),
    ],
)
def test_it_is_left_alone(history: list[Message], question: str) -> None:
    plan = analyze(question, history)
    assert (plan.standalone_question, plan.reformulated) == (question, False)


@pytest.mark.parametrize(
    ("history", "question", "identifiers"),
    [
        (SAMBA, "¿Qué dice la Ley 29733?", ["ley:29733"]),
        (SAMBA, "ISO 27001", ["iso:27001"]),
        (SAMBA, "¿Cómo está organizada la norma ISO 27001?", ["iso:27001"]),
        (VACATIONS, "¿y se pueden acumular?", ["dl:713"]),
        (VACATIONS, "¿Y si renuncio antes?", ["dl:713"]),
        (VACATIONS, "¿Se pueden vender?", ["dl:713"]),
        (VACATIONS, "¿Puedo fraccionarlas?", ["dl:713"]),
        (VACATIONS, "¿quién las paga?", ["dl:713"]),
        (VACATIONS, "¿Qué dice el artículo 17?", ["dl:713"]),
        (VACATIONS, "¿y el artículo 18?", ["dl:713"]),
        (VACATIONS, "¿Cuándo se pagan?", ["dl:713"]),
        (VACATIONS, "¿y en el caso de los CAS?", ["dl:713"]),
        (VACATIONS, "¿y según el Decreto Legislativo 1057?", ["dl:1057"]),
        (VACATIONS, "¿y la Ley 31047?", ["ley:31047"]),
        (VACATIONS, "¿y el 1057?", ["dl:1057"]),
        (VACATIONS, "¿Qué requisitos exige la licencia de conducir?", []),
        (VACATIONS, "¿Qué pasa si no las tomo?", ["dl:713"]),
        (VACATIONS, "¿me las pueden adelantar?", ["dl:713"]),
        (AUDITS, "¿y en la ISO 9001?", ["iso:9001"]),
        (AUDITS, "¿y la 9001?", ["iso:9001"]),
        (AUDITS, "¿y la ISO 14001?", ["iso:14001"]),
        (AUDITS, "¿Qué pide la ISO 9001 sobre proveedores?", ["iso:9001"]),
        (AUDITS, "¿cada cuánto se hacen?", ["iso:27001"]),
        (AUDITS, "¿quién las realiza?", ["iso:27001"]),
        (AUDITS, "¿y los riesgos?", ["iso:27001"]),
        (AUDITS, "¿y la versión 2013?", ["iso:27001@2013"]),
        (DATA_LAW, "¿Qué dice su artículo 5?", ["ley:29733"]),
        (DATA_LAW, "¿Qué sanciones establece esa ley?", ["ley:29733"]),
        (COMMITTEE, "¿y cuántos miembros tiene?", ["ley:29783"]),
        (COMMITTEE, "¿quiénes lo integran?", ["ley:29783"]),
        (COMMITTEE, "¿Cómo se elige?", ["ley:29783"]),
        (COMMITTEE, "¿y si tengo menos de veinte trabajadores?", ["ley:29783"]),
        (COMMITTEE, "¿Qué dice la Ley 29733 sobre el consentimiento?", ["ley:29733"]),
        (COMMITTEE, "resúmelo", ["ley:29783"]),
        (COMMITTEE, "continúa", ["ley:29783"]),
        (COMMITTEE, "¿algo más?", ["ley:29783"]),
        (COMMITTEE, "¿en qué artículo?", ["ley:29783"]),
        (COMMITTEE, "¿Eso aplica a las MYPE?", ["ley:29783"]),
        (COMMITTEE, "¿también para el sector público?", ["ley:29783"]),
        (COMMITTEE, "Tampoco entendí la sanción", ["ley:29783"]),
    ],
)
def test_norms_are_inherited_unless_the_question_names_its_own(
    history: list[Message], question: str, identifiers: list[str]
) -> None:
    assert list(analyze(question, history).identifiers) == identifiers


@given(st.text(max_size=80))
def test_nothing_leans_without_a_conversation(question: str) -> None:
    assert not needs_context(question, [])
    assert standalone(question, []) == question


@example([], "EY¼0")  # courtesy that ends inside a word
@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=80))
def test_any_conversation_can_be_read(turns: list[str], question: str) -> None:
    plan = analyze(question, talk(*turns))
    assert plan.reformulated == (
        plan.standalone_question not in {plan.question, strip_courtesy(shorthand_in_full(plan.question))}
    )


def test_the_text_reads_well() -> None:
    assert standalone("¿Y cómo se instala?", SAMBA) == "¿Cómo se instala? (Samba)"
    assert standalone("¿y en la ISO 9001?", AUDITS) == "¿Qué exige la ISO 9001 sobre auditorías internas?"
    assert standalone("¿y la 9001?", AUDITS) == "¿Qué exige la ISO 9001 sobre auditorías internas?"


@pytest.mark.parametrize(
    ("topic", "question", "expected"),
    [
        ("¿Cuánto dura la garantía por defectos?", "¿y por robo?", "¿Por robo? (Cuánto dura la garantía por defectos)"),
        ("¿Qué dice Arias de la lectura?", "y de la escritura", "De la escritura (Qué dice Arias de la lectura)"),
        (
            "¿Qué multa hay por no usar casco?",
            "¿y por ir sin luces?",
            "¿Por ir sin luces? (Qué multa hay por no usar casco)",
        ),
        (
            "¿Qué plazo hay para apelar una multa?",
            "¿y para pagar?",
            "¿Para pagar? (Qué plazo hay para apelar una multa)",
        ),
        ("¿Qué plazo hay para apelar?", "¿y para las mypes?", "¿Para las mypes? (Qué plazo hay para apelar)"),
        ("¿Cuánto gana un becario?", "¿y el tutor?", "¿El tutor? (Cuánto gana un becario)"),
        ("¿Cuánto dura el turno?", "¿y si es feriado?", "¿Si es feriado? (Cuánto dura el turno)"),
        # A norm is not lost, and what only points is no phrase.
        ("¿Qué pide la Ley 100 en obras?", "¿y en talleres?", "¿En talleres? (Qué pide la Ley 100 en obras)"),
        ("¿Qué multas hay en la Ley 100?", "¿y en talleres?", "¿En talleres? (Qué multas hay en la Ley 100)"),
        ("¿Qué días hay en el sur?", "¿y en el segundo?", "¿En el segundo? (Qué días hay en el sur)"),
        ("¿Cuánto dura el turno?", "¿y en ese caso?", "¿Cuánto dura el turno?"),
        ("¿Reclamo al banco por un cobro?", "¿y al seguro?", "¿Al seguro? (Reclamo al banco por un cobro)"),
        ("¿Me multan por estar sin luces?", "¿y por correr?", "¿Por correr? (multan por estar sin luces)"),
        ("¿Puede trabajar un menor de edad?", "¿y de noche?", "¿De noche? (Puede trabajar un menor de edad)"),
        ("¿Cuánto dura el curso y en qué sede?", "¿y en línea?", "¿En línea? (Cuánto dura el curso y en qué sede)"),
        # The question asks something of its own.
        ("¿Qué es la garantía por robo?", "¿y cómo se pide?", "¿Cómo se pide? (garantía por robo)"),
    ],
)
def test_a_phrase_alone_asks_what_was_asked_before(topic: str, question: str, expected: str) -> None:
    assert standalone(question, talk(topic, "Sí.")) == expected


@pytest.mark.parametrize(
    ("answer", "question", "expected"),
    [
        ("1. Guía de calidad\n2. Manual de almacén", "¿de qué trata el segundo?", "Manual de almacén"),
        ("Son la reconsideración y la apelación, dentro de quince días.", "¿el último tiene plazo?", "la apelación"),
    ],
)
def test_an_ordinal_points_at_a_list_of_the_answer(answer: str, question: str, expected: str) -> None:
    assert f"({expected}, " in standalone(question, talk("¿Qué derechos da el RGPD?", answer))


def test_only_the_last_turns_count() -> None:
    history = SAMBA + talk(*["¿Qué es PostgreSQL?", "Un gestor de bases de datos."] * 3)
    assert "samba" not in fold(analyze("¿cómo se instala?", history).standalone_question)
    assert not analyze("¿cómo se instala?", SAMBA, history_messages=0).reformulated


# ---------------------------------------------------------------- a model's rewrite


@pytest.mark.parametrize(
    ("rewrite", "identifiers", "accepted"),
    [
        ("¿Cómo se instala Samba?", [], "¿Cómo se instala Samba?"),
        ("Pregunta reescrita: ¿Cómo se instala Samba?", [], "¿Cómo se instala Samba?"),
        ("«¿Cómo se instala Samba?»", [], "¿Cómo se instala Samba?"),
        ("¿Qué plazo fija la Ley N.º 29.733?", ["ley:29733"], "¿Qué plazo fija la Ley N.º 29.733?"),
        ("¿Qué plazo fija la ley?", ["ley:29733"], None),  # loses the norm
        ("¿Qué plazo fijan la Ley 29733 y la ISO 27001?", ["ley:29733"], None),  # adds one
        ("¿Cómo se instala Samba según la ISO 27001?", [], None),
        ("", [], None),
        ("Claro:\n¿Cómo se instala Samba?", [], None),
        ("palabra " * 100, [], None),
        ("No lo sé.", [], None),
        ("Lo siento, no puedo reescribir esa pregunta sobre la ley.", [], None),
        ("¿De qué color es la bandera?", [], None),  # nobody spoke of it
    ],
)
def test_accept_rewrite(rewrite: str, identifiers: list[str], accepted: str | None) -> None:
    assert (
        accept_rewrite("¿y cómo se instala?", rewrite, said=["¿Qué plazo da la ley?"], identifiers=identifiers)
        == accepted
    )


def test_a_long_chain_of_follow_ups_is_told_forward() -> None:
    """Each turn leans on the one before: looking back from every turn would double the work at each."""
    history = [Message("user", "¿Qué es Samba?"), *[Message("user", "¿Y eso?")] * 30]
    assert "Samba" in standalone("¿Y cómo se instala?", history)
