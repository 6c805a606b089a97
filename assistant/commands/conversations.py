"""A project's conversations: listed, read, found, named, kept, taken along and shown to others."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_project,
    option,
    print_row,
    print_rows,
    project_option,
    together,
)
from rag_system.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from assistant.conversation_search import ConversationHit
    from assistant.conversations import ConversationSummary
    from assistant.exporting import Format

__all__ = ["conversations"]

_FORMATS = ("md", "docx", "json")
_LISTED = click.IntRange(1, 10_000)
conversation_argument = click.argument("conversation", metavar="ID")
of_a_conversation = together(conversation_argument, project_option, json_option)


@cli.group(short_help="Lista, muestra, busca, exporta y comparte las conversaciones.")
def conversations() -> None:
    """Las conversaciones de un proyecto, del chat y de «legajo ask».

    Una conversación se indica con el comienzo de su identificador, de al menos cuatro
    letras, como lo muestra «legajo conversations list».
    """


@conversations.command("list", short_help="Lista las conversaciones, de la más reciente a la más antigua.")
@option("--deleted", is_flag=True, help="Lista las eliminadas que se pueden restaurar.")
@option("--archived", is_flag=True, help="Lista las archivadas.")
@option("--limit", type=_LISTED, default=50, metavar="N", help="Cuántas; si no se indica, 50.")
@project_option
@json_option
def list_(deleted: bool, archived: bool, limit: int, project: str, as_json: bool) -> None:
    """Lista las conversaciones: primero las fijadas y después las demás, de la más reciente a la más antigua."""
    with opened_project(project) as assistant:
        found = assistant.conversations.recent(limit=limit, deleted=deleted, archived=archived)
    print_rows(found, _line, none="No hay ninguna conversación.", as_json=as_json)


@conversations.command(short_help="Muestra una conversación con sus citas.")
@of_a_conversation
def show(conversation: str, project: str, as_json: bool) -> None:
    """Muestra una conversación entera, con las fuentes de cada respuesta. Con --json, un mensaje por línea."""
    from assistant.exporting import conversation_fields, conversation_text

    with opened_project(project) as assistant:
        summary = assistant.conversations.named(conversation)
        turns = assistant.turns(summary.conversation_id)
    if as_json:
        for message in cast("list[dict[str, Any]]", conversation_fields(turns, title=summary.title)["messages"]):
            print_row(message, "", as_json=True)
    else:
        click.echo(conversation_text(turns, title=summary.title), nl=False)


@conversations.command(short_help="Busca en lo que se dijo.")
@click.argument("words", metavar="PALABRAS")
@option("--limit", type=_LISTED, default=20, metavar="N", help="Cuántas conversaciones; si no se indica, 20.")
@project_option
@json_option
def search(words: str, limit: int, project: str, as_json: bool) -> None:
    """Busca en los títulos, las preguntas y las respuestas, sin distinguir tildes ni singular de plural.

    Encuentra las conversaciones que tienen todas las palabras, con la frase que tiene más de ellas.
    """
    with opened_project(project) as assistant:
        hits = assistant.conversations.search(words, limit=limit)
    print_rows(hits, _found, none=f"Ninguna conversación dice «{words}».", as_json=as_json)


@conversations.command(short_help="Cambia el nombre de una conversación.")
@conversation_argument
@click.argument("title", metavar="NOMBRE")
@project_option
@json_option
def rename(conversation: str, title: str, project: str, as_json: bool) -> None:
    """Cambia el nombre de una conversación, que al principio es el asunto de su primera pregunta."""
    _change("rename", conversation, project, title, as_json=as_json)


@conversations.command(short_help="Fija una conversación al comienzo de la lista.")
@of_a_conversation
def pin(conversation: str, project: str, as_json: bool) -> None:
    """Fija una conversación al comienzo de la lista."""
    _change("pin", conversation, project, as_json=as_json, pinned=True)


@conversations.command(short_help="Deja de fijar una conversación.")
@of_a_conversation
def unpin(conversation: str, project: str, as_json: bool) -> None:
    """Deja de fijar una conversación: vuelve a su lugar en la lista."""
    _change("pin", conversation, project, as_json=as_json, pinned=False)


@conversations.command(short_help="Archiva una conversación: sale de la lista, y se encuentra igual.")
@of_a_conversation
def archive(conversation: str, project: str, as_json: bool) -> None:
    """Archiva una conversación: se lista con «list --archived» hasta que se pregunte algo en ella, y se busca igual."""
    _change("archive", conversation, project, as_json=as_json, archived=True)


@conversations.command(short_help="Devuelve a la lista una conversación archivada.")
@of_a_conversation
def unarchive(conversation: str, project: str, as_json: bool) -> None:
    """Devuelve a la lista una conversación archivada."""
    _change("archive", conversation, project, as_json=as_json, archived=False)


@conversations.command(short_help="Pone una conversación en una carpeta.")
@conversation_argument
@click.argument("folder", metavar="CARPETA")
@project_option
@json_option
def move(conversation: str, folder: str, project: str, as_json: bool) -> None:
    """Pone una conversación en una carpeta, que se crea si no existe. Con «""», la saca de la suya."""
    with opened_project(project) as assistant:
        found = assistant.conversations.named(conversation)
        assistant.folders.move(found.conversation_id, folder)
        found = assistant.conversations.named(found.conversation_id)
    print_row(found, _line(found), as_json=as_json)


@conversations.command(short_help="Elimina una conversación; se puede restaurar.")
@conversation_argument
@option("--forever", is_flag=True, help="La elimina para siempre.")
@project_option
@json_option
def delete(conversation: str, forever: bool, project: str, as_json: bool) -> None:
    """Elimina una conversación. Durante 30 días se puede restaurar con «legajo conversations restore»."""
    _change("forget" if forever else "delete", conversation, project, as_json=as_json)


@conversations.command(short_help="Restaura una conversación eliminada.")
@of_a_conversation
def restore(conversation: str, project: str, as_json: bool) -> None:
    """Restaura una conversación que se eliminó hace menos de 30 días; «list --deleted» las muestra."""
    _change("restore", conversation, project, as_json=as_json)


@conversations.command(short_help="Exporta una conversación a Markdown, Word o JSON.")
@conversation_argument
@option(
    "--format",
    "wanted",
    type=click.Choice(_FORMATS),
    metavar="FORMATO",
    help="md, docx o json; si no se indica, el del nombre del archivo, o md.",
)
@option("--output", type=click.Path(path_type=Path), metavar="ARCHIVO", help="En lugar de la salida estándar.")
@project_option
def export(conversation: str, wanted: str | None, output: Path | None, project: str) -> None:
    """Exporta una conversación con sus citas y sus páginas."""
    named = output.suffix[1:].lower() if output else ""
    kind = cast("Format", wanted or (named if named in _FORMATS else "md"))
    if kind == "docx" and output is None and sys.stdout.isatty():
        raise InputError("Un documento de Word no se muestra en la terminal: indique un archivo con --output.")
    with opened_project(project) as assistant:
        content = assistant.export_conversation(conversation, format=kind)
    if output is None:
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise InputError(f"No se pudo escribir «{output}»: {error.strerror}. Indique otro archivo.") from error


@conversations.command(short_help="Guarda una conversación como documento del proyecto.")
@of_a_conversation
def save(conversation: str, project: str, as_json: bool) -> None:
    """Guarda una conversación como documento, que se busca y se cita como cualquier otro. Otra vez, lo sustituye."""
    from assistant.ingesting import report_line, report_row
    from rag_system.ingestion.report import IngestReport

    with opened_project(project) as assistant:
        accepted = assistant.save_conversation(assistant.conversations.named(conversation).conversation_id)
        reports = [accepted] if isinstance(accepted, IngestReport) else list(assistant.library.see_through(accepted))
    for report in reports:
        print_row(report_row(report), report_line(report), as_json=as_json)
    if any(report.status == "failed" for report in reports):
        raise SystemExit(1)


@conversations.command(short_help="Comparte una conversación con un enlace de solo lectura.")
@of_a_conversation
def share(conversation: str, project: str, as_json: bool) -> None:
    """Escribe el final del enlace que muestra la conversación como está ahora, a quien pueda abrir el chat.

    Va detrás de la dirección del chat. No se puede mostrar otra vez: de él se guarda solo un resumen. Compartida de
    nuevo, la conversación recibe otro enlace, y el anterior deja de mostrarla.
    """
    with opened_project(project) as assistant:
        summary = assistant.conversations.named(conversation)
        link = f"/compartido?e={assistant.conversations.share(summary.conversation_id)}"
    print_row({"conversation_id": summary.conversation_id, "link": link}, link, as_json=as_json)


@conversations.command(short_help="Deja de compartir una conversación.")
@of_a_conversation
def unshare(conversation: str, project: str, as_json: bool) -> None:
    """Revoca el enlace de una conversación: desde ahora no la muestra a nadie."""
    _change("unshare", conversation, project, as_json=as_json)


def _change(method: str, beginning: str, project: str, *values: str, as_json: bool, **flags: bool) -> None:
    """Change a conversation, and show its line as it is then, or as it was where nothing is left of it."""
    with opened_project(project) as assistant:
        found = assistant.conversations.named(beginning, deleted=method in ("restore", "forget"))
        getattr(assistant.conversations, method)(found.conversation_id, *values, **flags)
        if method != "forget":
            found = assistant.conversations.named(found.conversation_id, deleted=True)
    print_row(found, _line(found), as_json=as_json)


def _found(hit: ConversationHit) -> str:
    said = f"\n          {hit.excerpt}" if hit.excerpt else ""
    return f"{hit.conversation_id[:8]}  {_when(hit.said_at)}  {hit.title}{said}"


def _line(summary: ConversationSummary) -> str:
    known = {
        "fijada": summary.pinned,
        "archivada": summary.archived,
        f"en «{summary.folder}»": bool(summary.folder),
        "compartida": summary.shared,
        "eliminada": summary.deleted_at is not None,
    }
    marks = ", ".join(name for name, holds in known.items() if holds)
    told = f"  ({marks})" if marks else ""
    return f"{summary.conversation_id[:8]}  {_when(summary.updated_at)}  {summary.title}{told}"


def _when(moment: datetime) -> str:
    """In the time of this computer."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
