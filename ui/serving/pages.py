"""The small pages that are not the chat: what the door says, and the forms by which people enter."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse

from ui.texts import text

__all__ = ["button", "field", "form", "link", "page", "paragraph", "told"]

_PAGE = (
    '<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Legajo</title>'
    '<meta name="viewport" content="width=device-width">{head}<style>'
    "body{{font:16px/1.5 sans-serif;max-width:{width}rem;margin:12vh auto;padding:0 1rem}}"
    "label{{display:block;margin:.8rem 0}}input:not([type=checkbox]),select{{display:block;width:100%;padding:.5rem;"
    "font:inherit;box-sizing:border-box}}button{{font:inherit;padding:.4rem 1rem;margin:.2rem 0}}"
    "section{{border-top:1px solid #dcd8cc;padding:.6rem 0}}section form{{display:inline-block;margin-right:.6rem}}"
    "[role=alert]{{color:#a01c1c}}code{{overflow-wrap:anywhere}}</style></head>"
    "<body><h1>{title}</h1>{body}</body></html>"
)


def page(title: str, *parts: str, status: int = 200, onwards: str = "", width: int = 34) -> HTMLResponse:
    """A page of parts that are HTML; `onwards` is where it leads by itself, `width` in rem."""
    head = f'<meta http-equiv="refresh" content="0; url={escape(onwards)}">' if onwards else ""
    content = _PAGE.format(head=head, title=escape(title), body="".join(parts), width=width)
    return HTMLResponse(content, status, {"Cache-Control": "no-store"})


def paragraph(words: str) -> str:
    """Words of ours or of others."""
    return f"<p>{escape(words)}</p>"


def told(error: object) -> str:
    """What went wrong, read aloud where pages are."""
    return f'<p role="alert">{escape(str(error))}</p>'


def link(place: str, words: str) -> str:
    """A way on."""
    return f'<p><a href="{escape(place)}">{escape(words)}</a></p>'


def form(place: str, *parts: str, **hidden: str) -> str:
    """What is sent to `place`, with `hidden` values beside what is typed."""
    kept = "".join(f'<input type="hidden" name="{escape(name)}" value="{escape(v)}">' for name, v in hidden.items())
    return f'<form method="post" action="{escape(place)}">{kept}{"".join(parts)}</form>'


def field(name: str, kind: str = "text", complete: str = "off") -> str:
    """A line to type in; `complete` is what a password manager knows it by."""
    return (
        f'<label>{escape(text(f"people.{name}"))}<input name="{name}" type="{kind}" autocomplete="{complete}"'
        " required></label>"
    )


def button(key: str) -> str:
    """Sends its form."""
    return f"<button>{escape(text(key))}</button>"
