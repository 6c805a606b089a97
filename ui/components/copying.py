"""What is taken out of the chat, as plain text that stands on its own: an answer with its references, a quote with its
place, a whole conversation.

Pure functions. What the screen says of an answer (incomplete, without support) goes along with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.texts import text

if TYPE_CHECKING:
    from ui.state import CitedSource, Excerpt, ShownTurn

__all__ = ["answer_text", "conversation_text", "source_text"]


def answer_text(turn: ShownTurn) -> str:
    """An answer, what is to be known of it, and its sources with what is quoted from each."""
    doubted = [text("copy.unsupported"), *(f"- {sentence.strip()}" for sentence in turn.unsupported)]
    sources = [text("copy.sources"), *(f"[{each.n}] {source_text(each)}" for each in turn.sources)]
    parts = [
        turn.content.strip(),
        _state(turn),
        "\n".join(doubted) if turn.unsupported else "",
        "\n".join(sources) if turn.sources else "",
    ]
    return "\n\n".join(filter(None, parts))


def source_text(source: CitedSource) -> str:
    """«Ley de consultas (ley.pdf), página 7, Artículo 5: «El plazo es…»», a line for each place of the source."""
    name = f"{source.title} ({source.file_name})" if source.title else source.file_name
    return "; ".join(_place(name, excerpt) for excerpt in source.excerpts if excerpt.quotes) or name


def conversation_text(turns: Sequence[ShownTurn], *, title: str) -> str:
    """Every question and answer, in Markdown."""
    return "\n\n".join([f"# {title}", *filter(None, map(_turn, turns))]) + "\n"


def _turn(turn: ShownTurn) -> str:
    if turn.role == "upload":
        return ""
    return f"## {' '.join(turn.content.split())}" if turn.role == "user" else answer_text(turn)


def _state(turn: ShownTurn) -> str:
    if turn.stopped:
        return text("chat.stopped")
    return text("chat.incomplete") if turn.incomplete else ""


def _place(name: str, excerpt: Excerpt) -> str:
    page = text("sources.page", page=excerpt.page) if excerpt.page is not None else ""
    where = ", ".join(filter(None, (name, page, excerpt.section.rsplit(" › ", 1)[-1])))
    return f"{where}: {' '.join(f'«{_flat(quote)}»' for quote in excerpt.quotes)}"


def _flat(quote: str) -> str:
    return " ".join(quote.split())
