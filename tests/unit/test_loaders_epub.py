"""Books: chapters in the order of the spine, titles from the table of contents, protected ones refused."""

from __future__ import annotations

import io
import unicodedata
import zipfile

import pytest

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders import extract

_CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>"""
_PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>Guía de archivo</dc:title></metadata><manifest>
<item id="dos" href="texto/cap%C3%ADtulo%202.xhtml" media-type="application/xhtml+xml"/>
<item id="uno" href="texto/uno.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="foto" href="foto.jpg" media-type="image/jpeg"/>
<item id="fuera" href="../../../etc/passwd" media-type="application/xhtml+xml"/>
</manifest><spine><itemref idref="nav"/><itemref idref="uno"/><itemref idref="dos"/><itemref idref="fuera"/>
<itemref idref="falta"/></spine></package>"""
_CONTENTS = """<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
<navPoint><navLabel><text>Presentación</text></navLabel><content src="texto/uno.xhtml"/></navPoint>
<navPoint><navLabel><text>Conservación</text></navLabel><content src="texto/cap%C3%ADtulo%202.xhtml#a"/></navPoint>
</navMap></ncx>"""
_ONE = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>
<title>x</title><style>p {}</style></head><body><p>El archivo guarda los documentos de la institución.</p>
<aside epub:type="footnote"><p>Desde 1991.</p></aside></body></html>"""
_TWO = """<html><body><h1>Conservación</h1><p>Los documentos se guardan diez años.</p>
<table><tr><th>Serie</th><th>Años</th></tr><tr><td>Actas</td><td>30</td></tr></table></body></html>"""


def _epub(**changes: str) -> bytes:
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/content.opf": _PACKAGE,
        "OEBPS/toc.ncx": _CONTENTS,
        "OEBPS/texto/uno.xhtml": _ONE,
        "OEBPS/texto/capítulo 2.xhtml": _TWO,
        **changes,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name, text in members.items():
            package.writestr(name, text)
    return buffer.getvalue()


def _outline(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in document.blocks]


@pytest.mark.parametrize("name", ["libro.epub", "libro.zip", "libro.pdf"])
def test_chapters_in_the_order_of_the_spine(name: str) -> None:
    document = extract(_epub(), name=name)
    assert (document.format, document.title, document.pages) == ("epub", "Guía de archivo", None)
    assert _outline(document) == [
        ("heading", "Presentación"),
        ("text", "El archivo guarda los documentos de la institución."),
        ("text", "Desde 1991."),
        ("heading", "Conservación"),
        ("text", "Los documentos se guardan diez años."),
        ("table", "Serie | Años\nActas | 30"),
    ]


def test_titles_from_the_navigation_of_epub_3() -> None:
    navigation = """<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>
<li><a href="texto/uno.xhtml">A modo de inicio</a></li></ol></nav></body></html>"""
    package = _PACKAGE.replace('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>', "")
    changes = {"OEBPS/nav.xhtml": navigation, "OEBPS/content.opf": package}
    assert _outline(extract(_epub(**changes), name="a.epub"))[0] == ("heading", "A modo de inicio")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>El archivo guarda los documentos de la institución.</p><h2>1.1 Plazos</h2><p>Son diez años.</p>", True),
        ("<p>Capítulo 1.</p><h2>De la presentación</h2><p>El archivo guarda los documentos.</p>", False),
        ("<h1>Inicio</h1><p>El archivo guarda los documentos.</p>", False),
    ],
)
def test_the_heading_of_a_section_is_no_title_of_its_chapter(body: str, expected: bool) -> None:
    document = extract(_epub(**{"OEBPS/texto/uno.xhtml": f"<html><body>{body}</body></html>"}), name="a.epub")
    assert (("heading", "Presentación") in _outline(document)) is expected


def test_the_numbers_of_the_printed_pages_are_no_text() -> None:
    breaks = ('<span epub:type="pagebreak" title="7">7</span>', '<span role="doc-pagebreak">8</span>')
    body = f"<p>El archivo guarda {breaks[0]}los documentos.</p>{breaks[1]}<p>Rige hoy.</p>"
    document = extract(_epub(**{"OEBPS/texto/uno.xhtml": f"<html><body>{body}</body></html>"}), name="a.epub")
    assert _outline(document)[1:3] == [("text", "El archivo guarda los documentos."), ("text", "Rige hoy.")]


_NARROW = """<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>
<item id="uno" href="{}" media-type="{}"/></manifest><spine><itemref idref="uno"/></spine></package>"""


@pytest.mark.parametrize(
    ("package", "packed", "chapter", "member"),
    [
        ("Mi%20libro/c.opf", "Mi libro/c.opf", "uno.xhtml", "Mi libro/uno.xhtml"),
        ("Guía/c.opf", "Guía/c.opf", "uno.xhtml", "Guía/uno.xhtml"),
        ("./OEBPS/../c.opf", "c.opf", "/uno.xhtml", "uno.xhtml"),
        ("OEBPS/c.opf", "OEBPS/c.opf", "../Texto/uno.xhtml#inicio", "Texto/uno.xhtml"),
        ("OEBPS/c.opf", "OEBPS/c.opf", "mi%20uno.xhtml", "OEBPS/mi%20uno.xhtml"),  # as it is written
        ("OEBPS/c.opf", "OEBPS/c.opf", "100%.xhtml", "OEBPS/100%.xhtml"),
        ("OEBPS/c.opf", "OEBPS/c.opf", "capítulo.xhtml", unicodedata.normalize("NFD", "OEBPS/capítulo.xhtml")),
        ("OEBPS/c.opf", "OEBPS/c.opf", "Texto/Uno.XHTML", "OEBPS/texto/uno.xhtml"),
        ("OEBPS/c.opf", "OEBPS/c.opf", r"texto\uno.xhtml", "OEBPS/texto/uno.xhtml"),
    ],
)
def test_odd_paths_are_found(package: str, packed: str, chapter: str, member: str) -> None:
    container = _CONTAINER.replace("OEBPS/content.opf", package)
    changes = {
        "META-INF/container.xml": container,
        packed: _NARROW.format(chapter, "application/xhtml+xml"),
        member: _ONE,
    }
    assert _outline(extract(_epub(**changes), name="a.epub"))[0][1].startswith("El archivo guarda")


@pytest.mark.parametrize(
    "kind", ["", "application/xml", "text/x-oeb1-document", "Application/XHTML+XML; charset=utf-8"]
)
def test_a_chapter_whose_type_is_said_otherwise(kind: str) -> None:
    package = _NARROW.format("texto/uno.xhtml", kind)
    assert extract(_epub(**{"OEBPS/content.opf": package}), name="a.epub").blocks


def test_a_damaged_table_of_contents_costs_its_titles_alone() -> None:
    outline = _outline(extract(_epub(**{"OEBPS/toc.ncx": "<ncx>&nbsp;"}), name="a.epub"))
    assert outline[0] == ("text", "El archivo guarda los documentos de la institución.")


def test_a_protected_book_says_so_and_scrambled_typefaces_do_no_harm() -> None:
    def encryption(uri: str) -> str:
        return (
            '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>'
            f'<e:CipherReference URI="{uri}"/></e:CipherData></e:EncryptedData></encryption>'
        )

    with pytest.raises(UnreadableFileError, match="DRM"):
        extract(_epub(**{"META-INF/encryption.xml": encryption("OEBPS/texto/uno.xhtml")}), name="a.epub")
    assert extract(_epub(**{"META-INF/encryption.xml": encryption("OEBPS/letra.otf")}), name="a.epub").blocks


@pytest.mark.parametrize(
    "changes",
    [
        {"META-INF/container.xml": "<container/>"},
        {"META-INF/container.xml": "roto"},
        {"OEBPS/content.opf": "<package/>"},
        {"OEBPS/content.opf": '<!DOCTYPE p [<!ENTITY a "b">]><package>&a;</package>'},
    ],
)
def test_a_damaged_book_says_so_in_one_line(changes: dict[str, str]) -> None:
    with pytest.raises(UnreadableFileError, match=r"^[^\n]+$"):
        extract(_epub(**changes), name="a.epub")
