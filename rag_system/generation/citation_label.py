"""Where a passage stands, in words: the name of its document and the article, as they read in an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.generation.markers import defuse_markers
from rag_system.generation.prompt_injection import is_injection
from rag_system.types import Chunk, Evidence, headings_shown

__all__ = ["document_label", "inert", "nearest_label", "section_label"]

_LONGEST_TITLE_CHARS = 100
_SHORT_TITLE_CHARS = 60


def document_label(chunk: Chunk, *, longest: int = _LONGEST_TITLE_CHARS) -> str:
    """The title, as long as it reads as one, cut after a word at `longest` characters; else the file's name."""
    title = " ".join(chunk.title.split())
    if not title or title.isupper() or is_injection(title):
        return inert(chunk.file_name)
    title = inert(title)
    return title if len(title) <= longest else title[:longest].rsplit(None, 1)[0] + "…"


_ARTICLE_HEADING = re.compile(r"art[ií]culo\s+([^\s.,;:–—-]+(?:-[A-Z]\b)?)", re.IGNORECASE)
_NUMBER_SIGNS = frozenset("0123456789°º-ABCDIVXLM")
_LONGEST_PLACE_CHARS = 80


def section_label(chunk: Chunk) -> str:
    """The article, or else the nearest heading; empty when there is none that reads as one."""
    heading_path = headings_shown(chunk.heading_path)
    for heading in reversed(heading_path):
        if found := _ARTICLE_HEADING.match(heading.strip()):
            number = found[1]  # «8-A», «XII», «ÚNICO»
            return f"artículo {number if set(number) <= _NUMBER_SIGNS else number.lower()}"
    nearest = heading_path[-1].strip(" .:") if heading_path else ""
    said = 0 < len(nearest) <= _LONGEST_PLACE_CHARS and not is_injection(nearest)
    return f"«{inert(nearest)}»" if said else ""


def nearest_label(evidence: Sequence[Evidence]) -> str:
    """Where a person may look on, as the end of a Spanish sentence; empty where nothing was found."""
    nearest = max(evidence, key=lambda item: item.score, default=None)
    if nearest is None:
        return ""
    place, name = section_label(nearest.chunk), document_label(nearest.chunk, longest=_SHORT_TITLE_CHARS)
    return f"ningún pasaje trata de lo que pregunta; lo más cercano está en {name}{', ' + place if place else ''}"


def inert(text: str) -> str:
    """A document's own «[3]» is not a marker of ours, and its quotation marks do not close ours."""
    return defuse_markers(text).replace("«", "“").replace("»", "”")
