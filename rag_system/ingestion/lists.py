"""Which words introduce each item of a list: «Está prohibido:»."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_system.ingestion.packing import Piece
from rag_system.query.sentences import ITEM_MARK

__all__ = ["with_lead_ins"]

_MARK = re.compile(r"\s*[*_]*\(?(?:(?P<bullet>[-–—•·▪])\s|(?P<name>\d{1,3}(?:\.\d{1,3})*|[a-zñ]|[ivxIVX]{1,5})[.)])")
_LETTERS = "abcdefghijklmnñopqrstuvwxyz"
_ROMAN = {name: value for value, name in enumerate("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv".split(), 1)}
_GAP = 3  # by which a number may follow another in a list: some are repealed, or lost to a scan

Place = tuple[str, int]  # a manner of numbering, and which number; 0 of a bullet


@dataclass(frozen=True, slots=True)
class _List:
    """A list that goes on."""

    lead: str
    manner: str
    number: int  # of its last item


def with_lead_ins(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces of lists with their lead-ins as `header`: of a list inside of an item, that item too.

    A list begins right below its lead-in, with a first number. It ends with an item that has not its next one, and
    with prose, unless an item with the next number follows: then the prose belongs to the item before.
    """
    read = list(pieces)
    lists: list[_List] = []  # from the outermost
    lead = ""  # the words that end in a colon right above
    last = -1  # the last piece that belongs to a list
    in_item = False
    for at, piece in enumerate(pieces):
        if piece.opens:
            in_item = not piece.verbatim and ITEM_MARK.match(piece.text) is not None
            if in_item:
                lists = _with_item(lists, lead, _places(piece.text), after_prose=last < at - 1)
                last = last if lists else at
            elif piece.verbatim:
                lists = []
        if in_item and lists:
            first = last + 1
            header = "\n".join(each.lead for each in lists)
            read[first : at + 1] = [replace(each, header=header) for each in pieces[first : at + 1]]
            last = at
        elif in_item:
            last = at
        lead = piece.text if piece.text.endswith(":") and not piece.verbatim else ""
        if lead and not in_item:
            lists, last = [], at
    return read


def _with_item(lists: Sequence[_List], lead: str, places: Sequence[Place], *, after_prose: bool) -> list[_List]:
    """The lists in which an item stands: one that is begun by it, or the innermost that it goes on with; else none."""
    if lead and (begun := next((manner for manner, number in places if number <= 1), "")):
        return [*lists, _List(lead, begun, dict(places)[begun])]
    for depth in range(len(lists), 0, -1):
        goes_on = lists[depth - 1]
        for manner, number in places:
            most = 1 if after_prose else _GAP
            if manner == goes_on.manner and (0 < number - goes_on.number <= most or (number == 0 and not after_prose)):
                return [*lists[: depth - 1], replace(goes_on, number=number)]
    return []


def _places(text: str) -> list[Place]:
    """How an item may be numbered: «i)» is a letter or a Roman number."""
    mark = _MARK.match(text)
    if mark is None:
        return []
    if mark["bullet"]:
        return [(mark["bullet"], 0)]
    name = mark["name"]
    if name[0].isdigit():
        outer, _, number = name.rpartition(".")
        return [(f"{outer}.", int(number))]
    letter = [("a", _LETTERS.index(name) + 1)] if name in _LETTERS else []
    roman = [("I" if name.isupper() else "i", _ROMAN[name.lower()])] if name.lower() in _ROMAN else []
    return letter + roman
