"""A project's documents: taking them in and listing them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from assistant.commands.group import cli, json_option, opened_project, option, print_row, project_option

if TYPE_CHECKING:
    from assistant.watching import Removed
    from rag_system.ingestion.report import IngestReport

__all__ = ["documents", "ingest"]


@cli.command(short_help="Incorpora archivos, carpetas o direcciones web.")
@click.argument("sources", nargs=-1, required=True, metavar="RUTA...")
@project_option
@option("--watch", is_flag=True, help="Sigue después los cambios de las carpetas, hasta Ctrl-C.")
@option("--replace", "replaces", is_flag=True, help="Reemplaza los documentos de igual nombre y otra carpeta.")
@option("--password-stdin", is_flag=True, help="Lee de la entrada la contraseña de los PDF protegidos.")
@json_option
def ingest(
    sources: tuple[str, ...], project: str, watch: bool, replaces: bool, password_stdin: bool, as_json: bool
) -> None:
    """Incorpora archivos, carpetas enteras o direcciones web (https://…). Lo que no ha cambiado no se repite.

    Un archivo que cambió sustituye a su documento («actualizado»). Otro del mismo nombre, de otra carpeta, no: se
    conservan ambos («contrato (2).pdf»), salvo con --replace.

    De un ZIP y de un correo (EML, MSG) se incorpora lo que traen, con rutas debajo de la suya.

    La contraseña de un PDF protegido se pide una vez y no se guarda; el documento se guarda sin ella.

    De una carpeta se omite lo oculto, cuyo nombre empieza con un punto, salvo que se indique por su nombre.

    Con --watch, además, incorpora lo que llega a las carpetas y quita los documentos cuyo archivo desaparece de ellas.
    """
    from assistant.ingesting import Passwords, check_sources, follow, hidden_line, report_line, report_row, take_in
    from assistant.progress import progress_bar

    def show(report: Any) -> None:
        print_row(report_row(report), report_line(report), as_json=as_json)

    check_sources(sources)
    if omitted := hidden_line(sources):
        click.echo(omitted, err=True)
    if watch:
        if replaces or password_stdin:
            raise click.UsageError("--replace y --password-stdin no se usan con --watch.")
        with opened_project(project, makes=True) as assistant:
            follow(assistant, sources, show=show, tell=partial(click.echo, err=True))
        return
    seen = failed = 0
    known = [sys.stdin.readline().rstrip("\r\n")] if password_stdin else []
    with opened_project(project, makes=True) as assistant, progress_bar() as bar:

        def ask(sentence: str) -> str:
            with bar.aside():
                return str(click.prompt(sentence, default="", show_default=False, hide_input=True, err=True))

        passwords = Passwords(known=known, ask=ask if sys.stdin.isatty() and not password_stdin else None)
        for report in take_in(assistant, sources, replaces=replaces, password_of=passwords, on_progress=bar):
            seen += 1
            failed += report.status == "failed"
            show(report)
    if not seen:
        click.echo("Ahí no hay archivos que incorporar.", err=True)
    if failed:
        raise SystemExit(1)


@cli.command(short_help="Lista los documentos de un proyecto; los quita, copia o mueve.")
@option(
    "--remove", multiple=True, metavar="RUTA", help="Quita el documento que se lista con esa ruta; puede repetirse."
)
@option("--copy", "copied", multiple=True, metavar="RUTA", help="Lo copia al proyecto de --to; puede repetirse.")
@option("--move", "moved", multiple=True, metavar="RUTA", help="Lo mueve al proyecto de --to; puede repetirse.")
@option("--to", default="", metavar="PROYECTO", help="El proyecto, que debe existir, al que se copia o mueve.")
@option("--replace", "replaces", is_flag=True, help="Sustituye ahí los documentos que tengan la misma ruta.")
@project_option
@json_option
def documents(
    remove: tuple[str, ...],
    copied: tuple[str, ...],
    moved: tuple[str, ...],
    to: str,
    replaces: bool,
    project: str,
    as_json: bool,
) -> None:
    """Lista los documentos de un proyecto: páginas, fragmentos, ruta y título, y lo que convenga saber de cada uno.

    Con --remove, quita documentos del proyecto, y con un ZIP o un correo lo que vino en él, y no lista los demás; los
    archivos de los que vienen no se tocan. Con
    --copy y --move los pasa a otro proyecto, que los tiene enseguida: no se vuelven a leer.
    """
    from assistant.ingesting import copy_documents, remove_documents, report_line, report_row
    from assistant.listing import HEADER, document_lines

    with opened_project(project) as assistant:
        passed = copy_documents(assistant, copied=copied, moved=moved, to=to, replaces=replaces)
        reports: Iterator[IngestReport | Removed] = chain(remove_documents(assistant, remove), passed)
        failed = 0
        for report in reports:
            failed += report.status == "failed"
            print_row(report_row(report), report_line(report), as_json=as_json)
        if failed:
            raise SystemExit(1)
        if remove or to:
            return
        found = assistant.library.all()
    if found and not as_json:
        click.echo(HEADER, err=True)
    for document in found:
        row = {
            "path": document.path,
            "document": document.file_name,
            "title": document.title,
            "format": document.format,
            "category": document.category,
            "pages": document.pages,
            "chunks": document.chunks,
            "status": document.status,
            "identifiers": list(document.identifiers),
            "size_bytes": document.size_bytes,
            "document_id": document.document_id,
            "updated_at": document.updated_at,
        }
        print_row(row, document_lines(document), as_json=as_json)
    if not found and not as_json:
        click.echo("Todavía no hay documentos. Use «legajo ingest CARPETA».", err=True)
