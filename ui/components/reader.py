"""What is seen of an opened document: a page drawn, or a stretch of its text, with what is quoted marked."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ui.components.answer import highlighted
from ui.components.drawing import drawn
from ui.texts import text

if TYPE_CHECKING:
    from assistant.originals import Passage
    from rag_system.viewing import PagePicture

__all__ = ["show_page", "show_passages", "text_data"]

_HTML = '<div class="reader"></div>'


def show_page(picture: PagePicture, *, alt: str) -> None:
    """A page as a picture, scrolled to its first mark."""
    marks = [asdict(mark) for mark in picture.marks]
    drawn("reader", html=_HTML)(
        data={"picture": b64encode(picture.png).decode(), "marks": marks, "alt": alt}, key="legajo_reader_page"
    )


def show_passages(passages: Sequence[Passage], *, quotes: Sequence[str]) -> None:
    """A stretch of the text, scrolled to the quote."""
    drawn("reader", html=_HTML)(data=text_data(passages, quotes=quotes), key="legajo_reader_text")


def text_data(passages: Sequence[Passage], *, quotes: Sequence[str]) -> dict[str, Any]:
    """Each passage in pieces; of its headings and its page what is not told yet."""
    before: list[tuple[tuple[str, ...], int | None]] = [((), None), *((each.headings, each.page) for each in passages)]
    return {
        "passages": [
            {
                "heading": " › ".join(_news(headings, each.headings)),
                "page": text("sources.page", page=each.page) if each.page is not None and each.page != page else "",
                "parts": highlighted(each.text, tuple(quotes)),
            }
            for (headings, page), each in zip(before, passages, strict=False)
        ]
    }


def _news(before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """The headings that the passage before does not stand under."""
    same = next((n for n, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), len(before))
    return now[same:]
