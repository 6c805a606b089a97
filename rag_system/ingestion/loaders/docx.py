"""DOCX: paragraphs, lists and tables in document order; headings by style in Spanish and English.

Headers and footers stand in parts of their own and are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

import re
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, declared_title, parse_xml
from rag_system.ingestion.loaders.docx_page import DocxPage
from rag_system.ingestion.loaders.docx_styles import W
from rag_system.ingestion.loaders.html import page_lines
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.structure import unpaged

__all__ = ["load_docx"]

_PARTS = ("document", "styles", "numbering", "footnotes", "endnotes")
_PROPERTIES = "docProps/core.xml"
# Namespaces of one meaning.
_STRICT, _USUAL = b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.strip("{}").encode()


def load_docx(source: FileSource) -> ExtractedDocument:
    """A Word document: styles and numbering tell its headings, and it has no pages."""
    with Archive(source) as archive:
        parts = {kind: root for kind in _PARTS if (root := _part(archive, kind)) is not None}
        if "document" not in parts or parts["document"].tag != f"{W}document":
            raise UnreadableFileError(DAMAGED)
        lines, hidden = page_lines(DocxPage(parts["document"], parts).html())
        return unpaged("docx", lines, title=declared_title(archive, _PROPERTIES), hidden=hidden)


def _part(archive: Archive, kind: str) -> Any | None:
    """The root of a part, whose name some programs number: «word/styles2.xml»."""
    named = (name for name in sorted(archive.names) if re.fullmatch(rf"word/{kind}\d*\.xml", name))
    return next((parse_xml(archive.read(name).replace(_STRICT, _USUAL)) for name in named), None)
