"""What the chat does, an address each: projects, search, answers, documents, conversations and ratings."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any

from pydantic_core import to_jsonable_python
from starlette.responses import Response, StreamingResponse

from api.calls import Call, Endpoint, as_json, begun
from api.requests import AskRequest, FeedbackRequest, SearchRequest, TooLargeError
from assistant.rendering import Fields, answer_fields, plan_fields, search_fields
from assistant.view import answered
from rag_system.errors import InputError, LegajoError, NotFoundError
from rag_system.ingestion.accepting import SameName
from rag_system.scope import Scope
from rag_system.types import Event, Finished, Funnel, Planned, Progress, Retrieved, SearchResult, Token

__all__ = ["ENDPOINTS"]

_PROJECT = "/api/v1/projects/{project}"
_IN_MEMORY_BYTES = 2**20
_PLAN = ("question", "route", "standalone_question", "reformulated", "citation", "authors", "years", "identifiers")
_FOUND = (*_PLAN, "results", "funnel", "timings_ms")
_ANSWER = ("answer", "abstained", "incomplete", "error", "citations", "provider", "model", "notices", "unsupported")


async def _projects(call: Call) -> Response:
    """All of the person's that the token opens."""
    found = await call.do(call.person.projects)
    only = call.bearer.project
    return as_json({"projects": [asdict(each) for each in found if only in (None, each.project)]})


async def _search(call: Call) -> Response:
    body: SearchRequest = call.body
    project = await call.project()
    async with call.turnstile.entered(call.bearer.person):
        await call.do(project.library.must_hold, body.documents)
        scope = Scope(top_k=body.top_k, documents=tuple(body.documents))
        plan, found = await call.do(project.pipeline.search, body.question, body.said, scope=scope)
    return as_json(_plan(plan) | search_fields(found))


async def _ask(call: Call) -> Response:
    body: AskRequest = call.body
    project = await call.project()
    await call.do(project.library.must_hold, body.documents)
    asked = partial(
        project.stream,
        body.question,
        conversation_id=body.conversation,
        history=body.said,
        provider=body.provider,
        documents=body.documents,
        unasked=True,
    )
    events = await begun(call.answering(asked))
    if body.stream:
        return StreamingResponse(
            _written(events), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )
    told: Fields = {}
    async for _, fields in _told(events):
        told |= fields
    return as_json({name: value for name, value in told.items() if name != "text"})


async def _told(events: AsyncIterator[Event]) -> AsyncIterator[tuple[str, Fields]]:
    """Each event by its name, with its fields."""
    funnel = Funnel()
    async for event in events:
        match event:
            case Planned():
                yield "plan", _plan(event.plan) | search_fields(SearchResult())
            case Retrieved():
                funnel = event.search.funnel
                yield "sources", search_fields(event.search)
            case Progress():
                yield "progress", {}
            case Token():
                yield "token", {"text": event.text}
            case Finished():
                yield "answer", answer_fields(answered(event.answer, funnel))


async def _written(events: AsyncIterator[Event]) -> AsyncIterator[str]:
    """The same as server-sent events; an error in the middle is the last of them."""
    try:
        async for name, fields in _told(events):
            yield _event(name, fields)
    except LegajoError as error:
        yield _event("error", error.fields)


def _event(name: str, fields: Fields) -> str:
    return f"event: {name}\ndata: {json.dumps(to_jsonable_python(fields), ensure_ascii=False)}\n\n"


def _plan(plan: Any) -> Fields:
    return {name: value for name, value in plan_fields("", plan).items() if name != "id"}


async def _documents(call: Call) -> Response:
    project = await call.project()
    return as_json(
        {
            "documents": [asdict(each) for each in await call.do(project.library.all)],
            "ingestions": [asdict(each) for each in await call.do(project.library.ingestions)],
        }
    )


async def _passages(call: Call) -> Response:
    """A page, or passages from a number on, of the document that a search or the list names by its path."""
    project, path = await call.project(), call.request.query_params.get("path", "")
    if not path:
        raise InputError("Indique en «path» la ruta del documento.", code="no_path")
    page, first = call.number("page"), call.number("first")
    return as_json(asdict(await call.do(project.originals.read, path, page=page, first=first)))


async def _upload(call: Call) -> Response:
    """The body is the file; what becomes of it is told by its ingestion."""
    path, project = call.request.query_params.get("path", ""), await call.project()
    if not path.strip("/. ") or "\0" in path:
        raise InputError("Indique en «path» cómo se llama el archivo, con su extensión.", code="no_path")
    most = project.settings.max_file_mb * 2**20
    with SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as file:
        async for part in call.request.stream():
            await call.do(file.write, part)
            if file.tell() > most:
                raise TooLargeError(f"El archivo pasa de {project.settings.max_file_mb} MiB (LEGAJO_MAX_FILE_MB).")
        await call.do(file.seek, 0)
        kept: SameName = "replace" if call.request.query_params.get("replace") == "true" else "keep"
        accepted = await call.do(project.library.accept_stream, path, file, same_name=kept, in_folders=True)
    return as_json({"accepted": [asdict(each) for each in accepted]}, 202)


async def _ingestion(call: Call) -> Response:
    project, name = await call.project(), call.identifier("ingestion")
    report = await call.do(project.library.ingestion, name)
    if report is not None:
        return as_json(asdict(report))
    under_way = next((each for each in await call.do(project.library.ingestions) if each.ingestion_id == name), None)
    if under_way is None:
        raise NotFoundError
    return as_json(asdict(under_way))


async def _remove(call: Call) -> Response:
    project = await call.project()
    if not await call.do(project.library.remove, call.identifier("document")):
        raise NotFoundError
    return Response(status_code=204)


async def _conversations(call: Call) -> Response:
    project = await call.project()
    return as_json({"conversations": [asdict(each) for each in await call.do(project.conversations.recent)]})


async def _begin(call: Call) -> Response:
    project = await call.project()
    return as_json({"conversation": await call.do(project.conversations.create)}, 201)


async def _conversation(call: Call) -> Response:
    project = await call.project()
    summary = await call.do(project.conversations.named, call.request.path_params["conversation"])
    turns = await call.do(project.turns, summary.conversation_id)
    said = [
        {"ordinal": turn.ordinal, "role": turn.role, "content": turn.content, "state": turn.state}
        | ({} if turn.role == "user" else answer_fields(turn))
        for turn in turns
    ]
    return as_json({**asdict(summary), "turns": said})


async def _rate(call: Call) -> Response:
    body: FeedbackRequest = call.body
    project = await call.project()
    conversation = await call.do(project.conversations.named, body.conversation)
    await call.do(
        project.feedback.rate,
        conversation.conversation_id,
        body.ordinal,
        up=body.up,
        reasons=body.reasons,
        comment=body.comment,
    )
    return Response(status_code=204)


ENDPOINTS = (
    Endpoint(
        method="GET", path="/api/v1/projects", handler=_projects, scope="search",
        summary="Los proyectos que el token abre", gives=("projects",),
    ),
    Endpoint(
        method="POST", path=f"{_PROJECT}/search", handler=_search, scope="search", body=SearchRequest,
        summary="Busca pasajes, sin redactar una respuesta", gives=_FOUND,
    ),
    Endpoint(
        method="POST", path=f"{_PROJECT}/ask", handler=_ask, scope="ask", body=AskRequest,
        summary="Responde una pregunta con citas", gives=(*_FOUND, *_ANSWER, "metrics"),
    ),
    Endpoint(
        method="GET", path=f"{_PROJECT}/documents", handler=_documents, scope="search",
        summary="Los documentos, y los archivos que todavía no lo son", gives=("documents", "ingestions"),
    ),
    Endpoint(
        method="GET", path=f"{_PROJECT}/passages", handler=_passages, scope="search", query=("path", "page", "first"),
        summary="Lee un documento en orden: una página, o desde un pasaje",
        gives=("title", "pages", "passages", "next"),
    ),
    Endpoint(
        method="POST", path=f"{_PROJECT}/documents", handler=_upload, scope="upload", query=("path", "replace"),
        summary="Pone un archivo en la cola: el cuerpo es el archivo", status=202, gives=("accepted",),
    ),
    Endpoint(
        method="GET", path=f"{_PROJECT}/ingestions/{{ingestion}}", handler=_ingestion, scope="upload",
        summary="Qué fue de un archivo", gives=("path", "status", "error"),
    ),
    Endpoint(
        method="DELETE", path=f"{_PROJECT}/documents/{{document}}", handler=_remove, scope="upload",
        summary="Quita un documento; por una hora se puede recuperar en el chat", status=204,
    ),
    Endpoint(
        method="GET", path=f"{_PROJECT}/conversations", handler=_conversations, scope="ask",
        summary="Las conversaciones de la persona", gives=("conversations",),
    ),
    Endpoint(
        method="POST", path=f"{_PROJECT}/conversations", handler=_begin, scope="ask",
        summary="Comienza una conversación", status=201, gives=("conversation",),
    ),
    Endpoint(
        method="GET", path=f"{_PROJECT}/conversations/{{conversation}}", handler=_conversation, scope="ask",
        summary="Lo dicho en una conversación", gives=("conversation_id", "title", "turns"),
    ),
    Endpoint(
        method="POST", path=f"{_PROJECT}/feedback", handler=_rate, scope="ask", body=FeedbackRequest,
        summary="Opina de una respuesta", status=204,
    ),
)  # fmt: skip
