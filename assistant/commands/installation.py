"""The installation itself: whether it is sound, and the schema of its database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.commands.group import cli, json_option, option, print_row, read_settings
from rag_system.errors import InputError

if TYPE_CHECKING:
    from rag_system.storage.backup import Manifest

__all__ = ["backup", "doctor", "migrate", "restore"]

_PASSPHRASE = "LEGAJO_BACKUP_PASSPHRASE"  # noqa: S105 - the name of a variable


@cli.command(short_help="Prepara la base de datos para esta versión.")
@json_option
def migrate(as_json: bool) -> None:
    """Prepara la base de datos para esta versión: aplica los cambios que le falten a sus tablas.

    Hace falta solo donde DATABASE_MIGRATION_URL nombra al dueño de las tablas; si no, cada programa lo hace al abrirla.
    """
    from rag_system.storage.opening import migrate_database

    applied = migrate_database(read_settings())
    for name in applied:
        print_row({"migration": name}, f"aplicada  {name}", as_json=as_json)
    if not (applied or as_json):
        click.echo("La base de datos está al día.")


@cli.command(short_help="Revisa la instalación y dice qué falta.")
@json_option
def doctor(as_json: bool) -> None:
    """Revisa la instalación y dice qué falta."""
    from assistant.doctor import examine
    from rag_system.outcome import error_fields

    findings = list(examine())
    for finding in findings:
        mark = "bien " if finding.ok else "FALLA"
        print_row(
            {"check": finding.check, "ok": finding.ok, "detail": finding.detail, **error_fields(finding)},
            f"[{mark}] {finding.check}: {finding.detail}",
            as_json=as_json,
        )
    if not all(finding.ok for finding in findings):
        raise SystemExit(1)


@cli.command(short_help="Copia todo lo que hay en un archivo.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="ARCHIVO")
@option(
    "--encrypt",
    "encrypted",
    is_flag=True,
    help=f"Cifra la copia con una frase, que se pregunta o se toma de {_PASSPHRASE}.",
)
@json_option
def backup(file: Path, encrypted: bool, as_json: bool) -> None:
    """Copia documentos, conversaciones, personas y ajustes de la base de datos en un archivo, sin detener nada.

    La copia es de un solo momento, aunque otros trabajen mientras tanto. Las claves de proveedores van selladas: para
    abrirlas después hace falta el archivo de LEGAJO_SEALING_KEY_FILE, que se guarda aparte.
    """
    from rag_system.storage.backup import back_up

    secret = _passphrase(again=True) if encrypted else ""
    _print_copy(back_up(read_settings(), file, secret=secret), f"Copia hecha en «{file}»", as_json=as_json)


@cli.command(short_help="Llena una base de datos vacía con una copia.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="ARCHIVO")
@json_option
def restore(file: Path, as_json: bool) -> None:
    """Llena una base de datos vacía con una copia de «legajo backup», y comprueba que no falte nada.

    Donde ya hay documentos o conversaciones no toca nada: indique otra carpeta en
    LEGAJO_HOME, u otra base en DATABASE_URL.
    """
    from rag_system.storage.backup import is_encrypted
    from rag_system.storage.backup import restore as fill

    secret = _passphrase() if is_encrypted(file) else ""
    _print_copy(fill(read_settings(), file, secret=secret), "Copia restaurada", as_json=as_json)


def _passphrase(*, again: bool = False) -> str:
    given = os.environ.get(_PASSPHRASE)
    if given is not None:
        return given
    asked = ("Frase de la copia", "Otra vez") if again else ("Frase de la copia",)
    typed = {str(click.prompt(ask, hide_input=True, err=True)) for ask in asked}
    if len(typed) > 1:
        raise InputError("Las dos frases no son iguales. Repita el comando y escriba la misma dos veces.")
    return typed.pop()


def _print_copy(manifest: Manifest, done: str, *, as_json: bool) -> None:
    rows = manifest.rows
    told = f"{rows['documents']} documentos, {rows['conversations']} conversaciones, {rows['projects']} proyectos"
    print_row(manifest, f"{done}: {told}; del {manifest.made_at}.", as_json=as_json)
