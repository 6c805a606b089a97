"""Archives that lie: bombs, wrong sizes, passwords, entities. None may cost memory, all are one clear sentence."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from rag_system.errors import IngestionError, UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.loaders import archive as archive_module
from rag_system.ingestion.loaders import extract
from rag_system.ingestion.loaders.archive import Archive, parse_xml
from rag_system.ingestion.loaders.source import file_source

_BOMB = b"0" * (80 * 2**20)
_LAUGHS = '<!DOCTYPE a [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
_FILE_ENTITY = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>'


def _zip(members: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as package:
        for name, data in members.items():
            package.writestr(name, data)
    return buffer.getvalue()


def _docx() -> bytes:
    document = docx.Document()
    document.add_paragraph("Hola")
    return _saved(document.save)


def _pptx() -> bytes:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.placeholders[1].text = "Hola"
    return _saved(presentation.save)


def _xlsx() -> bytes:
    workbook = openpyxl.Workbook()
    workbook.active.append(["Hola", "Adiós"])
    return _saved(workbook.save)


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def _changed(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return _zip(
            {item: change(package.read(item)) if item == name else package.read(item) for item in package.namelist()}
        )


def _with_lying_size(data: bytes, name: str, size: int) -> bytes:
    """The directory says another size for a member; its own header too."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        member = package.getinfo(name)
    changed = bytearray(data)
    struct.pack_into("<L", changed, member.header_offset + 22, size)
    at = data.rfind(name.encode())  # the directory stands after the members
    struct.pack_into("<L", changed, at - 46 + 24, size)
    return bytes(changed)


_PARTS = [
    (_docx, "word/document.xml", "a.docx"),
    (_pptx, "ppt/slides/slide1.xml", "a.pptx"),
    (_xlsx, "xl/worksheets/sheet1.xml", "a.xlsx"),
]


@pytest.mark.parametrize(("build", "part", "name"), _PARTS)
def test_a_bomb_is_refused_without_being_inflated_whole(build: Callable[[], bytes], part: str, name: str) -> None:
    data = _changed(build(), part, lambda xml: xml + _BOMB)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFileError, match="se expande más"):
            extract(data, name=name)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("build", "part", "name"), _PARTS)
def test_a_size_that_lies_does_not_get_through(build: Callable[[], bytes], part: str, name: str) -> None:
    data = _with_lying_size(_changed(build(), part, lambda xml: xml + _BOMB), part, 500)
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableFileError):
            extract(data, name=name)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("build", "part", "name"), _PARTS)
@pytest.mark.parametrize("doctype", [_LAUGHS, _FILE_ENTITY])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(build: Callable[[], bytes], part: str, name: str, doctype: str, encoding: str) -> None:
    def declare(xml: bytes) -> bytes:
        body = xml.decode("utf-8").partition("?>")[2] if xml.startswith(b"<?xml") else xml.decode("utf-8")
        return f"<?xml version='1.0' encoding='{encoding}'?>{doctype}{body}".replace("Hola", "&b;").encode(encoding)

    with pytest.raises(UnreadableFileError, match="entidades"):
        extract(_changed(build(), part, declare), name=name)


@pytest.mark.parametrize(("build", "part", "name"), _PARTS[:2])
def test_the_libraries_themselves_resolve_no_entity(
    build: Callable[[], bytes], part: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without our own look at the bytes: what python-docx and python-pptx do with a file's entity."""
    monkeypatch.setattr(archive_module, "_DECLARATIONS", ())
    try:
        document = extract(_changed(build(), part, lambda xml: _with_entity(xml, _LAUGHS)), name=name)
    except IngestionError:
        return
    assert not any("ja" in block.text for block in document.blocks)


def test_openpyxl_fetches_no_file_and_stops_at_a_billion_laughs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parser is Python's own: an outside entity is an error, and expat counts how far the others expand."""
    monkeypatch.setattr(archive_module, "_DECLARATIONS", ())
    billion = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10))
    for doctype in (_FILE_ENTITY, f'<!DOCTYPE a [<!ENTITY a "ja">{billion}]>'):
        data = _changed(_xlsx(), "xl/worksheets/sheet1.xml", lambda xml, used=doctype: _with_entity(xml, used, "k"))
        with pytest.raises(UnreadableFileError):
            list(extract(data, name="a.xlsx").blocks)


@pytest.mark.parametrize(
    "blanks", [b"\n", b" " * 300_000, b"\xff\xfe" + b"\n\0" * 300_000], ids=["one", "many", "wide"]
)
def test_entities_are_refused_in_a_part_of_any_name(blanks: bytes) -> None:
    laughs = _LAUGHS.encode("utf-16-le") if b"\0" in blanks else _LAUGHS.encode()
    members = {"word/document.xml": b"<a/>", "word/hoja.bin": blanks + laughs}
    with pytest.raises(UnreadableFileError, match="entidades"):
        extract(_zip(members), name="a.docx")


def _with_entity(xml: bytes, doctype: str, entity: str = "b") -> bytes:
    body = xml.decode("utf-8").partition("?>")[2] if xml.startswith(b"<?xml") else xml.decode("utf-8")
    body = body.replace("Hola", f"&{entity};").replace("<sheetData>", f"<sheetData>&{entity};")
    return f"<?xml version='1.0' encoding='utf-8'?>{doctype}{body}".encode()


def test_our_own_parser_resolves_no_entity() -> None:
    root = parse_xml(f"{_FILE_ENTITY}<a>&b;</a>".encode())
    assert not "".join(root.itertext()).strip("&b;")


def test_a_nested_bomb_and_an_archive_that_holds_itself_are_never_opened() -> None:
    inner = _zip({"bomba.txt": _BOMB})
    for _ in range(3):
        inner = _zip({f"{number}.zip": inner for number in range(3)})
    with pytest.raises(UnsupportedFormatError, match="comprimido"):
        extract(inner, name="bomba.zip")
    assert [b.text for b in extract(_zip_in_docx(inner), name="a.docx").blocks] == ["Hola"]


def _zip_in_docx(inner: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(_docx())) as package:
        members = {name: package.read(name) for name in package.namelist()}
    return _zip({**members, "word/embeddings/a.zip": inner})


def test_too_many_entries_are_refused_unread() -> None:
    members = {f"word/{number}.xml": b"" for number in range(10_001)}
    with pytest.raises(UnreadableFileError, match="demasiados"):
        extract(_zip({"word/document.xml": b"<a/>", **members}), name="a.docx")


def test_a_directory_too_long_is_not_read() -> None:
    with pytest.raises(UnreadableFileError, match="demasiados"):
        extract(_zip({f"{number:0200}": b"" for number in range(25_000)}), name="a.docx")


def test_encrypted_entries_are_said() -> None:
    data = bytearray(_docx())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as package:
        entries = len(package.namelist())
    at = 0
    for _ in range(entries):  # bit 0 of the flags, in the directory
        at = data.index(b"PK\x01\x02", at)
        data[at + 8] |= 1
        at += 4
    with pytest.raises(UnreadableFileError, match="contraseña"):
        extract(bytes(data), name="a.docx")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions_are_refused(method: int) -> None:
    """No office program writes them, and Python would inflate them without a bound."""
    with pytest.raises(UnreadableFileError, match="dañado"):
        extract(_zip({"word/document.xml": b"<a/>"}, method=method), name="a.docx")


def test_names_with_dots_are_never_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    with zipfile.ZipFile(io.BytesIO(_docx())) as package:
        members = {name: package.read(name) for name in package.namelist()}
    data = _zip({**members, "../../fuera.txt": b"x", "/absoluto.txt": b"x"})
    assert list(extract(data, name="../../a.docx").blocks)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("cut", [10, 200, 2_000])
def test_a_cut_archive_is_damaged(cut: int) -> None:
    with pytest.raises(UnreadableFileError, match="dañado"):
        extract(_docx()[:-cut], name="a.docx")


def test_a_part_that_does_not_say_what_it_must_is_damaged() -> None:
    broken = _changed(_xlsx(), "[Content_Types].xml", lambda xml: xml.replace(b"sheet.main+xml", b"sheet.other+xml"))
    with pytest.raises(UnreadableFileError, match="dañado"):
        list(extract(broken, name="a.xlsx").blocks)


def test_a_small_expanding_document_is_no_bomb() -> None:
    """A sheet of zeros compresses a thousandfold; below 64 MiB the ratio says nothing."""
    source = file_source(_zip({"a.xml": b"0" * 2**24}), "a.zip")
    with Archive(source) as package:
        assert sum(map(len, package.pieces("a.xml"))) == 2**24
