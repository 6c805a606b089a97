"""A home whose project `general` holds the sample documents, indexed once with the real embedding model."""

from __future__ import annotations

import io
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from assistant.cli import main
from rag_system.embeddings import E5Embeddings
from rag_system.storage.embedded import EmbeddedServer

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "documents"

COMMAND = Path(sys.executable).with_name("legajo")

Done = subprocess.CompletedProcess[str]
Legajo = Callable[..., Done]


def clean_environment(home: Path) -> dict[str, str]:
    """Nothing of the developer's own settings."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "LEGAJO_HOME": str(home)}


def run_legajo(home: Path, *arguments: str | Path) -> Done:
    """Run the installed command as a person would, outside the checkout."""
    return subprocess.run(
        [COMMAND, *arguments],
        env=clean_environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )


def call_legajo(home: Path, arguments: Sequence[str | Path], environment: dict[str, str]) -> Done:
    """The same in this process, which has imported everything: all of the command but its start and its signals."""
    words = ["legajo", *map(str, arguments)]
    out, error, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, kept_signals(), redirect_stdout(out), redirect_stderr(error):
        patch.setattr(sys, "argv", words)
        patch.setattr(logging.root, "handlers", [])  # what nobody handles goes to standard error
        patch.chdir(home)
        for name, value in {**environment, "LEGAJO_HOME": str(home)}.items():
            patch.setenv(name, value)
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(words, code, out.getvalue(), error.getvalue())


@contextmanager
def kept_signals() -> Iterator[None]:
    """A command hears them in its own way, and at its end no more."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    home = tmp_path_factory.mktemp("legajo")
    (home / "cache").symlink_to(cache)
    done = run_legajo(home, "ingest", SAMPLES)
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="session")
def legajo(sample_home: Path, cache: Path) -> Iterator[Legajo]:
    """`legajo ARGUMENTS…` on the home with the samples, whose server goes on and whose model is loaded once."""
    model = E5Embeddings(cache_dir=cache)
    with pytest.MonkeyPatch.context() as patch, EmbeddedServer(sample_home / "postgresql"):
        patch.setattr("assistant.assistant.load_embeddings", lambda _: model)
        yield lambda *arguments, **environment: call_legajo(sample_home, arguments, environment)
