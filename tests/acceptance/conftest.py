"""A home whose project `general` holds the sample documents, indexed once with the real embedding model."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "documents"

COMMAND = Path(sys.executable).with_name("legajo")

Legajo = Callable[..., subprocess.CompletedProcess[str]]


def clean_environment(home: Path) -> dict[str, str]:
    """Nothing of the developer's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "LEGAJO_HOME": str(home)}


def run_legajo(home: Path, arguments: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a person would, outside the checkout."""
    return subprocess.run(
        [COMMAND, *arguments],
        env={**clean_environment(home), **environment},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    home = tmp_path_factory.mktemp("legajo")
    (home / "cache").symlink_to(cache)
    done = run_legajo(home, ["ingest", SAMPLES])
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="session")
def legajo(sample_home: Path) -> Legajo:
    """`legajo ARGUMENTS…` on the home with the samples."""
    return lambda *arguments, **environment: run_legajo(sample_home, arguments, **environment)
