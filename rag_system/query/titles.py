"""What a conversation is called: the matter of the message that opened it, in its own words. Pure."""

from __future__ import annotations

import re
from textwrap import shorten

from rag_system.query.context_dependence import QUESTION_WORDS, topic_phrase
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.markup import one_line
from rag_system.query.routing import route
from rag_system.query.text import fold, query_terms
from rag_system.query.typing_habits import shorthand_in_full
from rag_system.query.word_lists import PREDICATES, STOPWORDS
from rag_system.types import Route

__all__ = ["LONGEST", "fitted", "title_of"]

LONGEST = 60  # characters
_TELLING = 2  # words that say something, for a question to tell its matter without the sentences around it
_FIRST_LETTER = re.compile(r"(?<![^\W_])[^\W\d_]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[¿¡A-ZÁÉÍÓÚÑ])|(?<=\?)\s+")
_WHICH = r"(?:que|cual(?:es)?|quien(?:es)?)"
_FORM = re.compile(  # «cuál es el», «qué dice la», «explícame el»: what is asked for is named next
    rf"(?:{_WHICH}\s+(?:{PREDICATES})|explica|[a-z]+me)(?:\s+(?:sobre|acerca|del?|el|la|los|las|una?|un[oa]s))*"
)
_ASKS = re.compile(rf"(?:[a-z]+\s+)?(?:{QUESTION_WORDS})\b")


def title_of(message: str) -> str:
    """The title, of at most `LONGEST` characters; empty where nothing is asked yet: a later message says it.

    >>> title_of("Buenos días, ¿me podría decir qué plazo da la ley 27444 para apelar? Gracias")
    'Qué plazo da la ley 27444 para apelar'
    >>> title_of("¿Cuáles son los requisitos de una marca?")
    'Requisitos de una marca'
    """
    if route(message) is Route.TRIVIAL:
        return ""
    said = _telling_sentence(one_line(strip_courtesy(shorthand_in_full(message))))
    return fitted(_matter(said))


def fitted(title: str) -> str:
    """Capitalised, and shortened at a word that says something."""
    title = _FIRST_LETTER.sub(lambda first: first[0].upper(), title, count=1)
    if len(title) <= LONGEST:
        return title
    words = shorten(title, LONGEST, placeholder="…").removesuffix("…").split()
    while len(words) > 1 and fold(words[-1]).strip("¿¡,;:") in STOPWORDS:
        words.pop()
    return f"{' '.join(words).rstrip(' ,;:.¿¡(«')}…" if words else f"{title[: LONGEST - 1]}…"


def _telling_sentence(text: str) -> str:
    """The first that asks and tells what about; else the first."""
    sentences = _SENTENCE_END.split(text)
    return next((each for each in sentences if "?" in each and len(query_terms(each)) >= _TELLING), sentences[0])


def _matter(asked: str) -> str:
    """What is asked for, where the question only names it; else the question, without signs where its words ask."""
    topic = topic_phrase(asked, len(asked))
    bare = asked.strip(" ¿?¡!.,;:")
    if topic and _FORM.fullmatch(fold(bare.removesuffix(topic)).strip()):
        return topic
    return bare if _ASKS.match(fold(bare)) or "?" not in asked else asked
