"""The commands of `legajo`, a module for each subject. Importing this package makes all of them."""

from __future__ import annotations

from assistant.commands import documents, keys, measures, project, questions, queue
from assistant.commands.group import cli

__all__ = ["cli", "documents", "keys", "measures", "project", "questions", "queue"]
