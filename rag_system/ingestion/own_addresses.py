"""Which IP addresses are this machine's own, on whatever network it has them."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address

__all__ = ["is_own"]

# Of documentation (RFC 5737, RFC 3849): no machine has them.
_NOBODYS = {4: "192.0.2.1", 6: "2001:db8::1"}


def is_own(ip: IPv4Address | IPv6Address) -> bool:
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


def _leads_back(ip: IPv4Address | IPv6Address) -> bool:
    with socket.socket(_family(ip.version), socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((str(ip), 9))  # of a datagram socket: only the route is looked up
        except OSError:
            return False
        return str(probe.getsockname()[0]) == str(ip)


def _family(version: int) -> socket.AddressFamily:
    return socket.AF_INET if version == 4 else socket.AF_INET6
