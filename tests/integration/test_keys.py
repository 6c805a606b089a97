"""Keys of people and projects: whose is used, who sees what, which one reaches which server, and what is told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.commands import cli
from assistant.doctor import CHECKS
from assistant.keys import Keys, rotate_sealing_key, stored_keys
from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import (
    ForbiddenError,
    InputError,
    MissingKeyError,
    NotFoundError,
    ProviderAuthenticationError,
    SealingError,
)
from rag_system.generation.clients import client
from rag_system.generation.providers import PROVIDERS
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from tests.fakes.provider_server import FakeProviderServer, running
from tests.indexing import filled, project_of

LAW = "# Ley 1\n\nEl plazo para apelar es de siete dias habiles desde la notificacion.\n"
QUESTION = "¿Cuál es el plazo para apelar?"
PATHS: dict[ProviderName, str] = {"google": "", "groq": "/groq", "openrouter": "/openrouter/v1"}
MINE, OURS, THEIRS = "ok-mine-7f3a91", "ok-ours-2d4c88", "ok-settings-5b1e"


@pytest.fixture(scope="module")
def official() -> Iterator[FakeProviderServer]:
    """What the providers' own addresses lead to."""
    with pytest.MonkeyPatch.context() as patch, running() as (fake, url):
        for name, path in PATHS.items():
            patch.setitem(PROVIDERS, name, replace(PROVIDERS[name], base_url=url + path))
        yield fake
    client.cache_clear()


@pytest.fixture(autouse=True)
def _forgotten(official: FakeProviderServer) -> None:
    official.hits.clear()


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: {"ley.md": LAW}})


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    told = {"home": tmp_path, "llm_provider": "groq", "groq_api_key": SecretStr(THEIRS)}
    return settings.model_copy(update=told)


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def general(assistant: Assistant) -> ProjectAssistant:
    return project_of(assistant)


@pytest.fixture
def join(assistant: Assistant, database: Database, general: ProjectAssistant) -> Callable[..., ProjectAssistant]:
    def member(person: str, role: str = "reader") -> ProjectAssistant:
        with database.as_login() as owner:
            owner.execute("INSERT INTO people (person_id) VALUES (%s)", [person])
            owner.execute("INSERT INTO memberships VALUES ('general', %s, %s)", [person, role])
        return assistant.as_person(person).project("general")

    return member


def paid(server: FakeProviderServer, project: ProjectAssistant, provider: ProviderName | None = None) -> list[str]:
    """The keys that reached the server while a question was answered."""
    server.hits.clear()
    answer = project.ask(QUESTION, provider=provider)
    assert "7 días" in answer.text, answer.error
    return list(server.hits)


def kept(database: Database) -> str:
    """All that the table holds, as a dump writes it."""
    with database.as_login() as owner:
        return "\n".join(row for (row,) in owner.execute("SELECT t::text FROM provider_keys t"))


# ---------------------------------------------------------------- whose key


def test_the_nearest_key_pays_and_a_change_counts_for_the_next_question(
    official: FakeProviderServer, general: ProjectAssistant
) -> None:
    steps = [
        (lambda: None, THEIRS, "settings"),
        (lambda: general.keys.add("groq", OURS, owner="project"), OURS, "project"),
        (lambda: general.keys.add("groq", MINE), MINE, "person"),
        (lambda: general.keys.add("groq", f" {MINE}-other\n"), f"{MINE}-other", "person"),
        (lambda: general.keys.remove("groq"), OURS, "project"),
        (lambda: general.keys.remove("groq", owner="project"), THEIRS, "settings"),
    ]
    for change, key, payer in steps:
        change()
        assert paid(official, general) == [key]
        conversation = general.conversations.create()
        list(general.stream(QUESTION, conversation_id=conversation))
        assert general.turns(conversation)[1].usage.paid_by == payer


@pytest.mark.parametrize("provider", PATHS)
def test_a_key_reaches_its_provider_s_own_address(
    official: FakeProviderServer, general: ProjectAssistant, provider: ProviderName
) -> None:
    with pytest.raises(MissingKeyError) if provider != "groq" else pytest.MonkeyPatch.context():
        general.provider_status(provider)
    general.keys.add(provider, MINE)
    assert general.provider_status(provider).provider == provider
    assert paid(official, general, provider) == [MINE]


@pytest.mark.parametrize("owner", ["person", "project"])
def test_only_the_settings_key_goes_where_the_settings_lead(
    official: FakeProviderServer, assistant: Assistant, general: ProjectAssistant, settings: Settings, owner: str
) -> None:
    with running() as (gateway, url):
        assistant.settings = settings.model_copy(update={"llm_base_url": f"{url}/groq", "llm_model": "de-la-casa"})
        project = project_of(assistant)
        assert (paid(gateway, project), list(official.hits)) == ([THEIRS], [])
        gateway.hits.clear()
        project.keys.add("groq", MINE, owner=owner)  # type: ignore[arg-type]
        assert (paid(official, project), list(gateway.hits)) == ([MINE], [])
    assert [body["model"] for body in gateway.bodies] == ["de-la-casa"]
    assert official.bodies[-1]["model"] == PROVIDERS["groq"].default_model


def test_the_fallback_is_paid_for_with_the_nearest_key_too(
    official: FakeProviderServer, assistant: Assistant, general: ProjectAssistant, settings: Settings
) -> None:
    assistant.settings = settings.model_copy(update={"llm_fallback": "openrouter"})
    project = project_of(assistant)
    project.keys.add("groq", "bad-mine")
    project.keys.add("openrouter", OURS, owner="project")
    answer = project.ask(QUESTION)
    assert list(official.hits) == ["bad-mine", OURS]
    assert (answer.provider, answer.usage.paid_by) == ("openrouter", "project")
    assert any("rechazó la clave que usted agregó" in notice for notice in answer.notices)


# ---------------------------------------------------------------- a key that is refused


@pytest.mark.parametrize("scenario", ["bad", "forbidden"])
@pytest.mark.parametrize(
    ("owner", "code", "words"),
    [
        ("person", "provider_person_key", "la clave que usted agregó"),
        ("project", "provider_project_key", "la clave del proyecto"),
    ],
)
def test_a_refused_key_says_whose_it_is_and_where_to_change_it(
    general: ProjectAssistant, scenario: str, owner: str, code: str, words: str
) -> None:
    general.keys.add("groq", f"{scenario}-{owner}", owner=owner)  # type: ignore[arg-type]
    answer = general.ask(QUESTION)
    assert (answer.code, answer.params["label"]) == (code, "Groq")
    assert words in answer.error
    assert "«Ajustes»" in answer.error
    assert "GROQ_API_KEY" not in answer.error
    with pytest.raises(ProviderAuthenticationError, match=words):
        general.keys.test("groq", owner=owner)  # type: ignore[arg-type]


def test_a_key_that_is_taken_is_tried_with_one_request(official: FakeProviderServer, general: ProjectAssistant) -> None:
    general.keys.add("groq", MINE)
    general.keys.test("groq")
    assert official.hits == {MINE: 1}


@pytest.mark.parametrize("provider", ["groq", "openrouter"])
def test_the_models_of_a_provider_are_listed(
    official: FakeProviderServer, general: ProjectAssistant, provider: ProviderName
) -> None:
    assert general.keys.models("extractive") == []
    general.keys.add(provider, MINE)
    assert general.keys.models(provider) == ["modelo-local"]


def test_a_provider_that_lists_no_models_has_none(general: ProjectAssistant) -> None:
    """The fake of Gemini has no list."""
    general.keys.add("google", MINE)
    assert general.keys.models("google") == []


# ---------------------------------------------------------------- who sees what


def test_a_person_s_key_is_that_person_s_alone(
    official: FakeProviderServer, general: ProjectAssistant, join: Callable[..., ProjectAssistant]
) -> None:
    ana = join("ana", "owner")
    general.keys.add("groq", MINE)
    assert ana.keys.all() == []
    assert paid(official, ana) == [THEIRS]
    with pytest.raises(NotFoundError):
        ana.keys.remove("groq")
    ana.keys.add("groq", "ok-ana")
    assert (paid(official, ana), paid(official, general)) == (["ok-ana"], [MINE])


@pytest.mark.parametrize("role", ["editor", "reader"])
def test_members_use_the_project_s_key_and_its_owner_sets_it(
    official: FakeProviderServer, general: ProjectAssistant, join: Callable[..., ProjectAssistant], role: str
) -> None:
    general.keys.add("groq", OURS, owner="project")
    ana = join("ana", role)
    assert paid(official, ana) == [OURS]
    (seen,) = ana.keys.all()
    assert (seen.provider, seen.owner, seen.added_by) == ("groq", "project", "local")
    for change in (
        lambda: ana.keys.add("groq", "ok-ana", owner="project"),
        lambda: ana.keys.add("google", "ok-ana", owner="project"),
        lambda: ana.keys.remove("groq", owner="project"),
    ):
        with pytest.raises(ForbiddenError):
            change()
    assert paid(official, ana) == [OURS]


def test_who_is_no_member_sees_no_key(general: ProjectAssistant, database: Database, settings: Settings) -> None:
    general.keys.add("groq", OURS, owner="project")
    general.keys.add("groq", MINE)
    for stranger in (database.as_person("extraño"), database.as_person(""), database.as_job("general")):
        assert Keys(database=stranger, settings=settings, project="general").all() == []
    worker = Keys(database=database.as_worker(), settings=settings, project="general")
    assert worker.all() == []


# ---------------------------------------------------------------- the command


def test_the_command_takes_a_key_from_its_input_and_never_shows_it(
    official: FakeProviderServer, settings: Settings, general: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())

    def run(line: str, typed: str = "") -> list[dict[str, object]]:
        done = CliRunner().invoke(cli, ["keys", *line.split(), "--json"], typed, catch_exceptions=False)
        assert (done.exit_code, MINE in done.output, OURS in done.output) == (0, False, False)
        return [json.loads(row) for row in done.output.splitlines()]

    assert run("list") == []
    assert run("add groq", f"{MINE}\n") == [{"provider": "groq", "owner": "person", "status": "added"}]
    assert run("add openrouter --project general", OURS)[0]["owner"] == "project"
    assert [(each["provider"], each["owner"]) for each in run("list")] == [
        ("groq", "person"),
        ("openrouter", "project"),
    ]
    assert run("test groq")[0]["status"] == "accepted"
    assert run("rotate") == [{"resealed": 2, "unreadable": 0}]
    assert paid(official, general, "openrouter") == [OURS]
    assert run("remove groq")[0]["status"] == "removed"
    assert [each["provider"] for each in run("list")] == ["openrouter"]
    with pytest.raises(NotFoundError):
        run("remove groq")


# ---------------------------------------------------------------- nowhere in clear


@pytest.mark.parametrize("scenario", ["ok", "bad", "echo", "500"])
def test_a_key_is_in_no_row_no_log_and_no_error(
    general: ProjectAssistant, database: Database, caplog: pytest.LogCaptureFixture, scenario: str
) -> None:
    secret = f"{scenario}-7f3a91c2d4"
    with caplog.at_level(logging.DEBUG):
        general.keys.add("groq", secret)
        general.keys.add("google", secret, owner="project")
        answer = general.ask(QUESTION)
    assert answer.usage.paid_by == "person"
    shown = [kept(database), caplog.text, repr(answer), repr(general.keys.all()), repr(general.keys.credentials())]
    assert [text for text in shown if secret in text or secret.encode().hex() in text] == []


def test_a_row_that_is_moved_does_not_open(
    official: FakeProviderServer, general: ProjectAssistant, join: Callable[..., ProjectAssistant], database: Database
) -> None:
    general.keys.add("groq", MINE)
    ana = join("ana")
    with database.as_login() as owner:
        owner.execute("UPDATE provider_keys SET person_id = 'ana'")
    assert [each.is_readable for each in ana.keys.all()] == [False]
    answer = ana.ask(QUESTION)
    assert (answer.provider, list(official.hits)) == ("extractive", [])


@pytest.mark.parametrize("typed", ["", "  ", "con blanco", "ñandú", "k" * 513])
def test_what_cannot_be_a_key_is_not_kept(general: ProjectAssistant, database: Database, typed: str) -> None:
    with pytest.raises(InputError, match="no es una clave") as caught:
        general.keys.add("groq", typed)
    assert caught.value.code == "not_a_key"
    assert kept(database) == ""


@pytest.mark.parametrize("provider", ["local", "extractive"])
def test_only_who_asks_for_a_key_gets_one(general: ProjectAssistant, provider: ProviderName) -> None:
    with pytest.raises(InputError, match="google, groq, openrouter"):
        general.keys.add(provider, MINE)


# ---------------------------------------------------------------- the sealing key


def test_a_missing_sealing_key_is_told_and_nothing_is_lost(
    official: FakeProviderServer, general: ProjectAssistant, settings: Settings, tmp_path: Path
) -> None:
    general.keys.add("groq", MINE)
    assert CHECKS["Claves guardadas"](settings) == "1, y se pueden abrir"
    file = tmp_path / "sealing.keys"
    aside = file.rename(tmp_path / "aparte")
    notice = general.provider_status().notice
    assert "No se puede abrir su clave de Groq" in notice
    assert general.ask(QUESTION).provider == "extractive"
    with pytest.raises(MissingKeyError, match="«legajo doctor»") as asked:
        general.provider_status("groq")
    assert asked.value.code == "unreadable_key"
    with pytest.raises(SealingError, match="Restaure") as found:
        CHECKS["Claves guardadas"](settings)
    assert str(file) in str(found.value)
    assert official.hits == {}
    aside.rename(file)
    assert paid(official, general) == [MINE]


def test_rotation_seals_all_anew_while_the_program_runs(
    official: FakeProviderServer,
    general: ProjectAssistant,
    join: Callable[..., ProjectAssistant],
    database: Database,
    settings: Settings,
    tmp_path: Path,
) -> None:
    ana = join("ana")
    general.keys.add("groq", OURS, owner="project")
    general.keys.add("groq", MINE)
    ana.keys.add("openrouter", "ok-ana")
    before, old = kept(database), (tmp_path / "sealing.keys").read_text()
    assert rotate_sealing_key(settings) == (3, 0)
    now = (tmp_path / "sealing.keys").read_text()
    assert not set(before.splitlines()) & set(kept(database).splitlines())
    assert len(now.splitlines()) == 1
    assert now != old
    assert stored_keys(settings) == 3
    assert (paid(official, general), paid(official, ana)) == ([MINE], [OURS])
    assert paid(official, ana, "openrouter") == ["ok-ana"]


def test_rotation_leaves_the_old_key_where_something_still_needs_another(
    general: ProjectAssistant, database: Database, settings: Settings, tmp_path: Path
) -> None:
    general.keys.add("groq", MINE)
    with database.as_login() as owner:
        owner.execute("UPDATE provider_keys SET sealed_with = 'de otra'")
    assert rotate_sealing_key(settings) == (0, 1)
    assert len((tmp_path / "sealing.keys").read_text().splitlines()) == 2


def test_a_deleted_project_takes_its_keys_along(general: ProjectAssistant, database: Database) -> None:
    general.keys.add("groq", OURS, owner="project")
    general.keys.add("groq", MINE)
    with database.connection() as lent:
        lent.execute("DELETE FROM projects WHERE project_id = 'general'")
    assert kept(database).count("groq") == 1
