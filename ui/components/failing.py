"""What went wrong, in the language of who looks."""

from __future__ import annotations

from rag_system.errors import LegajoError
from ui.texts import catalogue, language

__all__ = ["sentence_of"]


def sentence_of(error: LegajoError) -> str:
    """Its sentence. One that says more than its kind is translated by a code of its own, or told as it was raised."""
    own = error.code != type(error).code or str(error) == type(error).__doc__
    known = catalogue(language()).get(f"errors.{error.code}") if own else None
    return known.format(**error.params) if known else str(error)
