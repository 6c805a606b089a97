"""Named SQL queries kept in `.sql` files beside the code that runs them, and rows sent by `COPY`.

A file holds blocks that open with `-- name: the_name`; the comment lines that follow say what the query is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import LiteralString, cast

from psycopg import Connection

__all__ = ["copy_rows", "queries"]

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def queries(package: str, file_name: str) -> dict[str, LiteralString]:
    """The queries of `file_name` in `package`, by name. The texts ship with the program, hence `LiteralString`."""
    text = files(package).joinpath(file_name).read_text(encoding="utf-8")
    pieces = _NAME.split(text)[1:]
    return {name: cast(LiteralString, body.strip()) for name, body in zip(pieces[::2], pieces[1::2], strict=True)}


def copy_rows(
    connection: Connection, statement: LiteralString, types: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Send rows through a `COPY … FROM STDIN (FORMAT BINARY)`; `types` are the names of its columns' types."""
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)
