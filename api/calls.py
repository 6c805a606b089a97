"""What an endpoint is given and what it may answer: who asks, by which token, and how an error is told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from time import monotonic
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

import anyio
from pydantic import BaseModel
from pydantic_core import to_jsonable_python
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.figures import Figures
from api.limits import OverloadedError, Turnstile
from api.requests import TooLargeError
from assistant.assistant import PersonalAssistant
from assistant.project_assistant import ProjectAssistant
from assistant.tokens import Bearer, TokenScope
from rag_system.errors import (
    AccessError,
    BusyStoreError,
    ForbiddenError,
    IngestionError,
    InputError,
    LegajoError,
    NotFoundError,
    ProviderError,
    StorageError,
)
from rag_system.types import Event, Token

__all__ = ["Call", "Endpoint", "as_json", "begun", "error_status", "refusal"]

P = ParamSpec("P")
T = TypeVar("T")

_MOST_DIGITS = 9
_STATUS: tuple[tuple[type[LegajoError], int], ...] = (
    (TooLargeError, 413),
    (NotFoundError, 404),
    (ForbiddenError, 403),
    (InputError, 400),
    (IngestionError, 422),
    (AccessError, 401),
    (BusyStoreError, 503),
    (StorageError, 503),
    (ProviderError, 502),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request, of a program that showed a token."""

    request: Request
    body: Any
    person: PersonalAssistant
    bearer: Bearer
    turnstile: Turnstile
    figures: Figures

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Work of the engine, in a thread."""
        return await run_in_threadpool(work, *args, **kwargs)

    def number(self, name: str) -> int:
        """A parameter of the address that counts something; 0 where it is not given."""
        given = self.request.query_params.get(name) or "0"
        if not (given.isascii() and given.isdigit() and len(given) <= _MOST_DIGITS):
            raise InputError(f"«{name}» debe ser un número entero de 0 o más.", code="invalid_field")
        return int(given)

    def identifier(self, name: str) -> str:
        """A part of the address that must be an id. What is none is nobody's: `NotFoundError`."""
        try:
            return str(UUID(self.request.path_params[name]))
        except ValueError:
            raise NotFoundError from None

    async def project(self, name: str | None = None) -> ProjectAssistant:
        """The project that is named, in the address unless given."""
        named = self.request.path_params["project"] if name is None else name
        if self.bearer.project not in (None, named):
            raise ForbiddenError(f"Ese token abre solo el proyecto «{self.bearer.project}».", code="other_project")
        return await self.do(self.person.project, named)

    async def answering(self, asked: Callable[[], Iterator[Event]]) -> AsyncIterator[Event]:
        """The events of an answer, once it is this person's turn; broken off, it is recorded as far as it went."""
        async with self.turnstile.entered(self.bearer.person):
            begun, worded = monotonic(), False
            events = await self.do(asked)
            try:
                async for event in iterate_in_threadpool(events):
                    self.figures.count_event(event, monotonic() - begun, first=not worded)
                    worded = worded or isinstance(event, Token)
                    yield event
            finally:
                if close := getattr(events, "close", None):
                    with anyio.CancelScope(shield=True):
                        await run_in_threadpool(close)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address with what is done there; what it takes and gives is what the OpenAPI document says."""

    method: str
    path: str
    summary: str
    handler: Callable[[Call], Awaitable[Response]]
    scope: TokenScope
    body: type[BaseModel] | None = None
    query: tuple[str, ...] = ()  # parameters of the address, each a text; the first is required
    status: int = 200
    gives: tuple[str, ...] = ()  # the fields of the object that it answers with


def as_json(content: Any, status: int = 200) -> JSONResponse:
    """Values of any kind as JSON; moments in ISO 8601."""
    return JSONResponse(to_jsonable_python(content), status)


def error_status(error: LegajoError) -> int:
    """The HTTP status that says what kind of error it is."""
    if isinstance(error, OverloadedError):
        return 429 if error.code == "rate_limit" else 503
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def refusal(error: LegajoError, status: int | None = None) -> JSONResponse:
    """An error as a program reads it: its sentence, its code and what it names."""
    answer = as_json(error.fields, status or error_status(error))
    if isinstance(error, OverloadedError):
        answer.headers["Retry-After"] = str(error.seconds)
    if answer.status_code == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


async def begun(events: AsyncIterator[T]) -> AsyncIterator[T]:
    """The same events, of which the first was waited for: what hinders it is raised here, not in mid-stream."""
    first = await anext(events)

    async def again() -> AsyncIterator[T]:
        async with aclosing(events) as rest:  # type: ignore[type-var]
            yield first
            async for event in rest:
                yield event

    return again()
