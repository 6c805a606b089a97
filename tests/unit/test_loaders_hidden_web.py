"""What a web page, a book, slides or sheets do not show never reaches the index, and what only looks hidden does."""

from __future__ import annotations

import io
import zipfile

import pptx
import pytest
from openpyxl import Workbook

from tests.hidden import SEEN, UNSEEN, read, text_of

_PAGE = "<html><head>{head}</head><body><p>{seen}</p>{rest}</body></html>"
_SHEET = "<style>th { background: #036 }</style>"


@pytest.mark.parametrize(
    "rest",
    [
        f'<p style="display: none">{UNSEEN}</p>',
        f'<div style="visibility:hidden"><p>{UNSEEN}</p></div>',
        f'<p style="font-size:0">{UNSEEN}</p>',
        f'<p>El plazo <span style="font-size: 1px">{UNSEEN}</span> vence.</p>',
        f'<p style="opacity:0">{UNSEEN}</p>',
        f'<p style="position:absolute; left:-9999px">{UNSEEN}</p>',
        f"<p hidden>{UNSEEN}</p>",
        f'<p style="color:#fff">{UNSEEN}</p>',
        f'<p>El plazo <font color="white">{UNSEEN}</font> vence.</p>',
        f'<p style="color: rgb(254, 254, 254); background-color: #FFFFFF">{UNSEEN}</p>',
        f'<div style="background:#336699"><p style="color:#336699">{UNSEEN}</p></div>',
    ],
)
@pytest.mark.parametrize("head", ["", _SHEET])
def test_what_a_web_page_does_not_show_is_left_out_and_said(rest: str, head: str) -> None:
    document = read(_PAGE.format(head=head, seen=SEEN, rest=rest).encode(), "a.html")
    assert "multa" not in text_of(document)
    assert SEEN in text_of(document)
    assert tuple(document.hidden_pages) == (0,)


@pytest.mark.parametrize(
    "rest",
    [
        '<table><tr style="background:#036"><th style="color:white">Infracción</th><th>multa</th></tr></table>',
        '<table><tr><th style="color:white">Infracción y multa</th></tr></table>',  # painted by the style sheet
        '<div bgcolor="#003366"><font color="#ffffff">Infracción y multa</font></div>',
        '<p class="aviso" style="color:#fff">Infracción y multa</p>',
        '<p aria-hidden="true">Infracción y multa, que se ven en la pantalla</p>',
        '<p style="font-size:8pt; color:#777">Infracción y multa</p>',
        '<p style="color:white"><span style="color:black">Infracción y multa</span></p>',
        '<p style="background-image:url(fondo.png); background: url(f.png); color:white">Infracción y multa</p>',
    ],
)
def test_what_a_web_page_shows_stays(rest: str) -> None:
    document = read(_PAGE.format(head=_SHEET, seen=SEEN, rest=rest).encode(), "a.html")
    assert "multa" in text_of(document)
    assert tuple(document.hidden_pages) == ()


@pytest.mark.parametrize(
    ("css", "rest"),
    [
        (".x { display: none }", f'<p class="a x">{UNSEEN}</p>'),
        ("#nota { visibility: hidden !important }", f'<div id="nota"><p>{UNSEEN}</p></div>'),
        ("body aside.x, p.x span { display:none }", f'<p class="x">El plazo <span>{UNSEEN}</span> vence.</p>'),
        ("ins { font-size: 0 }", f"<p>El plazo <ins>{UNSEEN}</ins> vence.</p>"),
        ("/* { */ @media screen { .x { position: absolute; left: -9999px } }", f'<p class="x">{UNSEEN}</p>'),
        ("p { display: block } .x { display: none }", f'<p class="x">{UNSEEN}</p>'),
        (".x { opacity: 0; color: red } .y { display: block }", f'<p class="x">{UNSEEN}</p>'),
        (".x::before { content: '}' } .x { display: none }", f'<p class="x">{UNSEEN}</p>'),
    ],
)
def test_what_a_style_sheet_hides_is_left_out_and_said(css: str, rest: str) -> None:
    document = read(_PAGE.format(head=f"<style>{css}</style>", seen=SEEN, rest=rest).encode(), "a.html")
    assert "multa" not in text_of(document)
    assert SEEN in text_of(document)
    assert tuple(document.hidden_pages) == (0,)


_FINE = "Infracción y multa que se leen en la página"


@pytest.mark.parametrize(
    ("css", "rest"),
    [
        (".x { display: none } .x { display: block }", f'<p class="x">{_FINE}</p>'),
        ("p.x { display: block } .x { display: none }", f'<p class="x">{_FINE}</p>'),
        (".x { display: none } .x.open { display: block }", f'<p class="x">{_FINE}</p>'),
        (".faq p { display: none } .faq.open p { display: block }", f'<div class="faq"><p>{_FINE}</p></div>'),
        (".x { display: none } li:hover .x { display: block }", f'<li>Más <p class="x">{_FINE}</p></li>'),
        (".x { display: none } @media (min-width: 9em) { .x { display: block } }", f'<p class="x">{_FINE}</p>'),
        ("@media print { .x { display: none } }", f'<p class="x">{_FINE}</p>'),
        (".x::after { visibility: hidden }", f'<p class="x">{_FINE}</p>'),
        (".x:not(.show) { display: none }", f'<p class="x">{_FINE}</p>'),
        (".x { font-size: 0 } .y { font-size: 12px }", f'<div class="x"><p class="y">{_FINE}</p></div>'),
        (".x { display: none }", f'<p class="x" style="display: block">{_FINE}</p>'),
        (".x { opacity: 0; animation: fade 1s forwards }", f'<p class="x">{_FINE}</p>'),
        (".x { display: none }", f"<script>document.querySelector('.x').hidden = 0</script><p class='x'>{_FINE}</p>"),
        (".x { display: none }", f'<button aria-controls="r1">Ver</button><p class="x" id="r1">{_FINE}</p>'),
        (".x { display: none } {{{ @media", f'<p class="y">{_FINE}</p>'),
        (".x[ { display: none } p:frob(2) { display: none } 5% { display:none }", f'<p class="x">{_FINE}</p>'),
        (".x > p { display: none } .x.open > * { display: block }", f'<div class="x"><p>{_FINE}</p></div>'),
        (".x { opacity: 0 } .fade { animation: fade 1s forwards }", f'<p class="x fade">{_FINE}</p>'),
        (".x { display: none; &.open { display: block } }", f'<p class="x">{_FINE}</p>'),
        (".x { display: none; @media (min-width: 9em) { display: block } }", f'<p class="x">{_FINE}</p>'),
    ],
)
def test_what_a_style_sheet_may_show_stays(css: str, rest: str) -> None:
    document = read(_PAGE.format(head=f"<style>{css}</style>", seen=SEEN, rest=rest).encode(), "a.html")
    assert _FINE in text_of(document)
    assert tuple(document.hidden_pages) == ()


@pytest.mark.parametrize(
    "css",
    [
        "@media screen {" * 5_000 + ".x { display: none }",
        ".x { display: " + "(" * 50_000,
        "@media " + "[" * 5_000 + "]" * 5_000 + "{ .x { display: none } }",
        "/*" * 200_000,
        ":is(" * 500 + "p" + ")" * 500 + "{ display: none }",
        "p { font-size: 0 } .y { display: none }" * 2_000,
        'p { content: "/*" } ' + "@media screen {" * 5_000,
        'p { content: "/*" } .x { display: ' + "(" * 50_000,
        "em div div div div div b { display: none }",
    ],
)
def test_hostile_sheets_cost_no_text(css: str) -> None:
    rest = f'{"<div>" * 60}{f"""<b class="x">{_FINE}</b>""" * 500}<em>y</em></div>'
    assert _FINE in text_of(read(_PAGE.format(head=f"<style>{css}</style>", seen=SEEN, rest=rest).encode(), "a.html"))


def test_sheets_for_paper_and_for_pages_without_scripts_hide_nothing() -> None:
    sheets = '<style media="print">.x{display:none}</style><noscript><style>.x{display:none}</style></noscript>'
    document = read(_PAGE.format(head=sheets, seen=SEEN, rest=f'<p class="x">{_FINE}</p>').encode(), "a.html")
    assert _FINE in text_of(document)


def test_a_page_that_its_script_shows_once_it_is_loaded_is_read() -> None:
    rest = f'<script src="app.js"></script><div class="app"><h1>Multas</h1><p>{_FINE}. {_FINE}. {_FINE}.</p></div>'
    head = "<style>.app { visibility: hidden }</style>"
    assert _FINE in text_of(read(_PAGE.format(head=head, seen=SEEN, rest=rest).encode(), "a.html"))


def test_what_a_style_sheet_of_a_book_hides_is_left_out_and_said() -> None:
    link = '<link rel="stylesheet" href="estilos/libro.css"/><link rel="stylesheet" href="falta.css"/>'
    css = ".nota { display: none }"
    document = read(_chapter(f'{link}<p class="nota">{UNSEEN}</p>', css=css), "a.epub")
    assert text_of(document) == SEEN
    assert tuple(document.hidden_pages) == (0,)


@pytest.mark.parametrize(
    ("head", "css"),
    [
        ('<link rel="stylesheet" media="print" href="estilos/libro.css"/>', ".x { display: none }"),
        ('<link rel="stylesheet" media="amzn-mobi" href="estilos/libro.css"/>', ".x { display: none }"),
        ('<noscript><link rel="stylesheet" href="estilos/libro.css"/></noscript>', ".x { display: none }"),
        (
            '<style>.x { display: none }</style><link rel="stylesheet" href="estilos/libro.css"/>',
            ".x { display: block }",
        ),
        ('<link rel="stylesheet" href="http://[libro#css"/>', ""),
    ],
)
def test_what_a_style_sheet_of_a_book_does_not_hide_on_a_screen_stays(head: str, css: str) -> None:
    document = read(_chapter(f'{head}<p class="x">{_FINE}</p>', css=css), "a.epub")
    assert _FINE in text_of(document)
    assert tuple(document.hidden_pages) == ()


def test_a_damaged_style_sheet_costs_a_book_no_text() -> None:
    book = _chapter(f'<link rel="stylesheet" href="estilos/libro.css"/><p>{_FINE}</p>', css=".x { display: none }")
    document = read(book.replace(b".x { display: none }", b".x { display: none ]"), "a.epub")
    assert _FINE in text_of(document)


def _chapter(body: str, *, css: str = "") -> bytes:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="c" href="c.xhtml"'
        ' media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="content.opf"/></rootfiles></container>'
    )
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("content.opf", package)
        archive.writestr("estilos/libro.css", css)
        archive.writestr("c.xhtml", f"<html><body><p>{SEEN}</p>{body}</body></html>")
    return buffer.getvalue()


@pytest.mark.parametrize(("attribute", "shown"), [('aria-hidden="true"', True), ("hidden=''", False)])
def test_a_book_says_only_what_it_leaves_out(attribute: str, shown: bool) -> None:
    document = read(_chapter(f"<p {attribute}>{UNSEEN}</p>"), "a.epub")
    assert ("multa" in text_of(document)) is shown
    assert bool(document.hidden_pages) is not shown


def test_a_menu_that_unfolds_is_nothing_to_be_told() -> None:
    menu = f'<nav><ul style="display:none"><li>{UNSEEN}</li></ul></nav><div class="menu"><p hidden>{UNSEEN}</p></div>'
    document = read(_PAGE.format(head="", seen=SEEN, rest=menu).encode(), "a.html")
    assert (text_of(document), tuple(document.hidden_pages)) == (SEEN, ())


@pytest.mark.parametrize(
    "hidden",
    [
        f"<!-- {UNSEEN} -->",
        f"<!--\n{UNSEEN}\n-->",
        f"El plazo vence. <!-- {UNSEEN} --> Luego se paga.",
        f'El plazo <span style="display:none">{UNSEEN}</span> vence.',
        f'<div style="font-size: 0px">{UNSEEN}</div>',
        f'El plazo <b style="display:none">{UNSEEN}</b> vence.',
        f"El plazo <b\nhidden>{UNSEEN}</b> vence.",
        f"<div hidden>{UNSEEN}</div>",
        f"<div style=display:none>{UNSEEN}</div>",
        f'<section style="visibility:hidden">\n{UNSEEN}\n</section>',
        f'<div style="display:none"><div>Uno</div><div>{UNSEEN}</div></div>',
        f'<div style="display:none">\n<div>\n\nUno\n\n</div>\n\n{UNSEEN}\n\n</div>',
        f'<div style="display:none">\n\n{UNSEEN}\n\n</div>',
        f"<div hidden>\n\n# {UNSEEN}\n\n```\n{UNSEEN}\n```\n\n| a | b |\n|-|-|\n| {UNSEEN} | 2 |\n\n</div>",
        f'<p style="color:#fff">{UNSEEN}</p>',
        f'El plazo <font color="white">{UNSEEN}</font> vence.',
        f"[//]: # ({UNSEEN})",
        f'[comment]: <> "{UNSEEN}"',
        f"[//]: # (Uno)\n[//]: # ({UNSEEN})",
    ],
)
def test_what_markdown_does_not_show_is_left_out_and_said(hidden: str) -> None:
    document = read(f"{SEEN}\n\n{hidden}\n\nFin del texto.\n".encode(), "a.md")
    assert "multa" not in text_of(document)
    assert SEEN in text_of(document)
    assert "Fin del texto." in text_of(document)
    assert tuple(document.hidden_pages) == (0,)


def test_markdown_may_write_of_comments() -> None:
    prose = r"Se escribe `a < b`, o `<!-- la multa -->`, o `<b hidden>`, o \<b hidden>, o &lt;b hidden&gt;."
    shown = f'{prose}\n\n```html\n<!-- la multa -->\n```\n\n<span style="color:red">La multa</span> sube.'
    document = read(shown.encode(), "a.md")
    assert text_of(document).count("multa") == 3
    assert tuple(document.hidden_pages) == ()


@pytest.mark.parametrize(
    "shown",
    [
        "<p hidden>Nada\n\nInfracción y multa",  # a paragraph ends where the next begins
        '<div style="background:#036">\n\n<span style="color:white">Infracción y multa</span>\n\n</div>',
        '<p style="color:white"><b style="color:black">Infracción y multa</b></p>',
        '<div style="display:block">\n\nInfracción y multa\n\n</div>',
        "<div><!--\n\nInfracción y multa",
        "[1]: norma.md (Infracción y multa)",
        "[a]: la multa",
    ],
)
def test_what_markdown_shows_stays(shown: str) -> None:
    document = read(f"{SEEN}\n\n{shown}\n".encode(), "a.md")
    assert "multa" in text_of(document)
    assert tuple(document.hidden_pages) == ()


@pytest.mark.parametrize(
    "hostile",
    [
        "<b hidden " * 40_000,
        "<!--" * 40_000,
        "` `` " * 40_000,
        '<a "' * 40_000,
        "[a]: b (" * 40_000,
        "<div hidden>" * 5_000,
    ],
)
def test_hostile_markdown_is_read(hostile: str) -> None:
    assert SEEN in text_of(read(f"{SEEN}\n\n{hostile}\n".encode(), "a.md"))


# ---------------------------------------------------------------- slides and sheets


def test_a_hidden_shape_of_a_slide_is_left_out_and_a_hidden_slide_is_not() -> None:
    presentation = pptx.Presentation()
    for text, name in ((SEEN, "visto"), (UNSEEN, "oculto")):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide._element.set("show", "0")
        box = slide.shapes.add_textbox(0, 0, 3_000_000, 500_000)
        box.text_frame.text = text
        if name == "oculto":
            box._element.nvSpPr.cNvPr.set("hidden", "1")
    presentation.save(buffer := io.BytesIO())
    assert text_of(read(buffer.getvalue(), "a.pptx")) == SEEN


@pytest.mark.parametrize("state", ["hidden", "veryHidden", "visible"])
def test_a_hidden_sheet_is_said(state: str) -> None:
    workbook = Workbook()
    workbook.active.append(["Plazo", "quince días"])
    other = workbook.create_sheet("Listas")
    other.append(["multa", "cero"])
    other.sheet_state = state
    workbook.save(buffer := io.BytesIO())
    document = read(buffer.getvalue(), "a.xlsx")
    assert ("multa" in text_of(document)) is (state == "visible")
    assert tuple(document.hidden_pages) == (() if state == "visible" else (0,))
