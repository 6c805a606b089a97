"""«Por qué estas fuentes»: how the question was read, what each search proposed, what left and why, with examples, and
what speaks for each passage that stayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.wording import (
    OUTSIDE,
    POINTS,
    identifier_name,
    in_words,
    levels,
    objection,
    reason_counts,
    reason_name,
    strategy_counts,
)
from ui.components.answer import Names
from ui.components.bars import bar
from ui.texts import decimal, text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from rag_system.types import Funnel, Reading, Rejection, Survivor

__all__ = ["funnel_html", "reading_html", "render_why"]


def render_why(funnel: Funnel, assistant: ProjectAssistant, names: Names, *, key: str, cited: bool) -> None:
    """The funnel below its answer, closed at first; opening it happens in the browser and reruns nothing."""
    heading = text("why.heading") if cited else text("why.heading_none")
    with st.expander(heading, type="compact", icon=":material/filter_alt:", key=f"legajo_why_{key}"):
        if funnel.reading is not None:
            st.html(reading_html(funnel.reading))
        st.html(funnel_html(_named(funnel, names)))
        if funnel.reading is not None:
            _render_near_words(funnel, assistant.explained, key)


def _named(funnel: Funnel, names: Names) -> Funnel:
    """The same with what people call its projects instead of their ids."""
    if not funnel.projects:
        return funnel
    return replace(
        funnel,
        projects=tuple(names.get(each, each) for each in funnel.projects),
        survivors=tuple(replace(each, project=names.get(each.project, each.project)) for each in funnel.survivors),
        examples=tuple(replace(each, project=names.get(each.project, each.project)) for each in funnel.examples),
    )


@st.fragment
def _render_near_words(funnel: Funnel, explained: Callable[[Funnel], Funnel], key: str) -> None:
    """The words nearest to the question, on demand: they cost an embedding of their own. Reruns only itself."""
    if not st.button(text("why.nearest"), key=f"legajo_near_{key}", type="tertiary", icon=":material/near_me:"):
        return
    words = [f"{each.word} {decimal(each.similarity, 2)}" for each in explained(funnel).near_words]
    rows = _row(text("why.near_words"), " · ".join(words), text("why.near_words_help"))
    st.html(f"<table class='legajo-table legajo-reading'>{rows}</table>")


def reading_html(reading: Reading) -> str:
    """How the question was read, a row a fact; what was searched for then is one click deeper."""
    facts = [
        ("why.rewritten", reading.standalone_question if reading.reformulated else ""),
        ("why.identifiers", ", ".join(map(identifier_name, reading.identifiers))),
        ("why.absent", ", ".join(map(identifier_name, reading.absent))),
        ("why.left_out", ", ".join(map(identifier_name, reading.elsewhere))),
        ("why.cited", ", ".join([*reading.authors, *map(str, reading.years)])),
        *(("why.notice", translated(notice)) for notice in reading.notices),
    ]
    searched = [
        ("why.meaning", reading.dense_query),
        ("why.words", ", ".join(reading.words)),
        ("why.angles", ", ".join(f"«{angle}»" for angle in reading.angles)),
    ]
    summary = f"<summary class='legajo-small-title'>{escape(text('why.reading'))}</summary>"
    return f"{_facts(facts)}<details>{summary}{_facts(searched)}</details>"


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(_row(text(key), value) for key, value in facts if value)
    return f"<table class='legajo-table legajo-reading'>{rows}</table>" if rows else ""


def funnel_html(funnel: Funnel) -> str:
    """The passages that stayed, and the steps to them as bars, with examples of what was set aside."""
    rejected, most = sum(funnel.rejected.values()), max(sum(funnel.generated.values()), funnel.merged)
    proposed = " · ".join(f"{translated(name)} {count}" for name, count in strategy_counts(funnel.generated))
    steps = [
        *([_step(text("why.projects"), len(funnel.projects), " · ".join(funnel.projects))] if funnel.projects else []),
        *([_step(_capital(translated(OUTSIDE)), funnel.outside, text("why.unsearched"))] if funnel.documents else []),
        _step(text("why.generated"), sum(funnel.generated.values()), proposed, most=most),
        _step(text("why.merged"), funnel.merged, most=most),
        _step(text("why.rejected"), rejected, "" if rejected else text("why.rejected_none"), most=most),
        *(_reason(funnel, reason, count, most=most) for reason, count in reason_counts(funnel.rejected)),
        _step(text("why.returned"), funnel.returned, most=most),
    ]
    table = f"<table class='legajo-table legajo-steps'>{''.join(steps)}</table>"
    return f"{_ranking(funnel)}{_title(text('why.steps'))}{table}"


def _title(words: str) -> str:
    return f"<p class='legajo-small-title'>{escape(words)}</p>"


def _row(name: str, value: str, note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<tr><th scope='row'>{escape(name)}</th><td>{escape(value)}{small}</td></tr>"


def _step(name: str, count: int, detail: str = "", *, most: int = 0) -> str:
    """With a bar where it is one of `most` passages."""
    head = f"<th scope='row'>{escape(name)}<small>{escape(detail)}</small></th>"
    return f"<tr>{head}<td>{bar(count, most, str(count))}</td></tr>"


def _reason(funnel: Funnel, reason: str, count: int, *, most: int) -> str:
    """A reason that opens on its examples."""
    items = "".join(_example(each, wide=bool(funnel.projects)) for each in funnel.examples if each.reason == reason)
    name = escape(_capital(translated(reason_name(reason))))
    head = f"<details><summary>{name}</summary><ul>{items}</ul></details>" if items else name
    return f"<tr class='legajo-reason'><th scope='row'>{head}</th><td>{bar(count, most, str(count))}</td></tr>"


def _example(rejection: Rejection, *, wide: bool) -> str:
    detail = " · ".join(filter(None, (f"{100 * rejection.level:.0f}", _capital(translated(objection(rejection))))))
    return f"<li>{escape(_place(rejection, wide=wide))}<small>{escape(detail)}</small></li>"


def _ranking(funnel: Funnel) -> str:
    if not funnel.survivors:
        return ""
    head = f"<tr><th>{escape(text('why.column_passage'))}</th><th>{escape(text('why.column_score'))}</th></tr>"
    rows = "".join(_survivor(each, wide=bool(funnel.projects)) for each in funnel.survivors)
    summary = f"<summary class='legajo-note'>{escape(text('why.points'))}</summary>"
    note = f"<details>{summary}<p class='legajo-note'>{escape(translated(POINTS))}</p></details>"
    return f"{_title(text('why.ranking'))}<table class='legajo-table'>{head}{rows}</table>{note}"


def _survivor(survivor: Survivor, *, wide: bool) -> str:
    small = "".join(f"<small>{escape(_capital(translated(line)))}</small>" for line in in_words(survivor))
    given = [(text("metrics.total"), survivor.level), *levels(survivor)]
    numbers = " · ".join(f"{translated(name)} {100 * level:.0f}" for name, level in given)
    deeper = f"<details><summary>{escape(text('why.with_points'))}</summary><small>{escape(numbers)}</small></details>"
    head = f"<th scope='row'>{escape(_place(survivor, wide=wide))}{small}{deeper}</th>"
    return f"<tr>{head}<td>{bar(survivor.level, 1.0)}</td></tr>"


def _place(passage: Survivor | Rejection, *, wide: bool) -> str:
    page = text("sources.page_short", page=passage.page) if passage.page is not None else ""
    file_name = passage.path.rsplit("/", 1)[-1]
    project = passage.project if wide else ""
    return " · ".join(filter(None, (project, file_name, page, passage.section.rsplit(" › ", 1)[-1])))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
