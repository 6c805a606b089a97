"""A number as a bar: in the tables below an answer, of which a conversation has many, a chart each would be heavy."""

from __future__ import annotations

__all__ = ["bar"]


def bar(value: float, most: float, told: str = "") -> str:
    """As wide as the value is of the `most`, and what is told of it beside it; that alone where there is no `most`."""
    number = f"<span class='legajo-number'>{told}</span>" if told else ""
    if most <= 0:
        return number
    share = max(0.0, min(1.0, value / most))
    return f"<span class='legajo-bar' aria-hidden='true'><span style='width: {100 * share:.0f}%'></span></span>{number}"
