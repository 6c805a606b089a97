"""What people think of answers: a thumb, its reasons and a comment, taken along as a table or as a question to measure.

A person rates an answer once: a second thumb takes the place of the first. Beside it stand the question, the answer and
what it cited, which the owners of the project see with it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from io import StringIO
from typing import Literal, get_args

from assistant.conversation_rows import conversation_key
from rag_system.errors import InputError, NotFoundError
from rag_system.query.markup import strip_invisible
from rag_system.storage.audit import must_own, write_down
from rag_system.storage.connection import Database
from rag_system.storage.sql import queries, rows_of

__all__ = [
    "LONGEST_COMMENT",
    "REASONS",
    "Feedback",
    "FeedbackEntry",
    "Rating",
    "Reason",
    "csv_text",
    "evaluation_line",
    "feedback_fields",
]

Reason = Literal["wrong_passage", "incomplete", "outdated", "invented", "hard_to_read", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
LONGEST_COMMENT = 2000  # characters

_SQL = queries("rag_system.storage.queries", "feedback.sql")
_GONE = "Esa respuesta no existe o ya no está. Elija una de sus conversaciones."
# A spreadsheet computes a cell that begins so, whatever it was written by.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS = ("feedback_id", "rated_at", "person", "up", "reasons", "comment", "question", "answer", "paths", "quote")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a person thinks of an answer."""

    up: bool
    reasons: tuple[Reason, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackEntry:
    """A rating with what was rated."""

    feedback_id: str
    person: str
    rated_at: datetime
    up: bool
    reasons: list[Reason]
    comment: str
    question: str  # as its search understood it, on its own
    answer: str
    paths: list[str]  # of the documents that the answer cited, in order
    quote: str  # the first of its quotes


class Feedback:
    """The ratings of a project: everybody's own and, for its owners, all."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def rate(
        self, conversation: str, ordinal: int, *, up: bool, reasons: Sequence[Reason] = (), comment: str = ""
    ) -> None:
        """Rate an answer, once more where that was done.

        Unknown reasons and comments of more than 2,000 characters raise `InputError`, an answer that is not there, or
        of somebody else, `NotFoundError`.
        """
        if unknown := [each for each in reasons if each not in REASONS]:
            raise InputError(f"El motivo «{unknown[0]}» no existe. Elija entre {', '.join(REASONS)}.")
        comment = strip_invisible(comment).strip()
        if len(comment) > LONGEST_COMMENT:
            raise InputError(f"El comentario tiene {len(comment)} caracteres y caben {LONGEST_COMMENT}. Acórtelo.")
        row = {"up": up, "reasons": list(dict.fromkeys(reasons)), "comment": comment}
        key = conversation_key(self._project, conversation)
        with self._database.connection() as connection:
            if not connection.execute(_SQL["rate"], {**key, "ordinal": ordinal, **row}).rowcount:
                raise NotFoundError(_GONE)

    def unrate(self, conversation: str, ordinal: int) -> None:
        """Take a rating back."""
        key = conversation_key(self._project, conversation)
        with self._database.connection() as connection:
            connection.execute(_SQL["unrate"], {**key, "ordinal": ordinal})

    def of_conversation(self, conversation: str) -> dict[int, Rating]:
        """The person's ratings in a conversation, by the ordinal of the answer."""
        key = conversation_key(self._project, conversation)
        with self._database.connection() as connection:
            rows = connection.execute(_SQL["of_conversation"], key).fetchall()
        return {at: Rating(up=up, reasons=tuple(reasons), comment=comment) for at, up, reasons, comment in rows}

    def all(self, *, limit: int) -> list[FeedbackEntry]:
        """The latest first: of an own project everybody's, of another's one's own."""
        return self._database.run(rows_of, FeedbackEntry, _SQL["list"], {"project": self._project, "limit": limit})

    def export(self) -> list[FeedbackEntry]:
        """All of them, which is written down. Who does not own the project gets `ForbiddenError`."""
        with self._database.connection() as connection:
            must_own(connection, self._project, "las opiniones de todos")
            found = rows_of(connection, FeedbackEntry, _SQL["list"], {"project": self._project, "limit": None})
            write_down(connection, self._project, "feedback.export", str(len(found)))
        return found

    def named(self, beginning: str) -> FeedbackEntry:
        """The one whose id begins so."""
        key = {"project": self._project, "beginning": beginning.strip().lower().replace("\0", "")}
        found = self._database.run(rows_of, FeedbackEntry, _SQL["named"], key)
        if len(found) > 1:
            raise InputError(f"Hay varias opiniones que comienzan con «{beginning}». Escriba más letras.")
        if not found:
            raise NotFoundError(f"No hay ninguna opinión «{beginning}». «legajo feedback list» muestra cuáles hay.")
        return found[0]


# ---------------------------------------------------------------- taken along


def feedback_fields(entry: FeedbackEntry) -> dict[str, object]:
    """For programs."""
    return {**asdict(entry), "rated_at": entry.rated_at.isoformat()}


def csv_text(entries: Iterable[FeedbackEntry]) -> str:
    """A table for a spreadsheet, which computes nothing of what people wrote: such a cell begins with an apostrophe."""
    written = StringIO()
    rows = csv.writer(written)
    rows.writerow(_COLUMNS)
    for entry in entries:
        fields = feedback_fields(entry)
        rows.writerow(_cell(fields[name]) for name in _COLUMNS)
    return written.getvalue()


def _cell(value: object) -> str:
    match value:
        case bool():
            return "1" if value else "0"
        case list():
            text = "\n".join(map(str, value))
        case _:
            text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def evaluation_line(
    entry: FeedbackEntry, *, documents: Sequence[str] = (), phrase: str = "", unanswerable: bool = False
) -> str:
    """A line that `legajo evaluate` reads: the question with the documents that answer it, and a phrase of the answer.

    Of an answer that was liked, they are those that it cited, unless others are named. Of one that was not, somebody
    has to say them, or that no document answers: `InputError`.
    """
    if unanswerable and (documents or phrase):
        raise InputError("Si ningún documento responde, no indique documento ni frase.")
    if not (entry.up or documents or unanswerable):
        raise InputError(
            "De una respuesta que no gustó no se sabe cuál es la buena: indique con --document qué documento responde, "
            "o con --unanswerable que ninguno lo hace."
        )
    liked = entry.up and not (documents or unanswerable)
    files, said = (entry.paths, phrase or entry.quote) if liked else (list(documents), phrase)
    row: Mapping[str, object] = {
        "id": entry.feedback_id,
        "question": entry.question,
        **({"gold_files": files} if files else {}),
        **({"answer_phrase": said} if said else {}),
    }
    return json.dumps(row, ensure_ascii=False)
