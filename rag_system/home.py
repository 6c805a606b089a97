"""Where the program keeps its things, and where a `.env` of it may stand."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["default_home", "env_files"]

_SOURCE = Path(__file__).resolve().parent.parent  # the checkout


def default_home() -> Path:
    """The platform's user data directory.

    For root it is `/var/lib/legajo`: PostgreSQL refuses to run as root, and the user it runs as cannot read
    below `/root`.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/legajo")
    return user_data_path("legajo", appauthor=False)


def env_files() -> tuple[Path, ...]:
    """Where a `.env` may stand; of two values the last file's counts.

    Never the working directory: a folder that somebody shared could send a key to a server of their own.
    """
    beside = _SOURCE / ".env"
    try:
        home = Path(os.environ.get("LEGAJO_HOME") or default_home()).expanduser()
    except RuntimeError:  # «~nobody/…»: the field itself will complain
        return (beside,)
    return beside, home / ".env"
