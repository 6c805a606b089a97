"""Which format a file is: its content decides, its extension only breaks ties between kinds of text."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.loaders.source import Source

__all__ = ["SUPPORTED_EXTENSIONS", "detect_format"]

SUPPORTED_EXTENSIONS = (".pdf", ".docx", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text")

_HEAD_BYTES = 4096
_MARKUP = re.compile(rb"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_TEXT_FORMATS = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "txt",
    ".text": "txt",
    "": "txt",
    ".pdf": "txt",  # plain text under a wrong extension
    ".docx": "txt",
    ".doc": "txt",
}
_SIGNATURES = (
    (b"{\\rtf", "RTF"),
    (b"\x89PNG", "imagen"),
    (b"\xff\xd8\xff", "imagen"),
    (b"GIF8", "imagen"),
    (b"Rar!", "archivo comprimido"),
    (b"\x1f\x8b", "archivo comprimido"),
    (b"7z\xbc\xaf", "archivo comprimido"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def detect_format(source: Source) -> str:
    """«pdf», «docx», «html», «md» or «txt»."""
    if source.size == 0:
        raise UnreadableFileError("El archivo está vacío (0 bytes). Compruebe que se copió completo.")
    head = source.head(_HEAD_BYTES)
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _zip_format(source)
    if head.startswith(_OLE):
        raise _ole_error(source)
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            raise UnsupportedFormatError(f"Es {kind}, un formato que no se admite. {_ADVICE}")
    return _text_format(source, head)


_ADVICE = "Conviértalo a PDF, DOCX, HTML, Markdown o TXT."


def _text_format(source: Source, head: bytes) -> str:
    if source.extension == ".pdf" and (b"endobj" in head or b" obj" in head):
        return "pdf"  # its header is lost; pdfium may still rebuild it
    if _is_binary(head):
        if source.extension in (".pdf", ".docx"):
            raise UnreadableFileError(
                f"El archivo está dañado: no es un {source.extension[1:].upper()} válido. Consiga otra copia."
            )
        raise UnsupportedFormatError
    if _MARKUP.search(head[:2048]) and source.extension not in (".md", ".markdown"):
        return "html"
    try:
        return _TEXT_FORMATS[source.extension]
    except KeyError:
        raise UnsupportedFormatError(f"El formato {source.extension} no se admite. {_ADVICE}") from None


def _is_binary(head: bytes) -> bool:
    """Control bytes that no text encoding uses; UTF-16 announces itself."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return False
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    return controls > max(2, len(head) // 100)


def _zip_format(source: Source) -> str:
    try:
        with zipfile.ZipFile(source.path or io.BytesIO(source.read())) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise UnreadableFileError("El archivo está dañado: no se puede abrir. Consiga otra copia.") from None
    if "word/document.xml" in names or any(Path(name).match("word/document*.xml") for name in names):
        return "docx"
    raise UnsupportedFormatError(f"Es un archivo ZIP u ofimático que no se admite. {_ADVICE}")


def _ole_error(source: Source) -> UnreadableFileError | UnsupportedFormatError:
    """A binary container: a protected DOCX, or an Office file of the nineties."""
    encrypted = "EncryptedPackage".encode("utf-16-le")
    if encrypted in source.read():
        return UnreadableFileError("El documento está protegido con contraseña. Quítesela y vuelva a incorporarlo.")
    return UnsupportedFormatError("Es un documento de Office antiguo (.doc, .xls o .ppt). Guárdelo como DOCX o PDF.")
