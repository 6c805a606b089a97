"""Questions to start with, made from what the documents are."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.library import DocumentSummary
from rag_system.query.identifiers import kind

__all__ = ["suggest"]

INVENTORY = "¿Qué documentos tiene?"


def suggest(documents: Iterable[DocumentSummary], *, limit: int) -> list[str]:
    """Up to `limit` questions, one a document kind and folder first, the list of documents last."""
    searchable = [d for d in documents if d.status == "indexed"]
    by_folder = {d.category: d for d in reversed(searchable)}  # the first of each folder
    questions = [_question(d) for d in by_folder.values()] + [_question(d) for d in searchable]
    chosen = list(dict.fromkeys(questions))[: max(limit - 1, 0)]
    return [*chosen, INVENTORY] if searchable else []


def _question(document: DocumentSummary) -> str:
    title = document.title or document.file_name
    kinds = {kind(identifier) for identifier in document.identifiers}
    if "iso" in kinds:
        return f"¿Qué requisitos se describen en «{title}»?"
    if kinds & {"ley", "ds", "dl"}:
        return f"¿Qué obligaciones y plazos señala «{title}»?"
    return f"¿De qué trata «{title}»?"
