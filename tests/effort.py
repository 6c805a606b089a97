"""How hard properties are searched for counterexamples: the same ones each time in CI, and for long on demand.

`CI` is set where one failure stops others, `HYPOTHESIS_PROFILE=slow` by `scripts/test --slow`.
"""

from __future__ import annotations

import os

from hypothesis import settings

__all__ = ["IS_SLOW", "choose_profile", "examples"]

IS_SLOW = os.environ.get("HYPOTHESIS_PROFILE") == "slow"
_TIMES = 20


def examples(usual: int) -> int:
    """How many examples a property is tried on that costs more, or is worth more, than most."""
    return usual * _TIMES if IS_SLOW else usual


def choose_profile() -> None:
    """The machine may be busy: no example has a deadline."""
    settings.register_profile("usual", deadline=None)
    settings.register_profile("ci", deadline=None, derandomize=True, database=None)
    settings.register_profile("slow", deadline=None, max_examples=examples(100))
    settings.load_profile("slow" if IS_SLOW else "ci" if os.environ.get("CI") else "usual")
