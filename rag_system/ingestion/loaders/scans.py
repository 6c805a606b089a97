"""Which pages have no text of their own: scanned ones, and those whose characters are not what they show."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rag_system.ingestion.loaders.page import Page, PageLine

__all__ = ["is_garbled", "is_scan", "letters"]

_MIN_PICTURE = 0.5  # share of the page under pictures from which it may be a scan
_MIN_SCAN_CHARS = 40  # letters and digits, stamps apart: less beside such a picture is not the page's text
_MAX_STRANGE = 0.3  # share of characters without a meaning
_MIN_WORDS = 30  # fewer say nothing about a page
_SAMPLE_CHARS = 800  # of a page: enough to tell
_MIN_LATIN = 0.8  # share of the characters; other alphabets have other vowels
_MIN_VOWELS = 0.22  # of the letters: Spanish has 0.47, English 0.39; a font that counts its glyphs from 29 gives 0.14
_STAMP = re.compile(
    r"firmad[oa] digitalmente|firma digital|motivo:|copia (?:aut[ée]ntica|fiel|imprimible|certificada)|"
    r"documento electr[óo]nico|c[óo]digo (?:seguro )?de verificaci[óo]n|verifica(?:r|do|ci[óo]n)|"
    r"https?://|www\.|escaneado con|camscanner|fecha:\s*\d|\bfolio\b|v\.?\s?[°ºo]\s?b\.?\s?[°ºo]|"
    r"soy el autor|doy v|art\.? 25 de d\.?s",
    re.IGNORECASE,
)
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd\ue000-\uf8ff]")
_DIGIT = re.compile(r"\d")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_VOWEL = re.compile(r"[aeiouyàáâãäåèéêëìíîïòóôõöùúûüý]", re.IGNORECASE)


def letters(lines: Iterable[PageLine]) -> int:
    """How many letters and digits the lines hold: marks alone («•», «—») are no text."""
    return sum(map(str.isalnum, "".join(line.text for line in lines)))


def is_scan(page: Page, body: Callable[[Page], Iterable[PageLine]]) -> bool:
    """Whether the page needs character recognition. body: gives its lines without running lines and page numbers."""
    if page.garbled:
        return True
    if page.pictures < _MIN_PICTURE:
        return not any(any(map(str.isalnum, line.text)) for line in page.lines)
    return letters(line for line in body(page) if not _STAMP.search(line.text)) < _MIN_SCAN_CHARS


def is_garbled(raw: str) -> bool:
    """Whether the characters of a page, as the file gives them, are those of a font that does not say what they mean.

    Mostly private-use, control or replacement characters; or letters of the Latin alphabet that make no words.
    """
    sample = raw[:_SAMPLE_CHARS]
    strange = len(_STRANGE.findall(sample)) - sample.count("\x02")  # pdfium's mark of a hyphen
    if strange > _MAX_STRANGE * len(sample):
        return True
    words = [word for word in sample.split() if len(word) > 3 and not _DIGIT.search(word)]
    if len(words) < _MIN_WORDS:
        return False
    text = "".join(words)
    latin = len(_LATIN.findall(text))
    return latin > _MIN_LATIN * len(text) and len(_VOWEL.findall(text)) < _MIN_VOWELS * latin
