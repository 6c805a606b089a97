"""What becomes of a message: courtesy, something to keep, a question about the collection, a task, or a search.

What kind it is, a taught model tells (`rag_system.query.kinds`); here stands what a conversation changes, and what must
be there for a kind to count: a fact to keep, a document to work on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import get_args

from rag_system.query.courtesy import strip_courtesy
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.inventory import continues_inventory
from rag_system.query.kinds import Reading, SmallTalk, read_kind
from rag_system.query.remembering import fact_to_remember
from rag_system.query.tasks import accepts_offer, read_task
from rag_system.types import Courtesy, Message, Route

__all__ = ["courtesy", "route"]

_SMALL_TALK: tuple[Courtesy, ...] = get_args(SmallTalk)
_SURE_NOISE = 0.9  # below it, an unknown word may be a name: «asdfgh» is none, «Redam» is searched
_SAYS_SOMETHING = re.compile(r"[a-zñ]|\d{3}")  # «2+2» does not; «29733» may be a norm
_NODS = re.compile("[👍👌🙏👏✅]")  # a sign that says «de acuerdo» without a word


def route(question: str, history: Sequence[Message] = ()) -> Route:
    """The kind of a message. With a history, an assent to what the assistant offered is a question or a task too."""
    if accepts_offer(question, history):
        return Route.RETRIEVE if read_task(question, history) is None else Route.TASK
    read = read_kind(question)
    if not _says_something(question) or (_is_small_talk(read) and _is_small_talk(read_kind(strip_courtesy(question)))):
        return Route.TRIVIAL
    if read.kind == "remember" and fact_to_remember(question):
        return Route.REMEMBER
    if read.kind == "inventory" or continues_inventory(question, history):
        return Route.INVENTORY
    return Route.RETRIEVE if read_task(question, history) is None else Route.TASK


def courtesy(question: str) -> Courtesy:
    """What a trivial message says.

    >>> courtesy("¿Qué tal? ¿Qué servicios ofreces?"), courtesy("ok, muchas gracias"), courtesy("年假有多少天？")
    ('about', 'thanks', 'other_script')
    """
    if _is_in_another_script(question):
        return "other_script"
    if _says_something(question):
        read = read_kind(question)
        return next((each for each in _SMALL_TALK if each == read.kind), "nothing")
    return "acknowledgement" if _NODS.search(question) else "nothing"


def _says_something(message: str) -> bool:
    return _SAYS_SOMETHING.search(aligned_fold(unicodedata.normalize("NFC", message))) is not None


def _is_small_talk(read: Reading) -> bool:
    return read.kind in _SMALL_TALK or (read.kind == "noise" and read.probability >= _SURE_NOISE)


def _is_in_another_script(message: str) -> bool:
    """Whether it has letters that are not Latin: Chinese, Arabic, Cyrillic."""
    letters = (char for char in unicodedata.normalize("NFKC", message) if char.isalpha())
    return any(not unicodedata.name(letter, "LATIN").startswith("LATIN") for letter in letters)
