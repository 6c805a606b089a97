"""Which words of a quote decide: the number, the amount or the time that its question asks for. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from rag_system.generation.figures import Figure, read_figures, with_unit
from rag_system.generation.polarity import say_contrary
from rag_system.generation.sentence_ranking import NO_NUMBERS, TIMES, asked_for
from rag_system.generation.words import clauses, root, roots
from rag_system.query.sentences import split_sentences
from rag_system.query.text import fold, query_terms
from rag_system.query.word_lists import STOPWORDS

__all__ = ["counts_what_is_asked", "deciding_words"]

_COUNTS = re.compile(r"\bcuant[oa]s\s+(?:(?:son|eran|fueron)\s+(?:l[oa]s\s+)?)?([a-zñ]{3,})")
_JOINT = 4  # characters between two figures that are one: «de 5 a 10 días»

Span = tuple[int, int]


def deciding_words(question: str, quote: str) -> Span | None:
    """Where the words begin and end that answer; None where no number is asked for, none is stated, or none is ahead.

    >>> quote = "La apelación se interpone dentro de los quince (15) días hábiles, y se resuelve en 30 días."
    >>> start, end = deciding_words("¿Qué plazo hay para interponer la apelación?", quote) or (0, 0)
    >>> quote[start:end]
    'quince (15) días hábiles'
    """
    asks_figure, asks_time = asked_for(question)
    if not (asks_figure or asks_time) or not unicodedata.is_normalized("NFC", quote):
        return None
    stated = [each for each in read_figures(quote) if (each.unit in TIMES) is asks_time and each.unit not in NO_NUMBERS]
    said = frozenset(roots(question))
    asked = [each for each in stated if each.of in said]  # «¿cuántos controles…?»: «93 controles»
    asked = asked or [each for each in stated if each.unit or not each.of]  # «cinco atributos» are no controls
    spans = _near_the_question(_of_what_is_asked(question, list(_joined(quote, asked)), quote), quote, said)
    return spans[0] if len(spans) == 1 and not {"|", "\n"} & set(quote[slice(*spans[0])]) else None


def counts_what_is_asked(question: str, text: str) -> bool:
    """Whether a text may state the number of what is counted; true where the question counts nothing.

    >>> counts_what_is_asked("¿Cuántas cabinas hay?", "Hay 14 salas de grupo, para ocho personas.")
    False
    """
    asked = _COUNTS.search(fold(question))
    if asked is None or asked[1] in STOPWORDS:  # «¿cuántos hay?»
        return True
    if any(each.unit for each in read_figures(f"2 {asked[1]}")):  # «cuántos días», «cuántas UIT»
        return True
    text = unicodedata.normalize("NFC", text)
    stated = [each for each in read_figures(text) if not each.unit]
    told = {"", root(asked[1]), *STOPWORDS}  # «dos por ciclo» says not of what
    return any(each.of in told for each in stated)


def _joined(quote: str, figures: Sequence[Figure]) -> Iterator[Span]:
    """What the figures cover with their units, where two meet or nearly do as one."""
    open_: Span | None = None
    for start, end in (with_unit(quote, each) for each in figures):
        if open_ and start - open_[1] <= _JOINT:
            open_ = open_[0], max(end, open_[1])
            continue
        if open_:
            yield open_
        open_ = start, end
    if open_:
        yield open_


def _of_what_is_asked(question: str, spans: Sequence[Span], quote: str) -> Sequence[Span]:
    """Those in no clause that speaks of the opposite, where another speaks of what is asked for."""
    said = split_sentences(quote)
    parts = [(each.start + start, each.start + end) for each in said for start, end in clauses(each.text)]
    contrary = say_contrary(question, query_terms(question), [[quote[start:end]] for start, end in parts])
    opposite = [part for part, yes in zip(parts, contrary, strict=True) if yes]
    return [span for span in spans if not any(start <= span[0] < end for start, end in opposite)]


def _near_the_question(spans: Sequence[Span], quote: str, said: frozenset[str]) -> Sequence[Span]:
    """Those in the clause that says most of the question's words."""
    shares = {
        span: max(len(said & {*roots(quote[start:end])}) for start, end in clauses(quote) if start <= span[0] < end)
        for span in spans
    }
    return [span for span in spans if shares[span] == max(shares.values())]
