"""The commands that the pages of the documentation show, as a shell would read them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PAGES", "ROOT", "Shown", "commands"]

ROOT = Path(__file__).parents[1]
PAGES = (*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md")))

_FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(legajo [^`]+)`")
_PLACEHOLDER = re.compile(r"…| {2,}.*")  # what is left out, and what a line of several columns says after its command
_REDIRECTED = re.compile(r"(<|>>?)(.+)")
_VARIABLE = re.compile(r"([A-Z_]+)=(.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A command: the words after `legajo`, the variables that are set for it alone, and a file that it reads (`<`) or
    writes to (`>`, `>>`).
    """

    words: tuple[str, ...]
    variables: dict[str, str]
    sign: str = ""
    file: str = ""


def commands(page: str, *, inline: bool = True) -> Iterator[Shown]:
    """Those of the blocks of a page, then, if asked for, those within its sentences."""
    lines = [line for block in _FENCED.findall(page) for line in block.splitlines()]
    for line in (*lines, *(_INLINE.findall(page.replace("\n", " ")) if inline else ())):
        if shown := _read(_PLACEHOLDER.sub("", line)):
            yield shown


def _read(line: str) -> Shown | None:
    words, variables = shlex.split(line, comments=True), dict[str, str]()
    while words and (found := _VARIABLE.fullmatch(words[0])):
        variables[found[1]] = found[2]
        del words[0]
    if not words or words[0].removeprefix(".venv/bin/") != "legajo":
        return None
    given = words[1:]
    at = next((at for at, word in enumerate(given) if word.startswith(("<", ">"))), len(given))
    found = _REDIRECTED.fullmatch("".join(given[at:]))
    sign, file = found.groups() if found else ("", "")
    return Shown(words=tuple(given[:at]), variables=variables, sign=sign, file=file)
