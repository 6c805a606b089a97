"""Courtesy, questions about the collection, and questions to search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.courtesy import strip_courtesy
from rag_system.query.inventory import read_inventory
from rag_system.query.routing import route
from rag_system.query.typing_habits import mend, shorthand_in_full
from rag_system.types import InventoryFilter, Message, Route

TRIVIAL = [
    "HOLA", "Hola!", "¡Hola!", "hola :)", "hola 👋", "Buen día", "buenas noches", "Buenas tardes, ¿cómo está usted?",
    "qué tal", "¿Qué tal?", "que hay", "hola que tal todo bien?", "Muchas gracias", "gracias",
    "Gracias, muy amable", "muchísimas gracias por la información", "mil gracias por tu ayuda", "te lo agradezco",
    "OK", "okay", "Ok.", "vale", "listo, gracias", "perfecto", "¡Perfecto!", "excelente", "genial, gracias",
    "de nada", "hasta luego", "Hasta pronto", "nos vemos", "bye", "Chao", "¿Quién eres tú?", "¿Qué eres?",
    "quien eres", "¿Cómo te llamas?", "¿Cuál es tu nombre?", "¿Qué sabes hacer?", "que puedes hacer por mi",
    "¿En qué puedes ayudarme?", "¿Cómo puedes ayudarme?", "¿me ayudas?", "¿Cómo funcionas?", "¿Para qué sirves?",
    "¿Eres una IA?", "¿eres humano o robot?", "¿Eres ChatGPT?", "¿Quién te programó?", "ayuda", "Ayuda por favor",
    "¿Hablas español?", "¿Estás ahí?", "hola, ¿quién eres?", "Hola, ¿qué puedes hacer?", "gracias, adiós",
    "ok, gracias, hasta luego", "bueno, gracias", "ya entendí", "entendido, muchas gracias", "Eso es todo",
    "no, eso es todo", "sí gracias", "claro", "de acuerdo", "jaja ok", "buenísimo", "súper", "qué bien",
    "que bueno", "muy útil, gracias", "me sirvió mucho, gracias", "eres muy amable", "buen trabajo", "🙏", "😊😊",
    "!!!", "...", "¿?", "hello", "Hi!", "good morning", "saludos", "Estimado, buenos días", "Buenos días a todos",
    "feliz día", "Buenas, ¿cómo te va?", "Cuéntame sobre ti", "¿cómo te uso?", "¿Cómo funciona este chat?",
    "qué haces", "¿quién está ahí?", "tengo una pregunta", "quiero hacerte una consulta", "una pregunta",
    "¿puedo hacerte una pregunta?", "hola necesito ayuda", "Hola, me puedes ayudar?", "oye", "gracias crack",
    "ok ok", "ya", "si", "no", "ok, perfecto", "Muy buenas", "Hola buenas tardes", "grax", "holi",
    "gracias totales", "muy bien, gracias", "todo claro", "excelente, muchas gracias por la respuesta",
    "¿quién te hizo?", "Hola, mi nombre es Juan", "me llamo Ana", "holaaa", "Buenas", "ola k tal", "👍",
    "gracias!!! 😊", "muchas gracias por tu ayuda", "ok gracias", "Perfecto, gracias", "hola, ¿cómo estás?",
    "buenas tardes estimado asistente", "¿Eres un robot?", "¿en qué me puedes ayudar?", "como te llamas", "???",
    "sí", "no, gracias", "nos vemos mañana", "hasta mañana", "eso es todo, gracias", "Entendido", "listo",
    "muy bien", "excelente respuesta", "jajaja", "¿me puedes ayudar?", "tengo una consulta", "necesito ayuda",
    "buen día", "saludos cordiales", "de acuerdo, muchas gracias", "chau, gracias", "hola hola", "HOLA!!!",
    "   hola   ", "muchas gracias, muy amable", "ya, gracias", "vale, gracias", "¿quién te creó?", "thank you",
    "ok, entendido", "Que tengas un buen día", "gracias, eso es todo", "bien gracias", "hola buenas", "test",
    "hola buen día", "Hola, buenas noches a todos", "holaaaaa", "buenas buenas", "ey", "Buenas tardes señor",
    "hola estimado", "Hola Legajo", "hola asistente", "gracias legajo", "gracias, bot", "gracias por responder",
    "gracias por la ayuda brindada", "gracias por tu tiempo", "agradezco tu ayuda", "muy agradecido",
    "ok muchas gracias", "ok, entiendo", "ya veo", "ah ok", "ah ya", "ajá", "mmm", "uhm", "jajajaja",
    "jeje gracias", "bien", "todo bien", "bien, ¿y tú?", "¿Cómo estás hoy?", "¿Cómo te encuentras?",
    "¿Qué tal tu día?", "¿qué onda?", "mucho gusto", "encantado", "un placer", "el gusto es mío", "igualmente",
    "feliz navidad", "buen fin de semana", "hasta la próxima", "me voy, gracias", "listo, eso era todo",
    "no tengo más preguntas", "nada, gracias", "no por ahora", "por ahora no, gracias", "¿eres una persona?",
    "¿Eres real?", "¿eres un asistente virtual?", "¿quién está detrás de esto?", "¿quién te entrenó?",
    "¿qué modelo usas?", "¿qué IA eres?", "¿cómo puedo usarte?", "¿qué cosas puedes hacer?",
    "¿Qué me puedes ofrecer?", "¿qué funciones tienes?", "¿cuáles son tus capacidades?", "¿qué servicios ofreces?",
    "¿Qué clase de preguntas puedo hacerte?", "Preséntate", "dime quién eres", "¿me puedes decir quién eres?",
    "quiero saber quién eres", "¿puedes ayudarme con una consulta?", "¿puedes ayudarme por favor?",
    "Necesito tu ayuda", "hola, tengo una duda", "buenas, una consulta", "quisiera hacer una consulta", "perdón",
    "disculpa", "lo siento", "no te preocupes", "está bien", "esta bien gracias", "suena bien", "me parece bien",
    "sí, claro", "nop", "sip", "simón", "okis", "10/10", "¡Qué rápido!", "eres lo máximo", "te felicito",
    "felicitaciones", "bravo", "wow", "increíble", "chévere", "bacán", "genio", "crack",
]  # fmt: skip

RETRIEVE = [
    "UIT", "CTS", "IGV", "AFP", "vacaciones", "kárdex", "planilla", "silencio administrativo",
    "recurso de apelación", "contrato CAS", "libro mayor", "Hola Linux", "Hola mundo en Python", "¿hola mundo?",
    "Buenas prácticas", "buenas costumbres", "Buena pro", "Gracias presidenciales", "derecho de gracia", "OK 2020",
    "Perfecto Gómez", "claro que sí, pero ¿qué es el CAS?", "Ayuda memoria", "ayuda alimentaria",
    "Ayuda humanitaria", "ayuda para pagar la luz", "¿Qué puedes decirme de la ISO 27001?",
    "¿Qué puedes decirme sobre el teletrabajo?", "¿Qué sabes sobre la CTS?", "¿Qué sabes de vacaciones?",
    "¿Me puedes ayudar con la CTS?", "¿Puedes explicarme la Ley 29783?",
    "¿Cómo funciona el silencio administrativo?", "¿Para qué sirve el libro de reclamaciones?",
    "¿Quién eres tú para SUNAT?", "¿Quién es el titular de datos?", "¿Cuál es el nombre del responsable?",
    "¿Cómo se llama el impuesto a las ventas?", "¿Qué hace SUNAFIL?", "¿Qué es un robot industrial?",
    "inteligencia artificial", "ley de inteligencia artificial", "Hola, kardex", "hola! vacaciones truncas",
    "buenas tardes, quisiera saber cuánto dura la licencia por maternidad",
    "Buenos días, necesito saber el plazo para apelar", "gracias. Otra pregunta: ¿qué es la UIT?",
    "ok, ¿y la multa?", "listo, ahora explícame la CTS", "ya, pero cuánto es la multa", "sí, pero ¿cuánto cuesta?",
    "no entiendo la CTS", "Estimados, ¿cuál es el horario de atención?", "disculpa, ¿qué es el TUPA?",
    "por favor explica el artículo 5", "Por favor, ¿qué es el CAS?", "¿Cómo estás obligado a pagar?",
    "¿Qué tal si no pago la multa?", "me llamo Juan y quiero saber cuántas vacaciones me tocan",
    "¿Cuántos documentos se presentan para el trámite?", "¿Qué documentos exige la licencia de funcionamiento?",
    "¿Qué documentos se necesitan para el DNI?", "¿Qué documentos debo llevar?",
    "¿Qué documentos son obligatorios en la ISO 9001?", "¿Cuáles son los documentos obligatorios de la ISO 9001?",
    "control de documentos", "gestión documental", "documentos de identidad", "documentos contables",
    "lista de documentos para el bono", "Lista los documentos que debo presentar para el bono",
    "Enumera los documentos necesarios para casarse", "Lista los requisitos de la licencia",
    "lista las obligaciones del empleador", "Muéstrame el artículo 5 de la ley 29733",
    "muestra los pasos para inscribirse", "¿Dónde presento los documentos?", "¿Quién firma los documentos?",
    "archivo de documentos", "¿Cuánto tiempo se conservan los documentos?", "¿Cómo subir documentos al sistema?",
    "¿Cómo cargo un archivo en el SIAF?", "¿Qué fuentes del derecho reconoce la ley?", "fuentes de contaminación",
    "¿Cuáles son las fuentes de financiamiento?", "¿Qué libros lleva una MYPE?", "libros electrónicos",
    "¿Qué leyes protegen al trabajador?", "¿Qué leyes regulan los datos personales?",
    "¿Qué ley regula el teletrabajo?", "¿Qué normas debo cumplir?", "¿Qué normas aplica una empresa minera?",
    "¿Cuántas leyes se derogan?", "¿Qué reglamento aprueba el DS 003-2013-JUS?",
    "¿Qué manuales debe tener una empresa?", "¿Qué manuales exige la ISO 9001?", "manual de funciones",
    "¿Qué información debe contener el contrato?", "¿Qué información tienes sobre la ISO 27001?",
    "¿Tienes información de la CTS?", "¿Sabes algo de la ley 29733?", "¿Qué temas abarca la ISO 27001?",
    "documentos vencidos",
    "ver documentos vencidos", "anular documentos en ventas", "¿Cómo se registran los documentos de compra?",
    "imprimir documentos", "¿Qué documento acredita la propiedad?", "¿qué archivos genera el PLAME?",
    "¿Qué pasa si pierdo mis documentos?", "Mis documentos fueron robados, ¿qué hago?",
    "mis documentos de identidad se perdieron", "¿Tienes que presentar documentos para el bono?",
    "¿Tengo que presentar documentos?", "¿Hay documentos que debo presentar?",
    "¿hay leyes que protejan a los animales?", "¿Existe una ley sobre perros guía?",
    "¿hay alguna norma sobre cámaras de seguridad?", "¿Existe alguna norma que regule el teletrabajo?",
    "¿Qué materiales se prohíben en las bolsas?", "¿Qué políticas exige la ISO 27001?",

    "¿qué normas conoce el trabajador?", "¿Cuántos archivos puede tener un expediente?", "base de datos",
    "¿Qué contiene una base de datos personales?", "¿qué hay en el registro de proveedores?",
    "sistema de gestión documental", "¿En qué documentos se basa la auditoría?", "¿Qué documentos usa el auditor?",
    "¿qué documentos maneja el almacén?", "Dame los documentos para postular",
    "Dime las leyes que debe cumplir una bodega", "enumera los principios de la ley 29733",
    "¿Cuáles son las normas de seguridad?", "¿cuáles son los libros contables obligatorios?",
    "¿Cuáles son mis derechos?", "¿Cuáles son mis obligaciones como empleador?", "tus derechos ARCO", "documentos",
    "leyes", "normas", "archivo", "Hola Samba", "hola, una consulta: ¿cuánto dura el contrato CAS?",
    "buenas, vacaciones", "Buenas prácticas de manufactura", "perfecto estado del inmueble", "bien inmueble",
    "ok y la ley 29733", "gracias y qué es la CTS", "Gracias a la vida", "acción de gracias", "saludo a la bandera",
    "¿Qué puedes hacer con Samba?", "¿Quién eres para la ley?", "¿Cómo funciona Samba?",
    "¿Para qué sirve el kardex?", "ayuda humanitaria", "ayuda con mi licencia de maternidad",
    "¿Qué documentos necesito para casarme?", "¿Qué documentos hay que presentar?",
    "¿Qué documentos tienes que presentar?", "¿Qué documentos tienen valor probatorio?",
    "¿qué libros contables debo llevar?", "lista los documentos que exige el trámite",
    "¿Cuáles son las fuentes del derecho?", "¿Qué fuentes de energía hay?",
    "¿qué leyes tiene el Perú sobre el agua?", "documentos de gestión", "¿Qué normas regulan el teletrabajo?",
    "Enumera los requisitos", "lista de requisitos", "¿Cuántos libros debe llevar una SAC?",
    "¿Qué archivos se guardan en el archivo central?", "¿Qué documentos firma el gerente?",
    "mostrar documentos en Excel de SIAF", "¿Qué manual aprueba la entidad?", "¿hay multas?",
    "si no pago, ¿qué pasa?", "no quiero pagar la multa", "ya pagué mi multa, ¿y ahora?",
    "si trabajo en feriado cuánto me pagan", "claro de luna", "¿Tienes información sobre la CTS?",
    "inventario de bienes", "¿Qué documentos tiene el expediente?", "ley", "leyes laborales",
    "cómo te afecta la ley", "estoy embarazada, ¿me pueden despedir?", "El sistema no funciona", "buena fe",
    "Bueno, ¿y cómo se calcula la CTS?", "¿Qué archivos debo subir a la plataforma?",
    "Muéstrame la ley de teletrabajo", "¿qué fuentes de financiamiento existen?",
    "¿qué tipo de documentos se archivan?", "¿Qué tal funciona el SIAF?", "¿Qué guías de remisión se emiten?",
    "¿Qué informes presenta el auditor?", "listado de documentos para matrimonio civil",
    "¿cuáles son los documentos de gestión municipal?", "Dime los reglamentos que debe aprobar la municipalidad",
    "capital social", "acta de inspección", "flujo de caja", "¿SST?", "¿RUC?", "CTS trunca", "asiento contable",
    "orden de compra", "módulo de planillas", "reporte de ventas", "Usuarios del sistema",
    "Cierre contable mensual", "Registro de asistencia", "buen pastor", "¿Hola es un saludo formal?",
    "Saludos en oficios", "¿Qué hora es?", "¿Cuánto es 2+2?", "Quiero saber qué es la CTS", "hola que es la cts",
    "buenos dias cuantos dias de vacaciones tengo", "buenas, ¿el CAS tiene CTS?", "ok entonces ¿cuál es el plazo?",
    "Genial, ahora dime qué es la UIT", "Excelente. ¿Y la multa cuánto es?", "Muy bien, pasemos a la Ley 29733",
    "gracias por la info, ¿y si no pago?", "gracias por todo, pero ¿qué es el CAS?",
    "Entendido. ¿Qué más dice la ley?", "¿Me ayudas a entender la CTS?",
    "Ayúdame con el cálculo de la CTS", "necesito ayuda con mi liquidación",
    "¿En qué consiste el silencio administrativo?", "¿Qué puedes hacer si te despiden?",
    "¿Qué puede hacer un trabajador despedido?", "¿quién es el oficial de datos personales?",
    "¿quién eres según la ley?", "¿Cómo funciona el chat de soporte del SIAF?", "¿Qué es el asistente social?",
    "¿Cómo se llama el formato?", "¿Eres responsable si firmas?", "¿Cuál es tu opinión sobre la ley 29733?",
    "¿Qué documentos contables tienes que llevar?", "¿Qué documentos tienes que llevar al trámite?",
    "¿Qué documentos hay que llevar?", "¿qué documentos hay en un expediente?", "¿Qué documentos están exonerados?",
    "¿Qué documentos están en el archivo central?", "¿Qué normas hay para construir?",
    "¿Qué leyes hay contra el acoso?", "¿Qué libros hay que llevar?", "¿Cuántas normas hay en el Perú?",
    "¿Qué manuales hay que aprobar?", "¿Cuáles son los manuales de gestión?", "enumera los documentos de gestión",
    "lista las fuentes de financiamiento", "lista las leyes del Perú", "dime las normas de convivencia",
    "¿Tienes multa si no votas?", "¿tienes derecho a CTS si eres practicante?", "¿tienes obligación de declarar?",
    "¿Qué tipo de archivos acepta el portal?", "¿Qué archivos PDF acepta la mesa de partes?",
    "convertir PDF a Word", "¿Cómo listar los documentos en el SGD?", "listar documentos en Linux",
    "¿Cómo enumero los documentos?", "mostrar archivos ocultos en Linux", "ver los documentos pendientes de firma",
    "¿Qué documentos puedo presentar como prueba?", "¿Qué documentos puede pedir el inspector?",
    "indica los documentos que se adjuntan", "¿Existe un manual de funciones obligatorio?",
    "¿hay reglamento de la ley 29733?", "¿Hay alguna ley que prohíba fumar?", "¿Tiene reglamento la ley 29733?",
    "¿La ley 29733 está vigente?", "¿está registrada la marca?", "¿el contrato está registrado en el sistema?",
    "¿Qué información hay en la boleta de pago?", "¿de qué tratan los artículos 5 y 6?",
    "¿De dónde sale la información del INEI?", "Fuentes",
    "bibliografía en APA", "¿Qué fuentes cita Arias (2020)?",
]  # fmt: skip

INVENTORY = [
    "¿Qué documentos tienes?", "¿que documentos tienes", "QUÉ DOCUMENTOS TIENES???", "que documentos  tienes",
    "qué documentos tenés", "¿Qué documentos tiene?", "¿Qué documentos hay disponibles?",
    "¿Qué documentos hay cargados?", "¿Qué archivos tienes?", "Muestra los documentos",
    "muestra la lista de documentos", "muéstrame la lista de archivos", "Muéstrame tus fuentes",
    "Enumera los documentos", "Lista todos los documentos", "Lista tus documentos", "Dame el listado de documentos",
    "Listado de documentos", "¿Cuántos documentos tienes?", "¿Cuántos archivos hay?", "¿Cuáles documentos tienes?",
    "¿Cuáles son los documentos disponibles?", "¿Cuáles son tus documentos?", "¿Qué fuentes tienes?",
    "¿Qué fuentes consultas?", "¿Qué libros tienes?", "¿Qué normas tienes?", "¿Qué guías tienes?",
    "¿Qué manuales hay?", "¿Qué leyes tienes?", "que leyes tienes cargadas", "¿Qué leyes peruanas tienes?",
    "¿Qué PDF tienes?", "¿tienes PDF?", "Lista los PDFs", "lista los archivos word", "¿Cuántos PDFs tienes?",
    "¿Qué documentos tienes en Word?", "¿Qué documentos tienes sobre seguridad de la información?",
    "¿Qué manuales tienes sobre almacén?", "¿qué normas tienes de calidad?", "¿Tienes documentos de calidad?",
    "¿Tienes algún documento sobre ISO 27001?", "¿tienes la ISO 27001?", "¿Tienes el Código Civil?",
    "¿Tienes la ley de teletrabajo?", "¿Qué hay en tu biblioteca?", "¿Qué contiene tu base de conocimientos?",
    "¿Qué documentos conforman tu base de conocimiento?", "¿Con qué documentos trabajas?",
    "¿Qué documentos puedo consultar?", "¿Qué puedo consultar aquí?", "¿Sobre qué temas tienes información?",
    "¿De qué temas puedes hablar?", "¿De qué temas sabes?", "¿Qué temas manejas?", "¿De qué documentos dispones?",
    "¿Con qué fuentes cuentas?", "Hola, ¿qué documentos tienes?", "Hola, lista los documentos",
    "gracias, ¿qué documentos tienes?", "¿Me puedes mostrar los documentos?", "¿Puedes listar los documentos?",
    "¿Podrías mostrarme los documentos que tienes?", "¿Podrías decirme qué documentos tienes?",
    "quiero saber qué documentos tienes", "necesito ver los documentos que tienes",
    "me gustaría saber qué documentos tienes", "dime qué documentos tienes cargados", "¿Qué documentos has leído?",
    "¿Qué documentos te subí?", "¿qué documentos subí?", "¿Cuáles archivos están indexados?",
    "¿Qué documentos están en el sistema?", "¿Qué documentos existen en la base de datos?", "documentos cargados",
    "archivos disponibles", "lista documentos", "listar archivos", "ver archivos", "mostrar documentos",
    "documentos que tienes", "los documentos que tienes", "¿Qué otros documentos tienes?",
    "¿Tienes más documentos?", "¿tienes otros manuales?", "¿Qué decretos tienes?",
    "¿Qué decretos legislativos tienes?", "¿Qué resoluciones tienes sobre salud?", "¿Qué normas ISO manejas?",
    "lista las leyes", "enumera las normas que tienes", "Muéstrame todas las leyes que tienes",
    "¿Cuáles son las leyes que puedes consultar?", "¿Cuál es la lista de documentos?", "¿Qué información manejas?",
    "¿Qué tipo de documentos tienes?", "¿qué clase de documentos manejas?", "¿Qué documentos PDF hay?",
    "¿hay documentos en PDF?", "¿Cuántas leyes tienes sobre teletrabajo?", "¿Qué documentos hablan de teletrabajo?",
    "¿Qué documentos tratan sobre protección de datos?", "¿En qué documentos se habla de teletrabajo?",
    "¿Cuántos documentos hay en total?", "Lista los documentos de la base", "¿qué ordenanzas tienes?",
    "inventario de documentos", "catálogo de documentos", "¿Qué documentación manejas sobre contrataciones?",
    "¿Qué bibliografía tienes?", "¿qué documentos tienes?", "que docs tienes",
    "lista de documentos", "mis documentos", "¿Cuántos documentos hay?", "cuantos pdf tienes",
    "¿qué leyes puedes consultar?", "¿Qué leyes tienes sobre teletrabajo?", "lista los PDF",
    "lista los documentos en pdf", "hola, ¿qué documentos tienes?", "muéstrame todos los archivos",
    "¿Sobre qué temas puedes responder?", "¿qué normas conoces?", "¿De dónde sacas la información?",
    "¿qué documentos están cargados?", "documentos disponibles", "¿Qué hay en tu base de datos?",
    "me puedes decir qué documentos tienes", "¿podrías listar los documentos que tienes?",
    "quiero ver los documentos", "dame la lista de documentos", "¿Tienes la ley 29733?",
    "¿tienes documentos sobre vacaciones?", "¿En qué documentos te basas?",
    "¿qué documentos hay sobre teletrabajo?", "¿qué archivos he subido?", "¿Qué leyes laborales tienes?",
    "¿Qué normas ISO tienes?", "¿cuántas leyes tienes?", "¿Qué decretos supremos tienes?",
    "¿Qué documentos en PDF tienes?", "¿Qué libros puedes consultar?", "gracias, ¿qué otros documentos tienes?",
    "¿Qué información tienes?", "¿qué temas cubres?", "¿De qué tratan tus documentos?",
    "Muéstrame las leyes sobre contrataciones", "¿tienes algún manual de almacén?",
    "¿Tienes algo sobre teletrabajo?", "¿La ley 29733 está en tu base de datos?",
    "¿Cuáles son los documentos que tienes?", "¿Cuál es tu base de conocimiento?",
    "¿qué documentos manejas sobre protección de datos personales?", "por favor lista los documentos",
    "enumérame los documentos cargados", "Lista los documentos, por favor", "¿Qué archivos hay en el sistema?",
    "¿qué puedes consultar?", "dime que documentos tienes", "Listar documentos", "ver documentos",
    "¿qué normativa manejas?", "¿a qué documentos tienes acceso?", "¿Qué materiales tienes disponibles?",
    "que fuentes usas", "¿Con qué documentos cuentas?", "¿qué documentación tienes?", "¿tienes documentos?",
    "Documentos que manejas", "¿Cuáles son los archivos que tienes cargados?", "¿Qué hay cargado?",
    "que tienes cargado", "¿Qué documentos tienes indexados actualmente?",
    "¿Podrías enumerar tus fuentes de información?", "indícame qué normas tienes",
    "Necesito la lista de documentos", "quisiera ver la lista de documentos disponibles",
    "¿Qué documentos están disponibles para consulta?", "¿Qué documentos puedes leer?",
    "¿Qué documentos puedes consultar?", "¿Qué documentos conoces?", "¿Qué documentos incluyes?",
    "¿qué documentos contiene el sistema?", "¿Cuántos documentos contiene tu base?",
    "¿Cuál es el total de documentos?", "¿Cuántas normas tienes cargadas?", "¿Tienes archivos PDF?",
    "¿Qué archivos word tienes?", "muéstrame los pdf", "dame los pdf", "¿tienes manuales?",
    "¿Tienes guías sobre ISO 9001?", "¿Qué guías tienes de ISO?", "¿Qué documentos de calidad tienes?",
    "¿Qué documentos tienes de calidad?", "¿Qué documentos tienes acerca de la seguridad y salud en el trabajo?",
    "lista las leyes sobre datos personales", "lista los documentos relacionados con vacaciones",
    "¿Qué resoluciones ministeriales tienes?", "¿tienes el DS 003-2013-JUS?", "¿tienes la Ley 29733?",
    "¿cuentas con la ISO 27001?", "¿Tienes la NOM-035?", "¿Está la ley 29733 en tu base?",
    "¿la Ley 29733 está entre tus documentos?", "¿sobre qué temas tienes documentos?",
    "¿Sobre qué puedo preguntarte?", "¿qué temas tratan tus documentos?", "qué documentos me puedes mostrar",
    "qué leyes puedo consultar aquí", "Hola, ¿qué leyes tienes?", "Buenas, ¿me listas los documentos?",
    "por favor, muéstrame los documentos cargados", "oye que documentos tienes", "¿y qué documentos tienes?",
    "entonces ¿qué documentos tienes?", "¿Qué documentos tienes? Gracias", "lístame las normas",
    "Enumérame los manuales", "quiero la lista de archivos", "¿Qué hay en la biblioteca?", "¿Qué material tienes?",
    "dime tus fuentes", "¿cuáles son las fuentes que usas?", "¿De qué fuentes sacas la información?",
    "¿Qué fuentes de información tienes?", "¿con qué información cuentas?", "¿Qué bases de datos tienes?",
    "Muéstrame el índice de documentos", "¿Qué tesis tienes?", "¿tienes tesis sobre clima laboral?",
    "¿Qué documentos hay sobre la ISO 27001?", "¿Hay documentos sobre teletrabajo?",
    "¿Cuántos documentos tratan de teletrabajo?",
]  # fmt: skip

ALL = [
    *((Route.TRIVIAL, question) for question in TRIVIAL),
    *((Route.RETRIEVE, question) for question in RETRIEVE),
    *((Route.INVENTORY, question) for question in INVENTORY),
]


def test_route() -> None:
    assert [(question, read) for expected, question in ALL if (read := route(question)) is not expected] == []


def without_accents(text: str) -> str:
    return text.translate(str.maketrans("áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU"))


def test_accents_case_punctuation_emoji_and_spaces_never_change_the_route() -> None:
    variants = {
        variant: expected
        for expected, question in ALL
        for variant in (
            question.upper(),
            question.lower(),
            without_accents(question),
            question.strip("¿?¡!."),
            question.replace(" ", "  "),
            f"  {question} 🙂",
            f"{question}!!!",
        )
    }
    assert [(each, read) for each, expected in variants.items() if (read := route(each)) is not expected] == []


COURTESY = st.sampled_from(
    ["Hola, ", "hola ", "Buenos días, ", "buenas tardes. ", "Gracias, ", "ok, ", "Ok. ", "Perfecto, ", "¡Hola! "]
)


@given(COURTESY, st.sampled_from(RETRIEVE))
def test_a_greeting_before_a_question_is_a_question(courtesy: str, question: str) -> None:
    assert route(courtesy + question) is Route.RETRIEVE


@given(COURTESY, st.sampled_from(TRIVIAL))
def test_courtesy_before_courtesy_is_courtesy(courtesy: str, message: str) -> None:
    assert route(courtesy + message) is Route.TRIVIAL


@given(st.text(max_size=200))
def test_any_text_has_a_route(text: str) -> None:
    assert route(text) in Route


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Hola, ¿qué dice la Ley 29733?", "¿qué dice la Ley 29733?"),
        ("Hola, buenos días. ¿Qué dice la Ley 29733? Gracias", "¿Qué dice la Ley 29733?"),
        ("¡Hola! Quisiera saber el plazo para apelar, por favor.", "el plazo para apelar"),
        ("me despidieron ayer. ¿cuánto me pagan?", "me despidieron ayer. ¿cuánto me pagan?"),
        ("ok, y la multa", "y la multa"),
        ("Buenas prácticas de manufactura", "Buenas prácticas de manufactura"),
        ("Buenas tardes", "Buenas tardes"),
        ("gracias", "gracias"),
        ("Perfecto, explícame el módulo", "explícame el módulo"),
        ("perfecto estado del inmueble", "perfecto estado del inmueble"),
        ("👍 ok ¿y la CTS?", "¿y la CTS?"),
        ("", ""),
    ],
)
def test_strip_courtesy(question: str, expected: str) -> None:
    assert strip_courtesy(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿qué documentos tienes?", InventoryFilter()),
        ("¿qué leyes tienes?", InventoryFilter(kinds=("ley",))),
        ("¿qué leyes tienes sobre teletrabajo?", InventoryFilter(topic="teletrabajo", kinds=("ley",))),
        ("¿Qué leyes tienes sobre Protección de Datos?", InventoryFilter(topic="Protección de Datos", kinds=("ley",))),
        ("lista los PDF", InventoryFilter(formats=("pdf",))),
        ("lista los archivos word", InventoryFilter(formats=("docx", "doc"))),
        ("¿tienes documentos en PDF o Word?", InventoryFilter(formats=("pdf", "docx", "doc"))),
        ("¿Qué decretos supremos tienes sobre salud?", InventoryFilter(topic="salud", kinds=("ds",))),
        ("¿Qué normas ISO tienes?", InventoryFilter(kinds=("iso",))),
        ("¿Qué leyes laborales tienes?", InventoryFilter(topic="laborales", kinds=("ley",))),
        ("¿Tienes algo sobre teletrabajo?", InventoryFilter(topic="teletrabajo")),
        ("¿qué normas tienes de calidad?", InventoryFilter(topic="calidad")),
        ("¿tienes algún manual de almacén?", InventoryFilter(topic="almacén")),
        ("¿Qué documentos hablan de teletrabajo?", InventoryFilter(topic="teletrabajo")),
        ("¿Qué documentos mencionan la ISO 27001?", InventoryFilter(topic="la ISO 27001")),
        ("¿qué manuales tienes?", InventoryFilter(topic="manuales")),
        ("¿tienes la ISO 9001?", InventoryFilter()),
        ("Hola, ¿qué documentos tienes sobre vacaciones, por favor?", InventoryFilter(topic="vacaciones")),
        ("¿qué archivos he subido?", InventoryFilter()),
        ("¿Sobre qué temas puedes responder?", InventoryFilter()),
        ("q docs tienes", InventoryFilter()),
        ("¿Qué documentos exige el trámite?", None),
    ],
)
def test_inventory_filter(question: str, expected: InventoryFilter | None) -> None:
    assert read_inventory(question) == expected


@pytest.mark.parametrize("question", ["¿y manuales?", "¿y en PDF?", "¿y sobre teletrabajo?", "¿cuáles son leyes?"])
def test_an_inventory_goes_on(question: str) -> None:
    history = [Message("user", "¿qué documentos tienes?"), Message("assistant", "Tengo 8 documentos.")]
    assert route(question, history) is Route.INVENTORY
    assert route(question) is Route.RETRIEVE


def test_an_assent_answers_an_offer() -> None:
    asked = Message("user", "¿Qué es la CTS?")
    offer = [asked, Message("assistant", "Es un beneficio. ¿Quiere que le explique cómo se calcula?")]
    told = [asked, Message("assistant", "Es un beneficio.")]
    assert route("sí, por favor", offer) is Route.RETRIEVE
    assert route("sí, por favor", told) is Route.TRIVIAL
    assert route("gracias", offer) is Route.TRIVIAL


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("q documentos tienes", "que documentos tienes"),
        ("que archivos ay", "que archivos hay"),
        ("que formas hay", "que formas hay"),
    ],
)
def test_mend(typed: str, mended: str) -> None:
    assert mend(typed) == mended


@pytest.mark.parametrize(
    ("typed", "in_full"),
    [
        ("x cuanto tiempo guardan mis datos y pa q?", "por cuanto tiempo guardan mis datos y para que?"),
        ("Q pasa si falto", "Que pasa si falto"),
        ("¿y tmb los practicantes?", "¿y tambien los practicantes?"),
        ("y x q motivo me despiden", "y por que motivo me despiden"),
        ("cuanto cobran x cada hora", "cuanto cobran por cada hora"),
        ("el costo d la inscripcion", "el costo de la inscripcion"),
        ("qué dice el artículo x de la ley", "qué dice el artículo x de la ley"),
        ("según el literal d que plazo hay", "según el literal d que plazo hay"),
        ("q) plazo de entrega", "q) plazo de entrega"),
        ("X Pleno Casatorio", "X Pleno Casatorio"),
        ("qué dice el D S 003-97-TR", "qué dice el D S 003-97-TR"),
        ("cuánto cobran por rayos x en la posta", "cuánto cobran por rayos x en la posta"),
        *(
            (typed, typed)
            for typed in (
                "¿qué dicen los literales c y d del artículo 5?",
                "¿qué dicen los incisos a, b y d la norma?",
                "punto 3 literal b o d que dice",
                "cuantos tb de disco trae el equipo",
                "¿hay tratamiento para la tb en niños?",
                "el eje x que unidades tiene",
                "el cromosoma x ligado",
                "el modelo x tiene garantia",
                "el señor x fue notificado",
                "avenida x con jiron y",
                "la fila k tiene un total",
                "la manzana d del lote 5",
                "lote 5 mz d urbanizacion",
                "la etapa d tiene licencia",
            )
        ),
        ("bandejas de 2 x tres", "bandejas de 2 x tres"),
        ("what does clause d say about x", "what does clause d say about x"),
    ],
)
def test_shorthand_is_written_out(typed: str, in_full: str) -> None:
    assert shorthand_in_full(typed) == in_full


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Quién eres y qué puedes hacer?", Route.TRIVIAL),
        ("Hola, ¿cómo te llamas y qué haces?", Route.TRIVIAL),
        ("quien eres y para que sirves", Route.TRIVIAL),
        ("¿Quién eres y qué dice la ley 29733?", Route.RETRIEVE),
        ("¿Qué es la CTS y cómo funciona?", Route.RETRIEVE),
    ],
)
def test_two_questions_about_the_assistant(question: str, expected: Route) -> None:
    assert route(question) is expected
