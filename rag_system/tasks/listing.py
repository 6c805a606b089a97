"""All of a kind in documents, each with its place: «todos los plazos», «todas las sanciones». Every passage is read.

A sentence is of the kind when it says its word, or another of the family; when it stands under a heading, in a list or
in a table that does; or when it is what such a word stands for: of «plazos», a length of time. What is measured has a
figure under its heading too. A row of a table is of the kind by what stands in the column that is: «El mismo día» is a
term below «Plazo interno».
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag_system.generation.citation_label import inert, section_label
from rag_system.generation.figures import read_figures
from rag_system.generation.passages import Kind
from rag_system.query.entities import extract_entities
from rag_system.query.sentences import CELL
from rag_system.query.task_objects import PART
from rag_system.query.text import fold, query_terms, stem
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.parts import Part, numbered_parts, shared_path
from rag_system.tasks.quoting import Said, Sources, Written, sentences
from rag_system.types import Chunk

__all__ = ["MOST_LISTED", "all_about", "list_all", "passages_of"]

MOST_LISTED = 40
QUOTE_CHARS = 300
_FEWEST_WORDS = 3
_NAME_WORDS = 8
_ENDING = 2  # letters
_EMPTY = " -–—.*"  # of a cell
_TIMES = frozenset({"dia", "semana", "mes", "año", "hora", "minuto"})
_MONEY = frozenset({"soles", "dolares", "euros", "uit"})
_COSTS = "monto montos costo costos precio precios tarifa importe"
_FREE = re.compile(r"\b(?:gratis|gratuit[oa]s?|gratuitamente|sin (?:costo|pago|cobro)|no (?:tienen?|hay) costo)\b")
_ZERO = re.compile(r"\D*0+(?:[.,]0+)?\D*")  # of a column of sums
# Beside a length of time, that it is one to keep to, and nobody's age.
_TERM = re.compile(
    r"\b(?:plazos?|dentro de|en (?:un |el )?(?:plazo|maximo)|hasta|antes de|despues de|durante|a mas tardar|maxim[oa]s?"
    r"|minim[oa]s?|habiles|calendario|naturales|perentorios|siguientes?|contad[oa]s?|vencid[oa]s?|cada|por)\b"
)
_DUTY = re.compile(r"\b(?:deben?|debera?n?|obligad[oa]s?|obligatori[oa]s?|tienen? que|ha[n]? de|corresponde[n]? a)\b")
_BAN = re.compile(r"\b(?:prohib\w+|no (?:se )?(?:podran?|puede[n]?|deben?|permiten?|admiten?)|queda vedad\w+)\b")


@dataclass(frozen=True, slots=True)
class _Sort:
    """What some nouns stand for, besides the words themselves."""

    nouns: str
    about: str  # for people
    holds: Callable[[str], bool]
    by_heading: bool = False  # a heading of which this holds is one of the kind, too
    measured: Callable[[str], bool] | None = None  # what a sentence under its heading has to have
    columns: str = ""  # of a table, the names of those with the kind, besides the nouns
    cell: Callable[[str], bool] = lambda _: True  # of which cells of these columns


def _says(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: pattern.search(fold(text)) is not None


def _has_unit(units: Collection[str]) -> Callable[[str], bool]:
    return lambda text: any(figure.unit in units for figure in read_figures(text))


def _measure(nouns: str, about: str, units: Collection[str]) -> _Sort:
    return _Sort(nouns, about, _has_unit(units), measured=_has_unit(units))


def _is_term(text: str) -> bool:
    return _TERM.search(fold(text)) is not None and _has_unit(_TIMES)(text)


def _is_sum(text: str) -> bool:
    return _has_unit(_MONEY)(text) or _FREE.search(fold(text)) is not None


def _is_free(text: str) -> bool:
    nothing = any(figure.value == "0" and figure.unit in _MONEY for figure in read_figures(text))
    return nothing or _FREE.search(fold(text)) is not None


def _names_somebody(text: str) -> bool:
    return any(" " in key and ":" not in key for key in extract_entities(text))


_SANCTION = re.compile(
    r"\b(?:sancion\w*|mult[ae]\w*|amonest\w+|suspension(?:es)?|inhabilit\w+|destitu\w+|penalidad\w*)\b"
)


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_SORTS = tuple(
    (_stems(sort.nouns), sort)
    for sort in (
        _Sort(
            "plazo plazos término términos duración vigencia tiempo tiempos",
            "una cantidad de tiempo",
            _is_term,
            measured=_has_unit(_TIMES),
        ),
        _measure("fecha fechas", "una fecha", {"date"}),
        _measure("multa multas", "una suma", _MONEY),
        _Sort(_COSTS, "una suma", _is_sum, measured=_is_sum),
        _Sort(
            "gratis gratuito gratuita",
            "un costo de cero",
            _is_free,
            columns=_COSTS,
            cell=lambda text: _is_free(text) or _ZERO.fullmatch(text) is not None,
        ),
        _Sort("obligación obligaciones deber deberes obligatorio", "lo que se debe hacer", _says(_DUTY)),
        _Sort("sanción sanciones penalidad", "una multa, una suspensión o parecido", _says(_SANCTION), by_heading=True),
        _Sort("prohibición prohibiciones prohibido", "lo que no se puede hacer", _says(_BAN)),
        _measure("porcentaje porcentajes", "un porcentaje", {"%"}),
        _Sort("persona personas nombre nombres participante participantes", "un nombre propio", _names_somebody),
    )
)


def list_all(
    what: str, documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]], *, of: str, whole: bool = True
) -> Written:
    """The sentences of the kind, in the order of the documents.

    of: what was read, for people. whole: whether that is all there is to read.
    """
    headings = _headings(what, documents, parts)
    if headings is not None:
        return headings
    wanted = _Wanted(what)
    found = [(document, said) for document, each in zip(documents, parts, strict=True) for said in wanted.among(each)]
    read = sum(len(each) for each in parts)
    scanned = f"Revisé {_sections(read)} de {of}"
    unread = _unread(documents)
    if not found:
        return Written(
            text=" ".join((f"{scanned}, tablas incluidas: ninguna habla de «{inert(what)}».", *unread)), abstained=True
        )
    sources = Sources()
    lines = [f"{scanned}, tablas incluidas, y encontré {_sentences(len(found))}:", ""]
    lines += _listed(found[:MOST_LISTED], sources, several=len(documents) > 1)
    if len(found) > MOST_LISTED:
        rest = f"Aquí están las primeras {MOST_LISTED}, en su orden; pida una parte del documento para ver el resto."
    elif whole:
        rest = "No quedó ningún texto sin revisar; lo que se dice con otras palabras no está en la lista."
    else:
        rest = "La lista no es completa: hay más documentos de los que se pueden revisar de una vez. Elija algunos."
    lines += ["", " ".join((rest, *unread))]
    return sources.written(lines, wanted.label)


def passages_of(what: str, parts: Sequence[Sequence[Part]]) -> list[Chunk]:
    """The passages that have a sentence of the kind, in their order."""
    wanted = _Wanted(what)
    return list(dict.fromkeys(said.chunk for each in parts for said in wanted.among(each)))


def all_about(what: str, parts: Sequence[Part]) -> list[Said]:
    """The sentences and rows of a kind; of what is none by more than its words, those with any of these."""
    wanted = _Wanted(what)
    if wanted.is_known:
        return list(wanted.among(parts))
    terms = set(query_terms(what))
    return [
        said for part in parts for said in sentences([part]) if terms & {*query_terms(f"{part.heading} {said.text}")}
    ]


def _sections(number: int) -> str:
    return "la única sección" if number == 1 else f"las {number} secciones"


def _sentences(number: int) -> str:
    return "1 frase o fila" if number == 1 else f"{number} frases o filas"


def _unread(documents: Sequence[WholeDocument]) -> Iterator[str]:
    """The pages that have something to read, and no text."""
    if pages := sum(document.unread_pages for document in documents):
        yield f"No se pudo leer el texto de {'1 página' if pages == 1 else f'{pages} páginas'}."


def _listed(found: Sequence[tuple[WholeDocument, Said]], sources: Sources, *, several: bool) -> Iterator[str]:
    before = None
    for document, said in found:
        if several and document is not before:
            yield from ([""] if before else [])
            yield f"**{inert(document.label)}**"
            yield ""
        before = document
        page = f"p. {said.page}" if said.page is not None else ""
        place = ", ".join(filter(None, (section_label(said.chunk), page)))
        yield f"- {f'{place}: ' if place else ''}{sources.quote(said, longest=QUOTE_CHARS)}"


class _Wanted:
    """The kind that is asked for."""

    def __init__(self, what: str) -> None:
        terms = query_terms(what)
        said_of = {noun for nouns, sort in _SORTS if sort.columns for noun in nouns}
        self._what, self._noun = what, next((term for term in terms if term in said_of), terms[0])
        self._also = frozenset(terms) - {self._noun}
        self._sort = next((sort for nouns, sort in _SORTS if self._noun in nouns), None)
        self._columns = _stems(f"{self._sort.nouns} {self._sort.columns}") if self._sort else frozenset({self._noun})
        self._cell = self._sort.cell if self._sort else bool

    @property
    def is_known(self) -> bool:
        """Whether it stands for something besides its word."""
        return self._sort is not None

    @property
    def label(self) -> str:
        """How the list was made."""
        also = f" o {self._sort.about}" if self._sort else ""
        return (
            f"Sin un modelo de lenguaje, esta lista son las frases con «{inert(self._what)}»{also}: puede haber "
            "alguna de más."
        )

    def among(self, parts: Sequence[Part]) -> Iterator[Said]:
        titles = len(shared_path(parts)) if len(parts) > 1 else 0
        for part in parts:
            headings = " ".join(part.path[titles:])
            above = self._terms_of(headings)
            if self._sort and self._sort.by_heading and self._sort.holds(headings):
                above |= {self._noun}
            yield from _understood(said for said in sentences([part]) if self._is_one(said, above))

    def _is_one(self, said: Said, above: Collection[str]) -> bool:
        if said.kind in (Kind.HEADING, Kind.NOTE) or len(said.text.split()) < _FEWEST_WORDS:
            return False
        if CELL in said.text and not said.lead:
            return False  # the first row of a table names its columns
        around = {*above, *self._terms_of(said.lead), *self._terms_of(said.heading)}
        own = self._terms_of(said.text)
        if not self._also <= {*own, *around}:
            return False
        if self._noun in own or (self._sort and self._sort.holds(said.text)) or self._in_column(said):
            return True
        measured = self._sort.measured if self._sort else None
        return self._noun in around and (measured is None or measured(said.text))

    def _in_column(self, said: Said) -> bool:
        """Whether a row of a table has something in a column of the kind."""
        cells = zip(said.lead.split(CELL), said.text.split(CELL), strict=False) if CELL in said.text else ()
        return any(
            not self._columns.isdisjoint(query_terms(name)) and cell.strip(_EMPTY) and self._cell(cell)
            for name, cell in cells
            if name.strip()
        )

    def _terms_of(self, text: str) -> frozenset[str]:
        """Of what is wanted, the words that a text has, or others of their family: «sanción», «se sanciona»."""
        terms = query_terms(text) if text else []
        return frozenset(each for each in (self._noun, *self._also) if any(_are_family(each, term) for term in terms))


def _are_family(wanted: str, term: str) -> bool:
    """Whether a stem is another's, or that but for an ending which the stemmer left: «taller», of «talleres»."""
    left = len(wanted) - len(term)
    return term.startswith(wanted) or (0 < left <= _ENDING < len(term) and wanted.startswith(term))


def _understood(found: Iterable[Said]) -> Sequence[Said]:
    """A few words with their paragraph, where it fits: «Plazo: 30 de abril» with what is due; each stretch once."""
    kept: list[Said] = []
    for said in found:
        if kept and _overlap(kept[-1], said):
            continue
        whole = said if CELL in said.text or len(said.text.split()) > _NAME_WORDS else _paragraph(said)
        while kept and _overlap(kept[-1], whole):  # the sentences before it in its paragraph
            kept.pop()
        kept.append(whole)
    return kept


def _overlap(before: Said, said: Said) -> bool:
    return before.chunk == said.chunk and said.start < before.start + len(before.text)


def _paragraph(said: Said) -> Said:
    text, end = said.chunk.text, said.start + len(said.text)
    start = text.rfind("\n", 0, said.start) + 1
    whole = text[start : text.find("\n", end) if "\n" in text[end:] else None].rstrip()
    return replace(said, start=start, text=whole) if len(whole) <= QUOTE_CHARS or start == said.start else said


_KINDS = {stem(word) for word in re.findall(r"[a-zñ]{4,}", PART)}


def _headings(what: str, documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]]) -> Written | None:
    """«Todas las tablas», «todos los artículos»: by the headings that number them; None where none does."""
    if stem(what.split(maxsplit=1)[0]) not in _KINDS:
        return None
    sources = Sources()
    lines: list[str] = []
    for document, each in zip(documents, parts, strict=True):
        name = f"{inert(document.label)}: " if len(documents) > 1 else ""
        for heading, part in numbered_parts(each, what):
            page = f" (p. {part.page})" if part.page is not None else ""
            lines.append(f"- {name}**{inert(' '.join(heading.split()))}**{page}{sources.cite_part(part)}")
    if not lines:
        return None
    told = [f"Hay {len(lines)} {what.lower()} con título:" if len(lines) > 1 else "Hay una sola con título:", ""]
    cut = [] if len(lines) <= MOST_LISTED else ["", f"Aquí están los primeros {MOST_LISTED}."]
    return sources.written([*told, *lines[:MOST_LISTED], *cut])
