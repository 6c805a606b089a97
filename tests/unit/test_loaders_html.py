"""Web pages: what is displayed and nothing else, tables as rows, pages that a server wraps into one form."""

from __future__ import annotations

import pytest

from rag_system.ingestion.loaders import extract


def _outline(page: str) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in extract(page.encode(), name="a.html").blocks]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>Oculto</p>",
        '<p style="display: none">Oculto</p>',
        '<div style="color:red;DISPLAY:NONE !important"><p>Oculto</p></div>',
        '<p style="visibility:hidden">Oculto</p>',
        '<a aria-hidden="true">¶</a>',
        "<template><p>Oculto</p></template>",
        "<del>Oculto</del>",
        "<textarea>Oculto</textarea>",
        "<!-- Oculto -->",
        "<form><label>Oculto</label><input></form>",
    ],
)
def test_what_is_not_displayed_is_not_read(hidden: str) -> None:
    assert _outline(f"<html><body><p>El plazo es de diez días.</p>{hidden}</body></html>") == [
        ("text", "El plazo es de diez días.")
    ]


def test_a_page_inside_one_form_is_read() -> None:
    text = "La solicitud se presenta en la mesa de partes, con copia del documento de identidad. " * 4
    page = (
        f'<html><body><form action="default.aspx"><input type="hidden" value="x"><h1>Trámite</h1><p>{text}</p></form>'
    )
    assert _outline(page) == [("heading", "Trámite"), ("text", text.strip())]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "<tr><th>Falta</th><th>Sanción</th></tr><tr><td rowspan=2>Leve</td><td>Aviso</td></tr>"
            "<tr><td>Multa</td></tr>",
            "Falta | Sanción\nLeve | Aviso\nLeve | Multa",
        ),
        (
            "<tr><th colspan=2>Plazo</th><th>Vía</th></tr><tr><td>5</td><td rowspan=2>días</td><td>web</td></tr>"
            "<tr><td>8</td><td>sede</td></tr>",
            "Plazo | Vía\n5 | días | web\n8 | días | sede",
        ),
        (
            "<tr><td>a</td><td rowspan=3>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr>"
            "<tr><td>e</td><td>f</td></tr>",
            "a | b\nc | b\nd | b\ne | f",
        ),
        ("<tr><td rowspan=99999>a</td><td colspan=0>b</td></tr><tr><td>c</td></tr>", "a | b\na | c"),
    ],
)
def test_cells_that_span(rows: str, expected: str) -> None:
    assert _outline(f"<html><body><table>{rows}</table></body></html>") == [("table", expected)]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ('<ol type="a"><li>Uno</li><li>Dos</li></ol>', ["a. Uno", "b. Dos"]),
        ("<ol start=3><li>Tres<li value=7>Siete<li>Ocho</ol>", ["3. Tres", "7. Siete", "8. Ocho"]),
        ("<ol reversed><li>Dos<li>Uno</ol>", ["2. Dos", "1. Uno"]),
        ('<ol start="x"><li value="y">Uno</ol>', ["1. Uno"]),
        (
            "<ol type=I><li>Uno<ol type=a><li>Alfa<li>Beta</ol><li>Dos</ol>",
            ["I. Uno", "a. Alfa", "b. Beta", "II. Dos"],
        ),
        ('<ol style="list-style: upper-alpha inside"><li>Uno</ol>', ["A. Uno"]),
        ('<ol style="list-style-type:none"><li>Uno</ol><ul><li>Dos</ul>', ["Uno", "Dos"]),
        ("<ol><li>a) Uno<li><b>2.</b> Dos<li>Artículo 3.- Tres<li>10 días</ol>", None),
        ("<ol><li><p><b>Plazo.</b> Diez días.</p><p>Hábiles.</p></ol>", ["1. Plazo. Diez días.", "Hábiles."]),
        ("<ol><li hidden>Nada<li><li>Dos</ol>", ["2. Dos"]),
        ("<style>ol {list-style: none}</style><ol><li>Uno</ol><ol type=a><li>Alfa</ol>", ["Uno", "a. Alfa"]),
        (
            "<link rel=stylesheet href=a.css><ol class=pasos><li>Uno<ol><li>Dos</ol></ol><ol><li>A",
            ["Uno", "Dos", "1. A"],
        ),
        ("<ol type=a start=0><li>Cero<li>Uno</ol>", ["0. Cero", "a. Uno"]),
    ],
)
def test_the_numbers_of_lists_are_text(items: str, expected: list[str] | None) -> None:
    expected = expected or ["a) Uno", "2. Dos", "Artículo 3.- Tres", "4. 10 días"]
    document = extract(f"<html><body>{items}</body></html>".encode(), name="a.html")
    assert [block.text for block in document.blocks] == expected


@pytest.mark.parametrize(
    "own",
    ["1.º Pagar", "2.ª Pagar", "3 – Pagar", "4.-Pagar", "b. Pagar", "IV. Pagar", "Primera. Pagar", "ÚNICO: Pagar"],
)
def test_an_item_that_says_its_number_gets_no_other(own: str) -> None:
    assert _outline(f"<ol><li>{own}</ol>")[0][1] == own


@pytest.mark.parametrize("words", ["10:30 horas", "10–15 días", "Sr. Director", "Primero se paga.", "Quinto bimestre"])
def test_an_item_that_begins_like_a_number_gets_its_own(words: str) -> None:
    assert _outline(f"<ol><li>{words}</ol>")[0][1] == f"1. {words}"


def test_the_numbers_of_a_list_in_a_cell() -> None:
    page = "<table><tr><td>Requisitos<td><ol type=a><li>Solicitud<li>Copia</ol></table>"
    (table,) = extract(page.encode(), name="a.html").blocks
    assert table.text == "Requisitos | a. Solicitud b. Copia"


def test_unparsed_sections_of_xhtml_are_text() -> None:
    page = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>
<script>//<![CDATA[
nada();//]]></script></head><body><p><![CDATA[Tasa < 3 % & sin mora.]]> Rige hoy.</p></body></html>"""
    assert [block.text for block in extract(page.encode(), name="a.html").blocks] == [
        "Tasa < 3 % & sin mora. Rige hoy."
    ]


def test_unparsed_sections_left_open_cost_neither_time_nor_text() -> None:
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Rige hoy.</p>'
    blocks = extract((head + "<![CDATA[" * 100_000).encode(), name="a.html").blocks
    assert [block.text for block in blocks] == ["Rige hoy."]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('S/ 280<a href="#n2"><sup>2</sup></a> al día', "S/ 280 (2) al día"),
        ('la escala<sup><a epub:type="noteref" href="notas.xhtml#n3">3</a></sup>, sin', "la escala (3), sin"),
        ('S/ 280<a class="noteref" href="#n2">2</a> al día', "S/ 280 (2) al día"),
        ('S/ 280<a role="doc-noteref" href="#n2">2</a> al día', "S/ 280 (2) al día"),
        ('S/ 280<a epub:type="noteref" href="notas.xhtml#n2">2</a>.', "S/ 280 (2)."),
        ('S/ 280<a href="#n2">2</a> al día', "S/ 280 (2) al día"),
        ('S/ 280<a href="#_ftn2">2</a>', "S/ 280 (2)"),
        ('S/ 280<a href="#nota">*</a>', "S/ 280 (*)"),
        ('S/ 280.<a role="doc-noteref" href="#n2">2</a> Rige', "S/ 280. (2) Rige"),
        ('S/ 280<a href="notas.html#n2">2</a>.', "S/ 2802."),  # of another page: it may be any
        ('los art.<a href="#a5">5</a>,<a href="#a6">6</a> y S/ 1<a href="#monto7">50</a>', "los art.5,6 y S/ 150"),
        ('la escala<a class="ref FootnoteRef" href="#n2">2</a>, sin', "la escala (2), sin"),
        ('<a class="footnote-back" href="#call1">1</a> Véase [<a class="footnote" href="#n2">2</a>]', "1 Véase [2]"),
        ('<a href="#call1">1</a>Véase el anexo', "1 Véase el anexo"),
        ('el artículo <a href="#a15">15</a>.º y el <a href="#a2">2</a>.4', "el artículo 15.º y el 2.4"),
        ('S/ <a href="#t">280</a>.50, el <a href="#b">5</a>º y el (<a href="#n">3</a>)', "S/ 280.50, el 5º y el (3)"),
        ('la Ley N.º <a href="#l">29</a>571', "la Ley N.º 29571"),
        ("hay 10<!-- diez --><sup>6</sup> casos", "hay 10^6 casos"),
        ("hay 10<sup>6</sup> casos", "hay 10^6 casos"),
        ("de 120 m<sup>2</sup>", "de 120 m2"),
        ("N<sup>o</sup> 15", "No 15"),
        ('el <a href="#a5">artículo 5</a>.', "el artículo 5."),
    ],
)
def test_what_stands_raised_is_no_part_of_the_figure_before_it(markup: str, text: str) -> None:
    assert _outline(f"<p>{markup}</p>") == [("text", text)]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Cuesta S/ 280</p><p><sup>1</sup> No incluye tasas.</p>", "1 No incluye tasas."),
        ("<p>Cuesta S/ 280<br><sup>1</sup> No incluye tasas.</p>", "1 No incluye tasas."),
        ("<div><p>Cuesta S/ 280</p><sup>1</sup> No incluye tasas.</div>", "1 No incluye tasas."),
        ("<table><tr><td>280</td><td><sup>1</sup>/<sub>2</sub> UIT</td></tr></table>", "280 | 1/2 UIT"),
    ],
)
def test_what_stands_raised_at_the_beginning_of_a_line_stands_over_nothing(markup: str, text: str) -> None:
    assert _outline(markup)[-1][1] == text


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("S/ <b>1</b>.500", "S/ 1.500"),
        ("120 m<sup>2</sup>", "120 m2"),
        ("<span>resolu</span><span>ción</span> <i>N.º</i> 5", "resolución N.º 5"),
        ("Lima<br>Cusco", "Lima Cusco"),
        ("<div>Lima</div><div>Cusco</div>y <p>Puno</p>Ica", "Lima Cusco y Puno Ica"),
        ("<ul><li>Lima</li><li>Cusco</li></ul>", "Lima Cusco"),
    ],
)
def test_the_words_of_a_cell_are_parted_where_a_page_parts_them(cell: str, text: str) -> None:
    rows = f"<caption>Tasa d<b>e</b> hoy</caption><tr><th>Sede<th>Tasa</tr><tr><td>{cell}<td>5</tr>"
    assert _outline(f"<table>{rows}</table>") == [("table", f"Tasa de hoy\nSede | Tasa\n{text} | 5")]


def test_a_cell_of_many_lines_and_a_link_without_end_take_no_longer_than_their_length() -> None:
    lines, link = "x<br>" * 30_000, f'S/ 280<a href="#{"i" * 200_000}a">2</a>'
    outline = _outline(f"<table><tr><td>280</td><td>{lines}</td></tr></table><p>{link}</p>")
    assert [text.count("x") for _, text in outline] == [30_000, 0]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Rige hoy. <comment>Vence mañana.</comment></p>", "Rige hoy. Vence mañana."),
        (
            '<table><tr><td>Tasa<td><a class="comment-indicator"></a>\n<comment>Ana: ¿seguro?</comment>\n280</table>',
            "Tasa | 280",
        ),
    ],
)
def test_only_the_comments_of_cells_are_not_displayed(markup: str, text: str) -> None:
    assert _outline(markup)[0][1] == text
