"""Where memory is short, files and second readings wait before questions do, and an answer always comes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import httpx2
import pytest

from assistant.assistant import Assistant
from assistant.explaining import explain
from assistant.library import Library
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.generation.providers import build_answerer
from rag_system.ingestion.indexing import Indexer, LowMemoryError
from rag_system.memory import _lines, _of_group, available_share, total_bytes
from rag_system.outcome import collect
from rag_system.pipeline import RAGPipeline
from rag_system.scope import Scope
from rag_system.search.testing import WordOverlapReranker
from rag_system.search.yielding import LITTLE_MEMORY
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import library_of, opened_project, upload
from tests.integration.test_api import PROJECT, QUESTION, served, token
from tests.integration.test_second_readings import DOCUMENTS

PLENTY = {"memory_low_percent": 0.0, "memory_critical_percent": 0.0}
LOW = {"memory_low_percent": 100.0, "memory_critical_percent": 0.0}  # less than all of it is always free
CRITICAL = {"memory_low_percent": 100.0, "memory_critical_percent": 100.0}
LEASE = "La garantía del local se devuelve en treinta días."


def accepted(library: Library, text: str) -> str:
    return library.accept_stream("alquiler.txt", BytesIO(text.encode()))[0].ingestion_id


@pytest.mark.parametrize(
    ("memory", "yielded"), [(PLENTY, ()), (LOW, ("rerank",)), (CRITICAL, ("rerank", "expansion"))], ids=str
)
def test_a_second_reading_yields_first_then_expansion_and_the_answer_never(
    database: Database, settings: Settings, memory: dict[str, float], yielded: tuple[str, ...]
) -> None:
    with opened_project(settings) as project:
        for name, text in DOCUMENTS.items():
            upload(project, name, text.encode())
    reranker = WordOverlapReranker()
    pipeline = RAGPipeline(
        database=database,
        settings=settings.model_copy(update={**memory, "reranker": "lector"}),
        embeddings=HashEmbeddings,
        answerer=build_answerer,
        reranker=lambda: reranker,
        project="general",
    )
    outcome = collect(pipeline.stream("¿Cuánto tiempo hay para reclamar?", scope=Scope(recipe="lumen")))
    assert outcome.answer.citations
    assert outcome.search.funnel.yielded == yielded
    assert bool(reranker.read) == (not yielded)
    assert (LITTLE_MEMORY in outcome.answer.notices) == bool(yielded)
    assert ("Sin memoria:" in explain(outcome.plan, outcome.search.funnel)) == bool(yielded)


def test_a_file_waits_for_memory_and_is_then_taken_in(database: Database, settings: Settings) -> None:
    library = library_of(database=database, settings=settings, embeddings=HashEmbeddings)
    waiting = accepted(library, LEASE)

    def index(memory: dict[str, float]) -> None:
        there = settings.model_copy(update=memory)
        Indexer(database=database, embeddings=HashEmbeddings, settings=there).run("general", waiting)

    for _ in range(2):
        with pytest.raises(LowMemoryError):
            index(LOW)
        (row,) = library.ingestions()
        assert (row.status, row.error) == ("queued", str(LowMemoryError()))
    index(PLENTY)
    assert [each.status for each in library.see_through({waiting: "alquiler.txt"})] == ["indexed"]


def test_the_figures_say_how_much_is_free_and_what_yielded(settings: Settings) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.as_person(LOCAL_PERSON).create_project("general")
        upload(assistant.as_person(LOCAL_PERSON).project("general"), "alquiler.txt", LEASE.encode())
        secret = token(assistant)
    pressed = settings.model_copy(update=CRITICAL)
    headers = {"Authorization": f"Bearer {secret}"}
    with Assistant.open(pressed, embeddings=HashEmbeddings()) as assistant:
        for address in served(lambda: assistant, pressed):
            asked = {"question": QUESTION}
            answer = httpx2.post(f"{address}{PROJECT}/ask", headers=headers, json=asked, timeout=60).json()
            figures = httpx2.get(f"{address}/metrics", headers=headers).text
    assert answer["funnel"]["yielded"] == ["expansion"]
    assert LITTLE_MEMORY in answer["notices"]
    assert 'legajo_yielded_steps_total{step="expansion"} 1.0' in figures
    (free,) = [line.split()[1] for line in figures.splitlines() if line.startswith("legajo_memory_available_ratio ")]
    assert 0 < float(free) < 1


def test_a_control_group_counts_what_it_read_and_does_not_use_as_free(tmp_path: Path) -> None:
    files = ("memory.max", "memory.current", "inactive_file")
    (tmp_path / "memory.current").write_text("900\n")
    (tmp_path / "memory.stat").write_text("anon 500\ninactive_file 400\n")
    (tmp_path / "memory.max").write_text("1000\n")
    assert list(_of_group(tmp_path, *files)) == [pytest.approx(0.5)]  # (1000 − (900 − 400)) / 1000
    (tmp_path / "memory.max").write_text("max\n")
    assert list(_of_group(tmp_path, *files)) == []
    assert 0 < available_share() <= 1


def test_the_server_that_comes_along_keeps_a_part_of_the_memory_for_its_tables(database: Database) -> None:
    with database.connection() as connection:
        (told,) = connection.execute("SELECT pg_size_bytes(current_setting('shared_buffers'))").fetchone() or (0,)
    assert 256 << 20 <= told <= max(256 << 20, total_bytes() // 8)


def test_a_control_group_may_have_any_name(tmp_path: Path) -> None:
    (tmp_path / "cgroup").write_bytes("0::/máquina\n".encode() + b"1:memory:/\xff\n")
    assert [line.split(":")[0] for line in _lines(tmp_path / "cgroup")] == ["0", "1"]
