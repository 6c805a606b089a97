"""EPUB: the chapters of a book in the order of its spine, each read as HTML.

A book has no pages of its own (a reader's screen makes them), so blocks have none; the titles of the chapters are
headings, taken from the table of contents where a chapter does not show its own.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, parse_xml
from rag_system.ingestion.loaders.html import decode_markup, page_lines
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.structure import Line, unpaged
from rag_system.ingestion.text import clean_line

__all__ = ["load_epub"]

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTER_TYPES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"))
_CHAPTER_SUFFIXES = (".xhtml", ".html", ".htm")  # of one whose type is not said, or wrongly
_CONTENTS_TYPE = "application/x-dtbncx+xml"  # the table of contents of EPUB 2
_HEADED_LINES = 3  # a heading among the first lines of a chapter is its title
_SENTENCE_CHARS = 40  # «Capítulo 1.» is shorter
_PROTECTED = "El libro está protegido (DRM) y no se puede leer. Consiga una copia sin protección."


def load_epub(source: FileSource) -> ExtractedDocument:
    """A book of EPUB 2 or 3."""
    with Archive(source) as archive:
        book = _read_book(archive)
        hidden: list[str] = []
        paths = _Paths(archive)
        lines = [line for path in book.chapters for line in _chapter(archive, path, book.titles, hidden, paths)]
    return unpaged("epub", lines, title=book.title, hidden=bool(hidden))


@dataclass(frozen=True, slots=True)
class _Book:
    """What the package document says."""

    title: str
    chapters: tuple[str, ...]  # paths inside the archive
    titles: Mapping[str, str]  # path → as the table of contents calls it


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of the book."""

    path: str
    kind: str
    properties: tuple[str, ...]

    @property
    def is_chapter(self) -> bool:
        """Not the table of contents of EPUB 3, which the spine may show as well."""
        written = self.kind in _CHAPTER_TYPES or self.path.lower().endswith(_CHAPTER_SUFFIXES)
        return written and "nav" not in self.properties


class _Paths:
    """Finds the files that a book names.

    A name may be written as an address («cap%C3%ADtulo%202.xhtml», «../Texto/a.xhtml»); and the programs that pack
    books write accents apart or without saying their encoding, mix up «\\» and «/», capitals and small letters.
    """

    def __init__(self, archive: Archive) -> None:
        written = {_folded(path.replace("\\", "/")): name for name, path in archive.files()}
        self._names = written | {name: name for name in archive.names}

    def find(self, address: str, *, base: str = "") -> str:
        """The name inside the archive; of a file that is not there, as it would be. base: the file that names it."""
        written = address.partition("#")[0].replace("\\", "/")
        paths = [_joined(base, form) for form in (written, unquote(written))]
        forms = (form for fold in (str, _folded) for form in map(fold, paths))
        return next((self._names[form] for form in forms if form in self._names), paths[-1])


def _joined(base: str, path: str) -> str:
    """It is looked up in the archive and nowhere else."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path)).lstrip("/")


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _read_book(archive: Archive) -> _Book:
    paths = _Paths(archive)
    package = next((item.get("full-path") for item in _all(parse_xml(archive.read(_CONTAINER)), "rootfile")), None)
    if not package:
        raise UnreadableFileError(DAMAGED)
    package = paths.find(package)
    root = parse_xml(archive.read(package))
    items = {item.get("id", ""): _item(item, paths, package) for item in _all(root, "item")}
    spine = [
        items[reference.get("idref", "")] for reference in _all(root, "itemref") if reference.get("idref") in items
    ]
    present = tuple(dict.fromkeys(item.path for item in spine if item.is_chapter and item.path in archive))
    if not present:
        raise UnreadableFileError(DAMAGED)
    _check_protection(archive, paths, present)
    title = next((clean_line("".join(element.itertext())) for element in _all(root, "title")), "")
    return _Book(title, present, _titles(archive, paths, items.values()))


def _all(root: Any, local: str) -> Iterator[Any]:
    """By local name: books mix up their namespaces."""
    return (element for element in root.iter(f"{{*}}{local}"))


def _item(item: Any, paths: _Paths, package: str) -> _Item:
    kind = item.get("media-type", "").partition(";")[0].strip().lower()
    return _Item(paths.find(item.get("href", ""), base=package), kind, tuple(item.get("properties", "").split()))


def _check_protection(archive: Archive, paths: _Paths, chapters: tuple[str, ...]) -> None:
    """Scrambled typefaces are usual and do no harm; encrypted chapters cannot be read."""
    if _ENCRYPTION not in archive:
        return
    references = _all(parse_xml(archive.read(_ENCRYPTION)), "CipherReference")
    encrypted = {paths.find(reference.get("URI", "")) for reference in references}
    if encrypted & set(chapters):
        raise UnreadableFileError(_PROTECTED)


def _titles(archive: Archive, paths: _Paths, items: Iterable[_Item]) -> Mapping[str, str]:
    """As the tables of contents call the chapters; a damaged one costs its titles and not the book."""
    titles: dict[str, str] = {}
    for item in items:
        if item.path not in archive:
            continue
        if item.kind == _CONTENTS_TYPE:
            read = _contents
        elif "nav" in item.properties:
            read = _navigation
        else:
            continue
        with suppress(UnreadableFileError):
            for address, title in read(archive.read(item.path)):
                if title:
                    titles.setdefault(paths.find(address, base=item.path), title)
    return titles


def _contents(data: bytes) -> Iterator[tuple[str, str]]:
    for point in _all(parse_xml(data), "navPoint"):
        label = next((clean_line(text.text or "") for text in _all(point, "text")), "")
        address = next((content.get("src", "") for content in _all(point, "content")), "")
        yield address, label


def _navigation(data: bytes) -> Iterator[tuple[str, str]]:
    from bs4 import BeautifulSoup

    for link in BeautifulSoup(data, "lxml-xml").find_all("a", href=True):
        yield str(link["href"]), clean_line(link.get_text(" "))


def _chapter(
    archive: Archive, path: str, titles: Mapping[str, str], hidden: list[str], paths: _Paths
) -> Iterator[Line]:
    """The lines of a chapter; its path joins the `hidden` ones if it holds text that is not displayed."""

    def sheet_at(address: str) -> str:
        found = paths.find(address, base=path)
        with suppress(UnreadableFileError):
            return decode_markup(archive.read(found)) if found in archive else ""
        return ""

    lines, unseen = page_lines(decode_markup(archive.read(path)), sheet_at=sheet_at)
    hidden.extend([path] if unseen else [])
    title = titles.get(path, "")
    shown = any(line.hint or line.text == title for line in _opening(lines))
    if title and lines and not shown:
        yield Line(text=title, hint=1)
    yield from lines


def _opening(lines: Sequence[Line]) -> Iterator[Line]:
    """The first lines of a chapter, down to its first sentence: a heading after that is of a section."""
    for line in lines[:_HEADED_LINES]:
        yield line
        if not line.hint and line.text.endswith(".") and len(line.text) > _SENTENCE_CHARS:
            return
