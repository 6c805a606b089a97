"""Named SQL queries kept in `.sql` files beside the code that runs them; rows as values, and written many at a time.

A file holds blocks that open with `-- name: the_name`; the comment lines that follow say what the query is for. A block
that opens with `-- fragment: the_name` is what `{the_name}` stands for in the queries of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import LiteralString, TypeVar

from psycopg import Connection
from psycopg.rows import class_row

__all__ = ["array_of", "insert_rows", "queries", "row_of", "rows_of"]

Row = TypeVar("Row")

_HEAD = re.compile(r"^-- (name|fragment): (\w+)\s*$", re.MULTILINE)


@cache
def queries(package: str, file_name: str) -> dict[str, LiteralString]:
    """The queries of `file_name` in `package`, by name. The texts ship with the program, hence `LiteralString`."""
    text = files(package).joinpath(file_name).read_text(encoding="utf-8")
    pieces = _HEAD.split(text)[1:]
    blocks = list(zip(pieces[::3], pieces[1::3], map(str.strip, pieces[2::3]), strict=True))
    fragments = {f"{{{name}}}": body for kind, name, body in blocks if kind == "fragment"}
    return {name: _filled(body, fragments) for kind, name, body in blocks if kind == "name"}


def _filled(body: LiteralString, fragments: Mapping[str, LiteralString]) -> LiteralString:
    for place, fragment in fragments.items():
        body = body.replace(place, fragment)
    return body


def rows_of(
    connection: Connection, kind: type[Row], query: LiteralString, key: Mapping[str, object] | None = None
) -> list[Row]:
    """What a query finds, each row as a `kind` whose fields are called as its columns."""
    with connection.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(query, key).fetchall()


def row_of(connection: Connection, kind: type[Row], query: LiteralString, key: Mapping[str, object]) -> Row | None:
    """The same of a query that finds one row at most."""
    with connection.cursor(row_factory=class_row(kind)) as cursor:
        return cursor.execute(query, key).fetchone()


def array_of(ids: Iterable[int | str]) -> str:
    """PostgreSQL's way to write an array of integers or UUIDs: psycopg takes twenty times as long over a list of a
    hundred.
    """
    return f"{{{','.join(map(str, ids))}}}"


def insert_rows(
    connection: Connection, statement: LiteralString, rows: Iterable[Sequence[object] | Mapping[str, object]]
) -> None:
    """Write rows with an INSERT of one row, many at a time: a COPY cannot be held to row-level security."""
    with connection.cursor() as cursor:
        cursor.executemany(statement, rows)
