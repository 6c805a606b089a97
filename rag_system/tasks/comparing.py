"""Two or more documents side by side, without a model: what stands under headings that correspond."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rag_system.generation.citation_label import inert
from rag_system.generation.passages import CELL
from rag_system.query.headings import heading_number
from rag_system.query.text import fold, query_terms
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.central import telling
from rag_system.tasks.outlines import lead
from rag_system.tasks.parts import Part
from rag_system.tasks.quoting import Said, Sources, Written, sentences

__all__ = ["compare"]

MOST_ROWS = 25
MOST_ONLY = 15  # headings of one document alone
CELL_CHARS = 180
TITLE_CHARS = 60
ALIKE = 0.6  # of the words of two headings
ABOUT_ROWS = 6  # of a comparison in one matter
EDITIONS = 0.7  # of the words of two titles
NOTHING = "—"
LABEL = "Sin un modelo de lenguaje, la tabla pone lado a lado las frases que están bajo títulos que se corresponden."
LABEL_ABOUT = "Sin un modelo de lenguaje, la tabla pone lado a lado las frases que hablan de «{}»."

_ORDINAL = re.compile(r"(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|undecim|duodecim|unic|final)")

Sides = tuple[Part | None, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A point of the comparison."""

    name: str
    parts: Sides


def compare(documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]], what: str = "") -> Written:
    """A table with a column a document and a citation in every cell; `what`: the matter that is compared, if one is."""
    sources = Sources()
    if what:
        lines = [*_head(documents), *_about(what, parts, sources)]
        return sources.written(lines, LABEL_ABOUT.format(inert(what)))
    editions = _are_editions(documents)
    rows = _aligned(parts, by_number=editions)
    differing = [row for row in rows if not _same(row)]
    lines = [*_head(documents), *_general(parts, sources)]
    lines += [_line(row.name, [*_cells(row, sources, editions=editions)]) for row in differing[:MOST_ROWS]]
    lines += [*_remarks(rows, differing), *_alone(documents, parts, rows)]
    return sources.written(lines, LABEL if rows else "Los documentos no tienen títulos que se correspondan.")


def _head(documents: Sequence[WholeDocument]) -> list[str]:
    names = [_short(document.label) for document in documents]
    return [_line("Punto", [f"**{name}**" for name in names]), f"|{' --- |' * (len(names) + 1)}"]


def _short(title: str) -> str:
    flat = inert(" ".join(title.split()))
    return flat if len(flat) <= TITLE_CHARS else flat[:TITLE_CHARS].rsplit(None, 1)[0] + "…"


def _line(name: str, cells: Sequence[str]) -> str:
    escaped = [cell.replace("|", "/") for cell in (name, *cells)]
    return f"| {' | '.join(escaped)} |"


def _general(parts: Sequence[Sequence[Part]], sources: Sources) -> Iterator[str]:
    """What each is about, in its own words."""
    leads = [lead(each) for each in parts]
    if any(leads):
        yield _line("De qué trata", [sources.quote(s, longest=CELL_CHARS) if s else NOTHING for s in leads])


def _cells(row: _Row, sources: Sources, *, editions: bool) -> Iterator[str]:
    """How each side begins; of two editions, with what the other does not say."""
    for part in row.parts:
        others = " ".join(_flat(other) for other in row.parts if other and other is not part)
        said = _own(part, others) if editions and part else None
        said = said or (telling(part, longest=CELL_CHARS) if part else None)
        yield sources.quote(said, longest=CELL_CHARS) if said else NOTHING


def _own(part: Part, others: str) -> Said | None:
    own = (said for said in sentences([part]) if " ".join(said.text.split()) not in others)
    return next((said for said in own if CELL not in said.text), None)


# ---------------------------------------------------------------- what corresponds


def _are_editions(documents: Sequence[WholeDocument]) -> bool:
    """Whether they are one text at different times: the same norm or, of none, the same title but for a number."""
    bases = [{identifier.partition("@")[0] for identifier in document.identifiers} for document in documents]
    if any(bases):
        return bool(set.intersection(*bases))
    first, *others = (_untimed(document.title) for document in documents)
    return all(_overlap(first, other) >= EDITIONS for other in others)


def _untimed(title: str) -> frozenset[str]:
    return frozenset(term for term in query_terms(title) if not term[0].isdigit())


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def _aligned(parts: Sequence[Sequence[Part]], *, by_number: bool) -> list[_Row]:
    """A row for each part of the first document that has its like in another one."""
    first, *others = ([part for part in each if part.heading] for each in parts)
    taken: list[set[int]] = [set() for _ in others]
    rows: list[_Row] = []
    for part in first:
        found = [_like(part, other, used, by_number=by_number) for other, used in zip(others, taken, strict=True)]
        if any(at is not None for at in found):
            sides: list[Part | None] = [part]
            for at, other, used in zip(found, others, taken, strict=True):
                sides.append(None if at is None else other[at])
                used.update(() if at is None else (at,))
            rows.append(_Row(name=_short(part.heading), parts=tuple(sides)))
    return rows


def _like(part: Part, others: Sequence[Part], used: set[int], *, by_number: bool) -> int | None:
    """The part of the same words; of editions, also of the same number."""
    free = [at for at in range(len(others)) if at not in used]
    likeness = [(_alike(part.heading, others[at].heading, by_number=by_number), -at) for at in free]
    best, place = max(likeness, default=(0.0, 0))
    return -place if best >= ALIKE else None


def _alike(one: str, other: str, *, by_number: bool) -> float:
    number = heading_number(one)
    if by_number and number is not None and number == heading_number(other):
        return 1.0
    return _overlap(_words(one), _words(other))


def _words(heading: str) -> frozenset[str]:
    """Those of a heading without its number; «PRIMERA» has none."""
    plain = fold(heading)
    number = re.match(r"\W*(?:[a-zñ]+\.?\s+)?(?:\d[\d.]*|[ivxlc]+)[\s.:)°º–—-]+", plain)
    rest = plain[number.end() :] if number else plain
    return (
        frozenset(term for term in query_terms(rest) if not _ORDINAL.match(term))
        if rest.strip(" .-–—")
        else frozenset()
    )


def _same(row: _Row) -> bool:
    """Whether all sides say the same, word for word."""
    texts = {_flat(part) for part in row.parts if part}
    return len(texts) == 1 and None not in row.parts


def _flat(part: Part) -> str:
    return " ".join(" ".join(each.text.split()) for each in part.stretches)


def _remarks(rows: Sequence[_Row], differing: Sequence[_Row]) -> Iterator[str]:
    same = len(rows) - len(differing)
    if same or len(differing) > MOST_ROWS:
        yield ""
    if same:
        yield f"Dicen lo mismo, palabra por palabra, en {same} {'sección' if same == 1 else 'secciones'}."
    if len(differing) > MOST_ROWS:
        yield f"Hay {len(differing)} secciones que se corresponden; aquí están las primeras {MOST_ROWS}."


def _alone(documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]], rows: Sequence[_Row]) -> Iterator[str]:
    """What only one of them has."""
    for at, (document, each) in enumerate(zip(documents, parts, strict=True)):
        matched = {id(row.parts[at]) for row in rows if row.parts[at]}
        names = [_short(part.heading) for part in each if part.heading and id(part) not in matched]
        if names:
            more = f" y {len(names) - MOST_ONLY} más" if len(names) > MOST_ONLY else ""
            yield from ("", f"Solo en **{_short(document.label)}**: {'; '.join(names[:MOST_ONLY])}{more}.")


# ---------------------------------------------------------------- in one matter


def _about(what: str, parts: Sequence[Sequence[Part]], sources: Sources) -> Iterator[str]:
    """The sentences of each that speak of it, those with most of its words first."""
    told = [_speaking(query_terms(what), each)[:ABOUT_ROWS] for each in parts]
    for at in range(max(map(len, told), default=0)):
        cells = [sources.quote(said[at], longest=CELL_CHARS) if at < len(said) else NOTHING for said in told]
        yield _line(inert(what) if not at else "", cells)
    if not any(told):
        yield _line(inert(what), [f"{NOTHING} (no lo menciona)"] * len(parts))


def _speaking(terms: Sequence[str], parts: Sequence[Part]) -> list[Said]:
    shares = [
        (_share(terms, f"{' '.join(part.path)} {said.text}"), _share(terms, said.text), said)
        for part in parts
        for said in sentences([part])
        if CELL not in said.text
    ]
    best = max((share for share, own, _ in shares if own or share == 1.0), default=0.0)
    order: Callable[[tuple[float, float, Said]], tuple[float, float]] = lambda each: (-each[0], -each[1])  # noqa: E731
    return [said for share, own, said in sorted(shares, key=order) if best and share == best]


def _share(terms: Sequence[str], text: str) -> float:
    said = set(query_terms(text))
    return sum(term in said for term in terms) / len(terms)
