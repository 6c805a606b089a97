"""The end of the server: it says that it leaves, lets nobody in any more, and finishes what was begun.

A proxy that looks at `/ready` is given time to see it. Then the port is closed, so that one that does not look takes
the next request to another chat. Requests are waited for by uvicorn, for as long as there is patience; the answers of
pages, which threads write that belong to no request, are waited for as well.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from threading import Event
from time import monotonic
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from ui.components.writing import is_writing

__all__ = ["serve"]

_PATIENCE_S = 20  # for all that is under way: less than the launcher has with the chat
_ARRIVING_S = 0.2  # between the closing of the port and of the connections: who was just let in has asked by then
_LOOK_S = 0.1  # as uvicorn looks at what it waits for


def serve(app: ASGIApp, *, leaving: Event, drain_s: float, **options: Any) -> None:
    """`uvicorn.run`, which also finishes the answers of pages.

    Asked to end, it sets `leaving` and goes on for `drain_s` seconds, 0 or more, or until it is asked again.
    """
    server = _Server(uvicorn.Config(app, timeout_graceful_shutdown=_PATIENCE_S, **options))
    server.leaving, server.drain_s = leaving, drain_s
    server.run()
    if not server.started:
        sys.exit(1)  # uvicorn has told why


class _Server(uvicorn.Server):
    leaving: Event
    drain_s: float

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.leaving.set()
        closes_at = monotonic() + self.drain_s
        while (left := closes_at - monotonic()) > 0 and not self.force_exit:
            await asyncio.sleep(min(left, _LOOK_S))
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
