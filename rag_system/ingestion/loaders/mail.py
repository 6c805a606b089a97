"""Messages (EML, as RFC 5322 has them, and Outlook's MSG): what was said to whom and when.

Attachments become documents of their own (`opening.py`), of which the message tells the names.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_binary_file, policy
from email.header import Header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import parsedate_to_datetime
from itertools import chain
from textwrap import shorten
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED
from rag_system.ingestion.loaders.html import decode_markup, load_html
from rag_system.ingestion.loaders.source import FileSource, file_source
from rag_system.ingestion.loaders.txt import decode, text_blocks
from rag_system.ingestion.text import clean_line

__all__ = ["Attachment", "Mail", "load_mail", "read_mail"]

_HEADER_CHARS = 1_000  # of a list of names
_HEAD = (("De", "sender"), ("Para", "to"), ("CC", "cc"), ("Fecha", "date"))
_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")
_UTF8 = b"\xef\xbb\xbf"  # a mark that counts more than what a page says of itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A message."""

    subject: str = ""
    sender: str = ""
    to: str = ""
    cc: str = ""
    date: str = ""  # «03/02/2026 14:05»
    text: str = ""
    html: bytes = b""
    attachments: tuple[Attachment, ...] = ()


def load_mail(source: FileSource) -> ExtractedDocument:
    """A message: its subject, who wrote to whom and when, what its reader sees, and the names of what came with it."""
    mail = read_mail(source)
    body = load_html(file_source(mail.html, "")) if mail.html else None  # plain text beside it is seen by nobody
    subject = clean_line(mail.subject)
    head = [Block(kind=BlockKind.HEADING, text=subject, level=1)] if subject else []
    names = [("Adjuntos", ", ".join(each.name for each in mail.attachments))]
    for title, said in chain(((title, getattr(mail, field)) for title, field in _HEAD), names):
        if line := shorten(clean_line(said.replace('"', "")), _HEADER_CHARS, placeholder="…"):
            head.append(Block(kind=BlockKind.TEXT, text=f"{title}: {line}"))
    return ExtractedDocument(
        format="msg" if _is_msg(source) else "eml",
        blocks=(*head, *(body.blocks if body else text_blocks(mail.text))),
        pages=None,
        title=subject,
        hidden_pages=body.hidden_pages if body else (),
    )


def read_mail(source: FileSource) -> Mail:
    """A message with all that came with it. Raises `UnreadableFileError`."""
    with source.open() as stream:
        if _is_msg(source):
            return _read_msg(stream)
        return _read_eml(message_from_binary_file(stream, policy=policy.default))


def _is_msg(source: FileSource) -> bool:
    return source.head(4) == b"\xd0\xcf\x11\xe0"


# ---------------------------------------------------------------- EML


def _read_eml(message: Message) -> Mail:
    parts = list(_parts(message))
    pages = [part for part in parts if _is_body(part, "text/html")]
    texts = [part for part in parts if _is_body(part, "text/plain")]
    html = _UTF8 + "\n".join(map(_text, pages)).encode("utf-8", "replace") if pages else b""
    body = {*map(id, pages), *map(id, texts)}
    rest = [part for part in parts if id(part) not in body and not _is_shown(part, html)]
    return Mail(
        subject=_header(message, "subject"),
        sender=_header(message, "from"),
        to=_header(message, "to"),
        cc=_header(message, "cc"),
        date=_date(_header(message, "date")),
        text="\n\n".join(map(_text, texts)),
        html=html,
        attachments=tuple(Attachment(name=_name(part, at), data=_data(part)) for at, part in enumerate(rest, 1)),
    )


def _parts(message: Message) -> Iterator[Message]:
    """The leaves of a message; one that is attached to it is a leaf."""
    if message.get_content_maintype() != "multipart":
        yield message
        return
    payload = message.get_payload()
    for part in payload if isinstance(payload, list) else ():
        if isinstance(part, Message):
            yield from _parts(part)


def _is_body(part: Message, kind: str) -> bool:
    return part.get_content_type() == kind and part.get_content_disposition() != "attachment" and not _file_name(part)


def _is_shown(part: Message, html: bytes) -> bool:
    """What is no file to its reader: a picture of the page (a logo below a signature), what the sender is known by."""
    if part.get_content_type() in _SIGNATURES:
        return True
    shown = str(part.get("content-id", "")).strip("<> ")
    return bool(shown) and part.get_content_maintype() == "image" and f"cid:{shown}".encode() in html


def _header(message: Message, name: str) -> str:
    return _said(lambda: message.get(name))


def _file_name(part: Message) -> str:
    return _said(part.get_filename)


def _said(read: Callable[[], object]) -> str:
    """What a field says; nothing where the standard library's parser has met worse than it expects."""
    try:
        return str(read() or "")
    except (ValueError, IndexError, AttributeError, TypeError):
        return ""


def _name(part: Message, number: int) -> str:
    """As the sender called it; else a number with what its kind is called by."""
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0) if part.is_multipart() else None
        title = _header(inner, "subject") if isinstance(inner, Message) else ""
        return _file_name(part) or f"{clean_line(title) or f'mensaje {number}'}.eml"
    return _file_name(part) or f"adjunto {number}{mimetypes.guess_extension(part.get_content_type()) or ''}"


def _data(part: Message) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload(0) if part.is_multipart() else None
        return inner.as_bytes() if isinstance(inner, Message) else b""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: Message) -> str:
    data = _data(part)
    try:
        return data.decode(part.get_content_charset() or "utf-8")
    except (LookupError, ValueError):
        return decode(data)


def _date(written: str) -> str:
    try:
        return f"{parsedate_to_datetime(written):%d/%m/%Y %H:%M}"
    except (ValueError, TypeError, IndexError):
        return written


# ---------------------------------------------------------------- MSG (MS-OXMSG, MS-OXPROPS)

_SUBJECT, _SENDER, _ADDRESS, _TO, _CC, _TEXT, _HTML = "0037", "0C1A", "5D01", "0E04", "0E03", "1000", "1013"
_SENT, _DELIVERED = 0x0039, 0x0E06
_LONG_NAME, _SHORT_NAME, _CONTENT_ID, _DATA = "3707", "3704", "3712", "3701"
_SINCE_1601 = datetime(1601, 1, 1, tzinfo=UTC)
_TIME = 0x0040  # of a property: how many tenths of microseconds
_MOST_INSIDE = 3  # messages within messages


def _read_msg(stream: Any) -> Mail:
    import olefile

    try:
        with olefile.OleFileIO(stream) as container:
            return _message(_Folder(container, ()))
    except (OSError, ValueError, IndexError, KeyError):
        raise UnreadableFileError(DAMAGED) from None


class _Folder:
    """A message, or a file that came with it, in the container of an Outlook message."""

    def __init__(self, container: Any, place: tuple[str, ...]) -> None:
        self._container = container
        self._place = place

    def data(self, name: str, kind: str = "0102") -> bytes:
        """A property that has a stream of its own; nothing where there is none."""
        place = [*self._place, f"__substg1.0_{name}{kind}"]
        return bytes(self._container.openstream(place).read()) if self._container.exists(place) else b""

    def text(self, name: str) -> str:
        if wide := self.data(name, "001F"):
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        return decode(self.data(name, "001E")).rstrip("\0")

    def time(self, number: int) -> str:
        """When, from the properties that have no stream: 16 bytes each, after a head."""
        place = [*self._place, "__properties_version1.0"]
        table = self._container.openstream(place).read() if self._container.exists(place) else b""
        for at in range(len(table) % 16, len(table) - 15, 16):
            kind, found = int.from_bytes(table[at : at + 2], "little"), int.from_bytes(table[at + 2 : at + 4], "little")
            if (kind, found) == (_TIME, number):
                ticks = int.from_bytes(table[at + 8 : at + 16], "little")
                return f"{_SINCE_1601 + timedelta(microseconds=ticks // 10):%d/%m/%Y %H:%M}"
        return ""

    def folders(self, beginning: str) -> Iterator[_Folder]:
        """Those whose name begins so."""
        depth = len(self._place)
        for path in self._container.listdir(streams=False, storages=True):
            if len(path) == depth + 1 and tuple(path[:depth]) == self._place and path[depth].startswith(beginning):
                yield _Folder(self._container, tuple(path))

    @property
    def depth(self) -> int:
        return len(self._place)


def _message(folder: _Folder) -> Mail:
    html = folder.data(_HTML)
    sender, address = folder.text(_SENDER), folder.text(_ADDRESS)
    return Mail(
        subject=folder.text(_SUBJECT),
        sender=f"{sender} <{address}>" if address and address != sender else sender,
        to=folder.text(_TO),
        cc=folder.text(_CC),
        date=folder.time(_SENT) or folder.time(_DELIVERED),
        text=folder.text(_TEXT),
        html=html,
        attachments=tuple(_attachments(folder, html)),
    )


def _attachments(folder: _Folder, html: bytes) -> Iterator[Attachment]:
    for number, each in enumerate(folder.folders("__attach_version1.0_"), 1):
        shown = each.text(_CONTENT_ID).strip("<> ")
        if shown and f"cid:{shown}".encode() in html:
            continue
        inner = next(each.folders(f"__substg1.0_{_DATA}000D"), None)
        if inner is not None and inner.depth <= 2 * _MOST_INSIDE:
            mail = _message(inner)
            yield Attachment(name=f"{clean_line(mail.subject) or f'mensaje {number}'}.eml", data=_as_eml(mail))
        elif data := each.data(_DATA):
            yield Attachment(name=each.text(_LONG_NAME) or each.text(_SHORT_NAME) or f"adjunto {number}", data=data)


def _as_eml(mail: Mail) -> bytes:
    """A message that was within another, as a file."""
    message = MIMEMultipart()
    named = (("Subject", mail.subject), ("From", mail.sender), ("To", mail.to), ("Cc", mail.cc), ("Date", mail.date))
    for name, said in named:
        message.add_header(name, Header(clean_line(said)).encode())
    message.attach(MIMEText(mail.text, "plain", "utf-8"))
    if mail.html:
        message.attach(MIMEText(decode_markup(mail.html), "html", "utf-8"))
    for each in mail.attachments:
        file = MIMEApplication(each.data)
        file.add_header("Content-Disposition", "attachment", filename=("utf-8", "", clean_line(each.name)))
        message.attach(file)
    return message.as_bytes()
