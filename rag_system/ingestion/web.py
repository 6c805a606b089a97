"""A page of the web as a file on disk: follows redirects, keeps to limits, and trusts nothing that a server says."""

from __future__ import annotations

import codecs
import http.client
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from rag_system.errors import WebError
from rag_system.ingestion.addresses import Address, Reach, parse_address
from rag_system.ingestion.temporary import temporary_folder
from rag_system.ingestion.web_exchange import BUFFER_BYTES, Deadline, Route, WebLimits, exchange
from rag_system.ingestion.web_names import declared_extension, file_name, stored_path
from rag_system.settings import Settings

__all__ = ["Fetched", "fetch", "fetch_with"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_REFUSALS = {
    401: "La página pide iniciar sesión (401). Descárguela con su navegador e incorpore el archivo.",
    403: "El servidor no permite leer la página (403). Descárguela con su navegador e incorpore el archivo.",
    404: "La página no existe (404). Revise la dirección.",
    410: "La página ya no existe (410). Revise la dirección.",
    429: "El servidor recibió demasiadas consultas (429). Intente más tarde.",
}
_CUT = "La descarga se cortó antes de terminar. Intente de nuevo."


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page or file that was read from the web."""

    file: Path  # temporary: gone with the context
    path: str  # where it belongs in the collection, the same for an address each time
    url: str  # as it was asked for


def fetch_with(settings: Settings, url: str) -> AbstractContextManager[Fetched]:
    """`fetch` as the settings say: `LEGAJO_MAX_FILE_MB` and `LEGAJO_WEB_ALLOW`."""
    limits = WebLimits(max_bytes=settings.max_file_mb << 20)
    return fetch(url, limits=limits, route=Route(policy=Reach(allowed=settings.web_allow)))


@contextmanager
def fetch(url: str, *, limits: WebLimits, route: Route) -> Iterator[Fetched]:
    """Read `url` into a temporary file.

    Raises `WebError` for what cannot or may not be read, `UnsupportedFormatError` for what is no document.
    """
    asked = parse_address(url)
    with temporary_folder() as folder:
        yield _download(asked, folder, limits, route)


def _download(asked: Address, folder: Path, limits: WebLimits, route: Route) -> Fetched:
    try:
        with ExitStack() as stack:
            answer = _follow(asked, stack, limits, route)
            extension = answer.extension
            file = (folder / "documento").with_suffix(extension)
            with file.open("wb") as stream:
                _save(answer, stream, limits.max_bytes)
        if answer.media_type == "text/html":
            _mark_charset(file, answer.charset)
    except OSError as error:
        raise WebError(f"No se pudo guardar la página: {error.strerror or 'error de disco'}.") from error
    return Fetched(file=file, path=stored_path(asked, extension), url=asked.url)


@dataclass(frozen=True, slots=True)
class _Answer:
    """A response whose head has been read."""

    address: Address
    response: http.client.HTTPResponse

    def header(self, name: str) -> str:
        """Its text: `http.client` reads as Latin-1 what servers often send as UTF-8."""
        raw = self.response.headers.get(name, "").encode("latin-1", "replace")
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    @property
    def media_type(self) -> str:
        """In lower case, without parameters; empty where nothing is said."""
        return self.header("Content-Type").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The character encoding, as the server says; may be empty."""
        return self.response.headers.get_content_charset("")

    @property
    def extension(self) -> str:
        """What the file's name ends with, with its dot; empty where nothing tells."""
        name = file_name(self.address, self.header("Content-Disposition"))
        return declared_extension(self.media_type, name)


def _follow(asked: Address, stack: ExitStack, limits: WebLimits, route: Route) -> _Answer:
    """The answer at the end of the redirects; each is parsed, resolved and checked as if a person had typed it."""
    address, deadline = asked, Deadline(limits.total_s)
    for _ in range(limits.redirects + 1):
        with ExitStack() as attempt:
            response = attempt.enter_context(exchange(address, route=route, limits=limits, deadline=deadline))
            answer = _Answer(address, response)
            if response.status not in _REDIRECTS:
                _check(answer, limits.max_bytes)
                stack.push(attempt.pop_all())
                return answer
            address = address.follow(answer.header("Location"))
    raise WebError(f"La página lleva de una dirección a otra más de {limits.redirects} veces. No se siguió.")


def _check(answer: _Answer, max_bytes: int) -> None:
    status = answer.response.status
    if status >= 500:
        raise WebError(
            f"El servidor tiene un problema ({status}). Intente más tarde.", code="web_status", status=status
        )
    if status != 200:
        said = _REFUSALS.get(status, f"El servidor respondió {status} en lugar de la página.")
        raise WebError(said, code="web_status", status=status)
    if (answer.response.length or 0) > max_bytes:
        raise _too_large(max_bytes)


def _too_large(max_bytes: int) -> WebError:
    limit = max_bytes >> 20
    said = f"La página supera el límite de {limit} MB. Aumente LEGAJO_MAX_FILE_MB."
    return WebError(said, code="file_too_large", limit_mb=limit)


# ---------------------------------------------------------------- the body


def _save(answer: _Answer, stream: BinaryIO, max_bytes: int) -> None:
    encoding = answer.header("Content-Encoding").strip().lower()
    if encoding not in ("", "identity"):
        raise WebError(f"El servidor comprime la página con «{encoding[:20]}», que no se pidió ni se admite.")
    size = 0
    for part in _received(answer.response):
        size += stream.write(part)
        if size > max_bytes:
            raise _too_large(max_bytes)


def _received(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The body as it comes; one that ends before its announced length is an error."""
    announced, received = response.length or 0, 0  # counted here: older releases of Python 3.11 do not
    while part := response.read1(BUFFER_BYTES):
        received += len(part)
        yield part
    if received < announced:
        raise WebError(_CUT)


# ---------------------------------------------------------------- the character encoding


def _mark_charset(file: Path, charset: str) -> None:
    """Put the encoding that only the server told into the page, as a browser that saves it does.

    UTF-8 needs no mark, and many servers call their UTF-8 pages ISO-8859-1: what is UTF-8 stays so.
    """
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):  # unknown; or with a NUL
        return
    if name.startswith("utf") or _is_utf8(file):
        return
    page = file.rename(file.with_name("pagina"))
    with page.open("rb") as source, file.open("wb") as marked:
        marked.write(f'<meta charset="{name}">\n'.encode())
        shutil.copyfileobj(source, marked)


def _is_utf8(file: Path) -> bool:
    with file.open("rb") as stream:
        try:
            for _ in codecs.iterdecode(iter(partial(stream.read, BUFFER_BYTES), b""), "utf-8"):
                pass
        except UnicodeDecodeError:
            return False
    return True
