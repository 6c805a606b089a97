"""Further angles of a question, for the search: what a language model would look for besides the question's own words.

A question in a person's words («¿me pueden botar estando embarazada?») and the passage that answers it («es nulo el
despido que tenga por motivo…») may share none. An angle is a guess: it proposes passages, the question ranks them, and
nothing that a model writes here chooses or excludes a document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from rag_system.generation.prompt import PromptMessage, fill, load_prompt, neutralise
from rag_system.generation.side_calls import side_call
from rag_system.query.identifiers import without_identifiers
from rag_system.query.text import query_terms

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["LONGEST_ANGLE", "accept_angles", "ask_query_variants", "build_angle_messages"]

LONGEST_ANGLE = 200  # characters: a phrase; what is longer has begun to answer
FEWEST_TERMS = 2  # one word more is no direction

_BULLET = re.compile(r"^\s*(?:[-*•–—]+|[(\[]?\d{1,2}[.)\]])\s+")
_LABEL = re.compile(r"^\W*[^\W\d_]+(?: [^\W\d_]+){0,2}\W*:\W+")  # «Sinónimos:», «**Detalle secundario:**»


def ask_query_variants(
    model: Callable[[], ThinChat], question: str, *, most: int, timeout_s: float = 4.0
) -> tuple[str, ...]:
    """Up to `most` angles of a self-contained question; none when the model fails or takes too long."""
    reply = side_call(model, build_angle_messages(question, most), purpose="angles", timeout_s=timeout_s)
    return accept_angles(question, reply or "", most=most)


def build_angle_messages(question: str, most: int) -> list[PromptMessage]:
    """The short prompt, in Spanish."""
    parts = load_prompt("angles.es")
    asked = fill(parts["pregunta"], pregunta=neutralise(question))
    return [("system", fill(parts["sistema"], cantidad=str(most))), ("user", asked)]


def accept_angles(question: str, reply: str, *, most: int) -> tuple[str, ...]:
    """What of a model's reply may be searched: short phrases that say something the question does not.

    What introduces them («Aquí tiene tres búsquedas:») is none. Norms are taken out: which documents are meant is for
    the question to say, and models misremember numbers.
    """
    accepted: list[str] = []
    known = [set(query_terms(question))]
    for line in _lines(reply):
        angle = " ".join(without_identifiers(_bare(line)).split())
        terms = {term for term in query_terms(angle) if not term.isdigit()}
        introduces = line.rstrip().endswith(":")
        if len(terms) >= FEWEST_TERMS and len(angle) <= LONGEST_ANGLE and terms not in known and not introduces:
            known.append(terms)
            accepted.append(angle)
    return tuple(accepted[:most])


def _lines(reply: str) -> Sequence[str]:
    """A list of JSON, or a line each."""
    with suppress(ValueError):
        found, _ = json.JSONDecoder().raw_decode(reply, reply.index("["))
        if found and all(isinstance(each, str) for each in found):
            return [str(each) for each in found]
    return reply.splitlines()


def _bare(line: str) -> str:
    return _LABEL.sub("", _BULLET.sub("", line)).strip(" \t\"'«»“”*`.,;[]")
