"""An article that the question names without its norm says the less, the more norms have one of that number."""

from __future__ import annotations

import pytest

from rag_system.search.recipes import get_recipe
from rag_system.search.strategies import Article, Lexical, Metadata
from tests.builders import chunk, search_request, table

ARTICLES = [("ley", "Artículo 13.- Plazo"), ("ley", "Artículo 14.- Pago"), ("decreto", "ARTÍCULO 13")]


@pytest.mark.parametrize(("documents", "expected"), [(["ley"], [1.0, 0.0]), (["ley", "decreto"], [0.5, 0.0, 0.5])])
def test_of_several_norms_each_gets_its_share(documents: list[str], expected: list[float]) -> None:
    request = search_request("¿Qué plazo da el artículo 13?", recipe=get_recipe("default"))
    chunks = [
        chunk("Texto.", chunk_id=n, document=document, headings=(heading,))
        for n, (document, heading) in enumerate(ARTICLES)
        if document in documents
    ]
    article = Article(request, Metadata(request, Lexical(request)))
    assert article.column(table(chunks)).tolist() == expected
