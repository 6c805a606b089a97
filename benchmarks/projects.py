"""What it costs to ask all of several projects instead of one, and to copy a document from one to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from assistant.copying import Copier
from benchmarks.clocks import Clocks
from benchmarks.collection import Collection
from benchmarks.loading import PROJECT, load
from benchmarks.measuring import PreparedVectors, Sample, measure_searches, percentile
from benchmarks.questions import Questioner
from benchmarks.report import Measure
from rag_system import LOCAL_PERSON
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import create_project

__all__ = ["measure_projects"]

CHUNKS = 1_000  # of a project, and of the document that is copied
COPIES = 3


def measure_projects(
    database: Database, settings: Settings, projects: int, *, queries: int, embedded: bool, tell: Callable[[str], None]
) -> Iterator[Measure]:
    """Fill an empty database with so many projects, and measure; `embedded` when the server's clock can be read."""
    questioner = Questioner(collection=Collection(chunks=CHUNKS), count=queries)
    for number in range(projects):
        tell(f"Cargando el proyecto {number + 1} de {projects}…")
        documents = Collection(chunks=CHUNKS, seed=number + 1).documents()
        watched = documents if number else questioner.watch(documents)
        name = f"{PROJECT}-{number}" if number else PROJECT
        load(database, watched, chunks=CHUNKS, on_progress=lambda *_: None, project=name)
    vectors = PreparedVectors()
    pipeline = RAGPipeline(
        database=database.as_person(LOCAL_PERSON),
        settings=settings,
        embeddings=lambda: vectors,
        answerer=build_answerer,
        project=PROJECT,
    )
    with database.as_owner() as connection:
        clocks = Clocks(connection, embedded=embedded)
    for name, where in (("one", "un proyecto"), ("all", f"{projects} proyectos")):
        tell(f"Buscando {queries} preguntas en {where}…")
        for _ in range(2):  # the first time fills the caches
            samples = measure_searches(pipeline, vectors, questioner.questions, clocks, all_projects=name == "all")
        yield from _times(samples, name, projects)
    tell(f"Copiando un documento de {CHUNKS} fragmentos…")
    for measure, value in _copied(database, settings, clocks).items():
        yield Measure(chunks=projects, measure=f"projects_copy_{measure}", value=value, unit="s")


def _times(samples: Sequence[Sample], name: str, projects: int) -> Iterator[Measure]:
    series = {
        "wall": [each.wall for each in samples],
        "cpu": [each.cpu for each in samples if each.database is not None],
    }
    for clock, values in series.items():
        for share in (50, 95) if values else ():
            value = percentile(values, share)
            yield Measure(chunks=projects, measure=f"projects_{name}_{clock}_p{share}", value=value, unit="ms")


def _copied(database: Database, settings: Settings, clocks: Clocks) -> dict[str, float]:
    """The best of some copies of one document, each into an empty project."""
    documents = list(Collection(chunks=CHUNKS, seed=0).documents())
    whole = replace(documents[0], chunks=[chunk for document in documents for chunk in document.chunks])
    source = f"{PROJECT}-documento"
    load(database, [whole], chunks=CHUNKS, on_progress=lambda *_: None, project=source)
    person = database.as_person(LOCAL_PERSON)
    best: dict[str, float] = {}
    for number in range(COPIES):
        with person.connection() as connection:
            create_project(connection, target := f"{PROJECT}-copia-{number}")
        before = perf_counter(), clocks.python_ms(), clocks.database_ms()
        list(Copier(person, settings, source).copy([whole.path], to=target))
        after = perf_counter(), clocks.python_ms(), clocks.database_ms()
        took = {"time": after[0] - before[0], "cpu_python": (after[1] - before[1]) / 1e3}
        if before[2] is not None and after[2] is not None:
            took["cpu_database"] = (after[2] - before[2]) / 1e3
        best = {name: min(value, best.get(name, value)) for name, value in took.items()}
    return best
