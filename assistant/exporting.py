"""What is taken out of a conversation, as plain text that stands on its own: an answer with its references, a quote
with its place, all that was said.

Pure functions. What is to be known of an answer (incomplete, without support) goes along with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.view import CitedSource, Excerpt, Turn

__all__ = ["answer_text", "conversation_text", "source_text"]

_INCOMPLETE = "Respuesta incompleta"
_STATES = {"stopped": "Respuesta detenida", "interrupted": "La respuesta se interrumpió.", "writing": _INCOMPLETE}
_UNSUPPORTED, _SOURCES = "Sin respaldo en la fuente citada:", "Fuentes:"


def answer_text(turn: Turn) -> str:
    """An answer, what is to be known of it, and its sources with what is quoted from each."""
    doubted = [_UNSUPPORTED, *(f"- {sentence.strip()}" for sentence in turn.unsupported)]
    sources = [_SOURCES, *(f"[{each.n}] {source_text(each)}" for each in turn.sources)]
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


def conversation_text(turns: Sequence[Turn], *, title: str) -> str:
    """Every question and answer, in Markdown."""
    return "\n\n".join([f"# {title}", *map(_turn, turns)]) + "\n"


def _turn(turn: Turn) -> str:
    return f"## {' '.join(turn.content.split())}" if turn.role == "user" else answer_text(turn)


def _state(turn: Turn) -> str:
    return _STATES.get(turn.state, _INCOMPLETE if turn.incomplete else "")


def _place(name: str, excerpt: Excerpt) -> str:
    page = f"página {excerpt.page}" if excerpt.page is not None else ""
    where = ", ".join(filter(None, (name, page, excerpt.section.rsplit(" › ", 1)[-1])))
    return f"{where}: {' '.join(f'«{_flat(quote)}»' for quote in excerpt.quotes)}"


def _flat(quote: str) -> str:
    return " ".join(quote.split())
