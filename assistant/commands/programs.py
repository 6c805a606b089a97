"""Legajo as a server: the chat, and for other programs."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import click

from assistant.commands.group import (
    cli,
    json_option,
    meant_project,
    opened_person,
    option,
    print_row,
    project_option,
)
from rag_system.errors import ConfigurationError, InputError

__all__ = ["load", "mcp", "serve"]

_ASKERS = (50, 200, 500)


@cli.command(short_help="Abre el chat.", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def serve(options: tuple[str, ...]) -> None:
    """Abre el chat, como scripts/start, sin preparar nada antes."""
    import_module("launcher.start").main("legajo serve", options)  # it starts what stands above this package


@cli.command(short_help="Atiende a programas que hablan MCP.")
@project_option
@option(
    "--port",
    type=click.IntRange(1024, 65535),
    metavar="N",
    help="Atiende por HTTP en ese puerto de este equipo, con un token; si no se indica, por la entrada estándar.",
)
def mcp(project: str, port: int | None) -> None:
    """Ofrece buscar, preguntar, listar y leer documentos a programas que hablan MCP (Model Context Protocol).

    Sin --port lo inicia el propio programa, por ejemplo con
    {"command": "legajo", "args": ["mcp", "--project", "general"]}.
    """
    try:
        from assistant.mcp_server import behind_token, build_server
    except ModuleNotFoundError as error:
        told = "«legajo mcp» necesita el paquete mcp. Instálelo con «scripts/setup --with mcp»."
        raise ConfigurationError(told) from error
    with opened_person() as person:
        server = build_server(person, meant_project(person, project).project)
        if port is None:
            server.run("stdio")
            return
        token = secrets.token_urlsafe(24)
        click.echo(f"http://127.0.0.1:{port}/mcp\nAuthorization: Bearer {token}", err=True)
        import uvicorn

        app = behind_token(server.streamable_http_app(host="127.0.0.1"), token)
        uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False, server_header=False)


@cli.command(short_help="Mide cómo responde el chat cuando preguntan muchos a la vez.")
@option(
    "--address",
    "addresses",
    multiple=True,
    required=True,
    metavar="URL",
    help="Dónde atiende Legajo, como http://127.0.0.1:8501; obligatorio, y puede repetirse.",
)
@option(
    "--tokens",
    type=click.Path(path_type=Path),
    required=True,
    metavar="ARCHIVO",
    help="Archivo con un token por línea («legajo tokens add»), uno de cada persona que pregunta; obligatorio.",
)
@option(
    "--questions",
    type=click.Path(path_type=Path),
    required=True,
    metavar="ARCHIVO",
    help="Archivo con una pregunta por línea, como objeto JSON; obligatorio.",
)
@option(
    "--askers",
    type=click.IntRange(1, 10_000),
    multiple=True,
    default=_ASKERS,
    metavar="N",
    help="Cuántos preguntan a la vez (50, 200 y 500); puede repetirse.",
)
@option("--each", type=click.IntRange(1, 1000), default=5, metavar="N", help="Cuántas preguntas hace cada uno (5).")
@option("--search", "only_search", is_flag=True, help="Solo busca pasajes, sin redactar respuestas.")
@project_option
@json_option
def load(
    addresses: tuple[str, ...],
    tokens: Path,
    questions: Path,
    askers: tuple[int, ...],
    each: int,
    only_search: bool,
    project: str,
    as_json: bool,
) -> None:
    """Pregunta por HTTP como lo harían muchas personas a la vez, y dice cuánto tardaron las respuestas.

    Cada token puede hacer LEGAJO_API_PER_MINUTE consultas en un minuto: para medir, súbalo donde atiende Legajo.
    """
    from assistant.progress import status_line
    from assistant.questions import read_questions

    driver = import_module("api.load")  # it stands above this package, as what it drives
    try:
        kept = [line.strip() for line in tokens.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError):
        kept = []
    asked = [row.question for row in read_questions(questions)]
    if not kept or not asked:
        raise InputError(f"«{questions if kept else tokens}» no tiene ninguna línea que sirva. Revise el archivo.")
    plan = driver.Load(
        addresses=addresses,
        tokens=kept,
        project=project,
        questions=asked,
        each=each,
        what="search" if only_search else "ask",
    )
    measures = []

    async def drive() -> None:
        with status_line() as tell:
            async for measure in driver.driven(plan, askers, tell):
                measures.append(measure)
                print_row({**asdict(measure), "per_second": measure.per_second}, "", as_json=as_json)

    try:
        asyncio.run(drive())
    finally:  # where nobody is answered any more, what was measured before is told all the same
        if measures and not as_json:
            click.echo(driver.table(measures))
    if not as_json and (failures := [each.failure for each in measures if each.failed]):
        click.echo(f"El primer fallo: {failures[0]}", err=True)
