"""Questions about the collection itself: «¿qué documentos tienes?», «¿qué leyes tienes sobre teletrabajo?».

A question is about the collection when it asks what the assistant holds; «¿cuántos documentos de identidad exige el
trámite?» is not, because its documents belong to the subject.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rag_system.query.courtesy import asked_part, strip_opening
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import find_identifiers
from rag_system.query.text import fold
from rag_system.query.typing_habits import mend
from rag_system.types import InventoryFilter, Message

__all__ = ["read_inventory"]

_NOUN = r"""(?:documentos?|docs?|archivos?|ficheros?|fuentes?|libros?|ley(?:es)?|normas?|normativas?|manual(?:es)?
      |guias?|textos?|material(?:es)?
    |pdfs?|words?|excels?|informes?|reglamentos?|decretos?|resolucion(?:es)?|ordenanzas?|directivas?|articulos|papers?|tesis|documentacion
    |bibliografia|contratos|politicas|procedimientos|isos?|estandares|reportes|publicaciones|codigos|estudios|investigaciones|registros|temarios?|bases\s+de\s+datos)"""
_PLURAL = r"""(?:documentos|docs|archivos|ficheros|fuentes|libros|leyes|normas|normativas|manuales|guias|textos
      |materiales|pdfs?|words?
    |informes|reglamentos|decretos|resoluciones|ordenanzas|directivas|papers|tesis|documentacion|isos|estandares)"""
_FILES = r"(?:documentos|docs|archivos|ficheros|pdfs?|documentacion|textos|libros|fuentes|manuales|normas|leyes)"
_COLLECTION = r"""(?:(?:tu|la|el|mi|nuestra|este|esta|su)\s+(?:base(?:\s+de\s+(?:datos|conocimientos?|documentos))?
      |base\s+documental|biblioteca
    |coleccion|sistema|proyecto|corpus|repositorio|memoria|carpeta|plataforma|legajo|chat|indice|asistente|aplicacion|inventario)
    (?!\s+(?:de|del|nacional|municipal|general|judicial|penal|integrado)\b))"""
_LOADED = r"(?:cargad|indexad|subid|disponib|registrad|almacenad|guardad|incorporad|ingresad|agregad|anadid|añadid)\w*"
_YOU_HAVE = rf"""(?:tienes|tenes|tendras|posees|manejas|conoces|dispones|guardas|cuentas|usas|utilizas|consultas
      |lees|leiste|abarcas|cubres|incluyes|contienes
    |tiene\s+usted|tienen\s+ustedes|has\s+(?:leido|cargado|indexado|procesado)|(?:puedes|podes|puede)\s+(?:consultar|leer|revisar|ver|usar|mostrar|mostrarme|buscar|acceder|citar)
    |(?:te\s+)?(?:he|hemos)\s+(?:subido|cargado|pasado|dado)|(?:te\s+)?(?:subi|cargue|pase)|tengo\s+(?:{_LOADED}|aqui)|tengo$
    |estan?\s+(?:{_LOADED}|en\s+{_COLLECTION})|se\s+(?:han\s+)?(?:cargaron|cargado|indexaron|indexado|subieron|subido)
    |puedo\s+(?:consultar|preguntar|revisar|ver|leer)(?:te)?(?:\s+(?:aqui|contigo|en\s+{_COLLECTION}))?$
    |(?:tiene|contiene|incluye|hay\s+en|existen?\s+en|abarca)\s+{_COLLECTION})"""
_NOT_DUTY = r"(?!\s+(?:que|en\s+cuenta|a\s+bien)\b)"  # «tienes que presentar», «tienes en cuenta»
_ABOUT = (
    r"(?:sobre|acerca\s+de|respecto\s+(?:a|de)|relacionad\w+\s+(?:con|a)|referid\w+\s+a|"
    r"(?:que\s+|se\s+)?(?:hablen?|traten?|tratan?|hablan?)\s+(?:de|del|sobre)|mencionan?)"
)
_FORMAT = r"(?:en\s+)?(?:formato\s+)?(?:pdfs?|word|docx?|html|markdown|md|txt|excel|xlsx|powerpoint|pptx|epub|csv)"
_SHOW = r"""(?:lista(?:r|s|me|do)?|listeme|enumera(?:r|me)?|enumere(?:me)?|muestra(?:s|me|nos)?|mostrar(?:me)?|muestreme
      |ensena(?:r|me)?|enseña(?:r|me)?|ver|mira|dame|deme|dime|digame
    |indica(?:me)?|indiqueme|menciona(?:me)?|nombra(?:me)?|quiero|necesito|despliega|visualizar|relacion|presenta(?:me)?|detalla(?:me)?)"""
_LISTING = (
    r"(?:(?:la|el|una|un)\s+)?(?:lista|listado|relacion|indice|catalogo|inventario|nombres?|titulos?|cantidad)"
    r"(?:\s+completa?o?)?\s+(?:de|con)\s+"
)
_ALL = r"(?:(?:todos|todas|todo|toda)\s+)?(?:(?:los|las|la|el|tus|mis|sus|nuestros|estos|esos)\s+)?"
_SOME = r"(?:algun[oa]?s?|un|una|unos|unas|los|las|el|la|otros?|otras?|mas|muchos|muchas|algo\s+de)"

_QUESTION = re.compile(
    rf"""
    (?: # ¿qué / cuáles / cuántos … tienes?
        (?:de\s+|en\s+|con\s+|a\s+)?(?:que|cuales?|cuant[oa]s?)\s+(?:son\s+)?(?:otr[oa]s\s+|mas\s+)?(?:l[oa]s\s+)?(?:(?:tipos?|clases?)\s+de\s+)?{_NOUN}
          (?:\s+(?!que\s+(?!tienes|manejas))(?!debo|debe|hay\s+que)\w+){{0,4}}?\s+(?:que\s+)?{_YOU_HAVE}{_NOT_DUTY}.*
      | (?:que|cuales|cuant[oa]s?)\s+(?:son\s+)?(?:l[oa]s\s+)?{_NOUN}(?:\s+(?:{_FORMAT}|de\s+consulta
      |legales))?\s+(?:que\s+)?hay
          (?: $ | \s+(?:{_LOADED}|aqui|en\s+{_COLLECTION}|en\s+total|{_FORMAT}$).*
            | \s+{_ABOUT}\s+(?!.*\ben\s+(?:el\s+)?(?:peru|mexico|chile|colombia|españa)\b).+ )
      | (?:cuales|que)\s+(?:son\s+)(?:tus|mis)\s+{_NOUN}(?:\s+(?:de\s+(?:informacion|consulta|datos)|{_LOADED}
      |bibliograficas))?$
      | (?:cuales|que)\s+(?:son\s+)sus\s+(?:fuentes|documentos)(?:\s+de\s+informacion)?$
      | (?:cual|que)\s+es\s+(?:tu|su)\s+(?:fuente|base\s+(?:de\s+(?:datos|conocimientos?)|documental)|biblioteca
      |bibliografia)(?:\s+de\s+informacion)?$
      | cuales\s+son\s+l[oa]s\s+{_PLURAL}\s+(?:{_LOADED}|en\s+{_COLLECTION}).*
      # lista los documentos
      | {_SHOW}\s+(?:{_SHOW}\s+)?{_ALL}(?:{_LISTING})?{_ALL}
          (?: {_FILES}(?:\s+de\s+(?:informacion|consulta))?$
            | {_PLURAL}\s+(?:que\s+{_YOU_HAVE}{_NOT_DUTY}.* | que\s+hay(?!\s+que).*
            | que\s+(?:tengas|tenga|haya|existan|esten)\b(?!\s+que).*
              | {_LOADED}.* | {_FORMAT}$ | {_ABOUT}\s+.+ | (?:de|del|en)\s+{_COLLECTION}.*) )
      | (?:{_LISTING})(?:l[oa]s\s+|tus\s+|mis\s+)?{_FILES}(?:$
      |\s+(?:{_LOADED}|que\s+{_YOU_HAVE}|de\s+{_COLLECTION}|en\s+{_COLLECTION}).*)
      | (?:mis|tus|los|todos\s+los|todos\s+tus|ver)?\s*{_PLURAL}\s+(?:{_LOADED}
      |en\s+{_COLLECTION})(?:\s+en\s+{_COLLECTION})?$ | (?:mis|tus)\s+{_FILES}$
      # ¿qué documentos hablan de…?
      | (?:en\s+)?(?:que|cuales|cuant[oa]s)\s+(?:son\s+los\s+|de\s+(?:tus|los|mis)\s+)?(?:documentos|archivos|pdfs?
      |fuentes)\s+(?:se\s+|que\s+)?
          (?:hablan?|tratan?|mencionan?|se\s+refieren|contienen\s+informacion)\s+.+
      | (?:que|cuales)\s+(?:documentos|archivos|fuentes|normas|leyes)\s+(?:conforman|componen|integran
      |forman\s+parte\s+de)\s+{_COLLECTION}$
      | (?:que|cuales)\s+(?:documentos|archivos|manuales|libros)\s+tiene$
      | (?:cual|cuales)\s+(?:es|son)\s+(?:{_LISTING})(?:los\s+)?{_FILES}$
      | (?:los\s+|todos\s+los\s+|las\s+)?{_PLURAL}\s+que\s+{_YOU_HAVE}{_NOT_DUTY}$
      | (?:hay|existen?)\s+(?:{_SOME}\s+)*{_FILES}\s+{_FORMAT}$
      | (?:tienes|tenes|tiene\s+usted)\s+(?:el|la|un|una|algun|alguna)\s+(?:codigo|constitucion|reglamento|decreto
      |manual|guia|tesis|directiva|politica|estatuto)\b.*
      # ¿tienes…?
      | (?:tienes|tenes|tiene\s+usted|dispones\s+de|cuentas\s+con|manejas)\s+(?:{_SOME}\s+)*{_NOUN}{_NOT_DUTY}\b.*
      | (?:tienes|tenes)\s+(?:algo|alguna\s+cosa)\s+(?:de|del|{_ABOUT})\s+.+
      | (?:hay|existen?)\s+(?:{_SOME}\s+)*{_NOUN}\s+(?:.*\b)?(?:{_LOADED}|en\s+{_COLLECTION})(?:\s+.*)?
      | hay\s+(?:{_SOME}\s+)*{_FILES}\s+{_ABOUT}\s+.+
      | (?:esta|estan|tienes|tenes|ya\s+esta)\s+(?:{_LOADED})\s+(?:el|la|los|las)\s+{_NOUN}\b.*
      | (?:esta|estan)\s+.+\s+en\s+{_COLLECTION}$ | (?:cual|cuanto)\s+es\s+el\s+(?:total|numero)\s+de\s+{_FILES}$
      | .*\b(?:esta|estan|figura|aparece|existe)\s+(?:{_LOADED}|en\s+{_COLLECTION}|entre\s+tus\s+{_FILES})$
      # ¿sobre qué temas…?
      | (?:(?:de|con|sobre|en|acerca\s+de)\s+)?(?:que|cuales|cuant[oa]s?)\s+(?:son\s+(?:los|las|tus)\s+)?(?:informacion
      |temas?|contenidos?|materias?|areas?|cosas|tematicas?|topicos?)\s+
          (?:que\s+)?(?:(?:me\s+|nos\s+)?(?:tienes|cuentas|dispones|manejas|conoces|cubres|abarcas|dominas|tratas|sabes|(?:puedes|podes|puede|podrias)\s+(?:responder|consultar|tratar|hablar|ayudar|contestar|cubrir|orientar)\w*)
             | (?:te\s+)?puedo\s+(?:preguntar|consultar)\w* | hay$
             | (?:tratan|contienen|cubren|abarcan)\s+(?:tus|los|mis)\s+{_FILES} | contiene\s+{_COLLECTION} )
          (?:\s+(?:informacion|documentos|{_LOADED}|hablar|en\s+{_COLLECTION}|aqui|preguntas|consultas))?$
      | sobre\s+que\s+(?:(?:me\s+)?(?:puedes|podes|sabes|respondes|hablas|tienes)|(?:te\s+)?puedo)\s*(?:responder
      |preguntar|hablar|consultar|informar|informacion|ayudar|contestar)?\w*$
      | de\s+que\s+(?:tratan|hablan|van)\s+(?:tus|mis|los|estos|esos)\s+{_FILES}(?:\s+(?:{_LOADED}|que\s+tienes))?$
      | que\s+(?:puedes|podes|puedo|podemos)\s+(?:consultar|leer|revisar)(?:\s+(?:aqui|contigo|en\s+{_COLLECTION}))?$
      | (?:que|cuanto)\s+(?:hay|tienes|contiene|incluye|tengo)\s+(?:{_LOADED}
      |(?:en\s+)?{_COLLECTION})(?:\s+en\s+{_COLLECTION})?$ | que\s+(?:contiene|abarca|incluye)\s+{_COLLECTION}$
      | que\s+(?:he|hemos)\s+(?:subido|cargado)$ | que\s+tienes$
      | (?:en|a|con|de)\s+(?:que|cuales)\s+{_NOUN}\s+(?:te\s+basas|te\s+apoyas|consultas|tienes\s+acceso|sacas
      |obtienes|respondes|trabajas|te\s+alimentas|puedo\s+acceder).*
      | de\s+donde\s+(?:sacas|obtienes|tomas|viene|proviene|salen)\s+(?:la|tu|tus|las|esa)\s+(?:informacion
      |respuestas?|datos)$
    )
    """,
    re.VERBOSE,
)

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
_ELLIPSIS = re.compile(
    rf"""(?:(?:y|e|solo|tambien|cuales)\s+)*(?:son\s+|hay\s+|tienes\s+)?(?:(?:los|las|de|en|con)\s+)*
        (?:{_NOUN}|{_FORMAT}|{_ABOUT}\s+.+)(?:\s+{_ABOUT}\s+.+)?""",
    re.VERBOSE,
)
_OF_TOPIC = re.compile(
    rf"(?:tienes|hay|dispones\s+de|cuentas\s+con|manejas)\s+(?:{_SOME}\s+)*{_NOUN}\s+(?:del?|para)\s+(?P<topic>.+)",
    re.VERBOSE,
)
_NO_TOPIC = re.compile(r"(?:he|hemos|me|te|se|no|ya|mas|otr[oa]s|que\b.*|cuales\b.*|tienes|puedo)")
_WORD = re.compile(r"[a-z0-9ñ]+")


def read_inventory(question: str, history: Sequence[Message] = ()) -> InventoryFilter | None:
    """What part of the collection a question asks for; None when it does not ask about the collection."""
    composed = unicodedata.normalize("NFC", question)
    plain = aligned_fold(composed)
    spans = [match.span() for match in _WORD.finditer(plain, *asked_part(plain))]
    words = mend(" ".join(plain[start:end] for start, end in spans))
    asked = strip_opening(words)
    named = _asks_for_norm(composed, asked)
    if not (named or _QUESTION.fullmatch(asked) or _continues_inventory(asked, history)):
        return None
    topic = "" if named else _topic(composed, words, spans)
    said = words.replace(fold(topic), "") if topic else words
    return InventoryFilter(topic=topic, formats=_formats(words), kinds=() if named else _kinds(said))


def _asks_for_norm(question: str, asked: str) -> bool:
    """«¿Tienes la ISO 9001?»: whether the collection holds a norm."""
    if not re.match(r"(?:tienes|tenes|tiene\s+usted|manejas|cuentas\s+con)\s", asked):
        return False
    found = find_identifiers(question)
    return bool(found) and not re.search(r"\w", question[found[-1].end :]) and "informacion" not in asked


def _continues_inventory(asked: str, history: Sequence[Message]) -> bool:
    """«¿y manuales?» after «¿qué documentos tienes?»."""
    previous = next((turn.content for turn in reversed(history) if turn.role == "user"), "")
    return bool(previous and _ELLIPSIS.fullmatch(asked)) and read_inventory(previous) is not None


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
