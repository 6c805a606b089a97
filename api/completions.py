"""The wire format of OpenAI's chat completions: a project is a model, and an answer ends with its sources.

https://platform.openai.com/docs/api-reference/chat: what a client needs of it.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from api.calls import Call, Endpoint, as_json, begun, error_status
from api.requests import CompletionRequest
from assistant.rendering import place
from assistant.view import Turn, answered
from rag_system.errors import LegajoError
from rag_system.types import Event, Finished, Funnel, Retrieved, Token, mark

__all__ = ["ENDPOINTS", "wrapped"]

_OWNER, _PART = "legajo", "chat.completion.chunk"


def wrapped(error: LegajoError, status: int) -> Mapping[str, Any]:
    """An error, and the HTTP status it has, as clients of this format read it."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": str(error), "type": kind, "code": error.code, "param": None}}


async def _models(call: Call) -> Response:
    projects, only = await call.do(call.person.projects), call.bearer.project
    models = [_model_named(each.project) for each in projects if only in (None, each.project)]
    return as_json({"object": "list", "data": models})


async def _model(call: Call) -> Response:
    name = call.request.path_params["project"]
    await call.project(name)
    return as_json(_model_named(name))


def _model_named(project: str) -> Mapping[str, Any]:
    return {"id": project, "object": "model", "created": 0, "owned_by": _OWNER}


async def _complete(call: Call) -> Response:
    body: CompletionRequest = call.body
    project, question = await call.project(body.model), body.question
    events = await begun(call.answering(partial(project.stream, question, history=body.said, unasked=True)))
    head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": body.model}
    if body.stream:
        counted = body.stream_options is not None and bool(body.stream_options.include_usage)
        return StreamingResponse(_chunks(events, head, counted=counted), media_type="text/event-stream")
    async for _, turn in _read(events):
        if turn is not None:
            said = {
                "role": "assistant",
                "content": turn.content + _sources(turn),
                "annotations": list(_annotations(turn)),
            }
            choice = {
                "index": 0,
                "message": {**said, "refusal": None},
                "finish_reason": _reason(turn),
                "logprobs": None,
            }
            return as_json({**head, "object": "chat.completion", "choices": [choice], "usage": _usage(turn)})
    raise LegajoError


async def _read(events: AsyncIterator[Event]) -> AsyncIterator[tuple[str, Turn | None]]:
    """The words as they come, and at the end the whole answer."""
    funnel = Funnel()
    async for event in events:
        match event:
            case Retrieved():
                funnel = event.search.funnel
            case Token():
                yield event.text, None
            case Finished():
                yield "", answered(event.answer, funnel)


async def _chunks(events: AsyncIterator[Event], head: Mapping[str, Any], *, counted: bool) -> AsyncIterator[str]:
    """What was written cannot be taken back: what the check adds or changes comes after it, with the sources.

    The tokens come last, in a part without words, where they are `counted`.
    """
    yield _chunk(head, {"role": "assistant", "content": ""})
    written = ""
    try:
        async for words, turn in _read(events):
            if turn is None:
                written += words
                yield _chunk(head, {"content": words})
            else:
                rest = turn.content.removeprefix(written) if turn.content.startswith(written) else ""
                yield _chunk(head, {"content": rest + _sources(turn), "annotations": list(_annotations(turn))})
                yield _chunk(head, {}, reason=_reason(turn))
                if counted:
                    yield _data({**head, "object": _PART, "choices": [], "usage": _usage(turn)})
    except LegajoError as error:
        yield _data(wrapped(error, error_status(error)))
    yield "data: [DONE]\n\n"


def _chunk(head: Mapping[str, Any], delta: Mapping[str, Any], *, reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
    return _data({**head, "object": _PART, "choices": [choice]})


def _data(fields: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(fields, ensure_ascii=False)}\n\n"


def _reason(turn: Turn) -> str:
    return "length" if turn.incomplete else "stop"


def _sources(turn: Turn) -> str:
    """What stands below an answer, a line a source: «[1] leyes/guia.pdf, p. 3, Artículo 5»."""
    lines = []
    for source in turn.sources:
        first = source.excerpts[0]
        where = place(source.path or source.file_name, first.page, first.section, source.state)
        lines.append(f"[{mark(source.n)}] {where}")
    return "\n".join(("\n", *lines)) if lines else ""


def _annotations(turn: Turn) -> Iterator[Mapping[str, Any]]:
    """A citation for each marker in the text; `url` is the document in its project, and its page."""
    sources = {mark(source.n): source for source in turn.sources}
    for found in re.finditer(r"\[([^\[\]\s]{1,8})\]", turn.content):
        if source := sources.get(found[1]):
            first = source.excerpts[0]
            url = f"legajo:{quote(source.path)}" + (f"#page={first.page}" if first.page else "")
            span = {"start_index": found.start(), "end_index": found.end()}
            yield {"type": "url_citation", "url_citation": {**span, "url": url, "title": source.title or source.path}}


def _usage(turn: Turn) -> Mapping[str, int]:
    told = turn.usage.reported
    asked, wrote = (int(told.get(name) or 0) for name in ("input_tokens", "output_tokens"))
    return {"prompt_tokens": asked, "completion_tokens": wrote, "total_tokens": asked + wrote}


ENDPOINTS = (
    Endpoint(
        method="GET", path="/v1/models", handler=_models, scope="ask",
        summary="Los proyectos, como modelos de OpenAI", gives=("object", "data"),
    ),
    Endpoint(
        method="GET", path="/v1/models/{project}", handler=_model, scope="ask",
        summary="Un proyecto, como modelo de OpenAI", gives=("id", "object"),
    ),
    Endpoint(
        method="POST", path="/v1/chat/completions", handler=_complete, scope="ask", body=CompletionRequest,
        summary="Responde como un modelo de OpenAI: el proyecto es el modelo", gives=("id", "object", "choices"),
    ),
)  # fmt: skip
