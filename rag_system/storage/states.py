"""The state of a text as the database keeps it: NULL for what is in force, as far as is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb

from rag_system.types import StateKind, TextState

__all__ = ["read_state", "stored_state"]


def stored_state(state: TextState | None) -> Jsonb | None:
    """A state as a column's value."""
    return Jsonb({"kind": state.kind, "told": state.told, "by": state.by, "year": state.year}) if state else None


def read_state(value: Mapping[str, Any] | None) -> TextState | None:
    """A column's value as a state."""
    return TextState(**{**value, "kind": StateKind(value["kind"])}) if value else None
