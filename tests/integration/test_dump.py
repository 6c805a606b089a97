"""A copy of the database: it holds what people keep in it, and nothing that opens a door."""

from __future__ import annotations

import subprocess
from base64 import b64encode

import pytest
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.passwords import digest
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import SignInError
from rag_system.settings import Settings
from rag_system.storage.run_paths import find_programs
from rag_system.storage.sealing import new_sealing_key
from tests.indexing import project_of, upload

PASSWORD, LOST, WRONG = "una contraseña larga", "otra contraseña larga", "tampoco esta contraseña"
OWN_KEY, PROJECT_KEY = "gsk_clave-de-una-persona", "AIza-clave-de-un-proyecto"


def dump(url: str) -> str:
    """As who administers the database makes it, in plain text."""
    command = [find_programs() / "pg_dump", "--format=plain", f"--dbname={url}"]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def test_a_dump_holds_no_key_and_no_password(settings: Settings, database_url: str) -> None:
    sealing = new_sealing_key()
    sealed = settings.model_copy(update={"sealing_key": SecretStr(sealing)})
    with Assistant.open(sealed, embeddings=HashEmbeddings()) as assistant:
        project, accounts = project_of(assistant), assistant.accounts()
        upload(project, "ley.md", b"# Ley\n\nEl plazo para apelar es de quince dias.")
        accounts.add("ana", LOST)
        reset = accounts.reset("ana")
        session = accounts.accept(reset, PASSWORD)
        project.give_role("ana", "reader")
        theirs = assistant.as_session(session).project("general")
        theirs.keys.add("groq", OWN_KEY)
        project.keys.add("google", PROJECT_KEY, owner="project")
        list(theirs.stream("¿Cuál es el plazo para apelar?", conversation_id=(talk := theirs.conversations.create())))
        link = theirs.conversations.share(talk)
        invitation = accounts.invite("beto")
        for name in (WRONG, "ana"):  # what is typed in the wrong place may be a password
            with pytest.raises(SignInError):
                accounts.sign_in(name, WRONG, address="192.0.2.7")
    copied = dump(database_url)
    for secret in (PASSWORD, LOST, WRONG, OWN_KEY, PROJECT_KEY, sealing, session, reset, invitation, link):
        raw = secret.encode()
        for written in (secret, raw.hex(), b64encode(raw).decode().rstrip("=")):
            assert written not in copied, secret
    for there in ("quince dias", "$argon2id$", digest(session), digest(link), digest(WRONG), "groq"):
        assert there in copied
