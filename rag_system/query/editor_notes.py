"""What an editor writes between the lines of a norm: that a text was changed, repealed or struck down, and by what.

«(*) Artículo modificado por el Artículo 2 de la Ley N° 30807, publicada el 05 julio 2018, cuyo texto es el siguiente:»,
«(Artículo derogado por art. 3° del Decreto N° 868/99 B.O. 17/08/1999)», «<Artículo INEXEQUIBLE>», «[Derogado]», «TEXTO
ANTERIOR». Pure: one text at a time. Where a note stands, and so what it is about, is read at ingestion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from rag_system.query import editor_note_grammar as grammar
from rag_system.query.identifier_grammar import aligned_plain
from rag_system.query.identifiers import find_identifiers

__all__ = [
    "WHOLE_NORM",
    "Change",
    "Follows",
    "Note",
    "is_note",
    "item_mark",
    "read_label",
    "read_note",
    "split_notes",
]

WHOLE_NORM = frozenset("ley decreto norma reglamento resolucion ordenanza directiva".split())


class Change(StrEnum):
    """What a note says was done to the text."""

    REPLACED = "replaced"
    REPEALED = "repealed"
    UNCONSTITUTIONAL = "unconstitutional"
    OTHER = "other"  # added, corrected, explained: the text is in force


class Follows(StrEnum):
    """Which text a note announces."""

    NEW = "new"
    OLD = "old"
    NOTHING = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An editor's note, or a label above a text."""

    change: Change
    text: str
    part: str = ""  # what was changed: "articulo", "parrafo", "numeral", "capitulo", "ley"…; empty where it is not said
    number: str = ""  # of that part: «25.2», «b»
    follows: Follows = Follows.NOTHING
    of_another: bool = False  # names the norm that was changed: «La Ley N° 27050 fue derogada por …»
    bare: bool = False  # «Texto original»: a label only below a note that says that the text was replaced
    opens: bool = False  # stands before the text that it is about: «<Artículo INEXEQUIBLE> …», «[Derogado] …»
    by: str = ""  # the norm that did it, as it is written
    year: int | None = None


@lru_cache(maxsize=4096)
def _hints(text: str) -> tuple[bool, bool]:
    """Whether a note, and whether a label, may stand in a text."""
    low = text.lower()
    return any(map(low.__contains__, grammar.NOTE_HINTS)), any(map(low.__contains__, grammar.LABEL_HINTS))


def read_label(text: str) -> Note | None:
    """The label that a text is, or begins with up to its colon: «TEXTO ANTERIOR», «Redacción anterior: El plazo…».

    One of a text in force («TEXTO VIGENTE») announces a new one. `text` of the note is the label alone.
    """
    if not _hints(text)[1]:
        return None
    plain = _plain(text)
    if said := grammar.SAID_BEFORE.match(plain):
        return Note(change=Change.REPLACED, text=text[: said.end()].strip(), follows=Follows.OLD)
    label = grammar.LABEL.match(plain)
    if label is None or (label.end() < len(plain) and label["end"] != ":"):
        return None
    told = text[: label.end()].strip()
    if label["new"]:
        return Note(change=Change.OTHER, text=told, follows=Follows.NEW)
    change = Change.REPEALED if (label["old"] or "").startswith("derogad") else Change.REPLACED
    of_itself = bool(label["original"])  # «Texto original de la Ley 100»: what it names wrote it
    by, year = ("", None) if of_itself else (_norm_of(told), _year_of(told))
    return Note(change=change, text=told, follows=Follows.OLD, bare=bool(label["bare"]), by=by, year=year)


@lru_cache(maxsize=4096)
def read_note(text: str) -> Note | None:
    """The note that a text is; None where it is none.

    >>> note = read_note("(*) Artículo derogado por el Artículo 3 de la Ley N° 29338, publicada el 31 marzo 2009.")
    >>> note.change.value, note.part, note.by, note.year
    ('repealed', 'articulo', 'Ley N° 29338', 2009)
    """
    if not _hints(text)[0]:
        return None
    plain = _plain(text)
    if bare := grammar.BARE.fullmatch(plain) or grammar.BRACKETED.match(plain):
        return _bare_note(text, bare)
    if impersonal := grammar.IMPERSONAL.match(plain):
        return _told(text, plain, _change(impersonal, plain, impersonal.end()), impersonal)
    return _passive_note(text, plain)


def _bare_note(text: str, match: re.Match[str]) -> Note:
    groups = match.groupdict()
    struck = any(groups.get(name) for name in ("struck", "voided", "tag"))
    return Note(
        change=Change.UNCONSTITUTIONAL if struck else Change.REPEALED,
        text=text.strip(),
        part=groups.get("part") or groups.get("tagged") or "",
        opens=True,
        by=_norm_of(text),
        year=_year_of(text),
    )


def _passive_note(text: str, plain: str) -> Note | None:
    match = grammar.SIGNED.match(plain)
    if match and not (
        (match["sign"].strip() or match["bracket"] or match["head"]) and (match["by"] or match["struck"])
    ):
        match = None
    match = match or grammar.PLAIN.match(plain) or grammar.LISTED.match(plain)
    if match is None:
        return None
    later = grammar.AFTERWARDS.search(plain)
    told = _told(text, plain, _change(match, plain, match.end("verb"), afterwards=later is not None), match)
    rest = text[later.end() :] if later else ""
    return replace(told, by=_norm_of(rest) or told.by, year=_year_of(rest) or told.year) if later else told


def _change(match: re.Match[str], plain: str, end: int, *, afterwards: bool = False) -> Change:
    if grammar.SUPPOSED.search(plain, 0, end):
        return Change.OTHER
    if match["repealed"] or afterwards:
        return Change.OTHER if grammar.PARTLY.search(plain) else Change.REPEALED
    if match["struck"]:
        return Change.OTHER if grammar.PARTLY.search(plain) else Change.UNCONSTITUTIONAL
    return Change.REPLACED if match["replaced"] else Change.OTHER


def _told(text: str, plain: str, change: Change, match: re.Match[str]) -> Note:
    groups = match.groupdict()
    return Note(
        change=change,
        text=text.strip(),
        part=(groups.get("part") or "").replace("art.", "articulo"),
        number=groups.get("number") or "",
        follows=_announced(plain) if change is Change.REPLACED else Follows.NOTHING,
        of_another="verb" in groups and bool(find_identifiers(text[: match.start("verb")])),
        opens=groups.get("bracket") == "<",
        by=_norm_of(text),
        year=_year_of(text),
    )


def _announced(plain: str) -> Follows:
    """The text that a note ends by announcing."""
    tail = plain[-160:]
    if grammar.ANNOUNCES_OLD.search(tail):
        return Follows.OLD
    return Follows.NEW if grammar.ANNOUNCES_NEW.search(tail) else Follows.NOTHING


def is_note(text: str) -> bool:
    """Whether a sentence is an editor's: a note, a label, a reference to what else is to be read."""
    plain = _plain(text)
    if grammar.APPARATUS.match(plain) or grammar.REFERENCE.match(plain):
        return True
    return read_label(text) is not None or read_note(text) is not None


# ---------------------------------------------------------------- where notes stand inside a text

_CLOSED = {"(": ")", "<": ">", "[": "]"}


def split_notes(text: str) -> Iterator[str]:
    """The text cut before and after each note that stands inside it.

    >>> list(split_notes("b) Pagar la mora. (*) Inciso derogado por la Ley N° 29338."))
    ['b) Pagar la mora.', '(*) Inciso derogado por la Ley N° 29338.']
    """
    if not any(_hints(text)):
        yield text
        return
    plain = _plain(text)
    notes = (cut for match in grammar.INLINE.finditer(plain) for cut in _around(text, plain, match.end()))
    cuts = sorted({0, *notes, *_end_of_opener(text, plain), len(text)})
    said = [start for start, end in pairwise(cuts) if any(map(str.isalnum, text[start:end]))]  # a sign says nothing
    for start, end in pairwise([*said, len(text)]):
        yield text[start:end].strip()


def _around(text: str, plain: str, start: int) -> Iterator[int]:
    """Where a note that begins at `start` begins and ends; nothing where what stands there is none."""
    end = _end_of(plain, start)
    if read_note(text[start:end]) is not None:
        yield start
        yield end


def _end_of_opener(text: str, plain: str) -> Iterator[int]:
    """The end of a note in brackets that opens a text, or that announces what follows it in the same paragraph."""
    end = _end_of(plain, 0)
    if end < len(text) and plain[:1] in _CLOSED and read_note(text[:end]) is not None:
        yield end


def _end_of(plain: str, start: int) -> int:
    """Where a note ends: its bracket closes, or it announces a text with a colon."""
    signs = grammar.SIGNS.match(plain, start)
    at = signs.end() if signs else start
    if at < len(plain) and plain[at] in _CLOSED:
        return _closing(plain, at)
    colon = grammar.COLON.search(plain, at)
    return colon.end() if colon else len(plain)


def _closing(plain: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`."""
    opening, closing, depth = plain[at], _CLOSED[plain[at]], 0
    for place in range(at, len(plain)):
        depth += plain[place] == opening
        depth -= plain[place] == closing
        if not depth:
            return place + 1 + (plain[place + 1 : place + 2] in (".", ";", ","))
    return len(plain)


def item_mark(text: str) -> str:
    """The number or letter of an item without its signs, «b», «25.2»; empty where there is none."""
    match = grammar.MARK.match(_plain(text[:40]))
    return match["mark"].strip("().-") or "-" if match else ""


# ---------------------------------------------------------------- by what, and when

_GLUED = re.compile(r"(?<=\bla)(?=[A-Z])|(?<=\bdel)(?=[A-Z])")  # «por art. 3° delDecreto N° 868/99»: a lost link


def _norm_of(text: str) -> str:
    """The first norm that a note names, as it writes it."""
    text = _GLUED.sub(" ", text)
    match = next(iter(find_identifiers(text)), None)
    return " ".join(text[match.start : match.end].split()) if match else ""


def _year_of(text: str) -> int | None:
    plain = _plain(text)
    for pattern in (grammar.WHEN, grammar.ANY_DATE, grammar.YEAR_OF_NORM):
        if found := pattern.search(plain):
            return _full(int(next(filter(None, found.groups()))))
    return None


def _full(year: int) -> int:
    return year if year > 99 else year + (1900 if year > 40 else 2000)


def _plain(text: str) -> str:
    """The aligned fold, but with stars told apart from degrees, which it makes of them."""
    return aligned_plain(text.replace("*", "¤"))
