"""The small pages that are not the chat: what the door says, and the forms by which people enter."""

from __future__ import annotations

from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

from ui.texts import language, text
from ui.texts.saying import translated

__all__ = ["STYLE", "button", "field", "form", "link", "page", "paragraph", "told"]

_ASSETS = Path(__file__).parents[1] / "assets"
STYLE = (_ASSETS / "pages.css").read_text(encoding="utf-8")
_LOGO = (_ASSETS / "legajo.svg").read_text(encoding="utf-8").replace("<svg", '<svg aria-hidden="true"', 1)


def page(
    title: str, *parts: str, status: int = 200, onwards: str = "", after_s: int = 0, wide: bool = False
) -> HTMLResponse:
    """A page of parts that are HTML; `onwards` is where it leads by itself, after so many seconds."""
    head = f'<meta http-equiv="refresh" content="{after_s}; url={escape(onwards)}">' if onwards else ""
    kind = ' class="wide"' if wide else ""
    content = (
        f'<!doctype html><html lang="{language()}"><head><meta charset="utf-8"><title>{escape(title)} · Legajo</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}<style>{STYLE}</style></head>'
        f"<body><header{kind}>{_LOGO}<span>Legajo</span></header>"
        f"<main{kind}><h1>{escape(title)}</h1>{''.join(parts)}</main></body></html>"
    )
    return HTMLResponse(content, status, {"Cache-Control": "no-store"})


def paragraph(words: str) -> str:
    """Words of ours or of others."""
    return f"<p>{escape(words)}</p>"


def told(error: object) -> str:
    """What went wrong, read aloud where pages are."""
    return f'<p role="alert">{escape(translated(str(error)))}</p>'


def link(place: str, words: str) -> str:
    """A way on."""
    return f'<p><a href="{escape(place)}">{escape(words)}</a></p>'


def form(place: str, *parts: str, **hidden: str) -> str:
    """What is sent to `place`, with `hidden` values beside what is typed."""
    kept = "".join(f'<input type="hidden" name="{escape(name)}" value="{escape(v)}">' for name, v in hidden.items())
    return f'<form method="post" action="{escape(place)}">{kept}{"".join(parts)}</form>'


def field(name: str, kind: str = "text", complete: str = "off", *, first: bool = False) -> str:
    """A line to type in, where one begins if it is the `first`; `complete` is what a password manager knows it by."""
    begins = " autofocus" if first else ""
    return (
        f'<label>{escape(text(f"people.{name}"))}<input name="{name}" type="{kind}" autocomplete="{complete}"'
        f" required{begins}></label>"
    )


def button(key: str) -> str:
    """Sends its form."""
    return f"<button>{escape(text(key))}</button>"
