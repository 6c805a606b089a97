"""A page of a file as a picture, drawn by a child process: a file that makes pdfium crash or think for ever costs its
own picture and nothing else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from tempfile import NamedTemporaryFile
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.children import child_environment
from rag_system.ingestion.loaders.ocr import OcrOptions
from rag_system.ingestion.loaders.sniff import IMAGE_FORMATS
from rag_system.ingestion.loaders.source import DEFAULT_OCR

__all__ = ["DRAWN_FORMATS", "Mark", "PagePicture", "draw_page"]

DRAWN_FORMATS = frozenset(("pdf", *IMAGE_FORMATS))

_MEMORY_MB = 1024  # of address space
_CLOCK_S = 30.0  # the child's own limit is 10 s of the processor


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A line of what is quoted: its place on the page, each as a part (0…1) of the page's width or height."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePicture:
    """A page as it is shown."""

    png: bytes
    page: int  # from 1; the nearest there is to the one that was asked for
    pages: int
    marks: tuple[Mark, ...] = ()  # none: the words are not on this page, or were not recognised


def draw_page(
    content: Iterable[bytes],
    page: int,
    *,
    file_format: str = "pdf",
    quotes: Sequence[str] = (),
    ocr: OcrOptions = DEFAULT_OCR,
) -> PagePicture:
    """Draw page `page` (from 1) of a file given in parts, one of `DRAWN_FORMATS`, and mark the quotes on it.

    On a page whose text was recognised they are found as it was (`ocr`): that takes some seconds.

    Raises `UnreadableFileError` for a file or a page that cannot be drawn.
    """
    with NamedTemporaryFile() as file:
        file.writelines(content)
        file.flush()
        asked = {"path": file.name, "format": file_format, "page": page, "quotes": list(quotes), "ocr": asdict(ocr)}
        told, picture = _asked(asked)
    if not picture:
        raise UnreadableFileError("No se pudo dibujar la página. Descargue el original para verla.")
    marks = tuple(Mark(left=x, top=y, width=w, height=h) for x, y, w, h in told["boxes"])
    return PagePicture(png=picture, page=told["page"], pages=told["pages"], marks=marks)


def _asked(request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """What the child says, and nothing of one that came to no good end."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rag_system.viewing.drawing_worker", str(_MEMORY_MB)],
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
            timeout=_CLOCK_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return {}, b""
    head, _, picture = done.stdout.partition(b"\n")
    return json.loads(head), picture
