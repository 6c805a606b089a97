"""Which sentence of a norm answers: every article is a source, and the search has no opinion on their order.

The norm was written for this. Its articles are near to each other in their words, as those of one norm are.
"""

from __future__ import annotations

from dataclasses import replace

from rag_system.generation.extractive import ExtractiveAnswerer
from tests.builders import chunk, evidence, request

TITLE = "Reglamento del Archivo Provincial de Sayapampa"
ARTICLES = {
    "Artículo 1.- Finalidad": "El presente reglamento ordena la consulta y el préstamo de los documentos del archivo.",
    "Artículo 2.- Definiciones": "Para los efectos de este reglamento se entiende por:\n"
    "a) Expediente: Conjunto ordenado de documentos sobre un mismo asunto.\n"
    "b) Usuario: Toda persona que consulta un documento en la sala de lectura.\n"
    "c) Foliar: Numerar las hojas de un expediente de manera correlativa.",
    "Artículo 3.- Concepto de préstamo": "3.1 El préstamo es la entrega temporal de un documento a una oficina.\n"
    "3.2 Son documentos reservados, los que contienen datos sobre la salud de las personas.",
    "Artículo 4.- Requisitos": "Para consultar un documento el usuario presenta los siguientes requisitos:\n"
    "a) Documento de identidad vigente.\nb) Formato de consulta firmado.\nc) Recibo de pago del derecho de búsqueda.",
    "Artículo 5.- Plazo del préstamo": "El plazo del préstamo es de diez (10) días hábiles, prorrogable una sola vez. "
    "Vencido el plazo, la oficina devuelve el documento el mismo día.",
    "Artículo 6.- Responsables": "6.1 El archivero autoriza el préstamo de los documentos.\n"
    "6.2 Corresponde al secretario general autorizar la consulta de los documentos reservados.",
    "Artículo 7.- Horario": "La sala de lectura atiende de lunes a viernes, de 8:30 a 15:00 horas. "
    "Los feriados permanece cerrada.",
    "Artículo 8.- Prohibiciones": "Está prohibido comer, fumar y usar bolígrafos en la sala de lectura. "
    "El usuario puede tomar fotografías sin flash.",
    "Artículo 9.- Derechos de búsqueda": "Infografía de los montos:\nServicio | Monto | Entrega\n"
    "Búsqueda de un expediente | S/ 6,00 | 3 días\nCopia simple | S/ 0,20 por hoja | El mismo día\n"
    "Copia certificada | S/ 4,50 por hoja | 2 días",
    "Artículo 10.- Sanciones": "La pérdida de un documento se sanciona con multa de 2 UIT. "
    "La devolución tardía se sanciona con la suspensión del préstamo por sesenta días.",
    "Artículo 11.- Reclamos": "El usuario al que se niega una consulta puede presentar su reclamo ante el "
    "secretario general dentro de los cinco (5) días de notificada la negativa. "
    "El reclamo se resuelve en un plazo máximo de siete (7) días.",
    "Artículo 12.- Eliminación": "Los documentos sin valor se eliminan una vez al año, en noviembre. "
    "Antes de la eliminación se publica la lista por treinta días.",
    "Artículo 13.- Procedimiento": "El préstamo se tramita así:\n1. La oficina llena el formato de préstamo.\n"
    "2. El archivero ubica el documento y anota su estado.\n3. La oficina firma el cargo y retira el documento.",
    "Artículo 14.- Lugar": "Los documentos reservados se guardan en la bóveda del segundo piso. "
    "El depósito general se encuentra en el local de la calle Los Molles.",
}
ASKED = [
    # spans of time and dates
    ("¿Cuántos días dura el préstamo?", "El plazo del préstamo es de diez (10) días hábiles"),
    ("¿Qué plazo tengo para reclamar si me niegan una consulta?", "dentro de los cinco (5) días de notificada"),
    ("¿En cuánto tiempo se resuelve el reclamo?", "El reclamo se resuelve en un plazo máximo de siete (7) días"),
    ("¿Por cuántos días se publica la lista de eliminación?", "se publica la lista por treinta días"),
    ("¿Cuándo se eliminan los documentos sin valor?", "se eliminan una vez al año, en noviembre"),
    ("¿Cada cuánto se eliminan documentos?", "se eliminan una vez al año, en noviembre"),
    ("¿A qué hora atiende la sala de lectura?", "de 8:30 a 15:00 horas"),
    ("plazo de préstamo", "El plazo del préstamo es de diez (10) días hábiles"),
    # amounts
    ("¿Cuánto cuesta una copia certificada?", "Copia certificada | S/ 4,50 por hoja"),
    ("¿Cuánto se paga por buscar un expediente?", "Búsqueda de un expediente | S/ 6,00"),
    ("¿De cuánto es la multa por perder un documento?", "multa de 2 UIT"),
    # who and where
    ("¿Quién autoriza el préstamo?", "El archivero autoriza el préstamo"),
    ("¿Quién autoriza ver documentos reservados?", "Corresponde al secretario general autorizar"),
    ("¿Ante quién presento mi reclamo?", "ante el secretario general"),
    ("¿Dónde se guardan los documentos reservados?", "en la bóveda del segundo piso"),
    ("¿Dónde queda el depósito general?", "en el local de la calle Los Molles"),
    # definitions
    ("¿Qué es un expediente?", "Expediente: Conjunto ordenado de documentos"),
    ("¿Qué significa foliar?", "Foliar: Numerar las hojas"),
    ("¿Qué es el préstamo?", "El préstamo es la entrega temporal"),
    ("¿Qué son los documentos reservados?", "Son documentos reservados, los que contienen datos sobre la salud"),
    ("¿A quién se considera usuario?", "Usuario: Toda persona que consulta un documento"),
    # lists and procedures
    ("¿Qué requisitos hay para consultar un documento?", "c) Recibo de pago del derecho de búsqueda."),
    ("¿Qué tengo que presentar para consultar un documento?", "a) Documento de identidad vigente."),
    ("¿Cómo se tramita un préstamo?", "1. La oficina llena el formato de préstamo."),
    ("pasos del préstamo", "3. La oficina firma el cargo y retira el documento."),
    # permitted, forbidden, sanctioned
    ("¿Puedo fumar en la sala de lectura?", "Está prohibido comer, fumar"),
    ("¿Se puede tomar fotos con flash?", "puede tomar fotografías sin flash"),
    ("¿Qué está prohibido en la sala?", "Está prohibido comer, fumar"),
    ("¿Qué pasa si devuelvo tarde un documento?", "La devolución tardía se sanciona con la suspensión"),
    ("¿Qué sanción hay por perder un documento?", "La pérdida de un documento se sanciona con multa"),
    ("¿Atienden los feriados?", "Los feriados permanece cerrada"),
    ("¿Para qué sirve este reglamento?", "ordena la consulta y el préstamo"),
]
LEAST = 0.8  # of the first quotes


def first_quote(question: str) -> str:
    chunks = (
        chunk(text, chunk_id=n, title=TITLE, headings=(heading,))
        for n, (heading, text) in enumerate(ARTICLES.items(), 1)
    )
    sources = [replace(item, score=1.0) for item in evidence(*chunks)]
    return "".join(ExtractiveAnswerer().stream(request(question, sources))).split("» [")[0]


def test_the_first_quote_answers() -> None:
    missed = [question for question, quoted in ASKED if quoted not in first_quote(question)]
    assert 1 - len(missed) / len(ASKED) >= LEAST, missed
