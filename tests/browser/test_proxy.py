"""The chat behind nginx with TLS, set up as the guide says: names, cookies, the websocket, large files, addresses."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.passwords import digest
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests.browser.conftest import PROXIED, REAL, WAIT_MS, served
from tests.browser.nginx import NGINX, configured, running
from tests.browser.test_people import PASSWORD, enter
from tests.fakes.web_server import certificate
from tests.faults.processes import free_port

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "red.md"
MEGABYTES = 50

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def assistant(own_database_url: str, server_home: Path) -> Iterator[Assistant]:
    """On the same database as the chat, with Ana and her project."""
    settings = Settings(home=server_home, database_url=SecretStr(own_database_url))
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        opened.accounts().add("ana", PASSWORD)
        opened.as_person("ana").create_project("leyes")
        yield opened


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, own_database_url: str, server_home: Path) -> Iterator[int]:
    """Where nginx is."""
    folder = tmp_path_factory.mktemp("nginx")
    variables = {"DATABASE_URL": own_database_url, "LEGAJO_HOME": str(server_home), "LEGAJO_ACCOUNTS": "password"}
    with served(REAL, folder / "server.log", "--allowed-host", PROXIED, **variables) as chat:
        (written,) = re.findall(r"^server \{.*?^\}", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        port, pem = free_port(), str(certificate(folder, PROXIED))
        here = {
            "listen 443 ": f"listen 127.0.0.1:{port} ",
            f"/etc/ssl/{PROXIED}.pem": pem,
            "http://127.0.0.1:8501": chat,
        }
        with running(folder, configured(written, here)):
            yield port


@pytest.fixture
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """Whose user takes a certificate that nobody vouches for."""
    with browser.new_context(ignore_https_errors=True, reduced_motion="reduce") as context:
        context.set_default_timeout(WAIT_MS)
        yield context


def asked(port: int, path: str, headers: Mapping[str, str], *, source: str = "127.0.0.1", body: str = "") -> int:
    """The status of an answer."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    client = http.client.HTTPSConnection("127.0.0.1", port, context=trusting, source_address=(source, 0))
    with closing(client):
        client.request("POST" if body else "GET", path, body or None, {"Host": f"{PROXIED}:{port}", **headers})
        with client.getresponse() as answer:
            return answer.status


def test_a_person_enters_and_sends_a_large_file(
    fresh: BrowserContext, port: int, assistant: Assistant, tmp_path: Path
) -> None:
    page = enter(fresh, f"https://{PROXIED}:{port}", "ana")
    page.get_by_test_id("stChatInputTextArea").wait_for()  # by the websocket
    (cookie,) = [each for each in fresh.cookies() if each["name"].startswith("legajo-")]
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Strict")
    (large := tmp_path / "grande.txt").write_bytes(b"El plazo es de quince dias.\n" * (MEGABYTES * 2**20 // 28))
    with page.expect_response("**/upload_file/**") as sent:
        page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(large)
    assert sent.value.ok
    page.get_by_test_id("stChatInputTextArea").press("Enter")
    expect(page.locator(".legajo-uploads")).to_contain_text("grande.txt")
    (queued,) = assistant.as_person("ana").project("leyes").library.ingestions()
    assert queued.size_bytes == large.stat().st_size


def test_who_calls_is_known_through_it(port: int, assistant: Assistant) -> None:
    own = {"Origin": f"https://{PROXIED}:{port}"}
    form = {"Content-Type": "application/x-www-form-urlencoded", **own}
    assert asked(port, "/entrar", own) == 200
    assert asked(port, "/entrar", {"Origin": "https://evil.example"}) == 403
    assert asked(port, "/entrar", {"Host": "evil.example"}) == 403
    socket = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    socket["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
    for origin in (own["Origin"], "https://evil.example"):  # nobody entered; and a page of others
        assert asked(port, "/_stcore/stream", {**socket, "Origin": origin}) == 403
    assert asked(port, "/entrar", form, source="127.0.0.2", body="name=ana&password=otra") == 403
    with assistant._database.as_login() as owner:
        addresses = owner.execute("SELECT address_hash FROM login_attempts").fetchall()
    assert addresses == [(digest("127.0.0.2"),)]
