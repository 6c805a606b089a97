"""Greetings, thanks and assents around a question, which are peeled off before it is understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.text import stem
from rag_system.query.word_lists import STOPWORDS, words

__all__ = ["asked_part", "bare_question", "courtesies", "strip_courtesy", "strip_opening"]

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
  | oye | oiga | (?:muy|todo|esta|que|tan)\s+(?:bien|bueno|claro|util|amable|genial)(?=\W*$|\s*[,.;!])
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
_DRAWN_OUT = re.compile(r"([a-zñ])\1{2,}")  # «graciasss»
_POLITE = frozenset(map(stem, words("cortes")))  # of these one must be in a clause of courtesy
_BESIDE = _POLITE | frozenset(map(stem, (*words("junto_a_cortesia"), *STOPWORDS)))
_VALEDICTION = frozenset("atentamente atte cordialmente saludos saludo".split())  # a name may follow
_SIGNED = 4  # words of a name, at most
# Where thanks begin after a question without a pause.
_CLOSING = re.compile(
    r"(?<![a-zñ])(?:(?:(?:muchas|muchisimas|mil)\s+)?gra[cs]ia+s+|por\s?fa(?:vor(?:cito)?|s)?|please|pls|saludos|(?:se\s+lo\s+)?agrade[zc]\w+)(?![a-zñ])"
)

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

# «necesito saber», «quisiera consultarle sobre», «me podrían decir si»: what follows is the question.
_REQUEST = re.compile(
    r"""\W*(?:(?:me|nos|les?|te|que|quiero|quisiera|queria|queriamos|necesit[oa]|necesitaria|dese[oa]|desearia|gustaria
      |pued[ea]n?|puedes|podrias?|podrian|podria|podes|favor\s+de|agradeceria|mucho|a\s+ver\s+si)\s+)+
      (?:(?:saber|conocer|averiguar|consultar|preguntar|decir|indicar|informar)(?:me|nos|les?|te)?|consulto|pregunto
      |(?:digan?|indiquen?|informen?))\s+(?:(?:sobre|acerca\s+de|por|si)\s+)?(?=\W*[a-zñ]+\W+[a-zñ])""",
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
    """The question without greetings before it, and thanks and a signature after it; courtesy alone stays as it is.

    >>> strip_courtesy("Hola, buenos días. ¿Qué dice la Ley 29733? Gracias de antemano. Atentamente, Juan Pérez")
    '¿Qué dice la Ley 29733?'
    """
    composed = unicodedata.normalize("NFC", question)
    plain = aligned_fold(composed)
    start, end = asked_part(plain)
    rest = composed[start:end].lstrip(" \t\r\n,.;:!)-–—…").rstrip(" \t\r\n,;:-–—")
    if not _WORDS.search(aligned_fold(rest)):
        return question.strip()
    return f"{rest}?" if "¿" in rest and "?" not in rest else rest


def bare_question(message: str) -> str:
    """What a message asks, without courtesy around it and without «necesito saber», «quisiera consultarle sobre».

    >>> bare_question("Buenos días. Necesito saber cuántos días de vacaciones me tocan. Gracias")
    'cuántos días de vacaciones me tocan.'
    """
    question = strip_courtesy(message)
    request = _REQUEST.match(aligned_fold(question))
    return question[request.end() :] if request else question


@lru_cache(maxsize=64)
def asked_part(plain: str) -> tuple[int, int]:
    """Where a message (its aligned fold) begins and ends without courtesy; both are its end, if it is nothing else.

    Kept for a while: each step that reads a message asks again, and of each turn before it.
    """
    start = _beginning(plain)
    return start, _end(plain, start)


def _beginning(plain: str) -> int:
    """Where the first clause begins that says more than courtesy."""
    start, after = -1, 0
    while start < after:
        start = after
        clause = _CLAUSE.search(plain, start)
        peeled = max((courtesy.end() for courtesy in _courtesies(plain, start)), default=start)
        after = clause.end() if clause and _is_polite(clause[0]) else peeled
    return start


def _end(plain: str, start: int) -> int:
    """Where the thanks, the farewell and the signature after a message begin."""
    clauses = list(_CLAUSE.finditer(plain, start))
    while clauses and (_is_polite(clauses[-1][0]) or _is_signature(clauses)):
        clauses.pop()
    if not clauses:
        return start
    for closing in _CLOSING.finditer(plain, clauses[-1].start(), clauses[-1].end()):
        if _is_polite(plain[closing.start() : clauses[-1].end()]):
            return closing.start()
    return clauses[-1].end()


def _is_polite(clause: str) -> bool:
    said = set(map(stem, _WORDS.findall(_DRAWN_OUT.sub(r"\1", clause))))
    return (said <= _BESIDE and not said.isdisjoint(_POLITE)) or not said


def _is_signature(clauses: Sequence[re.Match[str]]) -> bool:
    """«Atentamente, Juan Pérez»."""
    before = set(_WORDS.findall(clauses[-2][0])) if len(clauses) > 1 else set()
    return not before.isdisjoint(_VALEDICTION) and len(clauses[-1][0].split()) <= _SIGNED


def strip_opening(words: str) -> str:
    """Plain words without courtesy and without «me puedes decir», «quiero saber»."""
    words = strip_courtesy(words)
    while opening := _OPENING.match(words):
        words = words[opening.end() :]
    return words
