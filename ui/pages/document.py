"""One document, opened where an answer cites it: the page as its author made it, or the text around the quote.

It is opened in a window of its own, so that it can stand beside the answer, and stops nothing that is being written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import UnreadableFileError
from ui.components.reader import show_page, show_passages
from ui.markup import plain_label
from ui.serving.showing import handed_out
from ui.texts import text

if TYPE_CHECKING:
    from assistant.originals import Original
    from assistant.project_assistant import ProjectAssistant
    from rag_system.viewing import PagePicture

__all__ = ["render_document"]

_AROUND = 12  # passages on the screen at a time
_BEFORE = 3  # of them above the one that was cited
_PICTURES = 50  # kept, of every session


def render_document(assistant: ProjectAssistant) -> None:
    """The whole page; the address says what is to be shown."""
    original = assistant.originals.find(st.query_params.get("d", ""), project=st.query_params.get("w", ""))
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
    quotes = tuple(filter(None, [st.query_params.get("q", "")]))
    if original.is_drawn:
        _pages(assistant, original, original.pages or 1, quotes)
    else:
        _text(assistant, original, quotes)


def _number(name: str) -> int | None:
    """A number out of the address, which anyone can type."""
    written = st.query_params.get(name, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else None


# ---------------------------------------------------------------- pages


def _pages(assistant: ProjectAssistant, original: Original, pages: int, quotes: tuple[str, ...]) -> None:
    number = min(max(_number("p") or 1, 1), pages)
    place = text("original.page", page=number, pages=pages)
    _steps(place, {"p": number - 1} if number > 1 else None, {"p": number + 1} if number < pages else None)
    try:
        with st.spinner(text("original.drawing")):
            picture = _picture(assistant, original, number, quotes)
    except UnreadableFileError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    if quotes and not picture.marks:
        st.caption(text("original.no_mark"))
    show_page(picture, alt=place)


@st.cache_data(
    show_spinner=False, max_entries=_PICTURES, hash_funcs={"assistant.originals.Original": lambda o: o.sha256}
)
def _picture(_assistant: ProjectAssistant, original: Original, number: int, quotes: tuple[str, ...]) -> PagePicture:
    return _assistant.originals.page(original, number, quotes=quotes)


# ---------------------------------------------------------------- text


def _text(assistant: ProjectAssistant, original: Original, quotes: tuple[str, ...]) -> None:
    first = _first(assistant, original)
    shown = assistant.originals.passages(original, first=first, limit=_AROUND)
    if not shown:
        st.caption(text("original.no_text"))
        return
    last = first + len(shown)
    _steps(
        text("original.passages", first=first + 1, last=last, total=original.passages),
        {"n": max(0, first - _AROUND)} if first else None,
        {"n": last} if last < original.passages else None,
    )
    show_passages(shown, quotes=quotes)


def _first(assistant: ProjectAssistant, original: Original) -> int:
    """The passage to begin with: the one that was turned to, or a few before the one that was cited."""
    turned, cited = _number("n"), _number("f")
    if turned is not None:
        return min(turned, max(0, original.passages - 1))
    place = None if cited is None else assistant.originals.place_of(original, cited)
    return max(0, (place or 0) - _BEFORE)


# ---------------------------------------------------------------- turning


def _steps(place: str, back: dict[str, int] | None, on: dict[str, int] | None) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="legajo_reader_steps"):
        _step("before", back, ":material/chevron_left:")
        st.caption(place, width="content")
        _step("after", on, ":material/chevron_right:")


def _step(name: str, place: dict[str, int] | None, icon: str) -> None:
    st.button(
        text(f"original.{name}"),
        icon=icon,
        icon_position="right" if name == "after" else "left",
        disabled=place is None,
        on_click=_turn,
        args=(place or {},),
        key=f"legajo_reader_{name}",
    )


def _turn(place: dict[str, int]) -> None:
    for name, number in place.items():
        st.query_params[name] = str(number)
