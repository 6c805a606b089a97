"""What people asked to be remembered about a project: each has a mark, `[M1]`, by which answers cite it."""

from __future__ import annotations

from rag_system.storage.connection import Database
from rag_system.storage.facts import RememberedFact, add_fact, forget_fact, list_facts
from rag_system.types import Fact

__all__ = ["Facts", "RememberedFact"]


class Facts:
    """The remembered facts of a project. Its members read them; who may not change them gets `ForbiddenError`."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def all(self) -> list[RememberedFact]:
        """By number."""
        return self._database.run(list_facts, self._project)

    def add(self, text: str) -> Fact:
        """Remember something from the next question on; what is remembered already stays the fact that it is.

        More than 300 characters, nothing at all, or a 51st fact raise `InputError`.
        """
        return self._database.run(add_fact, self._project, text)

    def forget(self, number: int) -> None:
        """Remember it no longer; no other gets its number. One that is not there raises `NotFoundError`."""
        self._database.run(forget_fact, self._project, number)
