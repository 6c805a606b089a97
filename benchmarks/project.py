"""What searching a project costs that is there, with questions that people ask it. It is only read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.clocks import Clocks
from benchmarks.measuring import (
    NEIGHBOURS,
    PreparedVectors,
    measure_recall,
    measure_searches,
    search_times,
    sequential_scans,
)
from benchmarks.questions import BenchmarkQuestion
from benchmarks.report import Measure
from rag_system import LOCAL_PERSON
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.types import Route

__all__ = ["measure_project"]


def measure_project(
    database: Database,
    settings: Settings,
    model: EmbeddingModel,
    project: str,
    asked: Sequence[str],
    *,
    tell: Callable[[str], None],
) -> Iterator[Measure]:
    """The figures of `project`, of which each question is searched once to warm the caches and once to be measured."""
    person = database.as_person(LOCAL_PERSON).unhurried()
    with person.connection() as connection:
        chunks = get_project(connection, project).chunk_count
        clocks = Clocks(connection, embedded=settings.database_url is None)
    if not chunks:
        raise InputError(f"El proyecto «{project}» no tiene documentos: incorpórelos con «legajo ingest».")
    vectors = PreparedVectors(manifest=model.manifest)
    pipeline = RAGPipeline(
        database=person, settings=settings, embeddings=lambda: vectors, answerer=build_answerer, project=project
    )
    asked = [question for question in asked if pipeline.plan(question).route is Route.RETRIEVE]
    if not asked:
        raise InputError("El archivo de --questions no trae ninguna pregunta que se busque en los documentos.")
    tell(f"Calculando los vectores de {len(asked)} preguntas…")
    questions = [BenchmarkQuestion(text=text, vector=model.embed_query(text)) for text in asked]
    tell(f"{chunks} fragmentos: buscando {len(questions)} preguntas…")
    measure_searches(pipeline, vectors, questions, clocks)
    scans = sequential_scans(database)
    for name, value in search_times(measure_searches(pipeline, vectors, questions, clocks)).items():
        yield Measure(chunks=chunks, measure=name, value=value, unit="ms")
    yield Measure(chunks=chunks, measure="sequential_scans", value=sequential_scans(database) - scans, unit="")
    tell(f"{chunks} fragmentos: comparando con la búsqueda exacta…")
    recall = measure_recall(person, pipeline, questions, project=project)
    yield Measure(chunks=chunks, measure=f"recall_at_{NEIGHBOURS}", value=recall, unit="")
