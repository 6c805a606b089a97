"""What a project was asked to remember."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from assistant.commands.group import cli, json_option, opened_project, print_row, print_rows, project_option
from rag_system.errors import InputError

if TYPE_CHECKING:
    from rag_system.storage.facts import RememberedFact

__all__ = ["facts"]

_MARK = re.compile(r"\[?[Mm]?(\d{1,6})\]?")


@cli.group(short_help="Lista, agrega y olvida los hechos que un proyecto recuerda.")
def facts() -> None:
    """Lo que se pidió recordar en un proyecto: «La mesa de partes atiende hasta las 4».

    Cada hecho tiene una marca, [M1], con la que las respuestas lo citan. En el chat
    se agregan también con «recuerda que…».
    """


@facts.command("list", short_help="Lista los hechos con su marca.")
@project_option
@json_option
def list_(project: str, as_json: bool) -> None:
    """Lista los hechos con su marca, quién los agregó y cuándo."""
    with opened_project(project) as assistant:
        found = assistant.facts.all()
    print_rows(found, _line, none="No se recuerda ningún hecho.", as_json=as_json)


@facts.command(short_help="Agrega un hecho.")
@click.argument("text", metavar="TEXTO")
@project_option
@json_option
def add(text: str, project: str, as_json: bool) -> None:
    """Agrega un hecho, de hasta 300 caracteres, y escribe su marca."""
    with opened_project(project) as assistant:
        fact = assistant.facts.add(text)
    print_row(fact, f"[M{fact.number}]  {fact.text}", as_json=as_json)


@facts.command(short_help="Olvida un hecho.")
@click.argument("mark", metavar="MARCA")
@project_option
@json_option
def forget(mark: str, project: str, as_json: bool) -> None:
    """Olvida el hecho de una marca: «legajo facts forget M1». Ningún otro recibirá su marca."""
    found = _MARK.fullmatch(mark.strip())
    if found is None:
        raise InputError(f"«{mark}» no es la marca de un hecho. «legajo facts list» las muestra: M1, M2…")
    with opened_project(project) as assistant:
        assistant.facts.forget(number := int(found[1]))
    print_row({"number": number, "forgotten": True}, f"Se olvidó [M{number}].", as_json=as_json)


def _line(fact: RememberedFact) -> str:
    return f"[M{fact.number}]  {fact.added_at.astimezone():%Y-%m-%d}  {fact.text}"
