"""The crash table: a fault at each stage of a file's way, and what is left when everything runs again.

All stages of one fault are tried at the same time, each in a database of its own, so that they share one server and
one wait for the dead worker to be given up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from rag_system.storage.embedded import EmbeddedServer
from tests.faults.processes import kill_server
from tests.faults.program import BETWEEN_BATCHES, EMBEDDED_AT_ONCE
from tests.faults.site import PATH, Site, ended, guide

FAULTS = ("worker", "database", "machine")
STEPS = ("read", "chunk", "embed", "batch", "publish", BETWEEN_BATCHES)  # a worker stops itself there
LOCKED = {"inside publish": "acronyms"}  # a worker waits there, where it takes the old edition out
ACCEPTED = "accept"  # stored and promised, but the job is not written
STAGES = (ACCEPTED, *STEPS, *LOCKED)


@dataclass(kw_only=True)
class Case:
    """One stage under one fault."""

    site: Site
    meanwhile: set[str] = field(default_factory=set)  # editions that a search sees while the fault happens
    files_meanwhile: int = 0
    after: set[str] = field(default_factory=set)
    contents: dict[str, list[str]] = field(default_factory=dict)
    status: str = ""
    again: int = 0  # chunks embedded more than once


@dataclass(frozen=True, kw_only=True)
class Ground:
    """A server with the old edition indexed, and what it holds when the new one came without a fault."""

    root: Path
    server: EmbeddedServer
    old: Site
    contents: dict[str, list[str]]
    embedded: int


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    folder = tmp_path_factory.mktemp("faults")
    root = folder / "postgresql"
    with EmbeddedServer(root) as server:
        conninfo = server.acquire()
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET max_connections = 120")  # for all the cases at once
        server.release()
        conninfo = server.acquire()
        old = Site(conninfo, folder)
        old.index(guide("1"))
        undisturbed = Site(conninfo, folder, like=old)
        with ended([undisturbed]):
            undisturbed.accept(guide("2"))
            worker = undisturbed.start_worker()
            undisturbed.wait_until_over()
            assert worker.end() == 0
        contents = undisturbed.contents()
        yield Ground(root=root, server=server, old=old, contents=contents, embedded=undisturbed.embedded())


@pytest.fixture(scope="module", params=FAULTS)
def cases(request: pytest.FixtureRequest, ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = tmp_path_factory.mktemp(request.param)
    conninfo = ground.server.acquire()
    cases = {stage: Case(site=Site(conninfo, folder, like=ground.old)) for stage in STAGES}
    with ended([case.site for case in cases.values()]):
        with ExitStack() as held:
            bring_to_their_stage(cases, held)
            for case in cases.values():
                case.meanwhile = case.site.search()
                case.files_meanwhile = case.site.rows("SELECT count(*) FROM files")[0][0]
            strike(request.param, cases, ground)
        for case in cases.values():
            if not any(program.is_running for program in case.site.programs):
                case.site.start_worker()
        for case in cases.values():
            look(case, ground)
    return cases


def bring_to_their_stage(cases: dict[str, Case], held: ExitStack) -> None:
    for stage in STEPS:
        cases[stage].site.accept(guide("2"))
        cases[stage].site.start_worker(stage)
    for stage, table in LOCKED.items():
        held.enter_context(cases[stage].site.nobody_writes(table))
        cases[stage].site.accept(guide("2"))
        cases[stage].site.start_worker()
    held.enter_context(cases[ACCEPTED].site.nobody_writes("procrastinate_jobs"))
    cases[ACCEPTED].site.start_accepting(guide("2"))
    for stage in STEPS:
        cases[stage].site.programs[0].wait_until_stopped()
    for stage in (ACCEPTED, *LOCKED):
        cases[stage].site.wait_for_lock()


def strike(fault: str, cases: dict[str, Case], ground: Ground) -> None:
    """Let the fault happen, and mend what is broken besides the workers."""
    programs = [program for case in cases.values() for program in case.site.programs]
    if fault in ("database", "machine"):
        kill_server(ground.root)
    if fault in ("worker", "machine"):
        for program in programs:
            program.kill()
    else:
        for stage in STEPS:
            cases[stage].site.programs[0].go_on()
    ground.server.ensure_running()


def look(case: Case, ground: Ground) -> None:
    site = case.site
    site.wait_until_over()
    case.again = site.embedded() - ground.embedded
    ((case.status,),) = site.rows("SELECT status FROM ingestions WHERE path = %s", PATH)
    case.after = site.search()
    case.contents = site.contents()


@pytest.fixture(params=STAGES)
def case(request: pytest.FixtureRequest, cases: dict[str, Case]) -> Case:
    return cases[request.param]


def test_the_old_edition_answers_until_the_new_one_is_whole(case: Case) -> None:
    assert case.meanwhile == {"1"}
    assert case.after == {"2"}


def test_the_file_ends_as_after_an_undisturbed_run(case: Case, ground: Ground) -> None:
    assert case.status == "done"
    assert case.contents.keys() == ground.contents.keys()
    for table, rows in ground.contents.items():
        assert case.contents[table] == rows, table


def test_accepted_bytes_are_kept_from_the_start(case: Case) -> None:
    assert case.files_meanwhile == 2


def test_at_most_a_batch_is_embedded_again(case: Case) -> None:
    assert 0 <= case.again <= EMBEDDED_AT_ONCE
