"""An open file in the process that reads it, which may open none by itself."""

from __future__ import annotations

import errno
import io
import os

__all__ = ["HandedFile"]


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
