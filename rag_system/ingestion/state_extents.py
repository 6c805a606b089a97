"""How far a state reaches that is said above a text: a paragraph, an item, an article, a chapter, a quotation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rag_system.ingestion.document import Block, BlockKind
from rag_system.ingestion.headings import match_legal
from rag_system.query.editor_notes import Note, item_mark
from rag_system.types import TextState

__all__ = ["ITEMS", "ONE_LINE", "STRUCTURE", "Extent", "Look"]

ITEMS = frozenset(
    "inciso numeral literal apartado fraccion punto acapite item subnumeral definicion nota clausula".split()
)
STRUCTURE = frozenset("capitulo titulo seccion libro anexo".split())
ONE_LINE = frozenset("denominacion epigrafe sumilla".split())

_QUOTES_OPEN, _QUOTES_CLOSE = "\"“«", "\"”»"
_MOST_QUOTED = 40  # blocks, after which a quotation that never closes is taken to have ended


@dataclass(frozen=True, slots=True)
class Look:
    """What is remembered of a block."""

    place: int
    level: int  # of a heading; 0 for the rest
    mark: str  # of an item
    leads: bool  # ends in a colon
    ends: bool  # ends as a sentence does
    goes_on: bool  # begins inside a sentence
    names_article: bool  # «Artículo 13.- …», which no heading was made of
    closes: bool  # its last quotation mark closes

    @classmethod
    def at(cls, place: int, block: Block) -> Self:
        text, heading = block.text, block.kind is BlockKind.HEADING
        end = text.rstrip(" \"”»*_()")
        return cls(
            place=place,
            level=block.level if heading else 0,
            mark="" if heading or block.kind is BlockKind.TABLE else item_mark(text),
            leads=end.endswith(":"),
            ends=end[-1:] in ".:;!?",
            goes_on=text[:1].islower(),
            names_article=not heading and text[:3].lower() == "art" and match_legal(text) is not None,
            closes=text.rstrip(" .;,*()")[-1:] in _QUOTES_CLOSE,
        )

    @property
    def is_lettered(self) -> bool:
        """Whether it is an item of a list, not a numbered paragraph: «b)», «-», never «4.1»."""
        return bool(self.mark) and not self.mark[0].isdigit()


def _style(mark: str) -> str:
    if mark[:1].isdigit():
        return "decimal" if "." in mark else "number"
    return "dash" if mark == "-" else "letter"


@dataclass(slots=True)
class Extent:
    """A state that holds from here on. `part` says what ends it; where `level` is not 0, a heading of that level does."""

    state: TextState
    part: str
    level: int = 0
    quoted: bool = False
    taken: int = 0  # blocks
    first: Look | None = None
    last: Look | None = None

    @classmethod
    def below(cls, state: TextState, part: str, following: Block | None) -> Self:
        """Of a text that stands right below its label."""
        if following is None:
            return cls(state, part)
        quoted = following.text[:1] in _QUOTES_OPEN and following.kind is not BlockKind.HEADING
        headed = following.kind is BlockKind.HEADING and part not in ITEMS
        return cls(state, "articulo" if headed else part, quoted=quoted and part not in ITEMS)

    def takes(self, look: Look, note: Note | None) -> bool:
        """Whether the next block still belongs to it."""
        taken = self._takes(look, note)
        if taken:
            self.first = self.first or look
            self.last, self.taken = look, self.taken + 1
        return taken

    def _takes(self, look: Look, note: Note | None) -> bool:
        if self.level:
            return not 0 < look.level <= self.level
        if self.last is None:
            return note is None or not self.part
        if self.quoted:
            return not self.last.closes and self.taken < _MOST_QUOTED
        if look.level:
            return self.part not in ITEMS and self.taken == 0
        if self.part in ITEMS:
            return note is None and self._is_of_the_item(look)
        if self.part == "parrafo" or self.part in ONE_LINE:
            return note is None and self._is_of_the_paragraph(look)
        return note is None or self.part not in ("", "texto")

    def _is_of_the_item(self, look: Look) -> bool:
        assert self.first is not None and self.last is not None  # noqa: S101, PT018 - asked after the first block
        if look.goes_on and not self.last.ends:
            return True
        hangs = _style(look.mark) != _style(self.first.mark) if look.mark else False
        return hangs and (self.last.leads or bool(self.last.mark and self.last is not self.first))

    def _is_of_the_paragraph(self, look: Look) -> bool:
        assert self.first is not None and self.last is not None  # noqa: S101, PT018 - asked after the first block
        if look.goes_on and not self.last.ends:
            return True
        return bool(look.mark) and (self.last.leads or (self.first.leads and bool(self.last.mark)))
