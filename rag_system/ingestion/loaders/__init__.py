"""One small module a format, behind one protocol; `extract` chooses by content.

`extract` runs in this process: files from outside go through `rag_system.ingestion.extraction.extract_safely`.
"""

from __future__ import annotations

from pathlib import Path

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.sniff import SUPPORTED_EXTENSIONS, detect_format
from rag_system.ingestion.loaders.source import Loader, Source

__all__ = ["SUPPORTED_EXTENSIONS", "extract"]


def extract(source: Path | bytes, *, name: str = "") -> ExtractedDocument:
    """Read a file, or the bytes of an upload called `name`."""
    opened = Source(name, None, source) if isinstance(source, bytes) else Source(name or source.name, source)
    try:
        return _loader(detect_format(opened))(opened)
    except OSError as error:
        raise UnreadableFileError(f"No se pudo leer el archivo: {error.strerror or 'error de disco'}.") from error


def _loader(format_name: str) -> Loader:
    """Import only the format asked for: pdfium, lxml and python-docx are not small."""
    if format_name == "pdf":
        from rag_system.ingestion.loaders.pdf import load_pdf as loader
    elif format_name == "docx":
        from rag_system.ingestion.loaders.docx import load_docx as loader
    elif format_name == "html":
        from rag_system.ingestion.loaders.html import load_html as loader
    elif format_name == "md":
        from rag_system.ingestion.loaders.markdown import load_markdown as loader
    else:
        from rag_system.ingestion.loaders.txt import load_txt as loader
    return loader
