"""Pictures of pages: photographs and scans, each frame of a TIFF a page. They are recognised as a PDF's scans are.

HEIC, the format of telephones, needs the extra `heic` (docs/decisions/0032).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.ocr import MOST_PIXELS, Picture, Recogniser
from rag_system.ingestion.loaders.page import Page
from rag_system.ingestion.loaders.paged import read_pages
from rag_system.ingestion.loaders.pdf_catalog import Catalog
from rag_system.ingestion.loaders.sniff import is_heif
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.proportions import check_pages

__all__ = ["Frames", "load_image", "opened_image", "upright"]

_PILLOWS = ("PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP")
_MOST_PIXELS = 100_000_000  # three bytes each: an A3 page at 600 dpi has 70 million
_LEAST_SIDE = 1_000  # pixels; what is smaller is doubled: letters 10 pixels high are read badly
_A4_WIDTH = 595.0  # points; how wide the short side is taken to be where the file does not say
_POINTS_PER_INCH = 72
_LEAST_DPI, _MOST_DPI = 150, 1_200  # of a scanner; cameras and screens say 72 or 96, which means nothing
_DAMAGED = "La imagen está dañada: no se puede abrir. Consiga otra copia."


def load_image(source: FileSource) -> ExtractedDocument:
    """A picture, or the pages of a TIFF."""
    with source.open() as stream, opened_image(stream) as image:
        pages = Frames(image)
        check_pages(len(pages), size_bytes=source.size)
        recogniser = Recogniser(source.ocr, more_time=source.more_time)
        name = "jpeg" if image.format == "MPO" else str(image.format).lower()  # MPO: two pictures, of a telephone
        return read_pages(pages, recogniser, format_name=name, catalog=Catalog())


@contextmanager
def opened_image(stream: IO[bytes]) -> Iterator[Any]:
    """Pillow's, not decoded yet. Raises `UnreadableFileError`; of a HEIC without its decoder, `ImportError`."""
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # `upright` counts, with a sentence of ours
    formats: tuple[str, ...] = _PILLOWS
    if is_heif(stream.read(12)):
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
        formats = ("HEIF",)
    stream.seek(0)
    try:
        with warnings.catch_warnings(action="ignore"):  # of oddities that it gets over
            image = Image.open(stream, formats=formats)
    except (OSError, ValueError, SyntaxError):
        raise UnreadableFileError(_DAMAGED) from None
    with image:
        yield image


def upright(image: Any, number: int) -> Any:
    """Page `number` (from 1) of an opened image, decoded, turned as its reader sees it, on white where it lets through.

    Raises `OSError` and the like for one that is damaged, `UnreadableFileError` for one that is too large.
    """
    from PIL import Image, ImageOps

    image.seek(number - 1)
    if image.width * image.height > _MOST_PIXELS:
        raise UnreadableFileError(
            f"La imagen tiene {image.width * image.height // 10**6} megapíxeles; el máximo es {_MOST_PIXELS // 10**6}. "
            "Redúzcala y vuelva a incorporarla."
        )
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        return ImageOps.exif_transpose(Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen))
    return ImageOps.exif_transpose(image)


class Frames:
    """The pages of an opened image."""

    def __init__(self, image: Any) -> None:
        self._image = image
        self._count = getattr(image, "n_frames", 1) if image.format == "TIFF" else 1  # elsewhere: an animation

    def __len__(self) -> int:
        return self._count

    def read(self, number: int) -> Page:
        """All of a page is its picture."""
        return Page(number=number, lines=(), pictures=1.0)

    def picture(self, number: int) -> Picture | None:
        """In shades of grey; None of a page that is damaged among others."""
        try:
            page = upright(self._image, number)
            width, height = self._points(page)
            grey = _sized(page.convert("L"))
        except (OSError, ValueError, SyntaxError, EOFError):
            if len(self) == 1:
                raise UnreadableFileError(_DAMAGED) from None
            return None
        return Picture(grey.tobytes(), grey.width, grey.height, width, height)

    def _points(self, page: Any) -> tuple[float, float]:
        """How large the page is on paper."""
        dots = float(self._image.info.get("dpi", (0, 0))[0])
        if not _LEAST_DPI <= dots <= _MOST_DPI:
            dots = min(page.size) / _A4_WIDTH * _POINTS_PER_INCH
        return page.width / dots * _POINTS_PER_INCH, page.height / dots * _POINTS_PER_INCH


def _sized(page: Any) -> Any:
    scale = min(2.0 if min(page.size) < _LEAST_SIDE else 1.0, (MOST_PIXELS / (page.width * page.height)) ** 0.5)
    return page if scale == 1 else page.resize((max(1, round(page.width * scale)), max(1, round(page.height * scale))))
