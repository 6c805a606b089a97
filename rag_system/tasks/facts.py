"""What a document says of itself: who wrote and signed it, when, which version, how long it is.

Stored facts are told as such; what stands in its head or at its foot is quoted there. None where nothing is found: the
question may then be one that a passage answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from rag_system.generation.citation_label import inert
from rag_system.generation.figures import read_figures
from rag_system.generation.passages import Kind
from rag_system.query.headings import heading_number
from rag_system.query.months import in_words
from rag_system.query.text import fold, query_terms, stem
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.parts import Part, Stretch, numbered_parts
from rag_system.tasks.quoting import Said, Sources, Written, sentences
from rag_system.types import Chunk

__all__ = ["tell"]

HEAD_CHUNKS, FOOT_CHUNKS = 2, 2  # passages in which a document speaks of itself
HEAD_SENTENCES = 14
MOST_QUOTED = 3
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
    ask: dict[str, Callable[[WholeDocument, Sequence[Part], Sources], Written | None]] = {
        "pages": _pages, "title": _title, "kind": _kind, "author": _author, "signatories": _signatories, "date": _date,
        "version": _version, "issuer": _issuer,
    }  # fmt: skip
    sources, facts = Sources(), what.split(", ")
    if not ask.keys() >= set(facts):
        return _count(what, document, parts, sources)
    told = [written for fact in facts if (written := ask[fact](document, parts, sources))]
    if not told:
        return None
    whole = sources.written(["\n\n".join(each.text for each in told)])
    return replace(whole, abstained=all(each.abstained for each in told))


def _name(document: WholeDocument) -> str:
    return f"**{inert(document.label)}**"


def _pages(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written:  # noqa: ARG001 - as the others
    if document.pages is not None:
        pages = "1 página" if document.pages == 1 else f"{document.pages} páginas"
        return Written(text=f"{_name(document)} tiene {pages}.")
    words = sum(len(each.text.split()) for each in sentences(parts))
    return Written(
        text=f"El archivo {inert(document.file_name)} no está dividido en páginas: su formato no las tiene. "
        f"Su texto es de unas {_rounded(words)} palabras."
    )


def _rounded(words: int) -> str:
    return f"{round(words, -2) or words:,}".replace(",", " ")


def _title(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written:  # noqa: ARG001 - as the others
    return Written(text=f"Se titula {_name(document)} (archivo {inert(document.file_name)}).")


def _kind(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written:
    lines = [f"{_name(document)} es un archivo de {_FORMATS.get(document.format, document.format)}."]
    first = next(iter(_head(parts)), None)
    return sources.written([*lines, "", f"Comienza así: {sources.quote(first)}"] if first else lines)


def _author(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written | None:
    if document.authors:
        names, said = _named_in(document.authors, parts)
        place = sources.cite(said) if said else "Lo dicen las propiedades del archivo, y no su comienzo."
        return sources.written([f"{_name(document)} es de {names}. {place}"])
    told = [each for each in _head(parts) if _tells("author", each)]
    return _quoted(sources, document, "su autoría", told) or _unsaid(
        sources, document, "quién lo escribió", _head(parts)[:1]
    )


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


def _signatories(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written:
    foot = _foot(parts)
    signed = [*_signatures(parts), *(each for each in foot if _SIGNED.match(fold(each.text)))]
    return _quoted(sources, document, "quién firma", signed, most=8) or _unsaid(
        sources, document, "quién firma", foot[-1:], "Termina así"
    )


def _signatures(parts: Sequence[Part]) -> Iterator[Said]:
    for chunk in _chunks(parts)[-FOOT_CHUNKS:]:
        for found in _SIGNATURE.finditer(chunk.text):
            yield Said(chunk=chunk, start=found.start(), text=found[0], kind=Kind.PROSE)


def _date(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written:
    dated = next(filter(None, ([e for e in said if _is_dated(e)] for said in (_head(parts), _foot(parts)))), [])
    if written := _quoted(sources, document, "su fecha", dated[:2]):
        return written
    if named := [str(year) for year in document.years if str(year) in f"{document.title} {document.path}"]:
        year = f"{_name(document)} lleva el año {', '.join(named)} en su nombre; no dice una fecha exacta."
        return Written(text=f"{year} {_made(document)}".rstrip())
    unsaid = _unsaid(sources, document, "de qué fecha es", _head(parts)[:1])
    if not document.file_date:
        return unsaid
    return replace(unsaid, text=f"{unsaid.text}\n\n{_made(document)}", abstained=False)


def _made(document: WholeDocument) -> str:
    """What the file's properties say of its date, told as theirs: a scan or a copy is younger than its text."""
    if not document.file_date:
        return ""
    day = in_words(date.fromisoformat(document.file_date))
    return f"Según las propiedades del archivo, este se creó el {day}; el texto puede ser de otra fecha."


def _is_dated(said: Said) -> bool:
    dated = any(figure.unit == "date" for figure in read_figures(said.text))
    return dated and (_tells("date", said) or len(said.text) <= _ALONE_CHARS)


def _version(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written | None:
    ends = dict.fromkeys((*_head(parts), *_foot(parts)))  # of a short document these are the same
    told = [each for each in ends if _tells("version", each) and re.search(r"\d", each.text)]
    return _quoted(sources, document, "su versión", told) or _unsaid(
        sources, document, "qué versión es", _head(parts)[:1]
    )


def _issuer(document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written | None:
    return _quoted(sources, document, "quién lo emite", [each for each in _head(parts) if _tells("issuer", each)])


def _quoted(
    sources: Sources, document: WholeDocument, what: str, said: Sequence[Said], *, most: int = MOST_QUOTED
) -> Written | None:
    if not said:
        return None
    quotes = [sources.quote(each) for each in said[:most]]
    lines = [f"{_name(document)} dice {what}:", "", *(f"- {quote}" for quote in quotes)]
    return sources.written(lines if len(quotes) > 1 else [f"{_name(document)} dice {what}: {quotes[0]}"])


def _unsaid(
    sources: Sources, document: WholeDocument, what: str, shown: Sequence[Said], begins: str = "Comienza así"
) -> Written:
    """That it does not say it, with the place where it would."""
    quoted = "".join(f" {begins}: {sources.quote(each)}" for each in shown)
    return replace(sources.written([f"{_name(document)} no dice {what}.{quoted}"]), abstained=True)


def _tells(what: str, said: Said) -> bool:
    return not _WORDS[what].isdisjoint(query_terms(said.text))


def _chunks(parts: Sequence[Part]) -> list[Chunk]:
    return list(dict.fromkeys(chunk for part in parts for chunk in part.chunks))


def _head(parts: Sequence[Part]) -> list[Said]:
    return _whole(_chunks(parts)[:HEAD_CHUNKS])[:HEAD_SENTENCES]


def _foot(parts: Sequence[Part]) -> list[Said]:
    return _whole(_chunks(parts)[-FOOT_CHUNKS:])


def _whole(chunks: Sequence[Chunk]) -> list[Said]:
    """All that passages say, lines that look like headings included: «Versión 2.1, vigente desde …» is one."""
    return list(sentences([Part(path=(), stretches=tuple(Stretch(chunk, 0, chunk.text) for chunk in chunks))]))


def _count(what: str, document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written | None:
    """How many parts of a kind its headings number; those of another norm that it quotes are not its own."""
    first: dict[tuple[str, str] | None, tuple[str, Part]] = {}
    for heading, part in numbered_parts(parts, what):
        if not heading.startswith(_QUOTED):
            first.setdefault(heading_number(heading), (heading, part))
    if not first:
        return _top_level(what, document, parts, sources) if stem(what.split(maxsplit=1)[0]) in _ANY_PART else None
    found = list(first.values())
    ends = [found[0], found[-1]] if len(found) > 1 else found
    names = " a ".join(_cited(heading, part, sources) for heading, part in ends)
    if len(found) == 1:
        return sources.written([f"{_name(document)} tiene uno solo, según sus títulos: {names}."])
    return sources.written([f"{_name(document)} tiene {len(found)} {what.lower()}, según sus títulos: de {names}."])


def _top_level(what: str, document: WholeDocument, parts: Sequence[Part], sources: Sources) -> Written | None:
    """«¿Cuántas secciones tiene?», where the headings have numbers alone, or none."""
    first = {part.path[0]: part for part in reversed(parts) if part.path}
    if not first:
        return None
    named = [(h, first[h]) for h in dict.fromkeys(part.path[0] for part in parts if part.path)]
    ends = " a ".join(_cited(heading, part, sources) for heading, part in (named[0], named[-1]))
    return sources.written([f"{_name(document)} tiene {len(named)} {what.lower()} principales: de {ends}."])


def _cited(heading: str, part: Part, sources: Sources) -> str:
    return f"«{inert(' '.join(heading.split()))}»{sources.cite_part(part)}"
