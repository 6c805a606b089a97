"""A signal that comes where Python swallows what its handler raises, or while something is begun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from rag_system.settings import Settings

DEADLINE_S = 120.0

# It comes while the database is started, or a file is opened that nobody writes: the command goes on, and waits.
SIGNALLED = """
import signal, sys
from assistant.cli import main

class Doomed:
    def __del__(self):
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            print("swallowed", file=sys.stderr)

def forget(event, arguments):
    if not came and (event == "subprocess.Popen" or arguments[:1] == ("nadie.jsonl",)):
        came.append(event)
        Doomed()

came = []
sys.addaudithook(forget)
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [["worker"], ["analyze", "--questions", "nadie.jsonl"]],
)
def test_a_signal_that_python_swallows_ends_a_command_that_waits(
    arguments: list[str], cache: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "carpeta"
    folder.mkdir()
    (folder / "nota.md").write_text("El plazo de la nota es de tres días hábiles.", encoding="utf-8")
    os.mkfifo(folder / "nadie.jsonl")
    (home := tmp_path / "casa").mkdir()
    (home / "cache").symlink_to(cache)
    environment = {**os.environ, "LEGAJO_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", SIGNALLED, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=DEADLINE_S,
    )
    assert done.stderr.startswith("swallowed\n")
    assert done.returncode == 128 + signal.SIGTERM, done.stderr


HELD = """
import signal
from assistant.ending import Ended, end_on_signals, hold_signals, release_signals

end_on_signals()
hold_signals()
signal.raise_signal(signal.SIGTERM)
print("begun")
try:
    release_signals()
except Ended as ended:
    print(ended.exit_code)
"""


def test_a_signal_waits_for_what_is_begun() -> None:
    done = subprocess.run([sys.executable, "-P", "-c", HELD], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["begun", str(128 + signal.SIGTERM)]


RINGING = """
import atexit, signal
atexit.register(lambda: print(signal.getitimer(signal.ITIMER_REAL)))  # after all that is registered later
from assistant.ending import Ended, end_on_signals, release_signals

class Falls:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)

end_on_signals()
Falls()
"""
RAISED_MEANWHILE = f"""{RINGING}
try:
    release_signals()
except Ended:
    print(signal.getitimer(signal.ITIMER_REAL))
"""


@pytest.mark.parametrize("program", [RINGING, RAISED_MEANWHILE])
def test_no_alarm_is_left_that_would_kill_what_ends(program: str) -> None:
    done = subprocess.run([sys.executable, "-P", "-c", program], check=False, capture_output=True, text=True)
    assert set(done.stdout.splitlines()) == {"(0.0, 0.0)"}, done.stderr


# Any defect will do: the first thing that a worker does is not done.
DEFECTIVE = """
import sys, threading
from assistant.cli import main

def fail(event, _arguments):
    if event == "pathlib.Path.glob" and threading.current_thread() is not threading.main_thread():
        raise RuntimeError("defect")

sys.addaudithook(fail)
main()
"""


@pytest.mark.parametrize("arguments", [["worker"], ["ingest", "nota.md"], ["ingest", "--watch", "."]])
def test_a_worker_that_ends_by_itself_ends_its_command_in_one_sentence(
    arguments: list[str], settings: Settings, tmp_path: Path
) -> None:
    assert settings.database_url is not None
    (tmp_path / "nota.md").write_text("El plazo de la nota es de tres días hábiles.", encoding="utf-8")
    url = settings.database_url.get_secret_value()
    done = subprocess.run(
        [sys.executable, "-P", "-c", DEFECTIVE, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "LEGAJO_HOME": str(settings.home), "DATABASE_URL": url},
        timeout=DEADLINE_S,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("legajo: Se dejó de atender la cola")
    assert "Traceback" not in done.stderr
    with psycopg.connect(url) as connection:
        waiting = connection.execute("SELECT path, status FROM ingestions").fetchall()
    assert waiting == ([] if arguments == ["worker"] else [("nota.md", "queued")])
