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
