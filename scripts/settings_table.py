"""Write the configuration table of docs/reference/settings.md from the settings model. With --check only compare."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic.fields import FieldInfo

from rag_system.settings import Settings, variable

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "settings.md"
HEAD = """# Settings

Read from environment variables, then from a `.env` file in `LEGAJO_HOME`, then from one beside the source code.
A `.env` file in any other directory is not read.
This table is generated from `rag_system/settings.py` by `scripts/settings_table.py`; a test keeps it current.

| variable | default | meaning |
|---|---|---|
"""


def table() -> str:
    """The page."""
    return HEAD + "".join(_row(name, field) for name, field in Settings.model_fields.items())


def _row(name: str, field: FieldInfo) -> str:
    return f"| `{variable(name)}` | {_default(field)} | {field.description} |\n"


def _default(field: FieldInfo) -> str:
    if field.default_factory is not None:
        return "the user's data directory; `/var/lib/legajo` for root"
    return f"`{field.default}`" if field.default not in (None, "", ()) else "–"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.read_text(encoding="utf-8") == table() else f"{PAGE} is out of date: run {sys.argv[0]}")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(table(), encoding="utf-8")
