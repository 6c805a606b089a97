"""Linux's own ways to give rights up for good, by ctypes: no new privileges, seccomp, Landlock, capabilities.

Mechanism alone: what the reader of files keeps is said in `isolation.py`. Each function tells whether the kernel did
it; one that it does not know costs nothing. They hold for the calling thread and for what it starts: call them before
there are other threads.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

__all__ = ["deny_system_calls", "die_with_parent", "drop_capabilities", "forbid_new_privileges", "restrict_files"]

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_SECUREBITS = 38, 22, 28  # linux/prctl.h
_SECCOMP_MODE_FILTER = 2

# Numbers of system calls (asm/unistd.h): those of the network, of looking into other processes, of mounting, and those
# that have been the way into kernels and are no business of a reader. `io_uring` could open sockets past the filter.
_CALLS: Mapping[str, tuple[int, Sequence[int], Sequence[int]]] = {  # machine → AUDIT_ARCH (linux/audit.h), denied
    "x86_64": (
        0xC000003E,
        (41, 42, 43, 49, 50, 288),  # socket, connect, accept, bind, listen, accept4
        (
            # ptrace, process_vm_*, kcmp, pidfd_open, pidfd_getfd, pidfd_send_signal
            *(101, 310, 311, 312, 434, 438, 424),
            *(425, 426, 427, 321, 298, 323),  # io_uring_*, bpf, perf_event_open, userfaultfd
            *(248, 249, 250, 303, 304),  # add_key, request_key, keyctl, name_to_handle_at, open_by_handle_at
            *(155, 161, 165, 166, 272, 308, 428, 429, 430, 431, 432, 433, 442),  # roots, mounts and namespaces
            *(169, 175, 176, 246, 313, 320),  # reboot, modules, kexec
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (198, 203, 202, 200, 201, 242),
        (
            *(117, 270, 271, 272, 434, 438, 424),
            *(425, 426, 427, 280, 241, 282),
            *(217, 218, 219, 264, 265),
            *(41, 51, 40, 39, 97, 268, 428, 429, 430, 431, 432, 433, 442),
            *(142, 105, 106, 104, 273, 294),
        ),
    ),
}
_X32_BIT = 0x4000_0000  # the same calls by other numbers, on x86_64

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h: of a word, against a constant
# SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EACCES, and with 0: the call is not made and was successful.
_ALLOW, _REFUSE, _PRETEND = 0x7FFF_0000, 0x0005_0000 | 13, 0x0005_0000
_NUMBER_AT, _MACHINE_AT, _ARGUMENTS_AT = 0, 4, 16  # in struct seccomp_data; of each argument the lower half comes first
_AF_UNIX, _SOCK_STREAM, _SOCK_CLOEXEC = 1, 1, 0x8_0000

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same on every machine
_VERSION_FLAG = 1
_BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH
# Landlock's version → how many rights over files it knows (linux/landlock.h).
_FILES_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}
_ALL_NETWORK, _NETWORK_SINCE = 0b11, 4  # to bind and to connect TCP
_ALL_SCOPES, _SCOPES_SINCE = 0b11, 6  # abstract sockets, and signals to whoever is outside
_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
# To remove files and folders, make them, move them, and make them shorter (since versions 2 and 3).
_KEEP_HOUSE = _WRITE | _READ | _LIST | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14

_SECUREBITS_NOROOT = 0b11  # linux/securebits.h: root's number is no right any more, and stays so
_CAPABILITIES_V3 = 0x2008_0522  # linux/capability.h


class _Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def forbid_new_privileges() -> bool:
    """No program that is started from now on gains rights (setuid, file capabilities)."""
    return _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> bool:
    """The kernel kills this process when the thread ends that started it, whatever handlers it installs."""
    return _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def deny_system_calls(*, pretends: bool = False) -> bool:
    """Refuse the calls of `_CALLS` with `EACCES`. Asks for `forbid_new_privileges` first.

    pretends: a socket may be opened, of this machine's own kind (AF_UNIX, a stream), and a call to wait at it for
    others is answered and not made: it leads nowhere, and contents a program that insists on being found.
    """
    known = _CALLS.get(platform.machine())
    if known is None:
        return False
    machine, (socket, connect, accept, bind, listen, accept4), others = known
    denied = (connect, accept, accept4, *others, *(() if pretends else (socket, bind, listen)))
    steps = [
        _Step(_LOAD, _MACHINE_AT),
        _Step(_EQUAL, machine, no=_REFUSE),
        _Step(_LOAD, _NUMBER_AT),
        _Step(_AT_LEAST, _X32_BIT, yes=_REFUSE),
        *([_Step(_EQUAL, each, yes=_PRETEND) for each in (bind, listen)] if pretends else []),
        *(_Step(_EQUAL, each, yes=_REFUSE) for each in denied),
        *(_harmless_sockets(socket) if pretends else []),
    ]
    instructions = _assembled(steps)
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Program(len(instructions) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    return _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program))


def _harmless_sockets(socket: int) -> list[_Step]:
    """A stream alone: to others something can be sent without a connection."""
    return [
        _Step(_EQUAL, socket, no=_ALLOW),
        _Step(_LOAD, _ARGUMENTS_AT),
        _Step(_EQUAL, _AF_UNIX, no=_REFUSE),
        _Step(_LOAD, _ARGUMENTS_AT + 8),
        _Step(_EQUAL, _SOCK_STREAM, yes=_ALLOW),
        _Step(_EQUAL, _SOCK_STREAM | _SOCK_CLOEXEC, no=_REFUSE),
    ]


class _Step(NamedTuple):
    """An instruction of classic BPF; `yes` and `no` are where it ends the program, None where it goes on."""

    code: int
    constant: int
    yes: int | None = None
    no: int | None = None


def _assembled(steps: Sequence[_Step]) -> bytes:
    """struct sock_filter for each step, and for each end after them; a program that comes to its last step allows."""
    ends = (_ALLOW, _REFUSE, _PRETEND)
    packed = []
    for at, step in enumerate(steps, 1):
        yes, no = (0 if end is None else len(steps) - at + ends.index(end) for end in (step.yes, step.no))
        packed.append(struct.pack("=HBBI", step.code, yes, no, step.constant))
    return b"".join((*packed, *(struct.pack("=HBBI", _RETURN, 0, 0, end) for end in ends)))


def restrict_files(
    *, readable: Iterable[Path], listable: Iterable[Path] = (), writable: Iterable[Path] = (), own: Iterable[Path] = ()
) -> bool:
    """With Landlock: only what is `readable` may be read and run, what is `listable` listed, and `writable` written; in
    an `own` folder files are made and removed.

    Paths are followed and hold with all below them; one that is not there is passed over. Open files stay open. No TCP
    either, where Landlock knows it. Asks for `forbid_new_privileges` first.
    """
    version = _system_call(_LANDLOCK_CREATE, None, 0, _VERSION_FLAG)
    if version < 1:
        return False
    rights = (1 << max(count for since, count in _FILES_SINCE.items() if since <= version)) - 1
    handled = [rights, _ALL_NETWORK * (version >= _NETWORK_SINCE), _ALL_SCOPES * (version >= _SCOPES_SINCE)]
    known = 1 if version < _NETWORK_SINCE else 2 if version < _SCOPES_SINCE else 3  # of the fields
    attributes = struct.pack(f"={known}Q", *handled[:known])
    rules = _system_call(_LANDLOCK_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for paths, allowed in (
            (readable, _EXECUTE | _READ | _LIST),
            (listable, _LIST),
            (writable, _READ | _WRITE),
            (own, _KEEP_HOUSE & rights),
        ):
            for path in paths:
                _allow(rules, path, allowed)
        return _system_call(_LANDLOCK_RESTRICT, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(rules: int, path: Path, allowed: int) -> None:
    with suppress(OSError):  # not there, or not for this account anyway
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rights = allowed if path.is_dir() else allowed & ~_LIST
            _system_call(_LANDLOCK_ADD, rules, _BENEATH, struct.pack("=Qi", rights, beneath), 0)
        finally:
            os.close(beneath)


def drop_capabilities() -> bool:
    """What root may do beyond its own files. Neither this process nor what it starts gets any of it back."""
    if not _prctl(_PR_SET_SECUREBITS, _SECUREBITS_NOROOT):
        return False
    header = struct.pack("=Ii", _CAPABILITIES_V3, 0)
    return bool(_libc().capset(header, bytes(24)) == 0)


def _prctl(option: int, value: int, address: int = 0) -> bool:
    longs = [ctypes.c_ulong(each) for each in (value, address, 0, 0)]
    return bool(_libc().prctl(option, *longs) == 0)


def _system_call(number: int, *arguments: object) -> int:
    call = _libc().syscall
    call.restype = ctypes.c_long
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(call(ctypes.c_long(number), *given))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
