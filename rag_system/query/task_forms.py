"""How people ask for work on documents: patterns over the plain text of a `Wording`, for `rag_system.query.tasks`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rag_system.query.task_objects import DOCUMENT, PART
from rag_system.query.word_lists import PREDICATES, STOPWORDS, load_data
from rag_system.types import TaskKind

__all__ = ["FORMS", "ORDERED", "POLITE", "TAIL", "Form", "Need", "sentences_asked"]

_DATA = load_data("tareas.toml")
_TONGUE = f"(?:{'|'.join(_DATA['lenguas'].split())})"
_WRITING = f"(?:{'|'.join(sorted(_DATA['escritos'].split(), key=len, reverse=True))})(?:e?s)?"
_ME = r"(?:me|nos|te|se|lo|la|los|las|melo|mela|noslo|selo)*"
_SOME = r"(?:(?:un|una|el|la|unos|unas|los|las|otro|otra|algun|alguna|tu|mi)\s+)?"

# «¿me puedes …?», «quisiera que …», «y ahora …»
POLITE = re.compile(
    r"""(?:(?:y|e|ahora|entonces|pero|tambien|bueno|oye|a\s+ver|primero|luego|por\s+favor|porfavor|ok|si)\s+
      | (?:me|nos|se\s+lo|lo(?!\s+(?:mismo|anterior|que|mas|de)\b))\s+(?:lo\s+|la\s+|los\s+|las\s+)?
      | (?:me\s+|nos\s+)?(?:puedes?|podrias?|pueden|podrian|quiero|quisiera|queria|necesito|deseo|(?:me\s+)?gustaria
        |(?:me\s+)?ayuda(?:me|s)?\s+(?:a|con)|ver|saber|dime|conocer|tratar\s+de|favor\s+de|te\s+pido|es\s+posible|seria\s+posible
        |hay\s+forma\s+de|intenta
        |serias\s+capaz\s+de|me\s+haces\s+el\s+favor\s+de)\s+(?:por\s+favor\s+)?(?:que\s+)?(?:me\s+|nos\s+)?)+""",
    re.VERBOSE,
)
_MAKE = (
    r"(?:haz|hace|haga|hagas|hacer|haces|d[ae]s?|dar|pon|prepara|prepare|preparar|elabora|elabore|elaborar|genera"
    r"|genere|generar|crea|cree|crear|escribe|escriba|escribi|escribir|redacta|redacte|redactar|arma|arme|armar|muestra"
    r"|muestre|mostrar|realiza|realice|realizar|presenta|construye|confecciona|saca|sacar|extrae|extraer)"
)
_ORDER = rf"(?:(?:{_MAKE}{_ME}|quiero|quisiera|necesito|deseo|me\s+(?:haces|das|preparas|generas|puedes\s+dar))\s+)?"
_NUMBERS = {word: n for n, word in enumerate("una dos tres cuatro cinco seis siete ocho nueve diez".split(), 1)}
_NUMBERS |= {"un": 1, "doce": 12, "quince": 15, "veinte": 20, "cien": 100, "pocas": 3, "pocos": 3}
_AMOUNT = rf"(?:\d+|{'|'.join(_NUMBERS)})"
# How many sentences each unit may have: «en dos párrafos», «en cien palabras».
_UNITS = {"linea": 1.0, "punto": 1.0, "oracion": 1.0, "frase": 1.0, "idea": 1.0, "item": 1.0, "viñeta": 1.0}
_UNITS |= {"parrafo": 4.0, "palabra": 0.04}
_UNIT = rf"(?:(?:{'|'.join(_UNITS)})(?:s|es)?|paginas?|hojas?|minutos?)"
_SIZE = rf"(?:en|con|de)\s+(?:no\s+mas\s+de\s+|menos\s+de\s+|maximo\s+|un\s+maximo\s+de\s+)?{_AMOUNT}\s+{_UNIT}"
_HOW = (
    r"(?:muy|breve|corto|corta|general|ejecutiv[oa]|complet[oa]|detallad[oa]|rapid[oa]|sencill[oa]|simple|clar[oa]"
    r"|pequeño|concis[oa]|ampli[oa]|larg[oa]|final|buen|principal(?:es)?|comparativ[oa]|pequeña|buena|brevemente"
    rf"|{_SIZE}|{_AMOUNT})"
)
_SIZED = re.compile(rf"\b(?P<n>{_AMOUNT})\s+(?:(?P<unit>{'|'.join(_UNITS)})(?:s|es)?)\b")
_BRIEF = re.compile(r"\b(?:brev\w+|cort[oa]s?|concis[oa]|rapid[oa]|pequeñ[oa])\b")
BRIEF = 5  # sentences


def sentences_asked(plain: str) -> int:
    """How many sentences a summary may have, by the plain words of a message; 0 where they do not say.

    >>> sentences_asked("resume la tesis en tres puntos"), sentences_asked("un resumen breve")
    (3, 5)
    """
    if sized := _SIZED.search(plain):
        number = _NUMBERS[sized["n"]] if sized["n"] in _NUMBERS else int(sized["n"])
        return max(round(number * _UNITS[sized["unit"]]), 1)
    return BRIEF if _BRIEF.search(plain) else 0


# What is said of the product after its object: «… en cinco líneas», «… para mi jefe, por capítulos».
TAIL = re.compile(
    rf"""\s+(?:{_SIZE}
      | en\s+(?:viñetas|puntos|espanol|español|lenguaje\s+\w+|palabras\s+\w+|resumen|una\s+tabla|un\s+cuadro)
      | por\s+(?:capitulos|secciones|partes|temas|articulos|puntos) | punto\s+por\s+punto | paso\s+a\s+paso
      | brevemente | por\s+favor | porfa | de\s+forma\s+\w+ | de\s+manera\s+\w+ | otra\s+vez | de\s+nuevo | ahora )$""",
    re.VERBOSE,
)

ORDERED = re.compile(
    rf"(?:.*?\b(?:quiero|quisiera|necesito|deseo|gustaria|pued[eo]s?|podrias?|favor|dime)\b|{_MAKE}{_ME}\b)"
)

_SUMMARY = (
    r"(?:resumen|resumencito|sintesis|sinopsis|extracto"
    r"|(?:los\s+|las\s+)?(?:puntos|ideas|aspectos|temas|lineas)\s+(?:mas\s+importantes|clave|claves|principales"
    r"|esenciales|fundamentales|centrales)|lo\s+(?:mas\s+)?(?:importante|esencial|principal|relevante|fundamental))"
)
_SUM_UP = r"(?:resum(?!en\b|id[oa])|sinteti[zc]|condens)[a-zñ]+"
_INDEX = (
    r"(?:indice|esquema|sumario|temario|tabla\s+de\s+contenidos?|estructura|outline|mapa(?:\s+conceptual)?)"
    r"(?:\s+(?:general|detallad[oa]|complet[oa]))?"
)
_PARTS = rf"(?:{PART}|partes|libros|anexos)"
_ABOUT = r"(?:se\s+)?(?:trata|tratan|va|van|habla|hablan|versa|versan)"
_DIFFERENCE = r"(?:diferencias?|similitudes|semejanzas|cambios?|parecidos?|coincidencias)"
_COMPARE = rf"(?:compar|contrast|cotej|confront)(?:a|e|ar|es|as|en)?{_ME}"
_AS_TO = r"(?:sobre|en\s+cuanto\s+al?|respecto\s+(?:del?|al?)|en\s+lo\s+(?:relativo|referente)\s+al?|en\s+materia\s+de)"
_EASIER = r"""(?:(?:mas|muy)\s+(?:facil|simple|sencill[oa]|clar[oa]|despacio|breve|corto|resumid[oa]|entendible)
    | mejor | de\s+(?:forma|manera|modo)\s+(?:mas\s+|muy\s+)?(?:sencilla|simple|facil|clara|entendible)
    | (?:en|con|usando)\s+(?:otras\s+palabras|palabras\s+(?:mas\s+)?(?:simples|sencillas|faciles)
      |(?:un\s+)?lenguaje\s+(?:mas\s+)?(?:simple|sencillo|claro|comun|facil|coloquial|llano)|cristiano|facil|simple|sencillo)
    | como\s+(?:si\s+(?:fuera|tuviera|yo\s+fuera)\b.*|(?:para\s+)?(?:a\s+)?un\s+(?:niño|nene|chico|principiante)\b.*)
    | para\s+(?:un\s+)?(?:niños?|principiantes?|dummies|tontos|alguien\s+que\s+no\s+\w+.*)
    | con\s+(?:tus|otras)\s+palabras | mas\s+sencillo\s+por\s+favor )"""
_EXPLAIN = (
    rf"(?:expli[cq]u?|aclar|simplific|simplifiqu|reformul|replante|dilo|dimelo|ponlo|ponmelo)(?:a|e|as|es|ar|ame)?{_ME}"
)
_SAY = (
    rf"(?:di|dime|dilo|dimelo|ponlo|ponmelo|escribelo|escribemelo|repitelo|respond[ea]{_ME}|contesta{_ME}|pasalo"
    r"|pasamelo)"
)
_TRANSLATE = rf"tradu(?:ces?|ci|cir|zcas?){_ME}"
_DRAFT = (
    rf"(?:redact|escrib|elabor|prepar|gener|cre|arm|confeccion|haz|hag|hace|hacer|diseñ)(?:a|e|i|o|as|es|ar|ir)?{_ME}"
)
_FROM = (
    r"(?:con|a\s+partir\s+del?|basad[oa]s?\s+en|usando|segun|sobre|de\s+acuerdo\s+al?|acerca\s+del?|en\s+base\s+al?)"
)
# What is to be drafted: «redacta una carta de reclamo para el banco».
_PIECE = (
    rf"{_DRAFT}\s+(?:un|una|unos|unas|el|la|los|las)\s+(?P<what>(?:{_HOW}\s+)*(?:{_WRITING}|lista\s+de\s+(?:verificacion"
    r"|chequeo|control|cotejo|comprobacion|tareas|pasos)|correo\s+electronico|preguntas\s+frecuentes|hoja\s+de\s+ruta)"
    r"(?:\s+(?!con\b|basad|usando\b|segun\b|sobre\b|acerca\b)[a-zñ]+){0,12}?)"
)
_LIST = (
    rf"(?:(?:(?:en)?list|enumer|muestr|mostr|d|dim|dig|indi[cq]u?|extra|identifi[cq]u?|encuentr|bus[cq]u?|sa[cq]u?"
    rf"|mencion|nombr|ubi[cq]u?|recopil"
    rf"|señal|reun|hall|quier|necesit)(?:a|e|o|ar|ae|aer|aiga|es|as|ir|e\s+ver)?{_ME}"
    r"|(?:dame|dime|ver|muestrame|cuales\s+son|que|lista|un\s+listado\s+de|(?:una\s+|la\s+)?lista\s+(?:completa"
    rf"\s+)?(?:de|con)))"
)
_ALL = rf"(?:{_LIST}\s+)?tod[oa]s\s+(?:los|las|sus)"
# «¿Qué es gratis?», «todo lo prohibido»: a list by what is said of things.
_FREE = r"(?:gratis|gratuit[oa]s?)"
_WHAT_IS = (
    rf"(?:(?:que|que\s+cosas|cuales)\s+(?:es|son)\s+(?={_FREE})|(?:{_LIST}\s+)?todo\s+lo\s+(?:que\s+(?:es|sea|est[ae])\s+)?)"
    rf"(?P<what>{_FREE}|prohibid[oa]s?|obligatori[oa]s?)"
)
_THAT_STAND = (
    r"(?:que\s+(?:se\s+)?(?:hay|hayan?|aparec\w+|contien\w+|tien\w+|establec\w+|mencion\w+|fija\w*|figur\w+|señal\w+"
    r"|prev\w+|exig\w+|impon\w+|indic\w+|est[ae]n?|regul\w+|incluy\w+|trae|nombr\w+|existen?)(?:\s+en)?)"
)
_HAS = r"(?:tiene|tienen|contiene|trae|hay\s+en|posee)"
_NO_DUTY = r"(?!\s*(?:que|debe|deben|permitid|minim|maxim|como)\b)"

# Whether it is a task only where a document is named; "ordered": or where a person orders it («hazme un índice de…»);
# "both": only where both is so; "section": where a section is named by its words, and a document by more than its kind.
Need = Literal["any", "certain", "ordered", "both", "section"]


@dataclass(frozen=True, slots=True)
class Form:
    """A way to ask for a task: `object` and `what` are groups of the pattern."""

    kind: TaskKind
    shape: re.Pattern[str]
    needs: Need = "any"
    what: str = ""


def _form(kind: TaskKind, pattern: str, *, needs: Need = "any", what: str = "") -> Form:
    return Form(kind, re.compile(pattern, re.VERBOSE), needs, what)


# Of a name: no word that asks or joins.
_WORD = rf"(?!(?:{'|'.join(sorted(STOPWORDS))}|{PREDICATES})\b)[a-zñ]{{3,}}"
_O = r"(?P<object>\S.*)"
FORMS: tuple[Form, ...] = (
    # ---------------------------------------------------------------- summaries
    _form("summarise", rf"{_SUM_UP}(?:\s+(?:{_SIZE}|brevemente))?(?:\s+{_O})?"),
    _form("summarise", rf"{_ORDER}{_SOME}(?:{_HOW}\s+)*resumen(?:\s+{_HOW})*(?:\s+(?:del?|sobre|acerca\s+del?)"
          rf"\s+{_O})?", needs="ordered"),
    _form("summarise", rf"{_ORDER}{_SOME}(?:{_HOW}\s+)*{_SUMMARY}(?:\s+{_HOW})*\s+(?:del?|sobre|en|acerca\s+del?)"
          rf"\s+{_O}",
          needs="certain"),
    _form("summarise", rf"(?:cual(?:es)?|que)\s+(?:es|son|seria|serian)\s+{_SOME}{_SUMMARY}\s+(?:del?|en)\s+{_O}",
          needs="certain"),
    # ---------------------------------------------------------------- comparisons
    _form("compare", rf"{_COMPARE}(?:\s+{_O})?(?:\s+{_AS_TO}\s+(?P<what>.+))", needs="certain"),
    _form("compare", rf"{_COMPARE}(?:\s+{_O})?", needs="certain"),
    _form("compare", rf"{_COMPARE}\s+(?P<what>(?:los|las|el|la|lo)\s+[a-zñ]+(?:\s+(?:del?\s+)?(?:la\s+)?"
          rf"(?!{DOCUMENT}\b)[a-zñ]+)?)\s+(?:del?|en|entre|segun|que\s+\S+)\s+{_O}", needs="certain"),
    _form("compare", rf"{_ORDER}{_SOME}(?:{_HOW}\s+)*(?:comparacion|comparativa|comparativo|paralelo|contraste"
          rf"|(?:cuadro|tabla)\s+comparativ[oa]|cuadro\s+de\s+diferencias)(?:\s+{_HOW})*\s+(?:entre|del?|con)\s+{_O}",
          needs="certain"),
    _form("compare", rf"(?:cuales|que|cual|hay|existen?|dime|indica{_ME})\s+(?:es\s+|son\s+|hay\s+|existen?\s+)?"
          rf"(?:las?\s+|los\s+|el\s+)?(?:principales\s+)?{_DIFFERENCE}\s+(?:hay\s+|existen?\s+|principales"
          rf"\s+)*(?:entre|del?)\s+{_O}",
          needs="certain"),
    _form("compare", rf"(?:las?\s+|los\s+)?(?:principales\s+)?{_DIFFERENCE}\s+(?:que\s+hay\s+)?entre"
          rf"\s+{_O}", needs="both"),
    _form("compare", rf"en\s+que\s+(?:se\s+)?(?:diferencian?|distinguen?|parecen?|cambian?|cambio|coinciden?)\s+{_O}",
          needs="certain"),
    _form("compare", rf"que\s+(?:cambio|cambia|cambios\s+hay|vario)\s+(?:entre|de|desde)\s+{_O}", needs="certain"),
    # ---------------------------------------------------------------- outlines
    _form("outline", rf"(?:de|sobre|acerca\s+de)\s+que\s+(?:temas?\s+)?{_ABOUT}", what="gist"),
    _form("outline", rf"(?:de|sobre|acerca\s+de)\s+que\s+(?:temas?\s+)?{_ABOUT}\s+{_O}", needs="certain", what="gist"),
    _form("outline", rf"{_ORDER}{_SOME}(?:{_HOW}\s+)*{_INDEX}(?:\s+(?:del?|sobre)\s+{_O})?", needs="ordered"),
    _form("outline", rf"(?:cual|que)\s+es\s+{_SOME}(?:{_INDEX}|contenido)\s+(?:del?|en)\s+{_O}", needs="certain"),
    _form("outline", rf"(?:en\s+)?(?:que|cuales)\s+{_PARTS}\s+(?:se\s+divide|{_HAS})\s+{_O}", needs="certain"),
    # ---------------------------------------------------------------- lists
    _form("list_all", rf"{_ALL}\s+(?P<what>\S+(?:\s+(?!que\b|del?\b|en\b|segun\b)[a-zñ]+(?:s|es))?)"
          rf"(?:\s+(?:{_THAT_STAND}|del?|en|segun)\s+{_O})?(?:\s+{_THAT_STAND})?", needs="certain"),
    _form("list_all", rf"{_ALL}\s+(?P<what>\S+\s+(?:del?|al?|por)\s+\S+)"
          rf"(?:\s+(?:{_THAT_STAND}|del?|en|segun)\s+{_O})?", needs="certain"),
    _form("list_all", rf"{_ALL}\s+(?P<what>\S+)\s+(?:del|de\s+(?:la|los|las))\s+{_O}"),
    _form("list_all", _WHAT_IS),
    _form("list_all", rf"que\s+(?P<what>[a-zñ]{{3,}}s\s+son\s+{_FREE})"),
    _form("list_all", rf"{_WHAT_IS}\s+(?:del?|en|segun)\s+{_O}", needs="certain"),
    # ---------------------------------------------------------------- from the last answer
    _form("explain", rf"(?:{_EXPLAIN})(?:\s+(?P<object>(?:eso|esto|lo\s+\S+|la\s+respuesta|{PART}\s\S.*|(?:el|la"
          rf"|este|esta)\s.+?)))?"
          rf"\s+{_EASIER}(?:\s+{_EASIER})*"),
    _form("explain", rf"(?:{_SAY}\s+)?{_EASIER}"),
    _form("explain", rf"no\s+(?:(?:lo\s+|la\s+|te\s+)?(?:entiendo|entendi|comprendo|comprendi)|me\s+qued\w+"
          rf"\s+(?:muy\s+)?clar[oa])"
          rf"(?:\s+(?:bien|nada|muy\s+bien|mucho|tu\s+respuesta|la\s+respuesta|eso))?(?:\s+(?:puedes\s+)?(?:(?:me|nos)"
          rf"\s+)?(?:lo\s+|la\s+)?explica\w*.*|\s+{_EASIER})?"),
    _form("explain", rf"(?:{_EXPLAIN})(?:\s+(?:eso|esto|lo\s+anterior))?(?:\s+(?:de\s+nuevo|otra\s+vez))?"),
    _form("example", rf"(?:{_ORDER}|(?:tienes|hay|habra|existe)\s+)(?:(?:un|una|otro|algun|unos|otros|algunos|mas"
          rf"|{_AMOUNT})\s+)*ejemplos?(?:\s+(?:practicos?|concretos?|reales?"
          r"|sencillos?|simples?|claros?|mas|faciles|facil|de\s+la\s+vida\s+\w+|cotidianos?))*(?:\s+(?:del?|para"
          rf"|sobre|con)\s+"
          r"(?P<object>eso|esto|lo\s+anterior|(?:tu|la|esa)\s+respuesta|lo\s+que\s+\w+))?"),
    _form("translate", rf"{_TRANSLATE}(?:\s+(?P<object>(?!(?:al?|en)\s+(?:idioma\s+)?{_TONGUE}$)\S.*?))?"
          rf"(?:\s+(?:al?|en)\s+(?:idioma\s+)?(?P<what>{_TONGUE}))?"),
    _form("translate", rf"(?:{_SAY}\s+(?:eso\s+|esto\s+|lo\s+anterior\s+|lo\s+mismo\s+)?)?(?:lo\s+mismo"
          rf"\s+)?(?:pero\s+)?(?:en|al)\s+(?:idioma\s+)?(?P<what>{_TONGUE})"),
    _form("draft", rf"{_PIECE}\s+{_FROM}\s+{_O}"),
    _form("draft", _PIECE),
    # ---------------------------------------------------------------- facts about the document itself
    _form("facts", rf"(?:quien(?:es)?|que\s+(?:autor|autora|autores|persona|personas))\s+(?:es|son|fue|fueron)\s+"
          rf"(?:el|la|los|las)\s+(?:autor|autora|autores|autoras)(?:\s+(?:del?)"
          rf"\s+{_O})?", needs="certain", what="author"),
    _form("facts", rf"(?:quien(?:es)?)\s+(?:escribio|escribieron|elaboro|elaboraron|redacto|redactaron|hizo|hicieron"
          rf"|preparo)\s+{_O}",
          needs="certain", what="author"),
    _form("facts", r"quien(?:es)?\s+(?:lo|la|los|las)\s+(?:escribio|escribieron|redacto|redactaron|elaboro|elaboraron)",
          what="author"),
    _form("facts", rf"(?:quien(?:es)?)\s+(?:lo\s+|la\s+)?(?:firma|firman|firmo|firmaron|suscribe|suscriben|suscribio"
          rf"|suscribieron)"
          rf"(?:\s+{_O})?", needs="certain", what="signatories"),
    _form("facts", rf"(?:quien(?:es)?|que\s+(?:entidad|organo|institucion|autoridad|organismo|empresa))\s+(?:emite"
          rf"|emitio|publico|publica"
          rf"|expidio|dicto|aprobo|promulgo|edito|edita)\s+{_O}", needs="certain", what="issuer"),
    _form("facts", rf"(?:de\s+)?(?:que|cual)\s+(?:es\s+(?:la\s+)?)?(?:fecha|año|dia)\s+(?:de\s+(?:publicacion"
          rf"|emision|elaboracion|aprobacion)\s+)?"
          rf"(?:es|tiene|data|son|del?)\s+{_O}", needs="certain", what="date"),
    _form("facts", rf"de\s+cuando\s+(?:es|son|data|datan)(?:\s+{_O})?", needs="certain", what="date"),
    _form("facts", rf"cuando\s+(?:se\s+|fue\s+)?(?:publico|emitio|escribio|firmo|elaboro|aprobo|promulgo|redacto"
          rf"|publicad[oa]|emitid[oa]"
          rf"|escrit[oa]|firmad[oa]|elaborad[oa]|aprobad[oa]|promulgad[oa])\s+{_O}", needs="certain", what="date"),
    _form("facts", rf"(?:cuant[oa]s|que\s+(?:numero|cantidad)\s+de)\s+(?:paginas|hojas|folios|carillas)\s+(?:tiene"
          rf"|tienen|son|contiene|hay|ocupa)"
          rf"{_NO_DUTY}(?:\s+(?:en\s+)?{_O})?", needs="certain", what="pages"),
    _form("facts", rf"(?:el\s+)?(?:numero|cantidad|total)\s+de\s+(?:paginas|hojas|folios)\s+(?:del?|en)"
          rf"\s+{_O}", needs="certain", what="pages"),
    _form("facts", rf"cuant[oa]s\s+(?P<what>articulos|capitulos|secciones|anexos|titulos|apartados|tablas|clausulas"
          rf"|disposiciones)\s+"
          rf"(?:tiene|tienen|son|contiene|hay){_NO_DUTY}(?:\s+(?:en\s+)?{_O})?", needs="certain"),
    _form("facts", rf"(?:que|cual)\s+(?:es\s+(?:la\s+)?)?(?:version|edicion)(?:\s+(?:actual|vigente))?\s+(?:es|tiene"
          rf"|del?)\s+{_O}",
          needs="certain", what="version"),
    _form("facts", rf"(?:como\s+se\s+titula|(?:que|cual)\s+(?:es\s+el\s+)?titulo\s+(?:tiene|lleva|del?))\s+{_O}",
          needs="certain", what="title"),
    _form("facts", rf"que\s+(?:tipo|clase)\s+de\s+(?:documento|archivo|texto)\s+es(?:"
          rf"\s+{_O})?", needs="certain", what="kind"),
    # ---------------------------------------------------------------- a section by its name
    _form("summarise", rf"(?:(?:{_MAKE}{_ME}|dime|cuales\s+son)\s+)?(?P<object>(?:(?:el|la|los|las)\s+)?{_WORD}"
          rf"(?:\s+(?:[ye]\s+)?{_WORD})?\s+(?:del|(?:de|en)\s+(?:el|la|los|las))\s+{DOCUMENT}\s.+)",
          needs="section", what="section"),
)  # fmt: skip
