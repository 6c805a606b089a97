"""The end of the server: nobody is let in any more, and what was begun is finished, for as long as there is patience.

The port is closed first, so that whoever stands before several chats takes the next request to another. Requests are
waited for by uvicorn; the answers of pages, which threads write that belong to no request, are waited for as well.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from ui.components.writing import is_writing

__all__ = ["serve"]

_PATIENCE_S = 20  # for all that is under way: less than the launcher has with the chat
_ARRIVING_S = 0.2  # between the closing of the port and of the connections: who was just let in has asked by then
_LOOK_S = 0.1  # as uvicorn looks at what it waits for


def serve(app: ASGIApp, **options: Any) -> None:
    """`uvicorn.run`, which also finishes the answers of pages."""
    server = _Server(uvicorn.Config(app, timeout_graceful_shutdown=_PATIENCE_S, **options))
    server.run()
    if not server.started:
        sys.exit(1)  # uvicorn has told why


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        await asyncio.sleep(_ARRIVING_S)
        tasks = self.server_state.tasks
        tasks.add(written := asyncio.create_task(_all_is_written()))
        written.add_done_callback(tasks.discard)
        await super().shutdown(sockets)


async def _all_is_written() -> None:
    while is_writing():
        await asyncio.sleep(_LOOK_S)
