"""What loaders hand over to `structure.py`: lines, and how they are joined, told apart and taken in windows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.headings import match_legal, split_inline
from rag_system.ingestion.text import clean_line

__all__ = [
    "WINDOW_CHARS",
    "Line",
    "join_lines",
    "leading_bold",
    "rejoined",
    "split_lines",
    "starts_item",
    "windows",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a file with what its format knows about it."""

    text: str  # clean, not empty; a table or code keeps its newlines
    kind: BlockKind = BlockKind.TEXT
    page: int | None = None
    hint: int = 0  # level of a heading that the format marks (`#`, `<h2>`, a style), 0 for none
    measured: bool = False  # the hint comes from the size of the type alone: the line's own numbering knows better
    bold: int = 0  # leading characters in bold
    start: bool = True  # begins a paragraph; False continues the line before


WINDOW_CHARS = 2_000_000  # of text that is put together at once: all of it but in the largest documents
_PATIENCE_CHARS = 2_000_000  # beyond it, until a place to cut: a table of contents or a list of words has none
_MIN_PROSE_CHARS = 60  # a line as long that ends with a full stop is no heading
_ITEM = re.compile(
    r"(?:[•·▪‣◦■□●○–—-]\s+"
    r"|\(?(?:[a-zñ]{1,2}|[ivxIVX]{1,4})[.)](?:-|\s)\s*"
    r"|\((?:\d{1,2})\)\s+(?=[A-ZÁÉÍÓÚ])"  # «(45) días» goes on
    r"|\d{1,3}(?:\.\d{1,3})*[.)](?:-|\s)\s*"
    r"|\d{1,3}(?:\.\d{1,3})+\.?\s)\S"
)


def starts_item(text: str) -> bool:
    """Whether a line begins an item: «a) …», «1.2. …», «• …»."""
    return _ITEM.match(text) is not None


def leading_bold(pieces: Iterable[tuple[str, bool]]) -> int:
    """How many characters at the beginning of a paragraph are bold. pieces: its text in parts, each bold or not."""
    lead, seen = "", False
    for text, bold in pieces:
        if not bold and text.strip(" .-–:*\n\t\xa0"):
            break
        lead, seen = lead + text, seen or (bold and bool(text.strip()))
    return len(clean_line(lead)) if seen else 0


def split_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Paragraphs that run several articles together are cut before each of them."""
    for line in lines:
        if line.kind in (BlockKind.TABLE, BlockKind.CODE) or line.hint or len(line.text) < 60:
            yield line
            continue
        for number, text in enumerate(split_inline(line.text)):
            yield (
                line
                if not number and text == line.text
                else replace(line, text=text, bold=0 if number else line.bold, start=line.start or number > 0)
            )


def windows(lines: Iterable[Line], *, size: int) -> Iterator[list[Line]]:
    """The lines in lists of `size` characters and as many more as it takes to a paragraph that begins after another
    one's plain end: what is recognised on both sides of such a cut does not depend on it.
    """
    window: list[Line] = []
    chars = 0
    for line in lines:
        if chars >= size and (chars >= size + _PATIENCE_CHARS or (line.start and _is_prose(window[-1]))):
            yield window
            window, chars = [], 0
        window.append(line)
        chars += len(line.text)
    if window:
        yield window


def _is_prose(line: Line) -> bool:
    return (
        line.kind is BlockKind.TEXT
        and not (line.hint or line.bold)
        and len(line.text) >= _MIN_PROSE_CHARS
        and line.text[-1] == "."
        and match_legal(line.text, in_provisions=True) is None
    )


def join_lines(before: str, after: str) -> str:
    """Join two lines; a hyphen between two lower-case halves was only the line's end."""
    if len(before) > 1 and before[-1] == "-" and before[-2].isalpha() and after[:1].islower():
        return before[:-1] + after
    return f"{before} {after}"


def rejoined(text: str) -> str:
    """The lines of a text as one."""
    whole = ""
    for line in text.split("\n"):
        whole = join_lines(whole, line) if whole else line
    return whole.strip()
