"""Who acts in a transaction: the policies of the database read it (`migrations/0003_people.sql`, `0005_…`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import LiteralString

__all__ = ["APP_ROLE", "NOBODY", "WORKER", "Principal"]

APP_ROLE: LiteralString = "legajo_app"  # of every transaction: owns nothing, bypasses nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """At most one of them; but a keeper may look for a person, and a person act in a session. Nobody sees nothing."""

    person: str = ""  # in the projects that it is a member of
    session: str = field(default="", repr=False)  # SHA-256 of its secret: nothing is done once it has ended
    project: str = ""  # a job of this project, which changes its documents
    is_worker: bool = False  # looks for work in all projects, and sees nothing else
    is_keeper: bool = False  # keeps accounts and memberships; with a person, reads what that person said everywhere
    link: str = ""  # SHA-256 of the secret that shows one conversation, and nothing else


NOBODY = Principal()
WORKER = Principal(is_worker=True)
