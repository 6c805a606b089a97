"""The documents that a start takes in: those of a folder that changed, and the samples for who has none."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from launcher.children import child, legajo
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.migrate import schema_birth
from rag_system.telemetry.observing import say

__all__ = ["SAMPLES", "index_news"]

SAMPLES = (
    Path(__file__).resolve().parents[1] / "data" / "documents"
)  # of the repository; the installed package has none


def index_news(folder: Path, settings: Settings, database: Database) -> None:
    """Index the folder unless it, the model and the database are as they were when that was last done.

    A document that a person removed in the chat therefore stays removed. Samples are for who has nothing yet: among a
    person's own documents they would answer too, and with accounts they would be in a project that nobody sees.
    """
    if folder == SAMPLES and (settings.accounts != "local" or not SAMPLES.is_dir()):
        return
    from rag_system.ingestion.accepting import find_files  # not small; meanwhile the chat is starting

    stamp = settings.home / "documents.stamp"
    found = find_files([folder])
    files = [file for file, _ in found]
    state = _state(folder, files, settings, database)
    if not files or (stamp.exists() and stamp.read_text(encoding="ascii") == state):
        return
    if folder == SAMPLES and not stamp.exists() and _holds_more_than({path for _, path in found}, database):
        return
    say("Revisando los documentos de " + str(folder))
    reports = _reports(folder)
    for report in reports:
        if report["error"]:
            say(f"  {report['path']}: {report['error']}", names=True)
    say(f"  Incorporados: {sum(report['status'] in ('indexed', 'updated') for report in reports)} de {len(files)}.")
    if len(reports) < len(files):
        say(f"  Faltan {len(files) - len(reports)} de {len(files)} archivos: se incorporarán al abrir otra vez.")
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(state, encoding="ascii")


def _holds_more_than(paths: set[str], database: Database) -> bool:
    """Whether the chat's project has other documents; samples may be there from a first time that broke off."""
    from rag_system.storage.documents import list_documents

    with database.as_person(LOCAL_PERSON).connection() as connection:
        return any(each.path not in paths for each in list_documents(connection, DEFAULT_PROJECT))


def _reports(folder: Path) -> list[dict[str, Any]]:
    """What became of each file; of fewer files than there are when indexing broke off."""
    with child(legajo("ingest", "--json", str(folder)), stdout=subprocess.PIPE) as indexing:
        output = indexing.communicate()[0]
    *lines, _cut_off = output.split("\n")
    if indexing.returncode != 0 and not lines:
        raise SystemExit(1)  # it has said why
    return [json.loads(line) for line in lines]


def _state(folder: Path, files: Sequence[Path], settings: Settings, database: Database) -> str:
    from rag_system.ingestion.report import index_version

    with database.connection() as conn:
        parts = [str(folder), settings.embedding_model, index_version(settings), schema_birth(conn).isoformat()]
    for path in files:
        with suppress(FileNotFoundError):  # removed meanwhile
            found = path.stat()
            parts.append(f"{path}\0{found.st_size}\0{found.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
