"""What is read once from a document and stored beside it: title, language, identifiers, authors, years."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from rag_system.ingestion.document import Block, BlockKind, DocumentMetadata, ExtractedDocument
from rag_system.ingestion.headings import is_capitals
from rag_system.ingestion.sentence_case import sentence_case
from rag_system.ingestion.titles import HEAD_BLOCKS, declared_name, title_of
from rag_system.ingestion.web_names import WEB
from rag_system.query.identifiers import by_name, extract_identifiers, family, find_identifiers, own_names
from rag_system.query.language import detect_language
from rag_system.query.months import MONTH_PATTERN

__all__ = ["document_metadata"]

_READ_CHARS = 500_000  # of the text: all of it in nearly every document; the language needs more than a summary
_HEAD_CHARS = 3_000  # where a document names the norms it is about

_NORM_NAME = re.compile(
    r"(?:ley|decreto|resoluci[óo]n|ordenanza|c[óo]digo|constituci[óo]n|norma t[ée]cnica|directiva|reglamento|acuerdo|"
    r"texto [úu]nico|tuo|circular|oficio|real decreto|orden|norma oficial|iso|ntp|une|nom)\b",
    re.IGNORECASE,
)
# Before the name of another norm: «Reglamento de la Ley 31572», «Modifican la Directiva 002-97».
_SERVES = re.compile(
    r"\b(?:reglamentos?(?: general)? del?|reglamenta\w*|modific\w+|derog\w+|sustitu\w+|complementari\w+|precis\w+|"
    r"desarrolla\w*|r[ée]gimen del|a que se refiere|proyecto de)\b",
    re.IGNORECASE,
)
_MAX_HEADING_CHARS = 200
_MAX_OWN_NAME_CHARS = 90  # «DECRETO SUPREMO N° 004-2019-JUS»; a longer line quotes another norm
_ENDS_NAMES = ("Artículo", "ARTÍCULO", "CONSIDERANDO", "VISTO", "CONCORDANCIA", "(*)", "PROCESOS CONSTITUCIONALES")
_YEAR = re.compile(r"(?<![\d.,])(1[89]\d\d|20\d\d)(?![\d.,]?\d)")
_DATE = re.compile(rf"{MONTH_PATTERN}(?: de| del)?,? ((?:19|20)\d\d)\b", re.IGNORECASE)


def document_metadata(document: ExtractedDocument, *, path: str) -> DocumentMetadata:
    """`path` is relative to the ingested directory, with forward slashes."""
    place = PurePosixPath(path)
    blocks = _first(document.blocks)
    head = "\n".join(_head(blocks))
    written = declared_name(document.title) or title_of(blocks, place.stem)
    title = sentence_case(written, (block.text for block in blocks))
    names = [place.stem, document.identifier, written]
    identifiers = _identifiers(names[:2], [written, *_own_names(blocks)])
    mentions = [found for found in extract_identifiers(f"{written}\n{head}") if found not in identifiers]
    return DocumentMetadata(
        title=title,
        language=detect_language("\n".join(block.text for block in blocks)),
        category=_category(place),
        identifiers=identifiers,
        mentions=tuple(mentions),
        authors=tuple(_authors(blocks) or (name.lower() for name in _names(document.author))),
        years=_years(names, head),
        file_date=document.file_date,
    )


def _first(blocks: Iterable[Block]) -> list[Block]:
    """As much of a document as its facts are read from."""
    first: list[Block] = []
    size = 0
    for block in blocks:
        if size >= _READ_CHARS:
            break
        first.append(block)
        size += len(block.text)
    return first


def _category(place: PurePosixPath) -> str:
    """Its folder; of a page of the web, its server."""
    if place.parts[:1] == (WEB,) and len(place.parts) > 2:
        return place.parts[1]
    return "" if place.parent == PurePosixPath(".") else place.parent.as_posix()


# ---------------------------------------------------------------- identifiers and years


def _own_names(blocks: Sequence[Block]) -> list[str]:
    """Lines of the head in which a norm says its own name, before its first article."""
    names = []
    head = blocks[:HEAD_BLOCKS]
    for block in head:
        text = block.text
        if text.startswith(_ENDS_NAMES):
            break
        heading = block.kind is BlockKind.HEADING or is_capitals(text)
        if len(text) <= (_MAX_HEADING_CHARS if heading else _MAX_OWN_NAME_CHARS) and _NORM_NAME.match(text):
            names.append(text)
    return names


def _identifiers(declared: Iterable[str], written: Iterable[str]) -> tuple[str, ...]:
    """What the document is. A regulation is not the law whose name it bears, unless it has no other name."""
    own = [found for name in declared for found in extract_identifiers(name)]
    served: list[str] = []
    for name in written:
        own += own_names(name)
        for match in (match for match in find_identifiers(name) if not by_name(match.canonical)):
            (served if _SERVES.search(name[: match.start]) else own).append(match.canonical)
    named = {family(identifier) for identifier in own}
    return tuple(dict.fromkeys([*own, *(identifier for identifier in served if family(identifier) not in named)]))


def _years(names: Sequence[str], head: str) -> tuple[int, ...]:
    """Of its name and title, else the first date of its head."""
    years = [int(year) for name in names for year in _YEAR.findall(name.replace("_", " "))]
    years = years or [int(year) for year in _DATE.findall(head[:800])[:1]]
    return tuple(dict.fromkeys(years))


def _head(blocks: Sequence[Block]) -> Iterator[str]:
    size = 0
    for block in blocks:
        if size >= _HEAD_CHARS:
            return
        yield block.text[: _HEAD_CHARS - size]
        size += len(block.text)


# ---------------------------------------------------------------- authors

_ABSTRACT = re.compile(r"\W*(?:resumen|abstract|summary|palabras clave|keywords)\b", re.IGNORECASE)
_AUTHOR_LABEL = re.compile(r"(?:autor(?:a|es|as)?|por|elaborado por)\s*:\s*(?P<names>.+)", re.IGNORECASE)
_NAME_WORD = r"[A-ZÁÉÍÓÚÑÜ][a-záéíóúñü'’]+(?:-[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+)?|[A-Z]\."
_PERSON = re.compile(rf"(?:{_NAME_WORD})(?:\s+(?:(?:de|del|la|las|los|y)\s+)*(?:{_NAME_WORD})){{1,4}}")
_SEPARATOR = re.compile(r"\s*(?:,|;|&|\s+y\s+|\s+e\s+|\s+and\s+)\s*")
_FOOTNOTE_MARK = re.compile(r"[\d*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰]+")


def _authors(blocks: Sequence[Block]) -> list[str]:
    """Of a paper: the names between its title and its summary, or after «Autor:»; the rest is told by the file."""
    head = [block.text for block in blocks[:HEAD_BLOCKS]]
    labelled = [match["names"] for text in head if len(text) < 200 and (match := _AUTHOR_LABEL.match(text))]
    summary = next((index for index, text in enumerate(head) if _ABSTRACT.match(text)), 0)
    lines = labelled or [text for text in head[1:summary] if len(text) <= 160]
    return list(dict.fromkeys(name.lower() for line in lines for name in _names(line)))


def _names(line: str) -> list[str]:
    parts = [part for part in _SEPARATOR.split(_FOOTNOTE_MARK.sub("", line).strip(" .")) if part]
    return parts if parts and all(_PERSON.fullmatch(part) for part in parts) else []
