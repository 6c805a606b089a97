"""Ties each marker of an answer to the words that support it: a literal quote of the cited chunk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag_system.generation.markers import marker_numbers, strip_markers
from rag_system.query.sentences import Span, sentence_end_before, split_sentences
from rag_system.query.text import analyze_terms, query_terms
from rag_system.types import Citation, Evidence

__all__ = ["cite"]

_QUOTE_CHARS = 300
_MARKERS_FIRST = re.compile(r"\s*((?:\[\d{1,3}\]\s*)+)")
_NUMBER = re.compile(r"\d")


def cite(answer_text: str, evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """One citation for each number used, in order of first use.

    `answer_text` has its markers in normal form. Of all the sentences that cite a number, the one that a quote
    supports best decides the quote.
    """
    by_number = {item.n: item for item in evidence}
    best: dict[int, tuple[float, str]] = {}
    for sentence, numbers in _cited_sentences(answer_text, len(evidence)):
        for n in numbers:
            found = _literal(sentence, by_number[n]) or _best_quote(sentence, by_number[n])
            if n not in best or found[0] > best[n][0]:
                best[n] = found
    return tuple(_citation(by_number[n], quote) for n, (_, quote) in best.items())


def _citation(item: Evidence, quote: str) -> Citation:
    chunk = item.chunk
    return Citation(
        n=item.n,
        chunk_id=chunk.chunk_id,
        document=chunk.file_name,
        path=chunk.path,
        page=chunk.page_first,
        quote=quote,
    )


def _cited_sentences(text: str, n_evidence: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sentences that carry markers; those that open a sentence belong to the one before: «… días. [1] Luego …»."""
    parts: list[str] = []
    for span in _answer_spans(text):
        piece = span.text
        if parts and (opening := _MARKERS_FIRST.match(piece)):
            parts[-1] += " " + opening[1].strip()
            piece = piece[opening.end() :]
        if piece:
            parts.append(piece)
    for part in parts:
        if numbers := marker_numbers(part, n_evidence):
            yield part, numbers


def _answer_spans(text: str) -> list[Span]:
    """Sentences, but a «…» quote stays in one piece with the marker that follows it."""
    spans: list[Span] = []
    for span in split_sentences(text):
        if spans and _open_quote(text[spans[-1].start : spans[-1].end]):
            start = spans.pop().start
            spans.append(Span(start, span.end, text[start : span.end]))
        else:
            spans.append(span)
    return spans


def _open_quote(text: str) -> bool:
    return text.count("«") > text.count("»")


def _literal(sentence: str, item: Evidence) -> tuple[float, str] | None:
    """The text between «…» when the chunk holds it word for word."""
    for quoted in re.findall(r"«([^»]{12,})»", sentence):
        pattern = r"\s+".join(re.escape(word) for word in quoted.split("(…)")[0].split())
        if pattern and (found := re.search(pattern, item.chunk.text)):
            return 2.0, _cut(found[0])  # above any overlap, which is at most 1
    return None


def _best_quote(sentence: str, item: Evidence) -> tuple[float, str]:
    """The sentence of the chunk that shares most with the answer's, numbers counting double."""
    claim = query_terms(strip_markers(sentence))
    candidates = split_sentences(item.chunk.text)
    scored = [(_overlap(claim, span.text), -span.start, span.text) for span in candidates]
    score, _, text = max(scored, default=(0.0, 0, item.chunk.text.strip()))
    return score, _cut(text)


def _overlap(claim: Sequence[str], text: str) -> float:
    have = set(analyze_terms(text))
    weights = [(2.0 if _NUMBER.search(term) else 1.0, term in have) for term in claim]
    total = sum(weight for weight, _ in weights)
    return sum(weight for weight, found in weights if found) / total if total else 0.0


def _cut(text: str) -> str:
    """At most `_QUOTE_CHARS`, ending with a sentence or a word."""
    if len(text) <= _QUOTE_CHARS:
        return text
    end = sentence_end_before(text, _QUOTE_CHARS)
    return text[:end].rstrip() if end else text[:_QUOTE_CHARS].rsplit(None, 1)[0].rstrip()
