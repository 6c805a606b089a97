"""Courtesy around a question, which is peeled off before it is understood.

Messages that are nothing else are known by the patterns here, and so is what they say; where a question is among
courtesy is told by a model (`rag_system.query.asking`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rag_system.query.asking import asking_stretch
from rag_system.query.identifier_grammar import aligned_fold

__all__ = ["asked_part", "courtesies", "greeted_part", "strip_courtesy", "strip_opening"]

_HELP = (
    r"(?:ayuda|apoyo|info|informacion|respuestas?|explicacion|tiempo|atencion|aclaracion|orientacion|datos?|paciencia)"
)

# Said before or instead of a question; whatever follows, it can go.
_THANKS = rf"""
    gra[cs]ia+s+\s+(?:crack|totales|infinitas|igualmente|de\s+(?:verdad|todo\s+corazon)|a\s+(?:ti|usted))
  | (?:muchas|muchisimas|mil|mchas|much[oa]s)\s+gra[cs]ia+s+ | (?:ok\s+)?gra[cs]ia+s+ | no\s+gracias | grax | thanks
          | thank\s+you | thank | grcs
  | (?:te|le|les|se\s+lo|te\s+lo)\s+agradezco(?:\s+mucho)? | agradecid[oa] | muy\s+amables? | que\s+amable
  | por\s+(?:tod[oa]|(?:tu|su|la|el|esa|esta|los|las)\s+(?:gran\s+|valiosa\s+
    |pronta\s+)?{_HELP}(?:\s+(?:brindad[oa]|prestad[oa]))?
      |adelantado|ayudar(?:me)?|responder(?:me)?|contestar(?:me)?|explicar(?:me)?|aclarar(?:me)?|avisar)(?=\W*$|\s*[,.;!?¿])
  | (?:excelente|buena|buenisima|gran|muy\s+buena)\s+(?:respuesta|explicacion|ayuda|info|informacion|servicio)
  | (?:me\s+)?(?:has\s+)?(?:ayudado|ayudaste|sirvio|sirve)\s+(?:mucho|bastante)(?=\W*$|\s*[,.;!])
  | buen\s+trabajo
"""
_FAREWELL = r"""
    adios | chau+ | chao+ | ciao | bye+ | hasta\s+(?:luego|pronto|mañana|manana|la\s+vista|la\s+proxima|siempre)
          | nos\s+vemos(?:\s+(?:mañana|luego|pronto))?
  | cuidate | que\s+(?:tengas?|pases?|tenga|pase)\s+(?:un\s+)?(?:muy\s+)?(?:buen|bonito|lindo
    |excelente|feliz)\s+\w+
  | feliz\s+(?:dia|tarde|noche) | buen\s+fin\s+de\s+semana | bendiciones
  | eso\s+(?:es|seria)\s+todo | nada\s+mas | hasta\s+aqui
"""
_GREETING = r"""
    h?o+l+a+s*\b | muy\s+buenas(?=\W*$|\s*,) | good\s+(?:morning|afternoon|evening|night) | holi+s?
      | hla | hey+ | ey | hi | hello | alo | que\s+onda | que\s+hubo | quiubo
  | (?:muy\s+)?(?:buen[oa]?s?|bnas|wenas|buens)\s+(?:dias?|tardes?|noches?|dia)
      (?:\s+(?:a\s+tod[oa]s|tengan?(?:\s+ustedes|\s+usted)?))?
  | (?:que|k|q)\s+tal(?:\s+(?:estas|esta|todo(?:\s+bien)?|te\s+va))?(?=\W*$|\W*[,.!?])
  | como\s+(?:estas|estan|te\s+encuentras|se\s+encuentra|esta\s+usted|te\s+va|vas|andas|le\s+va|has\s+estado
    |esta)(?:\s+(?:hoy|tu|ustedes|usted))?(?=\W*$|\s*[,.!?])
  | mucho\s+gusto | encantad[oa] | un\s+(?:saludo|gusto|abrazo) | (?:saludos\s+)?cordiales | cordial\s+saludo
"""
_ASSENT = r"""
    todo\s+bien | ok(?:a+y|ey|i|is|ya)? | okk+ | oka | dale | bacan | chevere | jaja(?:ja)*\b | jeje(?:je)*\b | lol | xd
  | oye | oiga | (?:muy|todo|esta|que|tan)\s+(?:bien|bueno|claro|util|amable|genial)(?=\W*$|\s*[,.;!]|\s+gra[cs]ia)
  | de\s+(?:acuerdo|nada) | por\s+fa(?:vor|vorcito|)\b | porfa(?:vor|s)?\b | pls | please | xfa(?:vor)?
          | si\s+fuera\s+tan\s+amable
  | no\s+(?:hay\s+problema|te\s+preocupes|importa)
  | (?:me\s+)?(?:quedo|queda)\s+(?:muy\s+|todo\s+)?claro
          | (?:ya\s+)?(?:lo\s+)?entend(?:i|ido)(?:\s+(?:todo|gracias))?(?=\W*$|\s*[,.;!])
  | disculp(?:a|e|en|as)(?:\s+la\s+molestia)? | perdon(?:a|e|en)?
          | (?:una\s+)?(?:consulta|pregunta|duda|consultita|preguntita)(?:\s+rapida)?(?=\W*$|\s*[:,.;])
  | (?:tengo|tenia|quiero\s+hacer(?:te|le)?|queria\s+hacer(?:te|le)?|quisiera\s+hacer(?:te|le)?|te\s+hago
    |puedo\s+hacer(?:te|le)?)
      \s+una\s+(?:consulta|pregunta|duda)(?=\W*$|\s*[:,.;])
"""
_ALWAYS = f"{_THANKS} | {_FAREWELL} | {_GREETING} | {_ASSENT}"

# These words are also nouns and adjectives («buenas prácticas», «perfecto estado», «bien inmueble»): they go only
# before a pause, the end, or a word that opens a question.
_GREETING_BEFORE_PAUSE = r"buenas | buenos | wenas | saludos?"
_BEFORE_PAUSE = rf"""
    {_GREETING_BEFORE_PAUSE} | perfect[oa] | excelente | genial | listo | claro | bien | buen[oa] | ya
        | si+p?\b | sip | no+(?!\s+(?:lo\s+|la\s+|te\s+)?(?:entend|entiend|comprend|me\s+qued|qued))
  | vale | exacto | correcto | entendid[oa] | entiendo | comprendo | comprendid[oa] | super | buenisim[oa] | increible
          | estupendo | fantastico
  | maravilloso | interesante | anotado | conforme | adelante | va | cierto | obvio | wow | aja | mmm+ | eh+
          | ah+ | oh+ | uy
  | estimad[oa]s? | querid[oa]s? | amig[oa]s? | se[ñn]or(?:a|es|ita)? | doctor[a]? | dr[a]? | licenciad[oa]
          | ingenier[oa] | profe(?:sor[a]?)?
  | asistente | bot | chatbot | legajo | robot | equipo | colegas? | hermano | bro | jefe | tod[oa]s
"""
_OPENER = r"""
    que | cual(?:es)? | quien(?:es)? | como | cuando | donde | cuant[oa]s? | por\s?que | para\s+que | en\s+que
        | de\s+que
  | explica\w* | dime | digame | dame | deme | resume\w* | resumi\w* | lista\w* | muestra\w* | muestrame
          | busca\w* | compara\w*
  | indica\w* | enumera\w* | define\w* | describe\w* | quiero | quisiera | necesito
          | me\s+(?:puedes|podrias|gustaria|explicas|dices)
  | puedes | podrias | podria | ahora | y | entonces | pero | hablame | cuentame | ayudame | aclara\w* | analiza\w*
"""

_COURTESY = re.compile(
    rf"""\W* (?: (?: (?P<thanks>{_THANKS}) | (?P<farewell>{_FAREWELL}) | (?P<greeting>{_GREETING}) | {_ASSENT} )
               (?![a-zñ\d])
             | (?:(?P<short_greeting>{_GREETING_BEFORE_PAUSE}) | {_BEFORE_PAUSE}) (?![a-zñ\d])
               (?= \W*$ | \s*[^\w\s] | \s+(?:{_OPENER})(?![a-zñ])
             | \s+(?:{_ALWAYS}|{_BEFORE_PAUSE})(?![a-zñ\d]) ) )""",
    re.VERBOSE,
)
_CLAUSE = re.compile(r"[^.,;:!?\n…]+[.,;:!?\n…)\s]*")
_WORDS = re.compile(r"[a-z0-9ñ]+")

_OPENING = re.compile(
    r"""(?: (?:me|nos|te)\s+ | (?:puedes|podrias|puede|podria|podes|quisiera|quiero|necesito|deseo|gustaria
      |me\s+gustaria)\s+
            (?=(?:decir|indicar|mostrar|saber|conocer|listar|ver|enumerar|que\s+me))
              | (?:decir|indicar|saber|conocer)(?:me|nos)?\s+(?:si\s+)?
          | (?:que\s+me\s+)?(?:digas|indiques|muestres|listes)\s+
          | (?:y|e|entonces|ahora|pero|tambien|bueno|oye|a\s+ver|por\s+favor|ademas)\s+
          | (?:dime|digame|indicame|cuentame|explicame)\s+(?=que|cual|cuant|quien|como|si\b|en\s+que|para\s+que) )""",
    re.VERBOSE,
)


def courtesies(plain: str) -> set[str]:
    """What courtesy (its aligned fold) says: "thanks", "farewell", "greeting"; assents say nothing."""
    begins = (clause.start() for clause in _CLAUSE.finditer(plain))
    said = {
        name
        for start in begins
        for courtesy in _courtesies(plain, start)
        for name, words in courtesy.groupdict().items()
        if words
    }
    return {name.removeprefix("short_") for name in said}


def _courtesies(plain: str, start: int) -> Iterator[re.Match[str]]:
    while (courtesy := _COURTESY.match(plain, start)) and courtesy.end() > start:
        yield courtesy
        start = courtesy.end()


def strip_courtesy(question: str) -> str:
    """What a message asks, without greetings, «necesito saber», thanks and a signature; courtesy alone stays as it is.

    >>> strip_courtesy("Buenos días. Necesito saber cuántos días de vacaciones me tocan. Gracias de antemano. Ana Ruiz")
    'cuántos días de vacaciones me tocan'
    """
    composed = unicodedata.normalize("NFC", question)
    plain = aligned_fold(composed)
    start, end = asked_part(plain)
    rest = composed[start:end].lstrip(" ,;:.")
    if not _WORDS.search(aligned_fold(rest)):
        return question.strip()
    return f"{rest}?" if "¿" in rest and "?" not in rest else rest


@lru_cache(maxsize=64)
def asked_part(plain: str) -> tuple[int, int]:
    """Where a message (its aligned fold) begins and ends without courtesy; both are its end, if it is nothing else.

    Kept for a while: each step that reads a message asks again, and of each turn before it.
    """
    start, end = greeted_part(plain)
    return asking_stretch(plain, start, end) if start < end else (start, end)


def greeted_part(plain: str) -> tuple[int, int]:
    """The same by the patterns alone: without greetings and thanks, and with «indíqueme», which orders something."""
    start = _peeled(plain, 0)
    if not _WORDS.search(plain, start):
        return len(plain), len(plain)
    clauses = (clause.start() for clause in _CLAUSE.finditer(plain, start))
    return start, next((at for at in clauses if not _WORDS.search(plain, _peeled(plain, at))), len(plain))


def _peeled(plain: str, start: int) -> int:
    """Where the courtesies end that follow one another from a place on."""
    return max((courtesy.end() for courtesy in _courtesies(plain, start)), default=start)


def strip_opening(words: str) -> str:
    """Plain words without courtesy and without «me puedes decir», «quiero saber»."""
    words = strip_courtesy(words)
    while opening := _OPENING.match(words):
        words = words[opening.end() :]
    return words
