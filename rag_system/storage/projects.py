"""The row of a project: its counters, the model that made its vectors, what it says of its answers, and its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from psycopg import Connection
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from rag_system.embeddings.protocol import Manifest
from rag_system.errors import ForbiddenError, IncompatibleStoreError, InputError, NotFoundError
from rag_system.settings import Settings
from rag_system.storage.sql import queries, rows_of
from rag_system.types import Fact

__all__ = [
    "COMMON_LANGUAGE",
    "HiddenFrom",
    "ProjectRow",
    "ProjectSummary",
    "Role",
    "change_project",
    "check_model",
    "check_name",
    "create_project",
    "delete_project",
    "filled_projects",
    "get_project",
    "list_projects",
    "lock_project",
    "main_language",
    "project_names",
]

Role = Literal["owner", "editor", "reader"]
HiddenFrom = Literal["nobody", "readers", "everybody"]

LONGEST_NAME = 100  # characters
# That questions are asked in. The others have an approximate index of their own: in the common one they are met last.
COMMON_LANGUAGE = "es"

_SQL = queries("rag_system.storage.queries", "projects.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSummary:
    """A line of the list of projects."""

    project: str  # its id, by which commands call it
    name: str  # what people call it
    colour: str  # a name; empty: none
    role: Role | None  # of who asks; None: a job
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRow:
    """A project as stored. What is empty or None among its settings is left to those of the program."""

    project_id: str
    name: str = ""  # what people call it; empty: its id
    colour: str = ""
    sample_questions: Sequence[str] = ()  # of an empty chat; none: made from the documents' headings
    instructions: str = ""
    recipe: str = ""  # of retrieval
    provider: str = ""  # who answers, …
    model: str = ""  # … with which model
    temperature: float | None = None
    top_k: int | None = None
    similarity_floor: float | None = None  # cosine
    language: str = ""  # that a model answers in, ISO 639-1
    assistant_name: str = ""  # what it calls itself
    hide_model: HiddenFrom | None = None  # which model and provider answer
    role: Role | None = None  # of who acts; None: a job, or only locked
    facts: Sequence[Fact] = ()  # by number; none when only locked
    embedding_model: str | None = None  # None until the first chunk
    embedding_dimension: int | None = None
    next_chunk_id: int = 0
    next_segment: int = 0  # number of the next postings segment
    chunk_count: int = 0
    term_count: int = 0
    languages: Mapping[str, int] = field(default_factory=dict)  # chunks of each; empty when only locked
    has_concepts: bool = False  # its chunks are tagged; False when only locked
    has_repeals: bool = False  # one of its documents repeals a norm; False when only locked

    def settings(self, general: Settings) -> Settings:
        """The settings for what who acts asks here: the project's word before the general one, and nowhere else."""
        said = {
            "recipe": self.recipe,
            "temperature": self.temperature,
            "top_k": self.top_k,
            "similarity_floor": self.similarity_floor,
            "answer_language": self.language,
            "assistant_name": self.assistant_name,
            "hide_model": self._hides_model(),
        }
        own = {name: value for name, value in said.items() if value not in (None, "")}
        return general.model_copy(update={**own, **self._answering(general)})

    def _hides_model(self) -> bool | None:
        match self.hide_model:
            case "readers":
                return self.role not in ("owner", "editor")
            case None:
                return None
            case hidden_from:
                return hidden_from == "everybody"

    def _answering(self, general: Settings) -> dict[str, Any]:
        """Who answers. Model, server and fallback of the settings are their own provider's, and no other's."""
        if self.provider in ("", general.llm_provider):
            return {"llm_model": self.model} if self.model else {}
        if general.allowed_providers and self.provider not in general.allowed_providers:
            return {}  # not offered any more
        if self.provider == "local" and general.llm_provider == "extractive":  # which has neither: they are local's
            return {"llm_provider": self.provider, "llm_model": self.model or general.llm_model, "llm_fallback": None}
        own = {"llm_provider": self.provider, "llm_model": self.model}
        return {**own, "llm_base_url": "", "llm_fallback": None}


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
    return rows_of(connection, ProjectRow, _SQL["filled"], {"project": project})


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


def list_projects(connection: Connection) -> list[ProjectSummary]:
    """The same with what there is to know at a glance, by the name that people call them."""
    return rows_of(connection, ProjectSummary, _SQL["list"])


def change_project(connection: Connection, project: str, changed: Mapping[str, object]) -> None:
    """Set some of what its owners may: fields of `ProjectRow`, by name. Raises as `lock_project` does."""
    lock_project(connection, project)
    connection.execute(_SQL["change"], {"project": project, "changed": Jsonb(dict(changed))})


def delete_project(connection: Connection, project: str) -> None:
    """Delete a project with all that is its own. Only its owner may: others get `ForbiddenError`."""
    get_project(connection, project)
    if not connection.execute(_SQL["delete"], {"project": project}).rowcount:
        raise ForbiddenError("Solo quien es dueño del proyecto puede borrarlo. Pídaselo.", code="owners_only")


def _find(connection: Connection, query: str, project: str) -> ProjectRow | None:
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(_SQL[query], {"project": check_name(project)}).fetchone()
    return ProjectRow(**{**row, "facts": [Fact(*each) for each in row.get("facts", ())]}) if row else None


def check_model(row: ProjectRow, manifest: Manifest) -> None:
    """Refuse to mix vectors of two models."""
    if row.embedding_model not in (None, manifest.model_id):
        raise IncompatibleStoreError(
            f"El proyecto «{row.project_id}» se indexó con el modelo {row.embedding_model} y ahora está configurado "
            f"{manifest.model_id}. Ejecute «legajo reindex --project {row.project_id}» para pasarlo al modelo nuevo, o "
            "vuelva a poner LEGAJO_EMBEDDING_MODEL como estaba."
        )
