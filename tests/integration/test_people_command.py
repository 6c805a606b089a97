"""`legajo people` and `--as`, on the real database: what is written for programs, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.assistant import Assistant
from assistant.commands import cli
from rag_system.errors import ForbiddenError, InputError, LegajoError, NotFoundError
from rag_system.settings import Settings

PASSWORD = "una contraseña larga"


@pytest.fixture(autouse=True)
def _environment(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))


def legajo(*arguments: str, typed: str | None = None) -> list[Any]:
    """What a command writes with `--json`; its errors are raised."""
    result = CliRunner().invoke(cli, [*arguments, "--json"], input=typed, standalone_mode=False)
    if isinstance(result.exception, LegajoError):
        raise result.exception
    assert result.exception is None, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def test_the_life_of_an_account(settings: Settings) -> None:
    assert legajo("people", "add", "Ana", "--admin", typed=f"{PASSWORD}\n") == [{"person": "ana"}]
    (invitation,) = legajo("people", "invite", "beto@empresa.pe")
    secret = invitation["path"].removeprefix("/invitacion?clave=")
    with Assistant.open(settings) as assistant:
        session = assistant.accounts().accept(secret, PASSWORD)
        assert assistant.as_session(session).person == "beto@empresa.pe"
    legajo("projects", "show")  # makes the project of who sits here
    legajo("people", "role", "beto@empresa.pe", "general", "reader")
    ana, beto = legajo("people", "list")
    assert (ana["person"], ana["is_administrator"], ana["roles"]) == ("ana", True, {})
    assert (beto["person"], beto["sessions"], beto["roles"]) == ("beto@empresa.pe", 1, {"general": "reader"})
    assert legajo("people", "end-sessions", "beto@empresa.pe") == [{"person": "beto@empresa.pe", "ended": 1}]
    assert legajo("people", "reset", "beto@empresa.pe")[0]["path"] != invitation["path"]
    exported = CliRunner().invoke(cli, ["people", "export", "beto@empresa.pe"], standalone_mode=False)
    assert json.loads(exported.output)["memberships"][0]["role"] == "reader"
    assert legajo("people", "remove", "beto@empresa.pe") == [{"person": "beto@empresa.pe", "removed": True}]
    assert [each["person"] for each in legajo("people", "list")] == ["ana"]
    done = [(each["person"], each["action"], each["object"]) for each in reversed(legajo("audit", "--people"))]
    beto = "beto@empresa.pe"
    assert done == [
        ("local", "people.add", "ana: admin"),
        ("local", "people.invite", beto),
        (beto, "people.accept", beto),
        ("local", "people.role", f"{beto}: general: reader"),
        ("local", "people.end", beto),
        ("local", "people.reset", beto),
        ("local", "people.export", beto),
        ("local", "people.remove", beto),
    ]


def test_a_command_acts_as_who_is_named() -> None:
    legajo("people", "add", "ana", typed=f"{PASSWORD}\n")
    with pytest.raises(NotFoundError):
        legajo("--as", "nadie", "projects", "show")
    with pytest.raises(NotFoundError, match=r"Todavía no tiene ninguno: .* puede darle permiso"):
        legajo("--as", "ana", "documents")  # and makes none in the name of who only looks
    legajo("projects", "show")
    with pytest.raises(NotFoundError, match="No existe el proyecto «general»"):
        legajo("--as", "Ana", "projects", "show")
    legajo("people", "role", "ana", "general", "reader")
    assert legajo("--as", "Ana", "projects", "show")[0]["project"] == "general"


def test_a_key_of_ones_own_needs_no_project_of_a_certain_name() -> None:
    legajo("people", "add", "ana", typed=f"{PASSWORD}\n")
    legajo("--as", "ana", "projects", "create", "obras")
    added = legajo("--as", "ana", "keys", "add", "groq", typed="gsk-7f3a91c2d4\n")
    assert added == [{"provider": "groq", "owner": "person", "status": "added"}]
    assert [each["owner"] for each in legajo("--as", "ana", "keys", "list", "--project", "obras")] == ["person"]


def test_who_keeps_no_accounts_neither_reads_nor_changes_them() -> None:
    for person, kind in (("ana", ["--admin"]), ("beto", [])):
        legajo("people", "add", person, *kind, typed=f"{PASSWORD}\n")
    assert legajo("--as", "ana", "people", "end-sessions", "beto") == [{"person": "beto", "ended": 0}]
    assert legajo("--as", "ana", "audit", "--people")[0]["person"] == "ana"
    for refused in (("audit", "--people"), ("people", "list"), ("people", "remove", "ana")):
        with pytest.raises(ForbiddenError, match="quien administra"):
            legajo("--as", "beto", *refused)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "ana"), "de 12 a 200 caracteres"),
        (("remove", "nadie"), "No existe la persona «nadie»"),
        (("export", "local"), "No existe la persona"),
        (("role", "ana", "ninguno", "reader"), "No existe"),
        (("invite", "con espacio"), "Ese nombre no sirve"),
    ],
)
def test_what_is_refused_is_told(arguments: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(cli, ["people", *arguments], input="\n", standalone_mode=False)
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)
