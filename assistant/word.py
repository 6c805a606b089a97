"""Markdown as a Word document: headings, lists, tables and emphasis, and of a link or an image its words alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from rag_system.query.markup import strip_invisible

__all__ = ["markdown_docx"]

_SMALLEST_HEADING = 4
_DEEPEST_LIST = 3  # that Word has a style of its own for


def markdown_docx(markdown: str) -> bytes:
    """The file's bytes."""
    from docx import Document  # half a second

    document = Document()
    _blocks(document, SyntaxTreeNode(_parser().parse(strip_invisible(markdown))).children)
    document.save(file := BytesIO())
    return file.getvalue()


@cache
def _parser() -> MarkdownIt:
    # A definition such as «[1]: http://…» would turn markers into links.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["reference", "html_block", "html_inline"])


def _blocks(document: Any, blocks: Sequence[SyntaxTreeNode], *, depth: int = 0) -> None:
    """`document` is python-docx's, which has no types; `depth` is that of the list that the blocks stand in."""
    for block in blocks:
        match block.type:
            case "heading":
                _words(document.add_heading("", min(int(block.tag[1]), _SMALLEST_HEADING)), block)
            case "paragraph":
                _words(document.add_paragraph(), block)
            case "bullet_list" | "ordered_list":
                _list(document, block, depth=depth + 1)
            case "blockquote":
                _blocks(document, block.children, depth=depth)
            case "fence" | "code_block":
                document.add_paragraph(block.content.rstrip("\n"))
            case "table":
                _table(document, block)


def _list(document: Any, block: SyntaxTreeNode, *, depth: int) -> None:
    """Numbers are written out: Word would go on counting where the list before ended."""
    bullets = block.type == "bullet_list"
    style = f"List Bullet {depth}" if 1 < depth <= _DEEPEST_LIST else "List Bullet"
    for number, item in enumerate(block.children, start=int(block.attrs.get("start", 1))):
        paragraph = document.add_paragraph(style=style if bullets else "List Paragraph")
        if not bullets:
            paragraph.add_run(f"{number}. ")
        opens = bool(item.children) and item.children[0].type == "paragraph"
        if opens:
            _words(paragraph, item.children[0])
        _blocks(document, item.children[opens:], depth=depth)


def _table(document: Any, block: SyntaxTreeNode) -> None:
    rows = [row.children for part in block.children for row in part.children]
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for cells, row in zip(rows, table.rows, strict=True):
        for cell, place in zip(cells, row.cells, strict=True):
            _words(place.paragraphs[0], cell)


def _words(paragraph: Any, node: SyntaxTreeNode, *, bold: bool = False, italic: bool = False) -> None:
    for each in node.children:
        match each.type:
            case "text" | "code_inline":
                run = paragraph.add_run(each.content)
                run.bold, run.italic = bold or None, italic or None
            case "softbreak" | "hardbreak":
                paragraph.add_run().add_break()
            case "strong":
                _words(paragraph, each, bold=True, italic=italic)
            case "em":
                _words(paragraph, each, bold=bold, italic=True)
            case _:
                _words(paragraph, each, bold=bold, italic=italic)
