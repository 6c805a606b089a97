"""Every command that the documentation shows is run, page by page and in the order of the page.

The pages share a home that has what they speak of. What stands for something of a person's own (an id, what is typed)
is put in its place. The few commands that are not run here say what runs them.
"""

from __future__ import annotations

import io
import json
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from docx import Document
from reportlab.pdfgen.canvas import Canvas

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.settings import load_settings
from rag_system.storage.embedded import EmbeddedServer
from tests.acceptance.conftest import copy_home, run_here
from tests.documented import PAGES, ROOT, Shown, commands

RUN_ELSEWHERE = {  # how a command begins, and what runs it
    "serve": "tests/browser",
    "worker": "tests/faults",
    "mcp": "tests/integration/test_mcp.py",
    "load": "tests/integration/test_api.py",
    "benchmark": "tests/integration/test_benchmark_run.py",
    "ingest --watch": "tests/integration/test_ending.py",
    "ingest https": "tests/integration/test_web.py",
    "keys test": "tests/integration/test_keys.py",
    "queue --cancel": "tests/faults/test_queue.py",
}
FILES = {
    "mis-documentos/plazos.txt": "El plazo para apelar es de quince (15) días hábiles.",
    "carpeta/nota.txt": "Quien pierde el carné pide otro en la ventanilla 4.",
    "banco/estado.txt": "El saldo se informa cada mes.",
    "clave.txt": "gsk-de-prueba-0123456789\n",
    "conceptos.toml": '[[conceptos]]\nnombre = "Jornada y descansos"\n\n[[conceptos]]\nnombre = "Vacaciones"\n'
    'padre = "Jornada y descansos"\n',
    "preguntas.jsonl": '{"question": "¿Cuántos días hay para apelar?", "gold_file": "plazos.txt"}\n',
    "respuestas.jsonl": '{"id": "a1", "question": "¿Cuánto dura?", "answer": "Dura diez días [1].", "sources": '
    '[{"n": 1, "text": "El préstamo es de diez (10) días hábiles."}]}\n',
}
PDFS = ("informe.pdf", "biblioteca/anexo.pdf", "biblioteca/normas/reglamento.pdf", "biblioteca/normas/ley.pdf")
PROJECTS = ("personal", "obras", "contratos")
TYPED = "correcto-caballo-bateria-grapa\n"  # a password, a key, the words that encrypt a copy
IDS = ("token_id", "conversation_id", "feedback_id")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, cache: Path, untouched_home: Path) -> Iterator[Path]:
    """What the pages speak of: files, projects, documents, a conversation and opinions of it."""
    place = tmp_path_factory.mktemp("documented")
    copy_home(untouched_home, place)
    for name, target in (("data", ROOT / "data"), ("nuevo/cache", cache)):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).symlink_to(target)
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    for name in PDFS:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        canvas = Canvas(str(place / name))
        canvas.drawString(72, 720, f"Corresponden treinta dias de vacaciones ({name}).")
        canvas.save()
    personal = Document()
    personal.add_paragraph("A cada persona le corresponden treinta días.")
    (place / "biblioteca" / "manuales").mkdir()
    personal.save(str(place / "biblioteca" / "manuales" / "personal.docx"))
    with EmbeddedServer(place / "postgresql"):
        for words in (["ingest", "biblioteca"], *(["projects", "create", each] for each in PROJECTS)):
            assert run_here(place, words).returncode == 0, words
        with Assistant.open(load_settings().model_copy(update={"home": place, "database_url": None})) as assistant:
            _talk(assistant.as_person(LOCAL_PERSON).project("general"))
        yield place


def _talk(project: ProjectAssistant) -> None:
    """Two conversations, and what somebody thinks of the first."""
    for up in (True, False):
        conversation = project.conversations.create()
        deque(project.stream("¿Qué plazo hay para apelar?", conversation_id=conversation), maxlen=0)
        project.feedback.rate(conversation, 1, up=up)


def _shown(page: Path) -> list[Shown]:
    return list(commands(page.read_text(encoding="utf-8"), inline=False))


SHOWING = [page for page in PAGES if page.name != "CHANGELOG.md" and _shown(page)]


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_do_what_they_say(home: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for shown in _shown(page):
        if not " ".join(shown.words).startswith(tuple(RUN_ELSEWHERE)):
            _run(home, shown, monkeypatch)


def _run(home: Path, shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = (home / shown.file).read_text() if shown.sign == "<" else TYPED
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8"))
    given, sets = _own(home, shown.words), dict(shown.variables)
    if given[0] == "backup":  # it never takes the place of another
        (home / given[-1]).unlink(missing_ok=True)
    if given[0] == "documents" and "informe.pdf" in given:  # which a command before took away
        run_here(home, ["ingest", "informe.pdf"])
    if "LEGAJO_HOME" in sets:
        sets["LEGAJO_HOME"] = str(home / "nuevo")
    done = run_here(home, given, LEGAJO_BACKUP_PASSPHRASE=TYPED.strip(), **sets)
    assert done.returncode == 0, (given, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    if shown.sign.startswith(">"):
        with (home / shown.file).open("w" if shown.sign == ">" else "a") as file:
            file.write(done.stdout)


def _own(home: Path, words: Sequence[str]) -> list[str]:
    """The command with the ids that are of this home in the place of those that are shown."""
    kind, *rest = words
    ids: dict[str, str] = {}
    if kind == "conversations" and "3f2a" in rest:
        ids["3f2a"] = _ids(home, "conversations", "list", *["--deleted"] * (rest[0] == "restore"))[0]
    if kind == "tokens" and "a707232d" in rest:
        ids["a707232d"] = _ids(home, "tokens", "list")[0]
    if kind == "feedback":
        ids["3f2a91"], ids["8c07d4"] = (_ids(home, "feedback", "list", up=up)[0] for up in (True, False))
    return [ids.get(word, word) for word in words]


def _ids(home: Path, *words: str, **like: object) -> list[str]:
    rows = [json.loads(line) for line in run_here(home, [*words, "--json"]).stdout.splitlines()]
    return [next(str(row[name]) for name in IDS if name in row) for row in rows if like.items() <= row.items()]
