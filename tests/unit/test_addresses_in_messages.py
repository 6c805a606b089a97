"""When a message is a web address to be added, and when it is a question."""

from __future__ import annotations

import pytest

from ui.components.offered_page import address_in

URL = "https://www.gob.pe/institucion/normas?n=1024"


@pytest.mark.parametrize(
    ("message", "address"),
    [
        (URL, URL),
        (f"agrega esta página {URL}", URL),
        (f"por favor, añada esto: <{URL}>", URL),
        (f"¿Qué dice {URL}?", ""),
        (f"resume {URL} y dime en qué se diferencia del reglamento", ""),
        (f"{URL} {URL}", ""),
        ("www.gob.pe", ""),
        ("agrega esta página", ""),
    ],
)
def test_an_address_is_one_where_it_is_what_the_message_is_about(message: str, address: str) -> None:
    assert address_in(message) == address
