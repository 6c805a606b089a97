"""How far a state reaches that is said above a text: a paragraph, an item, an article, a chapter, a quotation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from rag_system.ingestion.document import Block, BlockKind
from rag_system.ingestion.headings import match_legal
from rag_system.query.editor_notes import Change, Follows, Note, item_mark
from rag_system.types import TextState

__all__ = ["ITEMS", "ONE_LINE", "STRUCTURE", "Extent", "Look", "article_number"]

ITEMS = frozenset(
    "inciso numeral literal apartado fraccion punto acapite item subnumeral definicion nota clausula paragrafo".split()
)
STRUCTURE = frozenset("capitulo titulo seccion libro anexo".split())
ONE_LINE = frozenset("denominacion epigrafe encabezado rubro sumilla".split())

_QUOTES_OPEN, _QUOTES_CLOSE = '"“«', '"”»'
_MOST_QUOTED = 40  # blocks, after which a quotation that never closes is taken to have ended


_ARTICLE = re.compile(r"\W*art(?:[ií]culo|\.)\s*(?:n\S*\s*)?(\d{1,4}|[ivxlc]+\b|\w+)", re.IGNORECASE)


def article_number(text: str) -> str:
    """That a heading or a text begins with: «13» of «Artículo 13.- Plazos»; empty where there is none."""
    match = _ARTICLE.match(text)
    return match[1].lower() if match else ""


@dataclass(frozen=True, slots=True)
class Look:
    """What is remembered of a block."""

    place: int
    level: int  # of a heading; 0 for the rest
    mark: str  # of an item
    leads: bool  # ends in a colon
    ends: bool  # ends as a sentence does
    goes_on: bool  # begins inside a sentence
    article: str  # the number in «Artículo 13.- …», which no heading was made of
    closes: bool  # its last quotation mark closes
    says: bool  # has a letter, or is an item's: the number of a footnote alone says nothing
    is_note: bool = False

    @classmethod
    def at(cls, place: int, block: Block) -> Self:
        text, heading = block.text, block.kind is BlockKind.HEADING
        end = text.rstrip(' "”»*_()')
        return cls(
            place=place,
            level=block.level if heading else 0,
            mark="" if heading or block.kind is BlockKind.TABLE else item_mark(text),
            leads=end.endswith(":"),
            ends=end[-1:] in ".:;!?",
            goes_on=text[:1].islower(),
            article=article_number(text) if not heading and match_legal(text) is not None else "",
            closes=text.rstrip(" .;,*()")[-1:] in _QUOTES_CLOSE,
            says=any(map(str.isalpha, text)) or bool(text[:1] != "(" and item_mark(text)),
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
    """A state that holds from here on. `part` says what ends it; unless `level` is 0, a heading of that level does."""

    state: TextState
    part: str
    level: int = 0
    quoted: bool = False
    taken: int = 0  # blocks, without headings
    headed: bool = False  # began with a heading of its own
    first: Look | None = None
    last: Look | None = None

    @classmethod
    def below(cls, state: TextState, part: str, following: Block | None) -> Self:
        """Of a text that stands right below its label."""
        if following is None:
            return cls(state, part)
        headed, part = following.kind is BlockKind.HEADING, "" if part == "texto" else part
        if not part and headed:
            part = "articulo"
        elif not part and Look.at(0, following).mark:
            part = "item"
        return cls(state, part, quoted=following.text[:1] in _QUOTES_OPEN and not headed and part not in ITEMS)

    def takes(self, look: Look, note: Note | None) -> bool:
        """Whether the next block still belongs to it."""
        if not look.says:
            return True
        taken = self._takes(look, note)
        if taken and look.level:
            self.headed = True
        elif taken:
            self.first = self.first or look
            self.last, self.taken = look, self.taken + 1
        return taken

    def _takes(self, look: Look, note: Note | None) -> bool:
        if note is not None and note.change is Change.OTHER and note.follows is Follows.NEW:  # «TEXTO VIGENTE»
            return False
        if self.level:
            return not 0 < look.level <= self.level
        if look.level:
            return self.last is None and not self.headed
        if self.last is None:
            return note is None or self.part not in ("", *ITEMS)
        return self._goes_on(self.last, look, note)

    def _goes_on(self, last: Look, look: Look, note: Note | None) -> bool:
        if self.quoted:
            return not last.closes and self.taken < _MOST_QUOTED
        if self.part in ITEMS | ONE_LINE | {"parrafo"}:
            return note is None and self._hangs(last, look)
        return not look.article and (note is None or self.part != "")

    def _hangs(self, last: Look, look: Look) -> bool:
        """Whether a block hangs on what was taken: the rest of its sentence, an item of the list that it leads in."""
        if look.goes_on and not last.ends:
            return True
        if self.first is None or self.part in ONE_LINE or not look.mark:
            return False
        if self.part in ITEMS and _style(look.mark) == _style(self.first.mark):
            return False
        return last.leads or (bool(last.mark) and last is not self.first)
