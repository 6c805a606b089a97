"""Named SQL queries kept in `.sql` files beside the code that runs them.

A file holds blocks that open with `-- name: the_name`; the comment lines that follow say what the query is for.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import LiteralString, cast

__all__ = ["queries"]

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def queries(package: str, file_name: str) -> dict[str, LiteralString]:
    """The queries of `file_name` in `package`, by name. The texts ship with the program, hence `LiteralString`."""
    text = files(package).joinpath(file_name).read_text(encoding="utf-8")
    pieces = _NAME.split(text)[1:]
    return {name: cast(LiteralString, body.strip()) for name, body in zip(pieces[::2], pieces[1::2], strict=True)}
