"""Whether a question asks for what is not in force any more: a previous text, what was repealed, what held in a year.

«¿Qué decía antes el artículo 5?», «el texto anterior a la reforma», «¿cuántos días daban en 2015?», «el artículo
derogado». What is asked otherwise is asked of what is in force. Pure.
"""

from __future__ import annotations

import re

from rag_system.query.text import fold
from rag_system.query.word_lists import words

__all__ = ["asks_for_the_past"]

_WAS = rf"(?:\w+aban?|{'|'.join(words('imperfectos'))})"
_TEXT = (
    r"(?:textos?|redaccion(?:es)?|version(?:es)?|edicion(?:es)?|contenido|ley(?:es)?|normas?|normativa|legislacion|regimen"
    r"|reglas?|reglamentos?|decretos?|plazos?|requisitos?|multas?|montos?|tasas?|sancion(?:es)?)"
)
_CHANGE = (
    r"(?:(?:la|el|su|esa|esta|dicha|ultima)\s+){0,2}(?:reforma|modificacion|modificatoria|cambio|derogacion|sustitucion"
    r"|enmienda|actualizacion|ley|decreto|(?:año\s+)?(?:19|20)\d\d)\b"
)
_ONCE = r"(?:antes|antiguamente|anteriormente|originalmente|inicialmente)"
_YEAR = r"(?:19|20)\d\d\b"
_IN_YEAR = rf"(?:en|hasta|antes\s+del?|durante)\s+(?:el\s+)?(?:año\s+)?{_YEAR}"

_PAST = re.compile(
    rf"""
    # the text that was: «el texto anterior», «la antigua redacción», «las normas derogadas»
    \b{_TEXT}\s+(?:\w+\s+)?(?:anterior(?:es)?|original(?:es)?|antigu[oa]s?|primitiv[oa]s?|previ[oa]s?|pasad[oa]s?)\b
    | \b(?:anterior|antigu[oa]|original)\s+(?:{_TEXT}|articulo)\b
    | \b(?:derogad|abrogad|dejad[oa]s?\ sin\ efecto)\w*
    # before the change: «antes de la reforma», «hasta el cambio de 2018», «previo a la modificación»
    | \b(?:antes\s+del?|hasta|previ[oa]\s+al?|anterior(?:es)?\s+al?)\s+{_CHANGE}
    # as it was: «¿cuánto era antes la multa?», «antes decía», «originalmente exigía»
    | \b{_ONCE}\b.{{0,80}}?\b{_WAS}\b
    | \b{_WAS}\b.{{0,80}}?\b{_ONCE}\b(?!\s+de(?:l|\s+(?!{_CHANGE})))
    | ^\W*(?:y|pero)?\W*(?:antes|anteriormente)\W*$
    # in a year: «¿cuántos días daban en 2015?», «el texto de 2013», «vigente hasta 2018»
    | \b{_WAS}\b.{{0,80}}?\ben\s+(?:el\s+(?:año\s+)?)?{_YEAR}
    | \ben\s+(?:el\s+(?:año\s+)?)?{_YEAR}.{{0,80}}?\b{_WAS}\b
    | \b(?:texto|redaccion|version|edicion)\s+(?:\w+\s+){{0,2}}(?:de|del|en)\s+(?:el\s+)?(?:año\s+)?{_YEAR}
    | \b(?:vigentes?|vigencia|en\s+vigor|rigio|regian?)\s+(?:\w+\s+)?{_IN_YEAR}
    # what a change did: both texts answer
    | \b(?:que|como|cuanto)\s+(?:\w+\s+){{0,2}}(?:cambio|cambiado|cambiaron|modificado|modificaron)\b
    """,
    re.VERBOSE,
)


def asks_for_the_past(question: str) -> bool:
    """Whether what is not in force is asked for.

    >>> asks_for_the_past("¿cuántos días de licencia daban antes?"), asks_for_the_past("¿qué hago antes de viajar?")
    (True, False)
    """
    return _PAST.search(fold(question)) is not None
