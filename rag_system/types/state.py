"""Whether a text is in force, as its own document or another one of the collection says it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["StateKind", "TextState"]


class StateKind(StrEnum):
    """Why a text is not in force."""

    PREVIOUS = "previous"  # a change put another text in its place
    REPEALED = "repealed"
    UNCONSTITUTIONAL = "unconstitutional"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextState:
    """That a text is not in force, and what says so. A text without a state is in force, as far as is known."""

    kind: StateKind
    told: str  # the words that say so: an editor's note, a label above the text, the provision of another norm
    by: str = ""  # the norm that changed or repealed it, as it is written there: «Ley N° 30807»
    year: int | None = None  # when

    @property
    def fields(self) -> dict[str, object]:
        """For programs."""
        return {"kind": self.kind.value, "label": self.label, "by": self.by, "year": self.year, "told": self.told}

    @property
    def label(self) -> str:
        """What people read of it wherever it is shown, in lower case.

        >>> TextState(kind=StateKind.PREVIOUS, told="(*) Artículo modificado por…", by="Ley N° 30807", year=2018).label
        'texto anterior a la reforma de 2018 (Ley N° 30807)'
        >>> TextState(kind=StateKind.REPEALED, told="[Derogado]").label
        'texto derogado'
        """
        if self.kind is StateKind.PREVIOUS:
            when = f" a la reforma de {self.year}" if self.year else ""
            by = f" a la reforma por {self.by}" if self.by else ""
            return f"texto anterior{when} ({self.by})" if when and by else f"texto anterior{when or by}"
        said = "derogado" if self.kind is StateKind.REPEALED else "declarado inconstitucional"
        when = f" en {self.year}" if self.year else ""
        return f"texto {said}{when} ({self.by})" if self.by else f"texto {said}{when}"
