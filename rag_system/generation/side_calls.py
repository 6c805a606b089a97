"""A short question to the model before the answer: answered within a few seconds or not at all, never with an error.

What is done with the reply is the asker's matter; none of it may be trusted.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_system.errors import ProviderError
from rag_system.generation.prompt import PromptMessage

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["side_call"]

_log = logging.getLogger(__name__)


def side_call(
    model: Callable[[], ThinChat], messages: Sequence[PromptMessage], *, purpose: str, timeout_s: float
) -> str | None:
    """The model's reply, trimmed; None when there is none, it fails or takes too long. `purpose` is for the log.

    `model` is called inside the time limit: building one may ask a server which models it has.
    """
    answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    # A daemon thread: a provider that never answers must not hold back the answer, or the program's end.
    threading.Thread(target=lambda: answers.put(_ask(model, messages, purpose)), daemon=True, name=purpose).start()
    try:
        return answers.get(timeout=timeout_s)
    except queue.Empty:
        _log.info("%s: no answer within %.1f s", purpose, timeout_s)
        return None


def _ask(model: Callable[[], ThinChat], messages: Sequence[PromptMessage], purpose: str) -> str | None:
    try:
        return "".join(model().words(messages)).strip() or None
    except ProviderError as error:
        _log.info("%s: %s", purpose, error)
        return None
