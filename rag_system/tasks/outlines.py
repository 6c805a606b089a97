"""What documents are about, without a model: how they open, their headings, what is told under each."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rag_system.generation.citation_label import inert
from rag_system.generation.passages import Kind
from rag_system.generation.prompt_injection import is_injection
from rag_system.query.headings import fits_heading, heading_number, subject_terms
from rag_system.query.sentences import CELL
from rag_system.query.word_lists import load_data
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.central import FEWEST_WORDS, central_of, first_of, first_told, telling, telling_of
from rag_system.tasks.parts import Part, shared_path
from rag_system.tasks.quoting import OPENING_CHARS, Said, Sources, Written, sentences, shortened, table_rows

__all__ = [
    "ONLY_QUOTES",
    "body",
    "collection_summary",
    "gist",
    "index",
    "lead",
    "section_summary",
    "short_summary",
    "summary",
]

ONLY_QUOTES = "Sin un modelo de lenguaje, esto es {}, con las palabras del documento."
CENTRAL = "las frases que más dicen del conjunto"
ABSTRACTS = 2  # of the openings, the first: «resumen», «resumen ejecutivo»
MOST_HEADINGS = 80  # of an index; a longer one tells its upper headings
MOST_LINES = 40  # of a summary
MOST_ROWS = 5  # of a table
MOST_BELOW = 3  # of what is below the headings that are shown, under each
ARTICLE = "articulo"
FEWEST_ARTICLES = 2  # of a norm
LEAD_CHARS = 700
SECTION_CHARS = 4_000  # of a section that is shown
FRONT_PASSAGES = 2  # before the first heading, which say whose document it is
FRONT_PARTS = 12  # where a document says what it is
FRONT_SENTENCES = 12  # of which one says it, where no heading tells that
_ONLY_NUMBER = re.compile(r"\W*\d{0,3}\W*")  # «(132)» is the number of a note
_OPENINGS = [subject_terms(name) for name in load_data("tareas.toml")["aperturas"].split("\n") if name.strip()]


def lead(parts: Sequence[Part]) -> Said | None:
    """What says what the document is: its abstract, its purpose, its considerations; else what its front tells.

    A norm begins with its first article: what stands before it enacts it.
    """
    enacted = _enacted(parts)
    front = body(parts)[: max(FRONT_PARTS, len(parts) // 10)]
    named = [part for at, terms in enumerate(_OPENINGS) for part in front if _is_opening(part, terms, at < ABSTRACTS)]
    for part in (*named, *enacted):
        if said := first_told(part, longest=LEAD_CHARS):
            return _on(part, said)
    title = shared_path(parts)
    introduction = [part for part in parts if part.path == title] if title else []
    tellings = (
        telling_of(each, " ".join(title), FRONT_SENTENCES, longest=LEAD_CHARS) for each in (introduction, parts)
    )
    said = next(filter(None, tellings), None) or first_of(parts)
    return _on(next(part for part in parts if said.chunk in part.chunks), said) if said else None


def _is_opening(part: Part, terms: Collection[str], is_abstract: bool) -> bool:
    """Whether a part is headed so; an abstract below a heading with a number sums up no more than that section."""
    if not (part.heading and fits_heading(terms, part.heading)):
        return False
    return not (is_abstract and any(map(heading_number, part.path[:-1])))


def body(parts: Sequence[Part]) -> Sequence[Part]:
    """What a document says: of a norm what is enacted, without the formulas before it."""
    return _enacted(parts) or parts


def _enacted(parts: Sequence[Part]) -> Sequence[Part]:
    """Of a norm, what has a number: its titles, chapters and articles; of another text nothing."""
    numbers = [{number[0] for heading in part.path if (number := heading_number(heading))} for part in parts]
    if sum(ARTICLE in kinds for kinds in numbers) < FEWEST_ARTICLES:
        return ()
    return parts[next(at for at, kinds in enumerate(numbers) if any(kinds)) :]


def _below_title(parts: Sequence[Part]) -> list[Part]:
    """What stands below the heading of the whole document, under their own alone; of a norm what is enacted."""
    parts = body(parts)
    above = len(shared_path([part for part in parts if part.path]))
    inner = [replace(part, path=part.path[above:]) for part in parts]
    return [part for part in inner if part.path] or list(parts)


def _on(part: Part, said: Said) -> Said:
    """The sentence with those that follow it in its passage up to a table or an editor's note, as far as they fit."""
    end = said.start + len(said.text)
    for each in sentences([part]):
        if each.chunk == said.chunk and each.start >= end:
            if each.kind not in (Kind.PROSE, Kind.ITEM) or CELL in each.text or end - said.start > LEAD_CHARS:
                break
            end = each.start + len(each.text)
    return replace(said, text=said.chunk.text[said.start : end])


def index(document: WholeDocument, parts: Sequence[Part]) -> Written:
    """Its headings, each with its page where it has one."""
    sources = Sources()
    headings = list(_headings_of(parts))
    if not headings:
        return sources.written([f"**{inert(document.label)}** no tiene títulos ni capítulos que mostrar."])
    lines = [f"Índice de **{inert(document.label)}**:", ""]
    shown, depth = _that_fit(headings, MOST_HEADINGS)
    lines += [_line(each.name, each.level, _cited(each.parts[0], sources)) for each in shown]
    return sources.written([*lines, *_left_out(headings, len(shown), depth)])


def gist(document: WholeDocument, parts: Sequence[Part]) -> Written:
    """How it opens, and its upper headings; the summary of what has none."""
    sources = Sources()
    headings = list(_headings_of(parts))
    top = [each for each in headings if each.level == min(other.level for other in headings)]
    if len(top) < 2:
        return summary(document, parts)
    said, shown = lead(parts), top[:MOST_LINES]
    lines = [f"**{inert(document.label)}**", "", sources.quote(said, longest=LEAD_CHARS) if said else ""]
    lines += ["", "Se divide en:", "", *(_line(each.name, 1, _cited(each.parts[0], sources)) for each in shown)]
    lines += _left_out(headings, len(shown), 1)
    return sources.written(lines, ONLY_QUOTES.format("su comienzo y sus títulos"))


def summary(document: WholeDocument, parts: Sequence[Part]) -> Written:
    """How it opens, and the sentence that tells most under each heading."""
    sources = Sources()
    lines = [f"**{inert(document.label)}**", ""]
    first = lead(parts)
    if first:
        lines += [sources.quote(first, longest=LEAD_CHARS), ""]
    is_headed = any(part.path for part in parts)
    told = FRONT_PASSAGES if is_headed else 1
    unheaded = (part for part in parts if not part.path)
    lines += [line for part in unheaded for line in _without_headings(part, sources, first, told)][:MOST_LINES]
    if not is_headed:
        return sources.written(lines, ONLY_QUOTES.format("su comienzo"))
    return _sections(lines, _below_title(parts), sources, "de qué trata y, de cada sección, lo que más dice de ella")


def _without_headings(part: Part, sources: Sources, told: Said | None, opening: int) -> Iterator[str]:
    """Its table, or what each of its passages tells but those that only open it, and what was `told`."""
    rows = table_rows(part)
    if len(rows) > 1:
        yield f"Tabla de {len(rows) - 1} filas:"
        yield ""
        yield from (f"- {sources.quote(row)}" for row in rows[: MOST_ROWS + 1])
        return
    for stretch in part.stretches[opening:]:
        said = telling(Part(path=part.path, stretches=(stretch,)))
        if said and not (told and said.text in told.text):
            page = f"(p. {said.page}) " if said.page is not None else ""
            yield f"- {page}{sources.quote(said)}"


def short_summary(document: WholeDocument, parts: Sequence[Part], number: int) -> Written:
    """So many sentences, those that tell most of it."""
    sources = Sources()
    said = [each for _, each in central_of(_abstract(parts, number) or body(parts), number)]
    lines = [f"**{inert(document.label)}**", "", *(f"{n}. {sources.quote(each)}" for n, each in enumerate(said, 1))]
    fewer = f"No encontré {number} frases que digan algo por sí solas: son {len(said)}."
    return sources.written([*lines, *(["", fewer] if len(said) < number else [])], ONLY_QUOTES.format(CENTRAL))


def _abstract(parts: Sequence[Part], number: int) -> list[Part]:
    """What it calls its summary, where that has so many sentences."""
    for terms in _OPENINGS[:ABSTRACTS]:
        own = [part for part in parts if _is_opening(part, terms, is_abstract=True)]
        if len(central_of(own, number)) == number:
            return own
    return []


def section_summary(document: WholeDocument, parts: Sequence[Part]) -> Written:
    """What a section says: all that fits where it has no others in it; else what is told under each of these."""
    sources = Sources()
    lines = [_title(document, parts), ""]
    if len(parts) > 1:
        return _sections(lines, parts, sources, "de cada apartado lo que más dice de él")
    told, left = _paragraphs(parts[0], SECTION_CHARS)
    whole = "toda la sección" if left >= 0 else "el comienzo de la sección"
    return sources.written([*lines, *(_paragraph(said, sources) for said in told)], ONLY_QUOTES.format(whole))


def _title(document: WholeDocument, parts: Sequence[Part]) -> str:
    return f"**{inert(document.label)}**, «{inert(shared_path(parts)[-1])}»"


def _paragraph(said: Said, sources: Sources) -> str:
    quoted = sources.quote(said, longest=LEAD_CHARS)
    return f"- {quoted}" if said.kind is Kind.ITEM else f"{quoted}\n"


def _paragraphs(part: Part, left: int) -> tuple[list[Said], int]:
    """Its paragraphs, items and rows, as far as they fit into so many characters, and how many are left."""
    told: list[Said] = []
    for said in sentences([part]):
        if left < 0:
            break
        before = told[-1] if told else None
        if before and said.kind is before.kind is Kind.PROSE and _goes_on(before, said):
            told[-1] = replace(before, text=said.chunk.text[before.start : said.start + len(said.text)])
        else:
            told.append(said)
        left -= len(said.text)
    return told, left


def _goes_on(before: Said, said: Said) -> bool:
    """Whether a sentence stands in the paragraph of another one."""
    between = said.chunk.text[before.start + len(before.text) : said.start]
    return before.chunk == said.chunk and "\n" not in between


def _sections(lines: list[str], parts: Sequence[Part], sources: Sources, what: str) -> Written:
    """The headings down to a level, each with what is told under it, or by the most telling of those below it.

    What stands over nothing is left out; what the lines say already is cited, and not said again.
    """
    every = list(_headings_of(parts))
    headings = [each for each in every if not _is_bare(each)] or every
    shown, depth = _that_fit(headings, MOST_LINES)
    room = max(1, MOST_LINES // 2 // len(shown))  # in quotes: the fewer headings, the more of each is told
    for heading in shown:
        told = _told(heading.own, sources, room * OPENING_CHARS, lines) if heading.own else ""
        lines.append(_line(heading.name, heading.level, told))
        below = [part for part in heading.parts if part is not heading.own] if heading.level == depth else []
        central = central_of(below, min(room, MOST_BELOW))
        for part, said in groupby(central, lambda each: each[0]):
            quotes = " ".join(_once(each, sources, OPENING_CHARS, lines) for _, each in said)
            lines.append(_line(part.heading, depth + 1, _after(quotes)))
    lines += _left_out(headings, len(shown), depth)
    return sources.written(lines, ONLY_QUOTES.format(what))


def _is_bare(heading: _Heading) -> bool:
    """Whether nothing stands under it, or the number of a note."""
    if heading.own is None or len(heading.parts) > 1:
        return False
    return all(_ONLY_NUMBER.fullmatch(each.text) for each in sentences([heading.own]))


def _told(part: Part, sources: Sources, longest: int, lines: Sequence[str]) -> str:
    rows = table_rows(part)
    table = f" (tabla de {len(rows) - 1} filas)" if len(rows) > 1 else ""
    said = telling(part)
    whole = said and (_on(part, said) if longest > OPENING_CHARS else said)
    return f"{_after(_once(whole, sources, min(longest, LEAD_CHARS), lines))}{table}" if whole else ""


def _once(said: Said, sources: Sources, longest: int, lines: Sequence[str]) -> str:
    """Its words with their number; that alone where the lines show all that would be («No.» is none of its own)."""
    literal = shortened(said.text, longest)
    shown = " ".join(inert(literal).split())
    if len(shown.split()) >= FEWEST_WORDS and any(shown in line for line in lines):
        return sources.cite(said, literal)
    return sources.quote(said, longest=longest)


def _after(told: str) -> str:
    """As it stands after a heading."""
    return f": {told}" if told.startswith("«") else f" {told}"


def _cited(part: Part, sources: Sources) -> str:
    """« (p. 3) [4]»."""
    if (said := telling(part)) is None:
        return ""
    page = f" (p. {part.page})" if part.page is not None else ""
    return f"{page} {sources.cite(said)}"


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading, and what stands under it."""

    name: str
    level: int  # from 1
    own: Part | None  # right below it
    parts: Sequence[Part]  # with those below the headings in it


def _headings_of(parts: Sequence[Part]) -> Iterator[_Heading]:
    """All headings in order, each once."""
    before: tuple[str, ...] = ()
    for at, part in enumerate(parts):
        same = next((d for d, pair in enumerate(zip(before, part.path, strict=False)) if pair[0] != pair[1]), None)
        common = min(len(before), len(part.path)) if same is None else same
        for depth in range(common, len(part.path)):
            if not is_injection(part.path[depth]):
                path = part.path[: depth + 1]
                under = tuple(each for each in parts[at:] if each.path[: depth + 1] == path)
                yield _Heading(path[-1], depth + 1, part if path == part.path else None, under)
        before = part.path


def _that_fit(headings: Sequence[_Heading], most: int) -> tuple[list[_Heading], int]:
    """Those down to the deepest level that is shown whole, at most `most`; and that level."""
    deepest = max(each.level for each in headings)
    for depth in range(deepest, 0, -1):
        upper = [each for each in headings if each.level <= depth]
        if len(upper) <= most or depth == 1:
            return upper[:most], depth
    return list(headings), deepest


def _left_out(headings: Sequence[_Heading], shown: int, depth: int) -> list[str]:
    total, upper = len(headings), sum(each.level <= depth for each in headings)
    if shown >= total:
        return []
    which = f"los {shown} principales" if shown == upper else f"los {shown} primeros"
    return ["", f"Tiene {total} títulos y subtítulos; aquí están {which}."]


def _line(heading: str, level: int, told: str) -> str:
    return f"{'  ' * (level - 1)}- **{inert(' '.join(heading.split()))}**{told}"


def collection_summary(documents: Sequence[tuple[WholeDocument, Sequence[Part]]], total: int) -> Written:
    """How each document opens."""
    sources = Sources()
    lines = [f"{'Hay 1 documento' if total == 1 else f'Hay {total} documentos'}:", ""]
    for document, parts in documents:
        said = lead(parts)
        lines.append(f"- **{inert(document.label)}**{f': {sources.quote(said)}' if said else ''}")
    if total > len(documents):
        lines += ["", f"Se muestran {len(documents)}; pida el resumen de los demás por su nombre."]
    return sources.written(lines, ONLY_QUOTES.format("cómo comienza cada documento"))
