"""What the answers of the project took and what became of them, as pictures; the words behind them on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from ui.markup import plain_label
from ui.texts import catalogue, language, text

if TYPE_CHECKING:
    from assistant.metrics import DayMetrics, PhaseMetrics
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_usage"]

_RATINGS = 1000
_ROW_PIXELS = 26

Rows = list[dict[str, Any]]


def render_usage(assistant: ProjectAssistant) -> None:
    """The whole page."""
    st.title(text("usage.heading"), anchor=False)
    days = assistant.metrics.days()
    if not days:
        st.caption(text("usage.none"))
        return
    st.caption(text("usage.help"))
    _totals(days)
    _chart("by_day", _outcomes(days), _stacked)
    _chart("wait", _waits(days), _lines)
    _chart("phases", _phases(assistant.metrics.phases()), _bars)
    _chart("documents", _counted(assistant.metrics.cited_documents()), _bars)
    _chart("ratings", _ratings(assistant), _bars)
    _unanswered(assistant)


def _totals(days: Sequence[DayMetrics]) -> None:
    with st.container(horizontal=True):
        for name in ("answers", "abstained", "marked", "failed"):
            st.metric(text(f"usage.total.{name}"), sum(getattr(day, name) for day in days))


# ---------------------------------------------------------------- what is shown


def _outcomes(days: Sequence[DayMetrics]) -> Rows:
    """Answers of a day, by what became of them."""
    rows = []
    for day in days:
        silent, cut = day.abstained, day.incomplete
        parts = {"answered": day.answers - silent - cut, "abstained": silent, "incomplete": cut}
        rows += [_row(f"{day.day:%Y-%m-%d}", text(f"usage.outcome.{name}"), count) for name, count in parts.items()]
    return rows


def _waits(days: Sequence[DayMetrics]) -> Rows:
    """Seconds to the first word and to the last, of half of the answers and of 19 of 20."""
    waits = {
        "half_first": "first_token_p50_ms",
        "most_first": "first_token_p95_ms",
        "half_whole": "total_p50_ms",
        "most_whole": "total_p95_ms",
    }
    taken = ((day, name, getattr(day, field)) for day in days for name, field in waits.items())
    return [_row(f"{day.day:%Y-%m-%d}", text(f"usage.waits.{name}"), ms / 1000) for day, name, ms in taken if ms]


def _phases(phases: Sequence[PhaseMetrics]) -> Rows:
    known = catalogue(language())
    return [_row(known.get(f"metrics.phase.{each.phase}", each.phase), "", each.p50_ms) for each in phases]


def _counted(counts: Mapping[str, int]) -> Rows:
    return [_row(name.rsplit("/", 1)[-1], "", count) for name, count in counts.items()]


def _ratings(assistant: ProjectAssistant) -> Rows:
    """What people thought; of another's project what one thought oneself."""
    entries = assistant.feedback.all(limit=_RATINGS)
    said = Counter(text("rating.up" if entry.up else "rating.down") for entry in entries)
    said.update(text(f"rating.reason.{reason}") for entry in entries for reason in entry.reasons)
    return _counted(said)


def _row(name: str, part: str, value: float) -> dict[str, Any]:
    return {"name": name, "part": part, "value": value}


def _unanswered(assistant: ProjectAssistant) -> None:
    questions = assistant.metrics.unanswered()
    if not questions:
        return
    with st.expander(text("usage.unanswered", count=len(questions)), icon=":material/help:", key="legajo_unanswered"):
        for each in questions:
            st.caption(f"{each.asked_at.astimezone():%d/%m/%Y} · {plain_label(each.question)}")


# ---------------------------------------------------------------- how it is drawn

Spec = dict[str, Any]  # Vega-Lite's
_WHOLE: Spec = {"tickMinStep": 1}  # there is no half an answer
_BAR_PIXELS = 24  # a day is no wider where it is the only one


def _chart(name: str, rows: Rows, spec: Callable[[str], Spec]) -> None:
    if not rows:
        return
    title = text(f"usage.chart.{name}")
    st.html(f"<h2 class='legajo-small-title'>{escape(title)}</h2>")
    drawn = {"data": {"values": rows}, **spec(text(f"usage.unit.{name}"))}
    st.vega_lite_chart(spec=drawn, width="stretch", alt=title)


def _stacked(unit: str) -> Spec:
    return {"mark": {"type": "bar", "size": _BAR_PIXELS}, "encoding": _over_days(unit)}


def _lines(unit: str) -> Spec:
    return {"mark": {"type": "line", "point": True}, "encoding": _over_days(unit)}


def _over_days(unit: str) -> Spec:
    legend = {"orient": "bottom", "labelLimit": 0, "columns": 2}
    return {
        "x": {"field": "name", "type": "ordinal", "title": ""},
        "y": {"field": "value", "type": "quantitative", "title": unit, "axis": _WHOLE},
        "color": {"field": "part", "type": "nominal", "title": "", "legend": legend},
    }


def _bars(unit: str) -> Spec:
    encoding = {
        "y": {"field": "name", "type": "nominal", "title": "", "sort": "-x", "axis": {"labelLimit": 260}},
        "x": {"field": "value", "type": "quantitative", "title": unit, "axis": _WHOLE},
    }
    return {"mark": "bar", "encoding": encoding, "height": {"step": _ROW_PIXELS}}
