"""Citation markers: read in every shape that models write them, given back as `[n]`, or `[M1]` for a remembered fact.

Understood: `[1]`, `[1, 2]`, `[1][2]`, `[1 y 2]`, `[1-3]`, `[1]-[3]`, `[S1]`, `[SOURCE:S1]`, `[Fuente 1]`,
`(Fuentes 1 y 2)`, `[1, M2]`, `【1†L3-L5】`, full-width brackets and digits, and a marker that was made a link. Numbers
that point at no source are dropped, but for that of «artículo [23]», which is the article's. What is not a marker
stays as it is: `[2020]`, `[…]`, `[sic]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from rag_system.types import mark

__all__ = [
    "MarkerStream",
    "clean_answer",
    "defuse_markers",
    "marker_numbers",
    "renumbered",
    "strip_markers",
    "written_at",
]

# Without a word such as «Fuente» before it, a larger number is not a marker but a year or a count.
_LARGEST_BARE = 99
_ARTICLE = re.compile(r"\bart(?:[íi]culos?|s?\.)$", re.IGNORECASE)

_WORD = r"(?:sources?|fuentes?|referencias?|refs?|documentos?|docs?|citas?|s|f)"
_FACT = r"(?:hechos?[ ]m?|m[ ]?)"
_NUMBER = rf"{_FACT}?\d{{1,4}}"
_ONE = rf"(?:{_WORD}[.:#°º\s]{{0,3}}){{0,2}}{_NUMBER}"
_JOIN = r"\s{0,3}(?:,|;|-|–|—|\by\b|\be\b|\band\b|&|\bal?\b)\s{0,3}"
_LIST = rf"{_ONE}(?:{_JOIN}{_ONE})*"
_NOTE = r"(?:†[^】\]\n]{0,40})?"  # «【1†L3-L5】», as some models were trained to write
_LINK = r"(?:\((?:#|https?:|/)[^)\s]{0,300}\))?"
_OPEN, _CLOSE = "[\\[［【]", "[\\]］】]"
# Round brackets need a word: «(3)» is an ordinary number.
_ROUND = rf"[(（]\s?(?P<round>{_WORD}[.:#°º\s]{{0,3}}{_NUMBER}(?:{_JOIN}{_ONE})*)\s?[)）]"
_SPACE = r"[ \t\u00a0]{0,3}"
_MARKER = re.compile(
    rf"(?P<space>{_SPACE})(?:{_OPEN}\s?(?P<square>{_LIST})\s?{_NOTE}{_CLOSE}{_LINK}|{_ROUND})", re.IGNORECASE
)
_RANGE_OF_MARKERS = re.compile(rf"{_OPEN}\s*({_ONE})\s*{_CLOSE}\s?[-–—]\s?{_OPEN}\s*({_ONE})\s*{_CLOSE}", re.IGNORECASE)
_PART = re.compile(rf"(?P<number>{_NUMBER})(?:\s*(?P<range>-|–|—|\bal?\b)\s*(?={_ONE}))?", re.IGNORECASE)
_HAS_WORD = re.compile(r"[^\W\d_]")
_JOINING_WORDS = re.compile(r"\b(?:y|e|and|a|al)\b", re.IGNORECASE)
_AFTER_WORD = re.compile(r"(?<=[^\W\d_])(?=\W*\d)")
_JOINER = "\u2060"  # invisible, and no white space: «Fuente⁠ 3» reads the same and is not a marker
_NORMAL = re.compile(r"\[(M?\d{1,3})\]")
_OF_PASSAGE = re.compile(r"\[(\d{1,3})\]")
# A tail that the next token may turn into a marker, or into a longer one: an open bracket, or a whole marker
# that a range («[1]-[3]») or a link may follow; with the word before it, which may be «artículo».
_OPEN_TAIL = re.compile(
    rf"(?:\ba\w{{0,8}}\.?)?{_SPACE}(?:"
    rf"{_OPEN}\s?{_LIST}\s?{_NOTE}{_CLOSE}(?:\s?[-–—]?\s?(?:{_OPEN}[^\]］】\n]{{0,20}})?|\([^)\s]{{0,300}})"
    rf"|{_OPEN}[^\[\]［］【】\n]{{0,120}}"
    rf"|[(（]\s?(?:{_WORD}[^)）\n]{{0,100}}|\w{{0,10}})"
    rf")?$",
    re.IGNORECASE,
)


def clean_answer(text: str, known: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """The text with every marker in its normal form, and the numbers used, in order of appearance.

    `known`: those of the sources; below 0 those of facts.
    """
    text = _RANGE_OF_MARKERS.sub(r"[\1-\2]", text)
    text = _MARKER.sub(lambda match: _rewrite(match, known), text)
    return text, marker_numbers(text, known)


def marker_numbers(text: str, known: Collection[int]) -> tuple[int, ...]:
    """The known numbers of normal markers, once each, in order of appearance."""
    return tuple(dict.fromkeys(n for n in map(_read, _NORMAL.findall(text)) if n in known))


def renumbered(text: str, new: Callable[[int], int | None]) -> str:
    """The text with other numbers in the normal markers of passages; those that `new` has none for go."""
    return _OF_PASSAGE.sub(lambda marker: f"[{n}]" if (n := new(int(marker[1]))) is not None else "", text)


def _read(written: str) -> int:
    """«3» → 3, «M3» → −3."""
    number = int("".join(filter(str.isdigit, written)))
    return number if written[0].isdigit() else -number


def written_at(answer: str, cleaned: str, sentences: Sequence[str]) -> Iterator[str]:
    """The sentences of a cleaned answer, in order, as they stand in the answer that it was made of."""
    blocks = SequenceMatcher(None, cleaned, answer, autojunk=False).get_matching_blocks()
    at = 0
    for sentence in sentences:
        start = cleaned.find(sentence, at)
        at = start + len(sentence)
        first = next(block for block in blocks if block.a + block.size > start)
        last = next(block for block in blocks if block.a + block.size >= at)
        yield answer[first.b + max(0, start - first.a) : last.b + max(0, at - last.a)].strip()


def strip_markers(text: str) -> str:
    """The text without its markers, for reading it as prose."""
    return _MARKER.sub(lambda match: match[0] if _left_alone(_inside(match)) else "", text)


def defuse_markers(text: str) -> str:
    """A document's own «[3]» or «(Fuente 3)», which is no marker of ours, so that nothing reads it as one."""
    return _MARKER.sub(_defused, text)


def _defused(match: re.Match[str]) -> str:
    inside = _inside(match)
    if _left_alone(inside):
        return match[0]
    return f"{match['space']}({_AFTER_WORD.sub(_JOINER, inside)})"


def _inside(match: re.Match[str]) -> str:
    return str(match["square"] or match["round"])


def _left_alone(inside: str) -> bool:
    named = _HAS_WORD.search(_JOINING_WORDS.sub("", inside)) is not None
    return not named and any(int(number) > _LARGEST_BARE for number in re.findall(r"\d+", inside))


def _rewrite(match: re.Match[str], known: Collection[int]) -> str:
    if _left_alone(_inside(match)):
        return match[0]
    valid = [n for n in dict.fromkeys(_numbers(_inside(match), known)) if n in known]
    if not valid and match["square"] and _ARTICLE.search(match.string[max(0, match.start() - 10) : match.start()]):
        return f" {match['square']}"  # «el artículo [23]»: its number, that a model put into brackets
    return match["space"] + "".join(f"[{mark(n)}]" for n in valid) if valid else ""


def _numbers(inside: str, known: Collection[int]) -> Iterable[int]:
    """The numbers of a marker, its ranges spelled out."""
    start: int | None = None
    for part in _PART.finditer(inside):
        number = _read(part["number"])
        if start is None or start * number < 0:  # no range leads from a source to a fact
            yield number
        else:
            low, high = sorted((start, number))
            yield from (n for n in known if low <= n <= high)
        start = number if part["range"] else None


class MarkerStream:
    """`clean_answer` for tokens as they come: a tail that may become a marker waits for the next token.

    The pieces put together equal `clean_answer` of the whole, but for a space before a dropped marker.
    """

    def __init__(self, known: Collection[int]) -> None:
        self._known = known
        self._held = ""

    def feed(self, token: str) -> str:
        """What can be shown now."""
        text = self._held + token
        tail = _OPEN_TAIL.search(text, max(0, len(text) - 400))
        cut = tail.start() if tail else len(text)
        self._held = text[cut:]
        return clean_answer(text[:cut], self._known)[0]

    def close(self) -> str:
        """What was held back."""
        text, self._held = self._held, ""
        return clean_answer(text, self._known)[0]
