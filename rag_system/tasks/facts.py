"""What a document says of itself: who wrote and signed it, when, which version, how long it is.

Stored facts are told as such; what stands in its head or at its foot is quoted there. None where nothing is found: the
question may then be one that a passage answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from rag_system.generation.citation_label import inert
from rag_system.generation.figures import read_figures
from rag_system.generation.passages import Kind
from rag_system.query.headings import heading_number
from rag_system.query.months import in_words
from rag_system.query.sentences import CELL
from rag_system.query.text import fold, query_terms, stem
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.parts import Part, Stretch, numbered_parts
from rag_system.tasks.quoting import OPENING_CHARS, Said, Sources, Written, sentences
from rag_system.types import Chunk

__all__ = ["tell"]

HEAD_CHUNKS, FOOT_CHUNKS = 2, 2  # passages in which a document speaks of itself
HEAD_SENTENCES = 14
MOST_QUOTED = 3
SIGNING_CHARS = 500  # of a date with those who sign below it
# «ALAN GARCÍA PÉREZ Presidente Constitucional de la República»: a name in capitals, and right after it who that is.
_CAPITALS = r"[A-ZÁÉÍÓÚÜÑ]{2,}\.?"
_SIGNATURE = re.compile(
    rf"{_CAPITALS}(?:\s+(?:{_CAPITALS}|[A-ZÁÉÍÓÚÜÑ]\.|de|del|la)){{1,6}}\s+[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ]+"
    rf"(?:\s+(?!{_CAPITALS}\s+{_CAPITALS})[\w,().-]+){{0,14}}"
)
_SIGNED = re.compile(r"(?:fdo|firmad[oa]s?|firman?|suscri\w+)\b.{0,20}?[:.]")
_ALONE_CHARS = 60  # a date in a line so short is the document's own
_FORMATS = {
    "pdf": "PDF", "docx": "Word", "odt": "OpenDocument", "pptx": "una presentación", "xlsx": "una hoja de cálculo",
    "csv": "una tabla CSV", "html": "una página web", "md": "Markdown", "txt": "texto simple", "epub": "EPUB",
}  # fmt: skip
_ANY_PART = frozenset(map(stem, "secciones capítulos apartados títulos partes".split()))
_QUOTED = ("“", "«", '"')
# The words by which a document tells each, as stems.
_WORDS: dict[str, frozenset[str]] = {
    name: frozenset(map(stem, words.split()))
    for name, words in {
        "author": "autor autora autores elaborado elaboró redactado escrito director",
        "version": "versión edición revisión",
        "issuer": "ministerio municipalidad universidad congreso presidente editorial fabricante instituto",
        "date": "fecha publicado publicación vigente vigencia aprobado emitido dado promulgado edición",
    }.items()
}


def tell(what: str, document: WholeDocument, parts: Sequence[Part]) -> Written | None:
    """What is asked of a document: each `DocumentFact`, joined by commas, or how many parts of a kind («artículos») it
    has.
    """
    return _Told(document, parts).about(what)


class _Told:
    """What is told of a document, with what it quotes."""

    def __init__(self, document: WholeDocument, parts: Sequence[Part]) -> None:
        self._document = document
        self._parts = parts
        self._name = f"**{inert(document.label)}**"
        self._sources = Sources()
        self._chunks = chunks = list(dict.fromkeys(chunk for part in parts for chunk in part.chunks))
        self._head = _whole(chunks[:HEAD_CHUNKS])[:HEAD_SENTENCES]
        self._last = chunks[-FOOT_CHUNKS:]
        self._foot = _whole(self._last)

    def about(self, what: str) -> Written | None:
        ask: dict[str, Callable[[], Written | None]] = {
            "pages": self._pages, "title": self._title, "kind": self._kind, "author": self._author,
            "signatories": self._signatories, "date": self._date, "version": self._version, "issuer": self._issuer,
        }  # fmt: skip
        facts = what.split(", ")
        if not ask.keys() >= set(facts):
            return self._count(what)
        told = [written for fact in facts if (written := ask[fact]())]
        if not told:
            return None
        whole = self._sources.written(["\n\n".join(each.text for each in told)])
        return replace(whole, abstained=all(each.abstained for each in told))

    def _pages(self) -> Written:
        if (count := self._document.pages) is not None:
            return Written(text=f"{self._name} tiene {'1 página' if count == 1 else f'{count} páginas'}.")
        words = sum(len(each.text.split()) for each in sentences(self._parts))
        return Written(
            text=f"El archivo {inert(self._document.file_name)} no está dividido en páginas: su formato no las tiene. "
            f"Su texto es de unas {_rounded(words)} palabras."
        )

    def _title(self) -> Written:
        return Written(text=f"Se titula {self._name} (archivo {inert(self._document.file_name)}).")

    def _kind(self) -> Written:
        kind = _FORMATS.get(self._document.format, self._document.format)
        lines = [f"{self._name} es un archivo de {kind}."]
        begins = ["", f"Comienza así: {self._sources.quote(self._head[0])}"] if self._head else []
        return self._sources.written([*lines, *begins])

    def _author(self) -> Written | None:
        if self._document.authors:
            names, said = _named_in(self._document.authors, self._parts)
            place = self._sources.cite(said) if said else "Lo dicen las propiedades del archivo, y no su comienzo."
            return self._sources.written([f"{self._name} es de {names}. {place}"])
        told = [each for each in self._head if _tells("author", each)]
        return self._quoted("su autoría", told) or self._unsaid("quién escribió su texto", self._head[:1])

    def _signatories(self) -> Written:
        signed = [*_signatures(self._last), *(each for each in self._foot if _SIGNED.match(fold(each.text)))]
        signed = signed or list(_signatures(dict.fromkeys(each.chunk for each in self._signings())))
        return self._quoted("quién firma", signed, most=8) or self._unsaid(
            "quién firma", self._foot[-1:], "Termina así"
        )

    def _date(self) -> Written:
        head, foot = (list(map(_dated_cell, _dated(said)[:2])) for said in (self._head, self._foot))
        signed = self._signings()
        is_norm = bool(self._document.identifiers)  # a report may only enclose what others signed
        dated = next(filter(None, (signed, head, foot) if is_norm else (head, signed, foot)), [])
        if written := self._quoted("su fecha", dated, longest=SIGNING_CHARS if dated is signed else OPENING_CHARS):
            return written
        document = self._document
        if named := [str(year) for year in document.years if str(year) in f"{document.title} {document.path}"]:
            year = f"{self._name} lleva el año {', '.join(named)} en su nombre; no dice una fecha exacta."
            return Written(text=f"{year} {_made(document)}".rstrip())
        unsaid = self._unsaid("de qué fecha es", self._head[:1])
        if not document.file_date:
            return unsaid
        return replace(unsaid, text=f"{unsaid.text}\n\n{_made(document)}", abstained=False)

    def _signings(self) -> list[Said]:
        """Those at its foot; where it has none there, the first ones: what a decree approves stands below them."""
        return list(_signings(self._foot)) or list(
            _signings(_whole([c for c in self._chunks if any(_signatures([c]))]))
        )

    def _version(self) -> Written:
        ends = dict.fromkeys((*self._head, *self._foot))  # of a short document these are the same
        told = [each for each in ends if _tells("version", each) and re.search(r"\d", each.text)]
        return self._quoted("su versión", told) or self._unsaid("qué versión es", self._head[:1])

    def _issuer(self) -> Written | None:
        return self._quoted("quién lo emite", [each for each in self._head if _tells("issuer", each)])

    def _quoted(
        self, what: str, said: Sequence[Said], *, most: int = MOST_QUOTED, longest: int = OPENING_CHARS
    ) -> Written | None:
        if not said:
            return None
        quotes = [self._sources.quote(each, longest=longest) for each in said[:most]]
        if len(quotes) == 1:
            return self._sources.written([f"{self._name} indica {what}: {quotes[0]}"])
        return self._sources.written([f"{self._name} indica {what}:", "", *(f"- {quote}" for quote in quotes)])

    def _unsaid(self, what: str, shown: Sequence[Said], begins: str = "Comienza así") -> Written:
        """That it does not say it, with the place where it would."""
        quoted = "".join(f" {begins}: {self._sources.quote(each)}" for each in shown)
        return replace(self._sources.written([f"{self._name} no dice {what}.{quoted}"]), abstained=True)

    def _count(self, what: str) -> Written | None:
        """How many parts of a kind its headings number; those of another norm that it quotes are not its own."""
        first: dict[tuple[str, str] | None, tuple[str, Part]] = {}
        for heading, part in numbered_parts(self._parts, what):
            if not heading.startswith(_QUOTED):
                first.setdefault(heading_number(heading), (heading, part))
        if not first:
            return self._top_level(what) if stem(what.split(maxsplit=1)[0]) in _ANY_PART else None
        found = list(first.values())
        names = self._ends(found)
        if len(found) == 1:
            return self._sources.written([f"{self._name} tiene uno solo, según sus títulos: {names}."])
        return self._sources.written(
            [f"{self._name} tiene {len(found)} {what.lower()}, según sus títulos: de {names}."]
        )

    def _top_level(self, what: str) -> Written | None:
        """«¿Cuántas secciones tiene?», where the headings have numbers alone, or none."""
        first: dict[str, Part] = {}
        for part in self._parts:
            if part.path:
                first.setdefault(part.path[0], part)
        if not first:
            return None
        names = self._ends(list(first.items()))
        return self._sources.written([f"{self._name} tiene {len(first)} {what.lower()} principales: de {names}."])

    def _ends(self, found: Sequence[tuple[str, Part]]) -> str:
        """The first of these headings and the last."""
        ends = [found[0], found[-1]] if len(found) > 1 else found
        return " a ".join(
            f"«{inert(' '.join(heading.split()))}»{self._sources.cite_part(part)}" for heading, part in ends
        )


def _rounded(words: int) -> str:
    return f"{round(words, -2) or words:,}".replace(",", " ")


def _named_in(authors: Sequence[str], parts: Sequence[Part]) -> tuple[str, Said | None]:
    """The names as the head writes them, and what shows the place: of a heading, the sentence below it."""
    for part in parts[:3]:
        for said in sentences([part]):
            for text in (*part.path, said.text):
                at = fold(text).find(fold(authors[0]))
                if at >= 0 and len(fold(text)) == len(text):
                    written = (text[i : i + len(name)] for name in authors if (i := fold(text).find(fold(name))) >= 0)
                    return ", ".join(map(inert, written)), said
    return ", ".join(inert(name.title()) for name in authors), None


def _signatures(chunks: Iterable[Chunk]) -> Iterator[Said]:
    for chunk in chunks:
        for found in _SIGNATURE.finditer(chunk.text):
            yield Said(chunk=chunk, start=found.start(), text=found[0], kind=Kind.PROSE)


def _signings(said: Sequence[Said]) -> Iterator[Said]:
    """A dated sentence with the signatures right below it: «Dado en Lima, a los … ⏎ ALAN GARCÍA PÉREZ Presidente …»."""
    for each in said:
        end = start = each.start + len(each.text)
        while found := _SIGNATURE.match(each.chunk.text, _next_word(each.chunk.text, end)):
            end = found.end()
        if end > start and _has_date(each.text):
            yield replace(each, text=each.chunk.text[each.start : end])


def _next_word(text: str, start: int) -> int:
    return start + len(text[start:]) - len(text[start:].lstrip())


def _made(document: WholeDocument) -> str:
    """What the file's properties say of its date, told as theirs: a scan or a copy is younger than its text."""
    if not document.file_date:
        return ""
    day = in_words(date.fromisoformat(document.file_date))
    return f"Según las propiedades del archivo, este se creó el {day}; el texto puede ser de otra fecha."


def _dated(said: Sequence[Said]) -> list[Said]:
    """What says its date; an editor's notes only where nothing else does."""
    dated = [each for each in said if _is_dated(each)]
    return [each for each in dated if each.kind is not Kind.NOTE] or dated


def _is_dated(said: Said) -> bool:
    return _has_date(said.text) and (_tells("date", said) or len(said.text) <= _ALONE_CHARS)


def _has_date(text: str) -> bool:
    return any(figure.unit == "date" for figure in read_figures(text))


def _dated_cell(said: Said) -> Said:
    """Of a row of a table the cell with the date: what is beside it tells something else."""
    start = said.start
    for cell in said.text.split(CELL):
        if _has_date(cell):
            return replace(said, start=start, text=cell)
        start += len(cell) + len(CELL)
    return said


def _tells(what: str, said: Said) -> bool:
    return not _WORDS[what].isdisjoint(query_terms(said.text))


def _whole(chunks: Sequence[Chunk]) -> list[Said]:
    """All that passages say, lines that look like headings included: «Versión 2.1, vigente desde …» is one."""
    return list(sentences([Part(path=(), stretches=tuple(Stretch(chunk, 0, chunk.text) for chunk in chunks))]))
