"""The chat as it is delivered, in a world that is all of the tests: every name of the web leads to this machine, and
Google's own address to the server that plays it.
"""

from __future__ import annotations

import os
import runpy
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import assistant.library
from rag_system.generation.providers import PROVIDERS
from rag_system.ingestion.web import Fetched, fetch
from rag_system.ingestion.web_exchange import Route, WebLimits
from rag_system.settings import Settings
from tests.fakes.web_server import HERE, HereToo


def _fetch_here(settings: Settings, url: str) -> AbstractContextManager[Fetched]:
    route = Route(policy=HereToo(), resolver=lambda *_: [HERE])
    return fetch(url, limits=WebLimits(max_bytes=settings.max_file_mb << 20), route=route)


assistant.library.fetch_with = _fetch_here
PROVIDERS["google"] = replace(PROVIDERS["google"], base_url=os.environ["TESTS_GOOGLE"])
runpy.run_path(str(Path(__file__).parents[2] / "ui" / "app.py"))
