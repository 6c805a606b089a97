"""What a source states, read once and compared with many claims: sentences, their words and figures, its norms."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_

from rag_system.generation.figures import Figure, read_figures
from rag_system.generation.polarity import roots, split_clauses
from rag_system.query.identifiers import extract_identifiers, identifiers_in_name
from rag_system.query.sentences import Span, split_sentences
from rag_system.query.text import fold
from rag_system.types import Chunk, Evidence

__all__ = ["SourceText", "Statement", "bits"]

_SHORTEST_ROOT = 5  # letters that two words must share from their start to be related

_LEAVES_OUT = re.compile(r"\s*(?:y\s+)?(?:el|la|los|las)\s+del?\b")  # «… y las del correo, 60 días»


@dataclass(frozen=True)
class Statement:
    """A sentence of a source."""

    chunk: Chunk
    span: Span

    @property
    def text(self) -> str:
        return self.span.text

    @cached_property
    def roots(self) -> frozenset[str]:
        return frozenset(roots(self.text))

    @cached_property
    def figures(self) -> list[Figure]:
        return read_figures(self.text)

    @cached_property
    def _clauses(self) -> list[tuple[int, int]]:
        return list(split_clauses(self.text))

    @cached_property
    def _known(self) -> dict[int, frozenset[str]]:
        return {}

    def clause_roots(self, figure: Figure) -> frozenset[str]:
        """The words of the clause in which a figure stands."""
        clauses = self._clauses
        place = next((i for i, (start, end) in enumerate(clauses) if start <= figure.start < end), 0)
        if place not in self._known:
            first = place - 1 if place and _LEAVES_OUT.match(self.text, clauses[place][0]) else place
            self._known[place] = frozenset(roots(self.text[clauses[first][0] : clauses[place][1]]))
        return self._known[place]


class SourceText:
    """A numbered source of an answer, its neighbouring chunks included."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.chunks: Sequence[Chunk] = tuple(dict.fromkeys((evidence.chunk, *evidence.chunks)))
        self._related: dict[str, frozenset[str]] = {}
        self._places: dict[str, int] = {}

    def read(self) -> None:
        """Read all of it now, and not bit by bit when a claim asks."""
        _ = self.figures, self.identifiers, self.folded, self._by_root, self._vocabulary

    @cached_property
    def statements(self) -> list[Statement]:
        return [Statement(chunk, span) for chunk in self.chunks for span in split_sentences(chunk.text)]

    @cached_property
    def label(self) -> str:
        """What stands above the text: title, file name and headings."""
        headings = dict.fromkeys(heading for chunk in self.chunks for heading in chunk.heading_path)
        return "\n".join((self.evidence.chunk.title, self.evidence.chunk.path, *headings))

    @cached_property
    def label_roots(self) -> frozenset[str]:
        return frozenset(roots(self.label))

    @cached_property
    def roots(self) -> frozenset[str]:
        return self.label_roots.union(*(statement.roots for statement in self.statements))

    @cached_property
    def figures(self) -> list[Figure]:
        """Of the text and of what stands above it."""
        return [*read_figures(self.label), *(figure for each in self.statements for figure in each.figures)]

    @cached_property
    def identifiers(self) -> list[str]:
        chunk = self.evidence.chunk
        texts = "\n".join((self.label, *(each.text for each in self.chunks)))
        return [*chunk.identifiers, *identifiers_in_name(chunk.path), *extract_identifiers(texts)]

    @cached_property
    def folded(self) -> str:
        """All its words, folded."""
        return fold("\n".join((self.label, *(chunk.text for chunk in self.chunks))))

    # ------------------------------------------------------------ where a word is said

    @cached_property
    def _by_root(self) -> dict[str, int]:
        """Of each root, the statements that have it."""
        found: dict[str, int] = {}
        for place, statement in enumerate(self.statements):
            for each in statement.roots:
                found[each] = found.get(each, 0) | 1 << place
        return found

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self.roots)

    def related(self, word: str) -> frozenset[str]:
        """The roots of the source that are the word, or begin it, or begin with it; looked up once."""
        if word not in self._related:
            self._related[word] = frozenset(_related(word, self._vocabulary)) & self.roots
        return self._related[word]

    def is_in_label(self, word: str) -> bool:
        """Whether a root related to the word stands in the title, the file name or a heading."""
        return not self.related(word).isdisjoint(self.label_roots)

    def places(self, word: str) -> int:
        """The statements that have a root related to the word, as bits from the lowest; looked up once."""
        if word not in self._places:
            self._places[word] = reduce(or_, (self._by_root.get(each, 0) for each in self.related(word)), 0)
        return self._places[word]

    def places_of_all(self, words: Iterable[str]) -> int:
        """The statements that have all of these roots, as bits."""
        return reduce(and_, (self._by_root.get(each, 0) for each in words), (1 << len(self.statements)) - 1)


def bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


def _related(word: str, vocabulary: Sequence[str]) -> set[str]:
    """The words of a sorted vocabulary that begin with the word, and what of the word may be one of them."""
    found = {word}
    if len(word) >= _SHORTEST_ROOT:
        place = bisect_left(vocabulary, word)
        while place < len(vocabulary) and vocabulary[place].startswith(word):
            found.add(vocabulary[place])
            place += 1
        found.update(word[:length] for length in range(_SHORTEST_ROOT, len(word)))
    return found
