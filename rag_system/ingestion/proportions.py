"""How much a file may become: text, pages and chunks in proportion to its bytes.

A page that is listed ten thousand times, or a text packed twice, makes a project's index out of half a kilobyte. Real
documents stay far below: office files pack their XML about tenfold and text is a part of it, a PDF takes 30 bytes and
more for a page, and a chunk holds hundreds of characters.
"""

from __future__ import annotations

from rag_system.errors import IngestionError, UnreadableFileError

__all__ = ["check_chunks", "check_pages", "check_room", "check_text"]

_TEXT_TIMES = 200  # as often as an archive may expand: a sheet of equal rows comes near it
_FREE_TEXT = 64 * 1024  # bytes; what is below says nothing of a proportion
_BYTES_A_PAGE = 4
_FREE_PAGES = 200
_BYTES_A_CHUNK = 4
_FREE_CHUNKS = 200


def check_text(text_bytes: int, *, size_bytes: int) -> None:
    """Raise `UnreadableFileError` for more text, as it travels between the processes, than a file of that size has."""
    if text_bytes > _FREE_TEXT + _TEXT_TIMES * size_bytes:
        raise _refused(f"más de {_TEXT_TIMES} veces su tamaño en texto", size_bytes)


def check_pages(pages: int, *, size_bytes: int) -> None:
    """Raise `UnreadableFileError` for more pages than a file of that size has."""
    if pages > _FREE_PAGES + size_bytes // _BYTES_A_PAGE:
        raise _refused(f"{pages} páginas", size_bytes)


def check_chunks(chunks: int, *, size_bytes: int) -> None:
    """Raise `UnreadableFileError` for more chunks than a file of that size makes."""
    if chunks > (most := _FREE_CHUNKS + size_bytes // _BYTES_A_CHUNK):
        raise _refused(f"más de {most} fragmentos", size_bytes)


def check_room(chunks: int, *, room: int, limit: int) -> None:
    """Raise `IngestionError` for more chunks than a project of at most `limit` still takes."""
    if chunks > room:
        from rag_system.settings import variable  # a process that reads files imports none

        raise IngestionError(
            f"El proyecto llegaría a más de {limit} fragmentos, su límite: quite documentos, use otro proyecto o "
            f"aumente {variable('max_project_chunks')}."
        )


def _refused(what: str, size_bytes: int) -> UnreadableFileError:
    return UnreadableFileError(
        f"El archivo pesa {size_bytes} bytes y daría {what}, que ningún documento de ese peso tiene: expórtelo de "
        "nuevo desde su programa."
    )
