"""docs/reference/api.md says what the API takes and gives, and so does its OpenAPI document."""

from __future__ import annotations

import runpy
from pathlib import Path

from api.app import ENDPOINTS
from api.openapi import document

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
