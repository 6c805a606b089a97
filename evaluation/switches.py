"""Parts of the product that can be switched off, and where they do something: a rule, a table, a cue, a weight.

A part stands in some modules under a name; switched off, something else stands there. What it does is watched, so that
only the questions are asked again for which it did something.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np

import rag_system

__all__ = ["NEVER", "Part", "as_it_was", "caches", "each_function", "each_pattern", "giving", "instead", "modules_of"]

NEVER = re.compile(r"(?!)")
_PRODUCT = "rag_system."
_EMPTY: dict[str, Any] = {  # what a function gives that finds nothing, by what it says that it gives
    "bool": False, "str": "", "list": [], "Sequence": [], "tuple": (), "frozenset": frozenset[str](), "set": set[str](),
    "dict": {}, "Mapping": {}, "Iterator": (), "Iterable": (),
}  # fmt: skip

Tell = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Part:
    """What stands in some places of the product, below `rag_system`, and what stands there without it."""

    off: Any
    places: tuple[str, ...]

    @contextmanager
    def without(self) -> Iterator[None]:
        """Switched off."""
        with ExitStack() as stack:
            for place in self.places:
                stack.enter_context(patch(f"{_PRODUCT}{place}", self.off))
            yield

    @contextmanager
    def watched(self, tell: Tell) -> Iterator[None]:
        """As it is; told is what it does otherwise than it would switched off."""
        with ExitStack() as stack:
            for place in self.places:
                known = pkgutil.resolve_name(f"{_PRODUCT}{place}")
                stack.enter_context(patch(f"{_PRODUCT}{place}", _watched(known, self.off, tell)))
            yield

    @property
    def is_used_by_all(self) -> bool:
        """Whether nothing tells what it does: a weight, a set of words."""
        return not (callable(self.off) or isinstance(self.off, re.Pattern))


def instead(off: Any, *places: str) -> Part:
    """Something else in the place of what a module has."""
    return Part(off, places)


def giving(value: Any, *places: str) -> Part:
    """A function that gives always the same."""
    return Part(lambda *_, **__: value, places)


def as_it_was(*places: str) -> Part:
    """A function that gives back what it is given first."""
    return Part(lambda first, *_, **__: first, places)


def modules_of(*packages: str) -> list[ModuleType]:
    """The modules of packages below `rag_system`."""
    found: list[ModuleType] = []
    for package in (importlib.import_module(f"{_PRODUCT}{name}") for name in packages):
        names = [each.name for each in pkgutil.iter_modules(getattr(package, "__path__", ()), f"{package.__name__}.")]
        found += [
            package,
            *(importlib.import_module(name) for name in names if not name.endswith(("_worker", "testing"))),
        ]
    return found


def each_pattern(modules: Sequence[ModuleType]) -> dict[str, Part]:
    """Each regular expression that a module has, by its name: without it nothing is found."""
    places: defaultdict[re.Pattern[str], list[str]] = defaultdict(list)
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                places[value].append(f"{module.__name__.removeprefix(_PRODUCT)}.{name}")
    return {each[0]: Part(NEVER, tuple(each)) for each in places.values()}


def each_function(modules: Sequence[ModuleType]) -> dict[str, Part]:
    """Each function that may say no, or find nothing, by its name: without it this is what it says."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    offs: dict[str, Any] = {}
    for module in modules:
        for name, value in vars(module).items():
            function = inspect.unwrap(value) if callable(value) else None
            if isinstance(function, FunctionType) and (off := _off(function)):
                own = f"{function.__module__.removeprefix(_PRODUCT)}.{function.__name__}()"
                places[own].append(f"{module.__name__.removeprefix(_PRODUCT)}.{name}")
                offs[own] = off
    return {name: Part(offs[name], tuple(each)) for name, each in places.items() if name.split(".")[0] in _OWN}


_OWN = frozenset(each.name for each in pkgutil.iter_modules(rag_system.__path__))


def _off(function: FunctionType) -> Callable[..., Any] | None:
    given = str(function.__annotations__.get("return", ""))
    taken = next((str(each) for name, each in function.__annotations__.items() if name != "return"), "")
    if given == taken:
        return lambda first, *_, **__: first
    if given.endswith("| None"):
        return lambda *_, **__: None
    kind = given.partition("[")[0]
    return (lambda *_, **__: _EMPTY[kind]) if kind in _EMPTY else None


def caches(modules: Sequence[ModuleType]) -> list[Any]:
    """What modules keep of what they have read, but for data files."""
    values = [value for module in modules for value in vars(module).values() if hasattr(value, "cache_parameters")]
    return [value for value in values if value.cache_parameters()["maxsize"] is not None]


def _watched(known: Any, off: Any, tell: Tell) -> Any:
    if isinstance(known, re.Pattern):
        return _WatchedPattern(known, tell)
    if not callable(known):
        return known

    @wraps(known)
    def watched(*args: Any, **more: Any) -> Any:
        given = known(*args, **more)
        if isinstance(given, Iterator) or not np.all(given == off(*args, **more)):
            tell()
        return given

    return watched


class _WatchedPattern:
    """A regular expression that tells when it is found."""

    def __init__(self, pattern: re.Pattern[str], tell: Tell) -> None:
        self._pattern = pattern
        self._tell = tell

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._pattern, name)
        if not callable(own):
            return own

        def called(*args: Any, **more: Any) -> Any:
            if self._pattern.search(str(args[name in ("sub", "subn")])) is not None:
                self._tell()
            return own(*args, **more)

        return called
