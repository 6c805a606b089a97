"""A follow-up question made self-contained by a language model, within a few seconds or not at all.

`rag_system.query.reformulation.accept_rewrite` decides whether what the model wrote may be used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_system.generation.markers import strip_markers
from rag_system.generation.prompt import PromptMessage, fill, load_prompt, neutralise, recent_history
from rag_system.generation.side_calls import side_call
from rag_system.types import Message

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["build_rewrite_messages", "rewrite"]

_SPEAKERS = {"user": "Persona", "assistant": "Asistente"}


def rewrite(
    model: Callable[[], ThinChat], question: str, history: Sequence[Message], *, timeout_s: float = 4.0
) -> str | None:
    """The question as the model would ask it without the conversation; None when it fails or takes too long."""
    return side_call(model, build_rewrite_messages(question, history), purpose="rewrite", timeout_s=timeout_s)


def build_rewrite_messages(question: str, history: Sequence[Message]) -> list[PromptMessage]:
    """The short prompt: the conversation goes in as text, so that the model does not continue it."""
    parts = load_prompt("rewrite.es")
    turns = [
        f"{_SPEAKERS[role]}: {neutralise(strip_markers(' '.join(text.split())))}"
        for role, text in recent_history(history)
    ]
    asked = fill(parts["pregunta"], conversación="\n".join(turns), pregunta=neutralise(question))
    return [("system", parts["sistema"]), ("user", asked)]
