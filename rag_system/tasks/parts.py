"""A document taken apart along its headings, in its order; and the part that a person names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from rag_system.generation.prompt_injection import is_injection
from rag_system.query.headings import fits_heading, heading_number, looks_like_heading, subject_terms
from rag_system.query.text import stem
from rag_system.types import Chunk, headings_shown

__all__ = ["Part", "Stretch", "find_parts", "numbered_parts", "read_parts", "shared_path"]

# «La sección 2.6» is headed «2.6 …», and so is a chapter where none is headed as such.
_ANY_KIND = frozenset({"seccion", "apartado", "parte", "punto", "numeral", "capitulo"})


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
    """The parts of a document, in order, those in which two chunks overlap once.

    Small sections that share a chunk are told apart by the headings in it.
    """
    parts: list[Part] = []
    for path, run in groupby(chunks, lambda chunk: (chunk.document_id, headings_shown(chunk.heading_path))):
        together = list(run)
        inner = [cut for chunk in together for cut in _inner(chunk)]
        if any(heading for heading, _ in inner):
            parts += _split(path[1], inner)
        else:
            whole = tuple(Stretch(chunk, 0, chunk.text) for chunk in together)
            parts.append(Part(path=path[1], stretches=whole))
    return list({(part.path, part.stretches[0].text): part for part in reversed(parts)}.values())[::-1]


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


def shared_path(parts: Sequence[Part]) -> tuple[str, ...]:
    """The headings that all stand under: of a whole document, its title."""
    together = takewhile(lambda names: len(set(names)) == 1, zip(*(part.path for part in parts), strict=False))
    return tuple(names[0] for names in together)


# ---------------------------------------------------------------- the part that is named


def find_parts(parts: Sequence[Part], name: str) -> list[Part]:
    """The parts under the heading that a person names by its number or its words, and those below it."""
    wanted, terms = heading_number(name), subject_terms(name)
    if wanted is None:
        return _under(parts, lambda heading: fits_heading(terms, heading))
    own = _under(parts, lambda heading: wanted in _numbers(heading))
    if own or wanted[0] not in _ANY_KIND:
        return own
    return _above(parts, wanted[1]) or _under(parts, lambda heading: ("", wanted[1]) in _numbers(heading))


def numbered_parts(parts: Sequence[Part], kind: str) -> list[tuple[str, Part]]:
    """The headings that number a part of a kind («artículos»), each once, with what stands first under it."""
    wanted, first = stem(kind.split(maxsplit=1)[0]), dict[str, Part]()
    for part in parts:
        for heading in part.path:
            if (number := heading_number(heading)) and stem(number[0]) == wanted and not is_injection(heading):
                first.setdefault(heading, part)
    return list(first.items())


def _above(parts: Sequence[Part], number: str) -> list[Part]:
    """The parts under what «2.1» stands in: chapter 2, though its heading has no number."""
    for part in parts:
        for depth, heading in enumerate(part.path[1:], 1):
            inner, outer = heading_number(heading), heading_number(part.path[depth - 1])
            if inner and inner[1].startswith(f"{number}.") and (outer is None or outer[1] == number):
                return [each for each in parts if each.path[:depth] == part.path[:depth]]
    return []


def _under(parts: Sequence[Part], is_it: Callable[[str], bool]) -> list[Part]:
    for part in parts:
        for depth, heading in enumerate(part.path, 1):
            if is_it(heading):
                below = part.path[:depth]
                return [each for each in parts if each.path[:depth] == below]
    return []


def _numbers(heading: str) -> tuple[tuple[str, str] | None, ...]:
    """Its own, and the one after it: «3.1 Capítulo 4. Contexto»."""
    _, _, rest = heading.partition(" ")
    return heading_number(heading), heading_number(rest) if heading[:1].isdigit() else None
