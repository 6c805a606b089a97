"""What the OpenDocument formats share: their names, opening a file, the numbers of repetitions.

They are read from their XML with lxml: odfpy, the only library of note, had its last release in 2020.
"""

from __future__ import annotations

from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.loaders.archive import DAMAGED, PROTECTED, Archive, parse_xml
from rag_system.ingestion.text import whole_number

__all__ = ["CONTENT", "LEFT_OUT", "META", "body", "check_password", "name", "roots", "times"]

CONTENT = "content.xml"
META = "meta.xml"
_STYLES, _MANIFEST = "styles.xml", "META-INF/manifest.xml"
_PREFIX = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMESPACES = {
    "office": f"{_PREFIX}office:1.0",
    "text": f"{_PREFIX}text:1.0",
    "table": f"{_PREFIX}table:1.0",
    "draw": f"{_PREFIX}drawing:1.0",
    "style": f"{_PREFIX}style:1.0",
    "fo": f"{_PREFIX}xsl-fo-compatible:1.0",
    "presentation": f"{_PREFIX}presentation:1.0",
    "drawooo": "http://openoffice.org/2010/draw",  # what LibreOffice adds to it
    "xml": "http://www.w3.org/XML/1998/namespace",
}


def name(qualified: str) -> str:
    """«text:p» as lxml writes it."""
    prefix, _, local = qualified.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


# Comments, what was deleted in review, tables of contents, how a word is read aloud.
LEFT_OUT = frozenset(
    map(
        name,
        "office:annotation office:annotation-end office:forms text:tracked-changes text:ruby-text "
        "text:table-of-content text:illustration-index text:table-index text:alphabetical-index".split(),
    )
)


def check_password(archive: Archive) -> None:
    """A protected file says so in its list of parts; its parts are encrypted one by one, or as one package."""
    if "encrypted-package" in archive:
        raise UnreadableFileError(PROTECTED)
    if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
        raise UnreadableFileError(PROTECTED)


def body(archive: Archive, kind: str) -> tuple[Any, Any]:
    """The root of the content, and the part of it that `kind` names: «office:text» or «office:presentation»."""
    check_password(archive)
    root = parse_xml(archive.read(CONTENT))
    found = root.find(f"{name('office:body')}/{name(kind)}")
    if found is None:
        raise UnreadableFileError(DAMAGED)
    return root, found


def roots(archive: Archive, content: Any) -> list[Any]:
    """What holds the styles of a document: its content first, then its named styles."""
    return [content, *([parse_xml(archive.read(_STYLES))] if _STYLES in archive else [])]


def times(element: Any, attribute: str) -> int:
    """A number of repetitions, 1 where it is not said."""
    return max(1, whole_number(element.get(name(attribute)), 1))
