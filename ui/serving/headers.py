"""What every answer of the server tells the browser: what its pages may load, and that nobody may frame them."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Scope, Send

from ui.serving.pages import STYLE

__all__ = ["with_headers"]

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

# Streamlit draws its style sheets as it goes, imports the scripts of components from «blob:», and reads there what was
# said into the microphone: an address of that kind is the page's own.
_PAGES = (
    "default-src 'self'; script-src 'self' blob: {inline}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self' blob:; media-src 'self' blob:; object-src 'none'; frame-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Files of people: shown or saved, never run.
_FILES = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
_FILES_PATH = "/media/"
# Forms of ours. Where a page tells nobody where it was, its forms say they come from nowhere (`Origin: null`).
_FORMS = "default-src 'none'; style-src {style}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
FORM_PATHS = ("/entrar", "/salir", "/invitacion", "/contrasena", "/personas")

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def with_headers(scope: Scope, send: Send) -> Send:
    """A `send` that adds them."""
    has_forms = scope["path"] in FORM_PATHS
    policy = _FILES if scope["path"].startswith(_FILES_PATH) else _forms_policy() if has_forms else _page_policy()

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = policy
            for name, value in _ALWAYS.items():
                headers[name] = value
            if has_forms:
                headers["Referrer-Policy"] = "same-origin"
        await send(message)

    return send_with_headers


@cache
def _page_policy() -> str:
    """The policy for pages, which lets the scripts run that stand in Streamlit's own page."""
    page = files("streamlit").joinpath("static/index.html").read_text(encoding="utf-8")
    return _PAGES.format(inline=" ".join(map(_hash, _INLINE.findall(page)))).replace(" ;", ";")


@cache
def _forms_policy() -> str:
    """No style but ours, and nothing else."""
    return _FORMS.format(style=_hash(STYLE))


def _hash(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
