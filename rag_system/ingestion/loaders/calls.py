"""pdfium as it is asked of every object and line of a page: its functions take addresses as plain numbers.

A call through the typed pointers of pypdfium2 takes about a third longer, and reading the values that it gives twice as
long; a page has hundreds of objects and lines.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from typing import Any

__all__ = ["Slots", "address", "pdfium"]


class _Pdfium:
    """`pypdfium2.raw`, but for its pointers: functions take and give addresses, None for a null pointer.

    Structures are passed with `ctypes.byref`.
    """

    def __getattr__(self, name: str) -> Any:
        import pypdfium2.raw

        found = getattr(pypdfium2.raw, name)
        if (takes := getattr(found, "argtypes", None)) is not None:
            prototype = ctypes.CFUNCTYPE(*map(_plain, (found.restype, *takes)))
            found = prototype(ctypes.cast(found, ctypes.c_void_p).value or 0)
        setattr(self, name, found)
        return found


pdfium = _Pdfium()


class Slots:
    """Where pdfium writes the numbers that it gives. kind: "f" float, "d" double, "i" int, "I" unsigned int."""

    def __init__(self, kind: str, count: int) -> None:
        values = array(kind, (0,) * count)
        first, _ = values.buffer_info()
        self.at = tuple(range(first, first + count * values.itemsize, values.itemsize))  # the address of each
        self.values: Callable[[], list[Any]] = values.tolist  # of all, in order; it keeps them alive


def address(pointer: Any) -> int:
    """Where that lies which a pointer of pypdfium2 points to."""
    return ctypes.addressof(pointer.contents)


def _plain(kind: Any) -> Any:
    return ctypes.c_void_p if hasattr(kind, "contents") else kind
