"""Two or more documents side by side, without a model: what one says of the other, and what stands in sections that
correspond.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from rag_system.generation.citation_label import inert
from rag_system.query.headings import heading_name
from rag_system.query.sentences import CELL
from rag_system.query.text import query_terms
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.central import telling, whole_sentences
from rag_system.tasks.listing import all_about
from rag_system.tasks.matching import (
    Row,
    Vector,
    Vectors,
    aligned,
    are_editions,
    beside,
    names,
    nearest_to,
    of_the_others,
)
from rag_system.tasks.outlines import body, lead
from rag_system.tasks.parts import Part
from rag_system.tasks.quoting import Said, Sources, Written, sentences, shortened, table_rows

__all__ = ["compare"]

MOST_ROWS = 25
MOST_ONLY = 15  # headings of one document alone
MOST_SAID = 6  # of what a document says of another
CELL_CHARS = 180
TITLE_CHARS = 60
ABOUT_ROWS = 4  # of a comparison in one matter, from each document
ABOUT_CHARS = 420
NOTHING, NOT_SAID = "—", "— (no lo dice)"
LABEL = (
    "Sin un modelo de lenguaje, la tabla pone lado a lado frases de las secciones cuyo título o cuyo sentido se "
    "corresponde: compruebe que hablan de lo mismo."
)
LABEL_ABOUT = (
    "Sin un modelo de lenguaje, la tabla pone lado a lado lo que en cada documento más se acerca a «{}»: para verlo "
    "todo, pídalo de uno solo."
)


def compare(
    documents: Sequence[WholeDocument],
    parts: Sequence[Sequence[Part]],
    what: str = "",
    *,
    vectors: Vectors,
    meant: Vector | None = None,
) -> Written:
    """A table with a column a document and a citation in every cell, below what they say of each other.

    what: the matter that is compared, if one is, and its vector, `meant`. vectors: of the chunks, which tell what is
    near in meaning.
    """
    sources = Sources()
    if what:
        lines = [*_head(documents), *_about(what, parts, sources, vectors, meant)]
        return sources.written(lines, LABEL_ABOUT.format(inert(what)))
    editions = are_editions(documents)
    own = list(of_the_others(documents, parts))
    told = [line for at, part in own for line in _told(documents, at, part, sources)]
    spoken = {id(part) for _, part in own}
    leads = [lead(each) for each in parts]
    left = [[part for part in body(each) if id(part) not in spoken] for each in parts]
    rows = aligned(left, vectors=vectors, by_number=editions)
    differing = [row for row in rows if not (_same(row) or (not editions and _is_told(row, leads)))]
    lines = [*told, *_head(documents), *_general(leads, sources)]
    lines += filter(None, (_row(row, sources, editions=editions) for row in differing[:MOST_ROWS]))
    lines += [*_remarks(rows, differing), *_alone(documents, left, rows)]
    return sources.written(lines, LABEL if rows else "Los documentos no tienen secciones que se correspondan.")


# ---------------------------------------------------------------- what one says of the other


def _told(documents: Sequence[WholeDocument], at: int, part: Part, sources: Sources) -> Iterator[str]:
    """A document's own section on another one: its table as it compares them, and its sentences."""
    yield f"**{_short(documents[at].label)}**, «{_short(part.heading)}»:"
    yield ""
    rows = table_rows(part)
    columns = _columns(rows[0], documents, at) if rows else {}
    if len(columns) > 1:
        yield from _head([documents[column] for column in columns])
        for row in rows[1:]:
            cells = [_cell(row, place) for place in columns.values()]
            name = row.text.split(CELL)[0] if 0 not in columns.values() else ""
            yield _line(name, [sources.quote(cell) if cell else NOTHING for cell in cells])
        yield ""
    said = [each for each in sentences([part]) if len(columns) < 2 or CELL not in each.text]
    yield from (f"- {sources.quote(each)}" for each in said[:MOST_SAID])
    yield from [""] if said else []


def _columns(head: Said, documents: Sequence[WholeDocument], at: int) -> Mapping[int, int]:
    """Which column of a table is about which document, by the first row."""
    found: dict[int, int] = {}
    for place, name in enumerate(head.text.split(CELL)):
        for number, document in enumerate(documents):
            others = documents[at] if number != at else next(each for each in documents if each is not documents[at])
            if number not in found and names(name, document, of=others):
                found[number] = place
                break
    return dict(sorted(found.items()))


def _cell(row: Said, place: int) -> Said | None:
    cells = row.text.split(CELL)
    if place >= len(cells) or not cells[place].strip():
        return None
    start = sum(len(cell) + len(CELL) for cell in cells[:place])
    return replace(row, start=row.start + start, text=cells[place])


# ---------------------------------------------------------------- what corresponds


def _head(documents: Sequence[WholeDocument]) -> list[str]:
    names = [_short(document.label) for document in documents]
    return [_line("Punto", [f"**{name}**" for name in names]), f"|{' --- |' * (len(names) + 1)}"]


def _short(title: str) -> str:
    flat = inert(" ".join(title.split()))
    return flat if len(flat) <= TITLE_CHARS else flat[:TITLE_CHARS].rsplit(None, 1)[0] + "…"


def _line(name: str, cells: Sequence[str]) -> str:
    escaped = [cell.replace("|", "/") for cell in (name, *cells)]
    return f"| {' | '.join(escaped)} |"


def _general(leads: Sequence[Said | None], sources: Sources) -> Iterator[str]:
    """What each is about, in its own words."""
    if any(leads):
        yield _line("De qué trata", [sources.quote(s, longest=ABOUT_CHARS) if s else NOTHING for s in leads])


def _row(row: Row, sources: Sources, *, editions: bool) -> str:
    """How each side begins; of two editions, with what the other does not say. Empty where a side says nothing."""
    said = [_said(part, row, editions=editions) if part else None for part in row.parts]
    if sum(each is not None for each in said) < 2:
        return ""
    cells = [sources.quote(each, longest=CELL_CHARS) if each else NOTHING for each in said]
    return _line(" / ".join(map(_short, row.headings)), cells)


def _said(part: Part, row: Row, *, editions: bool) -> Said | None:
    others = " ".join(_flat(other) for other in row.parts if other and other is not part)
    return (_own(part, others) if editions else None) or telling(part, longest=CELL_CHARS)


def _own(part: Part, others: str) -> Said | None:
    own = (said for said in sentences([part]) if " ".join(said.text.split()) not in others)
    return next((said for said in own if CELL not in said.text), None)


def _same(row: Row) -> bool:
    """Whether all sides say the same, word for word."""
    texts = {_flat(part) for part in row.parts if part}
    return len(texts) == 1 and None not in row.parts


def _is_told(row: Row, leads: Sequence[Said | None]) -> bool:
    """Whether what would be quoted of each side is in what is quoted of its document in general."""
    cells = [_said(part, row, editions=False) if part else None for part in row.parts]
    return all(cell and general and _is_in(cell, general) for cell, general in zip(cells, leads, strict=True))


def _is_in(cell: Said, general: Said) -> bool:
    """As both are shortened."""
    start = cell.start - general.start
    end = start + len(shortened(cell.text, CELL_CHARS))
    return cell.chunk == general.chunk and start >= 0 and end <= len(shortened(general.text, ABOUT_CHARS))


def _flat(part: Part) -> str:
    return " ".join(" ".join(each.text.split()) for each in part.stretches)


def _remarks(rows: Sequence[Row], differing: Sequence[Row]) -> Iterator[str]:
    same = sum(map(_same, rows))
    if same or len(differing) > MOST_ROWS:
        yield ""
    if same:
        yield f"Dicen lo mismo, palabra por palabra, en {same} {'sección' if same == 1 else 'secciones'}."
    if len(differing) > MOST_ROWS:
        yield f"Hay {len(differing)} secciones que se corresponden; aquí están las primeras {MOST_ROWS}."


def _alone(documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]], rows: Sequence[Row]) -> Iterator[str]:
    """The sections of each that were put beside none: what is in them may be in others under another heading."""
    for at, (document, each) in enumerate(zip(documents, parts, strict=True)):
        matched = {id(row.parts[at]) for row in rows if row.parts[at]}
        alone = [part.heading for part in each if part.heading and id(part) not in matched]
        if alone:
            named = [_short(heading) for heading in alone if heading_name(heading)]  # «Artículo 2» says none
            names = named[:MOST_ONLY]
            left = len(alone) - len(names)
            more = f" y {left} más" if left else ""
            told = f"{'; '.join(names)}{more}" if names else str(left)
            others = "el otro documento" if len(documents) == 2 else "los otros documentos"
            yield from ("", f"Secciones de **{_short(document.label)}** sin equivalente en {others}: {told}.")


# ---------------------------------------------------------------- in one matter


def _about(
    what: str, parts: Sequence[Sequence[Part]], sources: Sources, vectors: Vectors, meant: Vector | None
) -> Iterator[str]:
    """What each says of it, in the parts that are nearest to it, each beside the one that is nearest to that."""
    told, terms = [dict(_speaking(what, each)) for each in parts], set(query_terms(what))
    chosen = [
        nearest_to(meant, list(each), vectors, among=whole, most=ABOUT_ROWS, terms=terms)
        for each, whole in zip(told, parts, strict=True)
    ]
    for row in beside(chosen, vectors):
        quotes = [
            " ".join(sources.quote(said, longest=ABOUT_CHARS) for said in each[part]) if part else NOTHING
            for part, each in zip(row.parts, told, strict=True)
        ]
        yield _line(
            " / ".join(map(_short, row.headings)),
            [quote if each else NOT_SAID for quote, each in zip(quotes, told, strict=True)],
        )
    if not any(told):
        yield _line(inert(what), [NOT_SAID] * len(parts))


def _speaking(what: str, parts: Sequence[Part]) -> Iterator[tuple[Part, Sequence[Said]]]:
    """The parts that speak of it, each with the rows that do, as far as they fit, or else the sentence or list that
    says most of it.
    """
    about = {(said.chunk.chunk_id, said.start) for said in all_about(what, parts)}
    terms = set(query_terms(what))

    def says(told: Said) -> tuple[int, int]:
        """How many of its words, and how many sentences about it."""
        inside = range(told.start, told.start + len(told.text))
        found = sum(told.chunk.chunk_id == chunk and start in inside for chunk, start in about)
        return len(terms & {*query_terms(told.text)}) if found else 0, found

    for part in parts:
        rows = [row for row in table_rows(part) if says(row)[1]]
        rows = [] if {row.text for row in rows} <= {row.text for row in table_rows(part)[:1]} else rows  # but a head
        lengths = accumulate(len(row.text) for row in rows)
        fitting = [row for row, length in zip(rows, lengths, strict=True) if length <= ABOUT_CHARS]
        spoken = (said for said in sentences([part]) if not said.text.isupper())
        own = [*whole_sentences(part, longest=ABOUT_CHARS), *spoken]
        best = fitting or rows[:1] or sorted(own, key=says, reverse=True)[:1]
        if best and says(best[0])[1]:
            yield part, best
