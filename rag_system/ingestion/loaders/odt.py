"""ODT: paragraphs, lists and tables in document order; headings as LibreOffice marks them.

Headers and footers stand in a part of their own and are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import Archive, declared_title
from rag_system.ingestion.loaders.html import page_lines
from rag_system.ingestion.loaders.odf import META, body, roots
from rag_system.ingestion.loaders.odf_page import OdfPage
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.structure import unpaged

__all__ = ["load_odt"]


def load_odt(source: FileSource) -> ExtractedDocument:
    """A text document of LibreOffice or another office; it has no pages."""
    with Archive(source) as archive:
        root, text = body(archive, "office:text")
        lines, hidden = page_lines(OdfPage(roots(archive, root)).html(text))
        return unpaged("odt", lines, title=declared_title(archive, META), hidden=hidden)
