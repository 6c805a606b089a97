"""How an office document is written as a page of HTML, which is read as any other: what it shows, and where
`inline_style` looks, what hides it.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

__all__ = ["PAINTED", "Css", "attribute", "labelled", "written"]

Css = Mapping[str, str]

PAINTED: Css = {"background-color": "#808080"}  # neither the paper's colour nor that of letters


def attribute(css: Css) -> str:
    """The style of an element, with the blank before it."""
    return f' style="{";".join(f"{key}:{value}" for key, value in css.items())}"' if css else ""


def written(text: str | None, *, bold: bool) -> str:
    """Line ends in the XML are spaces: the shown ones are elements."""
    shown = escape(text or "", quote=False)
    return f"<b>{shown}</b>" if bold and shown.strip() else shown


def labelled(label: str, inside: str) -> str:
    """The inside of a paragraph after its number, which is bold where its first words are."""
    if not label:
        return inside
    return inside.replace("<b>", f"<b>{label} ", 1) if inside.startswith("<b>") else f"{label} {inside}"
