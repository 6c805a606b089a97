"""A server behind PgBouncer in transaction mode: a session of ours is a different one of the server's each time."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509 import NameOID
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import BusyStoreError, StorageError
from rag_system.settings import Settings
from rag_system.storage import connection as limits
from rag_system.storage.account import choose_account
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.storage.run_paths import find_programs
from tests.faults.processes import free_port, until
from tests.indexing import library_of, upload

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
CONFIGURATION = """\
[databases]
* = host={host} port={port} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen_port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 2
pidfile = {folder}/pid
logfile = {folder}/log
client_tls_sslmode = {tls}
client_tls_cert_file = {folder}/server.pem
client_tls_key_file = {folder}/server.key
"""

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")


@pytest.fixture
def pooled(settings: Settings, server_home: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Settings]:
    """Settings of a program that reaches a fresh, migrated database through the pooler, in the mode of a parameter."""
    assert settings.database_url is not None
    address = settings.database_url.get_secret_value()
    port = free_port()
    root = server_home / "postgresql"
    account = choose_account(root / "data").reaching(programs=find_programs(), root=root)
    configuration = tmp_path / "pgbouncer.ini"
    known = conninfo_to_dict(address)
    password = Path(str(known["passfile"])).read_text(encoding="utf-8").strip().rpartition(":")[2]
    parameters = {
        **known,
        "password": password,
        "listen_port": port,
        "folder": tmp_path,
        "mode": "transaction",
        "tls": "disable",
        **getattr(request, "param", {}),
    }
    certify(tmp_path)
    configuration.write_text(CONFIGURATION.format_map(parameters), encoding="utf-8")
    account.own(tmp_path)
    started = account.run([PGBOUNCER or "", "-q", "-d", configuration])
    assert started.returncode == 0, started.stderr
    until((tmp_path / "pid").exists, "PgBouncer does not start")
    try:
        url = make_conninfo(host="127.0.0.1", port=port, user=known["user"], dbname=known["dbname"])
        yield Settings(home=server_home, database_url=SecretStr(url))
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
        until(lambda: not (tmp_path / "pid").exists(), "PgBouncer does not end")


def certify(folder: Path) -> None:
    """A certificate of 127.0.0.1, which signs itself, with its key; and one of another server."""
    now, loopback = datetime.now(UTC), x509.IPAddress(ip_address("127.0.0.1"))
    for name in ("server", "other"):
        key = ec.generate_private_key(ec.SECP256R1())
        called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
        made = made.not_valid_before(now).not_valid_after(now + timedelta(days=1))
        made = made.add_extension(x509.SubjectAlternativeName([loopback]), critical=False)
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        (folder / f"{name}.pem").write_bytes(made.sign(key, SHA256()).public_bytes(Encoding.PEM))
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (folder / f"{name}.key").write_bytes(private)


def ask(database: Database, number: int) -> int:
    with database.snapshot() as connection:
        (answer,) = connection.execute("SELECT %(n)s::int + 41", {"n": number}).fetchone() or (0,)
    return int(answer)


def test_programs_that_repeat_their_statements_do_not_meet_in_a_session(pooled: Settings) -> None:
    with open_database(pooled) as one, open_database(pooled) as other:
        answers = [ask(database, number) for number in range(20) for database in (one, other)]
    assert answers == [number + 41 for number in range(20) for _ in range(2)]


def test_no_program_leaves_its_settings_to_others(pooled: Settings) -> None:
    with open_database(pooled) as database:
        ask(database, 1)
    assert pooled.database_url is not None
    with psycopg.connect(pooled.database_url.get_secret_value()) as connection:
        assert connection.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("0",)


@pytest.mark.parametrize("way", ["connection", "snapshot"])
def test_who_waits_is_not_kept_waiting_and_nobody_else_is_hurried(
    pooled: Settings, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STATEMENT_S", 0.2)
    assert pooled.database_url is not None
    with open_database(pooled) as database:
        with pytest.raises(BusyStoreError), getattr(database, way)() as connection:
            connection.execute("SELECT pg_sleep(30)")
        with getattr(database.unhurried(), way)() as connection:
            connection.execute("SELECT pg_sleep(0.4)")
    with psycopg.connect(pooled.database_url.get_secret_value()) as connection:
        assert connection.execute("SHOW statement_timeout").fetchone() == ("0",)
        assert connection.execute("SHOW lock_timeout").fetchone() == ("0",)


def test_a_worker_empties_the_queue(pooled: Settings) -> None:
    with open_database(pooled) as database:
        library = library_of(database=database, settings=pooled, embeddings=HashEmbeddings, project="general")
        for number in range(8):
            text = f"# Nota {number}\n\nEl plazo de la nota {number} es de {number} días."
            assert upload(library, f"nota{number}.md", text.encode()).status == "indexed"
        assert library.count() == 8


@pytest.mark.parametrize("pooled", [{"tls": "require"}], indirect=True)
def test_what_travels_is_sealed_and_the_server_is_known_by_its_certificate(pooled: Settings, tmp_path: Path) -> None:
    assert pooled.database_url is not None
    address = pooled.database_url.get_secret_value()

    def known_by(**options: object) -> Settings:
        return pooled.model_copy(update={"database_url": SecretStr(make_conninfo(address, **options))})

    with open_database(known_by(sslmode="verify-full", sslrootcert=tmp_path / "server.pem")) as database:
        assert ask(database, 1) == 42
        with database.as_login() as connection:
            assert connection.pgconn.ssl_in_use
    for options, words in (
        ({"sslmode": "verify-full", "sslrootcert": tmp_path / "other.pem"}, "certificate verify failed"),
        ({"sslmode": "disable"}, "SSL required"),
    ):
        with pytest.raises(StorageError, match=rf"No se pudo usar la base de datos 127\.0\.0\.1.*{words}"):
            open_database(known_by(**options))


@pytest.mark.parametrize("pooled", [{"mode": "statement"}], indirect=True)
def test_a_pooler_that_takes_no_transactions_is_told_from_a_passing_failure(pooled: Settings) -> None:
    with (
        pytest.raises(StorageError, match=r"pool_mode = statement.*: use transaction o session") as told,
        open_database(pooled) as database,
    ):
        ask(database, 1)
    assert "Vuelva a intentar" not in str(told.value)
