"""What comes of answers: what people thought of them, what they took, and who did what in the project."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_accounts,
    opened_project,
    option,
    print_row,
    print_rows,
    project_option,
)
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.feedback import FeedbackEntry
    from assistant.metrics import DayMetrics
    from rag_system.storage.audit import AuditEntry

__all__ = ["audit", "feedback", "metrics"]

_LISTED = click.IntRange(1, 10_000)
_REASONS = {
    "wrong_passage": "pasaje equivocado",
    "incomplete": "incompleta",
    "outdated": "desactualizada",
    "invented": "inventada",
    "hard_to_read": "difícil de leer",
    "other": "otro",
}


@cli.group(short_help="Lista y exporta lo que se opina de las respuestas.")
def feedback() -> None:
    """Lo que se opina de las respuestas con los pulgares del chat.

    De un proyecto propio se ven las opiniones de todos; de uno ajeno, solo las suyas.
    """


@feedback.command("list", short_help="Lista las opiniones, de la más reciente a la más antigua.")
@option("--limit", type=_LISTED, default=50, metavar="N", help="Cuántas; si no se indica, 50.")
@project_option
@json_option
def list_(limit: int, project: str, as_json: bool) -> None:
    """Lista las opiniones: su identificador, cuándo, si gustó, la pregunta, los motivos y el comentario."""
    with opened_project(project) as assistant:
        found = assistant.feedback.all(limit=limit)
    none = "Todavía no hay opiniones: se dan con los pulgares que hay bajo cada respuesta del chat."
    print_rows(found, _opinion, none=none, as_json=as_json)


@feedback.command(short_help="Escribe todas las opiniones como tabla CSV o como JSON.")
@option("--output", type=click.Path(path_type=Path), metavar="ARCHIVO", help="Archivo; si no se indica, la pantalla.")
@project_option
@json_option
def export(output: Path | None, project: str, as_json: bool) -> None:
    """Escribe las opiniones de todos, con la pregunta y la respuesta, como tabla CSV para hojas de cálculo.

    Con --json, un objeto por línea. Solo para quien es dueño del proyecto, y queda anotado en «legajo audit».
    """
    from assistant.feedback import csv_text, feedback_fields

    with opened_project(project) as assistant:
        found = assistant.feedback.export()
    if as_json:
        written = "".join(f"{json.dumps(feedback_fields(each), ensure_ascii=False)}\n" for each in found)
    else:
        written = csv_text(found)
    if output is None:
        click.echo(written, nl=False)
        return
    try:  # the mark at the start tells spreadsheets that it is UTF-8
        output.write_text(written, encoding="utf-8" if as_json else "utf-8-sig", newline="")
    except OSError as error:
        raise InputError(f"No se pudo escribir «{output}»: {error.strerror}. Indique otro archivo.") from None
    click.echo(f"Opiniones escritas en «{output}»: {len(found)}.", err=True)


@feedback.command("to-question", short_help="Convierte una opinión en pregunta de evaluación.")
@click.argument("feedback_id", metavar="ID")
@option("--document", "documents", multiple=True, metavar="RUTA", help="Documento que responde; puede repetirse.")
@option("--phrase", default="", metavar="TEXTO", help="Frase que la respuesta debe tener.")
@option("--unanswerable", is_flag=True, help="Ningún documento responde: lo correcto es no responder.")
@project_option
def to_question(feedback_id: str, documents: tuple[str, ...], phrase: str, unanswerable: bool, project: str) -> None:
    """Convierte una opinión en una línea de las que lee «legajo evaluate --questions».

    De una respuesta que gustó se toman los documentos que citó y su primera cita. De
    una que no, indique --document o --unanswerable. El identificador es el de «legajo
    feedback list», o su comienzo.
    """
    from assistant.feedback import evaluation_line

    with opened_project(project, documents=documents) as assistant:
        entry = assistant.feedback.named(feedback_id)
    click.echo(evaluation_line(entry, documents=documents, phrase=phrase, unanswerable=unanswerable))


def _opinion(entry: FeedbackEntry) -> str:
    from rag_system.ingestion.text import clean_line

    reasons = ", ".join(_REASONS[each] for each in entry.reasons)
    said = clean_line(": ".join(filter(None, (reasons, entry.comment))))
    when, thumb = f"{entry.rated_at.astimezone():%Y-%m-%d %H:%M}", "sí" if entry.up else "no"
    line = f"{entry.feedback_id[:8]}  {when}  {thumb}  {clean_line(entry.question)}"
    return f"{line}\n          {said}" if said else line


# ---------------------------------------------------------------- what answers took


@cli.command(short_help="Muestra qué tardaron, costaron y citaron las respuestas.")
@option("--phases", is_flag=True, help="Muestra cada fase de la respuesta, en lugar de cada día.")
@project_option
@json_option
def metrics(phases: bool, project: str, as_json: bool) -> None:
    """Muestra, por día, cuántas respuestas hubo, qué tardaron, qué costaron y cuántas frases citan sus fuentes.

    Se guarda durante los días de LEGAJO_METRICS_DAYS, sin las preguntas ni quién las
    hizo; con 0 no se guarda nada. Los tiempos son la mediana y el percentil 95.
    """
    from assistant.tables import plain_table

    with opened_project(project) as assistant:
        days, kept = assistant.metrics.days(), assistant.settings.metrics_days
        taken = assistant.metrics.phases() if phases else []
    rows = taken if phases else days
    for row in rows:
        print_row(row, "", as_json=as_json)
    if as_json:
        return
    if not rows:
        off = "LEGAJO_METRICS_DAYS es 0: no se guarda nada." if not kept else "Todavía no hay respuestas que mostrar."
        click.echo(off, err=True)
    elif phases:
        table = [(each.phase, str(each.answers), _ms(each.p50_ms), _ms(each.p95_ms)) for each in taken]
        click.echo(plain_table(("fase", "respuestas", "ms p50", "ms p95"), table))
    else:
        click.echo(plain_table(_DAY_HEADERS, map(_day, days)))


_DAY_HEADERS = (
    *("día", "respuestas", "abstenciones", "incompletas", "fallidas", "frases\ncitadas", "frases\nmarcadas"),
    *("1.ª palabra\nms p50", "1.ª palabra\nms p95", "total\nms p50", "total\nms p95"),
    *("tokens\nleídos", "tokens\nescritos", "US$", "candidatos", "pasajes"),
)


def _day(day: DayMetrics) -> tuple[str, ...]:
    counts = (day.answers, day.abstained, day.incomplete, day.failed, day.cited, day.marked)
    times = (day.first_token_p50_ms, day.first_token_p95_ms, day.total_p50_ms, day.total_p95_ms)
    tokens = ("" if each is None else str(each) for each in (day.tokens_in, day.tokens_out))
    cost = "" if day.cost_usd is None else f"{day.cost_usd:.4f}"
    means = (f"{day.merged:.0f}", f"{day.returned:.1f}")
    return (day.day.isoformat(), *map(str, counts), *map(_ms, times), *tokens, cost, *means)


def _ms(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.1f}"


# ---------------------------------------------------------------- who did what


@cli.command(short_help="Muestra quién hizo qué en un proyecto.")
@option("--limit", type=_LISTED, default=100, metavar="N", help="Cuántas líneas; si no se indica, 100.")
@option("--people", is_flag=True, help="Muestra, en lugar de un proyecto, qué se hizo con las cuentas.")
@project_option
@json_option
def audit(limit: int, people: bool, project: str, as_json: bool) -> None:
    """Muestra quién agregó, quitó, compartió o exportó qué, de lo más reciente a lo más antiguo.

    Solo para quien es dueño del proyecto; con --people, para quien administra las
    cuentas. Nadie puede cambiarlo ni borrarlo.
    """
    with opened_accounts() if people else opened_project(project) as kept:
        found = kept.audit(limit=limit)
    print_rows(found, _noted, none="Todavía no hay nada anotado.", as_json=as_json)


def _noted(entry: AuditEntry) -> str:
    from rag_system.ingestion.text import clean_line

    when, who = f"{entry.done_at.astimezone():%Y-%m-%d %H:%M:%S}", clean_line(entry.person) or "(tarea)"
    return f"{when}  {who}  {entry.action:<20}  {clean_line(entry.object)}"
