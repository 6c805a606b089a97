"""Keys for providers that a person or a project brings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_project,
    option,
    print_row,
    print_rows,
    project_option,
    read_settings,
    together,
)
from assistant.usage import SpanishGroup
from rag_system import DEFAULT_PROJECT
from rag_system.errors import InputError, SealingError

if TYPE_CHECKING:
    from assistant.keys import KeySummary, Owner
    from rag_system.settings import ProviderName

__all__ = ["keys"]

of_a_key = together(
    click.argument("provider", metavar="PROVEEDOR"),
    option("--project", metavar="PROYECTO", help="La clave de ese proyecto, en lugar de la suya."),
    json_option,
)


@cli.group(cls=SpanishGroup, short_help="Guarda sus claves de proveedores y las de un proyecto.")
def keys() -> None:
    """Guarda, selladas, sus claves de proveedores y las de sus proyectos; ninguna se vuelve a mostrar.

    Una pregunta se paga con la clave de quien pregunta; si no tiene, con la del
    proyecto, y si tampoco, con la de los ajustes (GROQ_API_KEY y las demás).
    """


@keys.command("list", short_help="Dice qué claves hay, sin mostrarlas.")
@project_option
@json_option
def list_(project: str, as_json: bool) -> None:
    """Dice qué claves hay, suyas y del proyecto, sin mostrarlas."""
    with opened_project(project) as assistant:
        found = assistant.keys.all()
    print_rows(found, _line, none="No hay claves guardadas: se usan las de los ajustes.", as_json=as_json)


@keys.command(short_help="Guarda una clave.")
@of_a_key
def add(provider: ProviderName, project: str | None, as_json: bool) -> None:
    """Guarda una clave de google, groq u openrouter, en lugar de la que hubiera.

    La pregunta sin mostrarla, o la lee de la entrada estándar; nunca de la orden,
    que queda en el historial.
    """
    from assistant.keys import check_provider

    check_provider(provider)
    told = "Se guardó. «legajo keys test» dice si el proveedor la acepta."
    _change("add", provider, project, _read_key(), status="added", told=told, as_json=as_json)


@keys.command(short_help="Quita una clave.")
@of_a_key
def remove(provider: ProviderName, project: str | None, as_json: bool) -> None:
    """Borra una clave guardada. Para que nadie pueda usarla, revóquela además en la página del proveedor."""
    _change("remove", provider, project, status="removed", told="Se quitó.", as_json=as_json)


@keys.command(short_help="Prueba una clave con una consulta corta.")
@of_a_key
def test(provider: ProviderName, project: str | None, as_json: bool) -> None:
    """Pide una palabra al proveedor con la clave guardada; cuesta lo que unos pocos tokens."""
    _change("test", provider, project, status="accepted", told="El proveedor la acepta.", as_json=as_json)


@keys.command(short_help="Cambia la clave de sellado y vuelve a sellar todas.")
@json_option
def rotate(as_json: bool) -> None:
    """Vuelve a sellar las claves de todos con otra clave de sellado; el chat puede seguir abierto.

    La nueva se agrega al archivo y la anterior se olvida. Si la clave de sellado
    está en LEGAJO_SEALING_KEY, ponga antes allí la nueva, una coma y la anterior.
    """
    from assistant.keys import rotate_sealing_key

    done, left = rotate_sealing_key(read_settings())
    print_row({"resealed": done, "unreadable": left}, f"Claves selladas de nuevo: {done}.", as_json=as_json)
    if left:
        raise SealingError(
            f"Claves que no se pueden abrir: {left}. Siguen guardadas, y las claves de sellado anteriores también: "
            "«legajo doctor» dice qué falta.",
            keys=left,
        )


def _read_key() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    try:
        typed: str = click.prompt("Clave (no se muestra)", hide_input=True, err=True)
    except click.Abort:
        raise InputError("No se escribió ninguna clave.") from None
    return typed


def _change(
    method: str, provider: ProviderName, project: str | None, *values: str, status: str, told: str, as_json: bool
) -> None:
    """Do something with the person's own key, or with that of a project, and say that it is done."""
    owner: Owner = "person" if project is None else "project"
    with opened_project(project or DEFAULT_PROJECT, any_serves=project is None) as assistant:
        getattr(assistant.keys, method)(provider, *values, owner=owner)
    print_row({"provider": provider, "owner": owner, "status": status}, told, as_json=as_json)


def _line(key: KeySummary) -> str:
    from assistant.wording import PAYERS

    closed = "" if key.is_readable else "  no se puede abrir: «legajo doctor» dice qué falta"
    return f"{key.provider:<12}{PAYERS[key.owner]:<14}{key.added_at.astimezone():%d/%m/%Y}{closed}"
