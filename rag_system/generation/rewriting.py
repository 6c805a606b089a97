"""A follow-up question made self-contained by a language model, within a few seconds or not at all.

`rag_system.query.reformulation.accept_rewrite` decides whether what the model wrote may be used.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_system.errors import ProviderError
from rag_system.generation.prompt import PromptMessage, fill, load_prompt, neutralise, recent_history
from rag_system.types import Message

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["build_rewrite_messages", "rewrite"]

_log = logging.getLogger(__name__)

_SPEAKERS = {"user": "Persona", "assistant": "Asistente"}


def rewrite(
    model: Callable[[], ThinChat], question: str, history: Sequence[Message], *, timeout_s: float = 4.0
) -> str | None:
    """The question as the model would ask it without the conversation; None when it fails or takes too long.

    `model` is called inside the time limit: building one may ask a server which models it has.
    """
    answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    messages = build_rewrite_messages(question, history)
    # A daemon thread: a provider that never answers must not hold back the answer, or the program's end.
    threading.Thread(target=lambda: answers.put(_ask(model, messages)), daemon=True, name="rewrite").start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        _log.info("rewrite: no answer within %.1f s", timeout_s)
        return None


def build_rewrite_messages(question: str, history: Sequence[Message]) -> list[PromptMessage]:
    """The short prompt: the conversation goes in as text, so that the model does not continue it."""
    parts = load_prompt("rewrite.es")
    turns = [f"{_SPEAKERS[role]}: {' '.join(text.split())}" for role, text in recent_history(history)]
    asked = fill(parts["pregunta"], conversación="\n".join(turns), pregunta=neutralise(question))
    return [("system", parts["sistema"]), ("user", asked)]


def _ask(model: Callable[[], ThinChat], messages: list[PromptMessage]) -> str | None:
    try:
        return "".join(model().words(messages)).strip() or None
    except ProviderError as error:
        _log.info("rewrite: %s", error)
        return None
