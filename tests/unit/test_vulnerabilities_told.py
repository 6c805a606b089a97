"""`scripts/audit`: what nobody could be asked about is told, and has not passed."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

verdict = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "audit"))["verdict"]

# As pip-audit 2.10 writes them.
SOUND = {"name": "idna", "version": "3.11", "vulns": []}
FLAWED = {
    "name": "lxml",
    "version": "6.1.0",
    "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["6.1.1"], "aliases": []}],
}
SKIPPED = {"name": "olefile", "skip_reason": "Dependency not found on PyPI and could not be audited: olefile (0.47)"}


def report(*packages: dict[str, Any]) -> dict[str, Any]:
    return {"dependencies": list(packages), "fixes": []}


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (report(SOUND), 0, "Consultados: 1 de 1. Vulnerabilidades conocidas: 0."),
        (report(SOUND, FLAWED), 1, "lxml 6.1.0: PYSEC-2026-1, corregida en 6.1.1"),
        (report(SOUND, SKIPPED), 2, "NO SE SABE de olefile: no se pudo consultar ningún aviso."),
        (report(FLAWED, SKIPPED), 1, "NO SE SABE de olefile"),
        (report(SKIPPED), 2, "Consultados: 0 de 1."),
        (report(), 2, "NO SE SABE de ningún paquete"),
        (None, 2, "NO SE SABE de ningún paquete"),  # it could not even begin
    ],
)
def test_only_what_was_asked_about_and_is_sound_passes(given: dict[str, Any] | None, code: int, words: str) -> None:
    told, ended = verdict(given)
    assert ended == code
    assert words in " ".join(told)
