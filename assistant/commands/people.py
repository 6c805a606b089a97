"""Who may enter the chat, and what they may do: for who administers this machine, who needs no account for it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import click

from assistant.commands.group import cli, json_option, opened_accounts, option, print_row, read_settings
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.accounts import Account

__all__ = ["ROLES", "people"]

ROLES = {"owner": "propietario", "editor": "editor", "reader": "lector"}
_NONE = "none"

person_argument = click.argument("person", metavar="NOMBRE")
admin_option = option("--admin", is_flag=True, help="Administra las cuentas de todos.")


@cli.group(short_help="Muestra y cambia quién puede entrar al chat, y a qué proyectos.")
def people() -> None:
    """Quién puede entrar al chat, y a qué proyectos. Hace falta con LEGAJO_ACCOUNTS=password u oidc."""


@people.command("list", short_help="Muestra las cuentas.")
@json_option
def list_(as_json: bool) -> None:
    """Muestra las cuentas, con sus sesiones abiertas y lo que puede hacer cada una en cada proyecto."""
    with opened_accounts() as accounts:
        for account in accounts.people():
            row = {**asdict(account), "invited_until": account.invited_until or ""}
            print_row(row, _line(account), as_json=as_json)


@people.command(short_help="Crea una cuenta y escribe la invitación para elegir su contraseña.")
@person_argument
@admin_option
@json_option
def invite(person: str, admin: bool, as_json: bool) -> None:
    """Crea una cuenta y escribe el enlace con que esa persona elige su contraseña. Vale siete días y una vez."""
    with opened_accounts() as accounts:
        _tell_invitation(person, accounts.invite(person, administrator=admin), as_json=as_json)


@people.command(short_help="Crea una cuenta con la contraseña que se escriba.")
@person_argument
@admin_option
@json_option
def add(person: str, admin: bool, as_json: bool) -> None:
    """Crea una cuenta con la contraseña que se pregunta, o que llega en la entrada estándar.

    Con LEGAJO_ACCOUNTS=oidc no se pregunta ninguna: el nombre es el correo con que esa persona entra.
    """
    password = None if read_settings().accounts == "oidc" else _typed_password()
    with opened_accounts() as accounts:
        name = accounts.add(person, password, administrator=admin)
    print_row({"person": name}, f"«{name}» puede entrar.", as_json=as_json)


@people.command(short_help="Quita la contraseña de alguien y escribe la invitación para elegir otra.")
@person_argument
@json_option
def reset(person: str, as_json: bool) -> None:
    """Quita la contraseña de alguien, termina sus sesiones y escribe el enlace para elegir otra."""
    with opened_accounts() as accounts:
        _tell_invitation(person, accounts.reset(person), as_json=as_json)


@people.command("end-sessions", short_help="Termina las sesiones de alguien.")
@person_argument
@json_option
def end_sessions(person: str, as_json: bool) -> None:
    """Termina todas las sesiones de alguien; para seguir, debe entrar de nuevo."""
    with opened_accounts() as accounts:
        ended = accounts.end_sessions(person)
    print_row({"person": person, "ended": ended}, f"Sesiones terminadas: {ended}", as_json=as_json)


@people.command(short_help="Borra una cuenta con todo lo suyo.")
@person_argument
@json_option
def remove(person: str, as_json: bool) -> None:
    """Borra una cuenta con sus conversaciones, sesiones y permisos. Los proyectos y sus documentos quedan."""
    with opened_accounts() as accounts:
        accounts.remove(person)
    print_row({"person": person, "removed": True}, f"Se borró la cuenta «{person}» con todo lo suyo.", as_json=as_json)


@people.command(short_help="Escribe todo lo que se sabe de alguien, en JSON.")
@person_argument
def export(person: str) -> None:
    """Escribe en JSON todo lo que se sabe de alguien: su cuenta, sus sesiones, sus permisos y sus conversaciones."""
    with opened_accounts() as accounts:
        known = accounts.export(person)
    click.echo(json.dumps(known, ensure_ascii=False, indent=2))


@people.command(short_help="Cambia lo que alguien puede hacer en un proyecto.")
@person_argument
@click.argument("project", metavar="PROYECTO")
@click.argument("role", type=click.Choice([*ROLES, _NONE]), metavar="ROL")
@json_option
def role(person: str, project: str, role: Any, as_json: bool) -> None:
    """Cambia lo que alguien puede hacer en un proyecto.

    El ROL es owner (ajustes, personas y documentos), editor (documentos), reader (preguntar) o none (nada).
    """
    with opened_accounts() as accounts:
        accounts.give_role(person, project, None if role == _NONE else role)
    said = f"{person} ya no usa «{project}»." if role == _NONE else f"{person} es {ROLES[role]} de «{project}»."
    print_row({"person": person, "project": project, "role": role}, said, as_json=as_json)


def _typed_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first, again = (click.prompt(ask, hide_input=True, err=True) for ask in ("Contraseña", "Otra vez"))
    if first != again:
        raise InputError("Las dos contraseñas no son iguales. Vuelva a intentar.")
    return str(first)


def _tell_invitation(person: str, secret: str, *, as_json: bool) -> None:
    path = f"/invitacion?{urlencode({'clave': secret})}"
    said = f"Dé a «{person}» la dirección del chat seguida de esto, que vale siete días y una vez:\n{path}"
    print_row({"person": person, "path": path}, said, as_json=as_json)


def _line(account: Account) -> str:
    kind = " · administra" if account.is_administrator else ""
    waits = " · invitación sin usar" if account.invited_until else ""
    roles = ", ".join(f"{project}: {ROLES[role]}" for project, role in account.roles.items())
    return f"{account.person}{kind}{waits} · sesiones: {account.sessions} · {roles or 'ningún proyecto'}"
