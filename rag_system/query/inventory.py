"""What part of the collection a question about it asks for: «¿qué leyes tienes sobre teletrabajo?».

That it is about the collection is told by `rag_system.query.kinds`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rag_system.query.asking import asking_stretch
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import find_identifiers
from rag_system.query.kinds import LEANS, read_kind
from rag_system.query.text import fold
from rag_system.query.typing_habits import mend
from rag_system.types import InventoryFilter, Message

__all__ = ["continues_inventory", "read_inventory"]

_NOUN = r"""(?:documentos?|docs?|archivos?|ficheros?|fuentes?|libros?|ley(?:es)?|normas?|normativas?|manual(?:es)?
      |guias?|textos?|material(?:es)?
    |pdfs?|words?|excels?|informes?|reglamentos?|decretos?|resolucion(?:es)?|ordenanzas?|directivas?|articulos|papers?|tesis|documentacion
    |bibliografia|contratos|politicas|procedimientos|isos?|estandares|reportes|publicaciones|codigos|estudios|investigaciones|registros|temarios?|bases\s+de\s+datos)"""
_COLLECTION = r"(?:tu|la|el|mi|este|esta)\s+(?:base(?:\s+de\s+\w+)?|biblioteca|coleccion|sistema|proyecto|carpeta)"
_LOADED = r"(?:cargad|indexad|subid|disponib|registrad|guardad)\w*"
_YOU_HAVE = r"(?:tienes|tenes|manejas|conoces|dispones|tiene|hay|has|he|estan?|puedes|puedo|subi)"
_ABOUT = (
    r"(?:sobre|acerca\s+de|respecto\s+(?:a|de)|relacionad\w+\s+(?:con|a)|referid\w+\s+a|"
    r"(?:que\s+|se\s+)?(?:hablen?|traten?|tratan?|hablan?)\s+(?:de|del|sobre)|mencionan?)"
)
_SOME = r"(?:algun[oa]?s?|un|una|unos|unas|los|las|el|la|otros?|otras?|mas|muchos|muchas|algo\s+de)"

_FORMATS = {
    "pdf": "pdf", "pdfs": "pdf", "word": "docx doc", "words": "docx doc", "doc": "docx doc", "docx": "docx",
    "html": "html",
    "markdown": "md", "md": "md", "txt": "txt", "excel": "xlsx xls", "excels": "xlsx xls", "xlsx": "xlsx", "xls": "xls",
    "powerpoint": "pptx ppt", "pptx": "pptx", "ppt": "ppt", "rtf": "rtf", "epub": "epub", "csv": "csv",
}  # fmt: skip
_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"leyes\s+organicas", ("lo",)),
    (r"reales\s+decretos", ("rd",)),
    (r"decretos?\s+supremos?", ("ds",)),
    (r"decretos?\s+legislativos?", ("dl",)),
    (r"decretos?\s+leye?s?", ("dley",)),
    (r"decretos?\s+de\s+urgencia", ("du",)),
    (r"decretos", ("ds", "dl", "dley", "du", "rd", "decreto")),
    (r"resoluciones\s+ministeriales", ("rm",)),
    (r"resoluciones\s+supremas", ("rs",)),
    (r"resoluciones\s+directorales", ("rd",)),
    (r"resoluciones", ("rm", "rs", "rd", "rj", "rvm", "resolucion")),
    (r"ordenanzas", ("ordenanza",)),
    (r"isos?\b|(?:normas|estandares)\s+iso", ("iso",)),
    (r"normas\s+oficiales\s+mexicanas|noms", ("nom",)),
    (r"normas\s+tecnicas\s+peruanas|ntps?", ("ntp",)),
    (r"leyes", ("ley",)),
)
_KIND_PATTERNS = tuple((re.compile(rf"\b(?:{pattern})\b"), kinds) for pattern, kinds in _KINDS)
_TYPES = re.compile(
    r"\b(?:manuales|guias|informes|reglamentos|contratos|politicas|procedimientos|tesis|directivas|codigos)\b"
)

_TOPIC = re.compile(
    rf"\b(?:{_ABOUT}|(?<=tienes\s)del?|(?<=tienes\s)(?:algo|\w+)\s+del?|(?<=manejas\s)del?|(?<=conoces\s)del?)\s+(?P<topic>.+?)"
    rf"(?:\s+(?:en\s+{_COLLECTION}|{_LOADED}|por\s+favor|en\s+(?:pdf|word|html|txt|markdown)))*$"
)
_ADJECTIVE = re.compile(
    rf"{_NOUN}\s+(?P<topic>(?!que\b|son\b|en\b|hay\b|pdf\b)(?:de\s+|del\s+)?(?:la\s+)?[a-zñ]+(?:\s+y\s+[a-zñ]+)?)\s+{_YOU_HAVE}",
    re.VERBOSE,
)
_GRADES = re.compile(
    rf"(?:iso|{_LOADED}|supremos|legislativos|ministeriales|directorales|supremas|organicas|legales|de\s+(?:urgencia|consulta|informacion)|tecnicas\s+peruanas|me|te|no|ya|otros|mas)"
)
_OF_TOPIC = re.compile(
    rf"(?:tienes|hay|dispones\s+de|cuentas\s+con|manejas)\s+(?:{_SOME}\s+)*{_NOUN}\s+(?:del?|para)\s+(?P<topic>.+)",
    re.VERBOSE,
)
_NO_TOPIC = re.compile(r"(?:he|hemos|me|te|se|no|ya|mas|otr[oa]s|que\b.*|cuales\b.*|tienes|puedo)")
_WORD = re.compile(r"[a-z0-9ñ]+")


def read_inventory(question: str) -> InventoryFilter:
    """What part of the collection a question about it asks for."""
    composed = unicodedata.normalize("NFC", question)
    plain = aligned_fold(composed)
    spans = [match.span() for match in _WORD.finditer(plain, *asking_stretch(plain))]
    words = mend(" ".join(plain[start:end] for start, end in spans))
    topic = _topic(composed, words, spans)
    if _ends_in_norm(composed) and not re.search(_ABOUT, words):  # «¿tienes la ISO 9001?»
        return InventoryFilter(formats=_formats(words))
    said = words.replace(fold(topic), "") if topic else words
    return InventoryFilter(topic=topic, formats=_formats(words), kinds=_kinds(said))


def continues_inventory(question: str, history: Sequence[Message]) -> bool:
    """«¿y manuales?» after «¿qué documentos tienes?»: what goes on, and names a part of a collection."""
    before = [turn.content for turn in history if turn.role == "user"]
    if not before or read_kind(question).follows < LEANS or read_inventory(question) == InventoryFilter():
        return False
    return read_kind(before[-1]).kind == "inventory" or continues_inventory(before[-1], _up_to_last(history))


def _up_to_last(history: Sequence[Message]) -> Sequence[Message]:
    """The turns before the last that a person wrote."""
    last = max(n for n, turn in enumerate(history) if turn.role == "user")
    return history[:last]


def _ends_in_norm(question: str) -> bool:
    found = find_identifiers(question)
    return bool(found) and not re.search(r"\w", question[found[-1].end :])


def _topic(question: str, words: str, spans: list[tuple[int, int]]) -> str:
    """The subject asked for, as written; the type of document where no subject is named."""
    shapes = (_TOPIC, _ADJECTIVE, _OF_TOPIC)
    matches = (shape.search(words) for shape in shapes)
    found = next((match for match in matches if match and not _is_no_topic(match["topic"])), None)
    if not found:
        kind = _TYPES.search(words)
        return kind[0] if kind else ""
    first = words.count(" ", 0, found.start("topic"))
    last = words.count(" ", 0, found.end("topic"))
    return question[spans[first][0] : spans[last][1]]


def _is_no_topic(words: str) -> bool:
    return bool(_NO_TOPIC.fullmatch(words) or _GRADES.fullmatch(words))


def _formats(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for word in words.split() for name in _FORMATS.get(word, "").split()))


def _kinds(words: str) -> tuple[str, ...]:
    return next((kinds for pattern, kinds in _KIND_PATTERNS if pattern.search(words)), ())
