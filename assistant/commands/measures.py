"""What can be measured: results and costs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_project,
    option,
    print_row,
    project_option,
    read_settings,
)
from rag_system.errors import InputError

__all__ = ["benchmark", "check", "evaluate"]


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
    with opened_project(project) as assistant:
        recipes = recipes_to_measure(recipe, assistant.project_settings().recipe)
        for row in evaluate_files(assistant.pipeline, questions, recipes=recipes, unaccented=without_accents):
            rows.append(row)
            print_row(row, "", as_json=as_json)
    if not as_json:
        click.echo(evaluation_tables(rows))


@cli.command(short_help="Revisa respuestas ya escritas contra sus fuentes.")
@option(
    "--answers",
    type=click.Path(path_type=Path),
    required=True,
    metavar="ARCHIVO",
    help="Archivo con un objeto JSON por línea: «question», «sources» y «answer»; obligatorio.",
)
@json_option
def check(answers: Path, as_json: bool) -> None:
    """Revisa respuestas ya escritas contra sus fuentes, y dice qué oraciones no tienen respaldo.

    No busca nada, ni usa la base de datos ni un modelo: sirve también para
    respuestas de otro sistema.
    """
    from assistant.answers import check_fields, read_answers
    from assistant.rendering import show_check

    for kept in read_answers(answers):
        grounding = kept.check()
        print_row(check_fields(kept, grounding), show_check(kept.id, grounding), as_json=as_json)


@cli.command(short_help="Mide el costo de buscar, o de incorporar una carpeta.")
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
@option(
    "--conversations",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="En lugar de búsquedas en documentos, mide la lista y la búsqueda de N conversaciones de 50 preguntas.",
)
@option(
    "--projects",
    type=click.IntRange(2, 100),
    metavar="N",
    help="En lugar de eso, mide la búsqueda en N proyectos de mil fragmentos a la vez, y copiar un documento.",
)
@option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de colecciones de prueba, mide la búsqueda de esas preguntas en --project, que solo se lee.",
)
@project_option
@option("--keep", is_flag=True, help="Conserva la última base de datos de prueba.")
@json_option
def benchmark(
    chunks: str,
    queries: int,
    folder: Path | None,
    conversations: int | None,
    projects: int | None,
    questions: Path | None,
    project: str,
    keep: bool,
    as_json: bool,
) -> None:
    """Mide el costo de una búsqueda con colecciones de prueba de varios tamaños. No toca los documentos.

    Con --ingest, incorpora una carpeta en una base de datos de prueba: ritmo, procesador y memoria de cada parte.

    Con --questions, busca en un proyecto suyo las preguntas de un archivo: un objeto JSON por línea, con «question».
    """
    from assistant.progress import status_line
    from assistant.questions import read_questions

    benchmarks = _benchmarks()
    measures = []
    with status_line() as tell:
        if folder is not None:
            run = benchmarks.run_ingestion_benchmark(read_settings(), folder, keep=keep, tell=tell)
        elif conversations is not None:
            run = benchmarks.run_conversations_benchmark(read_settings(), conversations, keep=keep, tell=tell)
        elif projects is not None:
            run = benchmarks.run_projects_benchmark(read_settings(), projects, queries=queries, keep=keep, tell=tell)
        elif questions is not None:
            asked = [each.question for each in read_questions(questions)]
            run = benchmarks.run_project_benchmark(read_settings(), project, asked, tell=tell)
        else:
            sizes = benchmarks.parse_sizes(chunks)
            run = benchmarks.run_benchmark(read_settings(), sizes, queries=queries, keep=keep, tell=tell)
        for measure in run:
            measures.append(measure)
            print_row(measure, "", as_json=as_json)
    if not as_json:
        click.echo(benchmarks.benchmark_table(measures))


def _benchmarks() -> ModuleType:
    """`benchmarks/` of the repository, which this module was loaded from; it is no part of the installed package."""
    repository = Path(__file__).resolve().parents[2]
    if not (repository / "benchmarks" / "run.py").is_file():
        raise InputError(
            "«legajo benchmark» está en el repositorio y no en el paquete instalado: clone el repositorio de Legajo y "
            "ejecute ahí «scripts/setup» y «.venv/bin/legajo benchmark»."
        )
    sys.path.insert(0, str(repository))
    return import_module("benchmarks.run")
