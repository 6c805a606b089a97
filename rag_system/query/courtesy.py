"""Courtesy around a question, peeled off before it is understood: what asks is told by `rag_system.query.asking`."""

from __future__ import annotations

import re
import unicodedata

from rag_system.query.asking import asking_stretch
from rag_system.query.identifier_grammar import aligned_fold

__all__ = ["strip_courtesy"]

_WORDS = re.compile(r"[a-z0-9ñ]")


def strip_courtesy(question: str) -> str:
    """What a message asks, without greetings, «necesito saber», thanks and a signature; courtesy alone stays as it is.

    >>> strip_courtesy("Buenos días. Necesito saber cuántos días de vacaciones me tocan. Gracias de antemano. Ana Ruiz")
    'cuántos días de vacaciones me tocan.'
    """
    composed = unicodedata.normalize("NFC", question)
    start, end = asking_stretch(aligned_fold(composed))
    rest = composed[start:end].lstrip(" ,;:.")
    if not _WORDS.search(aligned_fold(rest)):
        return question.strip()
    return f"{rest}?" if "¿" in rest and "?" not in rest else rest
