"""What takes more than reading in a project: the one answer, for the chat, its pages and the command line.

It says what is worth being offered. What is allowed the database says, and a test holds this against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from assistant.accounts import ROLES, Role

__all__ = ["LEAST", "Doing", "may"]

Doing = Literal[  # functions of `ProjectAssistant`, with a point those of its parts
    "audit",
    "change_project",
    "concepts.replace",
    "facts.add",
    "facts.forget",
    "feedback.export",
    "give_role",
    "keys.add",
    "keys.remove",
    "library.accept_stream",
    "library.accept_text",
    "library.accept_url",
    "library.add",
    "library.add_files",
    "library.add_url",
    "library.cancel",
    "library.reindex",
    "library.remove",
    "library.retry",
    "notes.save",
    "save_conversation",
    "shelf.rename",
    "shelf.reread",
    "shelf.restore",
    "tags.add",
    "tags.take",
]

_OF_OWNERS: tuple[Doing, ...] = (
    "audit",
    "change_project",
    "feedback.export",
    "give_role",
    "keys.add",  # for the project
    "keys.remove",
)
LEAST: Mapping[Doing, Role] = {each: "owner" if each in _OF_OWNERS else "editor" for each in get_args(Doing)}


def may(role: Role | None, doing: Doing) -> bool:
    """Whether who has the role in a project may do that there; None: a stranger."""
    return role is not None and ROLES.index(role) <= ROLES.index(LEAST[doing])
