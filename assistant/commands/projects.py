"""The projects that there are, what is set for each, and who may do what in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_person,
    opened_project,
    option,
    print_row,
    print_rows,
)
from assistant.commands.people import ROLES
from assistant.commands.questions import PROVIDERS
from rag_system import DEFAULT_PROJECT
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.projects import ProjectSummary

__all__ = ["projects"]

_SETTINGS = "settings"
_HIDDEN_FROM = ("nobody", "readers", "everybody", _SETTINGS)
project_argument = click.argument("project", metavar="PROYECTO")
shown_argument = click.argument("project", metavar="[PROYECTO]", default=DEFAULT_PROJECT)


@cli.group(short_help="Lista, crea, ajusta y borra los proyectos.")
def projects() -> None:
    """Los proyectos: cada uno tiene sus documentos, conversaciones, ajustes y hechos.

    PROYECTO es el identificador que muestra «legajo projects list»; donde se puede
    dejar de indicar, es «general».
    """


@projects.command("list", short_help="Lista los proyectos.")
@json_option
def list_(as_json: bool) -> None:
    """Lista los proyectos, con lo que usted puede hacer en cada uno y cuántos documentos tiene."""
    with opened_person() as person:
        found = person.projects()
    none = "Todavía no hay ningún proyecto: «legajo projects create NOMBRE» crea uno."
    print_rows(found, _line, none=none, as_json=as_json)


@projects.command(short_help="Crea un proyecto.")
@project_argument
@json_option
def create(project: str, as_json: bool) -> None:
    """Crea un proyecto, que será suyo."""
    with opened_person() as person:
        if not person.create_project(project):
            raise InputError(f"Ya tiene un proyecto «{project}». Elija otro nombre.")
    print_row({"project": project, "created": True}, f"Se creó el proyecto «{project}».", as_json=as_json)


@projects.command(short_help="Cambia el nombre con que se muestra un proyecto.")
@project_argument
@click.argument("name", metavar="NOMBRE")
@json_option
def rename(project: str, name: str, as_json: bool) -> None:
    """Cambia el nombre con que se muestra un proyecto. Las órdenes lo siguen llamando por su identificador."""
    with opened_project(project) as assistant:
        assistant.change_project(name=name)
        shown = assistant.project_settings().name
    print_row({"project": project, "name": shown}, f"«{project}» se muestra como «{shown}».", as_json=as_json)


@projects.command(short_help="Borra un proyecto con todo lo suyo, para siempre.")
@project_argument
@option("--yes", is_flag=True, help="Confirma que se borre.")
@json_option
def delete(project: str, yes: bool, as_json: bool) -> None:
    """Borra un proyecto con sus documentos y las conversaciones de todos. No se puede deshacer.

    Solo lo puede borrar quien es dueño.
    """
    from assistant.wording import counted

    with opened_person() as person:
        count = person.project(project).library.count()
        if not yes:
            raise InputError(
                f"«{project}» tiene {counted(count, 'documento')}. Todo se borraría para siempre, con las "
                "conversaciones de todos. Para confirmarlo, repita la orden con --yes."
            )
        person.delete_project(project)
    print_row({"project": project, "deleted": True}, f"Se borró el proyecto «{project}».", as_json=as_json)


@projects.command(short_help="Muestra los ajustes de un proyecto.")
@shown_argument
@json_option
def show(project: str, as_json: bool) -> None:
    """Muestra los ajustes de un proyecto, y de cada uno si lo dice el proyecto o la configuración."""
    _show(project, as_json=as_json)


@projects.command(short_help="Cambia los ajustes de un proyecto.")
@shown_argument
@option("--instructions", metavar="TEXTO", help="Lo que toda respuesta debe tener en cuenta.")
@option(
    "--instructions-file",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de --instructions: un archivo de texto UTF-8.",
)
@option("--assistant-name", metavar="NOMBRE", help="Cómo se llama el asistente.")
@option("--provider", metavar="PROVEEDOR", help=f"Quién responde: {', '.join(PROVIDERS)}.")
@option("--model", metavar="MODELO", help="Con qué modelo.")
@option("--temperature", metavar="N", help="Temperatura del modelo, de 0 a 2.")
@option("--language", metavar="IDIOMA", help="En qué idioma responde un modelo: es, en, pt…")
@option("--top-k", metavar="N", help="Pasajes por respuesta, de 1 a 20.")
@option("--similarity-floor", metavar="N", help="Coseno, de 0 a 1, por debajo del cual un pasaje se descarta.")
@option("--recipe", metavar="RECETA", help="Receta de búsqueda.")
@option(
    "--hide-model",
    type=click.Choice(_HIDDEN_FROM),
    metavar="A QUIÉN",
    help="A quién no se muestra qué modelo responde: nobody, readers (quien solo lee) o everybody; settings lo deja a "
    "LEGAJO_HIDE_MODEL.",
)
@option("--question", "questions", multiple=True, metavar="TEXTO", help="Pregunta de ejemplo; se puede repetir.")
@option("--colour", metavar="COLOR", help="rojo, naranja, amarillo, verde, azul, violeta o gris.")
@json_option
def change(
    project: str,
    instructions: str | None,
    instructions_file: Path | None,
    hide_model: Any,
    questions: tuple[str, ...],
    as_json: bool,
    **texts: str | None,
) -> None:
    """Cambia los ajustes que se indiquen y muestra cómo quedan.

    Un texto vacío quita lo que diga el proyecto: desde entonces lo dice la configuración.
    """
    from assistant.projects import read_instructions

    if instructions_file is not None:
        if instructions is not None:
            raise InputError("Indique --instructions o --instructions-file, una de las dos cosas.")
        instructions = read_instructions(instructions_file)
    said: dict[str, Any] = {"instructions": instructions, "hide_model": hide_model, **texts}
    changed = {name: value for name, value in said.items() if value is not None}
    if hide_model == _SETTINGS:
        changed["hide_model"] = None
    if questions:
        changed["sample_questions"] = list(filter(None, questions))
    if not changed:
        raise InputError("Indique qué cambia: «legajo projects change --help» muestra lo que se puede.")
    _show(project, as_json=as_json, **changed)


@projects.command(short_help="Muestra quién puede qué en un proyecto.")
@shown_argument
@json_option
def members(project: str, as_json: bool) -> None:
    """Muestra quién puede qué en un proyecto. «legajo people role» lo cambia."""
    with opened_project(project) as assistant:
        found = assistant.members()
    for person, role in found.items():
        print_row({"person": person, "role": role}, f"{person}: {ROLES[role]}", as_json=as_json)


def _show(project: str, *, as_json: bool, **changed: Any) -> None:
    from assistant.projects import show_project

    with opened_project(project) as assistant:
        if changed:
            assistant.change_project(**changed)
        shown = assistant.project_settings()
    told = f"{show_project(shown)}\nSu permiso: {ROLES.get(shown.role or '', 'ninguno')}"
    print_row(shown, told, as_json=as_json)


def _line(summary: ProjectSummary) -> str:
    from assistant.wording import counted

    called = "" if summary.name == summary.project else f" («{summary.name}»)"
    documents = counted(summary.documents, "documento")
    return f"{summary.project}{called} · {ROLES.get(summary.role or '', 'nada')} · {documents}"
