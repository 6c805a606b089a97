"""What the process that reads files may reach: no network, no other process, no file but Python's and the system's own.

A document that takes a parser over finds no key, no password and nobody to tell them to. The documents themselves come
as open files (`handover.py`). `confinement.py` says how much the process may use. Each defence stands for itself: where
a system lacks one, the others hold.
"""

from __future__ import annotations

import mimetypes
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rag_system.ingestion import linux_sandbox

__all__ = ["isolate"]

_PACKAGE = Path(__file__).resolve().parents[1]
# Of systemd's table of user ids (systemd.io/UIDS-GIDS) the range 60706 to 61183 is nobody's: whoever has such a number
# owns no file and no other process, as «nobody» might.
_READER_ID = 60_931

# Programs (Tesseract), libraries, fonts, languages and time zones; of /etc only what holds no secret.
_SYSTEM = (
    "/usr /bin /sbin /lib /lib32 /lib64 /nix/store "
    "/etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives /etc/fonts /etc/localtime "
    "/dev/null /dev/zero /dev/urandom /proc/cpuinfo /proc/meminfo /sys/devices/system/cpu"
).split()
_FOLDERS = ("TESSDATA_PREFIX", "LD_LIBRARY_PATH", "PATH")


def isolate(*, own: Path | None = None, readable: Iterable[Path] = ()) -> None:
    """Give up, for good, whatever reading documents does not need. Before there are threads.

    own: a folder in which files may be made; readable: what may be read and run besides.
    """
    known = [*_readable(), *readable]  # looked up while everything may be
    mine = [own] if own is not None else []
    linux_sandbox.forbid_new_privileges()
    linux_sandbox.restrict_files(readable=known, listable=[_PACKAGE.parent], writable=[Path(os.devnull)], own=mine)
    if os.geteuid() == 0 and not _become_reader(mine):
        linux_sandbox.drop_capabilities()
    linux_sandbox.deny_system_calls(pretends=own is not None)


def _readable() -> Iterator[Path]:
    yield from map(Path, _SYSTEM)
    yield from map(Path, mimetypes.knownfiles)  # which Python reads for who asks it for a type, as openpyxl does
    yield from (Path(each) for each in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
    yield _PACKAGE  # and not what stands beside it in a checkout: there may be a `.env`
    yield from (folder for each in sys.path if each and (folder := Path(each)).resolve() != _PACKAGE.parent)
    for variable in _FOLDERS:
        yield from (Path(each) for each in os.environ.get(variable, "").split(os.pathsep) if Path(each).is_absolute())


def _become_reader(own: Iterable[Path] = ()) -> bool:
    """Change from root to an account that owns nothing but `own` folders; not where it could not read Python."""
    try:
        os.setegid(_READER_ID)
        os.seteuid(_READER_ID)
        reaches = all(os.access(each, os.R_OK | os.X_OK, effective_ids=True) for each in _needed())
        os.seteuid(0)
        os.setegid(0)
        if not reaches:
            return False
        for folder in own:
            for each in (folder, *folder.rglob("*")):
                os.chown(each, _READER_ID, _READER_ID, follow_symlinks=False)
        os.setgroups([])
        os.setresgid(_READER_ID, _READER_ID, _READER_ID)
        os.setresuid(_READER_ID, _READER_ID, _READER_ID)
    except OSError:  # a container that knows no such number
        return False
    return True


def _needed() -> Iterator[Path]:
    yield _PACKAGE
    yield Path(os.__file__).parent
    yield Path(sys.prefix)
