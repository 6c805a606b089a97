"""pdfium as it is asked of every object and line of a page: with as little as possible around each call.

A page has hundreds of objects and lines, and most of a call's time goes into passing what it takes: so an argument is
made once, and passed as it is. pdfium's own objects are `Handle`s, and where a number is written to is one of `Slots`.
"""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

__all__ = ["Handle", "Slots", "argument", "pdfium"]

_PASSED_AS_IT_IS = (ctypes.c_int, ctypes.c_char_p)  # an int of Python's; bytes


class Handle(ctypes.c_void_p):
    """An object of pdfium's; false for a null pointer. `value` is its address, by which equal ones are told."""

    __slots__ = ()


class _Pdfium:
    """`pypdfium2.raw`, but for its pointers: functions take and give handles.

    Structures are passed with `ctypes.byref`, numbers that pdfium writes are those of `Slots`: neither's type is looked
    at, nor how many there are. A call keeps the interpreter's lock: only what takes microseconds is asked this way.
    """

    def __getattr__(self, name: str) -> Any:
        import pypdfium2.raw

        found = getattr(pypdfium2.raw, name)
        if (takes := getattr(found, "argtypes", None)) is not None:
            prototype = ctypes.PYFUNCTYPE(_plain(found.restype), *_declared(takes))
            found = prototype(ctypes.cast(found, ctypes.c_void_p).value or 0)
        setattr(self, name, found)
        return found


pdfium = _Pdfium()


class Slots:
    """Where pdfium writes the numbers that it gives. kind: "f" float, "d" double, "i" int, "I" unsigned int."""

    def __init__(self, kind: str, count: int) -> None:
        values = array(kind, (0,) * count)
        memory = (ctypes.c_char * (count * values.itemsize)).from_buffer(values)
        places = range(0, len(memory), values.itemsize)
        self.at = tuple(ctypes.byref(memory, place) for place in places)  # each as an argument
        unpack = struct.Struct(f"{count}{kind}").unpack
        self.values: Callable[[], tuple[Any, ...]] = partial(unpack, values)  # of all, in order; it keeps them alive
        self.raw: Callable[[], bytes] = values.tobytes  # the same as they lie in memory: to tell equal ones


def argument(pointer: Any) -> Any:
    """What a pointer of pypdfium2 points to, as an argument of many calls; it keeps the pointer alive."""
    return ctypes.byref(pointer.contents)


def _declared(takes: Sequence[Any]) -> tuple[Any, ...]:
    """What is declared of a function's arguments: nothing where ctypes passes each as it should by itself, else all.

    Never some: with more than are declared a call counts as one of a variadic function, whose arguments travel another
    way on Apple's processors (python/cpython#107844).
    """
    by_itself = all(hasattr(kind, "contents") or kind in _PASSED_AS_IT_IS for kind in takes)
    return () if by_itself else tuple(map(_plain, takes))


def _plain(kind: Any) -> Any:
    return Handle if hasattr(kind, "contents") else kind
