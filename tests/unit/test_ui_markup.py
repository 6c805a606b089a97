"""Text that others wrote must show and never act."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.formulas import ELEMENTS
from ui.markup import answer_html, plain_html, plain_label

ALLOWED = {
    *ELEMENTS,
    *("p", "br", "hr", "strong", "em", "code", "pre", "blockquote", "ul", "ol", "li", "h4"),
    *("table", "thead", "tbody", "tr", "th", "td", "button", "span"),
}
ALLOWED_ATTRIBUTES = {
    "type",
    "class",
    "data-n",
    "style",
    "start",
    "display",
}  # style: the alignment of a table's column


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


def tags(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    return parser


DAGGER = '<span class="unsupported">†</span>'
MARKER = '<button type="button" class="marker" data-n="{0}">{0}</button>'


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        (
            "El plazo es de **cinco** días [1].",
            f"<p>El plazo es de <strong>cinco</strong> días {MARKER.format(1)}.</p>",
        ),
        ("Dos [1][2]", f"<p>Dos {MARKER.format(1)}{MARKER.format(2)}</p>"),
        ("Dos [1, 2]", f"<p>Dos {MARKER.format(1)}{MARKER.format(2)}</p>"),
        ("Ninguna [9] ni [2020]", "<p>Ninguna [9] ni [2020]</p>"),
        ("[1]: http://198.51.100.7/", f"<p>{MARKER.format(1)}: http://198.51.100.7/</p>"),
        ("[1](http://198.51.100.7/)", f"<p>{MARKER.format(1)}(http://198.51.100.7/)</p>"),
        ("`a[1]`", "<p><code>a[1]</code></p>"),
        ("[pulse aquí](http://198.51.100.7/robo)", "<p>pulse aquí</p>"),
        ("<https://198.51.100.7/>", "<p>https://198.51.100.7/</p>"),
        ("![gráfico](http://198.51.100.7/p.png)", "<p>gráfico</p>"),
        ("Cuesta $5 y $10", "<p>Cuesta $5 y $10</p>"),
        ("<b>no</b>", "<p>&lt;b&gt;no&lt;/b&gt;</p>"),
        ("# Título", "<h4>Título</h4>"),
        ("uno\ndos", "<p>uno<br>\ndos</p>"),
    ],
)
def test_answers_become_inert_html(markdown: str, expected: str) -> None:
    assert answer_html(markdown, sources=(1, 2), clickable=True).strip().replace("<br />", "<br>") == expected


def test_markers_are_plain_while_the_answer_streams() -> None:
    assert answer_html("Sí [1].", sources=(1,)) == '<p>Sí <span class="marker">1</span>.</p>\n'


HOSTILE = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            [
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "![x](http://198.51.100.7/a.png)",
                "[x](javascript:alert(1))",
                "[1]",
                "[1]: http://198.51.100.7 'x'",
                "<http://198.51.100.7>",
                "```\n",
                "\n\n",
                "| a | b |\n|---|:-:|\n| [1] | <b> |\n",
                "&lt;script&gt;",
                "<!-- -->",
                "\\<svg onload=alert(1)>",
            ]
        ),
    ),
    max_size=8,
).map("".join)


@given(HOSTILE)
def test_no_answer_can_add_a_tag_or_an_attribute_that_acts(markdown: str) -> None:
    parsed = tags(answer_html(markdown, sources=(1,), clickable=True))
    assert parsed.tags <= ALLOWED
    assert parsed.attributes <= ALLOWED_ATTRIBUTES


@given(st.text())
def test_plain_text_has_no_tags_but_its_frame(text: str) -> None:
    assert tags(plain_html(text)).tags == {"div"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Política de compras", "Política de compras"),
        ("**nota** [x](y)", r"\*\*nota\*\* \[x\]\(y\)"),
        ("guia_iso.pdf", r"guia\_iso.pdf"),
        ("$x$ :red[a]", r"\$x\$ \:red\[a\]"),
        ("una\nlínea", "una línea"),
    ],
)
def test_labels_show_as_they_were_written(text: str, expected: str) -> None:
    assert plain_label(text) == expected


SKY = "El cielo es verde [1]."
DOUBTED = [
    (SKY, (SKY,), f"<p>El cielo es verde {MARKER.format(1)}.{DAGGER}</p>"),
    ("El cielo es verde. [1][2] Es tarde.", ("El cielo es verde.",), f"verde. {MARKER.format(1)}[2]{DAGGER} Es tarde."),
    (f"**{SKY}** Es tarde [1].", (f"**{SKY}**",), f"<strong>El cielo es verde {MARKER.format(1)}.</strong>{DAGGER} Es"),
    (f"- Es tarde.\n- {SKY}", (SKY,), f"<li>El cielo es verde {MARKER.format(1)}.{DAGGER}</li>"),
    (f"| a | b |\n|---|---|\n| c | {SKY} |", (f"| c | {SKY} |",), f"{MARKER.format(1)}.{DAGGER}</td>"),
    (f"{SKY} {SKY}", (SKY, SKY), f"{DAGGER} El cielo es verde {MARKER.format(1)}.{DAGGER}</p>"),
]


@pytest.mark.parametrize(("markdown", "unsupported", "expected"), DOUBTED)
def test_a_sentence_without_support_ends_in_a_dagger(
    markdown: str, unsupported: tuple[str, ...], expected: str
) -> None:
    html = answer_html(markdown, sources={1}, unsupported=unsupported, clickable=True)
    assert expected in html
    assert html.count(DAGGER) == len(unsupported)


@pytest.mark.parametrize(
    "markdown", [f"`{SKY}`", f"```\n{SKY}\n```", f"![{SKY}](x)", "Es tarde.", "[\ue000] Es tarde."]
)
def test_a_sentence_that_is_not_prose_stays_as_it_is(markdown: str) -> None:
    html = answer_html(markdown, sources={1}, unsupported=(SKY,))
    assert "\ue000" not in html
    assert html == answer_html(markdown.replace("\ue000", ""), sources={1})


STRONG = [
    (
        "El plazo es de 15 (quince) días hábiles [1].",
        "15 (quince) días hábiles",
        "de <strong>15 (quince) días hábiles</",
    ),
    ("Cuesta $ 1,500 o $ 20.", "$ 1,500", "Cuesta <strong>$ 1,500</strong> o $ 20."),
    ("*Son **15 días** al año*", "15 días", "<strong><strong>15 días</strong></strong> al año</em>"),
    ("«Multa | 12 días\nQueja | 3 días» [1]", "12 días", "<td>Multa</td><td><strong>12 días</strong></td>"),
    ("Uno \ue001 dos 15 días", "15 días", "Uno  dos <strong>15 días</strong>"),
    ("Con $x = 15$ días", "15", "Con <math><mrow><mi>x</mi><mo>=</mo><mn>15</mn></mrow></math> días"),
    ("Con `x = 15` días", "15", "Con <code>x = 15</code> días"),
    ("Con `x = 15` días", "15` días", "Con <code>x = 15</code> días"),
    ("Nada", "", "<p>Nada</p>"),
]


@pytest.mark.parametrize(("markdown", "words", "expected"), STRONG)
def test_the_words_that_decide_are_strong_where_they_are_prose(markdown: str, words: str, expected: str) -> None:
    start = markdown.index(words)
    html = answer_html(markdown, sources={1}, decisive=(start, start + len(words)))
    assert expected in html
    assert not set("\ue000\ue001\ue002") & set(html)


def test_the_words_that_decide_keep_the_dagger_of_their_sentence() -> None:
    html = answer_html("El plazo es de 15 días.", unsupported=("El plazo es de 15 días.",), decisive=(15, 22))
    assert html == f"<p>El plazo es de <strong>15 días</strong>.{DAGGER}</p>\n"


TABLES = [
    (
        "Según la guía: «Tema | Controles\nPersonas | 8\n(…)\nFísicos | <b>14</b>» [1]",
        "<p>Según la guía: «</p>\n<table class='quoted'><tr><td>Tema</td><td>Controles</td></tr>"
        '<tr><td>Personas</td><td>8</td></tr><tr><td colspan="2">(…)</td></tr>'
        '<tr><td>Físicos</td><td>&lt;b&gt;14&lt;/b&gt;</td></tr></table>\n<p>» <span class="marker">1</span></p>\n',
    ),
    (
        "Según la guía, «9. Multas»: «Leve | 5 UIT\nGrave | 50 UIT» [1]",
        "<p>Según la guía, «9. Multas»: «</p>\n<table class='quoted'><tr><td>Leve</td><td>5 UIT</td></tr>"
        '<tr><td>Grave</td><td>50 UIT</td></tr></table>\n<p>» <span class="marker">1</span></p>\n',
    ),
    (
        "El signo | no es una fila: «quince días» [1]",
        '<p>El signo | no es una fila: «quince días» <span class="marker">1</span></p>\n',
    ),
    ("Antes «quince días | hábiles", "<p>Antes «quince días | hábiles</p>\n"),  # still being written
]


@pytest.mark.parametrize(("markdown", "html"), TABLES)
def test_a_quote_of_rows_is_shown_as_a_table(markdown: str, html: str) -> None:
    assert answer_html(markdown, sources={1}) == html
