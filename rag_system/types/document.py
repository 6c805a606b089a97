"""What a document is made of, before and after it is stored."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from rag_system.types.state import TextState

__all__ = [
    "PAGE_NOTES",
    "Chunk",
    "ChunkDraft",
    "Concept",
    "ConceptTag",
    "DocumentMetadata",
    "Fact",
    "Passage",
    "headings_shown",
]

PAGE_NOTES = ("empty_pages", "ocr_pages", "blank_pages", "hidden_pages")  # what is noted of a document's pages

_OPENS, _CLOSES = frozenset('“«"'), frozenset('”»"')
# The number of a note, and words left out: «62°-A.- (75) PLAZO», «ELECTRÓNICA(76)», «(208) (…) Tratándose»; no
# «quince (15) días», «(2) Alcance», «open(3)».
_GAP = r"\((?:…|\.{3})\)"
_APPARATUS = re.compile(
    rf"^\(\d{{1,3}}\)(?=\s*{_GAP})|(?<!^)\s*(?<![^\W_]\s)(?<![a-záéíóúüñ\d_])\(\d{{1,3}}\)(?![^\W_])|\s*{_GAP}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMetadata:
    """What is read once from a document and stored beside it."""

    title: str
    language: str  # ISO 639-1, "es" when in doubt
    category: str  # the folder, "" at the top
    identifiers: tuple[str, ...]  # what the document *is*: from its file name, title and own header
    mentions: tuple[str, ...]  # what the head of its text names besides
    authors: tuple[str, ...]  # lower case
    years: tuple[int, ...]
    file_date: str = ""  # when the file was made, as its properties say it: ISO 8601, or empty


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A chunk before it has an id."""

    ordinal: int  # position in the document, from 0
    heading_path: tuple[str, ...]
    text: str  # the body alone, without the heading path
    page_first: int | None
    page_last: int | None
    tokens: int  # of `embedding_text(title, chunk)`
    content_hash: str  # SHA-256 hex of what is embedded, without positions
    page_starts: tuple[int, ...] = ()  # where each page after the first begins in `text`, in characters
    state: TextState | None = None  # None: in force, as far as its document tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stored piece of a document."""

    project: str = ""  # whose it is
    chunk_id: int  # counted per project
    document_id: str
    path: str  # relative to the ingested directory, with forward slashes
    title: str
    heading_path: tuple[str, ...]  # («Título II», «Capítulo I», «Artículo 23»)
    page_first: int | None  # as the file numbers them; None where the format has no pages
    page_last: int | None
    text: str
    identifiers: tuple[str, ...] = ()  # what its document is, canonical
    page_starts: tuple[int, ...] = ()  # where each page after the first begins in `text`, in characters
    state: TextState | None = None  # None: in force, as far as its document and the others of the project tell

    def page_at(self, offset: int) -> int | None:
        """The page on which a character of `text` stands."""
        return None if self.page_first is None else self.page_first + bisect_right(self.page_starts, offset)

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def section(self) -> str:
        return " › ".join(headings_shown(self.heading_path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Neighbouring chunks of a document, in reading order, and their text in one piece."""

    chunks: tuple[Chunk, ...]
    text: str  # what two chunks share stands once


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A node of a project's tree of concepts, as a person writes it."""

    name: str
    parent: str = ""  # the name of another; empty at the top
    aliases: tuple[str, ...] = ()  # other names for it


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptTag:
    """A concept that a chunk is about."""

    name: str
    confidence: float  # above 0, up to 1: `rag_system.ingestion.concepts` has how it is computed


@dataclass(frozen=True, slots=True)
class Fact:
    """What a person asked to be remembered about a project: `[M1]` cites the one of number 1."""

    number: int  # stays its own, also when others are forgotten
    text: str  # one sentence, or two


def headings_shown(headings: Sequence[str]) -> tuple[str, ...]:
    """Each without a quotation mark that only opens, the numbers of notes and what is left out; and once where a text
    repeats it to quote what it is now.

    >>> headings_shown(("Artículo 2.- Plazo", "“Artículo 2.- Plazo", "(208) (…) Son quince (15) días"))
    ('Artículo 2.- Plazo', 'Son quince (15) días')
    """
    return tuple(heading for heading, _ in groupby(map(_bare, headings)))


@lru_cache(maxsize=4096)  # a search shows those of each passage twice, and the same ones again
def _bare(heading: str) -> str:
    opened = heading[:1] in _OPENS and _CLOSES.isdisjoint(heading[1:])
    return _APPARATUS.sub("", heading[opened:]).strip() or heading
