"""The process that reads files, taken over: it finds no secret, and nobody to tell one to."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rag_system.ingestion import extraction
from rag_system.ingestion.extraction import ExtractionProcess
from rag_system.settings import Settings

Pry = Callable[..., Any]


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[ExtractionProcess]:
    """The real thing, but for what it does with a file."""
    monkeypatch.setattr(extraction, "WORKER", "tests.fakes.prying_worker")
    monkeypatch.setenv("DATABASE_URL", "postgresql://ana:clave-del-entorno@localhost/legajo")
    monkeypatch.setenv("GOOGLE_API_KEY", "clave-de-google")
    with closing(ExtractionProcess()) as process:
        yield process


@pytest.fixture
def pry(process: ExtractionProcess, tmp_path: Path) -> Pry:
    """What comes of an attempt from inside."""

    def attempt(name: str, argument: Any = None) -> Any:
        order = tmp_path / "orden.json"
        order.write_text(json.dumps({name: argument}), encoding="utf-8")
        with process.extract(order) as document:
            (block,) = document.blocks
        return json.loads(block.text)[name]

    return attempt


def refused(outcome: Any) -> bool:
    return isinstance(outcome, str) and outcome.startswith("refused")


@pytest.mark.parametrize("way", ["connect", "datagram"])
def test_it_reaches_nobody_over_the_network(pry: Pry, way: str) -> None:
    kind = socket.SOCK_STREAM if way == "connect" else socket.SOCK_DGRAM
    with socket.socket(socket.AF_INET, kind) as server:
        server.bind(("127.0.0.1", 0))
        if way == "connect":
            server.listen()
        server.setblocking(False)
        assert refused(pry(way, list(server.getsockname())))
        with pytest.raises(BlockingIOError):
            _ = server.accept() if way == "connect" else server.recv(10)


def test_it_reaches_no_socket_of_this_machine(pry: Pry, server: str, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path := str(tmp_path / "s"))
        listening.listen()
        assert refused(pry("local_socket", path))


def test_it_cannot_read_the_databases_password(pry: Pry, server: str, server_home: Path, settings: Settings) -> None:
    secrets = [file for file in (server_home / "postgresql").glob("*password*") if file.is_file()]
    assert secrets
    for file in secrets:
        assert refused(pry("read", str(file)))


@pytest.mark.parametrize("secret", ["/etc/passwd", "/etc/shadow", "/proc/self/environ", "~/.bashrc", "/root/.profile"])
def test_it_reads_no_file_of_anybody(pry: Pry, secret: str) -> None:
    assert refused(pry("read", str(Path(secret).expanduser())))


def test_it_reads_no_settings_beside_the_program(pry: Pry) -> None:
    beside = Path(extraction.__file__).parents[2]
    assert refused(pry("read", str(beside / "pyproject.toml")))


def test_it_learns_nothing_of_the_program_that_started_it(pry: Pry) -> None:
    assert pry("parent") == os.getpid()
    for name in ("environ", "maps", "cmdline"):
        assert refused(pry("read", f"/proc/{os.getpid()}/{name}"))
    assert refused(pry("trace", os.getpid()))


def test_it_inherits_no_secret_and_no_open_file(pry: Pry, tmp_path: Path) -> None:
    inherited = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    try:
        environment = pry("environment")
        assert "clave" not in json.dumps(environment)
        assert set(environment) <= {"PATH", "TMPDIR", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", *_OF_PYTHON}
        # input, output and error; the private copy of the output, the pipe, the socket; its own status; the file itself
        assert len(pry("descriptors")) <= 8
    finally:
        os.close(inherited)


_OF_PYTHON = ("PYTHONPATH", "PYTHONUTF8", "LC_CTYPE")


def test_it_writes_nowhere_and_regains_nothing(pry: Pry, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert refused(pry("write", str(tmp_path / "nuevo.txt")))
    assert refused(pry("write", "/tmp/legajo-prueba"))  # noqa: S108 - nothing may come there
    assert refused(pry("other_account"))


def test_it_may_run_a_program_which_may_no_more_than_itself(pry: Pry, tmp_path: Path) -> None:
    secret = tmp_path / "secreto"
    secret.write_text("secreto", encoding="utf-8")
    assert pry("run", ["/bin/echo", "hola"]) == "hola\n"
    assert refused(pry("run", ["/bin/cat", str(secret)]))
    assert refused(pry("run", [sys.executable, "-S", "-c", "import socket; socket.socket()"]))


def test_the_kernel_says_so(process: ExtractionProcess, pry: Pry) -> None:
    pry("parent")
    assert process._child is not None
    status = Path(f"/proc/{process._child[0].pid}/status").read_text(encoding="utf-8")
    told = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert (told["NoNewPrivs"], told["Seccomp"]) == ("1", "2")
    assert int(told["CapEff"], 16) == 0


_AS_READER = """
import os, sys
from pathlib import Path
from rag_system.ingestion import isolation
isolation._needed = lambda: iter([Path("/")])
assert isolation._become_reader()
print(os.getuid() == os.geteuid() == os.getgid() == isolation._READER_ID, os.getgroups())
try:
    open(sys.argv[1])
except PermissionError:
    print("refused")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another account")
def test_root_gives_its_account_up_where_that_can_read_python(tmp_path: Path) -> None:
    secret = tmp_path / "secreto"
    secret.write_text("secreto", encoding="utf-8")
    command = [sys.executable, "-c", _AS_READER, str(secret)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True []", "refused"]


# ---------------------------------------------------------------- who may write in a folder of its own


_AT_HOME = """
import json, os, socket, sys
from pathlib import Path
from rag_system.ingestion.isolation import isolate
own, beside, listening, port = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
isolate(own=own)
def tried(attempt):
    try:
        return str(attempt())
    except OSError as error:
        return "refused"
def waits():
    waiting = socket.socket(socket.AF_UNIX)
    os.chdir(own)  # a long path would not do
    waiting.bind("enchufe")
    waiting.listen()
    return (own / "enchufe").exists()
def sends():
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"secreto", listening)
print(json.dumps({
    "writes": tried(lambda: (own / "nuevo").write_text("a")),
    "makes": tried(lambda: (own / "carpeta").mkdir()),
    "removes": tried(lambda: (own / "nuevo").unlink()),
    "writes beside": tried(lambda: (beside / "nuevo").write_text("a")),
    "reads beside": tried(lambda: (beside / "secreto").read_text()),
    "waits": tried(waits),
    "connects": tried(lambda: socket.socket(socket.AF_UNIX).connect(listening)),
    "sends": tried(sends),
    "network": tried(lambda: socket.create_connection(("127.0.0.1", port))),
}))
"""


def test_it_writes_in_a_folder_of_its_own_and_is_found_by_nobody(tmp_path: Path) -> None:
    own, beside = tmp_path / "propia", tmp_path / "ajena"
    own.mkdir()
    beside.mkdir()
    beside.chmod(0o777)
    (beside / "secreto").write_text("secreto", encoding="utf-8")
    with socket.socket(socket.AF_UNIX) as local, socket.socket() as server:
        local.bind(path := str(tmp_path / "s"))
        local.listen()
        server.bind(("127.0.0.1", 0))
        server.listen()
        command = [sys.executable, "-c", _AT_HOME, own, beside, path, str(server.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert {what: told[what] for what in ("writes", "makes", "removes")} == {
        "writes": "1",
        "makes": "None",
        "removes": "None",
    }
    assert told["waits"] == "False"  # it is told that it does, and nothing is there
    rest = ("writes beside", "reads beside", "connects", "sends", "network")
    assert {told[what] for what in rest} == {"refused"}
