"""The commands of `legajo`. Data goes to standard output, everything else to standard error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assistant.usage import SpanishGroup, SpanishOption
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.assistant import Assistant
    from assistant.questions import AskedQuestion
    from rag_system.settings import ProviderName, Settings

__all__ = ["PROVIDERS", "cli", "json_option", "option", "project_option"]

PROVIDERS = ("extractive", "google", "groq", "openrouter", "local")

option = partial(click.option, cls=SpanishOption)
project_option = option(
    "--project", default="general", metavar="PROYECTO", help="Proyecto; si no se indica, «general»."
)
json_option = option("--json", "as_json", is_flag=True, help="Escribe un objeto JSON por línea, para programas.")
recipe_option = option(
    "--recipe",
    default="",
    metavar="RECETA",
    help="Receta de búsqueda; si no se indica, la del proyecto, y si no tiene, LEGAJO_RECIPE.",
)
explain_option = option(
    "--explain",
    "explained",
    is_flag=True,
    help="Muestra cómo se leyó la pregunta, por qué se eligió cada pasaje y qué se descartó.",
)
concept_option = option(
    "--concept",
    default="",
    metavar="CONCEPTO",
    help="Busca solo en lo que trata de ese concepto del proyecto, o de uno que esté dentro de él.",
)
question_argument = click.argument("question", required=False, metavar="[PREGUNTA]")
questions_option = option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de PREGUNTA: un archivo con un objeto JSON por línea, con «question».",
)


@click.group(
    cls=SpanishGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="«legajo COMANDO --help» explica cada comando.",
)
@click.version_option(
    package_name="legajo", message="legajo %(version)s", cls=SpanishOption, help="Muestra la versión."
)
def cli() -> None:
    """Responde preguntas en español a partir de sus propios documentos."""


# ---------------------------------------------------------------- documents


@cli.command(short_help="Incorpora archivos, carpetas o direcciones web.")
@click.argument("sources", nargs=-1, required=True, metavar="RUTA...")
@project_option
@option("--watch", is_flag=True, help="Sigue después los cambios de las carpetas, hasta Ctrl-C.")
@json_option
def ingest(sources: tuple[str, ...], project: str, watch: bool, as_json: bool) -> None:
    """Incorpora archivos, carpetas enteras o direcciones web (https://…). Lo que no ha cambiado no se repite.

    Con --watch, además, incorpora lo que llega a las carpetas y quita los documentos cuyo archivo desaparece de ellas.
    """
    from assistant.ingesting import follow, report_line, report_row, take_in
    from assistant.progress import progress_bar

    def show(report: Any) -> None:
        row = report_row(report)
        _print(row, report_line(row), as_json=as_json)

    if watch:
        with _assistant() as assistant:
            follow(assistant, sources, project=project, show=show, tell=partial(click.echo, err=True))
        return
    failed = 0
    with _assistant() as assistant, progress_bar() as on_progress:
        for report in take_in(assistant, sources, project=project, on_progress=on_progress):
            failed += report.status == "failed"
            show(report)
    if failed:
        raise SystemExit(1)


@cli.command(short_help="Lista los documentos de un proyecto.")
@project_option
@json_option
def documents(project: str, as_json: bool) -> None:
    """Lista los documentos de un proyecto."""
    with _assistant(project) as assistant:
        found = assistant.documents(project=project)
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
            "updated_at": document.updated_at.isoformat(),
        }
        _print(row, f"{document.path}  {document.title}", as_json=as_json)
    if not found and not as_json:
        click.echo("Todavía no hay documentos. Use «legajo ingest CARPETA».", err=True)


# ---------------------------------------------------------------- questions


@cli.command(short_help="Muestra cómo se entiende una pregunta.")
@question_argument
@questions_option
@json_option
def analyze(question: str | None, questions: Path | None, as_json: bool) -> None:
    """Muestra cómo se entiende una pregunta. No usa la base de datos."""
    from assistant.rendering import plan_fields, show_plan
    from rag_system.query.plan import analyze as understand

    settings = _settings()
    for asked in _asked(question, questions):
        plan = understand(
            asked.question,
            asked.history,
            min_chars=settings.min_question_chars,
            max_chars=settings.max_question_chars,
            history_messages=settings.history_messages,
        )
        _print(plan_fields(asked.id, plan), show_plan(plan), as_json=as_json)


@cli.command(short_help="Busca pasajes, sin redactar una respuesta.")
@question_argument
@questions_option
@project_option
@recipe_option
@option(
    "--top-k",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Cantidad de pasajes, de 1 a 20; si no se indica, LEGAJO_TOP_K.",
)
@concept_option
@explain_option
@json_option
def search(
    question: str | None,
    questions: Path | None,
    project: str,
    recipe: str,
    top_k: int | None,
    concept: str,
    explained: bool,
    as_json: bool,
) -> None:
    """Busca pasajes, sin redactar una respuesta."""
    from assistant.explaining import explain
    from assistant.rendering import plan_fields, search_fields, show_results
    from rag_system.pipeline import Scope

    scope = Scope(project=project, recipe=_known(recipe), top_k=top_k, concept=concept)
    with _assistant(project, concept) as assistant:
        for asked in _asked(question, questions):
            plan, found = assistant.pipeline.search(asked.question, asked.history, scope=scope)
            _tell(plan.notices)
            text = show_results(found)
            if explained:
                found = replace(found, funnel=assistant.explained(found.funnel, project=project))
                text += f"\n\n{explain(plan, found.funnel)}"
            _print({**plan_fields(asked.id, plan), **search_fields(found)}, text, as_json=as_json)


@cli.command(short_help="Responde una pregunta con citas.")
@question_argument
@questions_option
@project_option
@option(
    "--provider",
    type=click.Choice(PROVIDERS),
    metavar="PROVEEDOR",
    help="Quién responde: extractive (sin modelo: cita las frases), google, groq, openrouter o local; "
    "si no se indica, LLM_PROVIDER.",
)
@recipe_option
@concept_option
@explain_option
@json_option
def ask(
    question: str | None,
    questions: Path | None,
    project: str,
    provider: ProviderName | None,
    recipe: str,
    concept: str,
    explained: bool,
    as_json: bool,
) -> None:
    """Responde una pregunta con citas del documento y la página."""
    from assistant.explaining import explain
    from assistant.rendering import answer_fields, failure, plan_fields, search_fields, show_answer
    from rag_system.pipeline import Scope, collect

    scope = Scope(project=project, provider=provider, recipe=_known(recipe), concept=concept)
    failed = 0
    with _assistant(project, concept) as assistant:
        _known(recipe or assistant.project(project).recipe)  # else every answer would tell it anew
        if notice := assistant.provider_status(provider).notice:
            click.echo(notice, err=True)
        for asked in _asked(question, questions):
            outcome = collect(assistant.pipeline.stream(asked.question, asked.history, scope=scope))
            failed += bool(outcome.answer.error)
            _tell(outcome.answer.notices)
            _tell([failure(outcome.answer)] if outcome.answer.error else [])
            text, found = show_answer(outcome.answer), outcome.search
            if explained:
                found = replace(found, funnel=assistant.explained(found.funnel, project=project))
                text += f"\n\n{explain(outcome.plan, found.funnel)}"
            row = {**plan_fields(asked.id, outcome.plan), **search_fields(found), **answer_fields(outcome.answer)}
            _print(row, text, as_json=as_json)
    if failed:
        raise SystemExit(1)


@cli.command(short_help="Muestra o cambia los ajustes de un proyecto.")
@project_option
@option("--recipe", metavar="RECETA", help="Receta de búsqueda desde ahora; vacía deja la de LEGAJO_RECIPE.")
@option("--instructions", metavar="TEXTO", help="Lo que toda respuesta debe tener en cuenta; vacío lo quita.")
@option(
    "--instructions-file",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de --instructions: un archivo de texto UTF-8.",
)
@json_option
def project(
    project: str, recipe: str | None, instructions: str | None, instructions_file: Path | None, as_json: bool
) -> None:
    """Muestra los ajustes de un proyecto, después de cambiar los que se indiquen.

    El proyecto debe existir: lo crea «legajo ingest» con sus primeros documentos.
    """
    from assistant.projects import read_instructions, show_project

    if instructions_file is not None:
        if instructions is not None:
            raise InputError("Indique --instructions o --instructions-file, una de las dos cosas.")
        instructions = read_instructions(instructions_file)
    with _assistant(project) as assistant:
        if recipe is not None or instructions is not None:
            assistant.change_project(project, recipe=recipe, instructions=instructions)
        shown = assistant.project(project)
    _print(asdict(shown), show_project(shown), as_json=as_json)


@cli.command(short_help="Mide los resultados con preguntas de respuesta conocida.")
@option(
    "--questions",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    metavar="ARCHIVO",
    help="Archivo con un objeto JSON por línea; obligatorio, y puede repetirse.",
)
@option(
    "--recipe",
    multiple=True,
    metavar="RECETA",
    help="Receta que se mide; puede repetirse, y «all» son todas. Si no se indica, la que usa el proyecto.",
)
@option("--without-accents", is_flag=True, help="Mide además las mismas preguntas sin tildes.")
@project_option
@json_option
def evaluate(
    questions: tuple[Path, ...], recipe: tuple[str, ...], without_accents: bool, project: str, as_json: bool
) -> None:
    """Mide la comprensión, la búsqueda y las respuestas con preguntas de respuesta conocida."""
    from assistant.evaluation import evaluate_files, recipes_to_measure
    from assistant.tables import evaluation_tables

    rows = []
    with _assistant(project) as assistant:
        recipes = recipes_to_measure(recipe, assistant.project(project).recipe)
        for row in evaluate_files(
            assistant.pipeline, questions, recipes=recipes, project=project, unaccented=without_accents
        ):
            rows.append(row)
            _print(row, "", as_json=as_json)
    if not as_json:
        click.echo(evaluation_tables(rows))


@cli.command(short_help="Mide el costo de buscar según el tamaño de la colección, o el de incorporar una carpeta.")
@option(
    "--chunks",
    default="1000,10000",
    metavar="N,N...",
    help="Tamaños, en fragmentos; si no se indican, 1000,10000. Cien mil tardan unos seis minutos y ocupan 0,5 GB.",
)
@option(
    "--queries",
    type=click.IntRange(10, 10_000),
    default=100,
    metavar="N",
    help="Preguntas por tamaño; si no se indica, 100.",
)
@option(
    "--ingest",
    "folder",
    type=click.Path(path_type=Path),
    metavar="CARPETA",
    help="En lugar de búsquedas, mide la incorporación de esa carpeta.",
)
@option("--keep", is_flag=True, help="Conserva la última base de datos de prueba.")
@json_option
def benchmark(chunks: str, queries: int, folder: Path | None, keep: bool, as_json: bool) -> None:
    """Mide el costo de una búsqueda con colecciones de prueba de varios tamaños. No toca los documentos.

    Con --ingest, incorpora una carpeta en una base de datos de prueba: ritmo, procesador y memoria de cada parte.
    """
    from assistant.benchmark import parse_sizes, run_benchmark, run_ingestion_benchmark
    from assistant.benchmarking.report import benchmark_table
    from assistant.progress import status_line

    measures = []
    with status_line() as tell:
        if folder is not None:
            run = run_ingestion_benchmark(_settings(), folder, keep=keep, tell=tell)
        else:
            run = run_benchmark(_settings(), parse_sizes(chunks), queries=queries, keep=keep, tell=tell)
        for measure in run:
            measures.append(measure)
            _print(asdict(measure), "", as_json=as_json)
    if not as_json:
        click.echo(benchmark_table(measures))


@cli.command(short_help="Revisa la instalación y dice qué falta.")
@json_option
def doctor(as_json: bool) -> None:
    """Revisa la instalación y dice qué falta."""
    from assistant.doctor import examine

    findings = list(examine())
    for finding in findings:
        mark = "bien " if finding.ok else "FALLA"
        _print(
            {"check": finding.check, "ok": finding.ok, "detail": finding.detail},
            f"[{mark}] {finding.check}: {finding.detail}",
            as_json=as_json,
        )
    if not all(finding.ok for finding in findings):
        raise SystemExit(1)


# ---------------------------------------------------------------- shared


def _settings() -> Settings:
    from rag_system.settings import load_settings

    return load_settings()


@contextmanager
def _assistant(project: str | None = None, concept: str = "") -> Iterator[Assistant]:
    """The assistant; a `project` or a `concept` that was mistyped is told, not answered from as if it were empty."""
    from assistant.assistant import Assistant

    with Assistant.open(_settings()) as assistant:
        if project is not None:
            assistant.must_exist(project)
        if project is not None and concept:
            assistant.concepts.must_exist(concept, project=project)
        yield assistant


def _known(recipe: str) -> str:
    """The recipe's name, or nothing where none is asked for; an unknown one is told before anything starts."""
    from rag_system.search.recipes import get_recipe

    return get_recipe(recipe).name if recipe else ""


def _asked(question: str | None, questions: Path | None) -> Iterable[AskedQuestion]:
    from assistant.questions import AskedQuestion, read_questions

    if (question is None) == (questions is None):
        raise InputError("Escriba una pregunta o indique un archivo con --questions, una de las dos cosas.")
    if questions is not None:
        return read_questions(questions)
    if not (question or "").strip():
        raise InputError("La pregunta está vacía. Escriba qué desea saber.")
    return [AskedQuestion(id="1", question=question or "")]


def _tell(notices: Iterable[str]) -> None:
    for notice in notices:
        click.echo(notice, err=True)


def _print(row: dict[str, Any], text: str, *, as_json: bool) -> None:
    if as_json or text:
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else text)
