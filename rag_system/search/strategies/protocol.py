"""What every strategy is given and what it gives back.

A strategy lives for one search. `send` queues its statements in the open pipeline, `propose` reads the rows, and
`column` scores the table of candidates, its own and the others'.
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from psycopg import Connection, Cursor

from rag_system.search.collection import Part
from rag_system.search.table import Column, Table

__all__ = ["Found", "Rows", "Strategy"]

Rows = Cursor[tuple[Any, ...]]
Found = tuple[Part, Rows]  # what a project said; ids are still its own


class Strategy(Protocol):
    name: ClassVar[str]

    def send(self, connection: Connection) -> None: ...

    def propose(self) -> list[int]: ...

    def column(self, table: Table) -> Column: ...
