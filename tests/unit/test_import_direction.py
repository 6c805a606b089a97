"""Imports point one way: `ui → assistant → rag_system`, and inside `rag_system` from the pipeline down to values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VALUES = {"types", "settings", "errors", "timing", "batches", "telemetry", "memory"}
MAY_IMPORT = {
    "types": {"types"},
    "errors": set[str](),
    "timing": set[str](),
    "telemetry": {"errors", "settings", "timing", "telemetry"},
    "batches": set[str](),
    "privacy": set[str](),
    "home": set[str](),
    "setting_values": {"errors"},
    "settings": {"errors", "home", "privacy", "setting_values"},
    "outcome": {"types"},
    "scope": {"types", "settings", "errors"},
    "memory": {"settings"},
    "background": set[str](),
    "query": {"types", "errors", "query"},
    "embeddings": {*VALUES, "embeddings", "background"},
    "storage": {*VALUES, "embeddings", "storage"},
    "search": {*VALUES, "query", "storage", "embeddings", "search"},
    "generation": {*VALUES, "query", "storage", "generation", "background"},
    "tasks": {*VALUES, "query", "storage", "generation", "scope", "tasks"},
    "ingestion": {*VALUES, "query", "storage", "embeddings", "ingestion", "background"},
    "viewing": {*VALUES, "ingestion", "viewing"},
    "interpretation": {*VALUES, "query", "storage", "embeddings", "search", "scope"},
    "pipeline": {
        *VALUES,
        "interpretation",
        "query",
        "storage",
        "embeddings",
        "search",
        "generation",
        "tasks",
        "outcome",
        "scope",
        "background",
    },
}
PACKAGES = {
    "rag_system": {"rag_system"},
    "assistant": {"rag_system", "assistant"},
    "api": {"rag_system", "assistant", "api"},
    "ui": {"rag_system", "assistant", "api", "ui"},
    "launcher": {"rag_system", "assistant", "launcher"},
    "benchmarks": {"rag_system", "assistant", "benchmarks"},
}


def modules(package: str) -> Iterator[Path]:
    return (ROOT / package).rglob("*.py")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_only_downwards(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules(package)
        for name in imported(path)
        if name.split(".")[0] in set(PACKAGES) - PACKAGES[package]
    ]
    assert wrong == []


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_downwards(room: str) -> None:
    folder = ROOT / "rag_system" / room
    paths = list(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    assert paths, f"there is no room called {room}"
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in imported(path)
        if name.startswith("rag_system.") and name.split(".")[1] not in MAY_IMPORT[room]
    ]
    assert wrong == []


def test_every_room_has_a_rule() -> None:
    rooms = {
        p.stem for p in (ROOT / "rag_system").iterdir() if p.suffix == ".py" or (p.is_dir() and any(p.glob("*.py")))
    }
    assert rooms - {"__init__", "__pycache__"} == set(MAY_IMPORT)
