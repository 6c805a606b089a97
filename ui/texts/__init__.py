"""Every sentence of the chat, one TOML file per language, read by key.

`text("chat.stop")` returns a sentence; named values fill its braces; a table with `one` and `many` is chosen by
`count`. A missing key raises: a hole in a translation is a bug that a test finds, not a blank on the screen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

__all__ = ["DEFAULT_LANGUAGE", "catalogue", "decimal", "language_name", "text"]

DEFAULT_LANGUAGE = "es"
_HERE = Path(__file__).parent


@cache
def catalogue(language: str = DEFAULT_LANGUAGE) -> Mapping[str, str]:
    """All sentences of a language by dotted key."""
    return dict(_flatten(tomllib.loads((_HERE / f"{language}.toml").read_text(encoding="utf-8"))))


def _flatten(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            pairs.extend(_flatten(value, f"{prefix}{key}."))
        else:
            pairs.append((f"{prefix}{key}", str(value)))
    return pairs


def text(key: str, *, count: int | None = None, **values: object) -> str:
    """The sentence of a key; with `count`, its `one` or `many` form, which may use `{count}`."""
    if count is not None:
        key = f"{key}.one" if count == 1 else f"{key}.many"
        values["count"] = count
    return catalogue()[key].format(**values)


def decimal(value: float, digits: int = 1) -> str:
    """A number with a decimal comma, as the texts of this language write it."""
    return f"{value:.{digits}f}".replace(".", ",")


def language_name(code: str) -> str:
    """What people call a language of ISO 639-1; of one that the texts do not name, its code."""
    return catalogue().get(f"settings.languages.{code}", code)
