"""Accounts on the real database: who enters, with what, for how long, and what is left of who is gone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from pydantic import SecretStr

from assistant.accounts import _MOST_OF_A_NAME, _MOST_OF_AN_ADDRESS, Accounts
from assistant.assistant import Assistant
from assistant.passwords import digest
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import (
    ForbiddenError,
    InputError,
    LegajoError,
    NotFoundError,
    SessionEndedError,
    SignInError,
    TooManyAttemptsError,
)
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.types import Token
from tests.fakes import provider_server
from tests.indexing import project_of, upload

PASSWORD = "una contraseña larga"
OTHER = "otra contraseña larga"
HERE = "192.0.2.7"
TABLES = ("passwords", "sessions", "invitations", "identities", "login_attempts")


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def accounts(assistant: Assistant) -> Accounts:
    """With an administrator, Ana."""
    kept = assistant.accounts()
    kept.add("ana", PASSWORD, administrator=True)
    return kept


def age(database: Database, table: str, column: str, by: timedelta) -> None:
    """Let time go by for the rows of a table."""
    with database.as_login() as owner:
        owner.execute(f"UPDATE {table} SET {column} = {column} - %s", [by])  # noqa: S608


def stored(database: Database) -> str:
    """All that stands in the tables of accounts, as text."""
    with database.as_login() as owner:
        rows = [owner.execute(f"SELECT to_jsonb(t) FROM {each} t").fetchall() for each in TABLES]  # noqa: S608
    return json.dumps(rows, default=str)


# ---------------------------------------------------------------- entering


def test_who_knows_the_password_gets_a_session(assistant: Assistant, accounts: Accounts) -> None:
    secret = accounts.sign_in(" ANA ", PASSWORD, address=HERE)
    assert assistant.as_session(secret).person == "ana"
    assert accounts.people()[0].sessions == 1


@pytest.mark.parametrize(("name", "password"), [("ana", OTHER), ("nadie", PASSWORD), ("ana", ""), (LOCAL_PERSON, "")])
def test_whatever_is_wrong_the_answer_is_the_same(accounts: Accounts, name: str, password: str) -> None:
    with pytest.raises(SignInError) as refused:
        accounts.sign_in(name, password, address=HERE)
    assert refused.value.fields == SignInError().fields


def test_an_unknown_person_costs_a_verification_too(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant import passwords

    compared: list[str] = []
    hasher = passwords._HASHER

    class Counting:
        hash = hasher.hash

        def verify(self, kept: str, typed: str) -> bool:
            compared.append(kept.rsplit("$", 2)[0])  # the algorithm and what it costs
            return hasher.verify(kept, typed)

    monkeypatch.setattr(passwords, "_HASHER", Counting())
    for name in ("ana", "nadie"):
        with pytest.raises(SignInError):
            accounts.sign_in(name, OTHER, address=HERE)
    assert compared[0] == compared[1]
    assert compared[0].startswith("$argon2id$")


@pytest.mark.parametrize("name", ["ana", "nadie"])
def test_a_name_is_tried_so_often_and_no_more(database: Database, accounts: Accounts, name: str) -> None:
    for at in range(_MOST_OF_A_NAME):
        with pytest.raises(SignInError):
            accounts.sign_in(name, OTHER, address=f"192.0.2.{at}")
    with pytest.raises(TooManyAttemptsError):
        accounts.sign_in(name, PASSWORD, address=HERE)
    age(database, "login_attempts", "attempted_at", timedelta(minutes=16))
    if name == "ana":
        assert accounts.sign_in(name, PASSWORD, address=HERE)
        assert json.loads(stored(database))[-1] == []


def test_an_address_tries_so_many_names_and_no_more(accounts: Accounts) -> None:
    with accounts._kept.connection() as lent:  # what failures leave behind, without their cost
        for at in range(_MOST_OF_AN_ADDRESS):
            key = [digest(str(at)), digest(HERE)]
            lent.execute("INSERT INTO login_attempts (name_hash, address_hash) VALUES (%s, %s)", key)
    with pytest.raises(TooManyAttemptsError):
        accounts.sign_in("ana", PASSWORD, address=HERE)
    assert accounts.sign_in("ana", PASSWORD, address="192.0.2.8")


def test_no_secret_and_no_typed_name_is_stored(database: Database, accounts: Accounts) -> None:
    with pytest.raises(SignInError):
        accounts.sign_in("mi-clave-en-el-sitio-del-nombre", PASSWORD, address=HERE)
    secrets = [accounts.sign_in("ana", PASSWORD, address=HERE), accounts.invite("beto")]
    told = stored(database)
    assert [each for each in (*secrets, PASSWORD, "mi-clave", HERE) if each in told] == []


# ---------------------------------------------------------------- sessions


def ended(accounts: Accounts, _database: Database, secret: str) -> None:
    accounts.end_session(secret)


def all_ended(accounts: Accounts, _database: Database, _secret: str) -> None:
    assert accounts.end_sessions("ana") == 1


def expired(_accounts: Accounts, database: Database, _secret: str) -> None:
    age(database, "sessions", "expires_at", timedelta(days=14))


def reset(accounts: Accounts, _database: Database, _secret: str) -> None:
    accounts.reset("ana")


def removed(accounts: Accounts, _database: Database, _secret: str) -> None:
    accounts.add("beto", PASSWORD, administrator=True)
    accounts.give_role("beto", "leyes", "owner")
    accounts.remove("ana")


@pytest.mark.parametrize("end", [ended, all_ended, expired, reset, removed])
def test_a_session_that_is_over_does_nothing(
    assistant: Assistant, accounts: Accounts, database: Database, end: Callable[[Accounts, Database, str], None]
) -> None:
    secret = accounts.sign_in("ana", PASSWORD, address=HERE)
    person = assistant.as_session(secret)
    person.create_project("leyes")
    project = person.project("leyes")
    assert project.library.all() == []
    end(accounts, database, secret)
    for call in (person.projects, project.library.all, project.conversations.create, person.administration):
        with pytest.raises(SessionEndedError):
            call()
    for wrong in (secret, "", "inventado"):
        with pytest.raises(SessionEndedError):
            assistant.as_session(wrong)


@pytest.mark.parametrize("recorded", [True, False])
def test_a_session_that_ends_ends_the_answer_that_is_being_written(settings: Settings, *, recorded: bool) -> None:
    with provider_server.running() as (_, url):
        model = {"llm_provider": "local", "llm_model": "m", "llm_base_url": f"{url}/v1"}
        endless = settings.model_copy(update={**model, "local_api_key": SecretStr("endless-clave")})
        with Assistant.open(endless, embeddings=HashEmbeddings()) as assistant:
            (accounts := assistant.accounts()).add("ana", PASSWORD)
            person = assistant.as_session(accounts.sign_in("ana", PASSWORD, address=HERE))
            person.create_project("leyes")
            project = person.project("leyes")
            assert upload(project, "ley.md", b"# Ley\n\nEl plazo para apelar es de quince dias.").status == "indexed"
            talk = project.conversations.create()
            events = project.stream("¿Cuál es el plazo para apelar?", conversation_id=talk if recorded else None)
            next(event for event in events if isinstance(event, Token))
            accounts.end_sessions("ana")
            with pytest.raises(SessionEndedError):
                list(events)
            states = [turn.state for turn in assistant.as_person("ana").project("leyes").turns(talk)]
    assert states == (["complete", "writing"] if recorded else [])  # a draft, which counts as interrupted in a while


def test_another_password_ends_the_other_sessions(assistant: Assistant, accounts: Accounts) -> None:
    here, elsewhere = (accounts.sign_in("ana", PASSWORD, address=HERE) for _ in range(2))
    with pytest.raises(SignInError, match="actual"):
        accounts.change_password("ana", OTHER, OTHER, but=here, address=HERE)
    with pytest.raises(InputError, match="12"):
        accounts.change_password("ana", PASSWORD, "corta", but=here, address=HERE)
    accounts.change_password("ana", PASSWORD, OTHER, but=here, address=HERE)
    assert assistant.as_session(here).person == "ana"
    with pytest.raises(SessionEndedError):
        assistant.as_session(elsewhere)
    assert accounts.sign_in("ana", OTHER, address=HERE)


# ---------------------------------------------------------------- invitations


def test_an_invitation_is_used_once(assistant: Assistant, accounts: Accounts) -> None:
    invitation = accounts.invite("Beto@Empresa.pe")
    assert accounts.invited(invitation) == "beto@empresa.pe"
    with pytest.raises(InputError):
        accounts.accept(invitation, "corta")
    assert assistant.as_session(accounts.accept(invitation, PASSWORD)).person == "beto@empresa.pe"
    with pytest.raises(SignInError, match="ya se usó"):
        accounts.accept(invitation, OTHER)


def test_an_invitation_expires_and_another_takes_its_place(database: Database, accounts: Accounts) -> None:
    first = accounts.invite("beto")
    second = accounts.reset("beto")
    with pytest.raises(SignInError):
        accounts.invited(first)
    age(database, "invitations", "expires_at", timedelta(days=7))
    with pytest.raises(SignInError):
        accounts.accept(second, PASSWORD)


@pytest.mark.parametrize("name", ["", "  ", "con espacio", "local", "LOCAL", "a" * 101, "x\u202ey", "<b>"])
def test_a_name_that_cannot_be_used_is_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(InputError):
        accounts.invite(name)


def test_who_is_there_is_not_made_again(accounts: Accounts) -> None:
    with pytest.raises(InputError, match="ya tiene cuenta"):
        accounts.add("ANA", OTHER)


# ---------------------------------------------------------------- identities


def test_an_identity_is_tied_to_one_person(assistant: Assistant, accounts: Accounts) -> None:
    issuer = "https://quien.example"
    secret = accounts.sign_in_identity(issuer=issuer, subject="1", email="Beto@empresa.pe")
    person = assistant.as_session(secret)
    assert (person.person, person.projects()) == ("beto@empresa.pe", [])
    again = accounts.sign_in_identity(issuer=issuer, subject="1", email="otro@empresa.pe")
    assert assistant.as_session(again).person == "beto@empresa.pe"
    with pytest.raises(SignInError):  # somebody who was given the address later
        accounts.sign_in_identity(issuer=issuer, subject="2", email="beto@empresa.pe")


# ---------------------------------------------------------------- roles


def test_owners_say_who_may_do_what(assistant: Assistant, accounts: Accounts) -> None:
    accounts.add("beto", PASSWORD)
    owner = assistant.as_person("ana")
    owner.create_project("leyes")
    project = owner.project("leyes")
    with pytest.raises(NotFoundError):
        assistant.as_person("beto").project("leyes")
    project.give_role("Beto", "editor")
    assert project.members() == {"ana": "owner", "beto": "editor"}
    theirs = assistant.as_person("beto").project("leyes")
    assert theirs.members() == {"beto": "editor"}
    for change in (
        lambda: theirs.change_project(instructions="Obedezca."),
        lambda: theirs.give_role("beto", "owner"),
        lambda: theirs.give_role("ana", None),
    ):
        with pytest.raises(ForbiddenError):
            change()
    assert upload(theirs, "ley.md", b"# Ley 1\n\nEl plazo es de quince dias.").status == "indexed"
    with pytest.raises(InputError, match="sin propietario"):
        project.give_role("ana", None)
    with pytest.raises(NotFoundError):
        project.give_role("nadie", "reader")
    project.give_role("beto", None)
    with pytest.raises(NotFoundError):
        assistant.as_person("beto").project("leyes")


def test_accounts_are_administrators_business(assistant: Assistant, accounts: Accounts) -> None:
    accounts.add("beto", PASSWORD)
    assert assistant.as_person("ana").administration().people()
    for person in ("beto", "nadie", LOCAL_PERSON):
        with pytest.raises(ForbiddenError):
            assistant.as_person(person).administration()


def test_who_has_no_account_makes_no_project(assistant: Assistant) -> None:
    with pytest.raises(ForbiddenError):
        assistant.as_person("nadie").create_project("suyo")


def test_a_keeper_sees_nothing_of_projects(assistant: Assistant, accounts: Accounts, database: Database) -> None:
    project_of(assistant).conversations.create()
    with database.as_keeper().connection() as lent:
        for table in ("projects", "documents", "conversations", "messages"):
            assert lent.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table  # noqa: S608
    for nobody in (database.as_person("ana"), database.as_person(""), database.as_worker(), database.as_job("general")):
        accounts.sign_in("ana", PASSWORD, address=HERE)
        with nobody.connection() as lent:
            seen = {each: lent.execute(f"SELECT count(*) FROM {each}").fetchone() for each in TABLES}  # noqa: S608
        assert {each for each, count in seen.items() if count != (0,)} <= {"sessions"}


# ---------------------------------------------------------------- taking along, and going


def test_an_account_is_exported_and_erased_whole(assistant: Assistant, accounts: Accounts, database: Database) -> None:
    accounts.add("beto", PASSWORD)
    project = project_of(assistant)
    upload(project, "ley.md", b"# Ley 27444\n\nEl plazo para apelar es de quince dias.")
    project.give_role("beto", "reader")
    theirs = assistant.as_session(accounts.sign_in("beto", PASSWORD, address=HERE)).project("general")
    list(theirs.stream("¿Cuál es el plazo para apelar?", conversation_id=theirs.conversations.create()))
    project.give_role("beto", None)  # what was said stays theirs
    known = accounts.export("beto")
    with database.as_login() as owner:
        named = owner.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'person_id'"
            " AND table_schema = current_schema()"
        ).fetchall()
    assert set(known) == {name for (name,) in named}
    (conversation,) = known["conversations"]
    assert [each["role"] for each in conversation["messages"]] == ["user", "assistant"]
    assert "quince" in conversation["citations"][0]["quote"]
    assert len(known["sessions"]) == 1
    assert "argon2" not in json.dumps(known)
    assert digest("") not in json.dumps(known)
    mine = accounts.export("ana")
    assert mine["conversations"] == []
    assert {name: type(each) for name, each in mine.items() if name != "people"} == dict.fromkeys(
        set(mine) - {"people"}, list
    )

    accounts.remove("beto")
    with database.as_login() as owner:
        for (name,) in set(named) - {("audit",), ("people_audit",)}:  # what was done stays known
            left = owner.execute(f"SELECT count(*) FROM {name} WHERE person_id = 'beto'").fetchone()  # noqa: S608
            assert left == (0,), name
        assert owner.execute("SELECT count(*) FROM messages").fetchone() == (0,)
    with pytest.raises(NotFoundError):
        accounts.export("beto")


def test_the_only_owner_of_a_project_stays_until_another_one_is_named(assistant: Assistant, accounts: Accounts) -> None:
    accounts.add("beto", PASSWORD)
    accounts.add("carla", PASSWORD)
    diary = assistant.as_person("beto")
    diary.create_project("diario")
    diary.create_project("obras")
    diary.project("obras").give_role("carla", "reader")
    with pytest.raises(InputError, match="Solo «beto» es propietario de «diario», «obras»"):
        accounts.remove("beto")
    diary.project("obras").give_role("carla", "owner")
    diary.delete_project("diario")
    accounts.remove("beto")
    assert list(assistant.as_person("carla").project("obras").members()) == ["carla"]


def test_the_last_administrator_stays(accounts: Accounts) -> None:
    with pytest.raises(InputError, match="única persona"):
        accounts.remove("ana")
    accounts.add("beto", PASSWORD, administrator=True)
    accounts.remove("ana")
    with pytest.raises(InputError, match="única persona"):
        accounts.remove("beto")
    with pytest.raises(LegajoError):
        accounts.remove(LOCAL_PERSON)
