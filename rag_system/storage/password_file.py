"""The password of the embedded PostgreSQL: a file in libpq's format that only its owner reads.

Nothing here knows the server; what is written here becomes its password in `cluster.py`.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

__all__ = ["PasswordFile", "write_private"]

_PASSWORD_BYTES = 32  # random, written as twice as many hexadecimal digits


class PasswordFile:
    """One line, `*:*:*:role:password`, at `path`."""

    def __init__(self, path: Path, *, role: str) -> None:
        self.path = path
        self._start = f"*:*:*:{role}:"

    def ensure(self) -> bool:
        """Make the file if there is none of ours; tell whether it is new."""
        if self._is_ours():
            if stat.S_IMODE(self.path.stat().st_mode) != 0o600:
                self.path.chmod(0o600)  # libpq ignores a file that others can read
            return False
        self.put_aside()
        fresh = self.path.with_name("password.new")
        write_private(fresh, f"{self._start}{secrets.token_hex(_PASSWORD_BYTES)}\n")
        fresh.replace(self.path)
        return True

    def read(self) -> str:
        """The password: hexadecimal digits."""
        return self.path.read_text(encoding="ascii").strip().removeprefix(self._start)

    def put_aside(self) -> None:
        """Make room for a new one, and keep what is there for its owner to look at."""
        with suppress(FileNotFoundError):
            self.path.replace(self.path.with_name("password.apartada"))

    def discard(self) -> None:
        """Remove one that the server never took."""
        self.path.unlink()

    def _is_ours(self) -> bool:
        if not self.path.is_file():
            return False
        line = self.path.read_text(encoding="ascii", errors="replace").strip()
        return re.fullmatch(rf"{re.escape(self._start)}[0-9a-f]{{{2 * _PASSWORD_BYTES}}}", line) is not None


def write_private(path: Path, text: str) -> None:
    """Write a whole new file, for its owner alone, and see it on the disk."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
