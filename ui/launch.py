"""What `scripts/start` runs: the database, the documents of the first time, and the chat, until Ctrl-C.

The chat (Streamlit) starts first and in parallel, because it takes longest. This process holds the database for as long
as the chat runs, so that the chat only attaches to it. What is heavy, such as the embedding model, is left to children.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import http
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from assistant.ending import (
    LOOK_S,
    Ended,
    end_if_asked,
    end_on_signals,
    hold_signals,
    ignore_signals,
    release_signals,
)
from assistant.usage import SpanishCommand, SpanishOption, in_spanish
from rag_system import DEFAULT_PROJECT
from rag_system.errors import ConfigurationError, InputError, LegajoError
from rag_system.settings import Settings, load_settings
from rag_system.storage.connection import Database, open_database
from rag_system.storage.migrate import schema_birth

__all__ = ["main"]

_PROJECT_DIRECTORY = Path(__file__).resolve().parent.parent
_SAMPLES = _PROJECT_DIRECTORY / "data" / "documents"
_DEFAULT_PORT = 8501
_PORTS_TO_SUGGEST = 50
_READY_TIMEOUT_S = 120.0
_STOP_TIMEOUT_S = 30.0  # on a busy machine; then a child is killed
_POLL_S = 0.05
_MOST_RESTS = 12  # looks: a minute between two workers that end by themselves
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None)

option = partial(click.option, cls=SpanishOption)


def main() -> None:
    """Run until Ctrl-C; whatever goes wrong is told in one line, with a non-zero exit."""
    end_on_signals(signal.SIGINT)  # also where a script started it in the background
    try:
        with _start.make_context("scripts/start", sys.argv[1:]) as context:
            _start.invoke(context)
    except click.exceptions.Exit as end:  # of «--help»
        raise SystemExit(end.exit_code) from None
    except (click.ClickException, LegajoError) as error:
        _tell(f"Legajo: {in_spanish(error) if isinstance(error, click.ClickException) else error}")
        raise SystemExit(1) from None
    except Ended as ended:
        if ended.number != signal.SIGINT:
            raise SystemExit(ended.exit_code) from None
        _tell("\nLegajo se detuvo.")


def _tell(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


# ---------------------------------------------------------------- options


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """What the chat is opened with."""

    port: int
    address: str
    documents: Path  # absolute


@click.command(cls=SpanishCommand, context_settings={"help_option_names": ["-h", "--help"]})
@option("--port", type=click.IntRange(1, 65535), default=_DEFAULT_PORT, metavar="N", help="Puerto del chat (8501).")
@option(
    "--address", default="127.0.0.1", metavar="IP", help="Dirección en la que atiende (127.0.0.1: solo este equipo)."
)
@option(
    "--documents",
    type=click.Path(path_type=Path),
    default=_SAMPLES,
    metavar="DIR",
    help="Carpeta que se incorpora; si no se indica y no hay documentos, los de ejemplo (data/documents).",
)
def _start(port: int, address: str, documents: Path) -> None:
    """Abre el chat de Legajo. Se detiene con Ctrl-C."""
    folder = documents.expanduser().absolute()
    if not folder.is_dir():
        raise InputError(f"No existe la carpeta «{folder}». Revise la ruta de --documents.")
    _run(_Options(port=port, address=address, documents=folder))


def _check_port(address: str, port: int) -> None:
    problem = _port_problem(address, port)
    if problem is None:
        return
    following = range(port + 1, min(port + _PORTS_TO_SUGGEST, 65536))
    free = next((each for each in following if _port_problem(address, each) is None), None)
    advice = f"Pruebe con «scripts/start --port {free}»." if free else "Elija otro con --port."
    raise InputError(f"No se puede usar el puerto {port} en {address} ({problem}). {advice}")


def _port_problem(address: str, port: int) -> str | None:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except PermissionError:
        return "está reservado al administrador"
    except OSError as error:
        busy = error.errno == errno.EADDRINUSE
        return "está ocupado por otro programa" if busy else "no es una dirección de este equipo"
    return None


# ---------------------------------------------------------------- the run


def _run(options: _Options) -> None:
    _check_port(options.address, options.port)
    if home := os.environ.get("LEGAJO_HOME"):
        os.environ["LEGAJO_HOME"] = str(Path(home).expanduser().absolute())
    os.chdir(_PROJECT_DIRECTORY)  # where `.env` and Streamlit's configuration are
    settings = load_settings()
    place = "la base de datos que indica DATABASE_URL" if settings.database_url else settings.home
    _tell(f"Sus documentos y conversaciones se guardan en {place}")
    with (
        _child(_chat_command(options)) as chat,
        open_database(settings, on_progress=_tell) as database,
        _ended_first(chat),
    ):
        _index_news(options.documents, settings, database)
        _wait_until_ready(chat, options)
        sys.stdout.write(f"Legajo está listo: {_url(options)}  (Ctrl-C para terminar)\n")
        sys.stdout.flush()
        if _attend(chat) != 0:
            raise ConfigurationError("El chat se cerró de forma inesperada. Ejecute «legajo doctor» para ver la causa.")


def _attend(chat: subprocess.Popen[str]) -> int:
    """Keep a worker on the queue of files for as long as the chat runs; returns how the chat ended.

    One that ends by itself is followed by another, later each time where they end soon: meanwhile the chat says that
    nobody works.
    """
    rests = 0
    while True:
        looks = 0
        with _child(_legajo("worker")) as worker:
            while worker.poll() is None:
                looks += 1
                end_if_asked()
                with suppress(subprocess.TimeoutExpired):
                    return chat.wait(LOOK_S)
        if rests := _rests(rests, looks):
            _tell(f"Legajo volverá a atender la cola de archivos dentro de {rests * LOOK_S:.0f} segundos.")
        for _ in range(rests):
            end_if_asked()
            with suppress(subprocess.TimeoutExpired):
                return chat.wait(LOOK_S)


def _rests(before: int, looks: int) -> int:
    """How long to wait for the next worker when one ended by itself after so many looks at it, in looks too."""
    return 0 if looks > _MOST_RESTS else min(2 * before or 1, _MOST_RESTS)


def _chat_command(options: _Options) -> list[str]:
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(Path(__file__).with_name("app.py"))]
    command += ["--server.port", str(options.port), "--server.address", options.address]
    return [*command, "--server.headless", "true", "--browser.gatherUsageStats", "false", "--logger.level", "warning"]


def _legajo(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-c", "from assistant.cli import main; main()", *arguments]


def _url(options: _Options) -> str:
    return f"http://{'localhost' if _is_local(options.address) else options.address}:{options.port}"


def _is_local(address: str) -> bool:
    return address in ("127.0.0.1", "0.0.0.0", "localhost")  # noqa: S104


def _wait_until_ready(chat: subprocess.Popen[str], options: _Options) -> None:
    host = "127.0.0.1" if _is_local(options.address) else options.address
    deadline = time.monotonic() + _READY_TIMEOUT_S
    while not _is_healthy(host, options.port):
        end_if_asked()
        if chat.poll() is not None:
            _check_port(options.address, options.port)  # somebody may have been faster
            raise ConfigurationError("El chat no arrancó. Ejecute «scripts/setup» y vuelva a intentar.")
        if time.monotonic() > deadline:
            raise ConfigurationError(f"El chat no respondió en {_READY_TIMEOUT_S:.0f} segundos. Vuelva a intentar.")
        time.sleep(_POLL_S)


def _is_healthy(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


# ---------------------------------------------------------------- documents


def _index_news(folder: Path, settings: Settings, database: Database) -> None:
    """Index the folder unless it, the model and the database are as they were when that was last done.

    A document that a person removed in the chat therefore stays removed. Samples are for who has nothing yet: among a
    person's own documents they would answer too.
    """
    from rag_system.ingestion.accepting import find_files  # not small; meanwhile the chat is starting

    stamp = settings.home / "documents.stamp"
    found = find_files([folder])
    files = [file for file, _ in found]
    state = _state(folder, files, settings, database)
    if not files or (stamp.exists() and stamp.read_text(encoding="ascii") == state):
        return
    if folder == _SAMPLES and not stamp.exists() and _holds_more_than({path for _, path in found}, database):
        return
    _tell("Incorporando los documentos de " + str(folder))
    reports = _reports(folder)
    for report in reports:
        if report["error"]:
            _tell(f"  {report['path']}: {report['error']}")
    if len(reports) < len(files):
        _tell(f"  Faltan {len(files) - len(reports)} de {len(files)} archivos: se incorporarán al abrir otra vez.")
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(state, encoding="ascii")


def _holds_more_than(paths: set[str], database: Database) -> bool:
    """Whether the chat's project has other documents; samples may be there from a first time that broke off."""
    from rag_system.storage.documents import list_documents

    with database.connection() as connection:
        return any(each.path not in paths for each in list_documents(connection, DEFAULT_PROJECT))


def _reports(folder: Path) -> list[dict[str, Any]]:
    """What became of each file; of fewer files than there are when indexing broke off."""
    with _child(_legajo("ingest", "--json", str(folder)), stdout=subprocess.PIPE) as indexing:
        output = _output(indexing)
    *lines, _cut_off = output.split("\n")
    if indexing.returncode != 0 and not lines:
        raise SystemExit(1)  # it has said why
    return [json.loads(line) for line in lines]


def _output(process: subprocess.Popen[str]) -> str:
    """All that it writes until it ends."""
    while True:
        end_if_asked()
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=LOOK_S)[0]


def _state(folder: Path, files: Sequence[Path], settings: Settings, database: Database) -> str:
    from rag_system.ingestion.report import index_version

    with database.connection() as conn:
        parts = [str(folder), settings.embedding_model, index_version(settings), schema_birth(conn).isoformat()]
    for path in files:
        with suppress(FileNotFoundError):  # removed meanwhile
            found = path.stat()
            parts.append(f"{path}\0{found.st_size}\0{found.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


# ---------------------------------------------------------------- children


@contextmanager
def _child(command: Sequence[str], *, stdout: int = subprocess.DEVNULL) -> Iterator[subprocess.Popen[str]]:
    """A program that ends with this block, whatever ends the block, even a killed launcher.

    Signals wait until it has started: what is raised while it starts would leave it running, with nobody to end it.
    """
    hold_signals()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        text=True,
        start_new_session=True,
        preexec_fn=_prepare_child,  # noqa: PLW1509  (a system call, of a library that is loaded already)
    ) as process:
        try:
            release_signals()
            yield process
        finally:
            _end(process)


@contextmanager
def _ended_first(chat: subprocess.Popen[str]) -> Iterator[None]:
    """The tidying up begins with the chat: it uses the database too, and who lets go of it last has to stop it.

    From then on signals are ignored.
    """
    try:
        yield
    finally:
        ignore_signals()
        _end(chat)


def _prepare_child() -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(process: subprocess.Popen[str]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_TIMEOUT_S)


if __name__ == "__main__":
    main()
