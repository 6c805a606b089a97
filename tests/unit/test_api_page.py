"""docs/reference/api.md says what the API takes and gives, and so does its OpenAPI document."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import StringConstraints, TypeAdapter, ValidationError

from api.app import ENDPOINTS
from api.openapi import document
from rag_system.errors import InputError
from rag_system.storage.projects import LONGEST_NAME, check_name

SCRIPT = Path(__file__).parents[2] / "scripts" / "api_table.py"


def test_the_page_is_current() -> None:
    script = runpy.run_path(str(SCRIPT))
    assert script["PAGE"].read_text(encoding="utf-8") == script["page"](), "run scripts/api_table.py"


def test_each_endpoint_and_each_definition_stands_in_the_openapi_document() -> None:
    told = document(ENDPOINTS)
    operations = [operation for path in told["paths"].values() for operation in path.values()]
    assert len(operations) == len(ENDPOINTS)
    assert len({each["operationId"] for each in operations}) == len(ENDPOINTS)
    assert {each.body.__name__ for each in ENDPOINTS if each.body} <= set(told["components"]["schemas"])


def _described(told: dict[str, Any]) -> TypeAdapter[str]:
    lengths = {"min_length": told["minLength"], "max_length": told["maxLength"]}
    return TypeAdapter(Annotated[str, StringConstraints(pattern=told["pattern"], **lengths)])


NAMES = [
    _described(place["schema"])
    for path in document(ENDPOINTS)["paths"].values()
    for operation in path.values()
    for place in operation["parameters"]
    if place["name"] == "project"
] + [_described(document(ENDPOINTS)["components"]["schemas"]["CompletionRequest"]["properties"]["model"])]


@example("obras públicas")
@example("  ")
@example(" a ")
@example("a\u00a0b")
@example("a\n")
@example("x" * LONGEST_NAME)
@example("x" * (LONGEST_NAME + 1))
@given(st.text(st.characters(exclude_categories=["Cs", "Cn"])))  # what is unassigned depends on the edition of Unicode
def test_what_a_project_may_be_called_is_what_the_openapi_document_says(name: str) -> None:
    """A program that keeps to the document is not told that its name is no name."""
    for described in NAMES:
        assert _passes(described.validate_python, name) == _passes(check_name, name)


def _passes(check: Callable[[str], object], name: str) -> bool:
    try:
        check(name)
    except (InputError, ValidationError):
        return False
    return True
