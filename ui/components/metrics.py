"""What an answer took, on demand: time to first token, total, each phase; tokens and cost where they are reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

import streamlit as st

from assistant.wording import PAYERS
from rag_system.types import Usage
from ui.components.bars import bar
from ui.texts import catalogue, decimal, language, text
from ui.texts.saying import translated

__all__ = ["duration", "metrics_html", "render_metrics"]

_HEADLINES = ("ttft", "total")


def render_metrics(metrics: Mapping[str, float], usage: Usage) -> None:
    """A button named after the total that opens the phases."""
    label = duration(metrics["total"]) if "total" in metrics else text("metrics.heading")
    with st.popover(label, type="tertiary", icon=":material/timer:", help=text("metrics.heading")):
        st.html(metrics_html(metrics, usage))


def metrics_html(metrics: Mapping[str, float], usage: Usage) -> str:
    """A table: the two times that a person feels first, the phases in their order, then tokens and cost."""
    rows = [(text(f"metrics.{key}"), metrics[key]) for key in _HEADLINES if key in metrics]
    rows += [(_phase(key), value) for key, value in metrics.items() if key not in _HEADLINES]
    most = max((value for _, value in rows), default=0.0)
    cells = [(name, bar(value, most, duration(value))) for name, value in rows] + list(_usage_rows(usage))
    body = "".join(f"<tr><th scope='row'>{escape(name)}</th><td>{value}</td></tr>" for name, value in cells)
    return f"<table class='legajo-table'>{body}</table>"


def _usage_rows(usage: Usage) -> Iterator[tuple[str, str]]:
    for key, tokens in (("metrics.tokens_in", usage.tokens_in), ("metrics.tokens_out", usage.tokens_out)):
        if tokens is not None:
            yield text(key), decimal(tokens, 0)
    if usage.cost_usd is not None:
        yield text("metrics.cost_usd"), text("metrics.dollars", value=decimal(usage.cost_usd, 6))
    if usage.paid_by is not None:
        yield text("metrics.paid_by"), translated(PAYERS[usage.paid_by])


def _phase(name: str) -> str:
    """What people call a phase; one that has none yet shows its own."""
    return catalogue(language()).get(f"metrics.phase.{name}", name.replace("_", " "))


def duration(milliseconds: float) -> str:
    """A time as people read it: «1,8 s», «742 ms», «0,4 ms»."""
    if milliseconds >= 1000:
        return text("metrics.seconds", value=decimal(milliseconds / 1000))
    return text("metrics.milliseconds", value=decimal(milliseconds, 0 if milliseconds >= 10 else 1))
