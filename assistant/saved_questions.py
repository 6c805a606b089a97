"""Questions that a person keeps in a project to ask them again."""

from __future__ import annotations

from dataclasses import dataclass

from rag_system.errors import InputError, NotFoundError
from rag_system.query.markup import one_line, strip_invisible
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.storage.sql import queries, rows_of

__all__ = ["LONGEST_NAME", "LONGEST_SAVED", "MOST_SAVED", "SavedQuestion", "SavedQuestions"]

LONGEST_NAME, LONGEST_SAVED = 80, 10_000  # characters
MOST_SAVED = 200  # of a person in a project: they are all listed in one menu
_SQL = queries("rag_system.storage.queries", "saved_questions.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedQuestion:
    """A question with what it is called."""

    question_id: str
    name: str
    question: str


class SavedQuestions:
    """Those of who acts, which nobody else sees."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def all(self) -> list[SavedQuestion]:
        """By name."""
        return self._database.run(rows_of, SavedQuestion, _SQL["list"], {"project": self._project})

    def save(self, question: str) -> None:
        """Keep a question, called by its first 80 characters; one that is kept already stays as it is called.

        Nothing, more than 10,000 characters, or a 201st question raises `InputError`.
        """
        question = strip_invisible(question).strip()
        if not 0 < len(question) <= LONGEST_SAVED:
            raise InputError(f"Escriba una pregunta, de hasta {LONGEST_SAVED} caracteres.")
        with self._database.connection() as connection:
            get_project(connection, self._project)
            values = {"project": self._project, "name": one_line(question)[:LONGEST_NAME], "question": question}
            connection.execute(_SQL["save"], values)
            (kept,) = connection.execute(_SQL["count"], values).fetchone() or (0,)
            if kept > MOST_SAVED:
                raise InputError(
                    f"Ya guarda {MOST_SAVED} preguntas en este proyecto, que son las que caben. Quite alguna antes.",
                    code="too_many_saved",
                    limit=MOST_SAVED,
                )

    def rename(self, question_id: str, name: str) -> None:
        """Call a question otherwise: by the first 80 characters of a name.

        An empty one raises `InputError`, a question that is not there `NotFoundError`.
        """
        if not (name := one_line(name)[:LONGEST_NAME]):
            raise InputError("El nombre está vacío. Escriba cómo se llamará la pregunta.")
        self._change("rename", question_id=question_id, name=name)

    def remove(self, question_id: str) -> None:
        """Keep a question no longer. One that is not there raises `NotFoundError`."""
        self._change("remove", question_id=question_id)

    def _change(self, query: str, **values: str) -> None:
        with self._database.connection() as connection:
            if not connection.execute(_SQL[query], {"project": self._project, **values}).rowcount:
                raise NotFoundError("Esa pregunta guardada ya no está.")
