"""One small module a format, behind one protocol; `extract` chooses by content.

`extract` runs in this process: files from outside go through `rag_system.ingestion.extraction.extract_safely`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.handover import HandedFile
from rag_system.ingestion.installing import INSTALL_HEIC
from rag_system.ingestion.loaders.archive import DAMAGED
from rag_system.ingestion.loaders.ocr import OcrOptions
from rag_system.ingestion.loaders.sniff import SUPPORTED_EXTENSIONS, detect_format
from rag_system.ingestion.loaders.source import DEFAULT_OCR, FileSource, file_source, wait_for_nobody

__all__ = ["SUPPORTED_EXTENSIONS", "OcrOptions", "extract", "file_source"]


def extract(
    source: Path | bytes | HandedFile,
    *,
    name: str = "",
    ocr: OcrOptions = DEFAULT_OCR,
    office: bool = False,
    more_time: Callable[[float], None] = wait_for_nobody,
) -> ExtractedDocument:
    """Read a file, one that was handed over, or the bytes of an upload, both called `name`.

    ocr: of scanned pages; office: whether LibreOffice is there for what it reads better (`OldFormatError`).
    more_time: told before a step that takes long how many seconds it may take.
    """
    try:
        opened = replace(file_source(source, name), ocr=ocr, office=office, more_time=more_time)
        return _loader(detect_format(opened))(opened)
    except ImportError as error:
        raise UnreadableFileError(_missing(error)) from error
    except OSError as error:
        if error.errno is None:  # raised by a library, of what is in the file
            raise UnreadableFileError(DAMAGED) from None
        raise UnreadableFileError(f"No se pudo leer el archivo: {error.strerror or 'error de disco'}.") from error


_LOADERS = {  # format → module and function
    "pdf": ("pdf", "load_pdf"),
    "docx": ("docx", "load_docx"),
    "pptx": ("pptx", "load_pptx"),
    "xlsx": ("xlsx", "load_xlsx"),
    "odt": ("odf_page", "load_odt"),
    "ods": ("ods", "load_ods"),
    "odp": ("odp", "load_odp"),
    "epub": ("epub", "load_epub"),
    "image": ("image", "load_image"),
    "csv": ("delimited", "load_delimited"),
    "html": ("html", "load_html"),
    "md": ("markdown", "load_markdown"),
    "txt": ("txt", "load_txt"),
    "rtf": ("old_formats", "load_rtf"),
    "eml": ("mail", "load_mail"),
    "msg": ("mail", "load_mail"),
    "zip": ("archive", "load_archive"),
}


def _missing(error: ImportError) -> str:
    """What to install."""
    module = (error.name or "").partition(".")[0]
    if module == "pillow_heif":
        return f"Para leer fotografías HEIC falta un paquete. Instálelo con «{INSTALL_HEIC}», o guárdela como JPG."
    return f"Para leer este formato falta «{module}». Ejecute «scripts/setup» y vuelva a incorporar el archivo."


def _loader(format_name: str) -> Callable[[FileSource], ExtractedDocument]:
    """Import only the format asked for: pdfium, lxml and the office libraries are not small.

    A loader raises `UnreadableFileError` with a sentence for the person.
    """
    module, function = _LOADERS[format_name]
    loader: Callable[[FileSource], ExtractedDocument] = getattr(import_module(f"{__name__}.{module}"), function)
    return loader
