"""Every sentence of the chat, one TOML file per language, read by key.

`text("chat.stop")` returns a sentence in the language of who looks; named values fill its braces; a table with `one`
and `many` is chosen by `count`. A missing key raises: a hole in a translation is a bug that a test finds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

__all__ = [
    "DEFAULT_LANGUAGE",
    "LANGUAGES",
    "ask_language_of",
    "catalogue",
    "decimal",
    "language",
    "language_name",
    "text",
]

DEFAULT_LANGUAGE = "es"
LANGUAGES = ("es", "en")
_HERE = Path(__file__).parent
_chosen: list[Callable[[], str]] = []  # who knows what was chosen, at most one


def ask_language_of(chosen: Callable[[], str]) -> None:
    """Have `language` ask there from now on, whatever of `LANGUAGES` it says."""
    _chosen[:] = [chosen]


def language() -> str:
    """That of who looks at the page that is being made, ISO 639-1."""
    return _chosen[0]() if _chosen else DEFAULT_LANGUAGE


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
    return catalogue(language())[key].format(**values)


def decimal(value: float, digits: int = 1) -> str:
    """A number as the texts of the language write it: in Spanish with a decimal comma."""
    written = f"{value:.{digits}f}"
    return written.replace(".", ",") if language() == DEFAULT_LANGUAGE else written


def language_name(code: str) -> str:
    """What people call a language of ISO 639-1; of one that the texts do not name, its code."""
    return catalogue(language()).get(f"settings.languages.{code}", code)
