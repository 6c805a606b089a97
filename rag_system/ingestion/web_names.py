"""What a page is called: the format it claims, its file name, and the place it keeps in the collection."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from email.message import Message
from pathlib import PurePosixPath
from urllib.parse import unquote

from rag_system.errors import UnsupportedFormatError
from rag_system.ingestion.addresses import Address
from rag_system.ingestion.loaders.sniff import SUPPORTED_EXTENSIONS

__all__ = ["WEB", "declared_extension", "file_name", "stored_path"]

WEB = "web"  # the folder that pages go to; below it, one for each server
LONGEST_PART = 80  # bytes of UTF-8 of a part of a stored path
MOST_PARTS = 8  # with the server, whose name has 253 at most (RFC 1035), less than a path may have

_TEXTS = (".txt", ".text", ".md", ".markdown", ".csv", ".tsv")
_OFFICE = "application/vnd.openxmlformats-officedocument."
# What may stand behind a media type; the first serves where the name has none of them.
_EXTENSIONS = {
    "text/html": (".html", ".htm", ".xhtml"),
    "application/xhtml+xml": (".xhtml", ".html", ".htm"),
    "application/pdf": (".pdf",),
    "application/x-pdf": (".pdf",),
    "application/epub+zip": (".epub",),
    "application/vnd.oasis.opendocument.text": (".odt",),
    f"{_OFFICE}wordprocessingml.document": (".docx",),
    f"{_OFFICE}presentationml.presentation": (".pptx",),
    f"{_OFFICE}spreadsheetml.sheet": (".xlsx",),
    "text/markdown": (".md", ".markdown"),
    "text/csv": (".csv", ".tsv"),
    "text/tab-separated-values": (".tsv",),
    "text/plain": _TEXTS,
}
# Said by servers that do not know what they send: the name and the content tell.
_VAGUE = re.compile(
    r"(?:application/(?:octet-stream|binary|(?:x-)?(?:force-)?download|x-unknown)|binary/.*|unknown/.*|)"
)


def declared_extension(media_type: str, name: str) -> str:
    """The extension, with its dot, of a file called `name` that is sent as `media_type`; empty where both are vague.

    Raises `UnsupportedFormatError` for a type that is none of a document's.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if _VAGUE.fullmatch(media_type):
        return suffix if suffix in SUPPORTED_EXTENSIONS else ""
    fitting = [each for each in _EXTENSIONS.get(media_type, ()) if each in SUPPORTED_EXTENSIONS]
    if not fitting:
        raise UnsupportedFormatError(f"La dirección lleva a un archivo «{media_type}», un formato que no se admite.")
    return suffix if suffix in fitting else fitting[0]


def file_name(address: Address, disposition: str | None) -> str:
    """What the server calls the file (`Content-Disposition`, RFC 6266), else the last part of the address."""
    name = _declared_name(disposition) if disposition else ""
    return _clean(name.replace("\\", "/").rpartition("/")[2]) or _parts(address)[-1]


def stored_path(address: Address, extension: str) -> str:
    """`web/<server>/<path>`: the same for an address each time, whatever the server calls the file.

    A query, and a path that is too long or odd to be kept as it is, leave a short hash in the name.
    """
    parts = _parts(address)
    kept = [*parts[: MOST_PARTS - 1], parts[-1]] if len(parts) > MOST_PARTS else parts
    kept = [part.encode()[:LONGEST_PART].decode(errors="ignore") for part in kept]
    stem, suffix = kept[-1], ""
    if stem.lower().endswith(extension):
        stem, suffix = stem[: len(stem) - len(extension)], stem[len(stem) - len(extension) :]
    if address.query or "/".join(kept) != _readable(address):
        stem += "-" + hashlib.sha256(address.target.encode()).hexdigest()[:8]
    server = address.authority.replace(":", "_").strip("[]").replace("]", "")
    return "/".join([WEB, server, *kept[:-1], stem + (suffix or extension)])


def _readable(address: Address) -> str:
    path = unicodedata.normalize("NFC", unquote(address.path).strip("/"))
    return path or "index"


def _parts(address: Address) -> list[str]:
    """The path's parts as file names; a server's front page is its «index»."""
    return [part for each in _readable(address).split("/") if (part := _clean(each))] or ["index"]


def _clean(name: str) -> str:
    """A name without control characters, separators and leading dots; empty for «..»."""
    letters = (
        c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c)[0] != "C" and c not in '/\\:*?"<>|'
    )
    return " ".join("".join(letters).split()).lstrip(". ")


def _declared_name(disposition: str) -> str:
    message = Message()
    message["Content-Disposition"] = re.sub(r"[\r\n]", " ", disposition)
    return message.get_filename("")
