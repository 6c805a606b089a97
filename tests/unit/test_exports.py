"""What a module offers stands in its `__all__`; the rest is its own. Read from the source: nothing is imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("rag_system", "assistant", "ui", "launcher", "benchmarks")
    for path in sorted((ROOT / package).rglob("*.py"))
}
# Packages whose `__init__` offers what the rest of the program may use. The others are named module by module.
FRONTS = ("rag_system.embeddings", "rag_system.types")


@cache
def body(module: str) -> list[ast.stmt]:
    return ast.parse(MODULES[module].read_text(encoding="utf-8")).body


def bound(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that the top level of a module gives a meaning."""
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.split(".")[0] for alias in names)
            case ast.If(body=inside) | ast.With(body=inside) | ast.Try(body=inside):
                yield from bound(inside)


def exported(module: str) -> list[str] | None:
    for statement in body(module):
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
            ):
                names: list[str] = ast.literal_eval(value)
                return names
    return None


def imports(module: str) -> Iterator[tuple[str, str]]:
    """Our own modules that a module imports from, each with the name it takes."""
    for node in (each for statement in body(module) for each in ast.walk(statement)):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield from ((node.module, alias.name) for alias in node.names)


def order(name: str) -> tuple[int, list[str | int]]:
    """Constants, then classes, then the rest; numbers inside names count as numbers."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


@cache
def with_code() -> list[str]:
    return [module for module in MODULES if any(not isinstance(each, ast.Expr) for each in body(module))]


def test_all_is_there_sorted_and_true() -> None:
    told = {module: exported(module) for module in with_code()}
    assert [module for module, names in told.items() if names is None] == [], "__all__ is missing"
    assert [module for module, names in told.items() if names != sorted(set(names or ()), key=order)] == []
    assert [module for module, names in told.items() if not set(names or ()) <= set(bound(body(module)))] == []


def test_only_what_is_offered_is_imported() -> None:
    private = {
        (module, f"{source}.{name}")
        for module in with_code()
        for source, name in imports(module)
        if f"{source}.{name}" not in MODULES and name not in (exported(source) or ())
    }
    assert private == set()


@pytest.mark.parametrize("front", FRONTS)
def test_a_front_offers_what_others_use(front: str) -> None:
    used = {
        name
        for module in MODULES
        if not f"{module}.".startswith(f"{front}.")
        for source, name in imports(module)
        if f"{source}.".startswith(f"{front}.") and f"{source}.{name}" not in MODULES
    }
    assert used - set(exported(front) or ()) == set()
