"""Which format a file is: its content decides, its extension only breaks ties between kinds of text."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.loaders.archive import DAMAGED, PROTECTED, member_names
from rag_system.ingestion.loaders.delimited import find_delimiter
from rag_system.ingestion.loaders.encodings import detect_encoding, is_utf16
from rag_system.ingestion.loaders.old_formats import OldFormatError
from rag_system.ingestion.loaders.source import FileSource

__all__ = ["IMAGE_FORMATS", "SUPPORTED_EXTENSIONS", "SUPPORTED_FORMATS", "detect_format", "is_heif"]

SUPPORTED_FORMATS = "PDF, DOCX, PPTX, XLSX, CSV, HTML, Markdown, TXT, EPUB, ODT o imágenes"  # as a sentence lists them
SUPPORTED_EXTENSIONS = (
    ".pdf .docx .docm .dotx .pptx .pptm .ppsx .xlsx .xlsm .xltx .csv .tsv .html .htm .xhtml .md .markdown .txt .text "
    ".epub .odt .ott .ods .odp .doc .dot .xls .xlt .xlsb .ppt .pps .pot .rtf .eml .msg .mht .mhtml .zip "
    ".png .jpg .jpeg .tif .tiff .gif .webp .bmp .heic .heif"
).split()
IMAGE_FORMATS = ("png", "jpeg", "tiff", "gif", "webp", "bmp", "heif")  # as an `ExtractedDocument` names them

_HEAD_BYTES = 4096
_CONTROLS = bytes((*range(9), *range(14, 27), *range(28, 32)))  # that no text encoding uses
_MARKUP = re.compile(r"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_FRAGMENT = re.compile(r"\s*(?=<).*?<(?:table|tr|div|p|meta|style|center|font|h[1-6])[\s>]", re.IGNORECASE | re.DOTALL)
_OFFICE_XML = re.compile(
    r"<\?mso-application\b|<pkg:package\b|<(?:\w+:)?Workbook\b[^>]*office:spreadsheet|<w:wordDocument\b"
)
_FIELD = re.compile(r"[!-9;-~]{1,76}:|[ \t]")
_FIELDS = frozenset("from to subject date received message-id mime-version return-path delivered-to".split())
_SUFFIXES = {"md": ".md .markdown", "html": ".html .htm .xhtml", "txt": ".txt .text", "csv": ".csv .tsv .tab"}
_TEXT_FORMATS = {"": "txt"} | {suffix: name for name, several in _SUFFIXES.items() for suffix in several.split()}
_OFFICE_EXTENSIONS = frozenset(
    ".pdf .docx .docm .doc .pptx .pptm .ppt .xlsx .xlsm .xls .epub .odt .ods .odp".split()
)  # plain text under such a name is read as text, or as the table that «.xls» exports often are
_SHEET_EXTENSIONS = frozenset((".xlsx", ".xlsm", ".xls", ".ods"))

_ADVICE = f"Conviértalo a {SUPPORTED_FORMATS}."
_PACKED = "Es un archivo comprimido. Descomprímalo e incorpore los documentos que contiene."
_PACKERS = (b"Rar!", b"\x1f\x8b", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ\x00")

_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*")
_HEIF_KINDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")  # ISO/IEC 23008-12

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_KINDS = (
    ("WordDocument", "doc", "docx"),
    ("Workbook", "xls", "xlsx"),
    ("Book", "xls", "xlsx"),  # of Excel 5
    ("PowerPoint Document", "ppt", "pptx"),
)

_MIME_TYPES = (  # the first member of an OpenDocument or EPUB file holds one, stored as it is
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"application/vnd.oasis.opendocument.presentation", "odp"),
    (b"application/epub+zip", "epub"),
)
_MIME_HEADER = b"mimetype"


def detect_format(source: FileSource) -> str:
    """The name of a loader («pdf», «docx», …), or «zip» for an archive of anything.

    Raises `OldFormatError` for what LibreOffice has to make one of these, and `UnsupportedFormatError` for the rest.
    """
    if source.size == 0:
        raise UnreadableFileError("El archivo está vacío (0 bytes). Compruebe que se copió completo.")
    head = source.head(_HEAD_BYTES)
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_format(source, head)
    if head.startswith(_OLE):
        return _ole_format(source)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if head.startswith(_PACKERS):
        raise UnsupportedFormatError(_PACKED)
    if _is_image(head):
        return "image"
    return _text_format(source, head)


def _is_image(head: bytes) -> bool:
    return (
        head.startswith(_IMAGES)
        or is_heif(head)
        or (head.startswith(b"RIFF") and head[8:12] == b"WEBP")
        or (head.startswith(b"BM") and head[6:10] == bytes(4))  # «BM» alone may begin a text
    )


def is_heif(head: bytes) -> bool:
    """Whether a file begins as HEIC does."""
    return head[4:8] == b"ftyp" and head[8:12] in _HEIF_KINDS


def _text_format(source: FileSource, head: bytes) -> str:
    if source.extension == ".pdf" and (b"endobj" in head or b" obj" in head):
        return "pdf"  # its header is lost; pdfium may still rebuild it
    if _is_binary(head):
        if source.extension in SUPPORTED_EXTENSIONS and source.extension in _OFFICE_EXTENSIONS:
            raise UnreadableFileError(
                f"El archivo está dañado: no es un {source.extension[1:].upper()} válido. Consiga otra copia."
            )
        raise UnsupportedFormatError(f"El formato del archivo no se admite. {_ADVICE}")
    text = head.decode(detect_encoding(head), errors="replace")
    if source.extension in (".eml", ".mht", ".mhtml") or _is_mail(text):
        return "eml"
    if _MARKUP.search(text[:2048]) and source.extension not in (".md", ".markdown", ".csv", ".tsv"):
        return "html"
    if source.extension in _OFFICE_EXTENSIONS:
        if _OFFICE_XML.search(text):
            raise OldFormatError("doc", "docx") if "wordDocument" in text else OldFormatError("xls", "xlsx")
        if _FRAGMENT.match(text):
            return "html"  # as many programs «export to Excel»
        return "csv" if source.extension in _SHEET_EXTENSIONS and find_delimiter(text) else "txt"
    try:
        return _TEXT_FORMATS[source.extension]
    except KeyError:
        raise UnsupportedFormatError(f"El formato {source.extension} no se admite. {_ADVICE}") from None


def _is_mail(text: str) -> bool:
    """Whether it begins with fields, two of which tell a message."""
    lines = text.partition("\n\n" if "\n\n" in text else "\r\n\r\n")[0].splitlines()
    names = {line.partition(":")[0].lower() for line in lines if line[:1] not in " \t"}
    return len(names & _FIELDS) > 1 and all(_FIELD.match(line) for line in lines[:-1])


def _is_binary(head: bytes) -> bool:
    """Control bytes; UTF-16 announces itself by its mark or its zeros."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or is_utf16(head):
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > max(2, len(head) // 100)


def _zip_format(source: FileSource, head: bytes) -> str:
    if head[30:].startswith(_MIME_HEADER):
        declared = head[30 + len(_MIME_HEADER) :]
        for mime_type, name in _MIME_TYPES:
            if declared[: len(mime_type) + 64].find(mime_type) >= 0:
                return name
    names = member_names(source)
    for name, format_name in (
        ("META-INF/container.xml", "epub"),
        ("xl/workbook.xml", "xlsx"),
        ("ppt/presentation.xml", "pptx"),
    ):
        if name in names:
            return format_name
    if any(Path(name).match("word/document*.xml") for name in names):
        return "docx"
    if "xl/workbook.bin" in names:
        raise OldFormatError("xlsb", "xlsx")
    if refused := _unsupported_zip(names):
        raise UnsupportedFormatError(refused)
    return "zip"


def _unsupported_zip(names: frozenset[str]) -> str:
    if any(name.startswith("Index/") and name.endswith(".iwa") for name in names) or "Index.zip" in names:
        return "Es un documento de iWork (Pages, Numbers o Keynote). Expórtelo como PDF, DOCX, XLSX o PPTX."
    if "[Content_Types].xml" in names or "content.xml" in names:
        return f"Es un documento ofimático que no se admite. {_ADVICE}"
    return ""


def _ole_format(source: FileSource) -> str:
    """A binary container: a protected Office file, or one of the nineties. Only its directory is read."""
    import olefile

    try:
        with source.open() as stream, olefile.OleFileIO(stream) as container:
            names = {path[0] for path in container.listdir(storages=True)}
    except (OSError, ValueError, IndexError, struct.error):
        raise UnreadableFileError(DAMAGED) from None
    if "__properties_version1.0" in names:
        return "msg"
    if "EncryptedPackage" in names:
        raise UnreadableFileError(PROTECTED)
    for stream_name, kind, target in _OLE_KINDS:
        if stream_name in names:
            raise OldFormatError(kind, target)
    raise UnsupportedFormatError(f"El formato del archivo no se admite. {_ADVICE}")
