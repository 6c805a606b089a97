"""`scripts/start` without its set-up: the launcher as a real process, from the first line to the last."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from launcher.start import _rests, main
from rag_system import LOCAL_PERSON
from rag_system.embeddings import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.documents import list_documents
from rag_system.storage.embedded import EmbeddedServer
from rag_system.storage.opening import open_database
from tests.acceptance.conftest import kept_signals
from tests.faults.processes import DEADLINE_S, free_port, until
from tests.indexing import library_of

SIGNALLED = """
import signal, sys
from launcher.start import main

class Doomed:
    def __init__(self, number):
        self.number = number

    def __del__(self):
        signal.raise_signal(self.number)

def forget(event, _arguments):
    if (number := signals.pop(event, None)) is not None:
        Doomed(number)

signals = {sys.argv.pop(1): signal.SIGTERM, "os.killpg": signal.SIGINT}
sys.addaudithook(forget)
main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """No documents: what indexing does is shown elsewhere."""
    path = tmp_path / "sin documentos"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def sound_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that was used before, to be copied: a fraction of the work of creating a database."""
    home = tmp_path_factory.mktemp("sound") / "home"
    open_database(Settings(home=home)).close()
    return home


@pytest.fixture
def home(tmp_path: Path, sound_home: Path) -> Path:
    copied = tmp_path / "mi casa"
    subprocess.run(["cp", "-a", "--", sound_home, copied], check=True)
    return copied


def _command(*options: object) -> list[str]:
    return [sys.executable, "-P", "-m", "launcher.start", *map(str, options)]


@contextmanager
def _launched(
    home: Path, folder: Path | None, port: int, *options: object, stderr: int | None = None, **variables: str
) -> Iterator[subprocess.Popen[str]]:
    command = _command("--port", port, *(("--documents", folder) if folder else ()), *options)
    environment = {**os.environ, "LEGAJO_HOME": str(home), **variables}
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=stderr, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def _wait_ready(process: subprocess.Popen[str], port: int) -> str:
    """The link that it prints, on a line of its own."""
    assert process.stdout is not None
    assert process.stdout.readline() == "Legajo está listo. Abra este enlace (Ctrl-C para terminar):\n"
    link = process.stdout.readline().rstrip("\n")
    assert link.startswith(f"http://127.0.0.1:{port}/")
    return link


def _chat_answers(port: int) -> bool:
    return _status(f"http://127.0.0.1:{port}/_stcore/health") == 200


def _status(url: str | urllib.request.Request) -> int:
    """What a browser gets there at last; 0 for no answer."""
    try:
        with urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(url, timeout=5) as response:
            return int(response.status)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code
    except OSError:
        return 0


def _server_runs(home: Path) -> bool:
    return (home / "postgresql" / "data" / "postmaster.pid").exists()


def test_it_opens_the_chat_behind_a_link_and_ends_with_all_it_started(tmp_path: Path, folder: Path) -> None:
    home, port = tmp_path / "casa nueva", free_port()
    with _launched(home, folder, port, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == f"Sus documentos y conversaciones se guardan en {home}\n"
        link = _wait_ready(process, port)
        assert _chat_answers(port)
        assert _server_runs(home)
        assert _status(f"http://127.0.0.1:{port}/") == 403
        assert _status(link) == 200
        process.terminate()
        assert process.wait(DEADLINE_S) == 128 + signal.SIGTERM
    assert not _chat_answers(port)
    assert not _server_runs(home)


@pytest.mark.parametrize("event", ["socket.bind", "subprocess.Popen"])
def test_a_signal_ends_it_though_python_swallows_what_it_raises(home: Path, folder: Path, event: str) -> None:
    """It comes in a destructor, before anything is started or while the chat is; another, while the chat is ended."""
    command = [sys.executable, "-P", "-c", SIGNALLED, event, "--port", str(free_port()), "--documents", str(folder)]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env={**os.environ, "LEGAJO_HOME": str(home)}
    )
    assert done.returncode == 128 + signal.SIGTERM
    assert not _server_runs(home)


def test_the_link_may_be_chosen_and_stays_out_of_every_command_line_and_of_the_log(
    home: Path, folder: Path, tmp_path: Path
) -> None:
    port, token = free_port(), "secreto/de la prueba"
    with (tmp_path / "log").open("w+", encoding="utf-8") as log:
        with _launched(home, folder, port, stderr=log.fileno(), LEGAJO_TOKEN=token) as process:
            link = _wait_ready(process, port)
            assert link.endswith("?token=secreto%2Fde%20la%20prueba")
            assert _status(link) == 200
            said = [path.read_bytes() for path in _command_lines()]
            process.terminate()
            process.wait(DEADLINE_S)
        log.seek(0)
        written = log.read()
    assert any(b"ui.serving" in each for each in said)
    assert not any(token.encode() in each for each in said)
    assert token not in written
    assert "secreto%2F" not in written


def _command_lines() -> Iterator[Path]:
    return (path for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists())


def test_without_the_token_only_where_it_is_asked_for(home: Path, folder: Path) -> None:
    port = free_port()
    with _launched(home, folder, port, "--no-token", "--no-worker", stderr=subprocess.PIPE) as process:
        assert _wait_ready(process, port) == f"http://127.0.0.1:{port}/"
        assert _status(f"http://127.0.0.1:{port}/") == 200
        process.terminate()
        _, said = process.communicate(timeout=DEADLINE_S)
    assert "Aviso: con --no-token, cualquier usuario de este equipo puede leer y borrar sus documentos." in said


def test_on_all_addresses_only_accounts_are_served_and_each_address_is_printed(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEGAJO_ACCOUNTS", "password")
    port = free_port()
    options = ("--no-worker", "--address", "0.0.0.0", "--allowed-host", "chat.empresa.pe")  # noqa: S104
    with _launched(home, folder, port, *options, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert "listo" in process.stdout.readline()
        assert process.stdout.readline() == f"http://127.0.0.1:{port}/\n"
        for host, status in (("chat.empresa.pe", 200), ("evil.example", 403)):
            request = urllib.request.Request(f"http://127.0.0.1:{port}/_stcore/health", headers={"Host": host})
            assert _status(request) == status
        process.terminate()
        _, said = process.communicate(timeout=DEADLINE_S)
    assert "proxy con TLS (docs/how-to/red.md)" in said


def test_samples_do_not_come_among_a_person_s_own_documents(home: Path, tmp_path: Path) -> None:
    (tmp_path / "nota.md").write_text("El plazo de la nota es de tres días hábiles.", encoding="utf-8")
    settings, port = Settings(home=home), free_port()
    with open_database(settings) as database:
        library = library_of(database=database, settings=settings, embeddings=HashEmbeddings, project="general")
        list(library.add([tmp_path / "nota.md"]))
        with _launched(home, None, port) as process:
            _wait_ready(process, port)
            with database.as_person(LOCAL_PERSON).connection() as connection:
                assert [each.path for each in list_documents(connection, "general")] == ["nota.md"]
            process.terminate()
            process.wait(DEADLINE_S)


def test_two_at_once_have_links_of_their_own_share_the_database_and_end_one_by_one(home: Path, folder: Path) -> None:
    ports = free_port(), free_port()
    with (
        _launched(home, folder, ports[0]) as first,
        _launched(home, folder, ports[1], "--no-worker") as second,
    ):
        links = _wait_ready(first, ports[0]), _wait_ready(second, ports[1])
        tokens = [link.partition("?token=")[2] for link in links]
        assert len(set(tokens)) == 2
        assert [len(token) for token in tokens] == [43, 43]  # 32 random bytes, six bits a letter
        first.send_signal(signal.SIGINT)
        assert first.wait(DEADLINE_S) == 0
        assert _chat_answers(ports[1])
        assert _server_runs(home)
        second.send_signal(signal.SIGINT)
        assert second.wait(DEADLINE_S) == 0
    assert not _server_runs(home)


def test_the_chat_ends_with_a_killed_launcher_and_the_next_user_stops_the_database(home: Path, folder: Path) -> None:
    port = free_port()
    with _launched(home, folder, port) as process:
        _wait_ready(process, port)
        process.kill()
    until(lambda: not _chat_answers(port), "the chat ends")
    with EmbeddedServer(home / "postgresql"):
        pass
    assert not _server_runs(home)


def test_a_taken_port_is_one_line_that_names_a_free_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, folder: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = _failure(capsys, tmp_path, "--port", port, "--documents", folder)
    assert f"puerto {port}" in message
    assert "--port " in message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ("--port", "ocho"),
            "debe ser un número entero de 1 a 65535. Vea «scripts/start --help».",
        ),
        (("--port", "99999"), "un número entero de 1 a 65535"),
        (("--puerto", "8600"), "No existe la opción «--puerto»."),
        (("--port",), "Falta el valor de «--port»."),
        (("carpeta/",), "Sobra texto en la orden."),
        (("--documents", "/no/existe"), "/no/existe"),
        (("--address", "192.0.2.1"), "192.0.2.1"),
        (("--address", "0.0.0.0"), "LEGAJO_ACCOUNTS=password u oidc"),  # noqa: S104
    ],
)
def test_a_wrong_option_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    assert words in _failure(capsys, tmp_path, *options)


def _failure(capsys: pytest.CaptureFixture[str], home: Path, *options: object) -> str:
    """What it says, in this process: it starts none."""
    with pytest.MonkeyPatch.context() as patch, kept_signals():
        patch.setenv("LEGAJO_HOME", str(home))
        with pytest.raises(SystemExit) as ended:
            main(arguments=list(map(str, options)))
    assert ended.value.code == 1
    out, error = capsys.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    return error


@pytest.mark.parametrize(
    ("before", "looks", "rests"),
    [(0, 1, 1), (1, 1, 2), (2, 3, 4), (8, 1, 12), (12, 12, 12), (12, 13, 0), (0, 500, 0)],
)
def test_workers_that_end_soon_follow_each_other_later_each_time(before: int, looks: int, rests: int) -> None:
    assert _rests(before, looks) == rests
