"""Web addresses: how they are read, and which servers they may lead to."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.errors import ConfigurationError, UnsupportedFormatError, WebError
from rag_system.ingestion.accepting import LONGEST_PATH
from rag_system.ingestion.addresses import Reach, is_address, is_own, parse_address, shown
from rag_system.ingestion.web_names import declared_extension, file_name, stored_path

ADDRESS = parse_address("https://www.gob.pe/normas")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://www.gob.pe", "https://www.gob.pe/"),
        ("  HTTPS://WWW.Gob.PE/Normas?id=3#artículo ", "https://www.gob.pe/Normas?id=3"),
        ("http://www.gob.pe:80/", "http://www.gob.pe/"),
        ("https://www.gob.pe:8443/a", "https://www.gob.pe:8443/a"),
        ("http://www.gob.pe:443/", "http://www.gob.pe:443/"),
        ("https://www.gob.pe./normas", "https://www.gob.pe/normas"),
        ("https://peña.es/año 2024/ley nº 3.pdf", "https://xn--pea-8ma.es/a%C3%B1o%202024/ley%20n%C2%BA%203.pdf"),
        ("https://www.gob.pe/a%20b?q=ley%2029733", "https://www.gob.pe/a%20b?q=ley%2029733"),
        ("https://www.gob.pe?q=canción&p=«1»", "https://www.gob.pe/?q=canci%C3%B3n&p=%C2%AB1%C2%BB"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:220:1:248:1893:25C8:1946]:8080/", "http://[2606:2800:220:1:248:1893:25c8:1946]:8080/"),
        ("http://mi_sitio.gob.pe/", "http://mi_sitio.gob.pe/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),  # what the name is; whether it may be asked is said below
        ("http://127。0。0。1/", "http://127.0.0.1/"),
    ],
)
def test_an_address_is_read(text: str, url: str) -> None:
    assert parse_address(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "www.gob.pe",
        "ftp://www.gob.pe/",
        "file:///etc/passwd",
        "gopher://www.gob.pe:70/1",
        "javascript:alert(1)",
        "http:/www.gob.pe/",
        "http:www.gob.pe",
        "http://",
        "http:///etc",
        "https://?a=1",
        "http://usuario@www.gob.pe/",
        "http://usuario:clave@www.gob.pe/",
        "http://www.gob.pe@127.0.0.1/",
        "http://127.0.0.1\\@www.gob.pe/",
        "http://www.gob.pe\\.interno/",
        "http://www.gob.pe\t.interno/",
        "http://www.gob.pe/\r\nHost: interno",
        "http://www.gob.pe /",
        "http://%31%32%37.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://127.0.0.1.2/",
        "http://1.2.3.0x/",
        "http://256.1.1.1/",
        "http://[::1/",
        "http://::1/",
        "http://[::1]x/",
        "http://[fe80::1%25eth0]/",
        "http://[::ffff:0x7f.1]/",
        "http://www.gob.pe:/",
        "http://www.gob.pe:0/",
        "http://www.gob.pe:65536/",
        "http://www.gob.pe:80:80/",
        "http://www.gob.pe:+80/",
        "http://-a.pe/",
        "http://a..pe/",
        "http://.pe/",
        "http://" + "a" * 64 + ".pe/",
        "http://" + "a." * 127 + "pe/",
        "http://a.pe/" + "a" * 5000,
        "http://a<b>.pe/",
        "http://a.pe\u2028/",
        "http://\ud800.pe/",
        "http://a.pe/\ud800",
    ],
)
def test_a_doubtful_address_is_refused(text: str) -> None:
    with pytest.raises(WebError) as caught:
        parse_address(text)
    assert len(str(caught.value).splitlines()) == 1


@given(st.text(max_size=60))
def test_what_is_read_reads_the_same_again(rest: str) -> None:
    try:
        address = parse_address(f"http://{rest}")
    except WebError:
        return
    assert parse_address(address.url) == address
    assert address.target.isascii()
    assert not set(address.url) & set(" \r\n\t\\@") - set("@")
    assert "@" not in address.authority


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/otra?x=1", "https://www.gob.pe/otra?x=1"),
        ("otra", "https://www.gob.pe/otra"),
        ("//otro.gob.pe/a", "https://otro.gob.pe/a"),
        ("https://otro.gob.pe/ñ", "https://otro.gob.pe/%C3%B1"),
        ("", "https://www.gob.pe/normas"),
    ],
)
def test_a_redirect_is_read_as_strictly(location: str, url: str) -> None:
    assert ADDRESS.follow(location).url == url


@pytest.mark.parametrize(
    "location",
    ["http://www.gob.pe/normas", "file:///etc/passwd", "//usuario@otro.pe/", "//2130706433/", "https://[::1"],
)
def test_a_redirect_to_anything_doubtful_is_not_followed(location: str) -> None:
    with pytest.raises(WebError):
        ADDRESS.follow(location)


def test_a_password_is_never_shown() -> None:
    assert shown(" https://ana:secreta@gob.pe/a@b ") == "https://gob.pe/a@b"
    assert shown("https://gob.pe/a@b") == "https://gob.pe/a@b"


@pytest.mark.parametrize(("text", "expected"), [("https://a.pe", True), (" HTTP://a", True), ("http.txt", False)])
def test_addresses_are_told_from_files(text: str, expected: bool) -> None:
    assert is_address(text) is expected


# ---------------------------------------------------------------- which servers may be asked


@pytest.mark.parametrize(
    "ip", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "64:ff9b::808:808", "2002:808:808::1"]
)
def test_a_public_server_may_be_asked(ip: str) -> None:
    Reach().check(ADDRESS, ip_address(ip))


PRIVATE = [
    "0.0.0.0",  # noqa: S104
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:c0a8:101::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%2",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("ip", PRIVATE)
def test_a_private_server_may_not_be_asked(ip: str) -> None:
    with pytest.raises(WebError, match="dirección privada"):
        Reach().check(ADDRESS, ip_address(ip))


@pytest.mark.parametrize(
    ("entry", "url", "ip"),
    [
        ("intranet.empresa.pe", "http://intranet.empresa.pe:9000/", "10.1.2.3"),
        ("Intranet.Empresa.pe", "http://intranet.empresa.pe/", "fc00::7"),
        ("10.1.0.0/16", "http://cualquiera.pe/", "10.1.2.3"),
        ("10.1.0.7/16", "http://cualquiera.pe:9000/", "10.1.2.3"),
        ("10.1.2.3", "http://10.1.2.3/", "10.1.2.3"),
        ("10.1.0.0/16", "http://cualquiera.pe/", "::ffff:10.1.2.3"),
        ("fc00::/7", "http://cualquiera.pe/", "fc00::7"),
        ("fc00::7", "http://cualquiera.pe/", "fc00::7"),
    ],
)
def test_an_organisation_may_allow_its_own_servers(entry: str, url: str, ip: str) -> None:
    with pytest.raises(WebError):
        Reach().check(parse_address(url), ip_address(ip))
    Reach(allowed=[entry]).check(parse_address(url), ip_address(ip))


@pytest.mark.parametrize("ip", ["127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1", "0.0.0.0"])  # noqa: S104
@pytest.mark.parametrize("entry", ["0.0.0.0/0", "::/0", "127.0.0.0/8", "169.254.169.254", "www.gob.pe"])
def test_nothing_allows_this_machine_or_the_keys_of_a_cloud(ip: str, entry: str) -> None:
    with pytest.raises(WebError, match="dirección privada"):
        Reach(allowed=[entry]).check(ADDRESS, ip_address(ip))


def own_address() -> str:
    """Of this machine on its network, where it is on one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("8.8.8.8", 9))  # nothing is sent
        except OSError:
            pytest.skip("this machine is on no network")
        return str(probe.getsockname()[0])


def test_no_network_that_is_allowed_makes_this_machine_one_of_its_servers() -> None:
    own = own_address()
    reach = Reach(allowed=[f"{own}/16", own, "0.0.0.0/0", "www.gob.pe"])
    with pytest.raises(WebError, match="es una dirección privada de este equipo"):
        reach.check(parse_address(f"http://{own}:9000/"), ip_address(own))
    with pytest.raises(WebError, match="es una dirección privada de este equipo"):
        reach.check(ADDRESS, ip_address(f"::ffff:{own}"))


@pytest.mark.parametrize(("ip", "expected"), [("127.0.0.1", True), ("127.0.0.9", True), ("198.51.100.7", False)])
def test_own_addresses_are_told_from_those_of_others(ip: str, expected: bool) -> None:
    assert is_own(ip_address(ip)) is expected


@pytest.mark.parametrize("port", [22, 25, 3306, 5432, 6379, 8081])
def test_a_public_server_is_asked_only_where_pages_live(port: int) -> None:
    with pytest.raises(WebError, match="puerto"):
        Reach().check(parse_address(f"http://www.gob.pe:{port}/"), ip_address("8.8.8.8"))


@pytest.mark.parametrize("entry", ["10.0.0.0/33", "http://intranet", "a b", "10.0.0", "-x.pe", "x:80"])
def test_a_setting_that_is_no_server_is_told(entry: str) -> None:
    with pytest.raises(ConfigurationError, match="LEGAJO_WEB_ALLOW"):
        Reach(allowed=[entry])


# ---------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("url", "extension", "path"),
    [
        ("https://www.gob.pe", ".html", "web/www.gob.pe/index.html"),
        ("https://www.gob.pe/normas/", ".html", "web/www.gob.pe/normas.html"),
        ("https://www.gob.pe/normas/ley-29733.pdf", ".pdf", "web/www.gob.pe/normas/ley-29733.pdf"),
        ("https://www.gob.pe/normas/LEY.PDF", ".pdf", "web/www.gob.pe/normas/LEY.PDF"),
        ("https://www.gob.pe/visor.pdf", ".html", "web/www.gob.pe/visor.pdf.html"),
        ("https://www.gob.pe/a%C3%B1o/ley%20n%C2%BA%203.pdf", ".pdf", "web/www.gob.pe/año/ley nº 3.pdf"),
        ("https://www.gob.pe:8443/a", ".html", "web/www.gob.pe_8443/a.html"),
        ("http://[2001:db8::1]/a", ".html", "web/2001_db8__1/a.html"),
        ("https://www.gob.pe/descarga", "", "web/www.gob.pe/descarga"),
    ],
)
def test_an_address_has_its_place_in_the_collection(url: str, extension: str, path: str) -> None:
    assert stored_path(parse_address(url), extension) == path


def test_odd_addresses_keep_places_of_their_own() -> None:
    urls = [
        "https://www.gob.pe/ver",
        "https://www.gob.pe/ver?id=1",
        "https://www.gob.pe/ver?id=2",
        "https://www.gob.pe/ver?id=1&x",
        "https://www.gob.pe/%2e%2e/ver",
        "https://www.gob.pe/../ver",
        "https://www.gob.pe/a%2f..%2fver",
        "https://www.gob.pe/%00ver",
        "https://www.gob.pe/" + "v" * 300,
        "https://www.gob.pe/" + "v" * 301,
        "https://www.gob.pe/" + "v/" * 300 + "1",
        "https://www.gob.pe/" + "v/" * 300 + "2",
    ]
    paths = [stored_path(parse_address(url), ".html") for url in urls]
    assert len(set(paths)) == len(paths)
    for path in paths:
        parts = path.split("/")
        assert parts[:2] == ["web", "www.gob.pe"]
        assert path.endswith(".html")
        assert not {"", ".", ".."} & set(parts)
        assert max(map(len, parts)) <= 100
        assert len(parts) <= 10
    assert paths == [stored_path(parse_address(url), ".html") for url in urls]


@pytest.mark.parametrize("letter", ["a", "ñ", "文", "😀"])
def test_no_place_is_longer_than_a_path_may_be(letter: str) -> None:
    server = ".".join(["servidor" * 7] * 4)[:250]
    path = stored_path(parse_address(f"https://{server}:65535/" + "/".join([letter * 90] * 12)), ".xhtml")
    assert len(path.encode()) <= LONGEST_PATH
    assert path.count(letter) >= 8 * 20
    assert "�" not in path


@pytest.mark.parametrize(
    ("media_type", "name", "extension"),
    [
        ("text/html", "normas", ".html"),
        ("text/html", "normas.htm", ".htm"),
        ("text/html", "visor.pdf", ".html"),
        ("application/pdf", "descarga", ".pdf"),
        ("application/octet-stream", "Ley.PDF", ".pdf"),
        ("application/octet-stream", "descarga", ""),
        ("", "guia.docx", ".docx"),
        ("text/plain", "LEAME.md", ".md"),
        ("text/plain", "leame", ".txt"),
        ("text/markdown", "leame", ".md"),
    ],
)
def test_a_file_has_the_extension_of_what_it_is(media_type: str, name: str, extension: str) -> None:
    assert declared_extension(media_type, name) == extension


@pytest.mark.parametrize("media_type", ["image/png", "video/mp4", "application/zip", "application/json", "text/css"])
def test_what_is_no_document_is_refused(media_type: str) -> None:
    with pytest.raises(UnsupportedFormatError, match="no se admite"):
        declared_extension(media_type, "ley.pdf")


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (None, "normas"),
        ("inline", "normas"),
        ('attachment; filename="Ley 29733.pdf"', "Ley 29733.pdf"),
        ("attachment; filename=ley.pdf", "ley.pdf"),
        ("attachment; filename*=UTF-8''Resoluci%C3%B3n.pdf", "Resolución.pdf"),
        ('attachment; filename="Resolución.pdf"', "Resolución.pdf"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        (r'attachment; filename="C:\\temp\\ley.pdf"', "ley.pdf"),
        ('attachment; filename=".."', "normas"),
        ('attachment; filename=".bashrc"', "bashrc"),
        ('attachment; filename=""', "normas"),
        ('attachment; filename="a\0b\x1b[31m.pdf"', "ab[31m.pdf"),
        ("filename*=nada''%ff; x", "normas"),
    ],
)
def test_a_file_is_called_what_the_server_calls_it(disposition: str | None, name: str) -> None:
    assert file_name(ADDRESS, disposition) == name
