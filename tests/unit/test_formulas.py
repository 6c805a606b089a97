"""Formulae are drawn, money is not, and nothing that stands between the signs acts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.markup import answer_html

X = "<math><mrow><mi>x</mi></mrow></math>"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Sea $x$ [1].", f'<p>Sea {X} <span class="marker">1</span>.</p>'),
        (r"Sea \(x\), y ya.", f"<p>Sea {X}, y ya.</p>"),
        ("$$x$$", '<math display="block"><mrow><mi>x</mi></mrow></math>'),
        ("Entre $100 y $200.", "<p>Entre $100 y $200.</p>"),
        ("Son $ 1,500 o US$ 20 [1]", '<p>Son $ 1,500 o US$ 20 <span class="marker">1</span></p>'),
        ("`$x$` y $ sin fin", "<p><code>$x$</code> y $ sin fin</p>"),
        (r"$\frac{$", "<p><code>$\\frac{$</code></p>"),
        (r"$\text{<b>x</b>}$", "<p><math><mrow><mtext>&lt;b&gt;x&lt;/b&gt;</mtext></mrow></math></p>"),
        (r"$\href{javascript:x}{x}$", "<p><math><mrow><mrow><mrow><mi>x</mi></mrow></mrow></mrow></math></p>"),
    ],
)
def test_what_is_a_formula_is_drawn(written: str, shown: str) -> None:
    assert answer_html(written, sources=[1]).strip() == shown


def test_a_doubted_sentence_keeps_its_dagger_behind_a_formula() -> None:
    shown = answer_html("Vale $x$ [1]. Y dos.", sources=[1], unsupported=["Vale $x$"])
    assert re.sub(r"<[^>]+>", "", shown).strip() == "Vale x 1†. Y dos."


PARTS = [
    "$",
    "$$",
    r"\(",
    r"\)",
    r"\text{",
    r"\href{javascript:x}{",
    r"\style{",
    "}",
    "<script>",
    '"',
    "x",
    "^2",
    "&lt;",
]


@given(st.lists(st.sampled_from(PARTS), max_size=12).map("".join))
def test_nothing_between_the_signs_becomes_a_tag_or_an_attribute(written: str) -> None:
    tags = re.findall(r"<(/?\w+)([^>]*)>", answer_html(written))
    assert {attributes for _, attributes in tags} <= {"", ' display="block"', ' class="math block"', " /"}
    assert not {name.strip("/") for name, _ in tags} & {"script", "a", "style", "img"}
