"""Write the table of docs/reference/permissions.md from the table of tests/integration/test_every_call.py. With --check
only compare.

Only what stands between the two marks is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from assistant.accounts import ROLES  # noqa: E402
from tests.integration.test_every_call import HOLDS_NOTHING, ROWS, WRITES  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "permissions.md"
BEGIN, END = "<!-- generated: scripts/permissions_table.py -->\n", "<!-- end of what is generated -->\n"
_HEAD = ("función", "sin permiso", "`reader`", "`editor`", "`owner`", "sesión terminada", "se anota")


def page(old: str) -> str:
    """The page, with its table as the test holds it."""
    head, _, rest = old.partition(BEGIN)
    return f"{head}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def table() -> str:
    """A line a function: who may."""
    lines = [_HEAD, ["---"] * len(_HEAD), *map(_line, sorted(ROWS))]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _line(name: str) -> list[str]:
    call, least = ROWS[name]
    if call is None or name in HOLDS_NOTHING:
        return [f"`{name}`", *"—————", ""]
    may = [ROLES.index(role) <= ROLES.index(least) for role in reversed(ROLES)]
    written = f"`{WRITES[name]}`" if name in WRITES else ""
    return [f"`{name}`", "no", *("sí" if each else "no" for each in may), "no", written]


if __name__ == "__main__":
    current = PAGE.read_text(encoding="utf-8")
    if "--check" in sys.argv:
        sys.exit(0 if current == page(current) else f"{PAGE} is out of date: run {sys.argv[0]}")
    PAGE.write_text(page(current), encoding="utf-8")
