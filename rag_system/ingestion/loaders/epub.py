"""EPUB: the chapters of a book in the order of its spine, each read as HTML.

A book has no pages of its own (a reader's screen makes them), so blocks have none; the titles of the chapters are
headings, taken from the table of contents where a chapter does not show its own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urldefrag

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, parse_xml
from rag_system.ingestion.loaders.html import markup_lines
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import Line, blocks_from_lines
from rag_system.ingestion.text import clean_line

__all__ = ["load_epub"]

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTER_TYPES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_CONTENTS_TYPE = "application/x-dtbncx+xml"  # the table of contents of EPUB 2
_HEADED_LINES = 3  # a heading among the first lines of a chapter is its title
_PROTECTED = "El libro está protegido (DRM) y no se puede leer. Consiga una copia sin protección."


def load_epub(source: Source) -> ExtractedDocument:
    """A book of EPUB 2 or 3."""
    with Archive(source) as archive:
        book = _read_book(archive)
        hidden: list[str] = []
        chapters = (_chapter(archive, path, book.titles, hidden) for path in book.chapters)
        blocks = blocks_from_lines(line for chapter in chapters for line in chapter)
    return ExtractedDocument(
        format="epub", blocks=blocks, pages=None, title=book.title, hidden_pages=(0,) if hidden else ()
    )


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


def _read_book(archive: Archive) -> _Book:
    package = next((item.get("full-path") for item in _all(parse_xml(archive.read(_CONTAINER)), "rootfile")), None)
    if not package:
        raise UnreadableFileError(DAMAGED)
    root = parse_xml(archive.read(package))
    items = {item.get("id", ""): _item(item, package) for item in _all(root, "item")}
    spine = [
        items[reference.get("idref", "")] for reference in _all(root, "itemref") if reference.get("idref") in items
    ]
    chapters = [item.path for item in spine if item.kind in _CHAPTER_TYPES and "nav" not in item.properties]
    present = tuple(dict.fromkeys(path for path in chapters if path in archive))
    if not present:
        raise UnreadableFileError(DAMAGED)
    _check_protection(archive, present)
    title = next((clean_line("".join(element.itertext())) for element in _all(root, "title")), "")
    return _Book(title, present, _titles(archive, items.values()))


def _all(root: Any, local: str) -> Iterator[Any]:
    """By local name: books mix up their namespaces."""
    return (element for element in root.iter(f"{{*}}{local}"))


def _item(item: Any, package: str) -> _Item:
    path = _resolved(item.get("href", ""), package)
    return _Item(path, item.get("media-type", ""), tuple(item.get("properties", "").split()))


def _resolved(address: str, base: str) -> str:
    """A path inside the archive; it is looked up there and nowhere else."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(urldefrag(address).url)))


def _check_protection(archive: Archive, chapters: tuple[str, ...]) -> None:
    """Scrambled typefaces are usual and do no harm; encrypted chapters cannot be read."""
    if _ENCRYPTION not in archive:
        return
    references = _all(parse_xml(archive.read(_ENCRYPTION)), "CipherReference")
    encrypted = {posixpath.normpath(unquote(reference.get("URI", ""))) for reference in references}
    if encrypted & set(chapters):
        raise UnreadableFileError(_PROTECTED)


def _titles(archive: Archive, items: Any) -> Mapping[str, str]:
    titles: dict[str, str] = {}
    for item in items:
        if item.path not in archive:
            continue
        if item.kind == _CONTENTS_TYPE:
            found = _contents(parse_xml(archive.read(item.path)))
        elif "nav" in item.properties:
            found = _navigation(archive.read(item.path))
        else:
            continue
        for address, title in found:
            if title:
                titles.setdefault(_resolved(address, item.path), title)
    return titles


def _contents(root: Any) -> Iterator[tuple[str, str]]:
    for point in _all(root, "navPoint"):
        label = next((clean_line(text.text or "") for text in _all(point, "text")), "")
        address = next((content.get("src", "") for content in _all(point, "content")), "")
        yield address, label


def _navigation(data: bytes) -> Iterator[tuple[str, str]]:
    from bs4 import BeautifulSoup

    for link in BeautifulSoup(data, "lxml-xml").find_all("a", href=True):
        yield str(link["href"]), clean_line(link.get_text(" "))


def _chapter(archive: Archive, path: str, titles: Mapping[str, str], hidden: list[str]) -> Iterator[Line]:
    """The lines of a chapter; its path joins the `hidden` ones if it holds text that is not displayed."""
    lines, unseen = markup_lines(archive.read(path))
    hidden.extend([path] if unseen else [])
    title = titles.get(path, "")
    shown = any(line.hint or line.text == title for line in lines[:_HEADED_LINES])
    if title and lines and not shown:
        yield Line(text=title, hint=1)
    yield from lines
