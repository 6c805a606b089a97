"""What the sources of an answer state, read once and compared with many claims: sentences, their words and figures."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_system.generation.figures import Figure, read_figures
from rag_system.generation.words import roots
from rag_system.query.identifiers import extract_identifiers, identifiers_in_name
from rag_system.query.sentences import Span, split_sentences
from rag_system.query.text import fold
from rag_system.types import Chunk, Evidence

__all__ = ["Sources", "Statement"]

_SHORTEST_ROOT = 5  # letters that two words must share from their start to be related
# «Artículo 22.-», «22.1», «Art. 5»: where a part of a norm begins; a sign of a note may be glued to the number.
_PART = re.compile(r"^\W{0,3}(?:(?:art[íi]culos?|art\.)\s*(\d+(?:-[A-Z])?)|(\d{1,3}(?:\.\d{1,2})+))", re.IGNORECASE)
_ROW = re.compile(r"\s*\|")
_LEADS = (":", "：")


@dataclass(frozen=True, eq=False)
class Statement:
    """A sentence of a source."""

    n: int  # of the source
    chunk: Chunk
    span: Span
    part: frozenset[str]  # the article and the numeral in which it stands
    above: str  # what it goes on from: the lead-in of its list, the head of its table

    @property
    def text(self) -> str:
        return self.span.text

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def roots(self) -> frozenset[str]:
        return frozenset(roots(self.text))

    @cached_property
    def around(self) -> frozenset[str]:
        """The roots of what it goes on from, and of the heading over it."""
        return frozenset(each for text in (self.above, *self.chunk.heading_path[-1:]) for each in roots(text))

    @cached_property
    def figures(self) -> list[Figure]:
        return read_figures(self.text)

    @cached_property
    def articles(self) -> frozenset[str]:
        """Those that it names."""
        return frozenset(each.value for each in self.figures if each.unit == "article")


class Sources:
    """The numbered sources of an answer, neighbouring chunks included, and the question that they answer."""

    def __init__(self, evidence: Sequence[Evidence], question: str = "") -> None:
        self.evidence: Mapping[int, Evidence] = {item.n: item for item in evidence}
        self.question = question
        self._places: dict[str, frozenset[int]] = {}
        self._related: dict[str, frozenset[str]] = {}

    def read(self) -> Sources:
        """Read all of it now, and not bit by bit when a claim asks."""
        _ = self._vocabulary, [each.figures for each in self.statements]
        return self

    @cached_property
    def statements(self) -> list[Statement]:
        return [each for item in self.evidence.values() for each in _statements(item)]

    @cached_property
    def asked(self) -> frozenset[str]:
        """The roots of the question."""
        return frozenset(roots(self.question))

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """What stands above the text of each source: title, file name and headings."""
        return {n: _label(item) for n, item in self.evidence.items()}

    @cached_property
    def folded(self) -> Mapping[int, str]:
        """All the words of each source, folded."""
        texts = {n: [chunk.text for chunk in _chunks(item)] for n, item in self.evidence.items()}
        return {n: fold("\n".join((self.labels[n], *texts[n]))) for n in texts}

    @cached_property
    def figures(self) -> Mapping[int, Sequence[Figure]]:
        """Those of each source, of what stands above it too."""
        found = {n: read_figures(label) for n, label in self.labels.items()}
        for statement in self.statements:
            found[statement.n] += statement.figures
        return found

    @cached_property
    def identifiers(self) -> Mapping[int, Sequence[str]]:
        """The norms that each source is or names."""
        return {n: _identifiers(item, self.labels[n]) for n, item in self.evidence.items()}

    # ------------------------------------------------------------ where a word is said

    @cached_property
    def _label_roots(self) -> Mapping[int, frozenset[str]]:
        return {n: frozenset(roots(label)) for n, label in self.labels.items()}

    @cached_property
    def _by_root(self) -> Mapping[str, set[int]]:
        found: dict[str, set[int]] = {}
        for place, statement in enumerate(self.statements):
            for each in statement.roots:
                found.setdefault(each, set()).add(place)
        return found

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted({*self._by_root, *(each for found in self._label_roots.values() for each in found)})

    def related(self, word: str) -> frozenset[str]:
        """The roots of the sources that are the word, or begin it, or begin with it, and the word; looked up once."""
        if word not in self._related:
            self._related[word] = frozenset(_related(word, self._vocabulary))
        return self._related[word]

    def places(self, word: str) -> frozenset[int]:
        """The statements that say a word; looked up once."""
        if word not in self._places:
            own = (self._by_root.get(each, ()) for each in self.related(word))
            self._places[word] = frozenset(place for found in own for place in found)
        return self._places[word]

    def is_in_label(self, word: str, n: int) -> bool:
        """Whether the word stands in the title, the file name or a heading of a source."""
        return not self.related(word).isdisjoint(self._label_roots[n])

    def weight(self, word: str) -> float:
        """Inverse document frequency over the statements; what none has weighs most."""
        return math.log(1 + (len(self.statements) + 1) / (len(self.places(word)) + 0.5))


def _statements(item: Evidence) -> Iterator[Statement]:
    article, numeral = _part_of_label(item.chunk), ""
    for chunk in _chunks(item):
        lead = head = ""
        for span in split_sentences(chunk.text):
            if begun := _PART.match(span.text):
                if begun[1]:
                    article, numeral = begun[1].lower(), ""
                else:
                    numeral = begun[2]
            is_row = _ROW.match(span.text) is not None
            head = (head or span.text) if is_row else ""
            own = frozenset(filter(None, (article, numeral, numeral and numeral.partition(".")[0])))
            if not span.text.endswith("?"):  # a question states nothing: what follows answers it
                yield Statement(item.n, chunk, span, own, head if is_row else lead)
            if span.text.endswith((*_LEADS, "?")):
                lead = span.text
            elif not chunk.text[span.end : span.end + 3].strip(" ").startswith("\n"):
                lead = lead if span.text.endswith((";", ",")) else ""


def _part_of_label(chunk: Chunk) -> str:
    found = _PART.match(chunk.heading_path[-1]) if chunk.heading_path else None
    return (found[1] or found[2]).lower() if found else ""


def _chunks(item: Evidence) -> tuple[Chunk, ...]:
    return tuple(dict.fromkeys((item.chunk, *item.chunks)))


def _label(item: Evidence) -> str:
    headings = dict.fromkeys(heading for chunk in _chunks(item) for heading in chunk.heading_path)
    return "\n".join((item.chunk.title, item.chunk.path, *headings))


def _identifiers(item: Evidence, label: str) -> list[str]:
    chunk = item.chunk
    texts = "\n".join((label, *(each.text for each in _chunks(item))))
    return [*chunk.identifiers, *identifiers_in_name(chunk.path), *extract_identifiers(texts)]


def _related(word: str, vocabulary: Sequence[str]) -> set[str]:
    found = {word}
    if len(word) >= _SHORTEST_ROOT:
        place = bisect_left(vocabulary, word)
        while place < len(vocabulary) and vocabulary[place].startswith(word):
            found.add(vocabulary[place])
            place += 1
        found.update(word[:length] for length in range(_SHORTEST_ROOT, len(word)))
    return found
