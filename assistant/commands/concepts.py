"""What the documents of a project are about, in its own words."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from assistant.commands.group import cli, json_option, opened_project, option, project_option

__all__ = ["concepts"]


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
