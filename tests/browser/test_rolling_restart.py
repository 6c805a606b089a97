"""Two chats behind nginx, restarted one after the other while people read and programs ask: no turn is lost.

It starts the product four times, so it is tried by `scripts/test --slow`.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event

import httpx2
import pytest
from playwright.sync_api import Browser, expect
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from assistant.tokens import SCOPES
from rag_system.settings import Settings
from tests.browser.conftest import KEY, PROXIED, WAIT_MS
from tests.browser.nginx import ACCESS, NGINX, configured, running
from tests.browser.replicated import Chat, two_chats
from tests.browser.settling import settled
from tests.browser.test_faults import ANSWER, NEXT, PARTIAL, QUESTION, ask
from tests.browser.test_people import PASSWORD, enter
from tests.effort import IS_SLOW
from tests.fakes.provider_server import FakeProviderServer
from tests.fakes.web_server import certificate
from tests.faults.processes import free_port, until
from tests.indexing import upload

PROXY = Path(__file__).parents[2] / "deploy" / "nginx.conf"
LAW = b"# Ley de consultas\n\nEl plazo de una consulta es de 7 dias habiles, contados desde que se recibe.\n"

pytestmark = [
    pytest.mark.skipif(not IS_SLOW, reason="takes a minute: scripts/test --slow"),
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
]


@pytest.fixture
def project(database_url: str, server_home: Path) -> Iterator[ProjectAssistant]:
    """Ana's, with a small law, on the same database as the chats."""
    with Assistant.open(Settings(home=server_home, database_url=SecretStr(database_url))) as opened:
        opened.accounts().add("ana", PASSWORD)
        opened.as_person("ana").create_project("leyes")
        upload(found := opened.as_person("ana").project("leyes"), "ley.md", LAW)
        yield found


@pytest.fixture
def secret(project: ProjectAssistant, database_url: str, server_home: Path) -> str:
    """Of a token with which programs ask as Ana."""
    with Assistant.open(Settings(home=server_home, database_url=SecretStr(database_url))) as opened:
        return opened.as_person("ana").tokens.add("prueba", scopes=SCOPES, days=1, project="leyes")[0]


@pytest.fixture
def chats(
    tmp_path: Path, project: ProjectAssistant, database_url: str, server_home: Path, provider: FakeProviderServer
) -> Iterator[tuple[Chat, Chat]]:
    variables = {
        "DATABASE_URL": database_url,
        "LEGAJO_HOME": str(server_home),
        "LEGAJO_API_PER_MINUTE": "100000",
        "LLM_PROVIDER": "openrouter",
        "LLM_BASE_URL": f"{provider.url}/openrouter/v1",
        "LLM_MODEL": "modelo-de-prueba",
        "OPENROUTER_API_KEY": KEY,
    }
    with two_chats(tmp_path, **variables) as both:
        yield both


@pytest.fixture
def proxy(tmp_path: Path, chats: tuple[Chat, Chat]) -> Iterator[str]:
    """The address at which nginx leads to both, as it is configured for an organisation."""
    here = {
        "listen 443 ": f"listen 127.0.0.1:{(port := free_port())} ",
        "/etc/nginx/certificates/legajo.pem": (pem := str(certificate(tmp_path, PROXIED))),
        "/etc/nginx/certificates/legajo.key": pem,
        "chat-1:8501": chats[0].place,
        "chat-2:8501": chats[1].place,
    }
    with running(tmp_path, configured(PROXY.read_text(encoding="utf-8"), here)):
        yield f"https://{PROXIED}:{port}"


class Caller:
    """A program that asks one question after the other, until it is told to stop."""

    def __init__(self, proxy: str, secret: str) -> None:
        port = proxy.rpartition(":")[2]
        headers = {"Authorization": f"Bearer {secret}", "Host": f"{PROXIED}:{port}"}
        address = f"https://127.0.0.1:{port}/api/v1/projects/leyes"
        self._client = httpx2.Client(base_url=address, headers=headers, verify=False, timeout=WAIT_MS / 1e3)
        self.conversation: str = self._client.post("/conversations").json()["conversation"]
        self.asked: list[str] = []
        self.over = Event()

    def ask(self) -> None:
        with closing(self._client):
            for number in count(1):
                if self.over.is_set():
                    return
                question = f"¿Cuál es el plazo de la consulta {number}?"
                body = {"question": question, "conversation": self.conversation, "provider": "extractive"}
                answer = self._client.post("/ask", json=body)
                assert answer.status_code == 200, answer.text
                self.asked.append(question)


def arrivals(log: Path, chat: Chat) -> int:
    """The pages that came to a chat: each asks for its health before it opens a websocket, which is logged late."""
    lines = [line.split() for line in log.read_text(encoding="utf-8").splitlines()]
    return sum(line[-1] == "/_stcore/health" and line[-3] == chat.place for line in lines)


def said(project: ProjectAssistant, conversation: str) -> list[tuple[str, str]]:
    """The questions in their words, the answers by how they ended."""
    return [(turn.role, turn.content if turn.role == "user" else turn.state) for turn in project.turns(conversation)]


def turns(*questions: str) -> list[tuple[str, str]]:
    """Each of them once, with a whole answer."""
    return [turn for question in questions for turn in (("user", question), ("assistant", "complete"))]


def test_no_turn_is_lost_when_both_are_restarted_one_after_the_other(
    browser: Browser,
    chats: tuple[Chat, Chat],
    proxy: str,
    project: ProjectAssistant,
    secret: str,
    provider: FakeProviderServer,
    tmp_path: Path,
) -> None:
    came_to = partial(arrivals, tmp_path / ACCESS)
    caller = Caller(proxy, secret)
    with browser.new_context(ignore_https_errors=True, locale="es-PE") as context, ThreadPoolExecutor(2) as threads:
        calling = threads.submit(caller.ask)
        try:
            context.set_default_timeout(WAIT_MS)
            page = enter(context, proxy, "ana")
            page.get_by_test_id("stChatInputTextArea").wait_for()
            settled(page)
            first, second = chats if came_to(chats[0]) else reversed(chats)
            provider.play("held")
            ask(page, QUESTION)
            expect(page.locator(".legajo-live")).to_contain_text(PARTIAL)
            ending = threads.submit(first.end)
            until(lambda: bool(came_to(second)), "the page does not go to the other chat")
            assert not ending.done()  # it has an answer to finish
            provider.go.set()
            ending.result()
            expect(page.locator(".answer")).to_contain_text(ANSWER)
            expect(page.locator(".legajo-live")).to_have_count(0)
            first.start_again()
            came = came_to(first)
            second.end()
            until(lambda: came_to(first) > came, "the page does not come back")
            second.start_again()
            provider.play("ok")
            ask(page, NEXT)
            expect(page.locator(".answer")).to_have_count(2)
            settled(page)
        finally:
            provider.go.set()
            caller.over.set()
        calling.result()
        assert not page.url.endswith("/entrar")
        conversation = page.url.rpartition("c=")[2].split("&")[0]
    assert said(project, conversation) == turns(QUESTION, NEXT)
    assert said(project, caller.conversation) == turns(*caller.asked)
