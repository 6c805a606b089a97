"""Starts the chat as it is delivered, and a headless Chromium to use it with.

Chromium is the system's own: `LEGAJO_CHROMIUM` or the first of the usual names on the path. Without one the tests
fail, saying how to install it; they never skip.
"""

from __future__ import annotations

import os
import shutil
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests.browser.programs import serve, work
from tests.browser.settling import WAIT_MS, settled
from tests.effort import IS_SLOW
from tests.fakes import provider_server, web_server
from tests.fakes.provider_server import FakeProviderServer
from tests.fakes.web_server import WebServer
from tests.faults.processes import Program, cleared_away, free_port, until

ROOT = Path(__file__).parents[2]
REAL = ROOT / "ui" / "app.py"
_OWN_WORLD = Path(__file__).with_name("app_in_own_world.py")
_NAMED = os.environ.get("LEGAJO_CHROMIUM")  # read before the tests' environment is cleaned
_SHELL = "chromium-headless-shell"  # takes less of the processor
_NAMES = (_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TOKEN = "enlace-de-las-pruebas"
GUARD = "guardia"  # administers the chat with accounts, and is never there
PROXIED = "chat.empresa.pe"  # a name that is here for the tests' browser
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",  # a microphone that hums
    "--use-fake-ui-for-media-stream",
    f"--host-resolver-rules=MAP {PROXIED} 127.0.0.1",
)
# A page lives for seconds here: to compile its scripts well costs more than it saves. Who measures wants the usual.
_BRIEFLY = () if IS_SLOW else ("--js-flags=--no-turbofan --no-maglev",)


def chromium() -> str:
    found = _NAMED or next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.fail(f"Chromium is missing: install it (apt-get install {_SHELL}) or name it in LEGAJO_CHROMIUM.", False)
    return found


@contextmanager
def served(app: Path, log: Path, *options: str, **variables: str) -> Iterator[str]:
    """The chat in a process of its own; its address, without the token."""
    with running_chat(app, log, *options, **variables) as (address, _):
        yield address


@contextmanager
def running_chat(app: Path, log: Path, *options: str, **variables: str) -> Iterator[tuple[str, Program]]:
    """The same with the process."""
    port = free_port()
    environment = {**os.environ, "LEGAJO_TOKEN": TOKEN, **variables}
    with _ended(Program(log, serve, ["--port", str(port), *options, str(app)], environment)) as server:
        await_health(f"http://127.0.0.1:{port}/_stcore/health", server, log)
        yield f"http://127.0.0.1:{port}", server


@contextmanager
def _ended(program: Program) -> Iterator[Program]:
    with cleared_away([program]):
        yield program
        program.end()


def await_health(url: str, server: Program, log: Path) -> None:
    """Until the chat answers; that it ended instead is an error."""

    def answers() -> bool:
        assert server.is_running, f"The chat did not start:\n{log.read_text(encoding='utf-8', errors='replace')}"
        with suppress(OSError), urllib.request.urlopen(url, timeout=10):  # noqa: S310 - our own server
            return True
        return False

    until(answers, f"the chat starts: {log}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, *_BRIEFLY])
        expect.set_options(timeout=WAIT_MS)
        yield browser
        browser.close()


@contextmanager
def delivered(folder: Path, database_url: str, home: Path, *, app: Path = REAL, **variables: str) -> Iterator[str]:
    """The chat and the worker over a database."""
    told = {"DATABASE_URL": database_url, "LEGAJO_HOME": str(home), **variables}
    with working(folder, database_url, home), served(app, folder / "server.log", **told) as url:
        yield url


@contextmanager
def working(folder: Path, database_url: str, home: Path) -> Iterator[None]:
    """A worker over a database."""
    told = {"DATABASE_URL": database_url, "LEGAJO_HOME": str(home)}
    with _ended(Program(folder / "worker.log", work, {**os.environ, **told})):
        yield


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, lasting_library_url: str, server_home: Path) -> Iterator[str]:
    """The chat and the worker with three documents in the library."""
    with delivered(tmp_path_factory.mktemp("chat"), lasting_library_url, server_home) as url:
        yield url


@pytest.fixture
def own_address(tmp_path: Path, library_url: str, server_home: Path) -> Iterator[str]:
    """The chat with the three documents for one test alone, which counts them; nobody reads others."""
    with served(REAL, tmp_path / "server.log", DATABASE_URL=library_url, LEGAJO_HOME=str(server_home)) as url:
        yield url


@pytest.fixture(scope="session")
def unused_address(
    tmp_path_factory: pytest.TempPathFactory, untouched_database_url: str, server_home: Path
) -> Iterator[str]:
    """The chat on an empty database, in which nobody changes anything."""
    log = tmp_path_factory.mktemp("unused") / "server.log"
    with served(REAL, log, DATABASE_URL=untouched_database_url, LEGAJO_HOME=str(server_home)) as url:
        yield url


@pytest.fixture(scope="session")
def web() -> Iterator[WebServer]:
    """What every name of the web leads to from `empty_address`."""
    with web_server.running({}) as server:
        yield server


@pytest.fixture(scope="session")
def empty_address(
    tmp_path_factory: pytest.TempPathFactory,
    lasting_database_url: str,
    server_home: Path,
    provider: FakeProviderServer,
    web: WebServer,
) -> Iterator[str]:
    """The chat and the worker on a database that begins empty, in a world where all others are of the tests."""
    folder = tmp_path_factory.mktemp("empty")
    with delivered(folder, lasting_database_url, server_home, app=_OWN_WORLD, TESTS_GOOGLE=provider.url) as url:
        yield url


@pytest.fixture
def real_address(tmp_path: Path, database_url: str, server_home: Path) -> Iterator[str]:
    """The chat and the worker as they are delivered, on a fresh database of the embedded server."""
    with delivered(tmp_path, database_url, server_home) as url:
        yield url


@pytest.fixture(scope="session")
def people_address(
    tmp_path_factory: pytest.TempPathFactory, lasting_people_url: str, server_home: Path
) -> Iterator[str]:
    """The chat with accounts; each test brings its own people, and takes them away again."""
    variables = {"DATABASE_URL": lasting_people_url, "LEGAJO_HOME": str(server_home), "LEGAJO_ACCOUNTS": "password"}
    with served(REAL, tmp_path_factory.mktemp("people") / "server.log", **variables) as url:
        yield url


@pytest.fixture(scope="session")
def people(lasting_people_url: str, server_home: Path) -> Iterator[Assistant]:
    """On the same database as the chat, which one administers who stays."""
    settings = Settings(home=server_home, database_url=SecretStr(lasting_people_url))
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        opened.accounts().add(GUARD, "una contraseña de nadie", administrator=True)
        yield opened


KEY = "played-sk-or-v1-0f3b9c"  # what the provider does is played by each test


@pytest.fixture(scope="session")
def provider() -> Iterator[FakeProviderServer]:
    """A provider of OpenRouter's kind."""
    with provider_server.running() as (fake, _):
        yield fake


@pytest.fixture(scope="session")
def _provider_variables(provider: FakeProviderServer, unread_library_url: str, server_home: Path) -> dict[str, str]:
    return {
        "DATABASE_URL": unread_library_url,
        "LEGAJO_HOME": str(server_home),
        "LLM_PROVIDER": "openrouter",
        "LEGAJO_MODEL_TITLES": "false",  # what a provider does is played for the answers
        "LLM_BASE_URL": f"{provider.url}/openrouter/v1",
        "LLM_MODEL": "modelo-de-prueba",
        "LLM_TIMEOUT": "3",
        "OPENROUTER_API_KEY": KEY,
    }


@pytest.fixture(scope="session")
def provider_address(tmp_path_factory: pytest.TempPathFactory, _provider_variables: dict[str, str]) -> Iterator[str]:
    """The chat with three documents, which nobody adds to, and a language model that does as it is told; of its
    silence three seconds are borne.
    """
    with served(REAL, tmp_path_factory.mktemp("provider") / "server.log", **_provider_variables) as url:
        yield url


@pytest.fixture(scope="session")
def fallback_address(
    tmp_path_factory: pytest.TempPathFactory, provider: FakeProviderServer, _provider_variables: dict[str, str]
) -> Iterator[str]:
    """The same with a server that steps in, and a minute's patience."""
    second = {
        "LLM_FALLBACK": "local",
        "LLM_FALLBACK_BASE_URL": f"{provider.url}/v1",
        "LLM_FALLBACK_MODEL": "modelo-de-reserva",
        "LOCAL_API_KEY": "ok-reserva-5d1e",
        "LLM_TIMEOUT": "60",
    }
    log = tmp_path_factory.mktemp("fallback") / "server.log"
    with served(REAL, log, **_provider_variables | second) as url:
        yield url


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """Where every test looks at its page. A tab and the chat's programs cost seconds to open and to read anew."""
    context = browser.new_context(locale="es-PE", reduced_motion="reduce")  # to draw what moves is half of a load
    context.set_default_timeout(WAIT_MS)
    return context.new_page()


@pytest.fixture
def open_page(tab: Page) -> Iterator[Callable[..., Page]]:
    """Opens an address as a browser that was never there.

    A request to anywhere else, a page error, or what the page's own policy forbids, fails the test.
    """
    troubles: list[str] = []
    watched: dict[str, Callable[..., None]] = {
        "pageerror": lambda error: troubles.append(f"page error: {error}"),
        "request": lambda request: troubles.extend(_foreign(request.url)),
        "console": lambda message: troubles.extend(_forbidden(message.text)),
    }
    for event, hear in watched.items():
        tab.on(event, hear)  # type: ignore[call-overload]

    def open_(url: str, *, width: int = 1280, height: int = 800) -> Page:
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(link_to(url))
        tab.get_by_test_id("stChatInputTextArea").wait_for()
        settled(tab)
        return tab

    yield open_
    for event, hear in watched.items():
        tab.remove_listener(event, hear)
    _forget(tab)
    assert troubles == []


def _forget(tab: Page) -> None:
    """Leave the page, and nothing of it in the browser."""
    for other in tab.context.pages:
        if other != tab:
            other.close()
    tab.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    tab.goto("about:blank")
    tab.context.clear_cookies()
    tab.context.clear_permissions()


def link_to(url: str) -> str:
    """The link that opens the chat there."""
    return f"{url}/?token={TOKEN}"


def _forbidden(said: str) -> list[str]:
    return [said] if "Content Security Policy" in said else []


def _foreign(url: str) -> list[str]:
    local = url.startswith(("http://127.0.0.1:", "data:", "blob:"))
    return [] if local else [f"request to {url}"]


def draw_until(page: Page, holds: Callable[[], bool], what: str) -> None:
    """Frame after frame: what the browser tells meanwhile is heard."""
    end = monotonic() + WAIT_MS / 1000
    while not holds():
        assert monotonic() < end, f"in vain: {what}"
        page.evaluate("new Promise(requestAnimationFrame)")


@pytest.fixture
def page(open_page: Callable[..., Page], address: str) -> Page:
    return open_page(address)
