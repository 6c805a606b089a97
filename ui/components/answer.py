"""The finished answer: its text with `[n]` buttons, and the source that each opens, with the quote highlighted.

Opening a source happens in the browser alone: it works by keyboard, waits for nobody, and cannot stop an answer that
is being written. Everything shown from documents is set as text by `answer.js`, never as markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import streamlit as st

from assistant.exporting import answer_text, source_text
from assistant.notes import is_note
from assistant.wording import FACT
from rag_system.generation.deciding import deciding_words
from rag_system.generation.extractive import NEAREST, NEAREST_OF
from rag_system.query.several import several_questions
from rag_system.types import mark
from ui.components.addresses import Place
from ui.components.drawing import drawn
from ui.markup import answer_html
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.view import CitedSource, Excerpt, Turn

__all__ = ["Names", "answer_data", "highlighted", "render_answer"]

Names = Mapping[str, str]  # of projects, by id
_QUOTED = re.compile(r"» \[M?\d+\]$", re.MULTILINE)  # how the answerer without a model ends a quote
_HTML = '<div class="answer"></div><div class="sources"></div>'


def render_answer(
    turn: Turn,
    *,
    project: str,
    names: Names,
    key: str,
    reveal: bool = False,
    on_read: Callable[[str], None] | None = None,
) -> None:
    """Show a finished answer and its sources; `reveal` scrolls to the start of one that came at once.

    `on_read` is called with the number of a source whose document is to be opened here; None: in a window of its own.
    """
    data = {**answer_data(turn, project=project, names=names), "reveal": reveal, "beside": on_read is not None}

    def read() -> None:
        if on_read is not None and (n := st.session_state[key]["read"]):
            on_read(str(n))

    drawn("answer", html=_HTML, passages=True)(data=data, key=key, on_read_change=read)


def answer_data(turn: Turn, *, project: str = "", names: Names = MappingProxyType({})) -> dict[str, Any]:
    """What the browser gets: inert HTML of the answer, and its sources as plain values; `names` are what people call
    the projects that were searched, by id.
    """
    numbers = {source.n for source in turn.sources}
    return {
        "html": answer_html(
            turn.content, sources=numbers, unsupported=turn.unsupported, decisive=_decisive(turn), clickable=True
        ),
        "sources": [_card(source, project, names) for source in turn.sources],
        "documents": _documents(turn.sources, names),
        "also": _also(turn),
        "copy": answer_text(turn),
        "labels": _labels(),
    }


def _decisive(turn: Turn) -> tuple[int, int]:
    """Where the words of the first quote stand that decide; nowhere where it is only the nearest that was found."""
    ended, reading = _QUOTED.search(turn.content), turn.funnel.reading
    if not (_is_quotes(turn) and ended and reading) or _is_nearest(turn):
        return 0, 0
    start = turn.content.rfind("«", 0, ended.start()) + 1
    found = deciding_words(reading.standalone_question, turn.content[start : ended.start()])
    return (start + found[0], start + found[1]) if found else (0, 0)


def _also(turn: Turn) -> str:
    """What the quotes after the first are folded under, where the answer is nothing but quotes of passages found: they
    back it up, unless each answers a question of its own, or may be the one that answers.
    """
    reading = turn.funnel.reading
    asked = reading.standalone_question if reading and not reading.reformulated else ""
    folds = _is_quotes(turn) and not _is_nearest(turn) and not several_questions(asked)
    quotes = len(_QUOTED.findall(turn.content)) if folds else 0
    return text("sources.also", count=quotes - 1) if quotes > 1 else ""


def _is_nearest(turn: Turn) -> bool:
    return turn.content.startswith(tuple(map(translated, (NEAREST, NEAREST_OF.format(number=1)))))


def _is_quotes(turn: Turn) -> bool:
    return turn.provider == "extractive" and bool(turn.funnel.generated)


def _labels() -> dict[str, str]:
    shown = {
        name: text(f"sources.{name}") for name in ("heading", "close", "passage", "unsupported", "listen", "quiet")
    }
    copying = {f"copy_{name}": text(f"copy.{name}") for name in ("answer", "quote", "done", "failed")}
    return {**shown, **copying, "document": text("original.open")}


def _card(source: CitedSource, project: str, names: Names) -> dict[str, Any]:
    added = text("sources.added") if source.added else ""
    places = [_joined(_page(each), each.section) for each in source.excerpts]
    excerpts = [
        {"place": here if here != before else "", "parts": highlighted(each.passage, each.quotes)}
        for before, here, each in zip(places[:1] + places, places, source.excerpts, strict=False)
    ]
    return {
        "n": mark(source.n),
        "file": _file(source, names),
        "path": source.path,
        "title": translated(FACT) if source.is_fact else source.title,
        "place": _joined(places[0], added),
        "state": _state(source),
        "open": text(
            "sources.open", n=mark(source.n), place=_joined(_name(source, names) or translated(FACT), _short(source))
        ),
        "excerpts": excerpts,
        "copy": source_text(source),
        "address": "" if source.is_fact else _address(source, project),
    }


def _address(source: CitedSource, project: str) -> str:
    """Where its document is opened at the first of its quotes."""
    first = next((each for each in source.excerpts if each.quotes), source.excerpts[0])
    quote = "".join(first.quotes[:1])
    project = source.project or project
    return Place(path=source.path, project=project, page=first.page, chunk_id=first.chunk_id, quote=quote).address


def _documents(sources: Sequence[CitedSource], names: Names) -> list[dict[str, Any]]:
    """The list below an answer: each document once, and in it each place once, with the numbers that cite it and which
    of their excerpts stands there.
    """
    found: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    for source in sources:
        places = found.setdefault((source.project, source.path), {})
        quoted = [at for at, each in enumerate(source.excerpts) if each.quotes]
        for at in quoted or [0]:
            openers = places.setdefault(_short(source, at), [])
            if all(each["n"] != mark(source.n) for each in openers):
                openers.append({"n": mark(source.n), "at": at})
    called = {(source.project, source.path): _name(source, names) or text("sources.facts") for source in sources}
    files = {(source.project, source.path): _file(source, names) for source in sources}
    alike = Counter(called.values())
    return [
        {
            "name": called[document] if alike[called[document]] == 1 else _joined(called[document], files[document]),
            "path": document[1],
            "places": [{"label": label, "numbers": numbers} for label, numbers in places.items()],
        }
        for document, places in found.items()
    ]


def _name(source: CitedSource, names: Names) -> str:
    """«Contratos · Guía de los contratos»: its title, or else its file name; of a note, that it is one."""
    kind = text("notes.mark") if is_note(source.path) else ""
    return _joined(names.get(source.project, source.project), kind, source.title or source.file_name)


def _file(source: CitedSource, names: Names) -> str:
    """«Contratos · guia.pdf»: its project only where several were searched."""
    return _joined(names.get(source.project, source.project), source.file_name)


def _short(source: CitedSource, at: int = 0) -> str:
    """«p. 7 · 3.2 Control de acceso»: where an excerpt of it stands, after what it is where it is not in force."""
    excerpt = source.excerpts[at]
    page = text("sources.page_short", page=excerpt.page) if excerpt.page is not None else ""
    return _joined(_state(source), page, excerpt.section.rsplit(" › ", 1)[-1])


def _state(source: CitedSource) -> str:
    return translated(source.state.label) if source.state else ""


def _page(excerpt: Excerpt) -> str:
    return text("sources.page", page=excerpt.page) if excerpt.page is not None else ""


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def highlighted(passage: str, quotes: tuple[str, ...]) -> list[tuple[str, bool]]:
    """The passage cut into pieces, each with whether it is quoted. Overlapping quotes join."""
    spans = sorted((at, at + len(quote)) for quote in quotes if (at := passage.find(quote)) >= 0)
    parts: list[tuple[str, bool]] = []
    position = 0
    for start, end in spans:
        if end <= position:
            continue
        first = max(start, position)
        parts.extend([(passage[position:first], False), (passage[first:end], True)])
        position = end
    parts.append((passage[position:], False))
    return [part for part in parts if part[0]]
