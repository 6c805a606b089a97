"""Ties each marker of an answer to the words that support it, and marks the sentences that no source supports.

A marker becomes a literal quote of the cited chunk. What a sentence claims is compared with the sources it cites, or,
where it cites none, with all of them (`claims`); when one of them surely says it, it is cited with that one
(`citation_repair`). Only words are compared, so a free paraphrase may look unsupported: a person is told to check it,
and nothing is cut.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_system.generation.citation_repair import Added, add_markers, find_source, is_table_head
from rag_system.generation.claims import Claim
from rag_system.generation.cuts import main_piece, pieces
from rag_system.generation.doubts import Doubt
from rag_system.generation.markers import marker_numbers, strip_markers
from rag_system.generation.sources import Sources
from rag_system.query.sentences import Span, shortened, split_sentences
from rag_system.types import Chunk, Citation, Evidence

__all__ = ["Grounding", "ground"]

_QUOTE_CHARS = 300
_LITERAL_CHARS = 700  # what the answer shows between «…» is marked in its source whole: its number may come last
# Share of a sentence's words, 0…1, that a source must hold for its nearest words to be shown beside the marker, even
# where the sentence is marked: they show what the source says instead. Of sentences paired with a passage of another
# document, two thirds share less.
_LEAST_SHARED = 0.2
_MARKERS_FIRST = re.compile(r"\s*((?:\[M?\d{1,3}\]\s*)+)")
# «Según Manual interno, «4. Contraseñas» (p. 12): «…»»: the place may stand in quotation marks of its own.
_QUOTATION = re.compile(r"[^«»]*(?:, «[^«»]*»(?: \(p\. \d+\))?)?:\s*«(?P<quoted>[^«»]*)»[\s.]*")
_CELL = re.compile(r"[^|\n]+")
_NUMBERED = re.compile(r"\[\d{1,3}\]")
_QUOTED = re.compile(r"«([^«»]{12,})»")
# How a quote that shows no marks of its own may be written in its source.
_AS_STORED = {"“": "[“«]", "”": "[”»]", r"\(": r"[(\[]", r"\)": r"[)\]]"}
_JOINER = "\u2060"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounding:
    """What the sources say of an answer."""

    text: str  # the answer, with the markers that were added
    # One for each quote that supports a sentence, in order; a source may have several.
    citations: tuple[Citation, ...] = ()
    doubts: tuple[tuple[str, Doubt], ...] = ()  # sentences, as they stand, that no source supports, each with why
    added: tuple[Added, ...] = ()  # sentences that had no marker, each with the number that was added

    @property
    def unsupported(self) -> tuple[str, ...]:
        return tuple(sentence for sentence, _ in self.doubts)


def ground(
    answer_text: str,
    evidence: Sequence[Evidence],
    *,
    question: str = "",
    sources: Sources | None = None,
    adds_markers: bool = True,
) -> Grounding:
    """Compare each sentence with what it cites, once. `answer_text` has its markers in normal form.

    `question`: what is answered: its words are no claim of the answer. `sources`: both, read, where there was time.
    `adds_markers`: whether a model wrote the answer, and may have forgotten some.
    """
    judged = list(_judged(answer_text, sources or Sources(evidence, question), adds_markers=adds_markers))
    text, added = add_markers(answer_text, [(each.sentence, n) for each in judged if each.added for n in each.supports])
    shown = [each for each in judged if not each.added or any(each.sentence == sentence for sentence, _ in added)]
    citations = [
        Citation.of(n, found.chunk, found.quote, found.page, added=each.added)
        for each in shown
        for n, found in each.supports.items()
    ]
    return Grounding(
        text=text,
        citations=tuple(_distinct(citations)),
        doubts=tuple((each.sentence, each.doubt) for each in judged if each.doubt),
        added=added,
    )


def _distinct(citations: Sequence[Citation]) -> Iterator[Citation]:
    """Each once; what the answer cites by itself was not added."""
    by_itself = {citation for citation in citations if not citation.added}
    for citation in dict.fromkeys(citations):
        if not citation.added or replace(citation, added=False) not in by_itself:
            yield citation


@dataclass(frozen=True, slots=True)
class _Support:
    """The words of a source that support a sentence best."""

    quote: str
    chunk: Chunk  # where they stand
    page: int | None
    literal: bool = False  # the answer quotes them word for word


@dataclass(frozen=True, slots=True)
class _Judged:
    """A sentence with the sources that support it, by number, and why it is marked, if it is."""

    sentence: str
    supports: Mapping[int, _Support]
    doubt: Doubt
    added: bool = False  # it had no marker


def _judged(answer_text: str, sources: Sources, *, adds_markers: bool) -> Iterator[_Judged]:
    everywhere = frozenset(marker_numbers(answer_text, sources.evidence))
    before = ""
    for sentence, numbers in _sentences(answer_text, sources.evidence):
        claim = _Claim(sentence, sources, before)
        cited = [n for n in numbers if n in sources.evidence]
        supports = claim.supports(cited)
        doubt = claim.doubt(cited, supports)
        before = f"{before}\n{strip_markers(sentence)}"
        if cited or doubt:
            yield _Judged(sentence, supports, doubt)
        elif adds_markers:
            best = claim.find_source(everywhere)
            yield _Judged(sentence, claim.supports([best]) if best else {}, doubt, added=True)


def _sentences(text: str, known: Collection[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sentences with their markers; those that open a sentence belong to the one before: «… días. [1] Luego …»."""
    parts: list[tuple[str, str]] = []  # the sentence as it stands, and the markers after it
    for span in _answer_spans(text):
        if is_table_head(text, span.end):
            continue
        piece = span.text
        if parts and (opening := _MARKERS_FIRST.match(piece)):
            sentence, markers = parts[-1]
            parts[-1] = (sentence, markers + opening[1])
            piece = piece[opening.end() :]
        if piece:
            parts.append((piece, ""))
    for sentence, markers in parts:
        yield sentence, marker_numbers(sentence + markers, known)


def _answer_spans(text: str) -> Iterator[Span]:
    """Sentences; of a row of a table whose cells cite each their own, the cells."""
    for span in _whole_quotes(text):
        cells = [cell for cell in _CELL.finditer(span.text) if _NUMBERED.search(cell[0])]
        if len(cells) > 1 and span.text.lstrip().startswith("|"):
            yield from (Span(span.start + c.start(), span.start + c.end(), c[0].strip()) for c in cells)
        else:
            yield span


def _whole_quotes(text: str) -> list[Span]:
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
    """What stands between «…» when the source holds it word for word, and where it begins in a chunk."""
    for quoted in quotes:
        said = pieces(quoted)
        for chunk in dict.fromkeys((item.chunk, *item.chunks)):
            found = {piece: _find(piece, chunk.text) for piece in said}
            if found and all(found.values()):
                return _marked(found[main_piece(quoted)], chunk)
        runs_on = said and all(_find(piece, item.text) for piece in said)
        if runs_on and (begun := _begun(main_piece(quoted).splitlines(), item)):
            return begun
    return None


def _begun(lines: Sequence[str], item: Evidence) -> _Support | None:
    """As much of a quote that runs from one chunk into the next as a chunk holds."""
    for end in range(len(lines), 0, -1):
        for chunk in item.chunks:
            if found := _find("\n".join(lines[:end]), chunk.text):
                return _marked(found, chunk)
    return None


def _marked(found: str, chunk: Chunk) -> _Support:
    quote = shortened(found, _LITERAL_CHARS)
    return _Support(quote, chunk, chunk.page_at(chunk.text.find(quote)), literal=True)


def _find(quoted: str, text: str) -> str:
    """The stretch of a text that a quote repeats, white space and defused marks apart; empty when there is none."""
    words = (re.escape(word) for word in quoted.replace(_JOINER, "").split())
    pattern = r"\s+".join(re.sub(r"[“”]|\\[()]", lambda sign: _AS_STORED[sign[0]], word) for word in words)
    found = re.search(pattern, text)
    return found[0] if found else ""


class _Claim:
    """A sentence of an answer, compared with its sources."""

    def __init__(self, sentence: str, sources: Sources, before: str) -> None:
        self._sources = sources
        self._prose = strip_markers(sentence)
        quotation = _QUOTATION.fullmatch(self._prose)  # claims what it quotes, not where that stands
        self._is_quotation = quotation is not None
        said = quotation["quoted"] if quotation else self._prose
        self._quotes = [said] if quotation else _QUOTED.findall(sentence)
        self._claim = Claim(said, sources, before)

    def supports(self, cited: Iterable[int]) -> dict[int, _Support]:
        """What supports the sentence in those of the sources that support it."""
        found = {n: self._support(n) for n in cited}
        return {n: support for n, support in found.items() if support is not None}

    def _support(self, n: int) -> _Support | None:
        """What supports the sentence in a source; None when nothing does."""
        item = self._sources.evidence[n]
        if literal := _literal(self._quotes, item):
            return literal
        if self._claim.near.shares_with(n) < _LEAST_SHARED:  # «Sí [1].» claims nothing of its own
            return None
        best = self._claim.near.best_in(n)
        if best is None:
            return _Support(shortened(item.text.strip(), _QUOTE_CHARS), item.chunk, item.chunk.page_first)
        return _Support(shortened(best.text, _QUOTE_CHARS), best.chunk, best.chunk.page_at(best.span.start))

    def doubt(self, cited: Collection[int], supported: Mapping[int, _Support]) -> Doubt:
        """Why the sentence is marked: what is quoted word for word never is."""
        if self._is_quotation and any(support.literal for support in supported.values()):
            return Doubt.NONE
        return self._claim.doubt(cited)

    def find_source(self, cited: Collection[int]) -> int | None:
        """The source that surely says the sentence; `cited` are those that the answer cites."""
        return find_source(self._claim, self._sources, cited=cited)
