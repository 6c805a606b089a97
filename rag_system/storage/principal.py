"""Who acts in a transaction: the policies of the database read it (`migrations/0003_people.sql`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import LiteralString

__all__ = ["APP_ROLE", "NOBODY", "WORKER", "Principal"]

APP_ROLE: LiteralString = "legajo_app"  # of every transaction: owns nothing, bypasses nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """At most one of them. Nobody sees nothing."""

    person: str = ""  # in the projects that it is a member of
    project: str = ""  # a job of this project, which changes its documents
    is_worker: bool = False  # looks for work in all projects, and sees nothing else
    link: str = ""  # SHA-256 of the secret that shows one conversation, and nothing else


NOBODY = Principal()
WORKER = Principal(is_worker=True)
