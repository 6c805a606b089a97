"""Where a document or a shared conversation is opened: the address of the page, with what is to be shown there."""

from __future__ import annotations

from urllib.parse import urlencode

__all__ = ["PROJECT", "READER_PATH", "SECRET", "SHARED_PATH", "reader_address", "shared_address"]

PROJECT = "proyecto"  # what is before the project's id, where it is another than that of the first start

READER_PATH = "documento"  # in the address of the page
SHARED_PATH, SECRET = "compartido", "e"  # the same, and what is before the secret of a link (enlace)
_LONGEST_QUOTE = 400  # characters, in an address; the rest of a longer one is marked too where it is on the page


def reader_address(
    path: str, *, project: str = "", page: int | None = None, chunk_id: int | None = None, quote: str = ""
) -> str:
    """Relative to the chat's own address. w: whose it is, where that is another project; f: the passage (fragmento);
    `c` is the conversation's, see `ui.state`.
    """
    place = {"d": path, "w": project, "p": page, "f": chunk_id, "q": quote[:_LONGEST_QUOTE]}
    return f"{READER_PATH}?{urlencode({key: value for key, value in place.items() if value not in (None, '')})}"


def shared_address(secret: str) -> str:
    """Relative to the chat's own address."""
    return f"{SHARED_PATH}?{urlencode({SECRET: secret})}"
