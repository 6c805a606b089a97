"""Questions to start with, made from the headings of the documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query.identifiers import kind
from rag_system.storage.documents import SampleHeading

__all__ = ["suggest"]

INVENTORY = "¿Qué documentos tiene?"
NAMES = {"ley": "la Ley {}", "iso": "la ISO {}", "ds": "el Decreto Supremo {}", "dl": "el Decreto Legislativo {}"}

_NUMBERING = re.compile(r"^(?:[^\w¿]|[\d_])*(?:(?:art[ií]culo|cap[ií]tulo|anexo)\s+\S+[\s.–-]+)?", re.IGNORECASE)


def suggest(headings: Sequence[SampleHeading], *, limit: int) -> list[str]:
    """Up to `limit` questions, none without documents: one a folder first, norms before the rest, the list last."""
    if not headings:
        return []
    by_folder = {sample.category: sample for sample in reversed(headings)}  # the first of each folder
    ordered = [*sorted(by_folder.values(), key=lambda sample: (not sample.identifiers, sample.path)), *headings]
    questions = dict.fromkeys(_question(sample) for sample in ordered)
    return [*list(questions)[: max(limit - 1, 0)], INVENTORY]


def _question(sample: SampleHeading) -> str:
    subject = _NUMBERING.sub("", sample.heading).strip(" .:")
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
