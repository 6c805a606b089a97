"""People who enter by an OpenID Connect provider: who is let in, and everything for which nobody is."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from httpx import Response
from joserfc.jwk import RSAKey
from pydantic import SecretStr
from starlette.testclient import TestClient

from assistant.assistant import Assistant
from assistant.identity_provider import IdentityProvider
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError
from rag_system.settings import Settings
from tests.fakes.identity_provider import CLIENT, SECRET, FakeIdentityProvider, fake_identity_provider, query_of
from tests.integration.test_entrance import HERE, HTML, OWN, browser_of

SESSION, SIGN_IN = "legajo-8501-session", "legajo-8501-session-entrada"
LED = {**HTML, "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def provider() -> Iterator[FakeIdentityProvider]:
    with fake_identity_provider() as running:
        yield running


@pytest.fixture
def assistant(settings: Settings, provider: FakeIdentityProvider) -> Iterator[Assistant]:
    """With an administrator who has not entered yet."""
    with Assistant.open(oidc(settings, oidc_issuer=provider.issuer), embeddings=HashEmbeddings()) as opened:
        opened.accounts().add("jefa@empresa.pe", None, administrator=True)
        yield opened


@pytest.fixture
def browser(assistant: Assistant) -> TestClient:
    return browser_of(assistant)


def oidc(settings: Settings, **changes: Any) -> Settings:
    ours = {"accounts": "oidc", "oidc_client_id": CLIENT, "oidc_client_secret": SecretStr(SECRET)}
    return settings.model_copy(update={**ours, **changes})


def go(browser: TestClient) -> str:
    """Push the button: where the browser is led on to."""
    answer = browser.post("/entrar", headers=OWN)
    found = re.search(r'content="0; url=([^"]+)"', answer.text)
    assert found is not None, answer.text
    return unescape(found[1])


def come_back(browser: TestClient, url: str) -> Response:
    return browser.get(url.removeprefix(HERE), headers=LED)


def enter(browser: TestClient, provider: FakeIdentityProvider) -> Response:
    return come_back(browser, provider.authorize(query_of(go(browser))))


def assert_refused(browser: TestClient, answer: Response, words: str) -> None:
    assert answer.status_code == 403
    assert words in answer.text
    assert SECRET not in answer.text
    assert 'href="/entrar"' in answer.text
    assert SESSION not in browser.cookies
    assert browser.get("/").status_code == 403


def test_a_person_enters_and_is_known(
    assistant: Assistant, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    assert "Entrar con su cuenta" in browser.get("/entrar").text
    answer = enter(browser, provider)
    assert (answer.status_code, 'content="0; url=/"' in answer.text) == (200, True)
    assert SIGN_IN not in browser.cookies
    secret = browser.cookies[SESSION]
    assert browser.get("/").text == f"adentro {secret}"
    assert assistant.accounts().person_of(secret) == "ana@empresa.pe"
    assert assistant.as_person("ana@empresa.pe").projects() == []
    assert not assistant.accounts().is_administrator("ana@empresa.pe")
    enter(browser_of(assistant), provider)
    assert [each.sessions for each in assistant.accounts().people() if each.person == "ana@empresa.pe"] == [2]


def test_who_was_added_before_keeps_what_was_given(
    assistant: Assistant, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    provider.claims = {"email": "jefa@empresa.pe"}
    enter(browser, provider)
    assert browser.get("/personas").status_code == 200


def test_another_identity_with_the_same_address_does_not_enter(
    assistant: Assistant, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    enter(browser, provider)
    provider.claims = {"sub": "2"}
    other = browser_of(assistant)
    assert_refused(other, enter(other, provider), "ya entra con otra identidad")


UNPROVEN, CLOCK, UNVERIFIED = "no prueba quién es usted", "no coinciden", "no confirma su correo"


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"nonce": "otro"}, UNPROVEN),
        ({"nonce": None}, UNPROVEN),
        ({"aud": "otra aplicación"}, UNPROVEN),
        ({"aud": [CLIENT, "otra"], "azp": "otra"}, UNPROVEN),
        ({"iss": "https://otro.example"}, UNPROVEN),
        ({"sub": None}, UNPROVEN),
        ({"exp": None}, UNPROVEN),
        ({"exp": time.time() - 3600}, CLOCK),
        ({"iat": time.time() + 3600}, CLOCK),
        ({"email_verified": False}, UNVERIFIED),
        ({"email_verified": None}, UNVERIFIED),
        ({"email_verified": "false"}, UNVERIFIED),
        ({"email": None}, UNVERIFIED),
    ],
    ids=lambda each: ", ".join(each) if isinstance(each, dict) else "",  # the same in all processes: no clock
)
def test_what_a_token_says_must_hold(
    browser: TestClient, provider: FakeIdentityProvider, claims: dict[str, Any], words: str
) -> None:
    provider.claims = claims
    assert_refused(browser, enter(browser, provider), words)


ANA = {"sub": "1", "email": "ana@empresa.pe"}
SILENT = {"email_verified": None}  # as the id tokens of Microsoft Entra ID


@pytest.mark.parametrize(
    ("claims", "userinfo", "trusts", "enters"),
    [
        (SILENT, {**ANA, "email_verified": True}, False, True),
        ({"email": None, **SILENT}, {**ANA, "email_verified": True}, False, True),
        (SILENT, ANA, False, False),
        (SILENT, {**ANA, "email_verified": False}, False, False),
        (SILENT, {**ANA, "email_verified": "true"}, False, False),
        (SILENT, {"sub": "1", "email_verified": True}, False, False),
        ({"email_verified": False}, {**ANA, "email_verified": True}, False, False),  # it was said
        (SILENT, None, True, True),
        ({"email": None, **SILENT}, ANA, True, True),
        ({"email_verified": False}, None, True, False),
        (SILENT, None, False, False),
    ],
)
def test_where_a_token_leaves_an_address_open_the_provider_is_asked(
    settings: Settings,
    provider: FakeIdentityProvider,
    claims: dict[str, Any],
    userinfo: dict[str, Any] | None,
    trusts: bool,
    enters: bool,
) -> None:
    provider.claims, provider.userinfo = claims, userinfo
    chosen = oidc(settings, oidc_issuer=provider.issuer, oidc_trust_email=trusts)
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as assistant:
        browser = browser_of(assistant)
        answer = enter(browser, provider)
        if enters:
            assert assistant.accounts().person_of(browser.cookies[SESSION]) == "ana@empresa.pe"
        else:
            assert_refused(browser, answer, UNVERIFIED)
    is_open = userinfo is not None and "email_verified" in claims and claims["email_verified"] is None
    assert provider.asked == (["Bearer x"] if is_open else [])


def test_what_the_provider_says_of_somebody_else_proves_nothing(
    browser: TestClient, provider: FakeIdentityProvider
) -> None:
    provider.claims = SILENT
    provider.userinfo = {**ANA, "sub": "2", "email_verified": True}
    assert_refused(browser, enter(browser, provider), UNPROVEN)


def test_a_token_that_the_provider_did_not_sign_proves_nothing(
    browser: TestClient, provider: FakeIdentityProvider
) -> None:
    provider.header = {"alg": "none"}
    assert_refused(browser, enter(browser, provider), UNPROVEN)
    provider.header = {"alg": "RS256", "kid": "1"}
    provider.key = RSAKey.generate_key(2048)
    assert_refused(browser, enter(browser, provider), UNPROVEN)


def test_an_answer_belongs_to_the_browser_that_asked(
    assistant: Assistant, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    back = provider.authorize(query_of(go(browser)))
    other = browser_of(assistant)
    for started in (False, True):
        if started:
            go(other)
        assert_refused(other, come_back(other, back), "venció o empezó en otro navegador")
    assert_refused(other, come_back(other, "/entrar/vuelta?code=x&state=ñ"), "venció o empezó")
    other.cookies.set(SIGN_IN, "inventada", path="/entrar/vuelta")
    assert_refused(other, come_back(other, back), "venció o empezó")
    assert come_back(browser, back).status_code == 200


def test_a_sign_in_has_an_end(
    browser: TestClient, provider: FakeIdentityProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IdentityProvider, "LIFE_S", -1)
    url = go(browser)
    assert SIGN_IN not in browser.cookies
    assert_refused(browser, come_back(browser, provider.authorize(query_of(url))), "venció o empezó")


def test_a_code_of_another_sign_in_is_of_no_use(
    assistant: Assistant, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    stolen = query_of(provider.authorize(query_of(go(browser_of(assistant)))))["code"]
    state = query_of(go(browser))["state"]
    assert_refused(browser, come_back(browser, f"/entrar/vuelta?code={stolen}&state={state}"), UNPROVEN)
    assert provider.refusals == ["pkce"]


def test_a_provider_that_refuses_or_is_away_is_one_sentence(
    settings: Settings, browser: TestClient, provider: FakeIdentityProvider
) -> None:
    state = query_of(go(browser))["state"]
    answer = come_back(browser, f"/entrar/vuelta?error=access_denied&state={state}")
    assert_refused(browser, answer, "no le dejó entrar")
    provider.configuration = {"issuer": "https://otro.example"}
    assert_refused(browser, browser.post("/entrar", headers=OWN), UNPROVEN)
    away = oidc(settings, oidc_issuer="http://127.0.0.1:9")
    with Assistant.open(away, embeddings=HashEmbeddings()) as opened:
        other = browser_of(opened)
        assert_refused(other, other.post("/entrar", headers=OWN), "no responde")


def test_what_travels_with_the_browser_is_sealed_and_brief(
    browser: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    answer = browser.post("/entrar", headers=OWN)
    cookie = answer.headers["set-cookie"]
    said = set(re.split("; ?", cookie.lower()))
    assert {"httponly", "samesite=lax", "path=/entrar/vuelta", "max-age=600"} <= said
    asked = query_of(go(browser))
    assert not any(asked[each] in cookie for each in ("state", "nonce"))
    come_back(browser, f"/entrar/vuelta?code=inventado&state={asked['state']}")
    assert SECRET not in caplog.text
    assert browser.cookies[SIGN_IN] not in caplog.text


def test_the_button_is_only_pushed_on_our_page(browser: TestClient) -> None:
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert browser.post("/entrar", headers=headers).status_code == 403
    assert browser.post("/entrar/vuelta", headers=OWN).status_code == 400
    assert SIGN_IN not in browser.cookies


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"oidc_issuer": ""}, "LEGAJO_OIDC_ISSUER"),
        ({"oidc_issuer": "https://a.pe", "oidc_client_id": ""}, "LEGAJO_OIDC_CLIENT_ID"),
        ({"oidc_issuer": "https://a.pe", "oidc_client_secret": None}, "LEGAJO_OIDC_CLIENT_SECRET"),
        ({"oidc_issuer": "https://a.pe", "oidc_client_secret": SecretStr("")}, "LEGAJO_OIDC_CLIENT_SECRET"),
        ({"oidc_issuer": "http://a.pe"}, "https://"),
    ],
)
def test_without_its_settings_nothing_starts(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        IdentityProvider.of(oidc(Settings(), **changes))
