"""What is set for a project as a whole: the recipe its questions are searched with, its instructions, who answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.accounts import Role, plain_name, set_role
from rag_system.errors import ForbiddenError, InputError, NotFoundError
from rag_system.ingestion.spacy_entities import entities_in_use
from rag_system.search.recipes import get_recipe
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import change_project, check_name, create_project, get_project, project_names
from rag_system.storage.sql import queries

__all__ = [
    "LONGEST_ASSISTANT_NAME",
    "LONGEST_INSTRUCTIONS",
    "HideModel",
    "ProjectSettings",
    "Projects",
    "read_instructions",
    "show_project",
]

_PEOPLE = queries("rag_system.storage.queries", "people.sql")
LONGEST_INSTRUCTIONS = 4000  # characters: they go into every question's prompt
LONGEST_ASSISTANT_NAME = 60  # characters, as of LEGAJO_ASSISTANT_NAME

_NONE = "Todavía no tiene ninguno: «legajo ingest» los crea, y quien es dueño de uno puede darle permiso."

HideModel = bool | Literal["settings"]  # what a project says of it; "settings" leaves it to them


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """A project's settings as a person sees them."""

    project: str
    recipe: str  # the one in force
    recipe_from: str  # "project" or "settings": who says so
    recipe_lacks_entities: bool = False  # it looks at what documents name, and that is not kept
    instructions: str
    assistant_name: str  # the one in force
    assistant_name_from: str  # "project" or "settings"
    hides_model: bool  # whether answers keep to themselves which model and provider write them
    hides_model_from: str  # "project" or "settings"
    chunks: int
    embedding_model: str  # empty until the first document


class Projects:
    """Which projects there are, and the settings of every one. One that is not there raises `NotFoundError`."""

    def __init__(self, *, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings

    def names(self) -> list[str]:
        """Of all that there are, in order."""
        with self._database.connection() as connection:
            return project_names(connection)

    def create(self, project: str) -> bool:
        """Make a project. False when it was there. An unusable name raises `InputError`."""
        with self._database.connection() as connection:
            if made := create_project(connection, project):
                write_down(connection, project, "project.create", project)
            return made

    def must_exist(self, project: str) -> None:
        """Raise `NotFoundError`, which lists those there are, for one that is not there."""
        if check_name(project) not in (names := self.names()):
            there = f"Hay: {', '.join(names)}." if names else _NONE
            raise NotFoundError(f"No existe el proyecto «{project}». {there}", code="unknown_project", project=project)

    def read(self, project: str) -> ProjectSettings:
        """What is set for it, and for what is not set, what the settings say."""
        with self._database.connection() as connection:
            row = get_project(connection, project)
        recipe = row.recipe or self._settings.recipe
        return ProjectSettings(
            project=project,
            recipe=recipe,
            recipe_from="project" if row.recipe else "settings",
            recipe_lacks_entities=get_recipe(recipe).uses("graph") and entities_in_use(self._settings) == "none",
            instructions=row.instructions,
            assistant_name=row.assistant_name or self._settings.assistant_name,
            assistant_name_from="project" if row.assistant_name else "settings",
            hides_model=self._settings.hide_model if row.hide_model is None else row.hide_model,
            hides_model_from="settings" if row.hide_model is None else "project",
            chunks=row.chunk_count,
            embedding_model=row.embedding_model or "",
        )

    def members(self, project: str) -> dict[str, Role]:
        """Who may do what, by name, as far as who asks may know."""
        with self._database.connection() as connection:
            return dict(connection.execute(_PEOPLE["members"], {"project": project}).fetchall())

    def give_role(self, project: str, person: str, role: Role | None) -> None:
        """What a person may do in it; None: nothing. Who does not own it raises `ForbiddenError`."""
        with self._database.connection() as connection:
            get_project(connection, project)
            if not connection.execute(_PEOPLE["lock_owners"], {"project": project}).rowcount:
                raise ForbiddenError
            name = plain_name(person)
            write_down(connection, project, "people.change", f"{name}: {role or 'none'}")  # who goes may not any more
            set_role(connection, name, project, role)

    def change(
        self,
        project: str,
        *,
        recipe: str | None = None,
        instructions: str | None = None,
        assistant_name: str | None = None,
        hide_model: HideModel | None = None,
    ) -> None:
        """Set what is not None. An empty text or "settings" unsets."""
        if recipe:
            get_recipe(recipe)
        if instructions and len(instructions) > LONGEST_INSTRUCTIONS:
            raise InputError(
                f"Las instrucciones tienen {len(instructions)} caracteres y caben {LONGEST_INSTRUCTIONS}. Acórtelas."
            )
        texts = {
            "recipe": recipe,
            "instructions": None if instructions is None else instructions.strip(),
            "assistant_name": None if assistant_name is None else _assistant_name(assistant_name),
        }
        changed: dict[str, str | bool | None] = {name: text for name, text in texts.items() if text is not None}
        if hide_model is not None:
            changed["hide_model"] = None if hide_model == "settings" else hide_model
        with self._database.connection() as connection:
            change_project(connection, project, changed)
            write_down(connection, project, "project.change", ", ".join(changed))


def _assistant_name(typed: str) -> str:
    name = " ".join(typed.split())
    if len(name) > LONGEST_ASSISTANT_NAME or not name.isprintable():
        raise InputError(f"El nombre del asistente no sirve: use hasta {LONGEST_ASSISTANT_NAME} letras o números.")
    return name


def read_instructions(path: Path) -> str:
    """The text of a file; one that cannot be read raises `InputError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None


def show_project(shown: ProjectSettings) -> str:
    """For a person."""
    origin = "la del proyecto" if shown.recipe_from == "project" else "la de LEGAJO_RECIPE"
    lacks = ". Relaciona nombres que no se guardan: ponga LEGAJO_ENTITIES=rules y ejecute «legajo reindex»"
    named = "el del proyecto" if shown.assistant_name_from == "project" else "el de LEGAJO_ASSISTANT_NAME"
    hidden = "según el proyecto" if shown.hides_model_from == "project" else "según LEGAJO_HIDE_MODEL"
    return "\n".join(
        (
            f"Proyecto: {shown.project}",
            f"Receta: {shown.recipe} ({origin}){lacks if shown.recipe_lacks_entities else ''}",
            f"Instrucciones: {shown.instructions or 'ninguna'}",
            f"Nombre del asistente: {shown.assistant_name} ({named})",
            f"Modelo de las respuestas: {'no se muestra' if shown.hides_model else 'se muestra'} ({hidden})",
            f"Fragmentos: {shown.chunks}",
            f"Modelo de los vectores: {shown.embedding_model or 'ninguno todavía'}",
        )
    )
