"""How long an answer took: time to first token, total, and each phase, on demand."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import streamlit as st

from ui.texts import catalogue, decimal, text

__all__ = ["duration", "metrics_html", "render_metrics"]

_HEADLINES = ("ttft", "total")


def render_metrics(metrics: Mapping[str, float]) -> None:
    """A button named after the total that opens the phases."""
    label = duration(metrics["total"]) if "total" in metrics else text("metrics.heading")
    with st.popover(label, type="tertiary", icon=":material/timer:", help=text("metrics.heading")):
        st.html(metrics_html(metrics))


def metrics_html(metrics: Mapping[str, float]) -> str:
    """The times as a table: the two that a person feels first, then the phases in their order."""
    rows = [(text(f"metrics.{key}"), metrics[key]) for key in _HEADLINES if key in metrics]
    rows += [(_phase(key), value) for key, value in metrics.items() if key not in _HEADLINES]
    body = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{duration(value)}</td></tr>" for name, value in rows)
    return f"<table class='legajo-table'>{body}</table>"


def _phase(name: str) -> str:
    """The Spanish name of a phase; one that has none yet shows its own."""
    return catalogue().get(f"metrics.phase.{name}", name.replace("_", " "))


def duration(milliseconds: float) -> str:
    """A time as people read it: «1,8 s», «742 ms», «0,4 ms»."""
    if milliseconds >= 1000:
        return text("metrics.seconds", value=decimal(milliseconds / 1000))
    return text("metrics.milliseconds", value=decimal(milliseconds, 0 if milliseconds >= 10 else 1))
