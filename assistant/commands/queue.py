"""Files on their way: the worker that attends to the queue, the queue itself, and an index made anew."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_assistant,
    opened_project,
    option,
    print_row,
    print_rows,
    project_option,
    read_settings,
)
from rag_system.errors import InputError
from rag_system.ingestion.text import clean_line

if TYPE_CHECKING:
    from assistant.summaries import IngestionSummary

__all__ = ["queue", "reindex", "worker"]

_STATES = {"queued": "en cola", "working": "en curso", "ready": "listo para el cambio", "failed": "no se pudo"}
_STAGES = {
    "read": "leyendo",
    "chunk": "dividiendo",
    "embed": "calculando",
    "publish": "publicando",
    "wait": "espera a que se publique otro",
}


@cli.command(short_help="Atiende la cola de archivos hasta Ctrl-C.")
def worker() -> None:
    """Incorpora los archivos que esperan en la cola, de todos los proyectos, hasta Ctrl-C.

    scripts/start ya inicia uno. Puede haber varios, en este equipo o en otros que usen la misma base de datos.
    """
    from rag_system.ingestion.jobs import WorkerThread
    from rag_system.telemetry.observing import observed, say

    with observed(read_settings()), opened_assistant() as assistant, WorkerThread(assistant.worker()) as working:
        say("Atendiendo la cola de archivos. Ctrl-C para terminar.")
        working.check(within_s=None)


@cli.command(short_help="Muestra la cola de archivos; cancela o reintenta.")
@option("--cancel", metavar="ID", help="Abandona un archivo: «all» son todos.")
@option("--retry", metavar="ID", help="Reintenta un archivo que falló: «all» son todos los que fallaron.")
@project_option
@json_option
def queue(cancel: str | None, retry: str | None, project: str, as_json: bool) -> None:
    """Muestra los archivos que esperan, los que se incorporan ahora y los que fallaron."""
    with opened_project(project) as assistant:
        rows = assistant.library.ingestions()
        for each in _chosen(rows, cancel):
            assistant.library.cancel(each)
        for each in _chosen(rows, retry, status="failed"):
            assistant.library.retry(each)
        if cancel or retry:
            rows = assistant.library.ingestions()
        waits = any(row.status in ("queued", "working") for row in rows) and not assistant.library.worker_is_alive()
    print_rows(rows, partial(_line, attended=not waits), none="No hay archivos en cola.", as_json=as_json)
    if waits:
        click.echo("Ahora nadie atiende la cola: continúa con «legajo worker», o al abrir el chat.", err=True)


@cli.command(short_help="Rehace el índice de un proyecto, sin dejar de responder.")
@project_option
@json_option
def reindex(project: str, as_json: bool) -> None:
    """Rehace el índice con el modelo de embeddings configurado, desde los archivos guardados.

    El índice anterior responde hasta que el nuevo está completo. Si se interrumpe, continúa donde quedó.
    """
    from assistant.ingesting import report_line, report_row
    from assistant.progress import progress_bar

    seen, failed = 0, 0
    with opened_project(project) as assistant, progress_bar() as on_progress:
        for report in assistant.library.reindex(on_progress=on_progress):
            seen, failed = seen + 1, failed + (report.status == "failed")
            print_row(report_row(report), report_line(report), as_json=as_json)
    if not seen:
        click.echo("El índice ya está al día.", err=True)
    if failed:
        raise InputError(
            f"Archivos que fallaron: {failed}. Lo que había de ellos sigue en uso: corríjalos o quítelos y repita."
        )


def _chosen(rows: list[IngestionSummary], wanted: str | None, *, status: str = "") -> list[str]:
    """Ids by their first characters, which must tell one from all others."""
    if not wanted:
        return []
    found = [
        row.ingestion_id
        for row in rows
        if (wanted == "all" or row.ingestion_id.startswith(wanted)) and (not status or row.status == status)
    ]
    if not found and wanted != "all":
        raise InputError(f"No hay ningún archivo «{wanted}» en la cola. «legajo queue» muestra cuáles hay.")
    if len(found) > 1 and wanted != "all":
        raise InputError(f"Hay {len(found)} archivos que comienzan con «{wanted}». Escriba más letras, o «all».")
    return found


def _line(row: IngestionSummary, *, attended: bool) -> str:
    from assistant.wording import duration, reason

    state = _STAGES.get(row.stage, _STATES[row.status])
    progress = f" {row.done}/{row.total}" if row.stage in ("embed", "publish") and row.total else ""
    left = f"  (falta {duration(row.remaining_s)})" if row.remaining_s is not None and attended else ""
    why = f"  ({reason(row.error, row.retry_at)})" if row.error else ""
    return f"{row.ingestion_id[:8]}  {state}{progress:<10}  {clean_line(row.path)}{left}{why}"
