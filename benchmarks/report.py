"""The table that `legajo benchmark` prints: one line a measure, one column a size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

__all__ = ["Measure", "benchmark_table"]

_WIDEST = 400  # characters: lines are as long as they need to be, and never folded

# Each measure with what a person calls it, in the order of the table; `{}` is what varies of its name.
_NAMES = {
    "search_cpu_p": "CPU por búsqueda, p{}",
    "search_cpu_database_p": "  de la base de datos, p{}",
    "search_cpu_python_p": "  de Python, p{}",
    "search_wall_p": "Tiempo por búsqueda, p{}",
    "sequential_scans": "Tablas leídas enteras",
    "recall_at_": "Exhaustividad@{} del índice aproximado",
    "threads_rate_": "Búsquedas a la vez: {}",
    "threads_p95_": "Búsquedas a la vez: {}, p95",
    "first_token_wall_p": "Hasta la primera palabra de un modelo, sin su proveedor, p{}",
    "first_token_cpu_p": "  de CPU, p{}",
    "check_cited_wall_p": "Comprobación de una respuesta larga, p{}",
    "check_cited_cpu_p": "  de CPU, p{}",
    "check_uncited_wall_p": "Comprobación de una respuesta larga sin citas, p{}",
    "check_uncited_cpu_p": "  de CPU, p{}",
    "answer_reformulation_p": "Respuesta: comprensión, p{}",
    "answer_embedding_p": "Respuesta: embedding, p{}",
    "answer_retrieval_p": "Respuesta: búsqueda, p{}",
    "answer_context_p": "Respuesta: contexto, p{}",
    "answer_answerability_p": "Respuesta: si callar, p{}",
    "answer_ttft_p": "Respuesta: hasta la primera palabra, p{}",
    "answer_generation_p": "Respuesta: redacción, p{}",
    "answer_check_p": "Respuesta: comprobación, p{}",
    "answer_total_p": "Respuesta: en total, p{}",
    "asked_pipeline_cpu_p": "CPU por pregunta entera sin modelo, p{}",
    "asked_project_cpu_p": "  más por ser de una persona y buscar sus claves, p{}",
    "asked_keys_cpu_p": "  más por tener claves, p{}",
    "asked_metrics_cpu_p": "  más por medirla, p{}",
    "asked_recorded_metrics_cpu_p": "  más por medirla en una conversación, p{}",
    "asked_session_cpu_p": "  más por hacerla en una sesión, p{}",
    "memory_python": "Memoria de Python",
    "memory_database": "Memoria propia de la base por conexión",
    "size_": "Tamaño: {}",
    "load": "Carga de los datos",
    "vector_index_build": "Construcción del índice de vectores",
    "embedding_rate": "Embeddings de fragmentos",
    "embedding_query_p": "Embedding de una pregunta, p{}",
    "talks_list_cpu_p": "CPU por lista de conversaciones, p{}",
    "talks_list_wall_p": "  tiempo, p{}",
    "talks_search_cpu_p": "CPU por búsqueda en conversaciones, p{}",
    "talks_search_wall_p": "  tiempo, p{}",
    "projects_one_cpu_p": "CPU por búsqueda en un proyecto, p{}",
    "projects_one_wall_p": "  tiempo, p{}",
    "projects_all_cpu_p": "CPU por búsqueda en todos, p{}",
    "projects_all_wall_p": "  tiempo, p{}",
    "projects_copy_time": "Copia de un documento de mil fragmentos",
    "projects_copy_cpu_python": "  CPU de Python",
    "projects_copy_cpu_database": "  CPU de la base de datos",
    "ingest_files": "Archivos",
    "ingest_failed": "  que no se pudieron incorporar",
    "ingest_pages": "  páginas",
    "ingest_embedded": "  fragmentos calculados",
    "ingest_time": "Tiempo en total",
    "ingest_rate": "Fragmentos incorporados",
    "ingest_engine_rate": "Fragmentos que calcula el modelo solo",
    "ingest_share": "  de ese ritmo, lo que alcanza la incorporación",
    "ingest_cpu_child": "CPU: lectura de los archivos",
    "ingest_cpu_embedding": "CPU: modelo de embeddings",
    "ingest_cpu_python": "CPU: resto de Python",
    "ingest_cpu_database": "CPU: base de datos",
    "ingest_memory_model": "Memoria con el modelo cargado",
    "ingest_memory_worker": "Memoria máxima del proceso",
    "ingest_memory_child": "Memoria máxima de la lectura",
    "read_pages_": "Lectura de {}: páginas",
    "read_mb_": "Lectura de {}",
}
_COUNTED = {"talks": "conversaciones", "projects": "proyectos"}  # by how a measure begins
_UNITS = {"1/s": "por s", "MB": "MiB"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure. `chunks` is 0 where the size of the collection does not matter; of `talks_…` it counts these, and of
    `projects_…` these.
    """

    chunks: int
    measure: str
    value: float
    unit: str


def benchmark_table(measures: Iterable[Measure]) -> str:
    """One line a measure, in Spanish; the sizes are chunks, or conversations or projects where these were measured."""
    found = list(measures)
    sizes = sorted({measure.chunks for measure in found if measure.chunks})
    lines = sorted(dict.fromkeys((m.measure, m.unit) for m in found), key=lambda line: _rank(_prefix(line[0])))
    values = {(m.measure, m.chunks): m.value for m in found}
    counted = _COUNTED.get(next((m.measure.partition("_")[0] for m in found), ""), "fragmentos")
    table = Table(counted, box=None, pad_edge=False, collapse_padding=True)
    for size in sizes or [0]:
        table.add_column(f"{size:,}".replace(",", "."), justify="right")
    for name, unit in lines:
        cells = [values.get((name, size), values.get((name, 0))) for size in sizes or [0]]
        table.add_row(_label(name, unit), *("" if cell is None else _show(cell) for cell in cells))
    return _render(table)


def _prefix(name: str) -> str:
    return max((prefix for prefix in _NAMES if name.startswith(prefix)), key=len, default="")


def _rank(prefix: str) -> int:
    return list(_NAMES).index(prefix) if prefix else len(_NAMES)


def _label(name: str, unit: str) -> str:
    prefix = _prefix(name)
    text = _NAMES[prefix].format(name.removeprefix(prefix)) if prefix else name
    return f"{text} ({_UNITS.get(unit, unit)})" if unit else text


def _show(value: float) -> str:
    digits = 3 if value <= 1 else 1 if value < 1_000 else 0
    return f"{value:.{digits}f}".removesuffix(".000").replace(".", ",")


def _render(table: Table) -> str:
    console = Console(width=_WIDEST, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())
