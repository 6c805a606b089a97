"""What the chat shows of an opened document, and the address that opens it."""

from __future__ import annotations

import pytest

from assistant.originals import Passage
from ui.components.addresses import Place
from ui.components.reader import text_data

ADDRESSES = [
    (("ley.pdf", None, None, ""), "documento?d=ley.pdf"),
    (("leyes/año 1.pdf", 7, 0, "«¿Sí?» & más"), "documento?d=leyes%2Fa%C3%B1o+1.pdf&p=7&f=0&q="),
]


@pytest.mark.parametrize(("place", "address"), ADDRESSES)
def test_the_address_of_a_document(place: tuple[str, int | None, int | None, str], address: str) -> None:
    path, page, chunk_id, quote = place
    assert Place(path=path, page=page, chunk_id=chunk_id, quote=quote).address.startswith(address)


def test_headings_and_pages_are_told_where_they_change() -> None:
    passages = [
        Passage(ordinal=0, headings=("Título I", "Artículo 1"), page=1, text="Uno."),
        Passage(ordinal=1, headings=("Título I", "Artículo 1"), page=1, text="Dos, diez días."),
        Passage(ordinal=2, headings=("Título I", "Artículo 2"), page=2, text="Tres."),
        Passage(ordinal=3, headings=("Título I",), page=2, text="Cuatro."),
    ]
    shown = text_data(passages, quotes=["diez días"])["passages"]
    assert [(each["heading"], each["page"]) for each in shown] == [
        ("Título I › Artículo 1", "página 1"),
        ("", ""),
        ("Artículo 2", "página 2"),
        ("", ""),
    ]
    assert shown[1]["parts"] == [("Dos, ", False), ("diez días", True), (".", False)]
