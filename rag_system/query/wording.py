"""A message's words, plain and mended, each with its place: patterns read the plain text, names come back as
written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from rag_system.query.asking import asking_stretch
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import IdentifierMatch, blotted, find_identifiers
from rag_system.query.typing_habits import mend

__all__ = ["NORM", "Wording", "read_wording"]

NORM = r"@\d"  # what stands for a norm in the plain text, as a pattern
_WORD = re.compile(r"[a-z0-9ñ]+(?:[.:/-](?=[a-z0-9]*\d)[a-z0-9ñ]+)*|@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The plain text of a message, and what each of its words was."""

    message: str  # composed
    text: str  # without accents, case and signs, one space between words; a norm is one word, «@0»
    places: tuple[tuple[int, int], ...]  # of each word of `text`, in `message`
    norms: tuple[IdentifierMatch, ...]

    def written(self, start: int, end: int) -> str:
        """What the words of `text[start:end]` were in the message; empty where there are none."""
        if not self.text[start:end].strip():
            return ""
        start += len(self.text[start:end]) - len(self.text[start:end].lstrip())
        first = self.text.count(" ", 0, start)
        last = first + len(self.text[start:end].split()) - 1
        return self.message[self.places[first][0] : self.places[last][1]]


def read_wording(message: str) -> Wording:
    """Without the courtesy before and after it.

    >>> read_wording("Hola, ¿q dice la Ley N.º 29733?").text
    'que dice la @0'
    """
    composed = unicodedata.normalize("NFC", message)
    plain = aligned_fold(composed)
    start, end = asking_stretch(plain)
    norms = tuple(found for found in find_identifiers(composed) if found.end > found.start)[:10]
    plain = blotted(plain.replace("@", " "), norms, "@")
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    for word in _WORD.finditer(plain, start, end):
        first, last = word.span()
        number = next((n for n, norm in enumerate(norms) if norm.start == first), None)
        read = mend(word[0]) if number is None else f"@{number}"
        place = (first, last) if number is None else (norms[number].start, norms[number].end)
        pieces += read.split()
        places += [place] * len(read.split())
    return Wording(message=composed, text=" ".join(pieces), places=tuple(places), norms=norms)
