"""Temporary folders: removed by who made them, and after a crash by the next program, never while in use."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rag_system.ingestion.temporary import remove_leftovers, temporary_folder

_KILLED = """
import os, signal, sys, tempfile
from rag_system.ingestion.temporary import temporary_folder
tempfile.tempdir = sys.argv[1]
with temporary_folder() as folder:
    (folder / "documento.pdf").write_bytes(b"x")
    os.kill(os.getpid(), signal.SIGKILL)
"""
_LONG_AGO = (1_000_000_000, 1_000_000_000)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_removed_with_what_it_holds(temporary: Path) -> None:
    with temporary_folder() as folder:
        (folder / "a.txt").write_text("a", encoding="utf-8")
        assert folder.parent == temporary
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_is_removed(temporary: Path) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(temporary)], check=False)
    (left,) = temporary.iterdir()
    remove_leftovers()
    assert left.exists(), "too young: its process may be about to lock it"
    os.utime(left, _LONG_AGO)
    remove_leftovers()
    assert list(temporary.iterdir()) == []


def test_what_is_in_use_or_not_ours_stays(temporary: Path) -> None:
    others, link = temporary / "legajo-0123abcd", temporary / "legajo-archivo-enlace"
    others.mkdir()
    link.symlink_to(others)
    with temporary_folder() as folder:
        for each in (folder, others):
            os.utime(each, _LONG_AGO)
        remove_leftovers()
        assert folder.is_dir()
    assert {each.name for each in temporary.iterdir()} == {"legajo-0123abcd", "legajo-archivo-enlace"}
