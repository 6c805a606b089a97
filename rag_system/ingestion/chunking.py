"""From blocks to chunks: along the structure, never across a section, never above the model's limit.

A section is the text under one heading, as far as it has one state: what is in force and what is not part there.
`packing.py` cuts a long one into chunks of even size. Tokens are counted piece by piece, and summed from there on.
Everything streams: a document of any length is cut in constant memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from rag_system.ingestion.document import Block, BlockKind, ChunkDraft, ExtractedDocument
from rag_system.ingestion.headings import Rank
from rag_system.ingestion.lists import with_lead_ins
from rag_system.ingestion.packing import CountTokens, Packer, Piece, TokenCounter, joined, page_starts
from rag_system.ingestion.states import with_states
from rag_system.query.sentences import split_sentences
from rag_system.types import TextState

__all__ = ["CountTokens", "chunk", "embedding_text"]

_MAX_SECTION_CHARS = 500_000  # a text under one heading, or under none, that is longer is cut as several
_SMALL_SECTION_TOKENS = 60  # smaller neighbours under the same parent are joined
_MAX_TITLE_CHARS = 120
_MAX_HEADING_CHARS = 150
_MAX_PATH_CHARS = 360  # beyond it the outer headings go: the inner ones say most
_SHARE_OF_HEADING, _SHARE_OF_TITLE = 0.8, 0.6  # words in common that make a heading a repetition of the title
_MAX_CONTEXT_SHARE = 0.5  # of a chunk's tokens, for title and path


def chunk(
    document: ExtractedDocument, *, title: str, max_tokens: int, overlap_tokens: int, count_tokens: CountTokens
) -> Iterator[ChunkDraft]:
    """Cut a document. `max_tokens` bounds `embedding_text` of every chunk; `overlap_tokens` is within a section.

    A draft's `tokens` is an upper bound: at most one above the exact count for each sentence.
    """
    counter = TokenCounter(count_tokens)
    ordinals = count()
    for section in _join_small(_sections(with_states(document.blocks), title), counter):
        path = _fitting_path(title, section.path, counter, max_tokens)
        context_tokens = counter.whole(_context(title, path))
        packer = Packer(budget=max_tokens - context_tokens, overlap=overlap_tokens, counter=counter)
        for pieces in filter(_says_something, packer.pack(section.pieces)):
            tokens = context_tokens + sum(counter.piece(piece.text) for piece in pieces)
            yield replace(_draft(next(ordinals), title, path, pieces, tokens), state=section.state)


def embedding_text(title: str, heading_path: Sequence[str], text: str) -> str:
    """What is embedded and hashed: title and headings in brief, then the chunk's text."""
    context = _context(title, tuple(heading_path))
    return f"{context}\n{text}" if context else text


# ---------------------------------------------------------------- sections


@dataclass(frozen=True, slots=True)
class _Section:
    """The text under one heading."""

    path: tuple[str, ...]
    level: int  # of its heading; 0 before the first
    pieces: tuple[Piece, ...]
    page: int | None = None  # of its heading
    joined: bool = False  # several small sections: `path` is already their parent's
    state: TextState | None = None

    @property
    def parent(self) -> tuple[str, ...]:
        return self.path if self.joined else self.path[:-1]

    @property
    def pieces_with_heading(self) -> tuple[Piece, ...]:
        return self.pieces if self.joined else (Piece(self.path[-1], self.page, opens=True), *self.pieces)


def _sections(blocks: Iterable[Block], title: str) -> Iterator[_Section]:
    """One for each heading with text below it; a change of state parts it, and a text without end is cut, too."""
    stack: list[tuple[int, str]] = []
    body: list[Block] = []
    size, page = 0, None
    for block in blocks:
        heading = block.kind is BlockKind.HEADING
        if body and (heading or size >= _MAX_SECTION_CHARS or block.state != body[0].state):
            yield _section(stack, body, title, page)
            body, size = [], 0
        if not heading:
            body.append(block)
            size += len(block.text)
            continue
        while stack and stack[-1][0] >= block.level:
            stack.pop()
        stack.append((block.level, block.text))
        page = block.page
    if body:
        yield _section(stack, body, title, page)


def _path(stack: Sequence[tuple[int, str]], title: str) -> tuple[str, ...]:
    """The document's title stands before every chunk: a heading that says it again is left out of the path."""
    return tuple(heading for _, heading in stack if not _repeats(heading, title))


def _repeats(heading: str, title: str) -> bool:
    """Nearly all of the heading's words are the title's, and they make up most of it."""
    said, words = _words(title), _words(heading)
    shared = len(words & said)
    return shared > 1 and shared >= _SHARE_OF_HEADING * len(words) and shared >= _SHARE_OF_TITLE * min(len(said), 8)


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.casefold()) if len(word) > 2 or word.isdigit()}


def _section(stack: Sequence[tuple[int, str]], body: Sequence[Block], title: str, page: int | None) -> _Section:
    pieces: list[Piece] = []
    before: Block | None = None
    for block in body:
        continued = before is not None and _continues_page(before, block)
        pieces.extend(_pieces(block, opens=not continued))
        before = block
    path = _path(stack, title)
    level = stack[-1][0] if path else 0
    return _Section(path, level, tuple(with_lead_ins(pieces)), page, state=body[0].state)


def _continues_page(before: Block, block: Block) -> bool:
    """A paragraph that the page's end cut in two."""
    return (
        before.page != block.page
        and before.kind is not BlockKind.TABLE
        and block.kind is BlockKind.TEXT
        and before.text[-1:] not in ".:;!?"
        and block.text[:1].islower()
    )


def _pieces(block: Block, *, opens: bool) -> Iterator[Piece]:
    if block.kind is BlockKind.TABLE:
        rows = block.text.split("\n")
        header = rows[0] if len(rows) > 2 else ""
        for row in rows:
            yield Piece(row, block.page, opens=True, verbatim=True, header=header)
    elif block.kind is BlockKind.CODE:
        for line in block.text.split("\n"):
            yield Piece(line, block.page, opens=True, verbatim=True)
    else:
        for number, sentence in enumerate(split_sentences(block.text)):
            yield Piece(sentence.text, block.page, opens=opens and number == 0)


def _join_small(sections: Iterable[_Section], counter: TokenCounter) -> Iterator[_Section]:
    """Join tiny neighbours under their parent, their headings kept as text. An article stays alone."""
    waiting: _Section | None = None
    for section in sections:
        if waiting and _may_join(waiting, section, counter):
            waiting = _merged(waiting, section)
            continue
        if waiting:
            yield waiting
        waiting = section
    if waiting:
        yield waiting


def _may_join(first: _Section, second: _Section, counter: TokenCounter) -> bool:
    def small(section: _Section) -> bool:
        return sum(counter.piece(piece.text) for piece in section.pieces) < _SMALL_SECTION_TOKENS

    if not all(0 < section.level < Rank.ARTICLE for section in (first, second)):
        return False
    alike = first.parent == second.parent and first.state == second.state
    return alike and small(first) and small(second)


def _merged(first: _Section, second: _Section) -> _Section:
    pieces = (*first.pieces_with_heading, *second.pieces_with_heading)
    return replace(first, path=first.parent, pieces=pieces, joined=True)


# ---------------------------------------------------------------- what is embedded


def _context(title: str, path: tuple[str, ...]) -> str:
    short_title = _shortened(title, _MAX_TITLE_CHARS)
    headings = [_shortened(heading, _MAX_HEADING_CHARS) for heading in path]
    while len(headings) > 1 and sum(map(len, headings)) > _MAX_PATH_CHARS:
        headings.pop(0)
    return "\n".join(part for part in (short_title, " › ".join(headings)) if part)


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0]


def _fitting_path(title: str, path: tuple[str, ...], counter: TokenCounter, max_tokens: int) -> tuple[str, ...]:
    """Drop outer headings until the context leaves room for the text."""
    while path and counter.whole(_context(title, path)) > _MAX_CONTEXT_SHARE * max_tokens:
        path = path[1:]
    return path


def _says_something(pieces: Sequence[Piece]) -> bool:
    """Ornaments and emoji alone answer nothing: a file of them has no text."""
    return any(any(map(str.isalnum, piece.text)) for piece in pieces)


def _draft(ordinal: int, title: str, path: tuple[str, ...], pieces: Sequence[Piece], tokens: int) -> ChunkDraft:
    text = joined(pieces)
    pages = [piece.page for piece in pieces if piece.page is not None]
    return ChunkDraft(
        ordinal=ordinal,
        heading_path=path,
        text=text,
        page_first=min(pages, default=None),
        page_last=max(pages, default=None),
        tokens=tokens,
        content_hash=hashlib.sha256(embedding_text(title, path, text).encode()).hexdigest(),
        page_starts=page_starts(pieces),
    )
