"""What the documentation names is there: pages, paths, commands and their options."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from assistant.commands import cli
from launcher.start import start
from tests.documented import PAGES, ROOT, commands

INDEX = ROOT / "docs" / "README.md"
MAP = ROOT / "docs" / "explanation" / "arquitectura.md"
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
OWN_PATH = re.compile(r"`((?:assistant|benchmarks|data|docs|launcher|rag_system|scripts|tests|ui)/[\w./-]+)`")

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        found = page.parent / target if target else page
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


@pages
def test_paths_are_there(page: Path) -> None:
    paths = OWN_PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pages
def test_commands_and_options_exist(page: Path) -> None:
    for shown in commands(page.read_text(encoding="utf-8")):
        name, *given = shown.words[2:] if shown.words[:1] == ("--as",) else shown.words
        assert name in cli.commands, name
        command = start if name == "serve" else cli.commands[name]  # which hands its options on
        if isinstance(command, click.Group) and given:
            assert given[0] in command.commands, (name, given)
            command = command.commands[given[0]]
        options = {option for each in command.params for option in (*each.opts, *each.secondary_opts)}
        assert {word for word in given if word.startswith("--")} <= options, (name, given)


def test_commands_are_found() -> None:
    block = "```\nlegajo ask --continue «¿y?»  # más\nA=b c\nA=b legajo keys add x < a.txt\n```\n"
    page = f"{block}Con `legajo\nreindex -v`.\n"
    shown = list(commands(page))
    assert [each.words for each in shown] == [("ask", "--continue", "«¿y?»"), ("keys", "add", "x"), ("reindex", "-v")]
    assert (shown[1].variables, shown[1].sign, shown[1].file) == ({"A": "b"}, "<", "a.txt")
    assert len(list(commands(page, inline=False))) == 2


def test_the_index_names_every_page() -> None:
    named = {(INDEX.parent / target).resolve() for target, _ in LINK.findall(INDEX.read_text(encoding="utf-8"))}
    assert set(INDEX.parent.rglob("*.md")) - {INDEX} <= named


def test_the_map_of_the_code_names_every_room() -> None:
    rows = [line for line in MAP.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = {room for row in rows for room in re.findall(r"`(\w+)`", row.split("|")[1])}
    rooms = {
        path.stem for path in (ROOT / "rag_system").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert named == rooms - {"__init__"}


def test_decisions_are_numbered_in_order_and_named_by_their_headings() -> None:
    index = INDEX.read_text(encoding="utf-8")
    for number, page in enumerate(DECISIONS, 1):
        assert page.name.startswith(f"{number:04d}-")
        heading = page.read_text(encoding="utf-8").split("\n", 1)[0]
        assert heading.startswith(f"# {number}. ")
        assert f"{number}. [{heading.removeprefix(f'# {number}. ')}](decisions/{page.name})" in index
