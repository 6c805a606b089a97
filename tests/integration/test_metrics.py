"""What answers took: a row each, wherever it was asked, without a word of it; kept for some days, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from assistant.project_assistant import ProjectAssistant
from rag_system.errors import ForbiddenError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import opened_project, upload

LAW = "# Ley 27444\n\n## Artículo 207\n\nEl término para apelar es de quince días.\n".encode()
QUESTION = "¿Cuál es el término para apelar según la ley 27444?"
Open = Callable[[int], ProjectAssistant]


@pytest.fixture
def keeping(settings: Settings) -> Iterator[Open]:
    """The project of a program that keeps what answers took for so many days."""
    with ExitStack() as stack:

        def opened(days: int) -> ProjectAssistant:
            kept = settings.model_copy(update={"metrics_days": days})
            return stack.enter_context(opened_project(kept))

        yield opened


@pytest.fixture
def project(keeping: Open) -> ProjectAssistant:
    opened = keeping(90)
    assert upload(opened, "ley.md", LAW).status == "indexed"
    return opened


def rows(database: Database) -> list[tuple[object, ...]]:
    with database.connection() as lent:
        return lent.execute("SELECT * FROM answer_metrics ORDER BY answered_at").fetchall()


def age(database: Database, days: int) -> None:
    with database.as_login() as owner:
        owner.execute("UPDATE answer_metrics SET answered_at = now() - make_interval(days => %s)", [days])


def test_every_answer_leaves_a_row(project: ProjectAssistant, database: Database) -> None:
    list(project.stream(QUESTION, conversation_id=project.conversations.create()))
    project.ask(QUESTION)
    project.ask("¿Quién ganó el mundial de fútbol?")
    next(iter(stopped := project.stream(QUESTION)))
    stopped.close()  # type: ignore[attr-defined]
    (day,) = project.metrics.days()
    # Four answers: two whole with one cited sentence each, one without sources, one that was stopped.
    assert (day.answers, day.abstained, day.incomplete, day.failed) == (4, 1, 1, 0)
    assert (day.cited, day.marked) == (2, 0)
    assert day.total_p50_ms is not None
    assert day.total_p95_ms is not None
    assert 0 < day.total_p50_ms <= day.total_p95_ms
    assert day.proposed >= day.merged >= day.returned > 0
    phases = {each.phase: each for each in project.metrics.phases()}
    assert {"embedding", "retrieval"} <= set(phases)
    assert {"ttft", "total"}.isdisjoint(phases)
    assert all(0 <= each.p50_ms <= each.p95_ms for each in phases.values())


def test_not_a_word_of_it_is_kept(project: ProjectAssistant, database: Database) -> None:
    list(project.stream(QUESTION, conversation_id=project.conversations.create()))
    (row,) = rows(database)
    for word in ("apelar", "27444", "ley", "local", "quince"):
        assert word not in repr(row)


def test_what_is_old_goes_with_what_comes(project: ProjectAssistant, database: Database) -> None:
    for _ in range(25):
        project.ask(QUESTION)
    age(database, 91)
    project.ask(QUESTION)
    assert len(rows(database)) == 25 - 20 + 1  # nobody waits for more than 20
    project.ask(QUESTION)
    assert len(rows(database)) == 2
    age(database, 91)
    assert project.metrics.days() == []
    assert rows(database) == []


def test_zero_days_switch_it_off(project: ProjectAssistant, keeping: Open, database: Database) -> None:
    project.ask(QUESTION)
    off = keeping(0)
    off.ask(QUESTION)
    list(off.stream(QUESTION, conversation_id=off.conversations.create()))
    assert len(rows(database)) == 1
    age(database, 2)
    assert off.metrics.days() == []
    assert rows(database) == []


def test_nobody_changes_it(project: ProjectAssistant, database: Database) -> None:
    project.ask(QUESTION)
    before = rows(database)
    with pytest.raises(ForbiddenError), database.connection() as lent:
        lent.execute("UPDATE answer_metrics SET cited = 9")
    with database.connection() as lent:
        assert lent.execute("DELETE FROM answer_metrics").rowcount == 0  # of today
    assert rows(database) == before


def test_an_answer_is_given_also_where_its_row_is_not_to_be_had(project: ProjectAssistant, database: Database) -> None:
    with database.as_login() as owner:
        owner.execute("REVOKE INSERT ON answer_metrics FROM legajo_app")
    assert "quince días" in project.ask(QUESTION).text
