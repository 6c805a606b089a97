"""pdfium as it is asked of every object and line of a page: its functions take addresses as plain numbers.

A page has hundreds of objects and lines, and most of a call's time goes into passing what it takes: an address is
cheaper than a typed pointer, and where a number is written to is turned into an argument once (`Slots`).
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from typing import Any

__all__ = ["Slots", "address", "pdfium"]

_NUMBERS = (ctypes.c_int, ctypes.c_uint, ctypes.c_ulong, ctypes.c_float, ctypes.c_double)


class _Pdfium:
    """`pypdfium2.raw`, but for its pointers: functions take and give addresses, None for a null pointer.

    Structures are passed with `ctypes.byref`; the numbers at the end, that pdfium writes, must be those of `Slots`:
    their type is not looked at. A call keeps the interpreter's lock: only what takes microseconds is asked this way.
    """

    def __getattr__(self, name: str) -> Any:
        import pypdfium2.raw

        found = getattr(pypdfium2.raw, name)
        if (takes := getattr(found, "argtypes", None)) is not None:
            while takes and _is_number_at(takes[-1]):
                takes = takes[:-1]
            prototype = ctypes.PYFUNCTYPE(*map(_plain, (found.restype, *takes)))
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
        self.values: Callable[[], list[Any]] = values.tolist  # of all, in order; it keeps them alive
        self.raw: Callable[[], bytes] = values.tobytes  # the same as they lie in memory: to tell equal ones


def address(pointer: Any) -> int:
    """Where that lies which a pointer of pypdfium2 points to."""
    return ctypes.addressof(pointer.contents)


def _is_number_at(kind: Any) -> bool:
    """Whether it is a pointer to a number, not to a structure or to something of pdfium's own."""
    return issubclass(getattr(kind, "_type_", object), _NUMBERS) if hasattr(kind, "contents") else False


def _plain(kind: Any) -> Any:
    return ctypes.c_void_p if hasattr(kind, "contents") else kind
