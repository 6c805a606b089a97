"""Who somebody is, as an OpenID Connect provider says it: authorization code with PKCE, and a verified id token.

Nothing is kept here between the two halves of a sign-in: what the second needs of the first travels, sealed, with the
browser. Who is let in for it, `assistant.accounts` decides.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from joserfc import jwt
from joserfc.errors import ClaimError, ExpiredTokenError, JoseError
from joserfc.jwe import JWERegistry
from joserfc.jwk import KeySet, OctKey
from pydantic import BaseModel, StrictStr

from rag_system.errors import ConfigurationError, SignInError
from rag_system.settings import Settings, variable

__all__ = ["Identity", "IdentityProvider"]

_PATIENCE_S = 10  # for each answer of the provider
_LEEWAY_S = 60  # that two clocks may differ
_SIGNED_BY_PROVIDER = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519")
_SEALED = {"alg": "dir", "enc": "A256GCM"}
_SETTINGS = ("oidc_issuer", "oidc_client_id", "oidc_client_secret")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LONGEST_LOGGED = 100  # characters of what a provider calls an error

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom a provider vouches for, with an e-mail address that it verified or is trusted with."""

    issuer: str
    subject: str
    email: str


class _Places(BaseModel):
    """What is read of a provider's configuration."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""


class _Said(BaseModel):
    """What a provider says of who entered, in the id token or where it is asked for more. None: it says nothing."""

    sub: StrictStr
    email: StrictStr | None = None
    email_verified: Any = None  # some write texts, which prove nothing


class _Keys(BaseModel):
    """What its tokens are signed with."""

    keys: list[dict[str, Any]]


class IdentityProvider:
    """The provider of the settings. Everything that stands in the way of a sign-in is a `SignInError`.

    What it seals it opens itself, and no other: a restart ends the sign-ins that are under way.
    """

    LIFE_S = 600  # how long a person may take there

    def __init__(self, *, issuer: str, client_id: str, client_secret: str, trusts_email: bool = False) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._client_secret = client_secret
        self._trusts_email = trusts_email
        self._key = OctKey.generate_key(256)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Of LEGAJO_OIDC_*; what is missing there or would tell the secret to all raises `ConfigurationError`."""
        missing = [variable(each) for each in _SETTINGS if not getattr(settings, each)]
        if settings.oidc_client_secret is None or missing:
            names = " y ".join(missing)
            raise ConfigurationError(f"LEGAJO_ACCOUNTS=oidc necesita {names}. Vea docs/how-to/cuentas.md.")
        if not _is_private(settings.oidc_issuer):
            raise ConfigurationError(f"{variable('oidc_issuer')} debe empezar con «https://». Corríjalo.")
        secret = settings.oidc_client_secret.get_secret_value()
        return cls(
            issuer=settings.oidc_issuer,
            client_id=settings.oidc_client_id,
            client_secret=secret,
            trusts_email=settings.oidc_trust_email,
        )

    def begin(self, back: str) -> tuple[str, str]:
        """Where to send a browser that shall return to `back`, and what it keeps until then, sealed."""
        kept = {each: secrets.token_urlsafe(48) for each in ("state", "nonce", "code_verifier")}
        with _told(), self._client(back) as client:
            url, _ = client.create_authorization_url(self._places().authorization_endpoint, **kept)
        sealed = jwt.encode(_SEALED, {**kept, "exp": int(time.time()) + self.LIFE_S}, self._key, registry=JWERegistry())
        return str(url), sealed

    def finish(self, answer: Mapping[str, str], *, sealed: str, back: str) -> Identity:
        """Whom the provider sent back with the parameters `answer`; `sealed` and `back` are those of the beginning."""
        kept = self._opened(sealed)
        if not secrets.compare_digest(answer.get("state", "").encode(), kept["state"].encode()):
            raise _spent()
        if "code" not in answer:
            _log(answer.get("error", ""))
            raise SignInError(
                "El proveedor de identidad no le dejó entrar. Vuelva a intentar.", code="identity_refused"
            )
        with _told(), self._client(back) as client:
            places = self._places()
            proof = {"code": answer["code"], "code_verifier": kept["code_verifier"]}
            tokens = client.fetch_token(places.token_endpoint, **proof)
            keys: Any = _Keys.model_validate_json(_asked(places.jwks_uri)).model_dump()
            signed = jwt.decode(tokens.get("id_token", ""), KeySet.import_key_set(keys), algorithms=_SIGNED_BY_PROVIDER)
            self._registry(kept["nonce"]).validate(signed.claims)
            said = self._said(_Said.model_validate(signed.claims), places, tokens.get("access_token", ""))
        if said.email is None or not self._takes(said):
            raise SignInError(
                "El proveedor no confirma su correo. Verifíquelo allí y vuelva a intentar.", code="unverified_email"
            )
        return Identity(issuer=self._issuer, subject=said.sub, email=said.email)

    def _said(self, said: _Said, places: _Places, access: str) -> _Said:
        """The same, or what the provider says where it is asked, of an address that the id token leaves open."""
        is_open = said.email is None or (said.email_verified is None and not self._trusts_email)
        if not is_open or not places.userinfo_endpoint:
            return said
        told = _Said.model_validate_json(_asked(places.userinfo_endpoint, access=access))
        if told.sub != said.sub:  # OpenID Connect Core 1.0, 5.3.2
            raise ValueError("sub")
        return told

    def _takes(self, said: _Said) -> bool:
        return said.email_verified is True or (said.email_verified is None and self._trusts_email)

    def _client(self, back: str) -> OAuth2Client:
        return OAuth2Client(
            client_id=self._client_id,
            client_secret=self._client_secret,
            scope="openid email",
            redirect_uri=back,
            code_challenge_method="S256",
            timeout=_PATIENCE_S,
        )

    def _places(self) -> _Places:
        places = _Places.model_validate_json(_asked(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"))
        if places.issuer != self._issuer:
            raise ValueError("issuer")
        return places

    def _opened(self, sealed: str) -> dict[str, Any]:
        try:
            kept = jwt.decode(sealed, self._key, registry=JWERegistry()).claims
            jwt.JWTClaimsRegistry(exp={"essential": True}).validate(kept)
        except (JoseError, ValueError):
            raise _spent() from None
        return kept

    def _registry(self, nonce: str) -> jwt.JWTClaimsRegistry:
        return jwt.JWTClaimsRegistry(
            leeway=_LEEWAY_S,
            iss={"essential": True, "value": self._issuer},
            sub={"essential": True},
            aud={"essential": True, "value": self._client_id},
            azp={"value": self._client_id},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )


def _asked(url: str, *, access: str = "") -> bytes:
    headers = {"Authorization": f"Bearer {access}"} if access else {}
    return httpx2.get(url, headers=headers, timeout=_PATIENCE_S).raise_for_status().content


@contextmanager
def _told() -> Iterator[None]:
    """What goes wrong with a provider, as one sentence; in the log its kind, which holds nothing of the exchange."""
    try:
        yield
    except httpx2.HTTPError as error:
        _log(type(error).__name__)
        raise SignInError(
            "El proveedor de identidad no responde. Vuelva a intentar en unos minutos.", code="identity_provider_away"
        ) from None
    except (JoseError, AuthlibBaseError, httpx2.InvalidURL, ValueError) as error:
        claim = error.claim if isinstance(error, ClaimError) else ""
        _log(f"{type(error).__name__} {getattr(error, 'error', '')} {claim}")
        if isinstance(error, ExpiredTokenError) or claim in ("iat", "nbf"):
            raise SignInError(
                "La hora de este equipo y la del proveedor de identidad no coinciden. Pida ayuda a quien administra "
                "Legajo.",
                code="clocks_differ",
            ) from None
        raise SignInError(
            "La respuesta del proveedor de identidad no prueba quién es usted. Vuelva a intentar, o pida ayuda a quien "
            "administra Legajo.",
            code="unproven_identity",
        ) from None


def _log(kind: str) -> None:
    logger.warning("Refused a sign-in: %r", kind[:_LONGEST_LOGGED])


def _spent() -> SignInError:
    return SignInError(
        "Este intento de entrar venció o empezó en otro navegador. Vuelva a intentar.", code="spent_sign_in"
    )


def _is_private(url: str) -> bool:
    """Whether nobody between here and there reads along."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
