"""What a question that leans on the conversation points at, and the phrases that make it whole.

That it leans is told by `rag_system.query.kinds`. Only words are looked at here; the conversation is
`rag_system.query.reformulation`'s business.
"""

from __future__ import annotations

import re

from rag_system.query.identifiers import without_identifiers
from rag_system.query.text import fold, tokens
from rag_system.query.word_lists import PREDICATES, STOPWORDS, words

__all__ = [
    "QUESTION_WORDS",
    "compares",
    "keeps_asking",
    "only_names",
    "pointed_item",
    "points_at_norm",
    "topic_phrase",
    "without_connector",
]


# A connector opens the question: «¿y cómo se instala?», «pero ¿cuánto cuesta?».
_CONNECTOR = re.compile(
    r"""[^\w]*(?: (?:y|e|o|pero|entonces|ademas|tambien|tampoco|asimismo|o\s+sea|aunque|aparte\s+de\s+eso
      |por\s+(?:lo\s+)?tanto|en\s+cambio
        |(?:y\s+)?en\s+(?:ese|este|tal|dicho|cuyo)\s+caso|siendo\s+asi|de\s+ser\s+asi
        |si\s+es\s+asi)(?![a-zñ])[\s,:¿]* )+""",
    re.VERBOSE,
)
_ORDINALS = {
    "primero": 0, "primera": 0, "segundo": 1, "segunda": 1, "tercero": 2, "tercera": 2, "cuarto": 3, "cuarta": 3,
    "quinto": 4, "quinta": 4, "ultimo": -1, "ultima": -1,
}  # fmt: skip
_ORDINAL = re.compile(
    rf"\b(?:el|la|del|al)\s+({'|'.join(_ORDINALS)})(?=\W*$|\s*[,?]|\s+(?:de\s+(?:ellos|ellas|los|las|esos|esas)|se|no|tambien|me|en|{PREDICATES})\b)"
)
_COMPARISON = re.compile(
    r"\b(?:diferencias?|difieren?|compar\w+|frente\s+a|versus|vs|respecto\s+(?:de|a)|relacion\s+con|relacionan?|igual(?:es)?\s+(?:que|a)|mejor\s+que|equival\w+|mas\s+\w+\s+que|complementa\w*|parec\w+)\b"
)
# «esa ley», «su reglamento», «el artículo»
_NORM = re.compile(
    r"\b(?:(?:es[ae]|est[ae]|dich[oa]|la|el|misma|mismo|su|del?)\s+)(?:citad[oa]\s+|mencionad[oa]\s+)?"
    r"(?:ley|norma|decreto|resolucion|reglamento|estandar|codigo|articulo|directiva|dispositivo|texto|legislacion)\b"
)
QUESTION_WORDS = r"que|cual(?:es)?|quien(?:es)?|como|cuando|donde|cuant[oa]s?"  # alternatives of a pattern
_QUESTION_WORD = re.compile(rf"\b(?:{QUESTION_WORDS})\b")
_LEADING_PREPOSITION = re.compile(r"\W*(?:en|con|para|segun)\s")  # «en el sector público», of what was asked
# ---------------------------------------------------------------- what the question points at


def compares(question: str) -> bool:
    """«¿En qué se diferencia de la ISO 9001?» keeps the topic's norm beside its own."""
    return _COMPARISON.search(fold(question)) is not None


def only_names(question: str) -> bool:
    """Whether nothing but norms is said: «¿y en la ISO 9001?»."""
    return all(word in STOPWORDS or word in _FILLERS for word in tokens(without_identifiers(question)))


_FILLERS = frozenset("caso norma ley version pasa misma".split())


def points_at_norm(question: str) -> bool:
    """Whether «esa ley», «su reglamento», «la norma» stand without a number."""
    return _NORM.search(fold(question)) is not None


def pointed_item(question: str, answer: str) -> str:
    """The item of a list in the answer that «el primero» or «la última» stands for; nothing when there is no list."""
    ordinal = _ORDINAL.search(fold(question))
    items = _listed(answer) if ordinal else []
    position = _ORDINALS[ordinal[1]] if ordinal else 0
    return items[position] if items and -len(items) <= position < len(items) else ""


_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(.{2,120})$", re.MULTILINE)
_NUMBERED = re.compile(r"(?<!\S)\d{1,2}[.)]\s+(.{2,120}?)(?=\s+\d{1,2}[.)]\s|$)")
_SERIES = re.compile(r"(?:\bson|:|\bincluyen?|\bcomprenden?|\bentre\s+otros,?|\bhay)\s+([^.;\n\[]+)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:el|la|los|las|un|una)\s", re.IGNORECASE)


def _listed(answer: str) -> list[str]:
    """The items of a bulleted list, or of «son la reconsideración y la apelación, dentro de…»."""
    if bullets := _BULLET.findall(answer) or _NUMBERED.findall(answer):
        return [re.sub(r"[*_]", "", bullet).strip(" .;") for bullet in bullets]
    series = _SERIES.search(answer)
    items = [item.strip() for item in re.split(r",\s*(?:y\s+)?|\s+[ye]\s+", series[1])] if series else []
    if not items or not _ARTICLE.match(items[0]):
        return items if len(items) > 1 else []
    return [item for item in items if _ARTICLE.match(item)]


# ---------------------------------------------------------------- phrases

_LEAD = frozenset(words("aperturas_de_tema"))


def topic_phrase(topic: str, max_words: int, *, asks: bool = False) -> str:
    """The topic's words from its first noun on: «¿Qué es Samba?» → «Samba»; if it `asks`, from its question word on."""
    said = re.sub(r"[¿?¡!()]", " ", topic).split()
    plain = [fold(word).strip(",.:;") for word in said]
    first = next((index for index, word in enumerate(plain) if word not in _LEAD), 0)
    if asks:
        first = next((index for index in range(first) if _QUESTION_WORD.fullmatch(plain[index])), first)
    return " ".join(said[first:][:max_words]).strip(" ,.;:")


def keeps_asking(question: str) -> bool:
    """Whether what is wanted to know is left to the topic: «¿y para las mypes?», «¿y si es feriado?»."""
    plain = fold(question)
    opened = _CONNECTOR.match(plain) or _LEADING_PREPOSITION.match(plain)
    return opened is not None and not _QUESTION_WORD.search(plain)


def without_connector(question: str) -> str:
    """«¿y cómo se instala?» → «¿Cómo se instala?»."""
    plain = fold(question)
    connector = _CONNECTOR.match(plain)
    if not connector or len(plain) != len(question):
        return question
    rest = question[connector.end() :]
    opening = "¿" if "?" in rest and "¿" not in rest else ""
    return f"{opening}{rest[:1].upper()}{rest[1:]}" if rest else question
