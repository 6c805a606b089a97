"""«Por qué estas fuentes»: what each search proposed, what was dropped and why, and how each passage scored."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from ui.markup import plain_label
from ui.texts import catalogue, decimal, text

if TYPE_CHECKING:
    from rag_system.types import Candidate, QueryPlan, SearchResult

__all__ = ["funnel_html", "named", "render_why"]

_SHOWN_CANDIDATES = 20
_SHOWN_SCORE = 0.005  # less reads as 0,00


def render_why(plan: QueryPlan | None, search: SearchResult) -> None:
    """A button that opens the funnel; opening it happens in the browser and reruns nothing."""
    with st.popover(text("why.heading"), type="tertiary", icon=":material/filter_alt:"):
        st.caption(text("why.intro"))
        if plan is not None and plan.reformulated:
            st.caption(plain_label(text("why.rewritten", question=plan.standalone_question)))
        if plan is not None and plan.identifiers:
            st.caption(plain_label(text("why.identifiers", identifiers=", ".join(plan.identifiers))))
        st.html(funnel_html(search))


def named(section: str, key: str) -> str:
    """The Spanish name of a strategy, reason or phase; one that has none yet shows its own name."""
    return catalogue().get(f"{section}.{key}", key.replace("_", " "))


def funnel_html(search: SearchResult) -> str:
    """The funnel and the ranking as two small tables."""
    funnel = search.funnel
    steps = [
        (text("why.generated"), sum(funnel.generated.values()), _parts("why.strategy", funnel.generated)),
        (text("why.merged"), funnel.merged, ""),
        (
            text("why.rejected"),
            sum(funnel.rejected.values()),
            _parts("why.reason", funnel.rejected) or text("why.rejected_none"),
        ),
        (text("why.returned"), funnel.returned, ""),
    ]
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}<small>{escape(parts)}</small></th><td>{count}</td></tr>"
        for name, count, parts in steps
    )
    return f"<table class='legajo-table'>{rows}</table>{_ranking_html(search)}"


def _parts(section: str, counts: Mapping[str, int]) -> str:
    return " · ".join(f"{named(section, key)}: {count}" for key, count in counts.items() if count)


def _ranking_html(search: SearchResult) -> str:
    if not search.candidates:
        return ""
    head = f"<tr><th>{escape(text('why.column_passage'))}</th><th>{escape(text('why.column_score'))}</th></tr>"
    rows = "".join(map(_candidate_html, search.candidates[:_SHOWN_CANDIDATES]))
    title = escape(text("why.ranking"))
    return f"<p class='legajo-small-title'>{title}</p><table class='legajo-table'>{head}{rows}</table>"


def _candidate_html(candidate: Candidate) -> str:
    chunk = candidate.chunk
    page = text("sources.page_short", page=chunk.page_first) if chunk.page_first is not None else ""
    name = " · ".join(filter(None, (chunk.file_name, page, chunk.section)))
    scores = " · ".join(
        f"{named('why.strategy', key)} {decimal(value, 2)}"
        for key, value in candidate.scores.items()
        if value >= _SHOWN_SCORE
    )
    return (
        f"<tr><th scope='row'>{escape(name)}<small>{escape(scores)}</small></th>"
        f"<td>{decimal(candidate.score, 2)}</td></tr>"
    )
