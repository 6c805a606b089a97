"""`legajo conversations`: what each command says to a person and to a program, on the real database."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from docx import Document

from assistant.commands import cli
from rag_system.errors import InputError, NotFoundError
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

LAW = "# Ley 27444\n\n## Artículo 207\n\nEl término para apelar es de quince días hábiles.\n".encode()
QUESTION = "¿Cuál es el término para apelar?"

Run = Callable[..., str]


@pytest.fixture
def talk(settings: Settings) -> str:
    """The id of a conversation of one question."""
    with opened_project(settings) as project:
        upload(project, "ley.md", LAW)
        conversation = project.conversations.create()
        list(project.stream(QUESTION, conversation_id=conversation))
    return conversation


@pytest.fixture
def legajo(database_url: str, server_home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("LEGAJO_HOME", str(server_home))

    def run(*arguments: str) -> str:
        return CliRunner().invoke(cli, ["conversations", *arguments], catch_exceptions=False).output

    return run


def rows(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_a_conversation_is_listed_renamed_pinned_deleted_and_restored(legajo: Run, talk: str) -> None:
    assert f"{talk[:8]}  " in legajo("list")
    assert legajo("rename", talk[:4], "Plazos").endswith("  Plazos\n")
    assert legajo("pin", talk[:8]).endswith("  Plazos  (fijada)\n")
    assert legajo("unpin", talk).endswith("  Plazos\n")
    assert legajo("move", talk, "Recursos").endswith("  Plazos  (en «Recursos»)\n")
    assert legajo("move", talk, "").endswith("  Plazos\n")
    (row,) = rows(legajo("delete", talk, "--json"))
    assert (row["conversation_id"], row["deleted_at"] is None) == (talk, False)
    assert rows(legajo("list", "--json")) == []
    for command in ("show", "export", "save", "share", "pin"):
        with pytest.raises(NotFoundError):
            legajo(command, talk)
    assert [each["title"] for each in rows(legajo("list", "--deleted", "--json"))] == ["Plazos"]
    legajo("restore", talk[:4])
    assert [each["title"] for each in rows(legajo("list", "--json"))] == ["Plazos"]
    legajo("delete", talk)
    legajo("delete", talk, "--forever")
    with pytest.raises(NotFoundError):
        legajo("restore", talk)


def test_what_was_said_is_shown_and_found(legajo: Run, talk: str) -> None:
    shown = legajo("show", talk)
    assert "«El término para apelar es de quince días hábiles.» [1]" in shown
    assert shown.rstrip().endswith("[1] Ley 27444 (ley.md), Artículo 207")
    asked, answered = rows(legajo("show", talk, "--json"))
    assert (asked["content"], answered["parent"], answered["state"]) == (QUESTION, 0, "complete")
    assert answered["citations"][0]["path"] == "cargados/ley.md"
    (hit,) = rows(legajo("search", "TERMINOS habiles", "--json"))
    assert (hit["conversation_id"], hit["ordinal"]) == (talk, 1)
    assert "quince días hábiles" in legajo("search", "quince habil")
    assert rows(legajo("search", "vacaciones", "--json")) == []


def test_a_conversation_is_exported(legajo: Run, talk: str, tmp_path: Path) -> None:
    assert legajo("export", talk) == legajo("show", talk)
    for name in ("a.md", "a.docx", "a.json"):
        legajo("export", talk, "--output", str(tmp_path / name))
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == legajo("show", talk)
    taken = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert (taken["title"], len(taken["messages"])) == ("Término para apelar", 2)
    words = [paragraph.text for paragraph in Document(str(tmp_path / "a.docx")).paragraphs]
    assert words[:2] == ["Término para apelar", QUESTION]
    assert QUESTION not in words[2:]
    assert "[1] Ley 27444 (ley.md), Artículo 207" in words[-1]
    with pytest.raises(InputError, match="No se pudo escribir"):
        legajo("export", talk, "--output", str(tmp_path / "no" / "a.md"))


def test_a_link_is_given_and_revoked(legajo: Run, talk: str) -> None:
    assert legajo("share", talk).startswith("/compartido?e=")
    assert legajo("list").endswith("(compartida)\n")
    assert "compartida" not in legajo("unshare", talk)
