"""Keeps a reasoning model's thoughts out of the answer.

Hosted providers send them apart; local servers often leave them in the text, as `<think>…</think>` at its beginning.
"""

from __future__ import annotations

__all__ = ["ReasoningFilter"]

_OPEN, _CLOSE = "<think>", "</think>"


class ReasoningFilter:
    """Passes text on, piece by piece, without the thoughts that it begins with."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"  # → thinking → speaking

    def feed(self, text: str) -> str:
        """What of the answer so far can be shown."""
        if self._state == "speaking":
            return text
        self._held += text
        if self._state == "start":
            self._begin()
        if self._state == "thinking":
            return self._think()
        return self._speak() if self._state == "speaking" else ""

    def close(self) -> str:
        """What was held back because it might have become the beginning of thoughts."""
        return self._speak() if self._state == "start" else ""

    def _begin(self) -> None:
        opening = self._held.lstrip()
        if opening.startswith(_OPEN):
            self._state = "thinking"
        elif not _OPEN.startswith(opening):
            self._state = "speaking"

    def _think(self) -> str:
        _, closed, answer = self._held.partition(_CLOSE)
        if not closed:
            return ""
        self._held = answer.lstrip()
        return self._speak()

    def _speak(self) -> str:
        self._state = "speaking"
        text, self._held = self._held, ""
        return text
