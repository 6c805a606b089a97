"""The row of a project: its counters, the model that made its vectors, its recipe and instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from psycopg import Connection
from psycopg.rows import class_row

from rag_system.embeddings.protocol import Manifest
from rag_system.errors import ForbiddenError, IncompatibleStoreError, InputError, NotFoundError
from rag_system.storage.sql import queries

__all__ = [
    "COMMON_LANGUAGE",
    "ProjectRow",
    "change_project",
    "check_model",
    "check_name",
    "create_project",
    "filled_projects",
    "get_project",
    "lock_project",
    "main_language",
    "project_names",
]

LONGEST_NAME = 100  # characters
# That questions are asked in. The others have an approximate index of their own: in the common one they are met last.
COMMON_LANGUAGE = "es"

_SQL = queries("rag_system.storage.queries", "projects.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """A project as stored."""

    project_id: str
    instructions: str = ""
    facts: tuple[str, ...] | list[str] = ()
    recipe: str = ""  # of retrieval; empty leaves it to the settings
    assistant_name: str = ""  # what it calls itself; empty leaves it to the settings
    hide_model: bool | None = None  # which model and provider answer; None leaves it to the settings
    embedding_model: str | None = None  # None until the first chunk
    embedding_dimension: int | None = None
    next_chunk_id: int = 0
    next_segment: int = 0  # number of the next postings segment
    chunk_count: int = 0
    term_count: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)  # chunks of each; empty when only locked
    has_concepts: bool = False  # its chunks are tagged; False when only locked


def main_language(languages: Mapping[str, int]) -> str:
    """That of most chunks; where there are none, the common one."""
    return max(languages, key=languages.__getitem__, default=COMMON_LANGUAGE)


def check_name(project: str) -> str:
    """The name itself; an unusable one raises `InputError`."""
    if not project.strip() or len(project) > LONGEST_NAME or not project.isprintable():
        raise InputError(
            f"El nombre del proyecto no sirve: use de 1 a {LONGEST_NAME} letras, números o guiones.",
            code="project_name",
            limit=LONGEST_NAME,
        )
    return project


def create_project(connection: Connection, project: str) -> bool:
    """Make a project. False when it was there."""
    return bool(connection.execute(_SQL["create"], {"project": check_name(project)}).rowcount)


def get_project(connection: Connection, project: str) -> ProjectRow:
    """The project's row. One that is not there raises `NotFoundError`."""
    row = _find(connection, "get", project)
    if row is None:
        raise NotFoundError(
            f"No existe el proyecto «{project}» o ya no está. Elija otro.", code="unknown_project", project=project
        )
    return row


def filled_projects(connection: Connection, project: str) -> list[ProjectRow]:
    """All projects with chunks that who acts may read, by name; `project`, if it is one of them, comes first."""
    with connection.cursor(row_factory=class_row(ProjectRow)) as cursor:
        return cursor.execute(_SQL["filled"], {"project": project}).fetchall()


def project_names(connection: Connection) -> list[str]:
    """The projects that there are, by name."""
    return [name for (name,) in connection.execute(_SQL["names"])]


def lock_project(connection: Connection, project: str) -> ProjectRow:
    """The project's row, locked until the transaction ends.

    One that is not there raises `NotFoundError`, one that may only be read `ForbiddenError`.
    """
    row = _find(connection, "lock", project)
    if row is None:
        get_project(connection, project)
        raise ForbiddenError
    return row


def change_project(connection: Connection, project: str, changed: Mapping[str, str | bool | None]) -> None:
    """Set some of its `recipe`, `instructions`, `assistant_name` and `hide_model`.

    An empty text, or None for `hide_model`, leaves it to the settings. Raises as `lock_project` does.
    """
    lock_project(connection, project)
    for name, value in changed.items():
        connection.execute(_SQL[f"set_{name}"], {"project": project, "value": value})


def _find(connection: Connection, query: str, project: str) -> ProjectRow | None:
    with connection.cursor(row_factory=class_row(ProjectRow)) as cursor:
        return cursor.execute(_SQL[query], {"project": check_name(project)}).fetchone()


def check_model(row: ProjectRow, manifest: Manifest) -> None:
    """Refuse to mix vectors of two models."""
    if row.embedding_model not in (None, manifest.model_id):
        raise IncompatibleStoreError(
            f"El proyecto «{row.project_id}» se indexó con el modelo {row.embedding_model} y ahora está configurado "
            f"{manifest.model_id}. Ejecute «legajo reindex --project {row.project_id}» para pasarlo al modelo nuevo, o "
            "vuelva a poner LEGAJO_EMBEDDING_MODEL como estaba."
        )
