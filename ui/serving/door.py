"""The door of the chat: no request reaches Streamlit that was not called by our name, from our page, by who may enter.

It stands around Streamlit's ASGI application, and so before the chat, its websocket, uploads and media alike.
"""

from __future__ import annotations

import logging
from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.app import is_of_api
from ui.preferences import remember_cookies
from ui.serving.access import Access
from ui.serving.headers import with_headers
from ui.serving.pages import link, page, paragraph
from ui.texts import text

__all__ = ["HEALTH", "TOKEN", "Door", "may_be_led_here"]

TOKEN = "token"  # noqa: S105  (the name of a parameter)
HEALTH = "/_stcore/health"  # says «ok» and no more, for the launcher and for load balancers
_DIRECT = ("none", "same-origin", "same-site")  # what Sec-Fetch-Site says where SameSite=Strict cookies are sent
_LONGEST_SHOWN = 100  # characters of a wrong name

logger = logging.getLogger(__name__)


class Door:
    """An ASGI application around another, for which `access` says who may enter."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        remember_cookies(request.cookies)
        answer = self._answer(request) or self._app
        if scope["type"] == "websocket" and answer is not self._app:
            answer = WebSocketClose()  # a browser shows nothing of a handshake that is refused
        await answer(scope, receive, with_headers(scope, send))

    def _answer(self, request: HTTPConnection) -> Response | None:
        """What is answered here; None where the request may go on."""
        host = request.headers.get("host", "")
        if not self._access.hosts.include(host):
            logger.warning("Refused: the chat was called by the name %r", host[:_LONGEST_SHOWN])
            return _page("host", said=host)
        for origin in request.headers.getlist("origin"):
            if not self._access.is_own_page(origin, host):
                logger.warning("Refused: a page of %r asked the chat at %r", origin[:_LONGEST_SHOWN], host)
                return _page("origin", said=origin)
        if request.scope["path"] == HEALTH or is_of_api(request.scope["path"]):
            return None  # programs show tokens of their own
        if request.scope["type"] == "http" and self._access.opens(request.query_params.get(TOKEN, "")):
            return self._let_in(request)
        if self._access.knows(request.cookies.get(self._access.cookie_name, "")):
            return None
        return _page("token", again=True)

    def _let_in(self, request: HTTPConnection) -> Response:
        """The same page without the token in its address, and a cookie instead.

        A browser that another page sent here would not send the cookie along when it is led on: only a page of ours
        makes it do so.
        """
        place = _place_without_token(request)
        led_here = may_be_led_here(request)
        answer = _page("welcome", status=200, onwards=place) if led_here else RedirectResponse(place, 303)
        answer.headers["Cache-Control"] = "no-store"
        answer.set_cookie(
            self._access.cookie_name,
            self._access.cookie,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme in ("https", "wss"),
        )
        return answer


def may_be_led_here(request: HTTPConnection) -> bool:
    """Whether a page of another site may have sent the browser; browsers tell, but for plain HTTP between machines."""
    site = request.headers.get("sec-fetch-site")
    return "text/html" in request.headers.get("accept", "") if site is None else site not in _DIRECT


def _place_without_token(request: HTTPConnection) -> str:
    """Its path and query; one slash at the beginning, as two would name another server."""
    query = urlencode([pair for pair in parse_qsl(request.scope["query_string"].decode("latin-1")) if pair[0] != TOKEN])
    path = "/" + quote(request.scope["path"].lstrip("/\\"))
    return f"{path}?{query}" if query else path


def _page(what: str, *, status: int = 403, onwards: str = "", again: bool = False, said: str = "") -> HTMLResponse:
    """A small page; `said` is what the request said that is refused for it."""
    words = paragraph(text(f"door.{what}.words", said=said[:_LONGEST_SHOWN]))
    way = link(onwards or "/", text("door.again")) if onwards or again else ""
    return page(text(f"door.{what}.title"), words, way, status=status, onwards=onwards)
