"""Fill chunks with pieces (sentences, table rows, lines of code) up to a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from unicodedata import category

__all__ = ["CountTokens", "Packer", "Piece", "TokenCounter", "joined", "page_starts"]

CountTokens = Callable[[list[str]], list[int]]

_REMEMBERED = 4_096  # texts whose tokens are counted once: a section and its neighbours
_JOINER, _SKINS = "\u200d", "🏻🏼🏽🏾🏿"  # of emoji
_LONGEST_CHARACTER = 16  # code points of one that a person sees; more marks than that are noise
_MAX_HEADER_SHARE = 0.33  # of the budget: a longer header is not repeated


@dataclass(frozen=True, slots=True)
class Piece:
    """The smallest part that packing keeps whole."""

    text: str
    page: int | None
    opens: bool  # begins a paragraph, a row or a line: joined to the piece before by a newline, else by a space
    verbatim: bool = False  # a row or a line of code: never repeated as overlap
    header: str = ""  # what it is read under: the first row of its table, the words that introduce its list


class TokenCounter:
    """Counts a text's tokens, and for a piece one more, for what joins it to the next."""

    def __init__(self, count_tokens: CountTokens) -> None:
        self.whole = lru_cache(maxsize=_REMEMBERED)(lambda text: count_tokens([text])[0])
        self._special = self.whole("")

    def piece(self, text: str) -> int:
        """What a piece adds to a chunk, at most."""
        return self.whole(text) - self._special + 1


class Packer:
    """Cuts the pieces of one section into chunks of even size."""

    def __init__(self, *, budget: int, overlap: int, counter: TokenCounter) -> None:
        if budget < 1:
            raise ValueError("the title leaves no tokens for the text")
        self._budget = budget
        self._overlap = min(overlap, budget // 3)
        self._counter = counter

    def pack(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        fitting = [part for piece in pieces for part in self._fit(piece)]
        costs = [self._cost(piece) for piece in fitting]
        remaining = sum(costs)
        target = self._even_size(remaining)
        current: list[Piece] = []
        size = fresh = 0  # fresh: pieces that are no overlap
        for piece, cost in zip(fitting, costs, strict=True):
            if fresh and self._closes(size, remaining, target, piece, cost):
                yield current
                current, size = self._carried(current, piece, cost)
                fresh = 0
            current.append(piece)
            size, remaining, fresh = size + cost, remaining - cost, fresh + 1
        if fresh:
            yield current

    def _even_size(self, total: int) -> float:
        if total <= self._budget:
            return total
        step = self._budget - self._overlap
        count = -(-(total - self._overlap) // step)
        return (total + (count - 1) * self._overlap) / count

    def _closes(self, size: int, remaining: int, target: float, following: Piece, cost: int) -> bool:
        """Whether a chunk ends before the piece that follows: it is full, or even and at the end of a paragraph."""
        if size + cost > self._budget:
            return True
        return following.opens and size >= target and size + remaining > self._budget

    def _carried(self, closed: Sequence[Piece], following: Piece, cost: int) -> tuple[list[Piece], int]:
        """What the next chunk begins with: the header of a table or list that goes on; then, inside of an item, and
        everywhere else, the overlap.
        """
        header_cost = self._cost_of_header(following, cost)
        size = header_cost
        overlap: list[Piece] = []
        for piece in reversed(closed[1:]) if not (header_cost and following.opens) else ():
            piece_cost = self._cost(piece)
            too_much = size - header_cost + piece_cost > self._overlap or size + piece_cost + cost > self._budget
            if piece.verbatim or too_much or piece.text in following.header.split("\n"):
                break
            overlap.insert(0, piece)
            size += piece_cost
        first = overlap[0] if overlap else following
        header = [replace(first, text=following.header, opens=True)] if header_cost else []
        return [*header, *overlap], size

    def _cost_of_header(self, following: Piece, cost: int) -> int:
        """0 where there is none to repeat, or it takes too much."""
        if following.header in ("", following.text):
            return 0
        header_cost = self._counter.piece(following.header)
        small = header_cost <= _MAX_HEADER_SHARE * self._budget and header_cost + cost <= self._budget
        return header_cost if small else 0

    def _cost(self, piece: Piece) -> int:
        return self._counter.piece(piece.text)

    def _fit(self, piece: Piece) -> Iterator[Piece]:
        """The piece, or its parts when it alone is above the budget."""
        cost = self._cost(piece)
        if cost <= self._budget or len(piece.text) == 1:
            yield piece
            return
        for number, part in enumerate(_slices(piece.text, -(-cost * 10 // (self._budget * 9)))):
            yield from self._fit(replace(piece, text=part, opens=piece.opens and number == 0))


def _slices(text: str, count: int) -> list[str]:
    """Cut into about `count` parts of even length, after a comma or a space where there is one near."""
    count = max(2, min(count, len(text)))
    step = len(text) / count
    cuts = [0]
    for number in range(1, count):
        cut = _near_cut(text, round(number * step), cuts[-1] + 1, max(1, round(step / 3)))
        if cut < len(text):
            cuts.append(cut)
    parts = [text[start:end].strip() for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True)]
    return [part for part in parts if part]


def _near_cut(text: str, wanted: int, lowest: int, window: int) -> int:
    low = max(lowest, wanted - window)
    for mark in ("; ", ", ", " "):
        at = text.rfind(mark, low, wanted)
        if at >= 0:
            return at + len(mark)
    return _whole_character(text, max(lowest, wanted))


def _whole_character(text: str, at: int) -> int:
    """The first place from `at` on that does not part an accent, a joined emoji or its skin from what it belongs to."""
    last = min(at + _LONGEST_CHARACTER, len(text))
    return next((place for place in range(at, last) if not _belongs(text[place - 1], text[place])), at)


def _belongs(before: str, character: str) -> bool:
    return _JOINER in (before, character) or character in _SKINS or category(character)[0] == "M"


def joined(pieces: Sequence[Piece]) -> str:
    """The text of a chunk."""
    text = before = ""
    for piece in pieces:
        below = piece.opens or (piece.header == before)
        text = piece.text if not text else f"{text}{chr(10) if below else ' '}{piece.text}"
        before = piece.text
    return text


def page_starts(pieces: Sequence[Piece]) -> tuple[int, ...]:
    """Where each page after the first begins in the `joined` text; one without text begins where the next one does."""
    starts: list[int] = []
    at, page = 0, min((piece.page for piece in pieces if piece.page is not None), default=0)
    for piece in pieces:
        if piece.page is not None and piece.page > page:
            starts += [at] * (piece.page - page)
            page = piece.page
        at += len(piece.text) + 1
    return tuple(starts)
