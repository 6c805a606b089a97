"""Small chunks find, whole passages answer: a hit brings the rest of its article, and the articles beside it.

A chunk is cut small so that its vector says one thing. What answers a question often stands right beside it: the next
item of a list, the article that sets the deadline. A passage is a run of neighbouring chunks under the same heading or
under its siblings; hits that fall into a better one's passage are part of it, and leave their place to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from psycopg import Connection

from rag_system.storage.sql import queries
from rag_system.types import Candidate, Chunk, Passage

__all__ = ["as_passages", "join", "read_around"]

_SQL = queries("rag_system.search", "passages.sql")

REACH = 3  # chunks before and after a hit, at most
LONGEST_OVERLAP_CHARS = 600  # chunks of one section repeat the end of the one before

Neighbours = Mapping[int, Chunk]  # by id
Belongs = Callable[[Chunk, Chunk], bool]


def as_passages(
    ranked: Sequence[Candidate], around: Neighbours, *, longest: int
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates, each with what `around` has beside it up to `longest` characters in all, and those that fell
    into the passage of a better one. Order is kept."""
    taken: set[int] = set()
    kept: list[Candidate] = []
    absorbed: list[Candidate] = []
    for candidate in ranked:
        if candidate.chunk.chunk_id in taken:
            absorbed.append(candidate)
        else:
            kept.append(_widen(candidate, around, taken, longest))
            taken |= {chunk.chunk_id for chunk in kept[-1].chunks}
    return kept, absorbed


def read_around(connection: Connection, project: str, hits: Iterable[Candidate]) -> Neighbours:
    """The hits' chunks and those near them, by id. A document's ids are consecutive: neighbours differ by one."""
    known = {hit.chunk.chunk_id: hit.chunk for hit in hits}
    near = {i + step for i in known for step in range(-REACH, REACH + 1)} - known.keys()
    rows = connection.execute(_SQL["around"], {"project": project, "ids": sorted(near)}).fetchall()
    by_document = {chunk.document_id: chunk for chunk in known.values()}
    read = {
        chunk_id: replace(
            by_document[document_id],
            chunk_id=chunk_id,
            heading_path=tuple(heading_path),
            page_first=page_first,
            page_last=page_last,
            text=text,
            page_starts=tuple(starts or ()),
        )
        for chunk_id, document_id, heading_path, page_first, page_last, starts, text in rows
        if document_id in by_document
    }
    return {**read, **known}


def _widen(hit: Candidate, around: Neighbours, taken: AbstractSet[int], longest: int) -> Candidate:
    """First what belongs to the hit's own section, then what stands beside that, as far as there is room."""
    if not {hit.chunk.chunk_id - 1, hit.chunk.chunk_id + 1} & around.keys():
        return hit
    run = [hit.chunk]
    room = longest - len(hit.chunk.text)
    for belongs in (_same_section, _same_parent):
        while (found := _next(run, hit.chunk, around, taken, belongs, room)) is not None:
            room -= len(found.text)
            run.insert(len(run) if found.chunk_id > hit.chunk.chunk_id else 0, found)
    return hit if len(run) == 1 else replace(hit, passage=Passage(chunks=tuple(run), text=join(run)))


def _next(
    run: Sequence[Chunk], hit: Chunk, around: Neighbours, taken: AbstractSet[int], belongs: Belongs, room: int
) -> Chunk | None:
    """The chunk after or before the run, the nearer to the hit first, if it belongs, fits and is nobody else's."""
    beside = [around.get(run[-1].chunk_id + 1), around.get(run[0].chunk_id - 1)]
    fitting = [c for c in beside if c and c.chunk_id not in taken and belongs(hit, c) and len(c.text) <= room]
    return min(fitting, key=lambda chunk: abs(chunk.chunk_id - hit.chunk_id), default=None)


def _same_section(hit: Chunk, other: Chunk) -> bool:
    return other.document_id == hit.document_id and other.heading_path == hit.heading_path


def _same_parent(hit: Chunk, other: Chunk) -> bool:
    return other.document_id == hit.document_id and other.heading_path[:-1] == hit.heading_path[:-1]


def join(chunks: Sequence[Chunk]) -> str:
    """The text of neighbouring chunks: what two of them share stands once, and a new heading before what it names."""
    text, path = chunks[0].text, chunks[0].heading_path
    for chunk in chunks[1:]:
        if chunk.heading_path == path:
            shared = _shared(text, chunk.text)
            text += chunk.text[shared:] if shared else f"\n{chunk.text}"
        else:
            text += "\n".join(("", *chunk.heading_path[-1:], chunk.text))
        path = chunk.heading_path
    return text


def _shared(before: str, after: str) -> int:
    """How many characters of the start of `after`, whole sentences, end `before`."""
    longest = min(len(before), len(after), LONGEST_OVERLAP_CHARS)
    whole = (size for size in range(longest, 0, -1) if after[size : size + 1].strip() == "")
    return next(
        (size for size in whole if before.endswith(after[:size]) and before[-size - 1 : -size].strip() == ""), 0
    )
