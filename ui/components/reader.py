"""What is seen of an opened document: a page drawn, or a stretch of its text, with what is quoted marked."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from rag_system.errors import UnreadableFileError
from ui.components.addresses import Place
from ui.components.answer import highlighted
from ui.components.drawing import drawn
from ui.markup import plain_label
from ui.serving.showing import handed_out
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.originals import Original, Passage
    from assistant.project_assistant import ProjectAssistant
    from rag_system.viewing import PagePicture

__all__ = ["render_place", "text_data"]

Turn = Callable[[Place], None]

_HTML = '<div class="reader"></div>'
_AROUND = 12  # passages on the screen at a time
_BEFORE = 3  # of them above the one that was cited
_PICTURES = 50  # kept, of every session


def render_place(assistant: ProjectAssistant, place: Place, turn: Turn) -> None:
    """A document at one of its places, with the ways to others: `turn` is called with where to go."""
    original = assistant.originals.find(place.path, project=place.project)
    if original is None:
        st.title(text("original.gone"), anchor=False)
        st.caption(text("original.gone_help"))
        return
    st.title(plain_label(original.title or original.file_name), anchor=False)
    st.caption(plain_label(original.path))
    st.download_button(
        text("original.download"),
        handed_out(partial(assistant.originals.content, original)),
        file_name=original.file_name,
        icon=":material/download:",
        on_click="ignore",
    )
    if original.is_drawn:
        _pages(assistant, original, place, turn)
    else:
        _text(assistant, original, place, turn)


# ---------------------------------------------------------------- pages


def _pages(assistant: ProjectAssistant, original: Original, place: Place, turn: Turn) -> None:
    pages, quotes = original.pages or 1, tuple(filter(None, [place.quote]))
    number = min(max(place.page or 1, 1), pages)
    told = text("original.page", page=number, pages=pages)
    before, after = (replace(place, page=number + step) for step in (-1, 1))
    _steps(told, before if number > 1 else None, after if number < pages else None, turn)
    try:
        with st.spinner(text("original.drawing")):
            picture = _picture(assistant, original, number, quotes)
    except UnreadableFileError as error:
        st.error(plain_label(translated(str(error))), icon=":material/error:")
        return
    if quotes and not picture.marks:
        st.caption(text("original.no_mark"))
    marks = [asdict(mark) for mark in picture.marks]
    drawn("reader", html=_HTML, passages=True)(
        data={"picture": b64encode(picture.png).decode(), "marks": marks, "alt": told}, key="legajo_reader_page"
    )


@st.cache_data(
    show_spinner=False, max_entries=_PICTURES, hash_funcs={"assistant.originals.Original": lambda o: o.sha256}
)
def _picture(_assistant: ProjectAssistant, original: Original, number: int, quotes: tuple[str, ...]) -> PagePicture:
    return _assistant.originals.page(original, number, quotes=quotes)


# ---------------------------------------------------------------- text


def _text(assistant: ProjectAssistant, original: Original, place: Place, turn: Turn) -> None:
    first = _first(assistant, original, place)
    shown = assistant.originals.passages(original, first=first, limit=_AROUND)
    if not shown:
        st.caption(text("original.no_text"))
        return
    last = first + len(shown)
    before, after = (replace(place, passage=passage) for passage in (max(0, first - _AROUND), last))
    told = text("original.passages", first=first + 1, last=last, total=original.passages)
    _steps(told, before if first else None, after if last < original.passages else None, turn)
    data = text_data(shown, quotes=tuple(filter(None, [place.quote])))
    drawn("reader", html=_HTML, passages=True)(data=data, key="legajo_reader_text")


def _first(assistant: ProjectAssistant, original: Original, place: Place) -> int:
    """The passage to begin with: the one that was turned to, or a few before the one that was cited."""
    if place.passage is not None:
        return min(place.passage, max(0, original.passages - 1))
    cited = None if place.chunk_id is None else assistant.originals.place_of(original, place.chunk_id)
    return max(0, (cited or 0) - _BEFORE)


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


# ---------------------------------------------------------------- turning


def _steps(told: str, back: Place | None, on: Place | None, turn: Turn) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="legajo_reader_steps"):
        _step("before", back, ":material/chevron_left:", turn)
        st.caption(told, width="content")
        _step("after", on, ":material/chevron_right:", turn)


def _step(name: str, place: Place | None, icon: str, turn: Turn) -> None:
    st.button(
        text(f"original.{name}"),
        icon=icon,
        icon_position="right" if name == "after" else "left",
        disabled=place is None,
        on_click=turn,
        args=(place,),
        key=f"legajo_reader_{name}",
    )
