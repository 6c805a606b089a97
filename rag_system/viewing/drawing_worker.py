"""The child of `pages.py`: draws one page of one PDF and says where the quotes stand on it.

Standard input has a JSON object with `path`, `page` and `quotes`; standard output gets a line of JSON with `pages` and
`boxes` (or with `error`), then the picture as PNG. Argument: MiB of address space.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from rag_system.ingestion.confinement import allow_time, confine
from rag_system.viewing.marking import boxes_of

__all__ = ["main"]

_SECONDS = 10.0  # of the processor
_WIDTH_PIXELS = 1_240  # 150 dots an inch on A4: letters are sharp at twice the size of the screen's column
_MOST_PIXELS = 6_000_000


def main() -> None:
    """Answer one request."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a C library prints
    confine(memory_mb=int(sys.argv[1]))
    allow_time(_SECONDS)
    request = json.load(sys.stdin)
    try:
        told, picture = _drawn(request["path"], request["page"], request["quotes"])
    except (ValueError, IndexError, OSError, MemoryError, RuntimeError) as error:
        told, picture = {"error": str(error)}, b""
    answers.write(json.dumps(told).encode() + b"\n" + picture)
    answers.close()


def _drawn(path: str, number: int, quotes: Sequence[str]) -> tuple[dict[str, Any], bytes]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    number = min(max(number, 1), len(document))
    page = _filled(document, number - 1)
    boxes = boxes_of(page, page.get_textpage(), quotes)
    return {"pages": len(document), "page": number, "boxes": boxes}, _picture(page)


def _filled(document: Any, index: int) -> Any:
    """A page as it was read: the values of its fields are part of it."""
    from rag_system.ingestion.loaders.annotations import draw_fields, written_on

    page = document[index]
    if not written_on(page).fields:
        return page
    draw_fields(page)
    page.close()
    return document[index]  # as it is now


def _picture(page: Any) -> bytes:
    width, height = page.get_size()
    scale = min(_WIDTH_PIXELS / max(width, 1.0), (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
    png = io.BytesIO()
    page.render(scale=scale).to_pil().save(png, "PNG", compress_level=4)
    return png.getvalue()


if __name__ == "__main__":
    main()
