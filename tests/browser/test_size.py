"""What a long conversation, a big library, idle sessions and many questions cost the chat, as a browser and the kernel
tell it.

It takes minutes, so it is tried by `scripts/test --slow`. With `--log-cli-level INFO` it tells its figures. Times are
told and not judged: they are the machine's. Memory is judged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter

import httpx2
import numpy as np
import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pydantic import SecretStr
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from assistant.tokens import SCOPES
from rag_system import LOCAL_PERSON
from rag_system.settings import Settings
from tests.browser.conftest import REAL, WAIT_MS, link_to, running_chat
from tests.browser.settling import settled
from tests.browser.test_chat import go_to
from tests.effort import IS_SLOW
from tests.faults.processes import Program
from tests.indexing import project_of, upload

TURNS, DOCUMENTS, SESSIONS, QUESTIONS = 200, 5_000, 50, 500
WARM_SESSIONS, WARM_QUESTIONS, LOADS = 5, 100, 5
SESSION_MIB, GROWTH_MIB = 5.0, 25.0  # at most, of an idle session, and of all questions after the warm ones
LAW = "# Ley de plazos\n\n" + "\n\n".join(
    f"## Artículo {number}\n\nEl plazo para el trámite {number} es de {number + 6} días hábiles, contados desde el día "
    "siguiente de la notificación."
    for number in range(1, 41)
)
MANY = """INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object(
    'document_id', gen_random_uuid(), 'path', 'expedientes/' || n || '.md', 'title', 'Expediente ' || n
))).* FROM documents d, generate_series(2, %s) n"""
# From a key to the frame that has its character.
KEYS = """() => {
    window.legajoKeys = []
    const painted = new MessageChannel()
    let pressed = 0
    painted.port1.onmessage = () => legajoKeys.push(performance.now() - pressed)
    document.addEventListener("keydown", (event) => {
        pressed = event.timeStamp
        requestAnimationFrame(() => painted.port2.postMessage(0))
    }, true)
}"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"

pytestmark = pytest.mark.skipif(not IS_SLOW, reason="takes minutes: scripts/test --slow")


@pytest.fixture
def opened(database_url: str, server_home: Path) -> Iterator[Assistant]:
    """A project with one document."""
    with Assistant.open(Settings(home=server_home, database_url=SecretStr(database_url))) as assistant:
        upload(project_of(assistant), "ley.md", LAW.encode())
        yield assistant


@pytest.fixture
def project(opened: Assistant) -> ProjectAssistant:
    return project_of(opened)


@pytest.fixture
def chat(tmp_path: Path, opened: Assistant, database_url: str, server_home: Path) -> Iterator[tuple[str, Program]]:
    variables = {"DATABASE_URL": database_url, "LEGAJO_HOME": str(server_home), "LEGAJO_API_PER_MINUTE": "100000"}
    with running_chat(REAL, tmp_path / "server.log", **variables) as running:
        yield running


@pytest.fixture
def context(browser: Browser, chat: tuple[str, Program]) -> Iterator[BrowserContext]:
    """A browser that has been there."""
    with browser.new_context(locale="es-PE", reduced_motion="reduce") as fresh:
        fresh.set_default_timeout(WAIT_MS)
        ready(fresh.new_page(), link_to(chat[0])).close()
        yield fresh


@pytest.fixture
def long_talk(project: ProjectAssistant) -> str:
    conversation = project.conversations.create()
    for number in range(TURNS // 2):
        for _ in project.stream(f"¿Qué plazo tiene el trámite {number % 40 + 1}?", conversation_id=conversation):
            pass
    return conversation


def test_how_soon_a_page_is_there(context: BrowserContext, chat: tuple[str, Program]) -> None:
    painted, usable = [], []
    for _ in range(LOADS):
        with context.new_page() as page:
            page.goto(chat[0])
            page.get_by_test_id("stChatInputTextArea").wait_for()
            usable.append(page.evaluate("performance.now()"))
            painted.append(page.evaluate(PAINTED))
    tell("first paint", painted)
    tell("until the box is there", usable)


def test_typing_in_a_long_conversation(context: BrowserContext, chat: tuple[str, Program], long_talk: str) -> None:
    page = ready(context.new_page(), f"{chat[0]}/?c={long_talk}")
    expect(page.locator(".answer")).to_have_count(20)  # the last; the others when they are asked for
    tell_typing(page, f"a conversation of {TURNS} turns, opened")
    page.get_by_text("Ver mensajes anteriores").click()
    settled(page)
    expect(page.locator(".answer")).to_have_count(TURNS // 2)
    tell_typing(page, "all of it shown")


def test_a_library_of_thousands(context: BrowserContext, chat: tuple[str, Program], database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute(MANY, [DOCUMENTS])
    page = ready(context.new_page(), chat[0])
    tell_typing(page, f"{DOCUMENTS} documents")
    go_to(page, "Documentos")
    expect(page.get_by_text(f"{DOCUMENTS} documentos").first).to_be_visible()
    took = []
    for number in range(LOADS):
        began = perf_counter()
        filtered = page.get_by_label("Buscar por nombre o título")
        filtered.fill(f"Expediente {DOCUMENTS - number}")
        filtered.press("Enter")
        page.get_by_role("link", name=f"Expediente {DOCUMENTS - number}").wait_for()
        took.append((perf_counter() - began) * 1e3)
    tell("until a document is found among them", took)
    took.clear()
    for _ in range(LOADS):
        began = perf_counter()
        page.reload()
        page.get_by_role("link", name="Expediente ").first.wait_for()
        took.append((perf_counter() - began) * 1e3)
    tell(f"«Documentos» with {DOCUMENTS}", took)


def test_idle_sessions(context: BrowserContext, chat: tuple[str, Program], long_talk: str) -> None:
    address, program = chat
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
    told = {"nothing asked": "", f"{TURNS} turns open": f"c={long_talk}"}
    taken = {what: idle_mib(program, partial(session, address, cookies, query)) for what, query in told.items()}
    log.info("an idle session of %d: %s", SESSIONS, taken)
    assert max(taken.values()) <= SESSION_MIB


def idle_mib(program: Program, begin: Callable[[], AbstractContextManager[None]]) -> float:
    """What each of the sessions takes that follow some others."""
    with ExitStack() as stack:
        for _ in range(WARM_SESSIONS):
            stack.enter_context(begin())
        before = memory_mib(program)
        for _ in range(SESSIONS):
            stack.enter_context(begin())
        return (memory_mib(program) - before) / SESSIONS


def test_many_questions(opened: Assistant, chat: tuple[str, Program]) -> None:
    address, program = chat
    secret = opened.as_person(LOCAL_PERSON).tokens.add("prueba", scopes=SCOPES, days=1, project="general")[0]
    client = httpx2.Client(
        base_url=f"{address}/api/v1/projects/general", headers={"Authorization": f"Bearer {secret}"}, timeout=60
    )
    seen = []
    with client:
        conversation = client.post("/conversations").json()["conversation"]
        for number in range(1, WARM_QUESTIONS + QUESTIONS + 1):
            if number % WARM_QUESTIONS == 1:
                conversation = client.post("/conversations").json()["conversation"]
            body = {"question": f"¿Qué plazo tiene el trámite {number % 40 + 1}?", "conversation": conversation}
            assert client.post("/ask", json=body).status_code == 200
            if number % WARM_QUESTIONS == 0:
                seen.append(memory_mib(program))
    log.info("the chat after each %d questions: %s MiB", WARM_QUESTIONS, ", ".join(f"{each:.0f}" for each in seen))
    assert seen[-1] - seen[0] <= GROWTH_MIB


# ---------------------------------------------------------------- how it is seen

log = logging.getLogger(__name__)


def tell(what: str, took_ms: list[float]) -> None:
    log.info("%s: p50 %.0f ms, p95 %.0f ms, at most %.0f ms", what, *np.percentile(took_ms, [50, 95, 100]))


def ready(page: Page, address: str) -> Page:
    page.goto(address)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    settled(page)
    return page


def tell_typing(page: Page, where: str) -> None:
    page.evaluate(KEYS)
    box = page.get_by_test_id("stChatInputTextArea")
    box.click()
    words = "¿Qué plazo hay para apelar una resolución de multa en este municipio?"
    box.press_sequentially(words, delay=40)
    expect(box).to_have_value(words)
    tell(f"from a key to its character, {where}", page.evaluate("legajoKeys"))
    box.fill("")


@contextmanager
def session(address: str, cookies: str, query: str) -> Iterator[None]:
    """A browser's side of a session whose page has been drawn once."""
    with connect(
        f"ws://{address.removeprefix('http://')}/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        additional_headers={"Cookie": cookies},
        origin=Origin(address),
        max_size=None,
        open_timeout=WAIT_MS / 1e3,
    ) as opened:
        asked = BackMsg()
        asked.rerun_script.query_string = query
        opened.send(asked.SerializeToString())
        while not _is_over(opened):
            pass
        yield


def _is_over(opened: ClientConnection) -> bool:
    said = opened.recv(timeout=WAIT_MS / 1e3)
    assert isinstance(said, bytes)
    return ForwardMsg.FromString(said).WhichOneof("type") == "script_finished"


def memory_mib(program: Program) -> float:
    """Resident, of the chat's process."""
    lines = Path(f"/proc/{program.pid}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:"))
