"""Reading pages of a real server on this machine, through a resolver that sends every name to it."""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from assistant.ingesting import take_in
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import UnsupportedFormatError, WebError
from rag_system.ingestion.addresses import Address, IpAddress, Reach
from rag_system.ingestion.loaders import extract
from rag_system.ingestion.web import Fetched, fetch
from rag_system.ingestion.web_exchange import Route, WebLimits
from rag_system.settings import Settings
from tests.fakes.web_server import HERE, PAGE, HereToo, Page, Visit, WebServer, certificate, running
from tests.indexing import opened_project

NEIGHBOUR = "127.0.0.2"  # this machine, too
LIMITS = WebLimits(max_bytes=1 << 20)
SMALL = WebLimits(max_bytes=1 << 20, connect_s=5, read_s=0.05, total_s=5)


@dataclass(kw_only=True)
class Names:
    """A resolver: every name is here, unless it has addresses of its own. Remembers what it was asked."""

    known: dict[str, list[Sequence[str]]] = field(default_factory=dict)  # of each name, an answer each time
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        if host == "no-existe.pe":
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        answers = self.known.get(host, [[HERE]])
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.fixture
def names() -> Names:
    return Names()


@pytest.fixture
def route(names: Names) -> Route:
    return Route(policy=HereToo(), resolver=names)


@pytest.fixture
def pages() -> dict[str, Page]:
    return {"/": Visit.answer}


@pytest.fixture
def web(pages: dict[str, Page]) -> Iterator[WebServer]:
    with running(pages) as started:
        yield started


@dataclass(frozen=True)
class Read:
    """What was read, kept beyond its temporary file."""

    page: Fetched
    body: bytes


Reader = Callable[..., Read]


@pytest.fixture
def read(web: WebServer, route: Route) -> Reader:
    """Reads an address of the server; `{port}` stands for its port."""

    def reader(path: str, *, limits: WebLimits = LIMITS, route: Route = route) -> Read:
        url = (path if "://" in path else "http://www.gob.pe:{port}" + path).replace("{port}", str(web.port))
        with fetch(url, limits=limits, route=route) as page:
            return Read(page, page.file.read_bytes())

    return reader


def complaint(read: Reader, path: str, **options: object) -> str:
    with pytest.raises(WebError) as caught:
        read(path, **options)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text


# ---------------------------------------------------------------- what is read


def test_a_page_is_read_with_its_name_and_place(read: Reader, web: WebServer, pages: dict[str, Page]) -> None:
    pages["/normas/ley?id=29733"] = Visit.answer
    result = read("/normas/ley?id=29733")
    assert result.body == PAGE
    assert result.page.path.startswith(f"web/www.gob.pe_{web.port}/normas/ley-")
    assert result.page.file.suffix == ".html"
    assert not result.page.file.exists()
    assert (web.asked, web.heads[0]["Host"]) == (["/normas/ley?id=29733"], f"www.gob.pe:{web.port}")


def test_a_page_goes_through_the_loaders(web: WebServer, route: Route) -> None:
    with fetch(f"http://www.gob.pe:{web.port}/", limits=LIMITS, route=route) as page:
        document = extract(page.file)
    assert (document.format, document.title) == ("html", "Ley 29733")
    assert any("diez días hábiles" in block.text for block in document.blocks)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("iso-8859-15", "ISO-8859-15"),
        ("windows-1252", "windows-1252"),
        ("cp850", "IBM850"),  # nobody would guess it
        ("utf-8", "utf-8"),
        ("utf-8", "ISO-8859-1"),  # what many servers say of every page
        ("utf-8", "nada\0"),
        ("utf-16", "utf-16"),
    ],
)
def test_the_encoding_that_only_the_head_tells_is_kept(
    web: WebServer, pages: dict[str, Page], route: Route, written: str, said: str
) -> None:
    body = "<html><body><h1>Protección</h1><p>El plazo que señala la norma es de diez días hábiles.</p></body></html>"
    kind = {"Content-Type": f"text/html; charset={said}"}
    pages["/"] = lambda visit: visit.answer(body.encode(written), headers=kind)
    with fetch(f"http://www.gob.pe:{web.port}/", limits=LIMITS, route=route) as page:
        assert any("señala" in block.text for block in extract(page.file).blocks)


def test_a_disk_that_is_full_is_told(web: WebServer, route: Route, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "open", full)
    with (
        pytest.raises(WebError, match="No se pudo guardar"),
        fetch(f"http://www.gob.pe:{web.port}/", limits=LIMITS, route=route),
    ):
        pass


def test_a_page_in_chunks_is_read(read: Reader, pages: dict[str, Page]) -> None:
    def chunks(visit: Visit) -> None:
        visit.send_response(200)
        visit.send_header("Transfer-Encoding", "chunked")
        visit.end_headers()
        for at in range(0, len(PAGE), 50):
            part = PAGE[at : at + 50]
            visit.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        visit.wfile.write(b"0\r\n\r\n")

    pages["/"] = chunks
    assert read("/").body == PAGE


def test_a_page_without_a_length_ends_with_the_connection(read: Reader, pages: dict[str, Page]) -> None:
    def endless(visit: Visit) -> None:
        visit.send_response(200)
        visit.end_headers()
        visit.wfile.write(PAGE)

    pages["/"] = endless
    assert read("/").body == PAGE


def test_what_comes_after_the_announced_length_is_not_read(read: Reader, pages: dict[str, Page]) -> None:
    kind = {"Content-Type": "text/plain"}
    pages["/"] = lambda visit: visit.answer(b"0123456789", headers=kind, length=4)
    assert read("/").body == b"0123"


def test_a_file_is_what_the_server_calls_it_and_kept_by_its_address(read: Reader, pages: dict[str, Page]) -> None:
    head = {"Content-Type": "application/octet-stream", "Content-Disposition": 'attachment; filename="Ley Nº 3.pdf"'}
    pages["/descarga"] = lambda visit: visit.answer(
        b"%PDF-1.7", headers={k: v.encode().decode("latin-1") for k, v in head.items()}
    )
    page = read("/descarga").page
    assert (page.file.suffix, page.path.rpartition("/")[2]) == (".pdf", "descarga.pdf")


# ---------------------------------------------------------------- redirects


def redirect(to: str, status: int = 302) -> Page:
    return lambda visit: visit.answer(b"", status=status, headers={"Location": to})


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_the_place_stays(
    read: Reader, web: WebServer, pages: dict[str, Page], names: Names, status: int
) -> None:
    pages |= {"/a": redirect("//otro.gob.pe:{port}/b".replace("{port}", str(web.port)), status), "/b": Visit.answer}
    page = read("/a").page
    assert page.path == f"web/www.gob.pe_{web.port}/a.html"
    assert web.asked == ["/a", "/b"]
    assert names.asked == ["www.gob.pe", "otro.gob.pe"]


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", "dirección privada"),
        ("http://[::1]/", "dirección privada"),
        ("http://interno.pe/", "dirección privada"),
        ("http://2130706433/", "no es válida"),
        ("file:///etc/passwd", "No es una dirección web"),
        ("http://ana:clave@www.gob.pe/", "usuario o contraseña"),
        ("/", "más de 5 veces"),
        ("", "más de 5 veces"),
    ],
)
def test_a_redirect_is_checked_like_any_address(
    read: Reader, web: WebServer, pages: dict[str, Page], names: Names, to: str, reason: str
) -> None:
    names.known["interno.pe"] = [["10.0.0.7"]]
    pages["/"] = redirect(to)
    assert reason in complaint(read, "/")
    assert len(web.asked) == (6 if "veces" in reason else 1)


# ---------------------------------------------------------------- where connections go


def test_an_address_is_connected_to_as_it_was_checked(read: Reader, web: WebServer, names: Names) -> None:
    """A name that answers with a permitted address first and a private one afterwards."""
    names.known["cambia.pe"] = [[HERE], [NEIGHBOUR]]
    with running({"/": Visit.answer}, host=NEIGHBOUR, port=web.port) as private:
        assert read("http://cambia.pe:{port}/").body == PAGE
        assert (names.asked, private.asked) == (["cambia.pe"], [])
        assert "dirección privada" in complaint(read, "http://cambia.pe:{port}/")
        assert (len(web.asked), private.asked) == (1, [])


@pytest.mark.parametrize("found", [[NEIGHBOUR], [HERE, NEIGHBOUR], ["::ffff:127.0.0.2"], ["fe80::1%1"], ["0.0.0.0"]])  # noqa: S104
def test_one_private_address_of_a_name_is_enough(read: Reader, web: WebServer, names: Names, found: list[str]) -> None:
    names.known["interno.pe"] = [found]
    assert "dirección privada" in complaint(read, "http://interno.pe:{port}/")
    assert web.asked == []


def test_the_next_address_of_a_name_is_tried(read: Reader, names: Names, route: Route) -> None:
    class Loopback(Reach):
        def check(self, address: Address, ip: IpAddress) -> None:
            """Anything of this machine; nobody listens on `NEIGHBOUR`."""

    names.known["dos.pe"] = [[NEIGHBOUR, HERE]]
    assert read("http://dos.pe:{port}/", route=replace(route, policy=Loopback())).body == PAGE


def test_a_proxy_of_the_environment_is_not_asked(read: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    with running({}) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://{HERE}:{proxy.port}")
        assert read("/").body == PAGE
        assert proxy.asked == []


def test_a_server_that_is_not_there_is_told(read: Reader, route: Route) -> None:
    assert "No existe el servidor «no-existe.pe»" in complaint(read, "http://no-existe.pe/")
    with socket.create_server((HERE, 0)) as unused:
        port = unused.getsockname()[1]
    assert "no acepta la conexión" in complaint(read, f"http://www.gob.pe:{port}/")


# ---------------------------------------------------------------- certificates


@pytest.fixture
def secure(tmp_path: Path, pages: dict[str, Page], names: Names) -> Iterator[tuple[WebServer, Route]]:
    """A server with a certificate of `www.gob.pe`, and a route that trusts it."""
    file = certificate(tmp_path, "www.gob.pe")
    own, trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=str(file))
    own.load_cert_chain(file)
    with running(pages, tls=own) as started:
        yield started, Route(policy=HereToo(), resolver=names, tls=trusted)


def secure_complaint(url: str, route: Route) -> str:
    with pytest.raises(WebError) as caught, fetch(url, limits=LIMITS, route=route):
        pass
    return str(caught.value)


def test_a_certificate_is_checked_against_the_name(secure: tuple[WebServer, Route]) -> None:
    web, route = secure
    with fetch(f"https://www.gob.pe:{web.port}/", limits=LIMITS, route=route) as page:
        assert page.file.read_bytes() == PAGE
    for host in ("otro.gob.pe", HERE):
        assert "El certificado de" in secure_complaint(f"https://{host}:{web.port}/", route)
    assert web.asked == ["/"]


def test_a_certificate_of_nobody_known_is_refused(secure: tuple[WebServer, Route]) -> None:
    web, route = secure
    assert "no es válido" in secure_complaint(f"https://www.gob.pe:{web.port}/", replace(route, tls=None))
    assert web.asked == []


def test_a_server_without_encryption_is_told(web: WebServer, route: Route) -> None:
    assert "conexión segura" in secure_complaint(f"https://www.gob.pe:{web.port}/", route)


def test_a_secure_page_that_leads_to_an_open_one_is_not_followed(
    secure: tuple[WebServer, Route], pages: dict[str, Page]
) -> None:
    web, route = secure
    pages["/"] = redirect("http://www.gob.pe/")
    assert "https" in secure_complaint(f"https://www.gob.pe:{web.port}/", route)


# ---------------------------------------------------------------- limits


def silent_in_the_head(visit: Visit) -> None:
    visit.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: te")
    visit.stall()


def silent_in_the_body(visit: Visit) -> None:
    visit.answer(length=len(PAGE) + 1)
    visit.stall()


@pytest.mark.parametrize("page", [Visit.stall, silent_in_the_head, silent_in_the_body])
def test_a_server_that_falls_silent_is_not_waited_for(read: Reader, pages: dict[str, Page], page: Page) -> None:
    pages["/"] = page
    assert "tarda demasiado" in complaint(read, "/", limits=SMALL)


def dripping_body(visit: Visit) -> None:
    visit.answer(length=1 << 20)
    visit.drip()


@pytest.mark.parametrize("page", [Visit.drip, dripping_body])
def test_a_server_that_is_never_silent_nor_done_is_not_waited_for(
    read: Reader, pages: dict[str, Page], page: Page
) -> None:
    pages["/"] = page
    limits = replace(SMALL, read_s=5, total_s=0.3)
    assert "tarda demasiado" in complaint(read, "/", limits=limits)


def test_a_resolver_that_does_not_answer_is_not_waited_for(read: Reader, web: WebServer, route: Route) -> None:
    def never(host: str, port: int) -> Sequence[str]:
        web.closing.wait()
        return []

    limits = replace(SMALL, connect_s=0.05)
    assert "tarda demasiado" in complaint(read, "/", limits=limits, route=replace(route, resolver=never))


def test_a_page_that_announces_too_much_is_not_read(read: Reader, pages: dict[str, Page]) -> None:
    pages["/"] = lambda visit: visit.answer(length=(1 << 20) + 1)
    assert "supera el límite de 1 MB" in complaint(read, "/")
    pages["/"] = lambda visit: visit.answer(length=10**30)
    assert "supera el límite de 1 MB" in complaint(read, "/")


def test_a_page_without_an_end_is_cut_off(read: Reader, pages: dict[str, Page]) -> None:
    def endless(visit: Visit) -> None:
        visit.send_response(200)
        visit.end_headers()
        while True:
            visit.wfile.write(bytes(1 << 16))

    pages["/"] = endless
    assert "supera el límite de 1 MB" in complaint(read, "/")


@pytest.mark.parametrize(
    ("headers", "body", "length", "reason"),
    [
        ({}, PAGE, len(PAGE) + 7, "se cortó"),
        ({"Content-Encoding": "gzip"}, PAGE, None, "«gzip»"),
        ({"Transfer-Encoding": "chunked"}, b"5\r\nab", None, "se cortó"),
        ({"Transfer-Encoding": "chunked"}, b"zz\r\nab", None, "se cortó"),
    ],
)
def test_a_page_that_arrives_broken_is_no_page(
    read: Reader, pages: dict[str, Page], headers: dict[str, str], body: bytes, length: int | None, reason: str
) -> None:
    pages["/"] = lambda visit: visit.answer(body, headers=headers, length=length)
    assert reason in complaint(read, "/")


@pytest.mark.parametrize(
    "said",
    [b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 doscientos OK\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200],
)
def test_what_is_no_web_server_is_told(read: Reader, pages: dict[str, Page], said: bytes) -> None:
    pages["/"] = lambda visit: visit.wfile.write(said)
    assert complaint(read, "/")


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (204, "respondió 204"),
        (304, "respondió 304"),
        (401, "iniciar sesión"),
        (403, "(403)"),
        (404, "no existe (404)"),
        (410, "(410)"),
        (429, "demasiadas consultas"),
        (500, "problema (500)"),
        (503, "problema (503)"),
    ],
)
def test_a_refusal_is_told(read: Reader, pages: dict[str, Page], status: int, reason: str) -> None:
    pages["/"] = lambda visit: visit.answer(b"", status=status)
    assert reason in complaint(read, "/")


def test_a_picture_is_refused_before_it_is_read(read: Reader, pages: dict[str, Page]) -> None:
    pages["/"] = lambda visit: visit.answer(headers={"Content-Type": "image/png"})
    with pytest.raises(UnsupportedFormatError, match="image/png"):
        read("/")


# ---------------------------------------------------------------- as a document


def test_an_address_that_cannot_be_read_is_told_like_a_file_that_cannot(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "uno.md").write_text("# Directiva 1\n\nEl plazo es de tres días hábiles.\n", encoding="utf-8")
    sources = ["https://ana:secreta@127.0.0.1/norma", "http://127.0.0.1/norma", str(tmp_path)]
    with opened_project(settings, embeddings=HashEmbeddings()) as assistant:
        reports = {report.path: report for report in take_in(assistant, sources)}
    assert {path: report.status for path, report in reports.items()} == {
        "uno.md": "indexed",
        "https://127.0.0.1/norma": "failed",
        "http://127.0.0.1/norma": "failed",
    }
    assert "contraseña" in reports["https://127.0.0.1/norma"].error
    assert "dirección privada" in reports["http://127.0.0.1/norma"].error


def test_a_page_is_one_document_however_often_it_is_read(
    settings: Settings, web: WebServer, pages: dict[str, Page], route: Route
) -> None:
    pages["/normas/29733?v=1"] = Visit.answer
    url = f"http://www.gob.pe:{web.port}/normas/29733?v=1"

    def ingest(assistant: ProjectAssistant) -> str:
        with fetch(url, limits=LIMITS, route=route) as page:
            files = [(page.file, page.path)]
            (report,) = assistant.library.add_files(files, origin=page.url)
        return report.status

    with opened_project(settings, embeddings=HashEmbeddings()) as assistant:
        assert [ingest(assistant), ingest(assistant)] == ["indexed", "unchanged"]
        pages["/normas/29733?v=1"] = lambda visit: visit.answer(PAGE.replace(b"diez", b"quince"))
        assert ingest(assistant) == "updated"
        (document,) = assistant.library.all()
    assert (document.title, document.format, document.origin) == ("Ley 29733", "html", url)
    assert document.category == f"www.gob.pe_{web.port}"
