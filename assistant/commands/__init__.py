"""The commands of `legajo`, a module for each subject. Importing this package makes all of them."""

from __future__ import annotations

from assistant.commands import (
    concepts,
    conversations,
    documents,
    facts,
    installation,
    keys,
    measures,
    oversight,
    people,
    programs,
    projects,
    questions,
    queue,
    tokens,
)
from assistant.commands.group import cli

__all__ = [
    "cli",
    "concepts",
    "conversations",
    "documents",
    "facts",
    "installation",
    "keys",
    "measures",
    "oversight",
    "people",
    "programs",
    "projects",
    "questions",
    "queue",
    "tokens",
]
