"""What a language model calls a conversation, asked after its first answer: within some seconds or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rag_system.generation.markers import strip_markers
from rag_system.generation.prompt import PromptMessage, fill, load_prompt, neutralise
from rag_system.generation.side_calls import side_call
from rag_system.query.identifiers import extract_identifiers
from rag_system.query.text import query_terms
from rag_system.query.titles import fitted

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["accept_title", "ask_title", "build_title_messages"]

_ANSWER_CHARS = 600  # of an answer, from its beginning
_LONGEST_REPLY = 120  # characters: what is longer is no title
_SAID = 0.5  # of a title's words, the share at least that question or answer say


def ask_title(model: Callable[[], ThinChat], question: str, answer: str, *, timeout_s: float = 20.0) -> str | None:
    """The title; None when the model fails, takes too long, or writes what is none."""
    reply = side_call(model, build_title_messages(question, answer), purpose="title", timeout_s=timeout_s)
    return accept_title(reply or "", said=f"{question}\n{answer}")


def build_title_messages(question: str, answer: str) -> list[PromptMessage]:
    """The short prompt: question and answer go in as text."""
    parts = load_prompt("title.es")
    said = neutralise(strip_markers(" ".join(answer.split())))[:_ANSWER_CHARS]
    return [
        ("system", parts["sistema"]),
        ("user", fill(parts["conversación"], pregunta=neutralise(question), respuesta=said)),
    ]


def accept_title(reply: str, *, said: str) -> str | None:
    """The model's title as it may be shown; None for what is empty, long, several lines, or speaks of something else.

    >>> accept_title("**Plazo de apelación**.", said="¿Qué plazo hay para apelar? La apelación se presenta en 15 días.")
    'Plazo de apelación'
    """
    lines = [line.strip(" \t\"'«»“”*_`#.") for line in reply.splitlines() if line.strip()]
    if len(lines) != 1 or not 0 < len(lines[0]) <= _LONGEST_REPLY:
        return None
    terms = query_terms(lines[0])
    if len(set(terms) & set(query_terms(said))) < max(_SAID * len(terms), 1):
        return None
    return fitted(lines[0]) if set(extract_identifiers(lines[0])) <= set(extract_identifiers(said)) else None
