"""Legajo as a server: the chat, and for other programs."""

from __future__ import annotations

import secrets
from importlib import import_module

import click

from assistant.commands.group import cli, meant_project, opened_person, option, project_option
from rag_system.errors import ConfigurationError

__all__ = ["mcp", "serve"]


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
