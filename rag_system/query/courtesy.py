"""Greetings, thanks and assents around a question, which are peeled off before it is understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rag_system.query.identifier_grammar import aligned_fold

__all__ = ["courtesies", "peel_courtesy", "strip_closing", "strip_courtesy", "strip_opening"]

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
  | (?:muy\s+)?(?:buen[oa]?s?|bnas|wenas|buens)\s+(?:dias?|tardes?|noches?|dia)(?:\s+(?:a\s+tod[oa]s|tenga|tengan))?
  | (?:que|k|q)\s+tal(?:\s+(?:estas|esta|todo(?:\s+bien)?|te\s+va))?(?=\W*$|\W*[,.!?])
  | como\s+(?:estas|te\s+encuentras|se\s+encuentra|esta\s+usted|te\s+va|vas|andas|le\s+va|has\s+estado
    |esta)(?:\s+(?:hoy|tu|usted))?(?=\W*$|\s*[,.!?])
  | mucho\s+gusto | encantad[oa] | un\s+(?:saludo|gusto|abrazo) | (?:saludos\s+)?cordiales | cordial\s+saludo
"""
_ASSENT = r"""
    todo\s+bien | ok(?:a+y|ey|i|is|ya)? | okk+ | oka | dale | bacan | chevere | jaja(?:ja)*\b | jeje(?:je)*\b | lol | xd
  | oye | oiga | (?:muy|todo|esta|que|tan)\s+(?:bien|bueno|claro|util|amable|genial)(?=\W*$|\s*[,.;!])
  | de\s+(?:acuerdo|nada) | por\s+fa(?:vor|vorcito|)\b | porfa(?:vor|s)?\b | pls | please | xfa(?:vor)?
          | si\s+fuera\s+tan\s+amable
  | no\s+(?:hay\s+problema|te\s+preocupes|importa)
  | (?:me\s+)?(?:quedo|queda)\s+(?:muy\s+|todo\s+)?claro
          | (?:ya\s+)?(?:lo\s+)?entend(?:i|ido)(?:\s+(?:todo|gracias))?(?=\W*$|\s*[,.;!])
  | disculp(?:a|e|en|as)(?:\s+la\s+molestia)? | perdon(?:a|e|en)?
          | una\s+(?:consulta|pregunta|duda|consultita|preguntita)(?=\W*$|\s*[:,.;])
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
        | si+p?\b | sip | no+
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
_CLOSING = re.compile(
    r"""[\s,.;:!¡?¿-]{0,8}(?<![a-zñ]) (?: por\s+fa(?:vor)? | porfa(?:vor|s)? | please | pls
            | (?:muchas\s+|mil\s+)?gracias
            (?:\s+(?:de\s+antemano|por\s+(?:adelantado|su\s+ayuda|tu\s+ayuda|la\s+ayuda)))?
            | saludos(?:\s+cordiales)? ) \W*$""",
    re.VERBOSE,
)

_WORD = re.compile(r"[a-z0-9ñ]")


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


def peel_courtesy(plain: str) -> int:
    """Where a message (its aligned fold) really begins, after greetings, thanks and assents; at its end, if nowhere."""
    return max((courtesy.end() for courtesy in _courtesies(plain)), default=0)


def courtesies(plain: str) -> set[str]:
    """What the courtesy that `peel_courtesy` takes away says: "thanks", "farewell", "greeting"; assents say nothing."""
    said = {name for courtesy in _courtesies(plain) for name, words in courtesy.groupdict().items() if words}
    return {name.removeprefix("short_") for name in said}


def _courtesies(plain: str) -> Iterator[re.Match[str]]:
    start = 0
    while (courtesy := _COURTESY.match(plain, start)) and courtesy.end() > start:
        yield courtesy
        start = courtesy.end()


def strip_courtesy(question: str) -> str:
    """The question without greetings before it and thanks after it; courtesy alone stays as it is.

    >>> strip_courtesy("Hola, buenos días. ¿Qué dice la Ley 29733? Gracias")
    '¿Qué dice la Ley 29733?'
    """
    composed = unicodedata.normalize("NFC", question)
    plain = aligned_fold(composed)
    start = peel_courtesy(plain)
    closing = _CLOSING.search(plain, start)
    end = closing.start() if closing else len(composed)
    rest = composed[start:end].lstrip(" \t\r\n,.;:!)-–—…").rstrip(" \t\r\n,;:-–—")
    if not _WORD.search(aligned_fold(rest)):
        return question.strip()
    unclosed = closing is not None and "¿" in rest and "?" not in rest
    return f"{rest}?" if unclosed else rest


def strip_closing(plain: str) -> str:
    """A message (its aligned fold) without the thanks after it."""
    closing = _CLOSING.search(plain)
    return plain[: closing.start()] if closing else plain


def strip_opening(words: str) -> str:
    """Plain words without courtesy and without «me puedes decir», «quiero saber»."""
    words = strip_courtesy(words)
    while opening := _OPENING.match(words):
        words = words[opening.end() :]
    return words
