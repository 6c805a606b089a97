"""`scripts/setup` where it cannot succeed: each lack is one Spanish line with a way out, in a path with spaces."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cat", "cut", "dirname", "env", "flock", "grep", "mkdir", "rm", "sha256sum", "sh", "stat", "tail")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The files that the set-up reads, and one package that no index has."""
    place = tmp_path / "mis cosas" / "legajo"
    (place / "scripts").mkdir(parents=True)
    shutil.copy(REPOSITORY / "scripts" / "setup", place / "scripts" / "setup")
    shutil.copy(REPOSITORY / "pyproject.toml", place)
    (place / "requirements.lock").write_text(f"legajo-inexistente==1 --hash=sha256:{'0' * 64}\n", encoding="ascii")
    (place / "requirements-dev.lock").write_text("", encoding="ascii")
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


@pytest.mark.parametrize(
    ("system", "machine", "words"),
    [
        ("Darwin", "arm64", "esto es Darwin. Úselo en un contenedor"),
        ("Linux", "aarch64", "indique otro en DATABASE_URL"),
    ],
)
def test_on_another_system(clone: Path, programs: Path, system: str, machine: str, words: str) -> None:
    script = f'#!/bin/sh\n[ "$1" = -s ] && echo {system} || echo {machine}\n'
    (programs / "uname").write_text(script, encoding="ascii")
    (programs / "uname").chmod(0o755)
    assert words in _set_up(clone, programs).stderr


def test_with_an_option_that_it_does_not_know(clone: Path) -> None:
    command = [str(clone / "scripts" / "setup"), "--rapido"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "--rapido" in _only_error(done)


def test_with_an_extra_that_nobody_named(clone: Path) -> None:
    command = [str(clone / "scripts" / "setup"), "--with", "magia"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "no hay ningún extra «magia». Los que hay: " in _only_error(done)
    assert "transformers" in done.stderr


def _wheel(folder: Path) -> None:
    """A package of the name that the lock has, whose bytes are others."""
    about = "legajo_inexistente-1.dist-info"
    with zipfile.ZipFile(folder / "legajo_inexistente-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: legajo-inexistente\nVersion: 1\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")


def test_without_a_network_and_then_with_a_package_that_is_not_the_one_that_was_chosen(
    clone: Path, programs: Path, tmp_path: Path
) -> None:
    _real_python(programs)
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull}
    assert "revise la conexión a internet" in _only_error(_set_up(clone, programs, **nowhere))
    assert not list((clone / ".venv").glob("*.stamp"))
    _wheel(tmp_path)
    here = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    assert "no es el que se eligió" in _only_error(_set_up(clone, programs, **here))
    assert not list((clone / ".venv").glob("*.stamp"))


LISTS = sorted(each.name for each in REPOSITORY.glob("requirements*.txt"))


@pytest.mark.parametrize("name", LISTS)
def test_what_is_asked_for_is_chosen_and_has_digests(name: str) -> None:
    chosen = _chosen(REPOSITORY / name.replace(".txt", ".lock"))
    for line in (REPOSITORY / name).read_text(encoding="utf-8").splitlines():
        if wanted := line.partition("#")[0].strip():
            requirement = Requirement(wanted)
            versions = chosen[canonicalize_name(requirement.name)]
            assert all(requirement.specifier.contains(each) for each in versions), f"{wanted}: run scripts/lock"


def _chosen(lock: Path) -> dict[str, list[str]]:
    """The versions of each package; one without a digest, or from an address, is none."""
    text = lock.read_text(encoding="ascii").replace("\\\n", " ")
    assert "://" not in text
    chosen: dict[str, list[str]] = {}
    for line in filter(None, (each.partition("#")[0].strip() for each in text.splitlines())):
        pinned, *digests = line.split(" --hash=sha256:")
        assert digests, line
        assert all(re.fullmatch(r"\s*[0-9a-f]{64}\s*", each) for each in digests), line
        requirement = Requirement(pinned)
        (only,) = requirement.specifier
        assert only.operator == "==", line
        chosen.setdefault(canonicalize_name(requirement.name), []).append(only.version)
    return chosen


def test_the_lists_agree_and_bring_what_installs_the_program() -> None:
    run = _chosen(REPOSITORY / "requirements.lock")
    assert "setuptools" in run
    for name in LISTS:
        other = _chosen(REPOSITORY / name.replace(".txt", ".lock"))
        assert {
            package: each for package, each in other.items() if package in run and not set(each) <= set(run[package])
        } == {}


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


def test_the_locked_packages_are_all_that_is_needed() -> None:
    """They are installed without a look at what they ask for."""
    checked = subprocess.run([sys.executable, "-m", "pip", "check"], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
