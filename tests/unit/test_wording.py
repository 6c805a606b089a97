"""What the search calls by a name has one for people: no more names, and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

from assistant.wording import REASONS, ROUTES, STRATEGIES
from rag_system.search import funnel, searching
from rag_system.search.reranking import RERANK
from rag_system.types import Route

SEARCH = Path(funnel.__file__).parent


def written_in(path: Path, pattern: str) -> set[str]:
    return set(re.findall(pattern, path.read_text(encoding="utf-8")))


def test_every_strategy_has_a_name() -> None:
    files = (SEARCH / "strategies").glob("*.py")
    assert {name for file in files for name in written_in(file, r'name: ClassVar\[str\] = "(\w+)"')} | {RERANK} == set(
        STRATEGIES
    )


def test_every_reason_has_a_name() -> None:
    found = Path(searching.__file__)
    reasons = written_in(found, r'\("(\w+)", \w+\(') | written_in(found, r'\.rejected, "(\w+)":')
    assert reasons | written_in(Path(funnel.__file__), r'(?m)^ +"(\w+)":') == set(REASONS)


def test_every_route_has_a_name() -> None:
    assert set(ROUTES) == {route.value for route in Route}
