"""What kind of message this is: courtesy, something to keep, a question about the collection, a task, or a search.

Rules see the whole message. Courtesy before a question is peeled off; accents, case, punctuation and emoji never
matter. What asks for something to be kept is in `rag_system.query.remembering`, questions about the collection are in
`rag_system.query.inventory`, tasks in `rag_system.query.tasks`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rag_system.query.courtesy import asked_part, courtesies, strip_opening
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.inventory import read_inventory
from rag_system.query.remembering import fact_to_remember
from rag_system.query.tasks import read_task
from rag_system.query.typing_habits import mend
from rag_system.query.word_lists import phrases
from rag_system.types import Courtesy, Message, Route

__all__ = ["accepts_offer", "courtesy", "route"]

_BEING = (
    r"(?:bot|robot|ia|inteligencia\s+artificial|human[oa]|persona(?:\s+real)?|real|maquina|chat\s?gpt|gpt|gemini"
    r"|asistente|programa)"
)
_YOU = r"(?:tu|vos|usted)"
_CAN = r"(?:puedes|podes|podrias|puede|podria|pueden|sabes|sabe)"
_THIS_CHAT = r"(?:este|esta|el|la)\s+(?:chat|chatbot|bot|asistente|aplicacion|app|herramienta|programa|plataforma)"

_ABOUT_ASSISTANT = re.compile(
    rf"""
    (?: y\s+|entonces\s+|pero\s+|oye\s+|a\s+ver\s+ )?
    (?: quien\s+(?:esta\s+ahi|habla|esta\s+detras(?:\s+de\s+(?:ti|esto))?) | como\s+(?:puedo|debo)\s+usar(?:te|lo)
      | que\s+(?:me\s+)?(?:puedes\s+ofrecer|ofreces) | que\s+servicios\s+(?:ofreces|tienes|brindas)
      | (?:y\s+)?(?:tu\s+|usted\s+)?quien(?:es)?\s+(?:eres|sos|es\s+usted|son\s+ustedes)(?:\s+{_YOU})?
      | (?:tu\s+)?que\s+(?:eres|sos)(?:\s+{_YOU})?
      | (?:y\s+)?(?:tu\s+)?como\s+(?:te\s+llamas|se\s+llama\s+usted|te\s+llamo|te\s+puedo\s+llamar)
      | (?:cual\s+es\s+|dime\s+)tu\s+nombre | tienes\s+nombre
      | (?:dime\s+)?que\s+(?:cosas\s+|mas\s+)?{_CAN}\s+(?:{_YOU}\s+)?(?:hacer|responder|contestar|ofrecer
      |resolver)(?:me|nos|\s+por\s+mi)?
      | que\s+(?:haces|ofreces|sabes)(?:\s+hacer)? | que\s+cosas\s+(?:haces|sabes)(?:\s+hacer)?
      | (?:dime\s+)?(?:en|con|a|de)\s+que\s+(?:cosas\s+|forma\s+)?(?:me\s+|nos\s+)?{_CAN}\s+(?:{_YOU}\s+)?(?:ayudar
      |apoyar|asistir|servir|orientar)(?:me|nos)?
      | (?:en|con)\s+que\s+(?:me\s+|nos\s+)?(?:ayudas|apoyas)
      | como\s+(?:me\s+|nos\s+)?{_CAN}\s+(?:ayudar|apoyar)(?:me|nos)? | como\s+me\s+ayudas
      | (?:{_CAN}|me\s+{_CAN}|nos\s+{_CAN})\s+(?:ayudar|apoyar|orientar)(?:me
      |nos)?(?:\s+(?:con|en)\s+(?:algo|una\s+(?:duda|consulta|pregunta)))?
      | me\s+ayudas(?:\s+con\s+algo)? | ayuda(?:me)? | auxilio | socorro | help
      | (?:necesito|quiero|requiero|dame|busco)\s+(?:de\s+)?(?:tu\s+|su\s+|un\s+poco\s+de\s+)?(?:ayuda|apoyo
      |orientacion)
      | para\s+que\s+(?:sirves|estas|fuiste\s+cread[oa]) | para\s+que\s+sirve\s+{_THIS_CHAT}
      | que\s+es\s+{_THIS_CHAT} | cual\s+es\s+tu\s+(?:funcion|proposito|objetivo|trabajo)
      | como\s+(?:funcionas|trabajas|operas|respondes) | como\s+funciona\s+{_THIS_CHAT}
      | como\s+(?:te|se)\s+(?:uso|utilizo|pregunto|consulto|usa\s+esto|usa\s+{_THIS_CHAT})
      | como\s+(?:uso|utilizo)\s+{_THIS_CHAT} | como\s+(?:debo\s+|puedo\s+)?preguntarte
      | (?:acaso\s+)?(?:tu\s+)?(?:eres|sos|es\s+usted)\s+(?:un\s+|una\s+|el\s+
      |la\s+)?{_BEING}(?:\s+virtual)?(?:\s+o\s+(?:un\s+|una\s+)?{_BEING}(?:\s+virtual)?)?
      | (?:estoy\s+hablando|hablo|converso)\s+con\s+(?:un\s+
      |una\s+)?{_BEING}(?:\s+o\s+(?:con\s+)?(?:un\s+|una\s+)?{_BEING})?
      | quien\s+te\s+(?:creo|hizo|programo|desarrollo|entreno|construyo|invento)
      | (?:que|cual)\s+(?:modelo|ia|llm|version)\s+(?:eres|usas|utilizas|tienes)
      | (?:hablas|entiendes|sabes)\s+(?:el\s+)?(?:espanol|español|ingles|quechua|castellano|frances|portugues
      |aimara) | (?:que|cuantos)\s+idiomas\s+(?:hablas|sabes|entiendes)
      | (?:estas|sigues)\s+(?:ahi|disponible|vivo|viva|activ[oa]|aqui|conectad[oa])(?:\s+todavia|\s+aun)?
      | me\s+(?:escuchas|lees|entiendes|oyes|recuerdas)
      | (?:cuentame|hablame|dime)\s+(?:algo\s+)?(?:sobre|de|acerca\s+de)\s+(?:ti|usted) | presentate
      | (?:cuantos\s+(?:anos|años)|que\s+edad)\s+tienes | de\s+donde\s+eres
      | puedo\s+(?:hacer(?:te|le)|preguntar(?:te|le))\s+(?:algo|una\s+(?:pregunta|consulta|duda))
      | puedo\s+(?:preguntar|consultar)(?:te)?
      | (?:que|como\s+que)\s+(?:te\s+|le\s+)?puedo\s+(?:preguntar|consultar)(?:te|le)?
      | (?:que|cual)\s+(?:tipos?|clases?)\s+de\s+(?:preguntas|consultas)\s+\w+(?:\s+\w+)?
      | (?:cuales\s+son|dime|que)\s+(?:tus|son\s+tus)\s+(?:funciones|capacidades|limitaciones|limites|habilidades
      |funcionalidades) | que\s+(?:funciones|capacidades|habilidades)\s+tienes
      | cuentame\s+un\s+chiste
      | (?:prueba|test|testing|probando)(?:\s+(?:1\s*2\s*3|uno\s+dos\s+tres))?
    )(?:\s+por\s+favor)?
    """,
    re.VERBOSE,
)
_SOCIAL: tuple[tuple[Courtesy, re.Pattern[str]], ...] = (
    ("about", _ABOUT_ASSISTANT),
    (
        "greeting",
        re.compile(
            r"(?:me\s+llamo|mi\s+nombre\s+es)(?:\s+[a-zñ]+){1,2}|que\s+tal\s+tu\s+dia|que\s+hay(?:\s+de\s+nuevo)?"
        ),
    ),
    (
        "thanks",
        re.compile(
            r"(?:eres|sos)\s+(?:muy\s+|el\s+|la\s+|un\s+)?(?:util|inteligente|genial|bueno|buena|mejor|amable|lo\s+maximo"
            r"|crack|capo|list[oa]|rapid[oa])|(?:que\s+)?(?:te\s+)?(?:amo|quiero\s+mucho|extrane)"
        ),
    ),
)
_PHRASES = phrases("cortesia")  # phrase → what it says
_WEIGHTIEST: tuple[Courtesy, ...] = ("about", "farewell", "thanks", "greeting")
_ASSENT = re.compile(
    r"(?:si+p?|claro|dale|ok(?:ay|ey)?|bueno|ya|por\s+favor|adelante|correcto|exacto|esta\s+bien|de\s+acuerdo|me\s+interesa|hazlo|vale|\s)+"
)
_OFFER = re.compile(r"\?\W*$")
_PAUSE = re.compile(r"[.,;:!?\n…]+")
_SAYS_SOMETHING = re.compile(r"[a-zñ]|\d{3}")  # «2+2» does not; «29733» may be a norm
_WORDS = re.compile(r"[a-z0-9ñ]+")
_NODS = re.compile("[👍👌🙏👏✅]")  # a sign that says «de acuerdo» without a word


def route(question: str, history: Sequence[Message] = ()) -> Route:
    """The kind of a message. With a history, an assent to what the assistant offered is a question or a task too."""
    if fact_to_remember(question):
        return Route.REMEMBER
    _, rest, _ = _parts(question)
    if not _SAYS_SOMETHING.search(rest) or _small_talk(rest):
        if not accepts_offer(question, history):
            return Route.TRIVIAL
        return Route.RETRIEVE if read_task(question, history) is None else Route.TASK
    if read_inventory(question, history) is not None:
        return Route.INVENTORY
    return Route.RETRIEVE if read_task(question, history) is None else Route.TASK


def courtesy(question: str) -> Courtesy:
    """What a trivial message says; of several things, the one that most asks for its own reply. Marks say nothing.

    >>> courtesy("¿Qué tal? ¿Qué servicios ofreces?"), courtesy("ok, muchas gracias"), courtesy("年假有多少天？")
    ('about', 'thanks', 'other_script')
    """
    before, rest, after = _parts(question)
    if not rest and _is_in_another_script(question):
        return "other_script"
    if not _NODS.search(question) and not _SAYS_SOMETHING.search(" ".join((before, rest, after))):
        return "nothing"
    clauses = (" ".join(_WORDS.findall(clause)) for clause in _PAUSE.split(" ".join((before, rest, after))))
    said = {*courtesies(before), *courtesies(after), _small_talk(rest), *map(_small_talk, clauses)}
    return next((each for each in _WEIGHTIEST if each in said), "acknowledgement")


def _parts(question: str) -> tuple[str, str, str]:
    """The courtesy before a message, its own words, mended, and the thanks after it."""
    plain = aligned_fold(unicodedata.normalize("NFC", question))
    start, end = asked_part(plain)
    return plain[:start], mend(" ".join(_WORDS.findall(plain[start:end]))), plain[end:]


def _is_in_another_script(message: str) -> bool:
    """Whether it has letters that are not Latin: Chinese, Arabic, Cyrillic."""
    letters = (char for char in unicodedata.normalize("NFKC", message) if char.isalpha())
    return any(not unicodedata.name(letter, "LATIN").startswith("LATIN") for letter in letters)


def _small_talk(words: str) -> str:
    """What small talk says; empty when it is none."""
    if words in _PHRASES:
        return _PHRASES[words]
    bare = strip_opening(words)
    whole = next((name for name, shape in _SOCIAL if shape.fullmatch(words) or shape.fullmatch(bare)), "")
    first, joint, second = words.partition(" y ")
    # «¿quién eres y qué puedes hacer?»: small talk when both halves are
    return whole or (_small_talk(first) and _small_talk(second) if joint else "")


def accepts_offer(question: str, history: Sequence[Message]) -> bool:
    """Whether «sí, por favor» answers a question that the assistant just asked."""
    if not history or history[-1].role != "assistant" or not _OFFER.search(history[-1].content):
        return False
    return _ASSENT.fullmatch(" ".join(_WORDS.findall(aligned_fold(unicodedata.normalize("NFC", question))))) is not None
