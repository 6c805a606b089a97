"""Neighbouring chunks in one text again: what two of them share stands once. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol

from rag_system.query.sentences import CELL

__all__ = ["Part", "join", "shared_header"]

_SPACE = re.compile(r"\s")

LONGEST_OVERLAP_CHARS = 600  # chunks of one section repeat the end of the one before


class Part(Protocol):
    """A chunk, in whatever shape: its text, and the headings that it stands under."""

    @property
    def text(self) -> str: ...

    @property
    def heading_path(self) -> Sequence[str]: ...


def join(parts: Sequence[Part]) -> str:
    """The text of neighbouring chunks: what two of them share stands once, and a new heading before what it names."""
    text, path = parts[0].text, parts[0].heading_path
    for part in parts[1:]:
        if part.heading_path == path:
            shared = _shared(text, part.text)
            text += part.text[shared:] if shared else f"\n{part.text}"
        else:
            text += "\n".join(("", *part.heading_path[-1:], part.text))
        path = part.heading_path
    return text


def shared_header(before: str, after: str) -> int:
    """How many characters of the start of `after` are what a table or a list of `before` is read under, which goes on
    in `after`: its last lead-ins, or the first row of its table.
    """
    first = after.partition("\n")[0]
    if not (first.endswith(":") or CELL in first):  # as most chunks begin
        return 0
    lines, above = after.split("\n"), before.split("\n")
    if CELL in first:
        rows = list(takewhile(lambda line: CELL in line, reversed(above)))
        return len(first) if first in rows else 0
    leads = list(takewhile(lambda line: line.endswith(":"), lines))
    latest = next((line for line in reversed(above) if line.endswith(":")), "")
    goes_on = leads and latest.endswith(leads[-1]) and all(f"{lead}\n" in f"{before}\n" for lead in leads)
    return len("\n".join(leads)) if goes_on else 0


def _shared(before: str, after: str) -> int:
    """How many characters of the start of `after` `before` has already: what it goes on under, and whole sentences that
    end it.
    """
    header = shared_header(before, after)
    rest = after[header:].removeprefix("\n")
    start = len(after) - len(rest) if header else 0
    longest = min(len(before), len(rest), LONGEST_OVERLAP_CHARS)
    whole = [space.start() for space in _SPACE.finditer(f"{rest} ", 1, longest + 1)]
    found = (size for size in whole[::-1] if before.endswith(rest[:size]) and before[-size - 1 : -size].strip() == "")
    return next((start + size for size in found), header)
