"""Files that are ZIP archives inside (DOCX, PPTX, XLSX, ODF, EPUB): opened here alone, within limits.

Nothing is written to disk and no archive inside an archive is opened. The sizes that the directory of the archive
says are bounded together, and Python gives no more of a member than its size, in small pieces. XML that declares
entities is refused here, before any parser sees it: no office program writes any, and Python's own parser would expand
them.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, Any, Self

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["DAMAGED", "PROTECTED", "Archive", "declared_title", "load_archive", "member_names", "parse_xml"]

PROTECTED = "El documento está protegido con contraseña. Quítesela y vuelva a incorporarlo."
DAMAGED = "El documento está dañado: no se puede abrir. Ábralo en su programa, guárdelo de nuevo y reintente."
_TOO_LARGE = "El documento se expande más de lo permitido. Divídalo en partes."
_TOO_MANY = "El documento contiene demasiados archivos en su interior. Guárdelo de nuevo o divídalo en partes."
_ENTITIES = "El documento declara entidades XML, que no se admiten por seguridad. Guárdelo de nuevo en su programa."

_MAX_ENTRIES = 10_000  # a book of 1,000 pages with all its pictures has fewer
_MAX_EXPANDED_BYTES = 1024 * 1024 * 1024
_MAX_EXPANSION = 200  # the XML of an office document is compressed about tenfold, a sheet of equal rows fiftyfold
_FREE_BYTES = 64 * 1024 * 1024  # below this the ratio says nothing: a sheet of zeros is no bomb
_PIECE_BYTES = 256 * 1024
_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python inflates the others without a bound

_END, _END_64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_END_BYTES, _END_64_BYTES = 22, 56 + 20  # with the locator
_MAX_COMMENT_BYTES = 65_535
_MAX_DIRECTORY_BYTES = _MAX_ENTRIES * 512  # 46 for each entry, its name and its extra fields

_NAMED_IN_UTF8 = 0x800

_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_XML_SUFFIXES = frozenset({".xml", ".rels", ".opf", ".ncx", ".vml", ".rdf"})
_DECLARATION = "<!ENTITY"
_DECLARATIONS = tuple(_DECLARATION.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_OVERLAP_BYTES = 2 * len(_DECLARATION)
# Before the first «<» of a part of any name: by it XML is known, and HTML, which may declare no entities either.
_BLANKS = b"\xef\xbb\xbf\xff\xfe \t\r\n\0"


def member_names(source: FileSource) -> frozenset[str]:
    """The names inside, without inflating anything; a directory that is too long is refused unread."""
    with _opened(source) as archive:
        return frozenset(archive.namelist())


class Archive:
    """An archive within the limits. Use it in a `with`.

    is_document: it is one file to its reader, an office document or a book; else it holds files of any kind.
    """

    def __init__(self, source: FileSource, *, is_document: bool = True) -> None:
        self._zip = _opened(source)
        self._is_document = is_document
        self._damaged: set[str] = set()  # members that cannot be read: one picture or style sheet costs no text
        self._begun: set[str] = set()  # members of which only the start was read: they are no XML
        try:
            self._check(source.size)
        except BaseException:
            self._zip.close()
            raise
        self.names = frozenset(self._zip.namelist())
        self.expanded_bytes = sum(member.file_size for member in self._zip.infolist())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def files(self) -> Iterator[tuple[str, str]]:
        """Each file with the name by which it is read, and as its path is written, parted by «/»."""
        for member in self._zip.infolist():
            if not member.is_dir():
                yield member.filename, _written(member)

    def read(self, name: str) -> bytes:
        """A member, whole. Raises `UnreadableFileError` when there is none of that name."""
        return b"".join(self.pieces(name))

    def open(self, name: str) -> IO[bytes]:
        """A member as a stream."""
        if name in self._damaged:
            raise UnreadableFileError(DAMAGED)
        try:
            return self._zip.open(name)
        except (KeyError, zipfile.BadZipFile, OSError):
            raise UnreadableFileError(DAMAGED) from None

    def pieces(self, name: str) -> Iterator[bytes]:
        """A member in pieces of bounded size."""
        try:
            with self.open(name) as member:
                while piece := member.read(_PIECE_BYTES):
                    yield piece
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise UnreadableFileError(DAMAGED) from None

    def must_be_whole(self) -> None:
        """For a library that inflates the file by itself, a member at once: more than a size that lies, if it may."""
        for name in self._damaged | self._begun:
            deque(self.pieces(name), maxlen=0)

    def _check(self, size: int) -> None:
        members = self._zip.infolist()
        if len(members) > _MAX_ENTRIES:
            raise UnreadableFileError(_TOO_MANY)
        if any(member.flag_bits & 0x1 for member in members):
            raise UnreadableFileError(PROTECTED)
        if any(member.compress_type not in _BOUNDED for member in members):
            raise UnreadableFileError(DAMAGED)
        left = max(_FREE_BYTES, min(_MAX_EXPANDED_BYTES, _MAX_EXPANSION * size))
        if sum(member.file_size for member in members) > left:
            raise UnreadableFileError(_TOO_LARGE)
        for member in members if self._is_document else ():
            if not member.is_dir():
                self._check_entities(member.filename)

    def _check_entities(self, name: str) -> None:
        try:
            declares = self._declares_entities(name)
        except UnreadableFileError:
            self._damaged.add(name)
        else:
            if declares:
                raise UnreadableFileError(_ENTITIES)

    def _declares_entities(self, name: str) -> bool:
        xml, tail = PurePosixPath(name).suffix.lower() in _XML_SUFFIXES, b""
        begun = False  # something but blanks has come: any number of them may stand before it
        for piece in self.pieces(name):
            if not begun and (start := piece.lstrip(_BLANKS)):
                xml, begun = xml or start.startswith(b"<"), True
            if begun and not xml:
                self._begun.add(name)
                return False
            tail += piece
            if any(declaration in tail for declaration in _DECLARATIONS):
                return True
            tail = tail[-_OVERLAP_BYTES:]
        return False


def _written(member: zipfile.ZipInfo) -> str:
    """Python takes a name that is not marked as UTF-8 for cp437; it is UTF-8 anyway (macOS), or cp850 (Windows)."""
    if member.flag_bits & _NAMED_IN_UTF8:
        return member.filename
    name = member.filename.encode("cp437", "replace")
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name.decode("cp850")


def load_archive(_: FileSource) -> ExtractedDocument:
    """What it holds becomes documents, when it is accepted (`opening.py`); itself it is none."""
    raise UnsupportedFormatError("Es un archivo comprimido: no es un documento. Incorpore los que contiene.")


class _Zip(zipfile.ZipFile):
    """Closes the stream that it was given."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        super().__init__(stream)

    def close(self) -> None:
        super().close()
        self._stream.close()


def _opened(source: FileSource) -> zipfile.ZipFile:
    try:
        stream = source.open()
        try:
            _check_directory(stream)
            return _Zip(stream)
        except BaseException:
            stream.close()
            raise
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, EOFError):
        raise UnreadableFileError(DAMAGED) from None


def _check_directory(stream: IO[bytes]) -> None:
    """Python reads the whole directory to open an archive: its length is checked before."""
    size = stream.seek(0, io.SEEK_END)
    start = max(0, size - _MAX_COMMENT_BYTES - _END_BYTES - _END_64_BYTES)
    stream.seek(start)
    tail = stream.read()
    end = tail.rfind(_END)
    if end < 0:
        raise zipfile.BadZipFile
    (length,) = struct.unpack_from("<L", tail, end + 12)
    if end >= _END_64_BYTES and tail[end - 20 : end - 16] == _END_64_LOCATOR:
        (length,) = struct.unpack_from("<Q", tail, end - _END_64_BYTES + 40)
    if length > _MAX_DIRECTORY_BYTES:
        raise UnreadableFileError(_TOO_MANY)
    stream.seek(0)


def parse_xml(data: bytes) -> Any:
    """The root element. No entity is resolved, nothing is fetched, and libxml2's own limits on size and depth hold."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableFileError(DAMAGED) from None
    if root is None:
        raise UnreadableFileError(DAMAGED)
    return root


def declared_title(archive: Archive, part: str) -> str:
    """As the properties of a document declare it, which stand in a part of their own."""
    declared = parse_xml(archive.read(part)).iter(_TITLE) if part in archive else iter(())
    return clean_line(" ".join(element.text or "" for element in declared))
