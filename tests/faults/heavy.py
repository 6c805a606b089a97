"""What programs of the product import and read sooner or later: once, in the process that they are forked from."""

from __future__ import annotations

import importlib
import logging

from rag_system.query.common_words import load_common_words

__all__: list[str] = []

_PROGRAMS = ("assistant.cli", "assistant.commands", "rag_system.embeddings.runtime", "tests.faults.program")
_CHAT = ("pandas", "streamlit.starlette", "ui.serving.entrance", "ui.shell")
_SERVER = (  # chosen by uvicorn and Starlette as they start
    "anyio._backends._asyncio",
    "starlette.middleware.sessions",
    "streamlit.web.bootstrap",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)

logging.disable()  # Streamlit's modules tell that no chat runs
for _name in (*_PROGRAMS, *_CHAT, *_SERVER):
    importlib.import_module(_name)
logging.disable(logging.NOTSET)
load_common_words()
