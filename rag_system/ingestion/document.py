"""What loaders produce and the chunker consumes: a document as a sequence of blocks in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from rag_system.types import PAGE_NOTES, ChunkDraft, DocumentMetadata, TextState

__all__ = ["PAGE_NOTES", "TOLD", "Block", "BlockKind", "ChunkDraft", "DocumentMetadata", "ExtractedDocument"]


class BlockKind(StrEnum):
    """What a block is, whatever the file's format."""

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
    state: TextState | None = None  # of what is not in force: `rag_system.ingestion.states`


# What an `ExtractedDocument` says besides its blocks and PAGE_NOTES.
TOLD = ("format", "pages", "title", "author", "file_date", "identifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedDocument:
    """The text of one file. Close it, or leave its `with`, to free what its blocks are read from."""

    format: str  # "pdf", "docx", "html", "md", "txt"
    blocks: Iterable[Block]  # in reading order, read any number of times; a large document does not hold them
    pages: int | None  # page count; None where the format has none
    title: str = ""  # as the file itself says it (metadata, first heading); may be empty
    author: str = ""  # as its properties say it
    file_date: str = ""  # when it was made, as they say it: ISO 8601
    identifier: str = ""  # as the file itself declares it (front matter)
    # A loader that gives its blocks lazily may give lists here, complete when the blocks were read to their end.
    empty_pages: Sequence[int] = ()  # pages without any text (scanned)
    ocr_pages: Sequence[int] = ()  # pages whose text comes from optical character recognition
    blank_pages: Sequence[int] = ()  # of the empty ones: nothing to be read on them, to the eye or to recognition
    hidden_pages: Sequence[int] = ()  # pages with text that no reader sees, left out; (0,) where there are no pages

    def close(self) -> None:
        """Free the blocks' file, if there is one; they cannot be read afterwards."""
        if close := getattr(self.blocks, "close", None):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
