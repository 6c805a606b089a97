"""What loaders produce and the chunker consumes: a document as a sequence of blocks in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Block", "BlockKind", "ChunkDraft", "DocumentFacts", "ExtractedDocument"]


class BlockKind(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    LIST_ITEM = "list_item"
    TABLE = "table"  # one line a row, cells separated by « | »
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, heading, list item or table."""

    kind: BlockKind
    text: str  # NFC, no control characters, no trailing spaces
    page: int | None = None  # as the file numbers its pages from 1; None where the format has none
    level: int = 0  # of a heading, from 1; 0 for the rest


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedDocument:
    """The text of one file."""

    format: str  # "pdf", "docx", "html", "md", "txt"
    blocks: tuple[Block, ...]
    pages: int | None  # page count; None where the format has none
    title: str = ""  # as the file itself says it (metadata, first heading); may be empty
    empty_pages: tuple[int, ...] = ()  # pages without any text (scanned)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What is read once from a document and stored beside it."""

    title: str
    language: str  # ISO 639-1, "es" when in doubt
    category: str  # the folder, "" at the top
    identifiers: tuple[str, ...]  # what the document *is*: from its file name, title and own header
    mentions: tuple[str, ...]  # what the head of its text names besides
    authors: tuple[str, ...]  # lower case
    years: tuple[int, ...]


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
