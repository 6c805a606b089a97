"""What is taken out of a conversation, as plain text that stands on its own: an answer with its references, a quote
with its place, all that was said.

Pure functions. What is to be known of an answer (incomplete, without support) goes along with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Literal, get_args
from zipfile import ZIP_DEFLATED, ZipFile

from assistant.rendering import answer_fields, doubted_lines
from assistant.view import CitedSource, Excerpt, Turn
from assistant.word import markdown_docx
from assistant.wording import FACT
from rag_system.generation.markers import strip_markers
from rag_system.ingestion.unpacking import numbered
from rag_system.types import mark

if TYPE_CHECKING:
    from assistant.conversations import ConversationSummary

__all__ = [
    "FORMATS",
    "Format",
    "answer_text",
    "conversation_fields",
    "conversation_path",
    "conversation_text",
    "exported",
    "file_name",
    "packed",
    "source_text",
]

Format = Literal["md", "docx", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)

_INCOMPLETE = "Respuesta incompleta"
_STATES = {"stopped": "Respuesta detenida", "interrupted": "La respuesta se interrumpió.", "writing": _INCOMPLETE}
_SOURCES = "Fuentes:"


def answer_text(turn: Turn, *, references: bool = True) -> str:
    """An answer, what is to be known of it, and its sources with what is quoted from each that the answer does not say
    itself; without `references` the answer alone, as it may be searched: a list of ours would be quoted as a source.
    """
    sources = [_SOURCES, *(f"[{mark(each.n)}] {source_text(each, beside=turn.content)}" for each in turn.sources)]
    parts = [
        turn.content.strip() if references else strip_markers(turn.content).strip(),
        _state(turn),
        "\n".join(doubted_lines(turn.unsupported)) if turn.unsupported else "",
        "\n".join(sources) if turn.sources and references else "",
    ]
    return "\n\n".join(filter(None, parts))


def source_text(source: CitedSource, *, beside: str = "") -> str:
    """«Ley de consultas (ley.pdf), página 7, Artículo 5: «El plazo es…»», each place of the source.

    What the text `beside` it quotes already is not quoted again.
    """
    file = f"{source.project}: {source.file_name}" if source.project else source.file_name or FACT
    name = f"{source.title} ({file})" if source.title else file
    said = _flat(beside)
    return "; ".join(_place(name, excerpt, said) for excerpt in source.excerpts if excerpt.quotes) or name


def conversation_text(turns: Sequence[Turn], *, title: str, references: bool = True) -> str:
    """Every question and answer, in Markdown. A title that is the first question, or its beginning, is not repeated.

    `references`: as of `answer_text`.
    """
    first, named = _flat(turns[0].content) if turns else "", _flat(title)
    heading, rest = (first, turns[1:]) if first.startswith(named) else (named, turns)
    said = (_turn(turn, references=references) for turn in rest)
    return "\n\n".join([f"# {heading}", *said]) + "\n"


def conversation_fields(turns: Sequence[Turn], *, title: str) -> dict[str, object]:
    """The same for programs, with the fields of `legajo ask --json` for each answer."""
    return {"title": title, "messages": list(map(_message, turns))}


def exported(turns: Sequence[Turn], *, title: str, format: Format) -> bytes:
    """A conversation as a file: Markdown, the same in Word, or JSON."""
    if format == "json":
        return json.dumps(conversation_fields(turns, title=title), ensure_ascii=False, indent=2).encode("utf-8")
    text = conversation_text(turns, title=title)
    return markdown_docx(text) if format == "docx" else text.encode("utf-8")


def packed(files: Iterable[tuple[str, bytes]], *, format: Format) -> bytes:
    """Conversations as one ZIP, each a file of that format, given with its path without the ending. Of paths that are
    the same, in whatever case, the later ones are numbered.
    """
    content, taken = BytesIO(), set[str]()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for path, file in files:
            names = (numbered(f"{path}.{format}", number) for number in count(1))
            name = next(each for each in names if each.casefold() not in taken)
            taken.add(name.casefold())
            archive.writestr(name, file)
    return content.getvalue()


def conversation_path(summary: ConversationSummary) -> str:
    """«Recursos/Plazo para apelar»: where a conversation stands among all of them, without the ending."""
    return "/".join(map(file_name, filter(None, (summary.folder, summary.title))))


def file_name(title: str) -> str:
    """A title as the name of a file, without the signs that some system does not take there."""
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*¿¡]', " ", title)
    return " ".join(name.split()).strip(" .") or "conversación"


def _message(turn: Turn) -> dict[str, object]:
    said = {"role": turn.role, "ordinal": turn.ordinal, "parent": turn.parent, "said_at": _iso(turn.said_at)}
    if turn.role == "user":
        return {**said, "content": turn.content}
    return {**said, "state": turn.state, **answer_fields(turn)}


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _turn(turn: Turn, *, references: bool) -> str:
    return f"## {_flat(turn.content)}" if turn.role == "user" else answer_text(turn, references=references)


def _state(turn: Turn) -> str:
    return _STATES.get(turn.state, _INCOMPLETE if turn.incomplete else "")


def _place(name: str, excerpt: Excerpt, said: str) -> str:
    page = f"página {excerpt.page}" if excerpt.page is not None else ""
    state = excerpt.state.label if excerpt.state else ""
    where = ", ".join(filter(None, (name, page, excerpt.section.rsplit(" › ", 1)[-1], state)))
    quotes = [f"«{quote}»" for quote in map(_flat, excerpt.quotes) if f"«{quote}»" not in said]
    return f"{where}: {' '.join(quotes)}" if quotes else where


def _flat(text: str) -> str:
    return " ".join(text.split())
