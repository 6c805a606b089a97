"""Where a document or a shared conversation is opened: the address of the page, with what is to be shown there."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

__all__ = ["PROJECT", "READER_PATH", "SECRET", "SHARED_PATH", "Place", "shared_address"]

PROJECT = "proyecto"  # what is before the project's id, where it is another than that of the first start

READER_PATH = "documento"  # in the address of the page
SHARED_PATH, SECRET = "compartido", "e"  # the same, and what is before the secret of a link (enlace)
_LONGEST_QUOTE = 400  # characters, in an address; the rest of a longer one is marked too where it is on the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in which document."""

    path: str
    project: str = ""  # whose it is, where that is another
    page: int | None = None
    passage: int | None = None  # the number (from 0) of the one to begin with; None: that of `chunk_id`, or the first
    chunk_id: int | None = None  # what was cited
    quote: str = ""

    @property
    def address(self) -> str:
        """Relative to the chat's own. w: whose it is; f: what was cited (fragmento); `c` is the conversation's, see
        `ui.state`.
        """
        parts = {
            "d": self.path,
            "w": self.project,
            "p": self.page,
            "n": self.passage,
            "f": self.chunk_id,
            "q": self.quote[:_LONGEST_QUOTE],
        }
        return f"{READER_PATH}?{urlencode({key: value for key, value in parts.items() if value not in (None, '')})}"


def shared_address(secret: str) -> str:
    """Relative to the chat's own address."""
    return f"{SHARED_PATH}?{urlencode({SECRET: secret})}"
