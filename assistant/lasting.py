"""An answer is for as long as the session goes on in which it was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from rag_system.storage.connection import Database
from rag_system.types import Event

__all__ = ["lasting"]

_LOOK_S = 1.0  # between two looks: each is a transaction, and words come by the dozen


def lasting(events: Iterator[Event], database: Database) -> Iterator[Event]:
    """The events, until the session of who acts has ended: then `SessionEndedError`, a second later at most."""
    looked = monotonic()
    for event in events:
        if monotonic() - looked >= _LOOK_S:
            database.check_session()
            looked = monotonic()
        yield event
