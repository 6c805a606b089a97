"""The gate of a chat with accounts, behind the door: only who has a session goes on, and its files are its own."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from assistant.assistant import Assistant
from rag_system.errors import LegajoError, NotFoundError, SessionEndedError
from ui.serving.door import HEALTH, may_be_led_here
from ui.serving.impatience import AwayError, impatient
from ui.serving.pages import link, page, paragraph
from ui.serving.showing import SHOWING
from ui.texts import text
from ui.texts.saying import translated

__all__ = ["ENTRANCE", "SESSION_HEADER", "Gate"]

ENTRANCE = "/entrar"
SESSION_HEADER = "X-Legajo-Session"  # between the gate and the chat; what a browser sends by this name is dropped
_UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/")
_MEDIA = "/media/"
_LOOK_S = 3  # until a page that was held is asked for again


class Gate:
    """An ASGI application around the chat, with the pages by which people enter it beside."""

    def __init__(
        self, chat: ASGIApp, *, entrance: ASGIApp, paths: frozenset[str], assistant: Assistant, cookie: str
    ) -> None:
        self._chat = chat
        self._entrance = entrance
        self._paths = paths
        self._assistant = assistant
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] == HEALTH:
            await self._chat(scope, receive, send)
        elif scope["path"] in self._paths:
            await self._entrance(scope, receive, send)
        else:
            answer = await self._answer(scope)
            await answer(scope, receive, send)

    async def _answer(self, scope: Scope) -> ASGIApp:
        request = HTTPConnection(scope)
        secret = request.cookies.get(self._cookie, "")
        try:
            await run_in_threadpool(self._check_soon if _wants_page(request) else self._check, scope["path"], secret)
        except AwayError:
            held = paragraph(text("chat.held"))
            return page(text("door.away.title"), held, status=503, onwards=_place(request), after_s=_LOOK_S)
        except NotFoundError:
            return PlainTextResponse("", 404)
        except SessionEndedError:
            return WebSocketClose() if scope["type"] == "websocket" else _enter(request)
        except LegajoError as error:
            return WebSocketClose() if scope["type"] == "websocket" else PlainTextResponse(translated(str(error)), 503)
        MutableHeaders(scope=scope)[SESSION_HEADER] = secret
        return self._chat

    def _check_soon(self, path: str, secret: str) -> None:
        """The same for who would look at an empty window: where the database is away it raises `AwayError`."""
        with impatient():
            self._check(path, secret)

    def _check(self, path: str, secret: str) -> None:
        """Raise what stands in the way of a request."""
        person = self._assistant.as_session(secret)
        if path.startswith(_MEDIA):
            shown = SHOWING.of_media(PurePosixPath(path).stem)
        elif upload := _UPLOAD.match(path):
            shown = SHOWING.of_tab(upload[1])
        else:
            return
        own = next((each for each in shown if each.session == secret), None)
        if own is None:
            raise NotFoundError
        person.project(own.project)


def _wants_page(request: HTTPConnection) -> bool:
    return "text/html" in request.headers.get("accept", "")


def _place(request: HTTPConnection) -> str:
    """Its path and query; one slash at the beginning, as two would name another server."""
    path = "/" + quote(request.scope["path"].lstrip("/\\"))
    return f"{path}?{query}" if (query := request.url.query) else path


def _enter(request: HTTPConnection) -> ASGIApp:
    """Where one enters; of a browser that another site led here the cookie is seen only at the second look."""
    if not _wants_page(request):
        return PlainTextResponse("", 403)
    if may_be_led_here(request) and request.headers.get("sec-fetch-site"):
        place = _place(request)
        again = link(place, text("door.again"))
        return page(text("door.welcome.title"), paragraph(text("door.welcome.words")), again, onwards=place)
    return RedirectResponse(ENTRANCE, 303, {"Cache-Control": "no-store"})
