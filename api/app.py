"""The API as an ASGI application: who asks is told by a token, and every refusal is one sentence."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from api import completions, endpoints
from api.calls import Call, Endpoint, as_json, error_status, refusal
from api.figures import CONTENT_TYPE, Figures
from api.limits import Allowance, Turnstile
from api.openapi import document
from api.requests import body_of
from assistant.assistant import Assistant
from assistant.tokens import Bearer, TokenScope
from rag_system.errors import AccessError, ForbiddenError, InputError, LegajoError, NotFoundError
from rag_system.settings import Settings
from rag_system.telemetry.events import begin_request, tell
from rag_system.timing import Stopwatch

__all__ = ["ENDPOINTS", "build_api", "is_of_api"]

ENDPOINTS = (*endpoints.ENDPOINTS, *completions.ENDPOINTS)
_OPENAI = "/v1/"
_METRICS = "/metrics"
_REQUEST_ID = "X-Request-Id"
_TELLING = ("retry-after", "www-authenticate")  # headers that say when to come again, and how to be let in
_NO_TOKEN = "Falta el token: envíe «Authorization: Bearer …». «legajo tokens add» crea uno."  # noqa: S105
_LEAVES = LegajoError("Este Legajo está por terminar: pregunte en otro.", code="leaving")

logger = logging.getLogger(__name__)


def is_of_api(path: str) -> bool:
    """Whether an address is the API's, and not the chat's."""
    return path in ("/health", "/ready", _METRICS) or path.startswith(("/api/", _OPENAI))


def build_api(opened: Callable[[], Assistant], settings: Settings, *, leaving: Event | None = None) -> ASGIApp:
    """The application. `opened` is asked for Legajo when a request first needs it, and gives the same each time.

    From when `leaving` is set it is not ready any more.
    """
    return _Api(opened, settings, leaving or Event()).app


class _Api:
    def __init__(self, opened: Callable[[], Assistant], settings: Settings, leaving: Event) -> None:
        self._opened = opened
        self._leaving = leaving
        self._turnstile = Turnstile(max(2, os.cpu_count() or 1))
        self._allowance = Allowance(settings.api_per_minute)
        self._figures = Figures(
            waiting=lambda: self._turnstile.waiting,
            searched=lambda: self._opened().replica_reads,
            retried=lambda: self._opened().database_retries,
        )
        self._document = document(ENDPOINTS)
        routes = [Route(each.path, partial(self._answer, each), methods=[each.method]) for each in ENDPOINTS]
        routes += [
            Route("/api/v1/openapi.json", self._describe),
            Route("/health", _health),
            Route("/ready", self._ready),
            Route(_METRICS, self._metrics),
        ]
        routes += _other_methods(routes)
        self.app: ASGIApp = Router(routes, default=_nothing_there, redirect_slashes=False)

    async def _answer(self, endpoint: Endpoint, request: Request) -> Response:
        watch, name = Stopwatch(), begin_request(request.headers.get(_REQUEST_ID, ""))
        try:
            answer = await self._called(endpoint, request)
        except LegajoError as error:
            answer = _refused(request.url.path, error)
        except Exception:
            logger.exception("The API failed")
            answer = _refused(request.url.path, LegajoError())
        answer.headers[_REQUEST_ID] = name
        self._figures.count_request(endpoint.path, endpoint.method, answer.status_code, watch.elapsed_ms / 1e3)
        tell(
            "request",
            outcome=_outcome(answer.status_code),
            watch=watch,
            project=request.path_params.get("project") if answer.status_code < 400 else None,
            method=endpoint.method,
            route=endpoint.path,
            status=answer.status_code,
        )
        return answer

    async def _called(self, endpoint: Endpoint, request: Request) -> Response:
        assistant, bearer = await self._let_in(request, endpoint.scope)
        body = await body_of(request, endpoint.body) if endpoint.body else None
        call = Call(
            request=request,
            body=body,
            person=assistant.as_person(bearer.person),
            bearer=bearer,
            turnstile=self._turnstile,
            figures=self._figures,
        )
        return await endpoint.handler(call)

    async def _let_in(self, request: Request, scope: TokenScope) -> tuple[Assistant, Bearer]:
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not secret.strip():
            raise AccessError(_NO_TOKEN, code="no_token")
        assistant = await run_in_threadpool(self._opened)
        bearer = await run_in_threadpool(assistant.bearer, secret.strip())
        self._allowance.take(bearer.token_id)
        if scope not in bearer.scopes:
            raise ForbiddenError(f"Ese token no sirve para «{scope}». Cree otro con «legajo tokens add».", code="scope")
        return assistant, bearer

    async def _describe(self, _: Request) -> Response:
        return as_json(self._document)

    async def _ready(self, _: Request) -> Response:
        """Whether it can answer: the database is there and is this program's, and the model of vectors is loaded."""
        if self._leaving.is_set():
            return as_json({"ready": False, **_LEAVES.fields}, 503)
        try:
            assistant = await run_in_threadpool(self._opened)
            await run_in_threadpool(assistant.warm_up)
            await run_in_threadpool(assistant.check)
        except LegajoError as error:
            return as_json({"ready": False, **error.fields}, max(503, error_status(error)))
        return as_json({"ready": True})

    async def _metrics(self, request: Request) -> Response:
        try:
            await self._let_in(request, "metrics")
        except LegajoError as error:
            return refusal(error)
        return Response(self._figures.text(), media_type=CONTENT_TYPE)


def _outcome(status: int) -> str:
    return "accepted" if status < 400 else "refused" if status < 500 else "failed"


async def _health(_: Request) -> Response:
    return PlainTextResponse("ok")


async def _nothing_there(scope: Scope, receive: Receive, send: Send) -> None:
    error = NotFoundError("Esa dirección no existe en la API: vea /api/v1/openapi.json.")
    await _refused(scope["path"], error)(scope, receive, send)


def _other_methods(routes: Sequence[Route]) -> list[Route]:
    """What each address answers to a method that it does not take; they come last, and take any."""
    ways: dict[str, set[str]] = {}
    for each in routes:
        ways.setdefault(each.path, set()).update(each.methods or ())
    answers = []
    for path, methods in ways.items():
        allowed = ", ".join(sorted(methods))
        error = InputError(f"Esa dirección de la API atiende {allowed}.", code="method")
        answers.append(Route(path, _refused(path, error, 405, Allow=allowed)))
    return answers


def _refused(path: str, error: LegajoError, status: int | None = None, **headers: str) -> JSONResponse:
    """An error as who asked at this address reads it."""
    answer = refusal(error, status)
    if path.startswith(_OPENAI):
        told = {name: value for name, value in answer.headers.items() if name in _TELLING}
        answer = JSONResponse(dict(completions.wrapped(error, answer.status_code)), answer.status_code, told)
    answer.headers.update(headers)
    return answer
