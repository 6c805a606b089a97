"""Optical character recognition with Tesseract, where it is installed: a picture of a page in, lines out.

Runs the program `tesseract` (never through a shell) with a time limit a page, and reads its table of words (tsv), which
says of each word where it stands and how sure it is.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.children import child_environment
from rag_system.ingestion.installing import INSTALL_TESSERACT
from rag_system.ingestion.loaders.page import PageLine
from rag_system.ingestion.text import clean_line

if TYPE_CHECKING:
    from rag_system.settings import OcrMode

__all__ = ["MOST_PIXELS", "OcrOptions", "Picture", "Recogniser", "Word", "can_recognise", "picture_of"]

_DPI = 300  # what Tesseract's models were made for (tesseract-ocr.github.io/tessdoc/ImproveQuality)
MOST_PIXELS = 25_000_000  # an A3 page at 300 dpi has 17 million
_POINTS_PER_INCH = 72
_PAGE_LIMIT_S = 90.0  # a dense page takes 3 s of processor time; on a busy machine much longer
_FILE_LIMIT_S = 4 * 3600.0  # then the pages that are left stay without text
_LANGUAGES_LIMIT_S = 10.0
_MAX_FAILURES = 3  # pages in a row; then the program is not asked again for this file
_MIN_CONFIDENCE = 30.0  # of a word, 0…100; below it is mostly specks and lines taken for letters
_MIN_PAGE_CONFIDENCE = 60.0  # mean of a page's words, by length: photographs stay below, bad scans have 70…85
_MIN_KEPT = 0.5  # share of the words that are sure enough
_MIN_LETTERS = 12  # on a page: less is not a text
_WORD_LEVEL = "5"
_COLUMNS = 12
_MISSING = (
    "El archivo tiene páginas escaneadas y LEGAJO_OCR=on, pero no está Tesseract con el idioma «{languages}». "
    f"Instálelo ({INSTALL_TESSERACT}) o use LEGAJO_OCR=auto."
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Whether scanned pages are recognised.

    mode: auto, where Tesseract is installed; on, a file that needs it fails without it; off, never.
    languages: as Tesseract names its models, joined by «+».
    """

    mode: OcrMode = "auto"
    languages: str = "spa"


def can_recognise(options: OcrOptions) -> bool:
    """Whether scanned pages would be read here and now."""
    return options.mode != "off" and _program(options.languages) is not None


class Picture(NamedTuple):
    """A page in shades of grey, one byte a pixel, with its size in points."""

    pixels: bytes
    width: int
    height: int
    page_width: float
    page_height: float


class Word(NamedTuple):
    """A word of a picture, with its place in pixels from the upper left corner."""

    line: tuple[str, str, str]  # block, paragraph, line
    left: int
    top: int
    width: int
    height: int
    confidence: float
    text: str


class Recogniser:
    """Recognises the pages of one file; one that looks like another of them (a sheet between two parts, a scan that
    was put in twice) only once.

    more_time: called before each page with the seconds it may take.
    """

    def __init__(self, options: OcrOptions, *, more_time: Callable[[float], None]) -> None:
        self._options = options
        self._more_time = more_time
        self._failures = 0
        self._read: dict[bytes, list[PageLine]] = {}  # by the digest of the picture
        self._until = time.monotonic() + _FILE_LIMIT_S

    def lines(self, picture: Callable[[], Picture | None]) -> list[PageLine] | None:
        """The lines of a page in reading order, none where there is no text to be seen; None if nobody looked."""
        if not self._ready():
            return None
        self._more_time(_PAGE_LIMIT_S)
        if (drawn := picture()) is None:
            return None
        seen = blake2b(drawn.pixels, digest_size=16, person=b"%d" % drawn.width).digest()
        if (known := self._read.get(seen)) is not None:
            return known
        if (table := self._run(drawn)) is None:
            return None
        words = [word for word in _words(table) if word.text]
        lines = self._read[seen] = list(_lines(words, drawn)) if _is_text(words) else []
        return lines

    def words(self, picture: Picture) -> list[Word]:
        """What `lines` is made of, each word in its place; none if nobody looked."""
        table = self._run(picture) if self._ready() else None
        return [word for word in _words(table or "") if word.text and word.confidence >= _MIN_CONFIDENCE]

    def _ready(self) -> bool:
        return self._program is not None and self._failures < _MAX_FAILURES and time.monotonic() < self._until

    @cached_property
    def _program(self) -> str | None:
        program = None if self._options.mode == "off" else _program(self._options.languages)
        if program is None and self._options.mode == "on":
            raise UnreadableFileError(_MISSING.format(languages=self._options.languages))
        return program

    def _run(self, picture: Picture) -> str | None:
        dpi = round(picture.width / picture.page_width * _POINTS_PER_INCH)
        options = ["-l", self._options.languages, "--dpi", str(max(dpi, 70)), "--psm", "3", "tsv"]
        image = b"P5 %d %d 255\n" % (picture.width, picture.height) + picture.pixels
        table = _said([str(self._program), "stdin", "stdout", *options], _PAGE_LIMIT_S, given=image)
        self._failures = self._failures + 1 if table is None else 0
        return table


def picture_of(page: Any) -> Picture | None:
    """A PDF's page at 300 dpi, less for a very big one; None of one that pdfium cannot draw."""
    import pypdfium2

    width, height = page.get_size()
    scale = min(_DPI / _POINTS_PER_INCH, (MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
    if min(width, height) * scale < 1:
        return None
    try:
        bitmap = page.render(scale=scale, grayscale=True)
    except (pypdfium2.PdfiumError, ValueError):
        return None
    try:
        return Picture(bitmap.to_pil().tobytes(), bitmap.width, bitmap.height, width, height)
    finally:
        bitmap.close()


def _program(languages: str) -> str | None:
    """The path of Tesseract, if it has these languages."""
    if (path := shutil.which("tesseract")) is None:
        return None
    installed = (_said([path, "--list-langs"], _LANGUAGES_LIMIT_S, errors=subprocess.STDOUT) or "").split()
    return path if all(language in installed for language in languages.split("+")) else None


def _said(command: list[str], limit_s: float, *, given: bytes = b"", errors: int = subprocess.DEVNULL) -> str | None:
    """What Tesseract writes; None where it fails. One thread a page: more only wait for each other on small machines.

    given: what it reads; errors: where what it tells of errors goes.
    """
    environment = {**child_environment(), "OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=errors, env=environment, timeout=limit_s, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        _log.warning("tesseract: %s", type(error).__name__)
        return None
    return done.stdout.decode("utf-8", "replace")


def _words(table: str) -> Iterator[Word]:
    """The words of Tesseract's table: level, page, block, paragraph, line, word, four of place, confidence, text."""
    for row in table.splitlines():
        fields = row.split("\t", _COLUMNS - 1)
        if len(fields) == _COLUMNS and fields[0] == _WORD_LEVEL:
            left, top, width, height = map(int, fields[6:10])
            yield Word(
                (fields[2], fields[3], fields[4]), left, top, width, height, float(fields[10]), clean_line(fields[11])
            )


def _is_text(words: Iterable[Word]) -> bool:
    """Whether a page's words are sure enough to be a text, and not the grain of a photograph."""
    known = [word for word in words if any(map(str.isalnum, word.text))]
    kept = [word for word in known if word.confidence >= _MIN_CONFIDENCE]
    letters = sum(len(word.text) for word in kept)
    if letters < _MIN_LETTERS or len(kept) < _MIN_KEPT * len(known):
        return False
    return fmean([w.confidence for w in kept], weights=[len(w.text) for w in kept]) >= _MIN_PAGE_CONFIDENCE


def _lines(words: Iterable[Word], picture: Picture) -> Iterator[PageLine]:
    scale = picture.page_width / picture.width
    paragraph = None
    for (block, number, _), group in groupby(words, key=lambda word: word.line):
        kept = [word for word in group if word.confidence >= _MIN_CONFIDENCE]
        if not kept:
            continue
        yield PageLine(
            text=" ".join(word.text for word in kept),
            left=min(word.left for word in kept) * scale,
            right=max(word.left + word.width for word in kept) * scale,
            bottom=picture.page_height - max(word.top + word.height for word in kept) * scale,
            size=0.0,
            page_width=picture.page_width,
            opens=(block, number) != paragraph,
        )
        paragraph = block, number
