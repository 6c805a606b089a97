"""The link that opens the chat: its secret, how it is shown, and the browser of who sits at this machine."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from launcher.address import Address
from rag_system.errors import InputError
from rag_system.settings import Settings

__all__ = ["Link", "can_show", "shown_in_browser"]

_TOKEN_BYTES = 32
_PAGE = '<!doctype html><meta charset="utf-8"><title>Legajo</title><meta http-equiv="refresh" content="0; url={}">'


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Where the chat is opened, and the secret for it; without one, by whoever reaches the port."""

    address: Address
    token: str | None = field(repr=False)
    has_accounts: bool = False  # people enter by theirs, and no link lets them in

    @classmethod
    def of_a_start(cls, address: Address, settings: Settings, *, guarded: bool) -> Link:
        """With the secret that the settings give, or a new one; other machines reach nothing but accounts."""
        if settings.accounts != "local":
            return cls(address=address, token=None, has_accounts=True)
        if not address.is_only_here:
            raise InputError(
                f"Sin cuentas, Legajo atiende solo en este equipo, y {address.host} lo abre a otros. Ponga "
                "LEGAJO_ACCOUNTS=password u oidc (docs/how-to/cuentas.md), o quite --address."
            )
        chosen = settings.token.get_secret_value() if settings.token else secrets.token_urlsafe(_TOKEN_BYTES)
        return cls(address=address, token=chosen if guarded else None)

    @property
    def urls(self) -> Sequence[str]:
        query = f"?token={quote(self.token, safe='')}" if self.token else ""
        return [f"{url}{query}" for url in self.address.urls]


def can_show() -> bool:
    """Whether somebody sits here, at a terminal and with a desktop that has browsers."""
    return sys.stdout.isatty() and any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


@contextmanager
def shown_in_browser(url: str) -> Iterator[None]:
    """Open it, by way of a page that only we can read: everybody sees with which words a program was started."""
    with tempfile.NamedTemporaryFile("w", prefix="legajo-", suffix=".html", encoding="utf-8") as page:
        page.write(_PAGE.format(escape(url)))
        page.flush()
        webbrowser.open(f"file://{page.name}")
        yield
