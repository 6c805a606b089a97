"""What a source states, read once and compared with many claims: sentences, their words and figures, its norms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_system.generation.figures import Figure, read_figures
from rag_system.generation.polarity import roots, split_clauses
from rag_system.query.identifiers import extract_identifiers, identifiers_in_name
from rag_system.query.sentences import Span, split_sentences
from rag_system.query.text import fold
from rag_system.types import Chunk, Evidence

__all__ = ["Source", "Statement"]

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

    def clause_roots(self, figure: Figure) -> frozenset[str]:
        """The words of the clause in which a figure stands."""
        clauses = list(split_clauses(self.text))
        place = next((i for i, (start, end) in enumerate(clauses) if start <= figure.start < end), 0)
        first = place - 1 if place and _LEAVES_OUT.match(self.text, clauses[place][0]) else place
        return frozenset(roots(self.text[clauses[first][0] : clauses[place][1]]))


class Source:
    """A numbered source of an answer, its neighbouring chunks included."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.chunks: Sequence[Chunk] = tuple(dict.fromkeys((evidence.chunk, *evidence.chunks)))

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
