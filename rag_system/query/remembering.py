"""«Recuerda que el expediente se presenta en mesa de partes»: a message that asks for something to be kept.

It is one as a whole message alone, and states something. What asks («¿recuerdas qué dice…?»), what speaks of the
conversation («recuerda que te pregunté por el plazo») and what goes on to ask («…, ¿cuál era?») are questions.
"""

from __future__ import annotations

import re
import unicodedata

from rag_system.query.courtesy import asked_part
from rag_system.query.identifier_grammar import aligned_fold

__all__ = ["fact_to_remember"]

_FEWEST_WORDS = 3  # that state something: «recuerda que sí» does not

_ASKED_FOR = re.compile(
    r"""
    (?: (?:quiero|quisiera|necesito|deseo|(?:te|le)\s+pido)\s+que\s+(?:siempre\s+)? | siempre\s+)?
    (?: recuerd[ae]n? | recorda | recordar | recuerdes | recordad
      | no\s+(?:te\s+|se\s+)?olvid(?:es?|en) (?:\s+de)?
      | (?:anot|apunt|memoriz)(?:a|e|en|es) | tom(?:a|e|en|es)\s+nota (?:\s+de)? )
    (?: ,? \s+ (?:siempre|tambien|bien|por\s+favor) ,? )?
    (?: \s+ que \s+ | (?: \s+ (?:esto|lo\s+siguiente|este\s+dato) )? \s* : \s* )
    """,
    re.VERBOSE,
)
_SAY = r"(?:pregunt|dij|dig|ped|pid|respond|contest|coment|habl|explic|mencion|indic|consult|conversa|mostr)"
_OF_THE_CONVERSATION = re.compile(
    rf"(?:(?:ya|antes|hace\s+(?:\w+\s+)?\w+|ayer|recien)\s+)*(?:(?:me|te|le|nos)\s+(?:lo\s+)?{_SAY}\w*"
    r"|(?:hablamos|conversamos|vimos|quedamos|hablabamos|preguntaste|dijiste|respondiste))\b"
)
# «recuerda que dice el artículo 5», without the accent of «qué»
_ASKS_WHAT = re.compile(
    r"(?:dice|decia|establece|significa|senala|dispone|regula)n?\s+(?:el|la|los|las|en|sobre|un|una)\b"
)
_PAUSE = r"(?:[,;.:]\s*(?:y\s+|entonces\s+|pero\s+)?|\s(?:y|entonces)\s+)"
_GOES_ON_TO_ASK = re.compile(
    rf"{_PAUSE}(?:(?:a|de|en|con|por|para)\s+)?(?:cual(?:es)?|cuant[oa]s?|dime|digame|dame|deme|explic[ae](?:me)?|"
    r"resum[ea]|busc[ae](?:me)?|compar[ae]|calcul[ae]|indic[ae](?:me)?|muestr[ae](?:me)?|respond[ae](?:me)?|ayud[ae]me)\b"
)
# The accent alone tells «¿cuándo…?» from «cuando…».
_ASKS_BY_ACCENT = re.compile(rf"{_PAUSE}(?:(?:a|de|en|con|por|para)\s+)?(?:qué|quién(?:es)?|cómo|cuándo|dónde)\b")
_WORD = re.compile(r"\w+")


def fact_to_remember(message: str) -> str:
    """What a message asks to be kept, as a sentence; empty where it asks for something else.

    >>> fact_to_remember("Por favor, recuerda que el expediente se presenta en mesa de partes.")
    'El expediente se presenta en mesa de partes.'
    >>> fact_to_remember("recuerda que te pregunté por el plazo, ¿cuál era?")
    ''
    """
    text = " ".join(unicodedata.normalize("NFC", message).split())
    plain = aligned_fold(text)
    start, last = asked_part(plain)
    asked_for = _ASKED_FOR.match(plain, start + _blank(plain, start))
    if asked_for is None or "?" in text or "¿" in text:
        return ""
    first = asked_for.end()
    stated = plain[first:last]
    asks = _OF_THE_CONVERSATION.match(stated) or _ASKS_WHAT.match(stated) or _GOES_ON_TO_ASK.search(stated)
    if asks or _ASKS_BY_ACCENT.search(text[first:last].lower()) or len(_WORD.findall(stated)) < _FEWEST_WORDS:
        return ""
    return text[first : first + 1].upper() + text[first + 1 : last].rstrip(" ,;:")


def _blank(plain: str, start: int) -> int:
    """How much of a message, from where its courtesy ends, says nothing."""
    return len(plain) - start - len(plain[start:].lstrip(" ,.;:!¡-—"))
