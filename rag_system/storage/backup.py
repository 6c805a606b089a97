"""A copy of the whole database in a file, made while it is in use, and a database made of it again.

The file is a ZIP archive: `manifest.json`, which says what is inside, and what PostgreSQL's own `pg_dump` wrote. On
request it is encrypted as age does (age-encryption.org): `key.age` holds a key under the passphrase, and
`database.dump.age` the copy under that key, so that a copy of any size takes no memory.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg import Connection, IsolationLevel, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from pyrage import DecryptError, IdentityError, decrypt_io, encrypt_io, passphrase, x25519

from rag_system.errors import IncompatibleStoreError, InputError, StorageError
from rag_system.settings import Settings
from rag_system.storage.connecting import first_line
from rag_system.storage.migrate import shipped_migrations
from rag_system.storage.opening import migrate_database, owner_address
from rag_system.storage.run_paths import find_programs

__all__ = ["Manifest", "back_up", "is_encrypted", "restore"]

_FORMAT = 1
_MANIFEST, _DUMP, _KEY, _SEALED = "manifest.json", "database.dump", "key.age", "database.dump.age"
_BLOCK = 1 << 20
_LEAST_PASSPHRASE = 12  # characters
_COUNTED = ("projects", "documents", "chunks", "files", "conversations", "messages", "people")  # told and compared
_EMPTY = ("documents", "conversations")  # of a database that may be restored into
_ANEW = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a copy holds."""

    legajo: str  # version of the program
    migration: int  # of the schema
    made_at: str  # ISO 8601, UTC
    rows: Mapping[str, int]  # by table
    sha256: str  # of the copy, before it is encrypted
    format: int = _FORMAT


def back_up(settings: Settings, target: Path, *, secret: str = "") -> Manifest:
    """Write a copy of the database as it is now; `secret` encrypts it. The file appears when it is whole.

    Raises `InputError` where there is such a file, or the passphrase is short, and `StorageError` where the copy fails.
    """
    if target.exists():
        raise InputError(f"«{target}» ya existe. Elija otro nombre: una copia no reemplaza a otra.")
    if secret and len(secret) < _LEAST_PASSPHRASE:
        raise InputError(f"La frase de la copia es muy corta: escriba al menos {_LEAST_PASSPHRASE} signos.")
    with _told(target), TemporaryDirectory(prefix=".legajo-", dir=target.parent) as scratch:
        dump, whole = Path(scratch, _DUMP), Path(scratch, "copia")
        with owner_address(settings) as owner:
            manifest = _dump(owner, dump)
        _run("pg_restore", ["--list", str(dump)])  # what cannot be read back is no copy
        with zipfile.ZipFile(whole, "x", zipfile.ZIP_STORED) as archive:
            archive.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
            _put(archive, dump, secret)
        whole.chmod(0o600)
        os.link(whole, target)  # unlike a rename it replaces nothing
    return manifest


def restore(settings: Settings, source: Path, *, secret: str = "") -> Manifest:
    """Fill an empty database with a copy, and bring it to this program's schema.

    Raises `InputError` where the file is no copy, the passphrase does not open it, or the database is in use, and
    `IncompatibleStoreError` where a newer program wrote it. What fails leaves it
    empty.
    """
    with _told(source), TemporaryDirectory(prefix="legajo-") as scratch:
        dump = Path(scratch, _DUMP)
        with _opened(source) as archive:
            manifest = _manifest(archive)
            _take(archive, dump, secret)
        if _sha256(dump) != manifest.sha256:
            raise InputError(f"«{source}» está dañado: no es lo que se copió. Use otra copia.")
        migrate_database(settings)  # the roles that a copy does not bring
        with owner_address(settings) as owner:
            _must_be_empty(owner)
            _load(owner, dump)
    migrate_database(settings)
    with owner_address(settings) as owner, psycopg.connect(owner) as connection:
        if (rows := _rows(connection)) != manifest.rows:
            raise StorageError(f"La base restaurada no tiene lo que la copia dice: {rows} en vez de {manifest.rows}.")
    return manifest


def is_encrypted(source: Path) -> bool:
    """Whether a copy asks for a passphrase."""
    with _told(source), _opened(source) as archive:
        return _KEY in archive.namelist()


# ---------------------------------------------------------------- the database


def _dump(owner: str, dump: Path) -> Manifest:
    """All of it as it is at one moment, which `pg_dump` and the counts share."""
    with psycopg.connect(owner) as connection:
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        rows, migration = _rows(connection), int(_one(connection, "SELECT max(version) FROM schema_migrations"))
        snapshot = _one(connection, "SELECT pg_export_snapshot()")
        _run("pg_dump", ["--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={dump}"], owner)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Manifest(legajo=version("legajo"), migration=migration, made_at=made, rows=rows, sha256=_sha256(dump))


def _load(owner: str, dump: Path) -> None:
    """In place of what is there, in one transaction each: a copy that does not fit leaves an empty database."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(_ANEW)
    _run("pg_restore", ["--no-owner", "--exit-on-error", "--single-transaction", str(dump)], owner)


def _must_be_empty(owner: str) -> None:
    with psycopg.connect(owner) as connection:
        rows = _rows(connection)
    if any(rows[table] for table in _EMPTY):
        raise InputError(
            "La base de datos tiene documentos o conversaciones, y restaurar los reemplazaría. Restaure en una vacía: "
            "otra carpeta en LEGAJO_HOME, u otra base en DATABASE_URL."
        )


def _rows(connection: Connection[TupleRow]) -> dict[str, int]:
    count = sql.SQL("SELECT count(*) FROM {}")
    return {table: _one(connection, count.format(sql.Identifier(table))) for table in _COUNTED}


def _one(connection: Connection[TupleRow], query: Any) -> Any:
    row = connection.execute(query).fetchone()
    assert row is not None  # noqa: S101  (an aggregate has one row)
    return row[0]


def _run(program: str, arguments: list[str], owner: str = "") -> None:
    """A program of PostgreSQL's; the password goes by the environment, which other users cannot list."""
    parameters: dict[str, Any] = dict(conninfo_to_dict(owner)) if owner else {}
    password = str(parameters.pop("password", "") or "")
    address = [f"--dbname={make_conninfo(**parameters)}"] if owner else []
    environment = {"PATH": os.environ.get("PATH", ""), **({"PGPASSWORD": password} if password else {})}
    done = subprocess.run(
        [find_programs() / program, *address, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise StorageError(_explained(done.stderr))


def _explained(said: str) -> str:
    if "row-level security" in said:
        return (
            "Quien copia debe poder leer las filas de todos. Indique en DATABASE_MIGRATION_URL un usuario con "
            "BYPASSRLS, o use las copias de su servidor."
        )
    if "server version mismatch" in said:
        return "El servidor es más nuevo que los programas de copia incluidos. Use las copias de su servidor."
    last = (said.strip().splitlines() or ["sin explicación"])[-1]
    return f"No se pudo copiar o restaurar: {last}. Revise el espacio en el disco y los permisos."


# ---------------------------------------------------------------- the file


def _put(archive: zipfile.ZipFile, dump: Path, secret: str) -> None:
    with dump.open("rb") as read:
        if not secret:
            archive.write(dump, _DUMP)
            return
        key = x25519.Identity.generate()
        archive.writestr(_KEY, passphrase.encrypt(str(key).encode(), secret))
        with archive.open(_SEALED, "w", force_zip64=True) as sealed:
            encrypt_io(read, sealed, [key.to_public()])


def _take(archive: zipfile.ZipFile, dump: Path, secret: str) -> None:
    with dump.open("wb") as written:
        if _KEY not in archive.namelist():
            with archive.open(_DUMP) as plain:
                while block := plain.read(_BLOCK):
                    written.write(block)
            return
        try:
            key = x25519.Identity.from_str(passphrase.decrypt(archive.read(_KEY), secret).decode())
            with archive.open(_SEALED) as sealed:
                decrypt_io(sealed, written, [key])
        except (DecryptError, IdentityError):
            raise InputError("La frase no abre esta copia. Escríbala de nuevo, tal como se eligió.") from None


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    manifest = Manifest(**json.loads(archive.read(_MANIFEST)))
    newest = shipped_migrations()[-1].version
    if manifest.format > _FORMAT or manifest.migration > newest:
        raise IncompatibleStoreError(
            f"La copia es de una versión más nueva de Legajo ({manifest.legajo}): actualice el programa y repita."
        )
    return manifest


@contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(source) as archive:
            yield archive
    except (zipfile.BadZipFile, KeyError, TypeError, json.JSONDecodeError):
        raise InputError(f"«{source}» no es una copia de «legajo backup», o está dañada.") from None


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the disk or the database refuses, in a sentence."""
    try:
        yield
    except FileExistsError:
        raise InputError(f"«{path}» ya existe. Elija otro nombre: una copia no reemplaza a otra.") from None
    except OSError as error:
        raise InputError(
            f"No se puede leer o escribir «{path}»: {error.strerror}. Revise la ruta y el espacio."
        ) from error
    except psycopg.Error as error:
        raise StorageError(
            f"La base de datos rechazó la copia: {first_line(error)}. Ejecute «legajo doctor»."
        ) from error


def _sha256(path: Path) -> str:
    with path.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
