"""The chat and the worker in processes of their own, forked from one that has imported what they need."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Mapping, Sequence

from assistant.cli import main

__all__ = ["launch", "serve", "work"]


def serve(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """`python -m ui.serving ARGUMENTS…`."""
    _become(["ui.serving", *arguments], environment)
    runpy.run_module("ui.serving", run_name="__main__")


def launch(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """`legajo serve ARGUMENTS…`, which starts the chat in a process of its own."""
    _become(["legajo", "serve", *arguments], environment)
    main()


def work(environment: Mapping[str, str]) -> None:
    """`legajo worker`."""
    _become(["legajo", "worker"], environment)
    main()


def _become(command: list[str], environment: Mapping[str, str]) -> None:
    sys.argv = command
    os.environ.clear()
    os.environ.update(environment)
