"""Tokens by which programs act for the person at the computer, or for who `--as` names."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import click

from assistant.commands.group import cli, json_option, opened_person, option, print_row

if TYPE_CHECKING:
    from assistant.tokens import Token, TokenScope

__all__ = ["tokens"]

_SCOPES = ("search", "ask", "upload", "metrics")
_DAYS = 90
_LONGEST_DAYS = 366


@cli.group(short_help="Crea y retira los tokens con que entran otros programas.")
def tokens() -> None:
    """Los tokens con que otros programas preguntan por HTTP en su nombre (docs/how-to/api.md)."""


@tokens.command("list", short_help="Muestra los tokens.")
@json_option
def list_(as_json: bool) -> None:
    """Muestra los tokens, para qué sirven, hasta cuándo y cuándo se usaron; nunca el secreto."""
    with opened_person() as person:
        for token in person.tokens.all():
            print_row(token, _line(token), as_json=as_json)


@tokens.command(short_help="Crea un token y lo escribe, esta única vez.")
@click.argument("name", metavar="NOMBRE")
@option(
    "--scope",
    "scopes",
    type=click.Choice(_SCOPES),
    multiple=True,
    metavar="USO",
    help="Para qué sirve: search, ask, upload o metrics; puede repetirse. Si no se indica, search y ask.",
)
@option("--project", metavar="PROYECTO", help="El único proyecto que abre; si no se indica, todos los de la persona.")
@option(
    "--days",
    type=click.IntRange(1, _LONGEST_DAYS),
    default=_DAYS,
    metavar="N",
    help=f"Cuántos días vale ({_DAYS}).",
)
@json_option
def add(name: str, scopes: tuple[str, ...], project: str | None, days: int, as_json: bool) -> None:
    """Crea un token para un programa y lo escribe. No vuelve a mostrarse: guárdelo donde nadie más lo lea."""
    with opened_person() as person:
        if project is not None:
            person.project(project)  # a name that was mistyped is told
        chosen = cast("tuple[TokenScope, ...]", scopes) or ("search", "ask")
        secret, token = person.tokens.add(name, scopes=chosen, days=days, project=project)
    print_row({"token": secret, **asdict(token)}, secret, as_json=as_json)


@tokens.command(short_help="Retira un token: quien lo usa deja de entrar.")
@click.argument("token", metavar="TOKEN")
def withdraw(token: str) -> None:
    """Retira el token que empieza así en «legajo tokens list»: quien lo usa deja de entrar."""
    with opened_person() as person:
        person.tokens.withdraw(token)


def _line(token: Token) -> str:
    where = token.project or "todos los proyectos"
    used = f"usado el {token.last_used_at.astimezone():%d/%m/%Y %H:%M}" if token.last_used_at else "sin usar"
    until = f"hasta el {token.expires_at.astimezone():%d/%m/%Y}"
    return f"{token.token_id[:8]}  {token.name} · {', '.join(token.scopes)} · {where} · {until} · {used}"
