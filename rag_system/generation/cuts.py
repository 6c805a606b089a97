"""Where a quote leaves words out, and how it shows that: «(…)», which the check of quotes reads past."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.generation.passages import Kind, Sentence
from rag_system.query.editor_notes import is_note

__all__ = ["GAP", "cut_signs", "lead_alone", "main_piece", "pieces"]

GAP = "(…)"

_LEAD_AND_ITEM = 2  # stretches

_MARK = re.compile(r"\W{0,2}(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[a-zñ]{1,2}[.)]|[ivx]{1,5}[.)])(?=\s)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_OPENS_INSIDE = re.compile(r"[a-záéíóúüñ]")
_ENDS_INSIDE = re.compile(r"[\w,]$")
_LONG_CHARS = 80  # a line that ends without a stop and is shorter may be a title, or somebody's name


def pieces(quote: str) -> list[str]:
    """The stretches of a quote between its signs, in order; none where it has no word."""
    return [piece.strip() for piece in quote.split(GAP) if _WORD.search(piece)]


def main_piece(quote: str) -> str:
    """The stretch that answers: of a list's lead-in and its item, the item; of the beginnings of several, the first;
    never the editor's note after the text.

    Empty where the quote has no word.
    """
    said = pieces(quote)
    said = said[:1] if len(said) > _LEAD_AND_ITEM else said
    return next((piece for piece in reversed(said) if not is_note(piece)), said[-1] if said else "")


def lead_alone(start: int, sentences: Sequence[Sentence]) -> tuple[int, int] | None:
    """Where a lead-in at `start` ends and its first item begins, if the list begins in an earlier chunk."""
    first = next((each for each in sentences if each.lead and each.lead.start == start), None)
    return (first.lead.end, first.span.start) if first and first.lead and first.goes_on_with_list else None


def cut_signs(start: int, end: int, sentences: Sequence[Sentence], *, goes_on: bool = False) -> tuple[str, str]:
    """What to write before and after the quote of `[start:end]` of a passage; empty where nothing is cut.

    A passage may begin or end inside a sentence; an item's number may stand before the sentence that is quoted
    («9.1 (…) »); items of the same list may follow, also beyond the passage, where it `goes_on`.
    """
    first = next((at for at, each in enumerate(sentences) if each.span.end > start), 0)
    last = next((at for at in range(len(sentences) - 1, -1, -1) if sentences[at].span.start < end), 0)
    return _before(sentences, first), _after(sentences, first, last, goes_on=goes_on)


def _before(sentences: Sequence[Sentence], first: int) -> str:
    sentence = sentences[first]
    if not first:
        inside = _OPENS_INSIDE.match(sentence.text) and not _MARK.match(sentence.text)
        return f"{GAP} " if inside and sentence.kind is Kind.PROSE else ""
    opening = next(each for each in sentences if each.paragraph == sentence.paragraph)
    mark = _MARK.match(opening.text) if opening.kind is Kind.ITEM and opening is not sentence else None
    return f"{mark[0].strip()} {GAP} " if mark else ""


def _after(sentences: Sequence[Sentence], first: int, last: int, *, goes_on: bool) -> str:
    sentence = sentences[last]
    is_list = sentence.lead is not None and sentence.lead in {each.span for each in sentences[first:last]}
    if last + 1 < len(sentences):
        return f" {GAP}" if is_list and sentences[last + 1].lead == sentence.lead else ""
    if is_list and goes_on:
        return f"\n{GAP}"
    inside = _ENDS_INSIDE.search(sentence.text) and len(sentence.text) > _LONG_CHARS
    return f" {GAP}" if inside and sentence.kind is Kind.PROSE else ""
