"""Ties each marker of an answer to the words that support it, and marks the sentences that no source supports.

A marker becomes a literal quote of the cited chunk. What a sentence claims is compared with the sources it cites, or,
where it cites none, with all of them (`claims`). Only words are compared, so a free paraphrase may look unsupported: a
person is told to check it, and nothing is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from rag_system.generation.claims import Claim, Doubt
from rag_system.generation.markers import marker_numbers, strip_markers
from rag_system.generation.relevance import TermReader
from rag_system.generation.statements import Source
from rag_system.query.identifiers import without_identifiers
from rag_system.query.sentences import Span, sentence_end_before, split_sentences
from rag_system.query.text import analyze_terms, query_terms, tokens
from rag_system.query.word_lists import STOPWORDS
from rag_system.types import Chunk, Citation, Evidence

__all__ = ["Grounding", "ground"]

_QUOTE_CHARS = 300
_LITERAL_CHARS = 700  # what the answer shows between «…» is marked in its source whole: its number may come last
# Share of a sentence's terms, 0…1, that its source must hold. Of sentences paired with a passage of another document,
# two thirds share less; free paraphrases of one sentence share 0.2 or more, mostly.
_LEAST_SHARED = 0.2
_MARKERS_FIRST = re.compile(r"\s*((?:\[\d{1,3}\]\s*)+)")
_NUMBER = re.compile(r"\d")
# «Según Manual interno, «4. Contraseñas» (p. 12): «…»»: the place may stand in quotation marks of its own.
_QUOTATION = re.compile(r"[^«»]*(?:, «[^«»]*»(?: \(p\. \d+\))?)?:\s*«(?P<quoted>[^«»]*)»[\s.]*")
_QUOTED = re.compile(r"«([^«»]{12,})»")
_LITERAL = 2.0  # score of what is quoted word for word: above any overlap, which is at most 1
_LEFT_OUT = "(…)"
# How a quote that shows no marks of its own may be written in its source.
_AS_STORED = {"“": "[“«]", "”": "[”»]", r"\(": r"[(\[]", r"\)": r"[)\]]"}
_JOINER = "\u2060"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """What the sources say of an answer."""

    citations: tuple[Citation, ...]  # one for each quote that supports a sentence, in order; a source may have several
    doubts: tuple[tuple[str, Doubt], ...]  # sentences, as they stand, that no source supports, each with the reason

    @property
    def unsupported(self) -> tuple[str, ...]:
        return tuple(sentence for sentence, _ in self.doubts)


def ground(answer_text: str, evidence: Sequence[Evidence]) -> Grounding:
    """Compare each sentence with what it cites, once. `answer_text` has its markers in normal form."""
    judged = list(_judged(answer_text, evidence))
    supports = [(n, support) for _, found, _ in judged for n, support in found.items()]
    citations = (_citation(n, support) for n, support in supports)
    return Grounding(
        citations=tuple(dict.fromkeys(citations)),
        doubts=tuple((sentence, doubt) for sentence, _, doubt in judged if doubt),
    )


@dataclass(frozen=True, slots=True)
class _Support:
    """The words of a source that support a sentence best."""

    score: float
    quote: str
    chunk: Chunk  # where they stand


def _judged(answer_text: str, evidence: Sequence[Evidence]) -> Iterator[tuple[str, dict[int, _Support], Doubt]]:
    """Each sentence with the sources that support it, by number, and why it is marked, if it is."""
    sources = {item.n: Source(item) for item in evidence}
    for sentence, numbers in _sentences(answer_text, len(evidence)):
        claim = _Claim(sentence)
        cited = [sources[n] for n in numbers]
        found = {source.evidence.n: claim.support(source.evidence) for source in cited}
        supported = {n: support for n, support in found.items() if support is not None}
        yield sentence, supported, claim.doubt(cited or list(sources.values()), supported)


def _citation(n: int, support: _Support) -> Citation:
    chunk = support.chunk
    return Citation(
        n=n,
        chunk_id=chunk.chunk_id,
        document=chunk.file_name,
        path=chunk.path,
        page=chunk.page_first,
        quote=support.quote,
    )


def _sentences(text: str, n_evidence: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sentences with their markers; those that open a sentence belong to the one before: «… días. [1] Luego …»."""
    parts: list[tuple[str, str]] = []  # the sentence as it stands, and the markers after it
    for span in _answer_spans(text):
        piece = span.text
        if parts and (opening := _MARKERS_FIRST.match(piece)):
            sentence, markers = parts[-1]
            parts[-1] = (sentence, markers + opening[1])
            piece = piece[opening.end() :]
        if piece:
            parts.append((piece, ""))
    for sentence, markers in parts:
        yield sentence, marker_numbers(sentence + markers, n_evidence)


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


def _literal(quotes: Sequence[str], item: Evidence) -> _Support | None:
    """What stands between «…» when a chunk of the source holds it word for word."""
    for quoted in quotes:
        for chunk in (item.chunk, *item.chunks):
            found = [_find(part, chunk.text) for part in quoted.split(_LEFT_OUT)]
            if found and all(found):  # of a list's lead-in and its item, the item
                return _Support(_LITERAL, _cut(found[-1], _LITERAL_CHARS), chunk)
    return None


def _find(quoted: str, text: str) -> str:
    """The stretch of a text that a quote repeats, white space and defused marks apart; empty when there is none."""
    words = (re.escape(word) for word in quoted.replace(_JOINER, "").split())
    pattern = r"\s+".join(re.sub(r"[“”]|\\[()]", lambda sign: _AS_STORED[sign[0]], word) for word in words)
    found = re.search(pattern, text)
    return found[0] if found else ""


class _Claim:
    """A sentence of an answer, compared with its sources."""

    def __init__(self, sentence: str) -> None:
        self._prose = strip_markers(sentence)
        quotation = _QUOTATION.fullmatch(self._prose)  # claims what it quotes, not where that stands
        self._is_quotation = quotation is not None
        said = quotation["quoted"] if quotation else self._prose
        self._said = said
        self._quotes = [said] if quotation else _QUOTED.findall(sentence)
        claimed = without_identifiers(said)  # naming the norm proves nothing
        self._claimed = [] if STOPWORDS.issuperset(tokens(claimed)) else query_terms(claimed)
        self._read = TermReader(claimed, self._claimed)

    def support(self, item: Evidence) -> _Support | None:
        """What supports the sentence in a source; None when nothing does."""
        if literal := _literal(self._quotes, item):
            return literal
        headings = [heading for chunk in item.chunks for heading in chunk.heading_path]
        held = self._read("\n".join((item.chunk.title, *headings, item.chunk.text, item.text)))
        if self._claimed and _share(self._claimed, held) < _LEAST_SHARED:  # «Sí [1].» claims nothing of its own
            return None
        return self._best_quote(item)

    def doubt(self, sources: Sequence[Source], supported: Mapping[int, _Support]) -> Doubt:
        """Why the sentence is marked: what is quoted word for word never is."""
        if self._is_quotation and any(support.score == _LITERAL for support in supported.values()):
            return Doubt.NONE
        return Claim(self._said).doubt(sources)

    def _best_quote(self, item: Evidence) -> _Support:
        """The sentence of the source that shares most with the answer's; of equals the first, of the chunk found."""
        terms = query_terms(self._prose)
        quotes = [
            _Support(_share(terms, set(analyze_terms(span.text))), _cut(span.text), chunk)
            for chunk in dict.fromkeys((item.chunk, *item.chunks))
            for span in split_sentences(chunk.text)
        ]
        return max(
            quotes, key=lambda support: support.score, default=_Support(0.0, _cut(item.text.strip()), item.chunk)
        )


def _share(claim: Sequence[str], have: AbstractSet[str]) -> float:
    """The share of a claim's terms that a text has, numbers counting double."""
    weights = [(2.0 if _NUMBER.search(term) else 1.0, term in have) for term in claim]
    total = sum(weight for weight, _ in weights)
    return sum(weight for weight, found in weights if found) / total if total else 0.0


def _cut(text: str, most: int = _QUOTE_CHARS) -> str:
    """At most `most` characters, ending with a sentence or a word."""
    if len(text) <= most:
        return text
    end = sentence_end_before(text, most)
    return text[:end].rstrip() if end else text[:most].rsplit(None, 1)[0].rstrip()
