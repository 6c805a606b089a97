"""A small OpenID Connect provider on a local port, which lets in whoever asks and says of them what a test tells it."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "legajo", "un secreto de prueba"


class FakeIdentityProvider:
    """Its `claims` replace those of its id tokens, its `header` theirs; with None a claim is left out.

    Asked for more, it tells the `userinfo`; with None it cannot be asked.
    """

    def __init__(self, port: int) -> None:
        self.issuer = f"http://localhost:{port}"  # to a browser another site than the chat at 127.0.0.1
        self.key = self.published = _key()
        self.header: dict[str, str] = {"alg": "RS256", "kid": "1"}
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] | None = None
        self.asked: list[str] = []  # for more, with which right
        self.configuration: dict[str, str] = {}
        self.refusals: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser is sent back to."""
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT)
        assert {"openid", "email"} <= set(query["scope"].split())
        assert query["code_challenge_method"] == "S256"
        code = f"codigo-{len(self._codes)}"
        self._codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, typed: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self._codes.pop(typed["code"])
        digest = hashlib.sha256(typed.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        for refused, why in (
            (authorization != f"Basic {basic}", "client"),
            (typed["redirect_uri"] != asked["redirect_uri"], "redirect"),
            (challenge != asked["code_challenge"], "pkce"),
        ):
            if refused:
                self.refusals.append(why)
                return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": self._id_token(asked["nonce"])}

    def _id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer, "sub": "1", "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce,
            "email": "Ana@empresa.pe", "email_verified": True, **self.claims,
        }  # fmt: skip
        said = {name: value for name, value in claims.items() if value is not None}
        if self.header["alg"] == "none":
            parts = (base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in
                     (self.header, said))  # fmt: skip
            return ".".join((*parts, ""))
        return jwt.encode(self.header, said, self.key)

    def page(self, path: str) -> dict[str, Any]:
        places = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        if self.userinfo is not None:
            places["userinfo_endpoint"] = f"{self.issuer}/userinfo"
        pages = {
            "/.well-known/openid-configuration": {**places, **self.configuration},
            "/userinfo": self.userinfo or {},
            "/keys": {"keys": [self.published.as_dict(private=False)]},
        }
        return pages[path]


@cache
def _key() -> RSAKey:
    """One for all: to make it is a fifth of what a test costs."""
    return RSAKey.generate_key(2048, {"kid": "1", "alg": "RS256", "use": "sig"})


@contextmanager
def fake_identity_provider() -> Iterator[FakeIdentityProvider]:
    """One that answers until the end."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/userinfo":
                provider.asked.append(self.headers.get("Authorization", ""))
            if not self.path.startswith("/authorize?"):
                self._answer(200, provider.page(self.path))
                return
            self.send_response(302)
            self.send_header("Location", provider.authorize(query_of(self.path)))
            self.end_headers()

        def do_POST(self) -> None:
            typed = _plain(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self._answer(*provider.token(typed, self.headers.get("Authorization", "")))

        def _answer(self, status: int, content: dict[str, Any]) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *_: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider = FakeIdentityProvider(server.server_port)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield provider
        finally:
            server.shutdown()


def query_of(url: str) -> dict[str, str]:
    return _plain(urlsplit(url).query)


def _plain(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
