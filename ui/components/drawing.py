"""Parts of a page that the browser draws, each from the style sheet and the script of its name beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = ["drawn"]

_HERE = Path(__file__).parent


@cache  # registered once a process
def drawn(name: str, *, html: str | None = None, passages: bool = False) -> ComponentRenderer:
    """The component whose files are `name.js` and, where it has a style, `name.css`; `html` is what they begin with.

    `passages`: whether it shows text of documents, with what `passage.js` has for that.
    """
    parts = ["passage", name] if passages else [name]
    styles = "".join(path.read_text(encoding="utf-8") for part in parts if (path := _HERE / f"{part}.css").exists())
    return st.components.v2.component(
        f"legajo_{name}",
        html=html,
        css=styles or None,
        js="".join((_HERE / f"{part}.js").read_text(encoding="utf-8") for part in parts),
    )
