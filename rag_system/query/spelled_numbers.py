"""Spanish words for numbers: «ciento veinte», «treinta y un», «mil quinientos»; «décimo segundo», «vigésima»."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ONES", "ORDINAL", "SPELLED", "read_ordinal", "read_spelled"]


def _numbered(words: str, first: int, step: int = 1) -> dict[str, int]:
    return {word: first + step * place for place, word in enumerate(words.split())}


ONES = _numbered("cero uno dos tres cuatro cinco seis siete ocho nueve", 0) | {"un": 1, "una": 1}
_TEENS = _numbered("diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte", 10)
_TWENTIES = _numbered("uno dos tres cuatro cinco seis siete ocho nueve", 21) | {"un": 21, "una": 21}
_TENS = _numbered("treinta cuarenta cincuenta sesenta setenta ochenta noventa", 30, 10)
_HUNDREDS = _numbered("cient doscient trescient cuatrocient quinient seiscient setecient ochocient novecient", 100, 100)

_VALUES: dict[str, int] = {
    **ONES,
    **_TEENS,
    **{f"veinti{word}": value for word, value in _TWENTIES.items()},
    **_TENS,
    **{f"{stem}{ending}": value for stem, value in _HUNDREDS.items() for ending in ("o", "os", "as")},
    "cien": 100,
}
_SCALES = {"mil": 1_000, "millon": 1_000_000, "millones": 1_000_000}

_WORD = "|".join(sorted([*_VALUES, *_SCALES], key=len, reverse=True))
SPELLED = re.compile(rf"(?<![a-zñ])(?:{_WORD})(?:\s+(?:y\s+)?(?:{_WORD}))*(?![a-zñ])")  # in folded text
_PIECE = re.compile(rf"(y\s+)?({_WORD})(?![a-zñ])")


_FIRST = _numbered("primer segund tercer cuart quint sext septim octav noven", 1) | {"setim": 7}
_TENTH = _numbered("decim vigesim trigesim cuadragesim quincuagesim sexagesim septuagesim octogesim nonagesim", 10, 10)
_ELEVENTH = {"undecim": 11, "duodecim": 12}
# An alternative of a pattern over folded text: «primer», «segunda», «decimo segundo», «vigesimoprimera».
ORDINAL = (
    rf"(?:(?:{'|'.join(_TENTH)})[oa](?:[\s-]?(?:{'|'.join(_FIRST)})[oa])?"
    rf"|(?:{'|'.join(_ELEVENTH)})[oa]|(?:{'|'.join(_FIRST)})[oa]?)"
)


def read_ordinal(text: str) -> int:
    """The number, 1…99, of what `ORDINAL` matched.

    >>> [read_ordinal(each) for each in ("primer", "decima", "decimo segundo", "vigesimoprimera", "undecimo")]
    [1, 10, 12, 21, 11]
    """
    if (eleventh := _ELEVENTH.get(text[:-1])) is not None:
        return eleventh
    return sum(value for stem, value in (*_FIRST.items(), *_TENTH.items()) if stem in text)


def read_spelled(text: str) -> Iterator[tuple[int, int, int]]:
    """The numbers of a run that `SPELLED` matched, each with where it starts and ends in the run.

    A run may hold several: «los días quince y treinta» are two, «treinta y uno» is one.

    >>> list(read_spelled("mil quinientos")), list(read_spelled("quince y treinta"))
    ([(1500, 0, 14)], [(15, 0, 6), (30, 9, 16)])
    """
    total, current, room, start, end = 0, 0, 0, -1, 0  # room: what may still be added to the running number
    for piece in _PIECE.finditer(text):
        joined, word = piece[1] is not None, piece[2]
        if start >= 0 and not _goes_on(word, joined=joined, current=current, room=room):
            yield total + current, start, end
            total, current, start = 0, 0, -1
        start = piece.start(2) if start < 0 else start
        end = piece.end(2)
        if word in _SCALES:
            total, current, room = (total + max(current, 1) * _SCALES[word]), 0, _SCALES[word]
        else:
            current += _VALUES[word]
            room = _room_after(_VALUES[word])
    if start >= 0:
        yield total + current, start, end


def _goes_on(word: str, *, joined: bool, current: int, room: int) -> bool:
    if word in _SCALES:
        return not joined
    value = _VALUES[word]
    if joined:
        return current % 100 in _TENS.values() and 0 < value < 10
    return 0 < value < room and not (current % 100 in _TENS.values() and current)


def _room_after(value: int) -> int:
    """Below what the next word must be: after hundreds tens follow, after tens ones (with «y»), after ones nothing."""
    if value >= 100:
        return 100
    return 10 if value in _TENS.values() else 0
