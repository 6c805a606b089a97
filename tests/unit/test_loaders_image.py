"""Photographs and scans that are a file of their own: their pages, how they are turned, and what of them is refused."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders import OcrOptions, extract, image
from rag_system.viewing import draw_page
from tests.fakes.tesseract import has_spanish, install
from tests.reading import Reading

_OFF = OcrOptions(mode="off")
_WORDS = "La multa equivale a dos unidades"
_ORIENTATION = 0x112  # of EXIF
needs_tesseract = pytest.mark.skipif(not has_spanish(), reason="Tesseract with Spanish is not installed")


def _announced(width: int, height: int) -> bytes:
    """A PNG of a hundred bytes that says how large it is."""
    chunks = (b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0), b"IDAT" + zlib.compress(b""), b"IEND")
    packed = (struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def _page(words: str = _WORDS) -> Image.Image:
    page = Image.new("RGB", (1_000, 240), "white")
    ImageDraw.Draw(page).text((40, 90), words, font=ImageFont.load_default(44), fill="black")
    return page


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    picture.save(buffer := io.BytesIO(), kind, **options)
    return buffer.getvalue()


def _heic(picture: Image.Image) -> bytes:
    pillow_heif = pytest.importorskip("pillow_heif", reason="the extra «heic» is not installed")
    buffer = io.BytesIO()
    pillow_heif.from_pillow(picture).save(buffer)
    return buffer.getvalue()


def _text(document: ExtractedDocument) -> str:
    return " ".join(block.text for block in document.blocks)


_KINDS: dict[str, Callable[[], bytes]] = {
    "png": lambda: _saved(_page(), "PNG"),
    "jpeg": lambda: _saved(_page(), "JPEG"),
    "tiff": lambda: _saved(_page().convert("1"), "TIFF", compression="group4", dpi=(300, 300)),
    "gif": lambda: _saved(_page(), "GIF"),
    "webp": lambda: _saved(_page(), "WEBP"),
    "bmp": lambda: _saved(_page(), "BMP"),
    "heif": lambda: _heic(_page()),
}


@pytest.mark.parametrize("kind", _KINDS)
def test_every_kind_of_picture_is_a_page(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, (_WORDS, 95.0))
    document = extract(_KINDS[kind](), name="foto.txt")  # whatever it is called
    assert (document.format, document.pages, tuple(document.ocr_pages)) == (kind, 1, (1,))
    assert [(block.text, block.page) for block in document.blocks] == [(_WORDS, 1)]


@pytest.mark.parametrize("kind", ["png", "heif"])
def test_without_recognition_it_is_a_page_without_text(kind: str) -> None:
    document = extract(_KINDS[kind](), name="a", ocr=_OFF)
    assert (tuple(document.blocks), tuple(document.empty_pages), tuple(document.blank_pages)) == ((), (1,), ())


@pytest.mark.parametrize(
    ("size", "options", "asked"),
    [
        ((2_480, 3_508), {"dpi": (300, 300)}, "--dpi 300 --psm 3 tsv|P5 2480 3508"),
        ((2_480, 3_508), {"dpi": (72, 72)}, "--dpi 300 --psm 3 tsv|P5 2480 3508"),  # as wide as A4: 2480 / 8.26 inches
        ((500, 700), {}, "--dpi 121 --psm 3 tsv|P5 1000 1400"),  # doubled: 1000 / 8.26
    ],
)
def test_it_is_recognised_at_a_size_that_does_it_good(
    size: tuple[int, int], options: dict[str, object], asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = install(tmp_path, monkeypatch, (_WORDS, 95.0))
    extract(_saved(Image.new("L", size, 255), "PNG", **options), name="a.png")
    assert asked in seen.read_text(encoding="utf-8")


def test_a_very_large_one_is_made_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "MOST_PIXELS", 500_000)
    seen = install(tmp_path, monkeypatch, (_WORDS, 95.0))
    extract(_saved(Image.new("L", (1_000, 2_000), 255), "PNG"), name="a.png")
    assert "tsv|P5 500 1000" in seen.read_text(encoding="utf-8")


def test_the_frames_of_a_tiff_are_pages_and_those_of_an_animation_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, (_WORDS, 95.0))
    frames = [Image.new("L", (900, 900), shade) for shade in (255, 250, 245)]
    several = {"save_all": True, "append_images": frames[1:]}
    scanned = extract(_saved(frames[0], "TIFF", **several), name="acta.tif")
    assert (scanned.pages, tuple(scanned.ocr_pages)) == (3, (1, 2, 3))
    assert [block.page for block in scanned.blocks] == [1, 2, 3]
    assert extract(_saved(frames[0], "GIF", **several), name="a.gif").pages == 1


_HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "cortada.jpg": (lambda: _KINDS["jpeg"]()[:2_000], "dañada"),
    "cortada.png": (lambda: _KINDS["png"]()[:900], "dañada"),
    "cortada.tif": (lambda: _KINDS["tiff"]()[:60], "dañada"),
    "cortada.heic": (lambda: _KINDS["heif"]()[:900], "dañada"),
    "vacia.jpg": (lambda: b"\xff\xd8\xff\xe0" + bytes(40), "dañada"),
    "vacia.webp": (lambda: b"RIFF\0\0\0\0WEBPVP8 ", "dañada"),
    "bomba.png": (lambda: _announced(20_000, 20_000), "400 megapíxeles; el máximo es 100"),
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_what_cannot_be_a_page_is_refused_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, (_WORDS, 95.0))
    data, words = _HOSTILE[name]
    with pytest.raises(UnreadableFileError, match=words):
        extract(data(), name=name)


def test_a_damaged_page_among_others_stays_without_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, (_WORDS, 95.0))
    whole = _saved(_page(), "TIFF", save_all=True, append_images=[_page("Otra")], compression="tiff_deflate")
    damaged = bytearray(whole)
    at = whole.find(b"x\x9c")  # where the first page's pixels begin
    damaged[at : at + 40] = bytes(40)
    document = extract(bytes(damaged), name="a.tif")
    assert (tuple(document.empty_pages), tuple(document.ocr_pages)) == ((1,), (2,))


# ---------------------------------------------------------------- with Tesseract


def _turned() -> bytes:
    """As a telephone that was held upright writes it."""
    exif = Image.Exif()
    exif[_ORIENTATION] = 6
    return _saved(_page().transpose(Image.Transpose.ROTATE_90), "JPEG", exif=exif)


def _on_glass() -> bytes:
    """Black letters on what lets through, which is black without its transparency."""
    letters = Image.new("RGBA", (1_000, 240), (0, 0, 0, 0))
    letters.putalpha(_page().convert("L").point(lambda shade: 255 - shade))
    return _saved(letters, "PNG")


@needs_tesseract
@pytest.mark.parametrize("picture", [_turned, _on_glass])
def test_it_is_read_as_its_reader_sees_it(picture: Callable[[], bytes]) -> None:
    process = Reading()
    try:
        assert _text(process.extract(picture(), name="foto")) == _WORDS
    finally:
        process.close()


@needs_tesseract
def test_a_quote_is_marked_on_the_picture() -> None:
    picture = draw_page([_turned()], 3, file_format="jpeg", quotes=["equivale a dos"])
    (mark,) = picture.marks
    assert (picture.page, picture.pages) == (1, 1)
    assert 0.2 < mark.left < 0.5  # of a line that begins at 0.04 and ends at about 0.8
    assert 0.1 < mark.width < 0.5
    assert 0.3 < mark.top < 0.6
