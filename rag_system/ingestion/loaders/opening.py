"""What is done with a file before it is accepted: an archive or a message gives the files that it holds, and a PDF is
opened with its password.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_system.errors import IngestionError, PasswordNeededError, PasswordRefusedError, UnreadableFileError
from rag_system.ingestion.loaders.archive import Archive
from rag_system.ingestion.loaders.pdf_opening import UNKNOWN_LOCK, WRONG_PASSWORD, open_pdf, refusal
from rag_system.ingestion.loaders.sniff import detect_format
from rag_system.ingestion.loaders.source import FileSource

__all__ = ["Inside", "Member", "look_inside"]

_REMOVE_SECURITY = 3  # FPDF_REMOVE_SECURITY
_IDENTITY = re.compile(rb"/ID ?\[<[0-9A-Fa-f]*>\s*<[0-9A-Fa-f]*>\]")  # pdfium makes a part of it up, anew each time
_NO_IDENTITY = b"/ID[<%b><%b>]" % (b"0" * 32, b"0" * 32)
_TRAILER_BYTES = 2_048
_LOCKED_OTHERWISE = "El PDF está protegido de un modo que no se admite. Guárdelo sin protección."


@dataclass(frozen=True, slots=True)
class Member:
    """A file that is inside of another."""

    name: str  # a path, parted by «/»; not to be trusted. Empty: the file itself, without its lock
    pieces: Iterable[bytes]


@dataclass(frozen=True, slots=True)
class Inside:
    """What a file holds. kind: «archive», «mail», «unlocked», or empty: it is a document and nothing else."""

    kind: str = ""
    members: Iterable[Member] = ()


def look_inside(source: FileSource, *, password: str = "") -> Inside:
    """What a file holds. One whose format is not known is a document: the reason is told when it is read.

    Raises `PasswordNeededError` and `PasswordRefusedError` for a PDF, `UnreadableFileError` for what is damaged.
    """
    try:
        kind = detect_format(source)
    except IngestionError:
        return Inside()
    if kind == "zip":
        return Inside("archive", _archived(source))
    if kind in ("eml", "msg"):
        from rag_system.ingestion.loaders.mail import read_mail  # with all that reads HTML

        attachments = read_mail(source).attachments
        return Inside("mail", [Member(each.name, [each.data]) for each in attachments])
    return _unlocked(source, password) if kind == "pdf" else Inside()


def _archived(source: FileSource) -> Iterator[Member]:
    with Archive(source, is_document=False) as archive:
        for name, path in archive.files():
            yield Member(path, archive.pieces(name))


def _unlocked(source: FileSource, password: str) -> Inside:
    import pypdfium2

    try:
        with source.open() as stream:
            open_pdf(stream).close()
    except pypdfium2.PdfiumError as error:
        if refusal(error) == UNKNOWN_LOCK:
            raise UnreadableFileError(_LOCKED_OTHERWISE) from None
        if refusal(error) != WRONG_PASSWORD:
            return Inside()  # damaged: the reading mends it, or tells
    else:
        return Inside()
    if not password:
        raise PasswordNeededError
    with source.open() as stream:
        try:
            document = open_pdf(stream, password=password)
        except pypdfium2.PdfiumError:
            raise PasswordRefusedError from None
        try:
            document.save(copy := io.BytesIO(), flags=_REMOVE_SECURITY)
        finally:
            document.close()
    return Inside("unlocked", [Member("", [_alike(copy.getvalue())])])


def _alike(data: bytes) -> bytes:
    """The same bytes each time that the same file is opened: else it would count as changed."""
    tail = len(data) - _TRAILER_BYTES if len(data) > _TRAILER_BYTES else 0
    return data[:tail] + _IDENTITY.sub(_NO_IDENTITY, data[tail:])
