"""How a canonical identifier is called where people read it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["identifier_name"]

_KINDS: Mapping[str, str] = {
    "ley": "Ley",
    "lo": "Ley Orgánica",
    "ds": "D.S.",
    "dl": "D.Leg.",
    "dley": "D.Ley",
    "rm": "R.M.",
    "rs": "R.S.",
    "du": "D.U.",
    "rd": "R.D.",
    "resolucion": "Resolución",
    "decreto": "Decreto",
}


def identifier_name(canonical: str) -> str:
    """«ds:003-2013-jus» → «D.S. 003-2013-JUS», «iso:27001@2022» → «ISO 27001:2022»."""
    kind, _, number = canonical.partition(":")
    name, _, edition = kind.partition("@")
    written = _KINDS.get(name, name.upper())
    return " ".join(filter(None, (written, edition, number.replace("@", ":").upper())))
