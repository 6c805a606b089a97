"""`scripts/setup` where it cannot succeed: each lack is one Spanish line with a way out, in a path with spaces."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cat", "cut", "dirname", "env", "flock", "grep", "mkdir", "rm", "sha256sum", "sh", "stat", "tail")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files that the set-up reads, and one package that no index has."""
    place = tmp_path / "mis cosas" / "legajo"
    (place / "scripts").mkdir(parents=True)
    shutil.copy(REPOSITORY / "scripts" / "setup", place / "scripts" / "setup")
    shutil.copy(REPOSITORY / "pyproject.toml", place)
    (place / "requirements.txt").write_text("legajo-inexistente==1\n", encoding="ascii")
    (place / "requirements-dev.txt").write_text("", encoding="ascii")
    return place


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A directory with the ordinary tools and no Python."""
    place = tmp_path / "bin"
    place.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (place / name).symlink_to(found)
    return place


def _set_up(clone: Path, programs: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(programs), "HOME": str(clone), "LC_ALL": "C.UTF-8", **variables}
    return subprocess.run(
        [clone / "scripts" / "setup"], check=False, capture_output=True, text=True, env=environment, cwd="/"
    )


def _fake_python(programs: Path, *, name: str, version_status: int) -> None:
    """An interpreter that starts, passes or fails the question about its version, and has no venv."""
    script = (
        "#!/bin/sh\n"
        'case "$2" in\n'
        '  "") exit 0 ;;\n'
        f"  *version_info*) exit {version_status} ;;\n"
        "  *python_version*) echo 3.9.2 ;;\n"
        "  *) exit 1 ;;\n"
        "esac\n"
    )
    (programs / name).write_text(script, encoding="ascii")
    (programs / name).chmod(0o755)


def _real_python(programs: Path) -> None:
    (programs / "python3").symlink_to(Path(sys.executable).resolve())


def _only_error(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in done.stderr.splitlines() if line.startswith("scripts/setup: ")]
    assert done.returncode == 1
    assert len(lines) == 1
    assert lines[0] == done.stderr.splitlines()[-1]
    return lines[0]


def test_without_python(clone: Path, programs: Path) -> None:
    assert "falta Python 3.11 o posterior." in _only_error(_set_up(clone, programs))


def test_with_an_old_python_and_a_shim_that_leads_nowhere(clone: Path, programs: Path) -> None:
    _fake_python(programs, name="python3", version_status=1)
    (programs / "python3.13").write_text("#!/bin/sh\nexit 127\n", encoding="ascii")
    (programs / "python3.13").chmod(0o755)
    assert "solo está la versión 3.9.2" in _only_error(_set_up(clone, programs))


def test_with_a_python_that_lacks_venv(clone: Path, programs: Path) -> None:
    _fake_python(programs, name="python3", version_status=0)
    assert "apt install python3-venv" in _only_error(_set_up(clone, programs))


def test_with_an_option_that_it_does_not_know(clone: Path) -> None:
    command = [str(clone / "scripts" / "setup"), "--rapido"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "--rapido" in _only_error(done)


def test_with_an_extra_that_nobody_named(clone: Path) -> None:
    command = [str(clone / "scripts" / "setup"), "--with", "magia"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "no hay ningún extra «magia». Los que hay: " in _only_error(done)
    assert "transformers" in done.stderr


def test_without_a_network(clone: Path, programs: Path) -> None:
    _real_python(programs)
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull}
    done = _set_up(clone, programs, **nowhere)
    assert "revise la conexión a internet" in _only_error(done)
    assert not list((clone / ".venv").glob("*.stamp"))


@pytest.fixture
def full_clone(clone: Path) -> Iterator[Path]:
    """The same on a file system with hardly any room, where this process may mount one."""
    disk = clone.parent / "disco"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m,mode=0755", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(["mount", *options], check=False, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount")
    shutil.copytree(clone, disk / "legajo")
    yield disk / "legajo"
    subprocess.run(["umount", str(disk)], check=True)


def test_on_a_full_disk(full_clone: Path, programs: Path) -> None:
    _real_python(programs)
    assert "no queda espacio en el disco" in _only_error(_set_up(full_clone, programs))
