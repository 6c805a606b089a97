"""Pages that are followed: what goes wrong with one of them keeps none of the others waiting."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit import runtime

from rag_system.errors import StorageError
from ui.serving import keeping_up


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were drawn anew, in a server where only «cerrada» is gone."""
    anew: list[str] = []

    def find(tab: str) -> SimpleNamespace | None:
        session = SimpleNamespace(_call_soon_on_event_loop=lambda _: anew.append(tab))
        return None if tab == "cerrada" else SimpleNamespace(session=session)

    server = SimpleNamespace(_session_mgr=SimpleNamespace(get_active_session_info=find))
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(keeping_up, "_followed", {})
    return anew


@pytest.mark.parametrize(("error", "logged"), [(StorageError(), False), (ZeroDivisionError(), True)])
def test_a_page_that_cannot_be_asked_keeps_no_other_waiting(
    drawn: list[str], caplog: pytest.LogCaptureFixture, error: Exception, *, logged: bool
) -> None:
    def fails() -> bool:
        raise error

    lagging = {"rota": fails, "cerrada": lambda: True, "atrasada": lambda: True, "al día": lambda: False}
    keeping_up._followed.update(lagging)
    for _ in range(2):
        keeping_up._look_at_all()
    assert drawn == ["atrasada", "atrasada"]
    assert list(keeping_up._followed) == ["rota", "atrasada", "al día"]
    assert bool(caplog.records) == logged


def test_without_a_server_nothing_is_followed(
    drawn: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping_up._followed["atrasada"] = lambda: True
    monkeypatch.setattr(runtime, "exists", lambda: False)
    keeping_up._look_at_all()
    assert (drawn, keeping_up._followed, caplog.records) == ([], {}, [])
