"""Every sentence that the chat asks for exists, and every sentence that exists is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.texts import catalogue, decimal, text

UI = Path(__file__).parents[2] / "ui"
SECTIONS = "app|chat|sources|why|metrics|provider|conversations|upload|documents"
KEY = re.compile(rf"""["']((?:{SECTIONS})\.[a-z_.{{}}]+)["']""")
# These sections are read by names that come from the search, the providers or the reports.
OPEN = (
    "why.strategy.",
    "why.reason.",
    "metrics.phase.",
    "provider.name.",
    "provider.help.",
    "upload.stage.",
    "streamlit.",
)


def used() -> set[str]:
    pages = (path for path in UI.rglob("*.py") if path.name != "launch.py")  # the launcher speaks to a terminal
    sources = [path.read_text(encoding="utf-8") for path in pages]
    return {key for source in sources for key in KEY.findall(source)}


def test_every_sentence_is_used() -> None:
    keys = used()
    patterns = [re.compile(re.sub(r"\\\{.*?\\\}", "[a-z_]+", re.escape(key))) for key in keys]
    unused = [
        key
        for key in catalogue()
        if not key.startswith(OPEN)
        and not any(p.fullmatch(key.removesuffix(".one").removesuffix(".many")) for p in patterns)
    ]
    assert unused == []


def test_every_sentence_that_is_asked_for_exists() -> None:
    keys = {key.removesuffix(".one").removesuffix(".many") for key in catalogue()}
    sections = {key.rsplit(".", 1)[0] for key in catalogue()} | {key.split(".")[0] for key in catalogue()}
    missing = [key for key in used() if "{" not in key and key not in keys and key not in sections]
    assert missing == []


@pytest.mark.parametrize(
    ("key", "count", "expected"),
    [
        ("documents.count", 1, "1 documento"),
        ("documents.count", 0, "0 documentos"),
        ("chat.reading", 8, "Leyendo 8 pasajes…"),
    ],
)
def test_sentences_agree_with_their_number(key: str, count: int, expected: str) -> None:
    assert text(key, count=count) == expected


def test_a_missing_sentence_raises() -> None:
    with pytest.raises(KeyError):
        text("chat.no_existe")


def test_numbers_have_a_decimal_comma() -> None:
    assert (decimal(0.742), decimal(12.0, 0), decimal(0.8, 2)) == ("0,7", "12", "0,80")
