"""Which files of the queue `--cancel` and `--retry` mean, and how one is told in a line."""

from __future__ import annotations

import pytest

from assistant.commands.queue import _chosen, _line
from assistant.summaries import IngestionSummary
from rag_system.errors import InputError


def row(ingestion_id: str, status: str = "queued", remaining_s: float | None = None) -> IngestionSummary:
    return IngestionSummary(
        ingestion_id=ingestion_id,
        path="norma.md",
        status=status,
        stage="",
        done=0,
        total=0,
        size_bytes=1,
        error="",
        remaining_s=remaining_s,
    )


ROWS = [row("3f2a-1"), row("3f2b-2"), row("90aa-3", status="failed")]


@pytest.mark.parametrize(
    ("wanted", "status", "ids"),
    [
        (None, "", []),
        ("", "", []),
        ("3f2a", "", ["3f2a-1"]),
        ("9", "", ["90aa-3"]),
        ("all", "", ["3f2a-1", "3f2b-2", "90aa-3"]),
        ("all", "failed", ["90aa-3"]),
        ("all", "ready", []),
    ],
)
def test_files_are_named_by_the_beginning_of_their_id(wanted: str | None, status: str, ids: list[str]) -> None:
    assert _chosen(ROWS, wanted, status=status) == ids


@pytest.mark.parametrize(("wanted", "status", "said"), [("3f", "", "Hay 2 archivos"), ("3f2a", "failed", "No hay")])
def test_what_names_none_or_several_is_refused(wanted: str, status: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        _chosen(ROWS, wanted, status=status)


@pytest.mark.parametrize(
    ("status", "remaining_s", "attended", "told"),
    [
        ("working", 95.0, True, "  (falta unos 2 min)"),
        ("queued", None, True, ""),
        ("working", 95.0, False, ""),
        ("failed", None, True, ""),
    ],
)
def test_the_time_that_a_file_still_takes_is_told_while_somebody_attends(
    status: str, remaining_s: float | None, attended: bool, told: str
) -> None:
    assert _line(row("3f2a-1", status, remaining_s), attended=attended).partition("norma.md")[2] == told
