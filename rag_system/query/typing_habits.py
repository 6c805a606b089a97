"""How people type in a chat: «q docs tenes», «x cuanto»."""

from __future__ import annotations

import re

from rag_system.query.identifiers import find_identifiers
from rag_system.query.language import in_another_language
from rag_system.query.text import fold

__all__ = ["mend", "shorthand_in_full"]

_SHORTHAND = {
    "q": "que", "k": "que", "ke": "que", "qe": "que", "xq": "por que", "pq": "por que", "porq": "porque",
    "xk": "por que", "tmb": "tambien", "tbn": "tambien", "dnd": "donde", "kien": "quien", "cmo": "como",
    "qien": "quien", "ay": "hay", "tiens": "tienes", "tines": "tienes", "teines": "tienes", "tenes": "tienes",
    "pueds": "puedes", "puedez": "puedes", "podes": "puedes", "grax": "gracias",
    "x": "por", "pa": "para", "pal": "para el", "d": "de",
}  # fmt: skip

# A word by itself, before another one, and «pa q» at the end: no «d)», «d.» or «5 x 3».
_ALONE = re.compile(r"(?<![^\s¿¡(])(?<!\d\s)(?:[^\W\d_]{1,6}(?=\s+[^\W\d_])|[qk](?=[?!.\s]*$))")
# What a letter names: «artículo d», «rayos x», «vitamina k», «literales c y d».
_LETTERED = re.compile(
    r"\b(?:art(?:iculo)?|literal|inciso|numeral|item|punto|letra|apartado|anexo|titulo|capitulo|seccion|libro|parte|"
    r"clase|tipo|categoria|grupo|nivel|zona|serie|formato|formulario|caso|plan|opcion|bloque|rayo|vitamina|ley|norma|"
    r"hepatitis|generacion|factor|empresa|persona|dia|hora|mes|año|eje|fila|columna|manzana|mz|etapa|modelo)(?:e?s)?"
    r"(?:\W+[a-zñ])*\W+$"
)
# These two name whatever stands before them, unless what follows cannot go after a name: «x cuanto», «d la».
_NAMING = "xd"
_AFTER_NO_NAME = re.compile(
    r"[xd]\s+(?:cuant[oa]s?|donde|el|l[ao]s?|un[ao]?s?|mis?|tus?|sus?|es[aeo]s?|est[aeo]s?)\b|x\s+(?:que|q|k|favor|cada)\b"
)
_NUMERALS = "XD"  # roman ones: «X Pleno Casatorio»


def mend(words: str) -> str:
    """Plain words with shorthand in full letters.

    >>> mend("q documentos tienes")
    'que documentos tienes'
    """
    return " ".join(_SHORTHAND.get(word, word) for word in words.split(" "))


def shorthand_in_full(question: str) -> str:
    """A question with its shorthand in full letters; as it was where it is in another language.

    A letter that names something stays, and what is part of a norm's number.

    >>> shorthand_in_full("x cuanto tiempo guardan mis datos y pa q")
    'por cuanto tiempo guardan mis datos y para que'
    """
    if in_another_language(question):
        return question
    kept = [range(found.start, found.end) for found in find_identifiers(question)]

    def in_full(word: re.Match[str]) -> str:
        full = _SHORTHAND.get(fold(word[0]))
        shouted = word[0][0].isupper() and (word.start() > 1 or word[0] in _NUMERALS)
        in_number = any(word.start() in span for span in kept)
        if full is None or shouted or in_number or _is_name(word):
            return word[0]
        return full.capitalize() if word[0][0].isupper() else full

    return _ALONE.sub(in_full, question)


def _is_name(word: re.Match[str]) -> bool:
    """Whether it is a letter that names something."""
    before, onwards = fold(word.string[: word.start()]), fold(word.string[word.start() :])
    if len(word[0]) > 1:
        return False
    if _LETTERED.search(before):
        return True
    return onwards[0] in _NAMING and bool(before.strip(" ¿¡(")) and not _AFTER_NO_NAME.match(onwards)
