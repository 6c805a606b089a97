"""The child of `pages.py`: draws one page of one file and says where the quotes stand on it.

Standard input has a JSON object with `path`, `format`, `page`, `quotes` and how pictures are recognised (`ocr`);
standard output gets a line of JSON with `pages` and `boxes` (or with `error`), then the picture as PNG. Argument: MiB
of address space.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.confinement import allow_time, confine
from rag_system.ingestion.loaders.ocr import OcrOptions, Picture, Recogniser, picture_of
from rag_system.ingestion.loaders.source import wait_for_nobody
from rag_system.viewing.marking import Box, boxes_in, boxes_of

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
    draw = _drawn_pdf if request["format"] == "pdf" else _drawn_image
    try:
        told, picture = draw(Path(request["path"]), request["page"], request["quotes"], OcrOptions(**request["ocr"]))
    except (ValueError, IndexError, OSError, MemoryError, RuntimeError, UnreadableFileError, ImportError) as error:
        told, picture = {"error": str(error)}, b""
    answers.write(json.dumps(told).encode() + b"\n" + picture)
    answers.close()


Drawn = tuple[dict[str, Any], bytes]


def _drawn_pdf(path: Path, number: int, quotes: Sequence[str], ocr: OcrOptions) -> Drawn:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    number = min(max(number, 1), len(document))
    page = _filled(document, number - 1)
    boxes = boxes_of(page, page.get_textpage(), quotes)
    if quotes and not boxes:
        boxes = _recognised(picture_of(page), quotes, ocr)
    return {"pages": len(document), "page": number, "boxes": boxes}, _picture(page)


def _drawn_image(path: Path, number: int, quotes: Sequence[str], ocr: OcrOptions) -> Drawn:
    from rag_system.ingestion.loaders.image import Frames, opened_image, upright

    with path.open("rb") as stream, opened_image(stream) as image:
        frames = Frames(image)
        number = min(max(number, 1), len(frames))
        boxes = _recognised(frames.picture(number), quotes, ocr) if quotes else []
        page = upright(image, number).convert("RGB")
    page.thumbnail((_WIDTH_PIXELS, _MOST_PIXELS / _WIDTH_PIXELS))
    return {"pages": len(frames), "page": number, "boxes": boxes}, _png(page)


def _recognised(picture: Picture | None, quotes: Sequence[str], ocr: OcrOptions) -> list[Box]:
    """Where quotes stand on a page whose text was recognised: it is recognised again, which takes some seconds."""
    if picture is None:
        return []
    return boxes_in(picture, Recogniser(ocr, more_time=wait_for_nobody).words(picture), quotes)


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
    return _png(page.render(scale=scale).to_pil())


def _png(image: Any) -> bytes:
    png = io.BytesIO()
    image.save(png, "PNG", compress_level=4)
    return png.getvalue()


if __name__ == "__main__":
    main()
