"""Which tests stay together where several processes (pytest-xdist) run them: those that share what is costly to set up.

A file's tests do, for the fixtures of their module, and so do all that share a chat, a library or an indexed home.
Files come in the order of their names, so that the many short ones of `tests/unit` fill up the end.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

__all__ = ["Together"]

_SHARING = ("tests/acceptance/", "tests/browser/", "tests/hostile/", "tests/integration/test_ui_")


class Together(LoadScopeScheduling):
    """Gives each process a file, or all of those that share, until none is left."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next(filter(file.startswith, _SHARING), file)
