"""Questions to start with, made from the headings of the documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query.identifiers import kind
from rag_system.storage.documents import SampleHeading

__all__ = ["INVENTORY", "further", "suggest"]

INVENTORY = "¿Qué documentos tiene?"
NAMES = {"ley": "la Ley {}", "iso": "la ISO {}", "ds": "el Decreto Supremo {}", "dl": "el Decreto Legislativo {}"}

_NUMBERING = re.compile(
    r"^(?:[^\w¿]|[\d_])*(?:(?:(?:art[ií]culo|cap[ií]tulo|t[ií]tulo|anexo)\s+\S+|[A-ZÁÉÍÓÚ]+[.–-]+)(?:[\s.–-]+|$))?",
    re.IGNORECASE,
)
_NUMBER_OF_A_NORM = re.compile(r"\bN\.?\s?[º°]", re.IGNORECASE)  # a heading that is only the name of the sheet
_UNFINISHED = re.compile(
    r"\b(?:a|al|con|de|del|e|el|en|es|la|las|los|o|para|por|que|se|su|sus|un|una|y)\W*$", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"(?:a|al|ante|bajo|con|contra|de|del|desde|durante|en|entre|hacia|hasta|mediante|para|por|según|sin|sobre|tras)\b",
    re.IGNORECASE,
)  # at its start: «sobre» takes none after it
_LONGEST_ACRONYM = 5  # letters
_FEWEST_NAMES = 4  # words with a capital that are a list of people
_MOST_SHOUTED = 2  # words in capitals: acronyms; more are a heading of the whole sheet
_SHORTEST = 4  # letters of what can be asked about


def suggest(headings: Sequence[SampleHeading], *, limit: int) -> list[str]:
    """Up to `limit` questions, none without documents: one a folder first, norms before the rest, the list last.

    A heading that was cut off, that shouts, that is nothing but a number or names, or that does not follow «sobre»,
    makes no question.
    """
    if not headings:
        return []
    by_document = {sample.path: sample for sample in reversed(headings) if _asks_for_something(sample)}
    usable = [sample for sample in headings if by_document.get(sample.path) is sample]
    by_folder = {sample.category: sample for sample in reversed(usable)}  # the first of each folder
    ordered = [*sorted(by_folder.values(), key=lambda sample: (not sample.identifiers, sample.path)), *usable]
    questions = dict.fromkeys(_question(sample) for sample in ordered)
    return [*list(questions)[: max(limit - 1, 0)], INVENTORY]


def further(headings: Sequence[SampleHeading], *, limit: int) -> list[str]:
    """Up to `limit` questions about headings, in their order, each once."""
    return list(dict.fromkeys(_question(each) for each in headings if _asks_for_something(each)))[:limit]


def _asks_for_something(sample: SampleHeading) -> bool:
    subject = _subject(sample)
    shouted = [word for word in subject.split() if len(word) > 1 and word.isupper()]
    letters = sum(map(str.isalpha, subject))
    unfit = _UNFINISHED.search(subject) or _NUMBER_OF_A_NORM.search(subject) or _PREPOSITION.match(subject)
    shouts = len(shouted) > _MOST_SHOUTED or (subject.isupper() and letters > _LONGEST_ACRONYM)
    return letters >= _SHORTEST and not (unfit or shouts or _is_of_names(subject))


def _is_of_names(subject: str) -> bool:
    """«Lucía Arancibia Tello y Mateo Quispe»"""
    words: list[str] = re.findall(r"[^\W\d_]+", subject)
    names = sum(map(str.istitle, words))
    return names >= _FEWEST_NAMES and 2 * names > len(words)


def _subject(sample: SampleHeading) -> str:
    return _NUMBERING.sub("", sample.heading).strip(" .:")


def _question(sample: SampleHeading) -> str:
    subject = _subject(sample)
    if subject.startswith("¿"):
        return subject
    return f"¿Qué dice {_name(sample)} sobre {_begin_small(subject)}?"


def _name(sample: SampleHeading) -> str:
    """The norm that the document is about, or its title."""
    for identifier in sample.identifiers:
        if kind(identifier) in NAMES:
            number = identifier.partition(":")[2].partition("@")[0]
            return NAMES[kind(identifier)].format(number.upper())
    return f"«{sample.title or sample.path.rsplit('/', 1)[-1]}»"


def _begin_small(text: str) -> str:
    """Lower case at the start, unless the first word is an acronym."""
    return text if text[:2].isupper() else text[:1].lower() + text[1:]
