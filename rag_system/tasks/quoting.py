"""What is quoted of documents without a model: literal stretches, each with the number of its source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_system.generation.citation_label import inert
from rag_system.generation.cuts import GAP
from rag_system.generation.passages import Kind, read_passage
from rag_system.generation.prompt_injection import is_injection
from rag_system.query.sentences import CELL, sentence_end_before
from rag_system.tasks.parts import Part, Stretch
from rag_system.types import Chunk, Citation, Evidence

__all__ = ["OPENING_CHARS", "Said", "Sources", "Written", "sentences", "shortened", "table_rows"]

OPENING_CHARS = 260  # of a section that only opens


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A literal stretch of a chunk: a sentence, an item of a list, or several in a row."""

    chunk: Chunk
    start: int  # in the chunk's text
    text: str
    kind: Kind
    lead: str = ""  # of an item: the words that introduce its list
    heading: str = ""  # the nearest one inside the passage

    @property
    def page(self) -> int | None:
        return self.chunk.page_at(self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What is told of documents, with what it quotes."""

    text: str
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    notices: tuple[str, ...] = ()
    abstained: bool = False


class Sources:
    """Gives numbers to the chunks that are quoted, in the order in which they are."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._evidence: list[Evidence] = []
        self._citations: list[Citation] = []

    def quote(self, said: Said, *, longest: int = OPENING_CHARS) -> str:
        """«…» [n], shortened after a sentence or a word."""
        literal = shortened(said.text, longest)
        shown = " ".join(inert(literal).split())
        return f"«{shown}{f' {GAP}' if len(literal) < len(said.text) else ''}» {self.cite(said, literal)}"

    def cite(self, said: Said, quote: str = "") -> str:
        """[n], which shows the words of `said`."""
        chunk = said.chunk
        n = self._numbers.setdefault(chunk.chunk_id, len(self._numbers) + 1)
        if n > len(self._evidence):
            self._evidence.append(Evidence(n=n, chunk=chunk, text=chunk.text, score=0.0))
        citation = Citation.of(n, chunk, quote or said.text, said.page)
        if citation not in self._citations:
            self._citations.append(citation)
        return f"[{n}]"

    def cite_part(self, part: Part) -> str:
        """« [n]», which shows how a part begins; empty where it says nothing."""
        first = next(iter(sentences([part])), None)
        return f" {self.cite(first)}" if first else ""

    def written(self, lines: Sequence[str], *notices: str) -> Written:
        """The lines with all that was quoted in them."""
        return Written(
            text="\n".join(lines),
            citations=tuple(self._citations),
            evidence=tuple(self._evidence),
            notices=notices,
        )


def shortened(text: str, longest: int) -> str:
    """At most `longest` characters of the beginning, to the end of a sentence that says something, else of a word."""
    if len(text) <= longest:
        return text
    whole = text[: sentence_end_before(text, longest)].rstrip()
    return text[:longest].rsplit(None, 1)[0] if len(whole) <= longest // 3 or whole.endswith(":") else whole


def sentences(parts: Sequence[Part]) -> Iterator[Said]:
    """All that parts say, in order: what two chunks share stands once, and words for a model nowhere."""
    before: set[str] = set()
    for part in parts:
        for stretch in part.stretches:
            own = list(_sentences(stretch))
            yield from (each for each in own if each.text not in before)
            before = {each.text for each in own}


def _sentences(stretch: Stretch) -> Iterator[Said]:
    for each in read_passage(stretch.text):
        if each.kind is Kind.ORDER or is_injection(each.text):
            continue
        yield Said(
            chunk=stretch.chunk,
            start=stretch.start + each.span.start,
            text=each.text,
            kind=each.kind,
            lead=each.lead.text if each.lead else "",
            heading=each.heading.text if each.heading else "",
        )


def table_rows(part: Part) -> list[Said]:
    """The rows of its tables, each table's first row before its others."""
    return [each for each in sentences([part]) if CELL in each.text]
