"""A document taken apart along its headings, in its order; and the part that a person names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rag_system.query.headings import fits_heading, heading_number, looks_like_heading, subject_terms
from rag_system.types import Chunk

__all__ = ["Part", "Stretch", "find_parts", "read_parts"]

_ANY_KIND = frozenset({"seccion", "apartado", "parte", "punto", "numeral"})  # «la sección 2.6» is headed «2.6 …»


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some text of a chunk."""

    chunk: Chunk
    start: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What stands under one heading."""

    path: tuple[str, ...]  # of headings, the outermost first; empty before the first
    stretches: tuple[Stretch, ...]

    @property
    def heading(self) -> str:
        return self.path[-1] if self.path else ""

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        return tuple(dict.fromkeys(each.chunk for each in self.stretches))

    @property
    def page(self) -> int | None:
        """Where it begins."""
        first = self.stretches[0]
        return first.chunk.page_at(first.start)


def read_parts(chunks: Sequence[Chunk]) -> list[Part]:
    """The parts of a document, in order. Small sections that share a chunk are told apart by the headings in it."""
    parts: list[Part] = []
    for path, run in groupby(chunks, lambda chunk: (chunk.document_id, chunk.heading_path)):
        together = list(run)
        inner = [cut for chunk in together for cut in _inner(chunk)]
        if any(heading for heading, _ in inner):
            parts += _split(path[1], inner)
        else:
            whole = tuple(Stretch(chunk, 0, chunk.text) for chunk in together)
            parts.append(Part(path=path[1], stretches=whole))
    return parts


def _split(path: tuple[str, ...], inner: Sequence[tuple[str, Stretch]]) -> Iterator[Part]:
    heading, stretches = "", list[Stretch]()
    for each, stretch in inner:
        if each and stretches:
            yield Part(path=(*path, heading) if heading else path, stretches=tuple(stretches))
            stretches = []
        heading = each or heading
        stretches.append(stretch)
    yield Part(path=(*path, heading) if heading else path, stretches=tuple(stretches))


def _inner(chunk: Chunk) -> Iterator[tuple[str, Stretch]]:
    """The text of a chunk cut at the headings in it, each with the text below it; the first may have none."""
    lines = list(re.finditer(r"[^\n]+", chunk.text))
    heads = [
        n
        for n, line in enumerate(lines[:-1])
        if looks_like_heading(line[0]) and not looks_like_heading(lines[n + 1][0])
    ]
    if not heads or heads[0] or len(heads) > len(lines) / 2:  # small sections were joined: the first opens the chunk
        heads = []
    if not heads:
        yield "", Stretch(chunk, 0, chunk.text)
        return
    for n, after in zip(heads, [*heads[1:], len(lines)], strict=True):
        start, end = lines[n + 1].start(), lines[after - 1].end()
        yield lines[n][0].strip(), Stretch(chunk, start, chunk.text[start:end])


# ---------------------------------------------------------------- the part that is named


def find_parts(parts: Sequence[Part], name: str) -> list[Part]:
    """The parts under the heading that a person names by its number or its words, and those below it."""
    wanted, terms = heading_number(name), subject_terms(name)
    for part in parts:
        for depth, heading in enumerate(part.path, 1):
            if _is_named(heading, wanted) if wanted else fits_heading(terms, heading):
                below = part.path[:depth]
                return [each for each in parts if each.path[:depth] == below]
    return []


def _is_named(heading: str, wanted: tuple[str, str]) -> bool:
    own = heading_number(heading)
    if own is None or own[1] != wanted[1]:
        return False
    return own[0] == wanted[0] or (not own[0] and wanted[0] in _ANY_KIND)
