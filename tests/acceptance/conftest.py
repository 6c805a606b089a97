"""A home whose project `general` holds the sample documents, indexed once with the real embedding model."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from assistant.cli import main
from rag_system.storage.embedded import EmbeddedServer

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
        check=False,
    )


def run_here(home: Path, arguments: Sequence[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """What `run_legajo` does, in this process: to start Python, import the product and load its model costs more than
    most commands.
    """
    out, error = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    command = ["legajo", *map(str, arguments)]
    code: object = 0
    with pytest.MonkeyPatch.context() as patch, kept_signals(), redirect_stdout(out), redirect_stderr(error):
        patch.setattr(sys, "argv", command)
        patch.chdir(home)
        for name, value in {"LEGAJO_HOME": str(home), **environment}.items():
            patch.setenv(name, value)
        try:
            main()
        except SystemExit as end:
            code = end.code
    texts = (each.buffer.getvalue().decode() for each in (out, error))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(command, int(str(code or 0)), *texts)


@contextmanager
def kept_signals() -> Iterator[None]:
    """The command takes the signals for itself, as its process ends with it, and hears what is swallowed of them."""
    hook = sys.unraisablehook
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in handlers.items():
            signal.signal(number, handler)


@pytest.fixture(scope="session")
def untouched_home(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """Made by the installed command, and used by nobody: homes that begin with the samples are copies of it."""
    home = tmp_path_factory.mktemp("untouched")
    (home / "cache").symlink_to(cache)
    done = run_legajo(home, ["ingest", SAMPLES])
    assert done.returncode == 0, done.stderr
    return home


def copy_home(untouched: Path, home: Path) -> None:
    """All of it, into a folder that is there: a fraction of the work of embedding the samples again."""
    subprocess.run(["cp", "-a", "--", f"{untouched}/.", home], check=True)


@pytest.fixture(scope="session")
def made_home(tmp_path_factory: pytest.TempPathFactory, untouched_home: Path) -> Path:
    home = tmp_path_factory.mktemp("legajo")
    copy_home(untouched_home, home)
    return home


@pytest.fixture(scope="session")
def held_server(made_home: Path) -> Iterator[EmbeddedServer]:
    """The server of the home, which no command has to start and to stop."""
    with EmbeddedServer(made_home / "postgresql") as server:
        yield server


@pytest.fixture
def free_home(made_home: Path, held_server: EmbeddedServer) -> Iterator[Path]:
    """The home with the samples, while nobody uses its server."""
    held_server.release()
    yield made_home
    held_server.acquire()


@pytest.fixture(scope="session")
def sample_home(made_home: Path, held_server: EmbeddedServer) -> Path:
    return made_home


@pytest.fixture(scope="session")
def legajo(sample_home: Path) -> Legajo:
    """`legajo ARGUMENTS…` on the home with the samples."""
    return lambda *arguments, **environment: run_here(sample_home, arguments, **environment)


@pytest.fixture(scope="session")
def of_norms(legajo: Legajo) -> tuple[str, str]:
    """The option that names the project of `evaluation/vigencia`, apart because its norms have the names of others."""
    project = ("--project", "normas")
    done = legajo("ingest", ROOT / "evaluation" / "vigencia", *project)
    assert done.returncode == 0, done.stderr
    return project
