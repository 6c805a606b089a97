"""What is set for a project as a whole: its recipe, its instructions, who answers, and its concepts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.commands.group import cli, json_option, opened_project, option, print_row, project_option
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.projects import HideModel

__all__ = ["concepts", "project"]

_HIDE_MODEL: dict[str, HideModel] = {"--hide-model": True, "--show-model": False, "--unset-hide-model": "settings"}


@cli.command(short_help="Muestra o cambia los ajustes de un proyecto.")
@project_option
@option("--recipe", metavar="RECETA", help="Receta de búsqueda desde ahora; vacía deja la de LEGAJO_RECIPE.")
@option("--instructions", metavar="TEXTO", help="Lo que toda respuesta debe tener en cuenta; vacío lo quita.")
@option(
    "--instructions-file",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de --instructions: un archivo de texto UTF-8.",
)
@option("--name", "assistant_name", metavar="NOMBRE", help="Cómo se llama el asistente; vacío deja el de siempre.")
@option("--hide-model", is_flag=True, help="Oculta qué modelo y proveedor escriben las respuestas.")
@option("--show-model", is_flag=True, help="Lo muestra.")
@option("--unset-hide-model", is_flag=True, help="Deja que lo diga LEGAJO_HIDE_MODEL.")
@json_option
def project(
    project: str,
    recipe: str | None,
    instructions: str | None,
    instructions_file: Path | None,
    assistant_name: str | None,
    as_json: bool,
    **said: bool,
) -> None:
    """Muestra los ajustes de un proyecto, después de cambiar los que se indiquen.

    El proyecto debe existir: lo crea «legajo ingest» con sus primeros documentos.
    """
    from assistant.projects import read_instructions, show_project

    if instructions_file is not None:
        if instructions is not None:
            raise InputError("Indique --instructions o --instructions-file, una de las dos cosas.")
        instructions = read_instructions(instructions_file)
    hide_model = _hide_model(said)
    with opened_project(project) as assistant:
        if any(each is not None for each in (recipe, instructions, assistant_name, hide_model)):
            assistant.change_project(
                recipe=recipe,
                instructions=instructions,
                assistant_name=assistant_name,
                hide_model=hide_model,
            )
        shown = assistant.project_settings()
    print_row(asdict(shown), show_project(shown), as_json=as_json)


def _hide_model(said: Mapping[str, bool]) -> HideModel | None:
    """What the one option that was given asks for; None when none was."""
    given = [name for name in _HIDE_MODEL if said[name.removeprefix("--").replace("-", "_")]]
    if len(given) > 1:
        raise InputError(f"{' y '.join(given[:2])} se contradicen. Indique una de las dos.")
    return _HIDE_MODEL[given[0]] if given else None


@cli.command(short_help="Muestra o cambia los conceptos de un proyecto.")
@project_option
@option(
    "--file",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="Archivo TOML que reemplaza el árbol: [[conceptos]] con nombre, padre y alias.",
)
@option("--export", is_flag=True, help="Escribe el árbol en TOML, para guardarlo o editarlo.")
@json_option
def concepts(project: str, file: Path | None, export: bool, as_json: bool) -> None:
    """Muestra el árbol de conceptos de un proyecto, con los documentos y fragmentos que tratan de cada uno.

    Con --file, antes lo reemplaza y vuelve a etiquetar todos los fragmentos.
    """
    from assistant.concepts import read_tree, show_tree, write_tree

    tree = None if file is None else read_tree(file)
    with opened_project(project) as assistant:
        if tree is not None:
            assistant.concepts.replace(tree)
        if export:
            click.echo(write_tree(assistant.concepts.tree()), nl=False)
            return
        found = assistant.concepts.overview()
    lines = [json.dumps(asdict(each), ensure_ascii=False) for each in found] if as_json else [show_tree(found)]
    for line in lines:
        click.echo(line)
