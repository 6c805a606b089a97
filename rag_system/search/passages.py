"""Small chunks find, whole passages answer: a hit brings the rest of its article, and the articles beside it.

A chunk is cut small so that its vector says one thing. What answers a question often stands right beside it: the next
item of a list, the article that sets the deadline. A passage is a run of neighbouring chunks under the same heading or
under its siblings; hits that fall into a better one's passage are part of it, and leave their place to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import count, takewhile

from rag_system.query.joining import shared_header
from rag_system.search.texts import Piece

__all__ = ["Passages", "as_passages", "goes_on", "near"]

REACH = 3  # chunks before and after a hit, at most
_MORE_OF_A_LIST_CHARS = 3000  # beyond the length of a passage, for the rest of a list or a table

Pieces = Mapping[int, Piece]  # by chunk id
Belongs = Callable[[Piece, Piece], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """What became of a list of hits; all are chunk ids."""

    runs: Mapping[int, Sequence[int]]  # of each hit that stays, in order: what it consists of, itself included
    absorbed: Sequence[int]  # hits that fell into the passage of a better one


def near(hits: Iterable[int]) -> set[int]:
    """The hits and all that may complete them. A document's ids are consecutive: neighbours differ by one."""
    return {i + step for i in hits for step in range(-REACH, REACH + 1)}


def as_passages(hits: Iterable[int], pieces: Pieces, *, around: AbstractSet[int], longest: int) -> Passages:
    """Widen each hit, best first, with what is `around` up to `longest` characters in all; the rest of a list, or of a
    table, may make it `_MORE_OF_A_LIST_CHARS` longer.
    """
    taken, free = set[int](), set(around)
    runs: dict[int, Sequence[int]] = {}
    absorbed: list[int] = []
    for hit in hits:
        if hit in taken:
            absorbed.append(hit)
            continue
        has_neighbours = hit in pieces and not free.isdisjoint((hit - 1, hit + 1))
        runs[hit] = _run(pieces[hit], pieces, free, longest) if has_neighbours else (hit,)
        taken.update(runs[hit])
        free.difference_update(runs[hit])
    return Passages(runs=runs, absorbed=absorbed)


def _run(hit: Piece, pieces: Pieces, free: AbstractSet[int], longest: int) -> Sequence[int]:
    """First what belongs to the hit's own section, then what stands beside that, as far as there is room."""
    run = range(hit.chunk_id, hit.chunk_id + 1)
    room = longest - len(hit.text)
    for belongs in (_same_section, _same_parent):
        while (found := _next(run, hit, pieces, free, belongs, room)) is not None:
            room -= len(found.text)
            run = range(min(run.start, found.chunk_id), max(run.stop, found.chunk_id + 1))
    return _with_whole_list(run, pieces, free, room + _MORE_OF_A_LIST_CHARS)


def _with_whole_list(run: range, pieces: Pieces, free: AbstractSet[int], room: int) -> range:
    """With the chunks in which the list or table goes on that it ends in, and those from which the one goes on that it
    begins in: what is one thing to who asks for it.
    """

    def goes_on_from(before: int) -> bool:
        return goes_on(pieces[before].text, pieces[before], pieces[before + 1])

    after = takewhile(lambda i: i in free and goes_on_from(i - 1), count(run.stop))
    before = takewhile(lambda i: i in free and goes_on_from(i), count(run.start - 1, -1))
    for found in (*after, *before):
        room -= len(pieces[found].text)
        if room < 0:
            break
        run = range(min(run.start, found), max(run.stop, found + 1))
    return run


def _next(run: range, hit: Piece, pieces: Pieces, free: AbstractSet[int], belongs: Belongs, room: int) -> Piece | None:
    """The chunk after or before the run, the nearer to the hit first, if it belongs, fits and is nobody else's."""
    after, before = run.stop, run.start - 1
    nearer_first = (after, before) if after - hit.chunk_id <= hit.chunk_id - before else (before, after)
    beside = (pieces[i] for i in nearer_first if i in free)
    return next((piece for piece in beside if len(piece.text) <= room and belongs(hit, piece)), None)


def _same_section(hit: Piece, other: Piece) -> bool:
    return _goes_with(hit, other) and other.heading_path == hit.heading_path


def _same_parent(hit: Piece, other: Piece) -> bool:
    return _goes_with(hit, other) and other.heading_path[:-1] == hit.heading_path[:-1]


def _goes_with(hit: Piece, other: Piece) -> bool:
    """Of the same document, and as much in force: a passage has one state."""
    return other.document_id == hit.document_id and other.state == hit.state


def goes_on(text: str, last: Piece, following: Piece | None) -> bool:
    """Whether the list or table in which a text ends, whose end is `last`, goes on in the chunk that follows."""
    return following is not None and _goes_with(last, following) and shared_header(text, following.text) > 0
