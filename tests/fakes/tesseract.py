"""A small program in Tesseract's place, and whether the real one is there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

__all__ = ["has_spanish", "install"]

# Speaks the real table of words, and keeps the size of the picture that it was given.
_FAKE = """#!{python}
import contextlib, sys
if "--list-langs" in sys.argv:
    print("List of available languages (2):\\neng\\nspa")
    sys.exit()
image = sys.stdin.buffer.read()
with contextlib.suppress(PermissionError):  # whoever is asked by the process that reads files writes none
    open({seen!r}, "a").write(" ".join(sys.argv[1:]) + "|" + image[:20].split(b"255")[0].decode() + "\\n")
print("level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext")
print("1\\t1\\t0\\t0\\t0\\t0\\t0\\t0\\t2480\\t3508\\t-1\\t")
for line, (words, confidence) in enumerate({lines!r}, 1):
    for at, word in enumerate(words.split()):
        place = [1, 1, min(line, 2), line, at + 1, 200 * at, 50 * line, 180, 40]
        print("5", *place, confidence, word, sep="\\t")
"""


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: tuple[str, float]) -> Path:
    """Find these lines, each with how sure it is, on every page; the file says what was asked."""
    seen, program = folder / "seen", folder / "tesseract"
    python = Path(sys.executable).resolve()  # a first line knows no spaces, as in the name of a folder
    program.write_text(_FAKE.format(python=python, seen=str(seen), lines=lines), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return seen


def has_spanish() -> bool:
    """Whether Tesseract is installed with Spanish."""
    program = shutil.which("tesseract")
    if program is None:
        return False
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)
    return "spa" in listed.stdout.split()
