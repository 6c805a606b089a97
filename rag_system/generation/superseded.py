"""The text of a passage that its editor's notes say is no longer in force: «(*) Artículo derogado por la Ley 3».

A note that only names who wrote the text above it («Artículo modificado por la Ley 3», «incorporado por …») says
nothing of the kind: that text is in force. One that gives another text instead («…, cuyo texto es el siguiente:») does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rag_system.generation.passages import Kind, Sentence
from rag_system.query.sentences import Span
from rag_system.query.text import fold

__all__ = ["Past", "superseded"]

_PART = r"(?:numeral|inciso|literal|parrafo|acapite|item)s?"
_OF_A_PART = re.compile(rf"\W*(?:nota spij\W*)?(?:(?:el|la|primer|segundo|tercer|cuarto|ultimo|penultimo) )*{_PART}\b")
_REPEALED = re.compile(r"\b(?:derogad|abrogad)[oa]s?\b|\bdejad[oa]s? sin efecto\b")
_REPLACED = re.compile(
    r"\b(?:modificad|sustituid|reemplazad)[oa]s?\b.*\b(?:cuyo texto es|(?:en los|los) siguientes? terminos|"
    r"con el (?:siguiente texto|texto siguiente)|quedando redactad\w+)\b"
)
# Opens a text that was; with a colon at its end, the paragraph below is that text.
_WAS = re.compile(
    r"\W*(?:(?:texto|redaccion|version) (?:anterior|original|derogad[oa]|primitiv[oa])|"
    r"(?:antes|anteriormente) (?:decia|establecia|senalaba)|decia antes)\b.{0,40}?:"
)


class Past(NamedTuple):
    """How a sentence came to be out of force."""

    is_replaced: bool  # by a text that stands there too; else it was only repealed
    told_in: Span  # the note, or the words, that say so


def superseded(sentences: Sequence[Sentence]) -> dict[Span, Past]:
    """The sentences of a passage that are not in force, by where they stand, as far as its own notes tell.

    >>> from rag_system.generation.passages import read_passage
    >>> text = "El plazo es de 5 días. (*)\\n(*) Artículo derogado por la Ley 3.\\nLa sede es Lima."
    >>> [(span.text, past.is_replaced) for span, past in superseded(read_passage(text)).items()]
    [('El plazo es de 5 días. (*)', False)]
    """
    found: dict[Span, Past] = {}
    for position, sentence in enumerate(sentences):
        folded = fold(sentence.text)
        replaced = _REPLACED.search(folded) is not None
        if sentence.kind is Kind.NOTE and (replaced or _REPEALED.search(folded)):
            told_of = _told_of(sentences[:position], part=_OF_A_PART.match(folded) is not None)
            found.update((span, Past(replaced, sentence.span)) for span in told_of)
        elif _WAS.match(folded) or (sentence.lead and _WAS.match(fold(sentence.lead.text))):
            found[sentence.span] = Past(is_replaced=True, told_in=sentence.span)
    return found


def _told_of(before: Sequence[Sentence], *, part: bool) -> Iterator[Span]:
    """What stands right above a note: the paragraph, of a note of a part; else all up to a heading or another note."""
    for sentence in reversed(before):
        if sentence.kind in {Kind.NOTE, Kind.HEADING} or (part and sentence.paragraph != before[-1].paragraph):
            return
        yield sentence.span
