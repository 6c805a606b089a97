"""Parts of the product are switched off, and it is told where they do something."""

from __future__ import annotations

import sys

import pytest

from evaluation import ablate
from evaluation.switches import as_it_was, each_function, each_pattern, modules_of
from rag_system.query.past import asks_for_the_past
from rag_system.query.plan import analyze

POLITE, BARE = "Hola, buenas tardes. ¿Qué plazo hay para apelar? Gracias", "¿Qué plazo hay para apelar?"
PAST = "¿Qué decía antes el artículo 5?"


def test_it_is_told_where_a_part_does_something() -> None:
    told: list[str] = []
    with as_it_was("query.plan.strip_courtesy").watched(lambda: told.append("courtesy")):
        assert analyze(BARE).standalone_question == BARE
        assert told == []
        assert analyze(POLITE).standalone_question != POLITE
    assert told


def test_without_a_part_nothing_of_it_is_done() -> None:
    with as_it_was("query.plan.strip_courtesy").without():
        assert analyze(POLITE).standalone_question == POLITE
    assert analyze(POLITE).standalone_question != POLITE


def test_each_pattern_and_each_function_has_a_switch() -> None:
    modules = modules_of("query")
    assert asks_for_the_past(PAST)
    with each_pattern(modules)["query.past._PAST"].without():
        assert not asks_for_the_past(PAST)
    assert analyze(PAST).past
    with each_function(modules)["query.past.asks_for_the_past()"].without():
        assert not analyze(PAST).past


@pytest.mark.parametrize("name", ablate.PARTS)
def test_each_part_stands_where_it_is_said_to_stand(name: str) -> None:
    with ablate.PARTS[name].without():
        pass


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--only", "commands", "nonsense"], "no such part: nonsense"),
        (["--set", "nonsense"], "invalid choice: 'nonsense'"),
        (["--set", "statutes"], "needs --statutes"),
    ],
)
def test_what_the_tool_does_not_know_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: list[str], told: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["ablate", *asked])
    with pytest.raises(SystemExit):
        ablate.main()
    assert told in capsys.readouterr().err
