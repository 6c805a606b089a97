"""The built wheel: all that the product reads is in it, and installed elsewhere it is the same product."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.faults.processes import DEADLINE_S, free_port

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "assistant", "launcher", "rag_system", "ui")


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """What the repository has of the packages."""
    listed = subprocess.run(["git", "ls-files", "-z", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    return listed.stdout.rstrip("\0").split("\0")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, tracked: list[str]) -> Path:
    """Built from a copy: building leaves files where it builds."""
    copied, built = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("wheel")
    about = [each.name for each in ROOT.iterdir() if each.suffix in (".toml", ".txt", ".md") or each.name == "LICENSE"]
    for name in (*about, *tracked):
        (copied / name).parent.mkdir(parents=True, exist_ok=True)
        (copied / name).write_bytes((ROOT / name).read_bytes())
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, copied)
    return next(built.glob("legajo-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which Python finds the installed product before any other."""
    site, home = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("home")
    (home / "cache").symlink_to(cache)
    _pip("install", "--no-deps", "--target", site, wheel)
    return {**os.environ, "PYTHONPATH": str(site), "LEGAJO_HOME": str(home)}


def _pip(*arguments: object) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", *map(str, arguments)]
    subprocess.run(pip, check=True)


def _legajo(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-c", "from assistant.cli import main; main()", *arguments]


def _said(environment: dict[str, str], folder: Path, arguments: Sequence[str]) -> str:
    """What it writes, run from a folder that is not the repository."""
    command = _legajo(*arguments)
    return subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True).stdout


def test_the_wheel_has_each_file_of_the_packages(wheel: Path, tracked: list[str]) -> None:
    with ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.split("/")[0] in PACKAGES}
    assert shipped == set(tracked)


def test_installed_elsewhere_it_answers_and_opens_the_chat(installed: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "norma.md").write_text("# Almacén\n\nEl almacén atiende de 8:00 a 16:30.\n", encoding="utf-8")
    _said(installed, tmp_path, ["ingest", "norma.md"])
    answer = json.loads(_said(installed, tmp_path, ["ask", "¿A qué hora atiende el almacén?", "--json"]))
    assert [each["path"] for each in answer["citations"]] == ["norma.md"]
    port = str(free_port())
    command = _legajo("serve", "--no-browser", "--no-worker", "--port", port)
    with subprocess.Popen(command, env=installed, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as chat:
        try:
            assert chat.stdout is not None
            chat.stdout.readline()
            with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(chat.stdout.readline()) as page:
                assert page.status == 200
            chat.send_signal(signal.SIGTERM)
            assert chat.wait(DEADLINE_S) == 128 + signal.SIGTERM
        finally:
            chat.kill()
