"""The names of OpenDocument's elements and attributes, as lxml writes them."""

from __future__ import annotations

__all__ = ["name"]

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
    "dc": "http://purl.org/dc/elements/1.1/",
    "xml": "http://www.w3.org/XML/1998/namespace",
}


def name(qualified: str) -> str:
    """«text:p» as lxml writes it."""
    prefix, _, local = qualified.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"
