"""What is set for a project as a whole: the recipe its questions are searched with, and its instructions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rag_system.errors import InputError
from rag_system.search.recipes import get_recipe
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import (
    check_name,
    ensure_project,
    get_project,
    project_names,
    set_instructions,
    set_recipe,
)

__all__ = ["ProjectSettings", "Projects", "read_instructions", "show_project"]

LONGEST_INSTRUCTIONS = 4000  # characters: they go into every question's prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """A project's settings as a person sees them."""

    project: str
    recipe: str  # the one in force
    recipe_from: str  # "project" or "settings": who says so
    instructions: str
    chunks: int
    embedding_model: str  # empty until the first document


class Projects:
    """Which projects there are, and the settings of every one."""

    def __init__(self, *, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings

    def must_exist(self, project: str) -> None:
        """A project that was never made raises `InputError`, which lists those there are."""
        with self._database.connection() as connection:
            names = project_names(connection)
        if check_name(project) not in names:
            there = f"Hay: {', '.join(names)}." if names else "Todavía no hay ninguno: «legajo ingest» los crea."
            raise InputError(f"No existe el proyecto «{project}». {there}")

    def read(self, project: str) -> ProjectSettings:
        """The defaults when the project was never made."""
        with self._database.connection() as connection:
            row = get_project(connection, project)
        return ProjectSettings(
            project=project,
            recipe=row.recipe or self._settings.recipe,
            recipe_from="project" if row.recipe else "settings",
            instructions=row.instructions,
            chunks=row.chunk_count,
            embedding_model=row.embedding_model or "",
        )

    def change(self, project: str, *, recipe: str | None = None, instructions: str | None = None) -> None:
        """Set what is not None, and make the project when it is not there. An empty text unsets."""
        if recipe:
            get_recipe(recipe)
        if instructions and len(instructions) > LONGEST_INSTRUCTIONS:
            raise InputError(
                f"Las instrucciones tienen {len(instructions)} caracteres y caben {LONGEST_INSTRUCTIONS}. Acórtelas."
            )
        with self._database.connection() as connection:
            ensure_project(connection, project)
            if recipe is not None:
                set_recipe(connection, project, recipe)
            if instructions is not None:
                set_instructions(connection, project, instructions.strip())


def read_instructions(path: Path) -> str:
    """The text of a file; one that cannot be read raises `InputError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None


def show_project(shown: ProjectSettings) -> str:
    """For a person."""
    origin = "la del proyecto" if shown.recipe_from == "project" else "la de LEGAJO_RECIPE"
    return "\n".join(
        (
            f"Proyecto: {shown.project}",
            f"Receta: {shown.recipe} ({origin})",
            f"Instrucciones: {shown.instructions or 'ninguna'}",
            f"Fragmentos: {shown.chunks}",
            f"Modelo de los vectores: {shown.embedding_model or 'ninguno todavía'}",
        )
    )
