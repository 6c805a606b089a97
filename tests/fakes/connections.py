"""The connections that a client in this process holds to a server of the tests, and whether they end with it."""

from __future__ import annotations

import gc
import socket
import warnings
from collections.abc import Callable

__all__ = ["left_to_the_collector"]


def left_to_the_collector(port: int, drop: Callable[[], None]) -> list[str]:
    """The collector's complaints when `drop` lets go of the client that holds the one connection to `port`.

    The collector meets the socket before its client here, as it does after a collection during a read.
    """
    gc.collect()  # what was dropped before is not this client's
    held = _connection(port)
    gc.collect()  # moves the client behind what is held by a running frame
    del held
    drop()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gc.collect()
    return [str(warning.message) for warning in caught]


def _connection(port: int) -> socket.socket:
    (found,) = (each for each in gc.get_objects() if isinstance(each, socket.socket) and _leads_to(each, port))
    return found


def _leads_to(each: socket.socket, port: int) -> bool:
    try:
        return bool(each.family == socket.AF_INET and each.getpeername()[1] == port)
    except OSError:  # closed, or not connected
        return False
