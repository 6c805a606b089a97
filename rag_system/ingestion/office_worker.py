"""The child of `office.py`: has LibreOffice write one old office file anew, in a format that the loaders read.

Arguments: the folder that it may write in, the file there, the format («docx»), LibreOffice's program, MiB of address
space, seconds of the processor, and the pipe that the parent holds for as long as it lives. It ends with 0 when
LibreOffice says that it has done it: the result stands beside the file, with the format as its suffix.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rag_system.ingestion.confinement import allow_time, confine, die_with_writer
from rag_system.ingestion.isolation import isolate
from rag_system.ingestion.linux_sandbox import die_with_parent

__all__ = ["main"]

_MOST_FILES = 512  # open at a time
_MOST_WRITTEN_BYTES = 2**30
_FONTS = Path("/var/cache/fontconfig")  # looking through all fonts anew takes some seconds
_AGAIN = 81  # how it ends the first time that it sees a profile

# Nothing in a document is run, nothing it names is fetched; Java is not looked for.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}
</oor:items>
"""
_ITEM = (
    '<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
)
_VALUES = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Office.Common/Security/Scripting", "DisableOLEAutomation", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", "0"),
    ("Office.Calc/Content/Update", "Link", "2"),
    ("Office.Java/VirtualMachine", "Enabled", "false"),
)


def main() -> None:
    """Convert one file."""
    folder, file, target, program = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    memory_mb, seconds, lifeline = int(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7])
    die_with_writer(lifeline)
    os.environ.update(HOME=str(folder), TMPDIR=str(folder))
    profile = _profile(folder)
    confine(memory_mb=memory_mb, written_bytes=_MOST_WRITTEN_BYTES, files=_MOST_FILES)
    isolate(own=folder, readable=_parts(program.parent.parent))
    allow_time(seconds)
    options = ["--headless", "--norestore", "--nolockcheck", f"-env:UserInstallation={profile.as_uri()}"]
    command = [str(program), *options, "--convert-to", target, "--outdir", str(folder), str(file)]
    ended = _run(command)
    sys.exit(_run(command) if ended == _AGAIN else ended)


def _profile(folder: Path) -> Path:
    """A person's settings, for one file."""
    profile = folder / "perfil"
    (profile / "user").mkdir(parents=True)
    items = "\n".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _VALUES)
    (profile / "user" / "registrymodifications.xcu").write_text(_SETTINGS.format(items=items), encoding="utf-8")
    return profile


def _parts(office: Path) -> list[Path]:
    """Where LibreOffice is, and where Debian keeps what may change of it: its folder has links there."""
    inside = (each for pattern in ("*/*", "*/*/*") for each in office.glob(pattern))
    return [office, _FONTS, *{each.resolve() for each in inside if each.is_symlink()}]


def _run(command: list[str]) -> int:
    done = subprocess.run(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent,  # there are no threads here
        check=False,
    )
    return done.returncode


if __name__ == "__main__":
    main()
