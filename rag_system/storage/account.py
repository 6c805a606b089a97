"""The operating-system account that the embedded PostgreSQL runs as.

PostgreSQL refuses to run as root, so root lends it another account, and that account cannot enter the private
directories of root. Where permission bits are not enough it also gets one capability: to read and search directories.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rag_system.errors import EmbeddedServerError

__all__ = ["ServerAccount", "choose_account"]

# Either lets a process enter any directory. The first is the smaller one; containers often only grant the second.
_CAPABILITIES = ("dac_read_search", "dac_override")
_SYSTEM_ACCOUNTS = ("postgres", "nobody")
_LOCK_DESCRIPTOR = 3  # in the server, where descriptors 0 to 2 are the usual ones
# PostgreSQL's own messages must be English and its time zone fixed; the person's PG* variables must not reach it.
_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAccount:
    """Who runs PostgreSQL's programs: this process's own account, or for root a lesser one."""

    uid: int
    gid: int
    borrowed: bool  # root lends it
    capability: str = ""  # extra right, only where needed

    def own(self, path: Path) -> None:
        """Hand a path over to the account."""
        if self.borrowed and path.stat().st_uid != self.uid:
            os.chown(path, self.uid, self.gid)

    def own_tree(self, top: Path) -> None:
        """Hand over a directory with all it holds, as after a restored backup that root unpacked."""
        for directory, folders, files in os.walk(top):
            for name in (*folders, *files):
                os.chown(Path(directory, name), self.uid, self.gid, follow_symlinks=False)
        self.own(top)

    def run(self, command: Sequence[str | Path], *, text: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program to its end as the account, with nothing of this process's environment."""
        return subprocess.run(
            [*self._prefix(), *map(str, command)],
            input=text,
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            cwd="/",
            env=_ENVIRONMENT,
        )

    def spawn(self, command: Sequence[str | Path], *, log: Path, lock: int) -> int:
        """Start a program that stays, in a session of its own so that the terminal's Ctrl-C spares it.

        It inherits nothing but its log and the locked descriptor. Returns its process id.
        """
        arguments = [*self._prefix(), *map(str, command)]
        return os.posix_spawn(
            arguments[0],
            arguments,
            _ENVIRONMENT,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, lock, _LOCK_DESCRIPTOR),
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
            setsigmask=(),
            setsigdef=(signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ),  # Python ignores the last two
        )

    def _prefix(self) -> list[str]:
        if not self.borrowed:
            return []
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            raise EmbeddedServerError(
                "Falta el programa «setpriv» (paquete util-linux), que root necesita para iniciar PostgreSQL: "
                "instálelo o ejecute Legajo con un usuario normal."
            )
        change = [setpriv, f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups"]
        if self.capability:
            change += [f"--inh-caps=+{self.capability}", f"--ambient-caps=+{self.capability}"]
            change += ["--securebits=+no_setuid_fixup"]  # or access(2), which initdb asks, ignores the capability
        return change

    def reaching(self, *, programs: Path, root: Path) -> ServerAccount:
        """The account with the least right that lets it run `programs` and enter `root`."""
        if not self.borrowed:
            return self
        for capability in ("", *_CAPABILITIES):
            candidate = replace(self, capability=capability)
            if candidate._can_reach(programs, root):
                return candidate
        raise EmbeddedServerError(
            f"El usuario «{pwd.getpwuid(self.uid).pw_name}», con el que root inicia PostgreSQL, no puede entrar en "
            f"{root} o en {programs}: elija en LEGAJO_HOME una carpeta como /var/lib/legajo, ponga el programa en una "
            "como /opt/legajo, o ejecute Legajo con un usuario normal."
        )

    def _can_reach(self, programs: Path, root: Path) -> bool:
        test = 'test -x "$1/postgres" && test -r "$1/../share/postgres.bki" && test -x "$2"'
        return self.run(["/bin/sh", "-c", test, "sh", programs, root]).returncode == 0


def choose_account(data: Path) -> ServerAccount:
    """The account for a data directory: whoever owns it already, else this process's, else a system account."""
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0:
        return ServerAccount(uid=uid, gid=gid, borrowed=False)
    owner = data.stat() if data.exists() else None
    if owner is not None and owner.st_uid != 0:
        return ServerAccount(uid=owner.st_uid, gid=owner.st_gid, borrowed=True)
    for name in _SYSTEM_ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return ServerAccount(uid=entry.pw_uid, gid=entry.pw_gid, borrowed=True)
    raise EmbeddedServerError(
        "PostgreSQL no funciona como root y no hay un usuario «postgres» ni «nobody»: "
        "cree uno con «useradd --system postgres» o ejecute Legajo con un usuario normal."
    )
