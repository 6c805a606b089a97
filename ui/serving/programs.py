"""Beside the chat: the API, by the same door."""

from __future__ import annotations

from threading import Lock
from types import TracebackType
from typing import Self

from starlette.types import ASGIApp, Receive, Scope, Send

from api.app import is_of_api
from assistant.assistant import Assistant
from rag_system.settings import Settings

__all__ = ["Beside", "OpenedLate"]


class Beside:
    """The chat's application and the API's as one."""

    def __init__(self, chat: ASGIApp, api: ASGIApp) -> None:
        self._chat = chat
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and is_of_api(scope["path"])
        await (self._api if ours else self._chat)(scope, receive, send)


class OpenedLate:
    """Legajo, opened when it is first asked for, and closed at the end: the chat alone opens its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opening = Lock()
        self._opened: Assistant | None = None

    def __call__(self) -> Assistant:
        with self._opening:
            if self._opened is None:
                self._opened = Assistant.open(self._settings)
            return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            self._opened.close()
