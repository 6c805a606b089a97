"""What a task is about, by the words that name it: documents, a part of them, the conversation, the last answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rag_system.query.kinds import FILE_NAME
from rag_system.query.spelled_numbers import ORDINAL
from rag_system.query.word_lists import load_data
from rag_system.query.wording import NORM, Wording
from rag_system.types import TaskObject

__all__ = [
    "DOCUMENT",
    "NOTHING",
    "PART",
    "Named",
    "called",
    "part_before",
    "read_object",
    "reference",
    "split_around",
    "split_documents",
]

_DATA = load_data("tareas.toml")


def _either(name: str) -> str:
    """The words of a list as alternatives, the longest first, with their plurals."""
    return "|".join(f"{word}(?:s|es)?" for word in sorted(_DATA[name].split(), key=len, reverse=True))


_DETERMINER = (
    r"(?:el|la|los|las|lo|un|una|unos|unas|mis?|tus?|sus?|nuestr[oa]s?|est[ea]|est[oa]s|es[ea]|es[oa]s|dich[oa]s?"
    r"|ambos|ambas|tod[oa]s?|dos|tres|cuatro|mism[oa]s?)"
)
_PAGE = r"(?<=\bla\s)pagina(?:\s+web)?(?=\s+de\s)"  # of the web; «una página» is a length, «la última», «la 3» a part
DOCUMENT = f"(?:{_either('documentos')}|{_PAGE})"
PART = f"(?:{_either('partes')})"
_ROMAN = r"[ivxl]+"
_ORDINAL = rf"(?:{ORDINAL}|ultim[oa])"
_NUMBER = rf"(?:\d+[a-z]?(?:[.:-]\d*[a-z]?)*|{_ROMAN}|{_ORDINAL}|preliminar|final|unic[oa]|[a-h])"

_HERE = (
    r"(?:adjunt\w+|(?:que\s+)?(?:te\s+|acabo\s+de\s+|he\s+)*(?:subi\w*|adjunt\w+|carg\w+|pase|envie|mand\w+|elegi\w*"
    r"|seleccion\w+)|anterior(?:es)?|complet[oa]s?|enter[oa]s?|actual(?:es)?|de\s+arriba|aqui)"
)
_CONVERSATION = re.compile(
    r"""(?:tod[oa]\s+)?(?:(?:la|esta|nuestra|el|este|nuestro)\s+)?(?:conversacion|chat|charla|dialogo|consulta\s+de\s+hoy)
        (?:\s+(?:hasta\s+(?:ahora|aqui)|completa|entera|anterior|de\s+hoy))?
      | (?:todo\s+)?lo\s+(?:que\s+)?(?:hemos\s+|llevamos\s+)?(?:hablado|conversado|visto|charlado|discutido
        |hablamos|conversamos|vimos)(?:\s+(?:hasta\s+(?:ahora|aqui|el\s+momento)|hoy|aqui))?""",
    re.VERBOSE,
)
_ANSWER = re.compile(
    r"""(?:tod[oa]\s+)?(?:eso|esto|aquello|ello|lo\s+(?:anterior|mismo|de\s+arriba|dicho|que\s+(?:me\s+)?(?:dijiste
        |respondiste|escribiste|contestaste|acabas\s+de\s+(?:decir|responder|escribir|explicar))(?:me)?|ultimo)
      | (?:(?:la|tu|su|esta|esa|mi)\s+)?(?:ultima\s+)?(?:respuesta|explicacion|contestacion)(?:\s+(?:anterior|previa))?
      | (?:esa|esta|la|dicha|esos|estos|esas|estas)\s+(?:informacion|datos?|citas?|fuentes?|requisitos?|puntos?|pasos?)
        (?:\s+anterior(?:es)?)? )""",
    re.VERBOSE,
)
_COLLECTION = re.compile(
    r"""(?:(?:todos?|tod[oa]s)\s+)(?:(?:los|las|mis|tus|sus|nuestros|estos|esos)\s+)?(?:documentos?|docs|archivos?
        |ficheros?|pdfs?|textos?|materiales)(?:\s+(?:que\s+(?:tienes|tengo|hay|subi|cargue)|cargados|subidos
        |disponibles|del\s+proyecto))?
      | (?:(?:mis|tus|nuestros|los)\s+)(?:documentos|archivos|pdfs|materiales)(?:\s+(?:que\s+(?:tienes|tengo|hay|subi
        |cargue)|cargados|subidos|disponibles|del\s+proyecto))?
      | (?:tod[oa]\s+)?(?:(?:la|mi|tu|esta|el|este)\s+)(?:coleccion|biblioteca|base\s+documental|corpus|proyecto
        |carpeta|repositorio)(?:\s+(?:entera|completa|complet[oa]|enter[oa]))?
      | todo(?:\s+el\s+(?:proyecto|material))?""",
    re.VERBOSE,
)
_AGE = r"(?:anterior|otr[oa]|nuev[oa]|vigente|actual|antigu[oa]|ultim[oa]|original)"  # which of several it is
_DOCUMENTS = re.compile(
    rf"""(?P<determiner>(?:(?:contenido\s+de(?:l)?\s+)?{_DETERMINER}\s+){{0,3}})(?:{_AGE}\s+)?(?P<noun>{DOCUMENT})(?P<rest>\s.+)?""",
    re.VERBOSE,
)
_GENERIC = re.compile(f"(?:{_either('genericos')})")
_POINTING = re.compile(r"\b(?:est[ea]|est[oa]s|es[ea]|es[oa]s|dich[oa]s?|ambos|ambas|dos|tres|cuatro|mism[oa]s?)\b")
_EDITION = re.compile(rf"(?:{_DETERMINER}\s+)?(?:(?:edicion|version|revision)\s+(?:del?\s+)?(?:año\s+)?)?\d[\d.]*")
_FILE = re.compile(  # «manual.pdf», «PR-CAL-09», what is quoted
    rf"{FILE_NAME}|\b[a-z]{{2,}}(?:-[a-z]+)*-\d+|[«“\"].+[»”\"]",
    re.IGNORECASE,
)
_NUMBERED_PART = re.compile(
    rf"""(?:{_DETERMINER}\s+){{0,2}}
        (?P<part>(?:{PART})\s+(?:(?:n|nro|num|numero)\s+)?{_NUMBER}(?:\s+(?:y|a|al|e)\s+{_NUMBER})?|{_ORDINAL}\s+{PART})
        (?P<rest>\s.+)?""",
    re.VERBOSE,
)
_NAMED_PART = re.compile(
    rf"(?:(?:{_DETERMINER})\s+){{0,2}}(?P<part>.+?)\s+(?:de|del|en)\s+(?P<document>(?:(?:el|la|los|las|este|esta|ese"
    rf"|esa|mi|tu|su|l)\s+)?(?:{DOCUMENT}\b.*|{NORM}.*))"
)
_PART_CALLED = re.compile(
    r"(?:seccion|apartado|parte|capitulo)\s+(?:del?|sobre|titulad[oa]|llamad[oa]|que\s+\w+\s+de(?:l)?)\s+"
)
_A_PART_CALLED = re.compile(rf"(?:{_DETERMINER}\s+)?{_PART_CALLED.pattern}")
_OF = re.compile(r"(?:de|del|en|según|segun|dentro\s+del?|contenid\w+\s+en)\s+")
_JOINTS = re.compile(
    r"\s+(?:y|e|con|contra|vs|versus|frente\s+al?|respecto\s+(?:del?|al?)|o|a(?=\s+la))\s+"
    r"|(?<=@\d)\s+(?=(?:(?:el|la)\s+)?@)"  # «la ISO 9001, la ISO 27001»
)
_FROM_THE = re.compile(r"\s+del?\s+")  # «en qué se diferencia este reglamento del anterior»
# «Un reglamento», «contratos a plazo fijo»: a kind of documents. One is named with its article or its number.
_THIS = re.compile(rf"(?:contenido\s+del?\s+)?(?:{_DETERMINER}\s+)+|.*\d")
_INDEFINITE = re.compile(r"(?:un|una|unos|unas)\s")
_OTHER = re.compile(rf"(?:el|la)\s+(?:{_AGE}|del?\s.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a task is about."""

    of: TaskObject
    names: tuple[str, ...] = ()
    section: str = ""
    certain: bool = True  # the words name a document, a part of one or the conversation, and no mere subject


NOTHING = Named(of="unsaid")

_NAMED = re.compile(
    rf"""(?:{_CONVERSATION.pattern})\b | (?:{_ANSWER.pattern})\b | (?:{_COLLECTION.pattern})\b
      | (?:{_DETERMINER}\s+){{0,3}}
        (?: (?:{_AGE}\s+)?{DOCUMENT}\b | {NORM} | {PART}\s+{_NUMBER}\b | {_ORDINAL}\s+{PART}\b )""",
    re.VERBOSE,
)
# What is made of a document, and no part of it: «el resumen de», «las diferencias entre».
_PRODUCT = (
    r"(?:resum|sintesis|sinopsis|extracto|ideas?|puntos?|aspectos?|temas?|lineas?|indice|esquema|estructura|temario"
    r"|sumario|tabla|cuadro|mapa|contenido|capitulos|secciones|partes|version|traduccion|diferencia|semejanza|similitud"
    r"|cambio|compara)"
)
_PART_OF = re.compile(
    rf"(?:^|\s)(?P<part>(?:el|la|los|las)\s+(?!{_PRODUCT})[a-zñ]+(?:\s+[a-zñ]+){{0,3}}?)\s+(?:del?|en)\s*$"
)


def reference(words: Wording, start: int, end: int) -> int:
    """Where `words.text[start:end]` begins to name a document, a part, the conversation, the answer; `end`: nowhere."""
    text = words.text[:end]
    for word, (written, _) in zip(re.finditer(r"\S+", text), words.places, strict=False):
        quoted = written - (words.message[written - 1 : written] in ("«", "“", '"'))
        if word.start() >= start and (_NAMED.match(text, word.start()) or _FILE.match(words.message, quoted)):
            return word.start()
    return end


def called(text: str, start: int) -> int:
    """Where it begins to say what a part is called: «la parte del | espacio de usuario»; `start` where none is named.

    >>> called("la parte del espacio de usuario", 0), called("el espacio de usuario", 0)
    (13, 0)
    """
    found = _A_PART_CALLED.match(text, start)
    return found.end() if found else start


def part_before(text: str, place: int) -> int | None:
    """Where the part begins that is named before a document: «las conclusiones de» la tesis."""
    found = _PART_OF.search(text, 0, place)
    return found.start("part") if found else None


def read_object(words: Wording, start: int, end: int) -> Named:
    """What `words.text[start:end]` names."""
    text = words.text[start:end]
    by_article = words.text[:start].endswith(("del ", "al ")) or text.startswith("del ")
    if opening := _OF.match(text):
        start, text = start + opening.end(), text[opening.end() :]
    if not text:
        return NOTHING
    if _CONVERSATION.fullmatch(text):
        return Named(of="conversation")
    if _ANSWER.fullmatch(text):
        return Named(of="answer")
    if _COLLECTION.fullmatch(text):
        return Named(of="collection")
    named = _part(words, start, end) or _documents(words, start, end)
    kind_of = _DOCUMENTS.fullmatch(text) and not by_article and (_INDEFINITE.match(text) or not _THIS.match(text))
    return replace(named, certain=False) if kind_of and not re.search(NORM, text) else named


def _part(words: Wording, start: int, end: int) -> Named | None:
    """«El capítulo III de la ley», «las conclusiones de la tesis»: the latter may be a subject too."""
    text = words.text[start:end]
    if found := _NUMBERED_PART.fullmatch(text):
        of = _OF.match(words.text, start + found.start("rest") + 1) if found["rest"] else None
        last = start + found.end("part") if of else end
        names = _documents(words, of.end(), end).names if of else ()
        return Named(of="section", names=names, section=words.written(start + found.start("part"), last))
    found = _NAMED_PART.fullmatch(text)
    if found is None or re.match(rf"(?:{_AGE}\s+)?(?:{DOCUMENT}\b|{NORM})", found["part"]):
        return None
    first = start + found.start("part")
    if called := _PART_CALLED.match(found["part"]):
        first += called.end()
    names = _documents(words, start + found.start("document"), end).names
    section = words.written(first, start + found.end("part"))
    return Named(of="section", names=names, section=section, certain=called is not None)


def _documents(words: Wording, start: int, end: int) -> Named:
    text, written = words.text[start:end], words.written(start, end)
    found = _DOCUMENTS.fullmatch(text)
    if found is None:
        return Named(of="documents", names=(written,), certain=bool(re.search(NORM, text) or _FILE.search(written)))
    rest = (found["rest"] or "").strip()
    if rest and not re.fullmatch(_HERE, rest):
        return Named(of="documents", names=(written,))
    if rest or _POINTING.search(found["determiner"]) or _GENERIC.fullmatch(found["noun"]):
        return Named(of="documents")
    return Named(of="documents", names=(words.written(start + found.start("noun"), end),))


def split_documents(words: Wording, start: int, end: int) -> tuple[str, ...] | None:
    """The names of several documents, as written: «la ISO 9001:2008 y la 2015»; None where they are mere subjects.

    Empty where they are pointed at: «los dos contratos».
    """
    text = words.text[start:end]
    found = _DOCUMENTS.fullmatch(text)
    if found and not found["rest"] and (_POINTING.search(found["determiner"]) or found["noun"].endswith("s")):
        return ()
    for joints in (_JOINTS, _FROM_THE):
        cuts = [joint.span() for joint in joints.finditer(text)]
        for pieces in ([*cuts], *([cut] for cut in cuts)):
            starts, ends = (0, *(cut[1] for cut in pieces)), (*(cut[0] for cut in pieces), len(text))
            sides = [(start + one, start + other) for one, other in zip(starts, ends, strict=True)]
            if len(sides) > 1 and all(_names_a_document(words, *side) for side in sides):
                return tuple(words.written(*side) for side in sides)
    return None


def split_around(words: Wording, first: tuple[int, int], matter: tuple[int, int]) -> tuple[tuple[str, ...], int] | None:
    """The names of two documents between which the matter stands, and where that ends: «la ley @ en lo de | riesgos con
    | el decreto @»; None where nothing after the matter is a document.
    """
    start, end = matter
    for joint in _JOINTS.finditer(words.text, start, end):
        if _names_a_document(words, *first) and _names_a_document(words, joint.end(), end):
            return (words.written(*first), words.written(joint.end(), end)), joint.start()
    return None


def _names_a_document(words: Wording, start: int, end: int) -> bool:
    if _EDITION.fullmatch(words.text[start:end]) or _OTHER.fullmatch(words.text[start:end]):
        return True
    named = read_object(words, start, end)
    return named.certain and named.of in ("documents", "section")
