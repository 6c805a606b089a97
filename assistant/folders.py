"""Folders of a person's conversations in a project: each is there for as long as a conversation is in it."""

from __future__ import annotations

from assistant.conversation_rows import GONE, SQL, conversation_key
from rag_system.errors import InputError, NotFoundError
from rag_system.query.markup import one_line
from rag_system.storage.connection import Database

__all__ = ["LONGEST_FOLDER", "Folders"]

LONGEST_FOLDER = 60  # characters


class Folders:
    """What is done to the folders of who acts; `ConversationSummary.folder` tells what is in which."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def move(self, conversation: str, folder: str) -> None:
        """Put a conversation into a folder, which is made where there is none of that name; '': into none.

        A conversation that is not there raises `NotFoundError`, a name of more than 60 characters `InputError`.
        """
        key = conversation_key(self._project, conversation)
        with self._database.connection() as connection:
            if not connection.execute(SQL["move"], {**key, "folder": _fitting(folder)}).rowcount:
                raise NotFoundError(GONE)

    def rename(self, folder: str, name: str) -> None:
        """Call a folder otherwise; under the name of another, what is in it joins what is in that one.

        No name, or one of more than 60 characters, raises `InputError`.
        """
        if not (name := _fitting(name)):
            raise InputError("El nombre está vacío. Escriba cómo se llamará la carpeta.", code="folder_empty")
        self._empty_into(folder, name)

    def remove(self, folder: str) -> None:
        """Remove a folder: what was in it is in none."""
        self._empty_into(folder, "")

    def _empty_into(self, folder: str, name: str) -> None:
        with self._database.connection() as connection:
            connection.execute(SQL["move_all"], {"project": self._project, "folder": one_line(folder), "name": name})


def _fitting(typed: str) -> str:
    name = one_line(typed)
    if len(name) > LONGEST_FOLDER:
        raise InputError(
            f"El nombre de una carpeta tiene hasta {LONGEST_FOLDER} caracteres. Acórtelo.",
            code="folder_length",
            limit=LONGEST_FOLDER,
        )
    return name
