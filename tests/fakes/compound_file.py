"""Writes the container of old Office files and Outlook messages (MS-CFB): folders and streams, small ones together."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Tree", "compound_file"]

Tree: TypeAlias = "Mapping[str, bytes | Tree]"

_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SECTOR, _SMALL_SECTOR, _SMALL = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STORAGE, _STREAM, _ROOT = 1, 2, 5


@dataclass(slots=True)
class _Entry:
    name: str
    kind: int
    data: bytes = b""
    left: int = _FREE
    right: int = _FREE
    child: int = _FREE
    start: int = _END


@dataclass(slots=True)
class _Chains:
    """Sectors and which follows which."""

    size: int
    data: bytearray = field(default_factory=bytearray)
    following: list[int] = field(default_factory=list)

    def add(self, data: bytes) -> int:
        """The first sector of a new chain."""
        if not data:
            return _END
        first, count = len(self.following), -(-len(data) // self.size)
        self.data += data.ljust(count * self.size, b"\0")
        self.following += [*range(first + 1, first + count), _END]
        return first


def compound_file(tree: Tree) -> bytes:
    """A file with these streams; a name that holds others is a folder."""
    entries = [_Entry("Root Entry", _ROOT)]
    entries[0].child = _add(entries, tree)
    sectors, small = _Chains(_SECTOR), _Chains(_SMALL_SECTOR)
    for entry in entries[1:]:
        entry.start = (small if len(entry.data) < _SMALL else sectors).add(entry.data)
    entries[0].data = bytes(small.data)
    entries[0].start = sectors.add(entries[0].data)
    table = sectors.add(struct.pack(f"<{len(small.following)}I", *small.following).ljust(1, b"\0"))
    directory = sectors.add(b"".join(map(_packed, entries)))
    return _header(sectors, table=table, directory=directory, small=len(small.following)) + bytes(sectors.data)


def _add(entries: list[_Entry], tree: Tree) -> int:
    """Add what a folder holds, each the right neighbour of the one before; the first one's number."""
    first, before = _FREE, None
    for name, content in sorted(tree.items(), key=lambda item: (len(item[0]), item[0].upper())):
        entry = _Entry(name, _STREAM, content) if isinstance(content, bytes) else _Entry(name, _STORAGE)
        entries.append(entry)
        number = len(entries) - 1
        if before is None:
            first = number
        else:
            before.right = number
        before = entry
        if not isinstance(content, bytes):
            entry.child = _add(entries, content)
    return first


def _packed(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<HBBIII", len(name), entry.kind, 1, entry.left, entry.right, entry.child)
    return name.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", entry.start, len(entry.data))


def _header(sectors: _Chains, *, table: int, directory: int, small: int) -> bytes:
    """With the table of which sector follows which, put at the end of the sectors."""
    per_sector, tables = _SECTOR // 4, 1
    while tables * per_sector < len(sectors.following) + tables:
        tables += 1
    first = len(sectors.following)
    following = [*sectors.following, *[_FAT] * tables]
    following += [_FREE] * (tables * per_sector - len(following))
    sectors.data += struct.pack(f"<{len(following)}I", *following)
    places = [*range(first, first + tables), *[_FREE] * (109 - tables)]
    smalls = -(-small * 4 // _SECTOR)
    counts = (0, tables, directory, 0, _SMALL, table if small else _END, smalls, _END, 0)
    head = struct.pack("<8s16x5H6x9I", _SIGNATURE, 0x3E, 3, 0xFFFE, 9, 6, *counts)
    return head + struct.pack("<109I", *places)
