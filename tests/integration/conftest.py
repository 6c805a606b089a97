"""What tests of the pages share: the small library, opened as its owner or as somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings import EmbeddingModel
from rag_system.generation import clients
from rag_system.generation.providers import PROVIDERS
from rag_system.settings import Settings
from rag_system.storage.projects import Role
from tests.fakes.provider_server import FakeProviderServer, running
from tests.indexing import project_of
from tests.small_library import Opening


@pytest.fixture(scope="session")
def known_components() -> Iterator[None]:
    """Streamlit's tester reads the metadata of all packages at each run of a page: nearly all that a run costs."""
    from streamlit.components.v2 import manifest_scanner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def opening(library_url: str, server_home: Path, model: EmbeddingModel) -> Iterator[Opening]:
    """Opens a project of the library for somebody with a role there, under settings."""
    with ExitStack() as stack:

        def open_(project: str = "general", *, role: Role = "owner", **values: Any) -> ProjectAssistant:
            told = {"home": server_home, "database_url": SecretStr(library_url), "model_titles": False, **values}
            opened = stack.enter_context(Assistant.open(Settings(**told), embeddings=model))
            owned = project_of(opened, project)
            if role == "owner":
                return owned
            with psycopg.connect(library_url) as owner:
                owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
                owner.execute("INSERT INTO memberships VALUES (%s, 'ana', %s)", [project, role])
            return opened.as_person("ana").project(project)

        yield open_


@pytest.fixture
def assistant(opening: Opening) -> ProjectAssistant:
    """A project with three documents."""
    return opening()


@pytest.fixture
def empty(opening: Opening) -> ProjectAssistant:
    """One without any."""
    return opening("vacio")


@pytest.fixture
def provider() -> Iterator[FakeProviderServer]:
    """What a server of one's own and Groq's address lead to."""
    with pytest.MonkeyPatch.context() as patch, running() as (fake, url):
        patch.setitem(PROVIDERS, "groq", replace(PROVIDERS["groq"], base_url=f"{url}/groq"))
        yield fake
    clients.client.cache_clear()
