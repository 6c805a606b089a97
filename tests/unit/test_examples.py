"""What an example in a docstring says comes out of it."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("rag_system", "assistant", "api", "ui", "evaluation", "training")
WITH_EXAMPLES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for package in PACKAGES
    for file in sorted((ROOT / package).rglob("*.py"))
    if ">>>" in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_of_a_module_hold(module: str) -> None:
    found = doctest.testmod(import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted
    assert not found.failed
