"""How the blocks of a document travel between processes and wait on disk: in batches of JSON, never all in memory."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile

from rag_system.batches import batches
from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, BlockKind

__all__ = ["BLOCKS", "END", "MAX_FRAME_BYTES", "MEMBER", "MORE_TIME", "PIECE", "BlockSpool", "encoded_batches"]

# How a message between the processes begins: what it is; the rest is JSON.
BLOCKS, END = b"b", b"e"
MEMBER, PIECE = b"m", b"p"  # of a file that holds others: the name of one, as JSON; then its bytes
MORE_TIME = b"t"  # the seconds that the next step takes at most, counted from now on top of the file's own
MAX_FRAME_BYTES = 64 * 2**20  # what a single block may hold

_BATCH_CHARS = 64 * 1024
_MAX_BYTES = 4 * 2**30  # the child's own limit of characters is lower: more means that it is not itself
_IN_MEMORY_BYTES = 4 * 2**20  # beyond it the spool goes to disk
_LENGTH_BYTES = 4


def encoded_batches(blocks: Iterable[Block]) -> Iterator[bytes]:
    """The blocks as JSON, about 64 Ki characters of text in each batch."""
    for batch in batches(blocks, lambda block: len(block.text), least=_BATCH_CHARS):
        said = [(block.kind.value, block.text, block.page, block.level) for block in batch]
        yield json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")


def _decoded(body: bytes) -> list[Block]:
    try:
        return [
            Block(kind=BlockKind(kind), text=text, page=page, level=level)
            for kind, text, page, level in json.loads(body)
        ]
    except (ValueError, TypeError, RecursionError):  # whatever took over the child wrote this
        raise UnreadableFileError from None


class BlockSpool:
    """Blocks in an anonymous temporary file, read any number of times. Freed by `close`, or with its last reference.

    Not for several threads at once.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 closed by the finalizer
        self._finalizer = weakref.finalize(self, self._file.close)
        self.size = 0  # in bytes

    def take(self, kind: bytes, body: bytes) -> bool:
        """Put an encoded batch at the end; False for what is none, or too much."""
        if kind != BLOCKS or self.size > _MAX_BYTES:
            return False
        self._file.seek(self.size)
        self._file.write(len(body).to_bytes(_LENGTH_BYTES) + body)
        self.size += _LENGTH_BYTES + len(body)
        return True

    def __iter__(self) -> Iterator[Block]:
        at = 0
        while at < self.size:
            self._file.seek(at)
            length = int.from_bytes(self._file.read(_LENGTH_BYTES))
            at += _LENGTH_BYTES + length
            yield from _decoded(self._file.read(length))

    def close(self) -> None:
        """Free the file; the blocks cannot be read afterwards."""
        self._finalizer()
