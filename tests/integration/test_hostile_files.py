"""Files made to do harm, taken in together: each gets one clear line, the rest goes on, nothing is left behind."""

from __future__ import annotations

import io
import os
import socket
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest

from assistant.library import UPLOADS, Library
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion.accepting import find_files, upload_path
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.fakes.compound_file import compound_file
from tests.indexing import Indexing, library_of, upload

PROJECT = "hostiles"
TEXT = "Política de vacaciones del personal: treinta días al año."

_SPACES = b" " * (80 * 2**20)


@pytest.fixture
def indexer(database: Database, settings: Settings) -> Indexing:
    return Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project=PROJECT)


@pytest.fixture
def library(database: Database, settings: Settings) -> Library:
    return library_of(database=database, settings=settings, embeddings=HashEmbeddings, project=PROJECT)


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    temporary = tmp_path_factory.mktemp("temporales")
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield
    assert list(temporary.iterdir()) == []


def _zip(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in members.items():
            package.writestr(name, data)
    return buffer.getvalue()


def _opendocument(content: bytes) -> bytes:
    kind = "application/vnd.oasis.opendocument.text"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", kind, compress_type=zipfile.ZIP_STORED)
        package.writestr("content.xml", content)
    return buffer.getvalue()


def _encrypted(data: bytes) -> bytes:
    """The same archive, saying of each member that it is encrypted."""
    marked = bytearray(data)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = marked.find(signature)
        while at >= 0:
            marked[at + flags] |= 1
            at = marked.find(signature, at + 1)
    return bytes(marked)


def _pdf(*objects: bytes) -> bytes:
    """Objects numbered from 1; the first is the catalog."""
    out, places = b"%PDF-1.7\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + each + b"\nendobj\n"
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n" % size + rows + b"trailer\n<< /Root 1 0 R /Size %d >>" % size
    return out + table + b"\nstartxref\n%d\n%%%%EOF" % len(out)


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n" % (len(packed), entries) + packed + b"\nendstream"


_CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
_FONT = b"/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"


def _page(content: bytes, *more: bytes, resources: bytes = _FONT, box: bytes = b"0 0 612 792") -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 4 0 R /Resources << %s >> >>" % (box, resources)
    return _pdf(_CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, _stream(content), *more)


def _doubling_pages() -> bytes:
    """A tree of 17 nodes with 2^17 pages."""
    nodes = [
        b"<< /Type /Pages /Kids [%d 0 R %d 0 R] /Count %d >>" % (at + 3, at + 3, 2 ** (17 - at)) for at in range(17)
    ]
    return _pdf(_CATALOG, *nodes, b"<< /Type /Page /MediaBox [0 0 612 792] >>")


def _page_a_thousand_times() -> bytes:
    """A tree of 10 nodes with 2^10 pages, each with a line of its own: half a kilobyte for 1,024 pages."""
    nodes = [b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count %d>>" % (at + 3, at + 3, 2 ** (10 - at)) for at in range(10)]
    page = b"<</Type/Page/MediaBox[0 0 612 792]/Contents 13 0 R/Resources<<%s>>>>" % _FONT
    return _pdf(_CATALOG, *nodes, page, _stream(b"BT /F1 12 Tf 72 700 Td (Informe anual) Tj ET"))


def _packed_twice() -> bytes:
    """A page of 1 KB with half a megabyte of drawing, and nearly as much text."""
    lines = b"(Informe anual de la gerencia de sistemas) Tj 0 -14 Td " * 9_000
    data = zlib.compress(zlib.compress(b"BT /F1 12 Tf 9 129000 Td " + lines + b"ET", 9), 9)
    twice = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(data), data)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 130000] /Contents 4 0 R /Resources << %s >> >>" % _FONT
    return _pdf(_CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, twice)


def _giant_picture() -> bytes:
    entries = b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceGray"
    place = b"q 612 0 0 792 0 0 cm /I Do Q"
    return _page(place, _stream(bytes(1000), entries), resources=b"/XObject << /I 5 0 R >>")


def _form_that_draws_itself() -> bytes:
    form = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>"
    return _page(b"/X Do ", _stream(b"/X Do ", form), resources=b"/XObject << /X 5 0 R >>")


_TEXT_PAGE = _page(b"BT /F1 12 Tf 72 700 Td (Informe anual de la gerencia de sistemas) Tj ET")
_LAUGHS = b'<!DOCTYPE l [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><l>&b;</l>'

_FILES: dict[str, tuple[Callable[[], bytes], str, str]] = {  # name → what it holds, status, part of the sentence
    # archives
    "bomba.docx": (lambda: _zip({"word/document.xml": _SPACES}), "failed", "se expande más"),
    "bomba.xlsx": (lambda: _zip({"xl/workbook.xml": b"<a/>", "xl/a.xml": _SPACES}), "failed", "se expande más"),
    "bomba.odt": (lambda: _opendocument(b"<a>" + _SPACES + b"</a>"), "failed", "se expande más"),
    "bomba.epub": (lambda: _zip({"META-INF/container.xml": _SPACES}), "failed", "se expande más"),
    "muchas.docx": (
        lambda: _zip({f"word/document{n}.xml": b"" for n in range(10_001)}),
        "failed",
        "demasiados archivos",
    ),
    "risas.docx": (lambda: _zip({"word/document.xml": _LAUGHS}), "failed", "entidades XML"),
    "risas-lejos.docx": (
        lambda: _zip({"word/document.xml": b"<a/>", "word/hoja.bin": b" " * 300_000 + _LAUGHS}),
        "failed",
        "entidades XML",
    ),
    "hondo.docx": (lambda: _zip({"word/document.xml": b"<a>" * 50_000 + b"</a>" * 50_000}), "failed", "dañado"),
    "cifrado.docx": (lambda: _encrypted(_zip({"word/document.xml": b"<a/>"})), "failed", "contraseña"),
    "cifrado.xlsx": (lambda: compound_file({"EncryptedPackage": b"x"}), "failed", "contraseña"),
    "cifrado.zip": (lambda: _encrypted(_zip({"a.txt": b"hola"})), "failed", "contraseña"),
    # PDF
    "paginas.pdf": (_doubling_pages, "failed", "131072 páginas"),
    "mil-veces.pdf": (_page_a_thousand_times, "failed", "daría 1024 páginas"),
    "dos-veces.pdf": (_packed_twice, "failed", "más de 200 veces su tamaño en texto"),
    "imagen.pdf": (_giant_picture, "empty", "no tiene texto"),
    "bucle.pdf": (_form_that_draws_itself, "empty", "no tiene texto"),
    "enorme.pdf": (lambda: _page(b"0 0 9 9 re f", box=b"0 0 1000000000 1000000000"), "empty", "no tiene texto"),
    "inflado.pdf": (lambda: _page(_SPACES), "empty", "no tiene texto"),
    "marcas.pdf": (lambda: _page(b"BT /F1 12 Tf 72 700 Td (*** --- ***) Tj ET"), "empty", "no tiene texto"),
    "roto.pdf": (lambda: b"%PDF-1.7\n" + bytes(range(256)) * 99, "failed", "dañado"),
    # names that lie
    "soy-pdf.txt": (lambda: _TEXT_PAGE, "indexed", ""),
    "soy-texto.pdf": (TEXT.encode, "indexed", ""),
    "soy-pagina.docx": (f"<html><body><p>{TEXT}".encode, "indexed", ""),
    "soy-imagen.pdf": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(99), "failed", "imagen está dañada"),
    "soy-antiguo.txt": (lambda: compound_file({"Otra cosa": b"x"}), "failed", "no se admite"),
    "soy-programa.txt": (lambda: b"MZ\x90\0" + bytes(range(256)) * 9, "failed", "no se admite"),
    # texts
    "vacio.txt": (bytes, "failed", "vacío"),
    "espacios.txt": (lambda: b" \n\t" * 9_999, "empty", "no tiene texto"),
    "nulos.txt": (lambda: bytes(9_999), "failed", "no se admite"),
    "sonrisas.txt": (lambda: "😀🎉 ".encode() * 999, "empty", "no tiene texto"),
    "vinetas.txt": (lambda: "•—…\n".encode() * 999, "empty", "no tiene texto"),
    "sin-ancho.txt": (lambda: "\u200b\u2060".encode() * 9_999, "empty", "no tiene texto"),
    "acentos.txt": (("a" + "\u0301" * 50_000).encode, "indexed", ""),
    "utf16.txt": (lambda: TEXT.encode("utf-16"), "indexed", ""),
    "utf32.txt": (lambda: TEXT.encode("utf-32"), "indexed", ""),
    "mezcla.txt": (lambda: TEXT.encode() * 9 + TEXT.encode("latin-1") * 9, "indexed", ""),
    "una-palabra.txt": (lambda: b"x" * 300_000, "indexed", ""),
    "una-linea.txt": (lambda: TEXT.encode() * 999, "indexed", ""),
    # markup and tables
    "hondo.html": (lambda: b"<html><body>" + b"<div>" * 20_000 + TEXT.encode(), "indexed", ""),
    "corchetes.md": (lambda: b"[" * 100_000, "empty", "no tiene texto"),
    "ancho.csv": (lambda: b",".join(b"c%d" % n for n in range(30_000)) + b"\n1,2\n", "indexed", ""),
    "comas.csv": (lambda: b"," * 99_999, "empty", "no tiene texto"),
}


def test_each_hostile_file_gets_one_line_and_the_rest_goes_on(indexer: Indexing, tmp_path: Path) -> None:
    for name, (content, _, _) in _FILES.items():
        (tmp_path / name).write_bytes(content())
    reports = {report.path: report for report in indexer.run(tmp_path)}
    assert {name: report.status for name, report in reports.items()} == {
        name: status for name, (_, status, _) in _FILES.items()
    }
    for name, (_, status, part) in _FILES.items():
        assert part in reports[name].error, name
        assert "\n" not in reports[name].error
        assert (reports[name].chunks > 0) is (status == "indexed"), name


def test_no_chunk_is_without_letters(indexer: Indexing, database: Database, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"***\n\n{TEXT}\n\n---\n\n# •••\n\n— — —\n\n# Fin\n\n…", encoding="utf-8")
    indexer.run(tmp_path)
    with database.connection() as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM chunks")]
    assert texts
    assert all(any(map(str.isalnum, text)) for text in texts)


# ---------------------------------------------------------------- names


_NAMES = (
    "-rf.txt",
    "con\nsalto.txt",
    "😀🎉.txt",
    "factura\u202etxt.exe.txt",
    " espacios .txt",
    "..puntos..",
    "a" * 251 + ".txt",  # 255 bytes, the most that file systems take
    "'; DROP TABLE chunks;--.txt",
    "%s%n{0}.txt",
    "rojo\x1b[31m.txt",
)


def test_strange_names_are_only_names(indexer: Indexing, tmp_path: Path) -> None:
    for number, name in enumerate(_NAMES):
        (tmp_path / name).write_text(f"{TEXT} Versión {number}.", encoding="utf-8")
    assert {report.path: report.status for report in indexer.run(tmp_path) if report.path != "..puntos.."} == {
        name: "indexed" for name in _NAMES if name != "..puntos.."
    }


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("informe.txt", "informe.txt"),
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Windows\\informe.txt", "informe.txt"),
        ("..", "documento"),
        (".", "documento"),
        ("a/..", "documento"),
        ("", "documento"),
        ("/", "documento"),
        ("\0", "documento"),
        ("a\0b.txt", "ab.txt"),
        ("con\nsalto.txt", "con salto.txt"),
        ("rojo\x1b[31m.txt", "rojo[31m.txt"),
        ("factura\u202etxt.exe", "facturatxt.exe"),
        ("😀.txt", "😀.txt"),
        ("-rf.txt", "-rf.txt"),
        ("roto\ud800.txt", "roto.txt"),
    ],
)
def test_an_upload_stays_in_its_folder(name: str, path: str) -> None:
    assert upload_path(name) == path


@pytest.mark.parametrize("name", ["a" * 300 + ".txt", "ñ" * 300 + ".txt", "../" * 99 + "a.txt", "😀" * 200 + ".txt"])
def test_an_upload_with_a_long_name_is_taken(library: Library, name: str) -> None:
    assert upload(library, name, TEXT.encode()).status == "indexed"
    (document,) = library.all()
    assert document.path.startswith(f"{UPLOADS}/")
    assert document.path.count("/") == 1


def test_an_upload_with_an_impossible_name_is_refused_in_a_sentence(library: Library) -> None:
    (accepted,) = library.accept_stream("a" * 2_000, BytesIO(TEXT.encode()))
    report = accepted.report
    assert report is not None
    assert report.status == "failed"
    assert "demasiado larg" in report.error


# ---------------------------------------------------------------- what is no file


@pytest.fixture
def special(tmp_path: Path) -> Path:
    """A folder with one good file, beside everything that is none."""
    outside, folder = tmp_path / "fuera", tmp_path / "dentro"
    outside.mkdir()
    (outside / "secreto.txt").write_text("Un secreto.", encoding="utf-8")
    (folder / "carpeta.pdf").mkdir(parents=True)
    (folder / "carpeta.pdf" / "dentro.txt").write_text(TEXT, encoding="utf-8")
    for name, target in {
        "fuera.txt": outside / "secreto.txt",
        "carpeta": outside,
        "a-b.txt": "b-a.txt",
        "b-a.txt": "a-b.txt",
        "colgado.txt": "nadie",
        "arriba": "..",
        "cero.txt": "/dev/zero",
    }.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "tubo.txt")
    return folder


def test_links_pipes_and_devices_in_a_folder_are_left_alone(indexer: Indexing, special: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(special / "enchufe.txt"))
        assert [(report.path, report.status) for report in indexer.run(special)] == [
            ("carpeta.pdf/dentro.txt", "indexed")
        ]


@pytest.mark.parametrize("name", ["tubo.txt", "cero.txt"])
def test_a_pipe_or_a_device_that_a_person_names_is_refused_unopened(
    indexer: Indexing, special: Path, name: str
) -> None:
    (report,) = indexer.run(special / name)
    assert (report.status, report.error) == ("failed", "No es un archivo. Indique un archivo o una carpeta que exista.")


def test_a_file_over_the_limit_is_refused_unread(indexer: Indexing, tmp_path: Path) -> None:
    with (tmp_path / "hueco.txt").open("wb") as file:
        file.truncate(3 << 30)
    (tmp_path / "sano.txt").write_text(TEXT, encoding="utf-8")
    large, sound = indexer.run(tmp_path)
    assert (large.status, sound.status) == ("failed", "indexed")
    assert "supera el límite de 2048 MB" in large.error


def test_a_file_that_vanishes_before_it_is_accepted_is_told(library: Library, tmp_path: Path) -> None:
    gone, sound = tmp_path / "a.txt", tmp_path / "b.txt"
    gone.write_text(TEXT, encoding="utf-8")
    sound.write_text(TEXT, encoding="utf-8")
    files = find_files([tmp_path])
    gone.unlink()
    reports = {report.path: report for report in library.add_files(files)}
    assert [reports[name].status for name in ("a.txt", "b.txt")] == ["failed", "indexed"]
    assert "No se pudo leer" in reports["a.txt"].error
