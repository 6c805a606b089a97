"""What counts as unseen in every format: how pale letters are lost on paper, how near two colours are one, and how much
left-out text is worth a note.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["NEAR", "PALE", "Colour", "is_near", "is_pale", "is_worth_a_note", "letters"]

Colour = tuple[int, int, int]  # red, green and blue, 0…255

PALE = 230  # of 255, the least of red, green and blue: paper has 255
NEAR = 26  # of 255, in each of them, or in grey: a tenth
_MIN_LETTERS = 20  # letters and figures; less is a label


def is_pale(colour: Iterable[int]) -> bool:
    """White, or nearly."""
    return min(colour) >= PALE


def is_near(one: Colour, other: Colour) -> bool:
    """Whether letters of one colour are lost on the other."""
    return all(abs(a - b) < NEAR for a, b in zip(one, other, strict=True))


def letters(text: str) -> int:
    """How many letters and figures a text has."""
    return sum(map(str.isalnum, text))


def is_worth_a_note(count: int) -> bool:
    """Whether the people who read a document are told that so many letters of it were left out."""
    return count >= _MIN_LETTERS
