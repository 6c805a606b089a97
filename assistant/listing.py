"""What `legajo documents` prints for a person: pages, chunks and path in a line, and below what is to be known."""

from __future__ import annotations

from textwrap import shorten, wrap
from typing import TYPE_CHECKING

from assistant.wording import state
from rag_system.ingestion.text import clean_line

if TYPE_CHECKING:
    from assistant.summaries import DocumentSummary

__all__ = ["HEADER", "document_lines"]

COLUMNS = 80
HEADER = " págs.   frag.  documento"
_INDENT = " " * HEADER.index("documento")
_LEAST_TITLE = 20  # columns; less of a title says nothing


def document_lines(document: DocumentSummary) -> str:
    """Within 80 columns, but for a path that is longer: it is told whole, to be copied."""
    pages = "–" if document.pages is None else document.pages
    first = f"{pages:>6} {document.chunks:>7}  {clean_line(document.path)}"
    room = COLUMNS - len(first) - len(" · ")
    title = shorten(clean_line(document.title), room, placeholder="…") if room >= _LEAST_TITLE else ""
    known = clean_line(state(document))
    below = wrap(known, COLUMNS, initial_indent=_INDENT, subsequent_indent=_INDENT, break_on_hyphens=False)
    return "\n".join((" · ".join(filter(None, (first, title))), *below))
