"""Who may use the chat: by which names it is called, from where a page may ask, and the secret of a start.

Pure: what a request says goes in, yes or no comes out.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Self

__all__ = ["Access", "Hosts", "is_only_here"]

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\s\[\]:/?#@\\]+)(:\d{1,5})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """The names under which a browser may have asked.

    A page of a foreign name is a foreign page, even where that name leads to this machine (DNS rebinding). An IP
    address is no name that somebody else could point here, so a server that listens on all addresses takes any.
    """

    names: frozenset[str]
    any_ip: bool = False

    @classmethod
    def of(cls, address: str, *others: str) -> Self:
        """Those of the address that is listened on, and `others`."""
        names = {_plain(each) for each in (address, *others)}
        number = _ip(address)
        everywhere = number is not None and number.is_unspecified
        if address == "localhost" or (number is not None and (everywhere or number.is_loopback)):
            names |= {*_LOOPBACK}
        return cls(names=frozenset(names), any_ip=everywhere)

    def include(self, host: str) -> bool:
        """Whether a `Host` header names one of them; at any port, as tunnels and proxies have their own."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = _plain(match["name"])
        return name in self.names or (self.any_ip and _ip(name) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What a request must show.

    `token` is the secret in the link; None lets everybody in who reaches the port. `port` names the cookie, because
    browsers share cookies among all ports of a machine.
    """

    hosts: Hosts
    port: int
    token: str | None = field(repr=False)

    @property
    def cookie_name(self) -> str:
        return f"legajo-{self.port}"

    @property
    def cookie(self) -> str:
        """What a browser keeps after the link was opened; the token cannot be read from it."""
        return hmac.new(_bytes(self.token or ""), _bytes(self.cookie_name), hashlib.sha256).hexdigest()

    def opens(self, token: str) -> bool:
        """Whether it is the link's secret."""
        return self.token is not None and hmac.compare_digest(_bytes(token), _bytes(self.token))

    def knows(self, cookie: str) -> bool:
        """Whether the link was opened before."""
        return self.token is None or hmac.compare_digest(_bytes(cookie), _bytes(self.cookie))

    @staticmethod
    def is_own_page(origin: str, host: str) -> bool:
        """Whether the page that asks came from here: scheme apart, its `Origin` is the `Host`, with the port.

        Browsers write both alike, without the scheme's own port.
        """
        return origin in (f"http://{host}", f"https://{host}")


def is_only_here(address: str) -> bool:
    """Whether no other machine reaches what listens there."""
    number = _ip(address)
    return address == "localhost" if number is None else number.is_loopback


def _plain(name: str) -> str:
    return name.strip("[]").rstrip(".").lower()


def _ip(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.strip("[]"))
    except ValueError:
        return None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
