"""Open files on their way to the process that reads them, which may open none by itself."""

from __future__ import annotations

import errno
import io
import os
import socket
from contextlib import ExitStack
from pathlib import Path

__all__ = ["HandedFile", "Receiver", "Sender"]

_TOKEN = b"f"  # a descriptor travels with at least one byte


class Sender:
    """This process's end. `theirs` is the other end's descriptor: to be inherited, then closed here."""

    def __init__(self, held: ExitStack) -> None:
        self._socket, other = socket.socketpair()
        held.callback(self._socket.close)
        self.theirs = other.detach()

    def send(self, file: Path) -> None:
        """Hand a file over, open for reading. Raises `OSError` when nobody is there any more."""
        descriptor = os.open(file, os.O_RDONLY)
        try:
            socket.send_fds(self._socket, [_TOKEN], [descriptor])
        finally:
            os.close(descriptor)


class Receiver:
    """The other end, by the number of its descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)

    def receive(self) -> HandedFile:
        """The next file. Raises `OSError` when none comes."""
        _, descriptors, _, _ = socket.recv_fds(self._socket, len(_TOKEN), 1)
        if not descriptors:
            raise OSError
        return HandedFile(descriptors[0])


class HandedFile:
    """A file that is known by its descriptor alone: opened any number of times, each time from its start."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.size = os.fstat(descriptor).st_size

    def open(self) -> io.BufferedReader:
        return io.BufferedReader(_Part(self._descriptor, self.size))

    def close(self) -> None:
        os.close(self._descriptor)


class _Part(io.RawIOBase):
    """A place of its own in a file whose descriptor others read too."""

    def __init__(self, descriptor: int, size: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))  # as a file does: zipfile looks before the start
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes nothing else
        read = os.preadv(self._descriptor, [buffer], self._at)
        self._at += read
        return read
