"""Which candidates may answer: each rejection carries its reason. Pure functions over their columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache

from rag_system.query.identifiers import by_name, extract_identifiers, family, same_identifier
from rag_system.search.table import Row, Table

__all__ = [
    "MENTIONED_IDENTIFIER",
    "Judge",
    "below",
    "names_any",
    "off_topic",
    "reject",
    "with_known_edition",
    "with_known_editions",
]

Reason = str
Judge = Callable[[Row], bool]  # True when the candidate must leave

MENTIONED_IDENTIFIER = 0.3  # metadata score of a document whose head mentions what was asked for

NAME_BEFORE, NAME_AFTER = 120, 40  # characters beside a norm's number that tell which norm it is: «ISO 9001, 14001 y …»

_DIGITS = re.compile(r"\d{2,}")


def reject(ranked: Iterable[Row], judges: Sequence[tuple[Reason, Judge]]) -> tuple[list[Row], dict[Reason, list[Row]]]:
    """The candidates that every judge lets stay, and those that leave by their reason (the first one), all in order."""
    kept: list[Row] = []
    rejected: dict[Reason, list[Row]] = defaultdict(list)
    for row in ranked:
        for reason, leaves in judges:
            if leaves(row):
                rejected[reason].append(row)
                break
        else:
            kept.append(row)
    return kept, dict(rejected)


def off_topic(identifiers: Sequence[str], table: Table, names: Sequence[float]) -> Judge:
    """Leaves when its document *is* something else of the family asked for, and neither its head nor its text names
    what was asked. `names` is the metadata score of each candidate.

    Laws, decrees and resolutions are one family; standards are one for each issuer. Documents without identifiers of
    that family stay; several identifiers in a question are a union. An edition counts when a candidate has it:
    «¿qué cambió de la ISO 27001:2013?» is answered by a guide to that of 2022. A norm asked for by its name alone
    counts when a candidate says that it is it: others may be, under another name.
    """
    asked = tuple(with_known_editions(identifiers, table))
    families = {family(identifier) for identifier in asked}

    @cache  # many candidates are of one document
    def is_another(own: tuple[str, ...]) -> bool:
        return any(family(i) in families for i in own) and not _any_same(asked, own)

    def leaves(row: Row) -> bool:
        named = names[row] >= MENTIONED_IDENTIFIER
        return not named and is_another(tuple(table.identifiers[row])) and not names_any(asked, table.texts[row])

    return leaves


def below(minimum: float, scores: Sequence[float]) -> Judge:
    """Leaves when its score is below `minimum`."""
    return lambda row: scores[row] < minimum


def with_known_editions(identifiers: Iterable[str], table: Table) -> list[str]:
    """Those that are certain, as candidates have them."""
    present = {identifier for own in table.identifiers for identifier in own}
    certain = [asked for asked in identifiers if not by_name(asked) or _any_same([asked], present)]
    return [with_known_edition(identifier, present) for identifier in certain]


def with_known_edition(identifier: str, present: Iterable[str]) -> str:
    """The identifier as asked for when something present matches it, otherwise without its edition."""
    return identifier if _any_same([identifier], present) else identifier.partition("@")[0]


def _any_same(asked: Iterable[str], found: Iterable[str]) -> bool:
    return any(same_identifier(a, f) for a in asked for f in found)


@lru_cache(maxsize=256)  # a search asks twice: for a lift, and before it drops a candidate
def names_any(asked: tuple[str, ...], text: str) -> bool:
    """Whether a text names one of the norms asked for."""
    return any(_any_same(asked, extract_identifiers(part)) for part in _telling(asked, text))


def _telling(asked: tuple[str, ...], text: str) -> Iterator[str]:
    """The parts of a text where a number of what was asked stands; all of it where what was asked has no number."""
    number = _numbers(asked)
    if number is None:
        yield text
        return
    for found in number.finditer(text):
        yield text[max(0, found.start() - NAME_BEFORE) : found.end() + NAME_AFTER]


@lru_cache(maxsize=64)
def _numbers(asked: tuple[str, ...]) -> re.Pattern[str] | None:
    """Finds them with and without dots: «29.733»."""
    numbers = [_DIGITS.findall(identifier) for identifier in asked]
    if not all(numbers):
        return None
    return re.compile("|".join(r"\.?".join(number) for each in numbers for number in each))
