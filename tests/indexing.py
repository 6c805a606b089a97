"""Take files in as the product does: accepted, queued, and worked on by a worker of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.library import Library
from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import create_project

__all__ = ["Indexing", "filled", "library_of", "opened_project", "project_of", "upload"]


def project_of(assistant: Assistant, project: str = DEFAULT_PROJECT) -> ProjectAssistant:
    """A project of the person at the computer, made where it is not there."""
    person = assistant.as_person(LOCAL_PERSON)
    person.create_project(project)
    return person.project(project)


@contextmanager
def opened_project(
    settings: Settings, *, embeddings: EmbeddingModel | None = None, project: str = DEFAULT_PROJECT
) -> Iterator[ProjectAssistant]:
    """A project over the database of the settings."""
    with Assistant.open(settings, embeddings=embeddings or HashEmbeddings()) as assistant:
        yield project_of(assistant, project)


def library_of(
    *, database: Database, settings: Settings, embeddings: Callable[[], EmbeddingModel], project: str = DEFAULT_PROJECT
) -> Library:
    """The documents of a project, made where it is not there."""
    database = database.as_person(LOCAL_PERSON)
    with database.connection() as connection:
        create_project(connection, project)
    return Library(database=database, settings=settings, embeddings=embeddings, project=project)


class Indexing:
    """Indexes into one project of a test's database."""

    def __init__(self, *, database: Database, embeddings: EmbeddingModel, settings: Settings, project: str) -> None:
        self._library = library_of(database=database, settings=settings, embeddings=lambda: embeddings, project=project)

    def run(self, *paths: Path, on_progress: OnProgress | None = None) -> list[IngestReport]:
        """What became of each file, by path."""
        return sorted(self._library.add(paths, on_progress=on_progress), key=lambda report: report.path)


def upload(home: ProjectAssistant | Library, name: str, data: bytes, *, password: str = "") -> IngestReport:
    """What became of a file that was put into the chat to replace what has its name, after a worker of this process has
    seen it through.
    """
    library = home.library if isinstance(home, ProjectAssistant) else home
    (accepted,) = library.accept_stream(name, BytesIO(data), same_name="replace", password=password)
    if accepted.report is not None:
        return accepted.report
    (report,) = library.see_through({accepted.ingestion_id: name})
    return report


def filled(database_url: str, home: Path, projects: Mapping[str, Mapping[str, str]], **values: Any) -> str:
    """Take texts by their files' names into projects of a database that nobody uses; its name, to be copied."""
    settings = Settings(home=home, database_url=SecretStr(database_url), **values)
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        for project, texts in projects.items():
            for name, text in texts.items():
                assert upload(project_of(assistant, project), name, text.encode()).status == "indexed"
    return str(conninfo_to_dict(database_url)["dbname"])
