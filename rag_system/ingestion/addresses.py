"""Web addresses: one strict parser, and which servers may be asked.

What `parse_address` returns is all that is known of an address afterwards: it decides, resolves, connects and follows.
No other parser reads the text again and could see another server in it.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import quote, urljoin, urlsplit

import idna

from rag_system.errors import ConfigurationError, WebError

__all__ = ["Address", "IpAddress", "Reach", "is_address", "is_own", "parse_address", "shown"]

IpAddress = IPv4Address | IPv6Address

DEFAULT_PORTS = {"http": 80, "https": 443}
PUBLIC_PORTS = frozenset({80, 443, 8080, 8443})  # where pages live; mail, databases and shells live elsewhere
LONGEST = 4096  # characters

_WEB = re.compile(r"https?://", re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\\]")  # a backslash is a slash to browsers alone
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")  # a last label that some resolvers read as a part of an IPv4 address
_KEPT = "/:@!$&'()*+,;=~-._%?"  # what a path or a query may hold as it is (RFC 3986, 3.3 and 3.4)
_CREDENTIALS = re.compile(r"//[^/?#]*@")


def is_address(text: str) -> bool:
    """Whether a person means a web address, not a file."""
    return _WEB.match(text.strip()) is not None


def shown(text: str) -> str:
    """An address as it may be printed: without a password that somebody wrote into it."""
    return _CREDENTIALS.sub("//", text.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A web address, parsed. `host` is lower-case ASCII (IDNA), or an IP address without brackets."""

    scheme: str  # "http" or "https"
    host: str
    port: int
    path: str  # percent-encoded, begins with "/"
    query: str  # percent-encoded, without "?"

    @property
    def authority(self) -> str:
        """Host and port as the `Host` header has them: no port where it is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def target(self) -> str:
        """What is asked of the server."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def ip(self) -> IpAddress | None:
        """The host, where it is an IP address and no name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    def follow(self, location: str) -> Address:
        """Where a redirect leads, parsed as strictly; never from https to http."""
        try:
            joined = urljoin(self.url, location)
        except ValueError:  # brackets that do not match
            raise WebError("La página lleva a una dirección que no es válida. No se siguió.") from None
        target = parse_address(joined)
        if (self.scheme, target.scheme) == ("https", "http"):
            raise WebError("La página lleva de una dirección segura (https) a una que no lo es (http). No se siguió.")
        return target


def parse_address(text: str) -> Address:
    """Read an `http` or `https` address; anything doubtful raises `WebError`. The fragment is dropped.

    Hosts are names, dotted IPv4 addresses of four decimal numbers, or bracketed IPv6 addresses. Other spellings of
    IPv4 addresses (`127.1`, `2130706433`, `0x7f.1`, `0177.0.0.1`) are refused.
    """
    text = text.strip(" ")
    if len(text) > LONGEST:
        raise WebError(f"La dirección web tiene más de {LONGEST} caracteres.")
    if not _WEB.match(text) or _CONTROLS.search(text):
        raise WebError("No es una dirección web. Escríbala completa: empieza con http:// o https://.")
    try:
        parts = urlsplit(text)
        found = _AUTHORITY.fullmatch(parts.netloc)
        if "@" in parts.netloc:
            raise WebError("La dirección web lleva usuario o contraseña. Quítelos: no se admiten.")
        if found is None:
            raise WebError("La dirección web no tiene un servidor válido. Revise cómo está escrita.")
        return Address(
            scheme=parts.scheme,
            host=_host(found[1]),
            port=_port(found[2]) if found[2] else DEFAULT_PORTS[parts.scheme],
            path=quote(parts.path or "/", safe=_KEPT),
            query=quote(parts.query, safe=_KEPT),
        )
    except ValueError:  # of `urlsplit`, `ipaddress` and `idna`; and of `quote`, for half a surrogate pair
        raise WebError("La dirección web no es válida. Revise cómo está escrita.") from None


def _port(text: str) -> int:
    if not 0 < int(text) < 65536:
        raise ValueError(text)
    return int(text)


def _host(text: str) -> str:
    if text.startswith("["):
        return IPv6Address(text[1:-1]).compressed
    name = text.lower() if text.isascii() else idna.encode(text, uts46=True).decode()
    labels = name.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return str(IPv4Address(".".join(labels)))
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(text)
    return ".".join(labels)


# ---------------------------------------------------------------- which servers may be asked


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, text.split()))


# Never asked, whatever a setting allows: this machine, its neighbours on the cable, groups, and the services that tell
# a cloud's machines their keys (of which some have addresses that look like any other).
_NEVER = _networks(
    "0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 ::/128 ::1/128 fe80::/10 ff00::/8 "
    "100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fd00:ec2::/32 fd20:ce::/32"
)
# Not on the internet, beside what `is_global` says: the tables of Python's releases differ (IANA special-purpose
# registries, RFC 6890).
_SPECIAL = _networks(
    "10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 "
    "198.51.100.0/24 203.0.113.0/24 2001::/23 2001:db8::/32 3fff::/20"
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
# Of documentation (RFC 5737, RFC 3849): no machine has them.
_NOBODYS = {4: "192.0.2.1", 6: "2001:db8::1"}


def is_own(ip: IpAddress) -> bool:
    """Whether a connection to `ip` would not leave this machine. Nothing is sent.

    A socket can be bound to an own address alone, unless the system was told to allow any (`ip_nonlocal_bind`); then
    the address that would be used on the way there tells.
    """
    if _can_bind(ip.version, str(ip)):
        return not _can_bind(ip.version, _NOBODYS[ip.version]) or _leads_back(ip)
    return False


def _can_bind(version: int, ip: str) -> bool:
    try:
        with socket.socket(_family(version), socket.SOCK_DGRAM) as probe:
            probe.bind((ip, 0))
    except OSError:  # nor where a system knows no IPv6
        return False
    return True


def _leads_back(ip: IpAddress) -> bool:
    with socket.socket(_family(ip.version), socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(ip), 9))  # of a datagram socket: only the route is looked up
        except OSError:
            return False
        return str(probe.getsockname()[0]) == str(ip)


def _family(version: int) -> socket.AddressFamily:
    return socket.AF_INET if version == 4 else socket.AF_INET6


class Reach:
    """The internet's usual ports, and what an organisation allows of its own network.

    allowed: host names (`intranet.empresa.pe`, any port), IP addresses and networks (`10.20.0.0/16`).
    This machine's own addresses are never asked, on whatever network they are.
    """

    def __init__(self, *, allowed: Sequence[str] = ()) -> None:
        self._hosts: set[str] = set()
        self._networks: list[IPv4Network | IPv6Network] = []
        for entry in allowed:
            self._allow(entry)

    def check(self, address: Address, ip: IpAddress) -> None:
        """Raise `WebError` unless the server is public, or allowed."""
        real = _unwrapped(ip)
        if _within(real, _NEVER) or is_own(real):
            raise WebError(
                f"«{address.host}» es una dirección privada de este equipo o de su red, y no se lee.",
                code="own_address",
                host=address.host,
            )
        if not (self._is_allowed(address.host, real) or _is_public(real)):
            raise WebError(
                f"«{address.host}» es una dirección privada, y no se lee. Si es de su organización, "
                "añádala a LEGAJO_WEB_ALLOW.",
                code="private_address",
                host=address.host,
            )
        if address.port not in PUBLIC_PORTS and not self._is_allowed(address.host, real):
            raise WebError(f"El puerto {address.port} no se admite. Use {', '.join(map(str, sorted(PUBLIC_PORTS)))}.")

    def _allow(self, entry: str) -> None:
        try:
            if "/" in entry or ":" in entry or _NUMBER.fullmatch(entry.rpartition(".")[2]):
                self._networks.append(ip_network(entry, strict=False))
            else:
                self._hosts.add(_host(entry))
        except ValueError:
            raise ConfigurationError(
                f"LEGAJO_WEB_ALLOW contiene «{entry}», que no es un servidor ni una red. "
                "Escriba, por ejemplo: intranet.empresa.pe,10.20.0.0/16."
            ) from None

    def _is_allowed(self, host: str, ip: IpAddress) -> bool:
        return host in self._hosts or _within(ip, self._networks)


def _within(ip: IpAddress, networks: Sequence[IPv4Network | IPv6Network]) -> bool:
    return any(ip in network for network in networks)


def _is_public(ip: IpAddress) -> bool:
    if isinstance(ip, IPv6Address) and ip not in _GLOBAL_UNICAST:
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or _within(ip, _SPECIAL))


def _unwrapped(ip: IpAddress) -> IpAddress:
    """The IPv4 address that a mapped, translated (NAT64, RFC 6052) or tunnelled (6to4) IPv6 address leads to."""
    if isinstance(ip, IPv4Address):
        return ip
    return ip.ipv4_mapped or ip.sixtofour or (IPv4Address(ip.packed[12:]) if ip in _NAT64 else ip)
