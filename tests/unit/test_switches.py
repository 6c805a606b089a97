"""Parts of the product are switched off, and it is told where they do something."""

from __future__ import annotations

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
