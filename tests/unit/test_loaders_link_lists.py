"""Lists of links around the text of a page are not read; what belongs to the text is, links or not."""

from __future__ import annotations

import pytest

from rag_system.ingestion.loaders import extract

PROSE = "".join(
    f"<p>Artículo {n}. El titular puede pedir su licencia hasta diez días antes de la feria.</p>" for n in range(9)
)
NEWS = "".join(f'<li><a href="/noticias/{n}">El alcalde inauguró la obra número {n}</a></li>' for n in range(5))
CONTENTS = "".join(f'<li><a href="#a{n}">Artículo {n}. De las licencias</a></li>' for n in range(9))
NORMS = "".join(f'<li><a href="/leyes/{n}">Ley 300{n} de ferias y mercados</a></li>' for n in range(5))


def read(body: str) -> str:
    return "\n".join(
        block.text for block in extract(f"<html><body>{body}</body></html>".encode(), name="a.html").blocks
    )


@pytest.mark.parametrize(
    "page",
    [
        f"<div><div>{PROSE}</div><div><h3>MÁS LEÍDOS</h3><ul>{NEWS}</ul></div></div>",
        f"<div><section><h3>Últimas noticias</h3><ul>{NEWS}</ul></section></div><div><div>{PROSE}</div></div>",
        f"<table><tr><td><ul>{NEWS}</ul></td></tr></table><div>{PROSE}</div>",
        f"<main><div>{PROSE}</div><div>Le puede interesar<ul>{NEWS}</ul></div></main>",
        f"<div><div>{PROSE}</div><p>Publicado por la alcaldía.</p><div><ul>{NEWS}</ul></div></div>",
    ],
)
def test_lists_of_links_beside_the_text_are_not_read(page: str) -> None:
    text = read(page)
    assert "alcalde" not in text
    assert text.count("diez días antes") == 9


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        (f"<div><ul>{CONTENTS}</ul></div><div>{PROSE}</div>", "De las licencias"),
        (f"<div>{PROSE}<h2>Normas que modifica</h2><ul>{NORMS}</ul></div>", "Ley 3004"),
        (f"<h1>Normas vigentes</h1><ul>{NORMS}</ul><p>Actualizado en marzo.</p>", "Ley 3004"),
        (f'<div>{PROSE}</div><p>Fuente: <a href="/d">Diario oficial</a></p>', "Diario oficial"),
        (f'<div>{PROSE}</div><div>Rige desde marzo, salvo en <a href="/a">Ica</a>, <a href="/b">Puno</a> y '
         '<a href="/c">Tacna</a>, donde rige desde junio.</div>', "rige desde junio"),
    ],
)  # fmt: skip
def test_links_of_the_text_are_read(page: str, kept: str) -> None:
    text = read(page)
    assert kept in text
    if "diez días" in page:
        assert text.count("diez días antes") == 9
