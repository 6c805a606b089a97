"""Small files of each format with words in a place that a reader may not look at."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.shared import Pt, RGBColor
from reportlab.lib.colors import white
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

__all__ = ["Pdf", "Word", "plain_docx", "web_page"]

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_LINE_CHARS = 85


def web_page(title: str, fact: str, extra: str, *, head: str = "") -> bytes:
    page = (
        f"<!doctype html><html lang=es><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1><p>{fact}</p>{extra}</main></body></html>"
    )
    return page.encode()


def plain_docx(title: str, fact: str, add: Callable[[Any], None]) -> bytes:
    """A Word document whose `add` does what is hostile."""
    document = docx.Document()
    document.add_heading(title, level=1)
    document.add_paragraph(fact)
    add(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


class Word:
    """What is added to a Word document."""

    @staticmethod
    def white(words: str) -> Callable[[Any], None]:
        def add(document: Any) -> None:
            document.add_paragraph().add_run(words).font.color.rgb = RGBColor(255, 255, 255)

        return add

    @staticmethod
    def tiny(words: str) -> Callable[[Any], None]:
        def add(document: Any) -> None:
            document.add_paragraph().add_run(words).font.size = Pt(1)

        return add

    @staticmethod
    def hidden(words: str) -> Callable[[Any], None]:
        def add(document: Any) -> None:
            document.add_paragraph().add_run(words).font.hidden = True

        return add

    @staticmethod
    def properties(words: str) -> Callable[[Any], None]:
        def add(document: Any) -> None:
            known = document.core_properties
            known.title, known.author, known.comments, known.keywords = words, words, words, words

        return add

    @staticmethod
    def comment(words: str) -> Callable[[Any], None]:
        def add(document: Any) -> None:
            document.add_comment(document.paragraphs[-1].runs, text=words, author="Auditoría")

        return add

    @staticmethod
    def picture_description(words: str) -> Callable[[Any], None]:
        drawing = (
            f'<w:p {_W}><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
            f'wordprocessingDrawing"><wp:docPr id="1" name="Logo" descr="{words}"/></wp:inline></w:drawing></w:r></w:p>'
        )

        def add(document: Any) -> None:
            document.element.body.insert(2, parse_xml(drawing))

        return add


class Pdf:
    """A PDF whose second line of thought is drawn in a way that no reader sees."""

    @staticmethod
    def drawn(title: str, fact: str, draw: Callable[[Canvas], None], *, known_as: str = "") -> bytes:
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=A4, invariant=True)
        canvas.setTitle(known_as or title)
        canvas.setAuthor(known_as or title)
        canvas.setSubject(known_as or title)
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 780, title)
        canvas.setFont("Helvetica", 11)
        for number, line in enumerate(_lines(fact)):
            canvas.drawString(60, 745 - 15 * number, line)
        draw(canvas)
        canvas.save()
        return buffer.getvalue()

    @staticmethod
    def white(words: str) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFillColor(white)
            _write(canvas, words)

        return draw

    @staticmethod
    def tiny(words: str) -> Callable[[Canvas], None]:
        return lambda canvas: _write(canvas, words, size=1)

    @staticmethod
    def unpainted(words: str) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            text = canvas.beginText(60, 600)
            text.setTextRenderMode(3)
            for line in _lines(words):
                text.textLine(line)
            canvas.drawText(text)

        return draw

    @staticmethod
    def off_the_page(words: str) -> Callable[[Canvas], None]:
        return lambda canvas: _write(canvas, words, y=-300)

    @staticmethod
    def note(words: str) -> Callable[[Canvas], None]:
        return lambda canvas: canvas.textAnnotation(words, Rect=[60, 500, 80, 520])

    @staticmethod
    def nothing(_: Canvas) -> None:
        """What is hostile is not drawn."""


def _write(canvas: Canvas, words: str, *, size: int = 11, y: int = 600) -> None:
    canvas.setFont("Helvetica", size)
    for number, line in enumerate(_lines(words)):
        canvas.drawString(60, y - 15 * number, line)


def _lines(text: str) -> list[str]:
    lines = [""]
    for each in text.split():
        if len(lines[-1]) + len(each) > _LINE_CHARS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {each}".strip()
    return lines
