"""Work on documents, told apart from facts that only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.plan import analyze
from rag_system.query.routing import route
from rag_system.query.tasks import OFFER, read_task
from rag_system.types import Message, Route, Task, TaskKind

TASKS: dict[TaskKind, list[str]] = {
    "summarise": [
        "Resume este documento", "resúmeme la tesis", "¿Puedes resumir el manual de atención?",
        "Resumen del reglamento", "hazme un resumen", "haceme un resumen del contrato",
        "Dame un resumen ejecutivo de la guía ISO 27001",
        "¿me podrías hacer un resumen breve del informe de auditoría?", "Resuma la Ley 29733 en diez líneas",
        "Resumime el estatuto", "quiero un resumen del capítulo III", "necesito una síntesis de la sentencia T-025",
        "¿Cuáles son los puntos clave del manual?", "dame las ideas principales de la tesis", "resume el artículo 5",
        "Buenas tardes, ¿me resume el acta por favor? Gracias", "Sintetiza el capítulo 2 de la tesis", "resúmelo",
        "resume la conversación", "haz un resumen de todo lo que hemos hablado", "Resume todos los documentos",
        "resumen", "resumen de la ley 1581 de 2012", "RESUME EL CODIGO CIVIL", "resume las conclusiones de la tesis",
        "resume el anexo B", "elabora un resumen de este pdf en 5 puntos",
        "¿Cuál es el resumen de la tesis?", "ponme lo más importante de este archivo", "resume eso",
        "Me gustaría que me resumieras el convenio colectivo", "¿Podés resumirme la directiva?", "resume manual.pdf",
        "Hola, me ayudas a resumir el reglamento interno de trabajo?",
        "necesito que resumas la ley 30364 en una página", "hacé un resumen del segundo capítulo",
        "¿Me puede sintetizar el informe de gestión 2025?", "resumen por favor",
        "Dame los aspectos más importantes de la sentencia",
        "Elabore un resumen ejecutivo de este archivo para gerencia", "resumir todo",
        "¿podrías resumirme lo que hemos conversado?", "resume la sección sobre vacaciones del manual",
        "porfa resumeme el pdf que subi", "Quiero que me hagas una síntesis de la guía 29783",
    ],
    "compare": [
        "Compara la Ley 29783 con la Ley 29733", "compara los dos contratos",
        "¿Qué diferencia hay entre la ISO 9001:2008 y la 2015?", "Compare el manual de 2023 y el manual de 2024",
        "compáralos", "¿En qué se diferencia este reglamento del reglamento anterior?",
        "hazme un cuadro comparativo entre la tesis de rotación y la tesis de lectura",
        "¿qué cambió entre la versión 2.4 y la versión 3.0?",
        "¿Cuáles son las diferencias entre el contrato de Ana y el contrato de Luis?", "compara ambas ediciones",
        "¿Podrías comparar la NOM-035-STPS-2018 con la NOM-030-STPS-2009?",
        "tabla comparativa de la ley 39/2015 y la ley 40/2015",
        "quiero una comparación entre el Decreto 1072 y la Resolución 0312 de 2019",
        "Coteja el acta de marzo con el acta de abril", "compara estos documentos",
        "¿qué diferencias hay entre la ISO 27001:2013 y la ISO 27001:2022?",
        "¿Puedes comparar este contrato con el anterior?", "comparame la directiva 005 y el reglamento",
        "¿Cuáles son los cambios entre la ISO 9001:2008 y la ISO 9001:2015?",
        "haz una tabla comparativa de los dos reglamentos", "compara el acta 02 y el acta 03 punto por punto",
        "dime las diferencias entre la ley 27444 y la ley 29733",
        "contrasta la tesis de Pérez con el artículo de Gómez",
    ],
    "outline": [
        "¿De qué trata la Ley 29783?", "de que trata este documento", "¿De qué va el manual de copias?",
        "¿de qué habla la tesis?", "índice", "Dame el índice del reglamento", "¿Cuál es el índice de la tesis?",
        "¿Qué capítulos tiene la ley?", "¿qué secciones tiene el informe?",
        "hazme un esquema del capítulo 4", "¿De qué trata?", "¿Sobre qué trata el documento de gestión ambiental?",
        "muéstrame la tabla de contenido", "¿de qué trata el capítulo II?",
        "¿De qué tratan los contratos?", "¿En qué partes se divide el estatuto?",
        "Hola, ¿de qué se trata el acta? gracias", "¿De qué temas trata la ley 29733?", "estructura de la tesis",
        "¿De qué va este pdf?", "muestrame el indice de la tesis de enfermeria",
        "¿Qué apartados tiene la norma UNE-EN ISO 9001?", "oye y de qué trata el decreto 1072 de 2015?",
        "dime de qué trata el manual",
    ],
    "list_all": [
        "todos los plazos", "dame todos los plazos del reglamento", "Lista todas las sanciones",
        "¿Cuáles son todas las multas de la ley?", "Extrae todas las fechas del contrato",
        "enumera todas las obligaciones del empleador", "dime todos los requisitos que exige la norma",
        "Necesito todas las definiciones de la Ley 29733", "Encuentra todas las prohibiciones del reglamento",
        "todas las personas que menciona el acta", "Muéstrame todos los montos que aparecen en el contrato",
        "indíqueme todas las infracciones",
        "busca todos los acuerdos en las actas", "¿me das todas las tablas de la tesis?",
        "quiero todas las fechas que aparecen en el expediente", "dame todas las obligaciones del contratista",
        "¿qué es gratis?", "todos los costos de los talleres", "¿Qué talleres son gratis?",
        "¿Qué es gratuito según la guía de la Ley 29733?", "dame todo lo prohibido en el reglamento",
        "enlista todos los plazos de la ley 27444", "¿qué multas hay? dame todas las multas",
        "lístame todos los nombres del acta", "todas las definiciones",
    ],
    "explain": [
        "explícamelo más fácil", "explica eso en palabras sencillas", "más simple por favor", "no entendí",
        "No entiendo, explícame mejor", "¿Me lo explicas como si tuviera diez años?", "explícalo con otras palabras",
        "dímelo en cristiano", "Explique el artículo 5 en lenguaje sencillo",
        "¿puedes explicarlo de forma más sencilla?", "explícame este documento como a un niño",
        "explicá lo anterior más claro", "¿Lo puedes explicar más despacio?", "no entiendo nada, más fácil porfa",
        "¿puedes explicar eso en lenguaje claro?", "explica la cláusula 5 en palabras simples",
        "aclárame eso de nuevo", "no me quedó claro",
    ],
    "example": [
        "dame un ejemplo", "¿me das un ejemplo práctico?", "ponme un ejemplo de eso", "otro ejemplo",
        "quiero dos ejemplos concretos", "¿Podrías darme un ejemplo sencillo?", "ejemplo",
        "un ejemplo de la vida real, por favor", "deme algunos ejemplos", "¿tienes un ejemplo?", "a ver, un ejemplo",
        "muéstrame un ejemplo concreto de eso",
    ],
    "translate": [
        "tradúcelo al inglés", "Traduce la respuesta al quechua", "en inglés por favor",
        "¿puedes traducir eso al francés?", "dímelo en portugués", "Traduzca el artículo 3 al inglés",
        "ahora en aimara", "traducí esto al guaraní", "¿Me lo traduces al italiano?", "lo mismo pero en inglés",
        "Traduce este documento al alemán", "tradúceme el resumen de la tesis al inglés", "traducir al inglés",
        "responde en quechua", "traduce el resumen al portugués",
    ],
    "draft": [
        "redacta una carta con eso", "escribe un correo con esa información",
        "Prepárame un checklist del procedimiento", "redáctame un oficio sobre lo anterior",
        "Hazme una lista de verificación a partir del manual",
        "¿puedes escribir una solicitud basada en la ley 29733?", "elabora un informe con lo anterior",
        "Redacte un memorando para el personal", "genera un borrador de apelación",
        "haceme un mensaje de WhatsApp con esto", "crea un cuestionario sobre el capítulo 2",
        "Necesito que me redactes una denuncia", "escríbeme un recurso de reconsideración",
        "ayúdame a redactar una carta de reclamo", "Escribe un email para mi jefe con estos datos",
        "hazme un checklist con los requisitos anteriores", "prepara una presentación sobre la ley 29783",
    ],
    "facts": [
        "¿quién firma el acta?", "¿Cuántas páginas tiene la tesis?", "¿Quién es el autor del manual?",
        "¿Quién escribió este documento?", "¿De qué fecha es el reglamento?",
        "¿cuándo se publicó la ley 29733?", "¿Cuántos artículos tiene la ley 29733?", "¿Qué versión es el manual?",
        "¿Cuál es el título de este documento?", "¿Qué tipo de documento es este?", "¿quiénes firman el contrato?",
        "¿cuántas hojas tiene?", "¿Qué entidad emitió la resolución?",
        "¿Cuántos capítulos tiene el código?", "número de páginas del informe", "¿quiénes son los autores?",
        "¿Cómo se titula este libro?", "¿Cuál es la versión vigente del procedimiento?", "¿quién elaboró la guía?",
        "¿cuándo se firmó el convenio?", "¿Quién es la autora de la tesis de lectura?", "¿De qué año es la guía?",
        "¿cuándo fue emitida la resolución 0312?", "cuantas paginas tiene este documento",
        "¿Cuál es la fecha del contrato?", "¿quién suscribe el convenio?",
        "¿Cuántas secciones tiene el manual de la bomba?",
    ],
}  # fmt: skip

FACTS = [  # what stands in a passage, though it is asked for with the words of a task
    "¿Cuál es el resumen de infracciones del reglamento?", "¿Qué debe contener el resumen de una tesis?",
    "¿Cuántas palabras debe tener el resumen?", "¿Quién presenta el resumen ejecutivo al directorio?",
    "plazo para presentar el resumen", "¿Qué es un resumen de historia clínica?",
    "hoja resumen de la tarjeta de crédito", "¿Cómo se elabora el resumen ejecutivo?",
    "¿dónde se publica el resumen del plan?", "¿Qué diferencia hay entre reclamo y queja?",
    "diferencia entre corrección y acción correctiva", "¿En qué se diferencia consultar de participar?",
    "diferencia entre ISO 27001 y 27002", "¿Qué diferencia hay entre anonimizar y disociar?",
    "¿Qué diferencia hay entre renuncia y despido?", "¿Cuál es la diferencia entre plazo y término?",
    "¿Qué diferencia hubo entre la mezcla de control y la V20?", "diferencias de sueldo entre categorías",
    "¿Qué prueba estadística se aplicó para comparar las mezclas?", "¿Cómo se comparan los resultados?",
    "¿Qué cuatro algoritmos se compararon en la tesis?", "compara la reconsideración con la apelación",
    "¿Con qué se compara el precio de referencia?", "cuadro comparativo de precios: ¿quién lo aprueba?",
    "¿Qué cambió en la ISO 45001 respecto de OHSAS 18001?", "¿qué cambios hay en el horario de atención?",
    "¿Qué cambio introdujo el artículo 5?", "¿De qué trata el silencio administrativo?",
    "¿de qué tratan los artículos 5 y 6?", "¿De qué se encarga el comité?", "¿de qué habla Arias (2020)?",
    "índice de rotación de personal", "¿Cuál es el índice de madurez documental?",
    "¿Cuál es el índice de accidentabilidad?", "índice de precios al consumidor",
    "¿Cuál es la estructura del comité?", "estructura orgánica de la municipalidad",
    "¿Cómo está organizada la norma ISO 27001?", "¿Qué partes tiene la bomba?",
    "¿Qué título necesito para ser notario?", "¿Qué secciones se atienden los sábados?",
    "¿qué temas se tocan en la inducción?", "¿Todos los trabajadores tienen derecho a CTS?",
    "¿a todos los usuarios se les cobra?", "¿Se deben firmar todas las hojas?",
    "¿Debo entregar todos los requisitos juntos?", "Lista las obligaciones del empleador",
    "enumera los principios de la ley 29733", "lista de requisitos", "¿Cuáles son las sanciones por no pagar?",
    "dime las normas de convivencia", "¿Qué plazos hay para apelar?", "¿todas las multas prescriben?",
    "Perfecto, explícame el módulo de planillas", "explícame qué es la CTS", "explica el silencio administrativo",
    "¿Puedes explicarme la Ley 29783?", "Explíqueme el procedimiento de apelación",
    "¿Qué es más fácil, apelar o reconsiderar?", "no entiendo la CTS", "¿Qué es el lenguaje claro?",
    "¿Quién explica el reglamento a los nuevos?", "¿Cómo se simplifica el trámite?",
    "simplificación administrativa", "dame un ejemplo de silencio administrativo",
    "¿Qué ejemplos de datos sensibles da la ley?", "ejemplos de infracciones graves",
    "¿Qué ejemplo pone el manual?", "formato de ejemplo de carta", "¿Cuántos ejemplares se entregan?",
    "por ejemplo, ¿qué pasa si vence el plazo?", "¿Cómo se traduce un título extranjero?",
    "¿hay que traducir la sentencia?", "¿Quién paga al traductor?", "traducción oficial",
    "requisitos para traducir un documento", "¿En qué idioma se presenta la solicitud?",
    "¿Se puede declarar en quechua?", "nivel de inglés requerido", "¿Los cursos en inglés se convalidan?",
    "¿Cómo se redacta un acta?", "¿Quién redacta el informe?", "¿Qué debe contener la carta de preaviso?",
    "modelo de carta de renuncia", "¿Pueden los escribanos redactar actas de asambleas?",
    "¿Dónde presento la solicitud?", "¿cómo escribo una queja?", "plazo para elaborar el informe",
    "¿Quién debe elaborar el plan de seguridad?", "carta fianza", "correo del área de soporte",
    "¿Qué formato debo llenar?", "redacción de contratos", "¿Quién firma los documentos?",
    "¿Quién firma el contrato de trabajo cuando falta el gerente?", "¿Qué documentos firma el gerente?",
    "¿Quién aprueba el presupuesto?", "¿Quién es el titular de datos?",
    "¿Quién autoriza el préstamo de documentos?", "¿Cuándo entra en vigencia la ley?",
    "¿Cuándo se publica la lista?", "¿Cuándo se firma el contrato?",
    "¿Cuántas páginas de impresión tiene cada estudiante?", "¿Cuántas páginas debe tener el ensayo?",
    "¿cuántas hojas tiene que tener la tesis?", "¿Qué versión del sistema se instala?",
    "¿Cuál es la versión mínima de Windows?", "fecha de vencimiento del carnet",
    "¿Cuál es la fecha límite de pago?", "¿De qué fecha son los intereses?",
    "¿Cuál es el nombre del responsable?", "¿Qué tipo de documento se necesita para votar?",
    "¿Cuántos capítulos leyó cada grupo?", "¿Cuántos artículos se derogan?",
    "¿Cuántos anexos debe adjuntar el postor?", "derechos de autor", "¿Qué dice la autora Montferrer (2017)?",
    "¿Qué sostiene el autor (Arias, 2020, p. 45)?", "¿Quién fue el autor del robo?",
    "¿Qué dice el manual sobre el horario?", "¿Qué dice el artículo 7?",
    "Muéstrame el artículo 5 de la ley 29733", "¿Qué contiene una base de datos personales?", "conclusiones",
    "hipótesis", "¿Cuáles son las conclusiones de la tesis?", "¿Qué pasa si el resumen no está firmado?",
    "¿Me pueden exigir un resumen de mi tesis?", "¿Cuál es la diferencia entre un reglamento y una directiva?",
    "¿Qué diferencia hay entre contrato a plazo fijo y contrato indeterminado?",
    "¿El reglamento se diferencia de la ley?", "¿Se puede comparar el puntaje?",
    "¿Qué parte del sueldo se embarga?", "¿Cuál es el contenido mínimo del expediente técnico?",
    "¿Cuál es el índice de masa corporal normal?", "¿Qué capítulo regula las vacaciones?",
    "¿Qué artículo habla de las multas?", "¿En qué capítulo se trata la apelación?", "todos los días se atiende?",
    "¿todas las áreas reciben capacitación?", "quiero saber todas las veces que puedo faltar",
    "¿Deben firmar todos los miembros del comité?", "explícame cómo se calcula la CTS",
    "¿Hay una forma más fácil de pagar?", "¿es más sencillo por internet?", "necesito un ejemplar del contrato",
    "¿Qué ejemplo de acción correctiva trae la guía?", "¿Quién traduce los documentos del expediente?",
    "¿Debo traducir mi partida al español?", "¿hay formularios en quechua?", "necesito un modelo de solicitud",
    "¿Cómo preparo una presentación para el comité?", "¿Se puede escribir una queja por WhatsApp?",
    "¿qué carta tengo que enviar para renunciar?", "¿Quién firma la constancia de trabajo?",
    "¿Quién elabora el mapa de riesgos?", "¿Qué entidad emite el certificado?",
    "¿Cuándo se aprueba el presupuesto?", "¿Cuántas páginas se pueden imprimir gratis?",
    "¿Qué versión de la norma exige el certificado?", "¿Cómo se llama el formulario para apelar?",
    "¿cuál es el título profesional requerido?", "¿Qué fecha tiene la próxima sesión?",
    "fecha de la próxima reunión", "¿Cuántos artículos científicos se exigen para titularse?",
    "lo más importante en seguridad", "ideas principales de Montferrer sobre la lectura",
    "¿Cuáles son los puntos clave de control en la cocina?", "Dame el plazo de la ley 27444",
    "¿qué dice la ley 27444 sobre los plazos?", "explica la diferencia entre dolo y culpa",
    "¿Cuál es la estructura de costos?", "partes del motor", "mapa de procesos", "esquema de vacunación",
    "resumen de boletas de venta", "¿Qué es una tabla comparativa de ofertas?",
]  # fmt: skip

ALL = [(kind, question) for kind, questions in TASKS.items() for question in questions]

LOOKS = [*((Route.TASK, question) for _, question in ALL), *((Route.RETRIEVE, question) for question in FACTS)]


def test_a_task_is_read() -> None:
    read = {question: (task.kind, route(question)) if (task := read_task(question)) else None for _, question in ALL}
    assert read == {question: (kind, Route.TASK) for kind, question in ALL}


def test_a_fact_is_no_task() -> None:
    assert [each for each in FACTS if read_task(each) or route(each) is not Route.RETRIEVE] == []


def test_neither_accents_nor_case_nor_courtesy_change_what_is_read() -> None:
    variants = {
        variant: expected
        for expected, question in LOOKS
        for variant in (
            question.upper(),
            question.translate(str.maketrans("áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU")),
            question.strip("¿?"),
            f"Hola, buenos días. {question}. Muchas gracias",
        )
    }
    assert [(each, read) for each, expected in variants.items() if (read := route(each)) is not expected] == []


def document(*names: str, kind: TaskKind = "summarise", what: str = "") -> Task:
    return Task(kind=kind, of="documents", names=names, what=what)


def part(section: str, *names: str, certain: bool = True) -> Task:
    return Task(kind="summarise", of="section", names=names, section=section, certain=certain)


def subject(name: str) -> Task:
    return Task(kind="summarise", of="documents", names=(name,), certain=False)


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("Resume este documento", document()),
        ("Resúmeme la Guía de la Ley N.º 29733, por favor", document("la Guía de la Ley N.º 29733")),
        ("hazme un resumen", Task(kind="summarise")),
        ("resume el capítulo III del Código Penal", part("capítulo III", "Código Penal")),
        ("Resume las Conclusiones de la tesis", part("Conclusiones", "tesis", certain=False)),
        ("resume todo lo que hemos hablado", Task(kind="summarise", of="conversation")),
        ("resume todos los documentos", Task(kind="summarise", of="collection")),
        ("resume el silencio administrativo", subject("el silencio administrativo")),
        ("¿Qué diferencia hay entre la ISO 9001:2008 y la 2015?",
         document("la ISO 9001:2008", "la 2015", kind="compare")),
        ("compara los dos contratos", document(kind="compare")),
        ("compara los plazos de la ley 27444 y la ley 30225",
         document("la ley 27444", "la ley 30225", kind="compare", what="los plazos")),
        ("compara la Ley 30036 con la Ley 31572 en cuanto a los equipos",
         document("la Ley 30036", "la Ley 31572", kind="compare", what="los equipos")),
        ("las conclusiones de la tesis de Rojas",
         Task(kind="summarise", of="section", names=("la tesis de Rojas",), section="conclusiones",
              what="section")),
        ("dame todos los plazos del reglamento", document("reglamento", kind="list_all", what="plazos")),
        ("todas las obligaciones del empleador", Task(kind="list_all", what="obligaciones del empleador")),
        ("traduce el artículo 5 al inglés", Task(kind="translate", of="section", section="artículo 5", what="inglés")),
        ("tradúcelo al inglés", Task(kind="translate", what="inglés")),
        ("Redacta una carta de reclamo con eso", Task(kind="draft", of="answer", what="carta de reclamo")),
        ("¿Quién firma el acta?", document("acta", kind="facts", what="signatories")),
        ("¿Cuántas páginas tiene?", Task(kind="facts", what="pages")),
        ("¿De cuándo es el acta del comité?", document("el acta del comité", kind="facts", what="date")),
        ("¿de cuándo son?", Task(kind="facts", what="date")),
        ("¿Quién lo escribió?", Task(kind="facts", what="author")),
        ("¿Cuántos artículos tiene la ley 29733?", document("la ley 29733", kind="facts", what="artículos")),
    ],
)  # fmt: skip
def test_what_a_task_is_about(question: str, task: Task) -> None:
    assert read_task(question) == task


GIVEN = [Message("user", "Resume la ley 29733"), Message("assistant", f"Son 34 consultas al modelo. {OFFER}")]


@pytest.mark.parametrize("yes", ["sí", "Continuar", "dale", "ok", "Sí, por favor", "continúa", "adelante"])
def test_an_offer_that_is_accepted_is_the_task_that_it_was_about(yes: str) -> None:
    plan = analyze(yes, GIVEN)
    assert plan.task == Task(kind="summarise", of="documents", names=("la ley 29733",), confirmed=True)


@pytest.mark.parametrize("no", ["no", "mejor no", "¿Cuánto dura?", "gracias"])
def test_an_offer_that_is_not_accepted_is_none(no: str) -> None:
    assert analyze(no, GIVEN).task is None


def test_one_of_a_list_that_was_just_given() -> None:
    listed = [
        Message("user", "¿Qué documentos tienes?"),
        Message("assistant", "1. Guía de calidad\n2. Manual de almacén"),
    ]
    assert read_task("resume el segundo", listed) == document("Manual de almacén")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    task = read_task(text)
    assert task is None or all(name in text or name.strip() for name in task.names)
