"""The keys that a question may be paid with: they come with it, and those of the settings are the default.

Where keys of people and projects are kept is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr

from rag_system.settings import ProviderName, Settings
from rag_system.types import Payer

__all__ = ["Credentials", "Key", "settings_credentials"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A provider's key, and whose it is."""

    payer: Payer
    secret: SecretStr | None = field(repr=False)  # without blanks around it; None: it is kept, and cannot be opened

    @property
    def goes_to_own_address(self) -> bool:
        """Whether it may be sent where LLM_BASE_URL leads: only who runs the program trusts that server with a key."""
        return self.payer == "settings"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A key for each provider that has one. Their texts and representations show none."""

    keys: Mapping[ProviderName, Key] = field(default_factory=dict, repr=False)

    def __or__(self, nearer: Credentials) -> Credentials:
        """These, and before them the others."""
        return Credentials({**self.keys, **nearer.keys})


def settings_credentials(settings: Settings) -> Credentials:
    """Those of the environment."""
    given: dict[ProviderName, SecretStr | None] = {
        "google": settings.google_api_key,
        "groq": settings.groq_api_key,
        "openrouter": settings.openrouter_api_key,
        "local": settings.local_api_key,
    }
    stripped = {name: secret.get_secret_value().strip() for name, secret in given.items() if secret}
    return Credentials({name: Key(payer="settings", secret=SecretStr(text)) for name, text in stripped.items() if text})
