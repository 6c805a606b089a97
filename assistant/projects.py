"""The projects that there are, and what is set for each: what it is called, who answers in it, and how."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, get_args

from psycopg import Connection

from assistant.accounts import Role, plain_name, set_role
from rag_system.errors import ForbiddenError, InputError, NotFoundError
from rag_system.generation.providers import PROVIDERS, offered_providers
from rag_system.ingestion.spacy_entities import entities_in_use
from rag_system.search.recipes import get_recipe
from rag_system.setting_values import checked
from rag_system.settings import Settings, variable
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import (
    HiddenFrom,
    ProjectRow,
    ProjectSummary,
    change_project,
    check_name,
    create_project,
    delete_project,
    get_project,
    list_projects,
    project_names,
)
from rag_system.storage.sql import queries

__all__ = [
    "COLOURS",
    "LONGEST_ASSISTANT_NAME",
    "LONGEST_INSTRUCTIONS",
    "LONGEST_QUESTION",
    "MOST_QUESTIONS",
    "Colour",
    "HiddenFrom",
    "ProjectChange",
    "ProjectSettings",
    "ProjectSummary",
    "Projects",
    "name_taken",
    "project_settings",
    "read_instructions",
    "show_project",
]

_PEOPLE = queries("rag_system.storage.queries", "people.sql")
LONGEST_INSTRUCTIONS = 4000  # characters: they go into every question's prompt
LONGEST_ASSISTANT_NAME = 60  # characters, as of LEGAJO_ASSISTANT_NAME
LONGEST_MODEL = 200  # characters of a model's name
MOST_QUESTIONS, LONGEST_QUESTION = 6, 200  # of an empty chat, and characters of each

_NONE = "Todavía no tiene ninguno: «legajo ingest» los crea, y quien es dueño de uno puede darle permiso."

Colour = Literal["red", "orange", "yellow", "green", "blue", "violet", "grey"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
_SPANISH: Mapping[str, Colour] = dict(
    zip(("rojo", "naranja", "amarillo", "verde", "azul", "violeta", "gris"), COLOURS, strict=True)
)

# What a project may say instead of the settings: what people call it, and the field of `Settings`.
_OVER_SETTINGS: Mapping[str, tuple[str, str]] = {
    "recipe": ("Receta", "recipe"),
    "provider": ("Proveedor", "llm_provider"),
    "model": ("Modelo", "llm_model"),
    "temperature": ("Temperatura", "temperature"),
    "top_k": ("Pasajes por respuesta", "top_k"),
    "similarity_floor": ("Similitud mínima", "similarity_floor"),
    "language": ("Idioma de las respuestas", "answer_language"),
    "assistant_name": ("Nombre del asistente", "assistant_name"),
    "hide_model": ("Qué modelo responde", "hide_model"),
}


class ProjectChange(TypedDict, total=False):
    """What may be set for a project. None, or nothing in a text, leaves it to the settings, or takes it back."""

    name: str | None  # what people call it; its id stays
    colour: Colour | Literal[""] | None
    sample_questions: Sequence[str] | None
    instructions: str | None
    recipe: str | None
    provider: str | None
    model: str | None
    temperature: float | str | None  # 0…2
    top_k: int | str | None  # 1…20
    similarity_floor: float | str | None  # cosine, 0…1
    language: str | None  # ISO 639-1
    assistant_name: str | None
    hide_model: HiddenFrom | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """A project as a person sees it, its settings as they are in force."""

    project: str  # its id
    name: str  # what people call it
    colour: str
    role: Role | None  # of who asks
    sample_questions: tuple[str, ...]
    instructions: str
    recipe: str
    recipe_lacks_entities: bool = False  # it looks at what documents name, and that is not kept
    provider: str  # empty where who asks may not know
    model: str  # the same; empty also where the provider has none, or chooses
    temperature: float
    top_k: int
    similarity_floor: float | None  # None: as the recipe says
    language: str  # empty: that of the question
    assistant_name: str
    hide_model: HiddenFrom | None  # the project's word
    hides_model: bool  # whether answers keep to themselves, for who asks, which model and provider write them
    own: tuple[str, ...]  # which of these the project says; the others are the settings'
    chunks: int
    embedding_model: str  # empty until the first document


class Projects:
    """Which projects there are, and the settings of every one. One that is not there raises `NotFoundError`."""

    def __init__(self, *, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings

    def all(self) -> list[ProjectSummary]:
        """What there is to know of each at a glance, by the name that people call them."""
        return self._database.run(list_projects)

    def create(self, project: str) -> bool:
        """Make a project. False when it was there. An unusable name raises `InputError`."""
        with self._database.connection() as connection:
            if made := create_project(connection, project):
                _must_be_free(connection, project, project)
                write_down(connection, project, "project.create", project)
            return made

    def delete(self, project: str) -> None:
        """Delete it with its documents and everybody's conversations, for good. Only who owns it: `ForbiddenError`."""
        self._database.unhurried().run(delete_project, project)

    def names(self) -> list[str]:
        """The ids of all, in order."""
        return self._database.run(project_names)

    def must_exist(self, project: str) -> None:
        """Raise `NotFoundError`, which lists those there are, for one that is not there."""
        if check_name(project) not in (names := self.names()):
            there = f"Hay: {', '.join(names)}." if names else _NONE
            raise NotFoundError(f"No existe el proyecto «{project}». {there}", code="unknown_project", project=project)

    def row(self, project: str) -> ProjectRow:
        """As it is stored."""
        return self._database.again(partial(get_project, project=project))

    def in_force(self, project: str) -> Settings:
        """The program's settings with the project's word where it has one."""
        return self.row(project).settings(self._settings)

    def read(self, project: str) -> ProjectSettings:
        """What is set for it, and for what is not set, what the settings say."""
        return project_settings(self.row(project), self._settings)

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

    def change(self, project: str, **changed: Unpack[ProjectChange]) -> None:
        """Set what is named. What cannot be set so raises `InputError`, or `ConfigurationError` for a recipe."""
        values = {name: self._checked(name, value) for name, value in changed.items()}
        with self._database.connection() as connection:
            if name := values.get("name"):
                _must_be_free(connection, str(name), project)
            change_project(connection, project, values)
            write_down(connection, project, "project.change", ", ".join(values))

    def _checked(self, name: str, value: Any) -> object:
        """A value as it is stored."""
        if value in (None, ""):
            return _UNSET.get(name, "")
        if name in _TEXTS:
            return _TEXTS[name](value)
        label, field = _OVER_SETTINGS[name]
        if name == "hide_model":
            return value
        stored = checked(field, Settings.model_fields[field], value, label=label)
        if name == "provider" and stored not in (offered := offered_providers(self._settings)):
            raise InputError(f"{label}: «{stored}» no se ofrece aquí. Elija entre {', '.join(offered)}.")
        return stored


def project_settings(row: ProjectRow, general: Settings) -> ProjectSettings:
    """A project over the program's settings, as who acts may know it."""
    force = row.settings(general)
    told = row.role == "owner" or not force.hide_model
    return ProjectSettings(
        project=row.project_id,
        name=row.name or row.project_id,
        colour=row.colour,
        role=row.role,
        sample_questions=tuple(row.sample_questions),
        instructions=row.instructions,
        recipe=force.recipe,
        recipe_lacks_entities=get_recipe(force.recipe).uses("graph") and entities_in_use(general) == "none",
        provider=force.llm_provider if told else "",
        model=(force.llm_model or PROVIDERS[force.llm_provider].default_model) if told else "",
        temperature=force.temperature,
        top_k=force.top_k,
        similarity_floor=force.similarity_floor,
        language=force.answer_language or "",
        assistant_name=force.assistant_name,
        hide_model=row.hide_model,
        hides_model=force.hide_model,
        own=tuple(name for name in _OVER_SETTINGS if getattr(row, name) not in ("", None)),
        chunks=row.chunk_count,
        embedding_model=row.embedding_model or "",
    )


def _must_be_free(connection: Connection, name: str, project: str) -> None:
    """Two projects of one name cannot be told apart."""
    others = (each for each in list_projects(connection) if each.project != project)
    if any(name.casefold() in (each.name.casefold(), each.project.casefold()) for each in others):
        raise name_taken(name)


def name_taken(name: str) -> InputError:
    """The same for a project that one may see and for one of others: of that nothing but its name is told."""
    return InputError(f"Ya hay un proyecto que se llama «{name}». Elija otro nombre.", code="project_name_taken")


def _line(label: str, longest: int) -> Callable[[str], str]:
    """Checks a text of one line."""

    def check(typed: str) -> str:
        line = " ".join(typed.split())
        if len(line) > longest or not line.isprintable():
            raise InputError(f"{label} no sirve: use hasta {longest} letras o números.")
        return line

    return check


def _instructions(typed: str) -> str:
    if len(typed) > LONGEST_INSTRUCTIONS:
        raise InputError(f"Las instrucciones tienen {len(typed)} caracteres y caben {LONGEST_INSTRUCTIONS}. Acórtelas.")
    return typed.strip()


def _questions(typed: Sequence[str]) -> list[str]:
    questions = [question for each in typed if (question := " ".join(each.split()))]
    if len(questions) > MOST_QUESTIONS or any(len(each) > LONGEST_QUESTION for each in questions):
        raise InputError(
            f"Caben {MOST_QUESTIONS} preguntas de ejemplo, de hasta {LONGEST_QUESTION} caracteres cada una."
        )
    return questions


def _colour(typed: str) -> str:
    colour = _SPANISH.get(typed.strip().casefold(), typed)
    if colour not in COLOURS:
        raise InputError(f"No existe el color «{typed}». Elija entre {', '.join(_SPANISH)}.")
    return colour


_UNSET: Mapping[str, object] = {
    **dict.fromkeys(("temperature", "top_k", "similarity_floor", "hide_model")),
    "sample_questions": [],
}
_TEXTS: Mapping[str, Callable[[Any], object]] = {
    "name": check_name,
    "colour": _colour,
    "sample_questions": _questions,
    "instructions": _instructions,
    "recipe": lambda typed: get_recipe(typed).name,
    "model": _line("El modelo", LONGEST_MODEL),
    "assistant_name": _line("El nombre del asistente", LONGEST_ASSISTANT_NAME),
}


def read_instructions(path: Path) -> str:
    """The text of a file; one that cannot be read raises `InputError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None


def show_project(shown: ProjectSettings) -> str:
    """For a person."""
    called = "" if shown.name == shown.project else f" («{shown.name}»)"
    said = {**{name: getattr(shown, name) for name in _OVER_SETTINGS}, "hide_model": _hidden(shown)}
    lacks = ". Relaciona nombres que no se guardan: ponga LEGAJO_ENTITIES=rules y ejecute «legajo reindex»"
    settings = [
        f"{label}: {'—' if said[name] in ('', None) else said[name]}"
        f" ({'del proyecto' if name in shown.own else f'según {variable(field)}'})"
        f"{lacks if name == 'recipe' and shown.recipe_lacks_entities else ''}"
        for name, (label, field) in _OVER_SETTINGS.items()
    ]
    return "\n".join(
        (
            f"Proyecto: {shown.project}{called}",
            f"Color: {next((name for name, each in _SPANISH.items() if each == shown.colour), 'ninguno')}",
            f"Instrucciones: {shown.instructions or 'ninguna'}",
            *settings,
            f"Preguntas de ejemplo: {' · '.join(shown.sample_questions) or 'según los documentos'}",
            f"Fragmentos: {shown.chunks}",
            f"Modelo de los vectores: {shown.embedding_model or 'ninguno todavía'}",
        )
    )


def _hidden(shown: ProjectSettings) -> str:
    if shown.hide_model == "readers":
        return "no se muestra a quien solo lee"
    return "no se muestra" if shown.hides_model else "se muestra"
