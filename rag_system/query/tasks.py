"""Work on documents as wholes, told apart from facts: «resume este documento», «compara las dos ediciones». Pure.

The words decide: an order for a product (a summary, a table, a letter), or a question about a document as such. A fact
that stands in a passage is no task, though it says «resumen», «diferencia» or «ejemplo».
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rag_system.query.context_dependence import pointed_item
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.headings import heading_number
from rag_system.query.identifiers import extract_identifiers
from rag_system.query.task_forms import FORMS, ORDERED, POLITE, TAIL, Form, Need, sentences_asked
from rag_system.query.task_objects import NOTHING, Named, read_object, split_documents
from rag_system.query.text import fold
from rag_system.query.wording import Wording, read_wording
from rag_system.types import Message, Task

__all__ = ["OFFER", "names_documents", "read_task"]

OFFER = "¿Continúo?"  # how the assistant asks before what costs much

_OF_A_DOCUMENT = frozenset({"facts", "outline"})
_ARTICLE = re.compile(r"(?:art|numeral|clausula|disposicion)")
_YES = re.compile(
    r"(?:(?:si+|claro|dale|ok|okay|bueno|ya|adelante|por\s+favor|de\s+acuerdo|continua\w*|sigue|hazlo|procede|vale)\s*)+"
)


def read_task(question: str, history: Sequence[Message] = ()) -> Task | None:
    """What a message wants done with documents; None where it asks for a fact, or for something else."""
    if (accepted := _accepted(question, history)) is not None:
        return accepted
    words = read_wording(question)
    start = polite.end() if (polite := POLITE.match(words.text)) else 0
    ordered = bool(ORDERED.match(words.text))
    return _asked(words, start, history, ordered=ordered) or _last_sentence(question, history)


def _last_sentence(question: str, history: Sequence[Message]) -> Task | None:
    """What a message of several sentences ends with: «¿Qué multas hay? Dame todas las multas.»; without courtesy."""
    last = re.split(r"(?<=[.?!;\n])\s+(?=\S*\w)", strip_courtesy(question))[-1]
    return read_task(last, history) if len(last) < len(question) else None


def _asked(words: Wording, start: int, history: Sequence[Message], *, ordered: bool) -> Task | None:
    end = len(words.text)
    while tail := TAIL.search(words.text, start, end):
        end = tail.start()
    for last in dict.fromkeys((end, len(words.text))):  # «… en inglés» may be said of the product, or be what is wanted
        for form in FORMS:
            if (found := form.shape.fullmatch(words.text, start, last)) and (
                task := _read(form, found, words, ordered=ordered)
            ):
                return _pointed(task, words, history)
    return None


def names_documents(question: str, history: Sequence[Message] = ()) -> bool:
    """Whether a task says what it is about, so that what is asked next may be about that."""
    task = read_task(question, history)
    return task is not None and bool(task.names or task.section)


def _accepted(question: str, history: Sequence[Message]) -> Task | None:
    """The task that the assistant offered to go on with, and that is now accepted."""
    if len(history) < 2 or not history[-1].content.rstrip().endswith(OFFER):
        return None
    if not _YES.fullmatch(" ".join(re.findall(r"[a-zñ]+", fold(question)))):
        return None
    task = read_task(history[-2].content, history[:-2])
    return replace(task, confirmed=True) if task else None


def _read(form: Form, found: re.Match[str], words: Wording, *, ordered: bool) -> Task | None:
    groups = found.groupdict()
    named = _named(form, found, words) if groups.get("object") else NOTHING
    if named is None:
        return None
    if form.needs == "section":
        if not _is_section(named):
            return None
        named = replace(named, certain=True)
    elif not _suffices(form.needs, certain=named.certain, ordered=ordered):
        return None
    if form.kind in _OF_A_DOCUMENT and named.of in ("answer", "conversation", "collection"):
        return None
    if form.kind == "outline" and _ARTICLE.match(fold(named.section)):
        return None  # what an article says stands in a passage
    what = words.written(*found.span("what")) if groups.get("what") else form.what
    return Task(
        kind=form.kind,
        of=named.of,
        names=named.names,
        section=named.section,
        what=what,
        certain=named.certain,
        sentences=sentences_asked(words.text) if form.kind == "summarise" else 0,
    )


def _suffices(need: Need, *, certain: bool, ordered: bool) -> bool:
    match need:
        case "any":
            return True
        case "ordered":
            return certain or ordered
        case "certain":
            return certain
    return certain and ordered


def _is_section(named: Named) -> bool:
    """«Las conclusiones de la tesis de Rojas»; what «la tesis» or a norm says stands in a passage."""
    by_name = named.of == "section" and heading_number(named.section) is None
    return by_name and any(" " in name and not extract_identifiers(name) for name in named.names)


def _named(form: Form, found: re.Match[str], words: Wording) -> Named | None:
    start, end = found.span("object")
    if form.kind == "compare":
        return _compared(words, start, end)
    return read_object(words, start, end)


def _compared(words: Wording, start: int, end: int) -> Named | None:
    names = split_documents(words, start, end)
    return None if names is None else Named(of="documents", names=names)


def _pointed(task: Task, words: Wording, history: Sequence[Message]) -> Task:
    """«¿De qué trata el segundo?»: of the list that was just given."""
    if task.certain or not history or history[-1].role != "assistant":
        return task
    item = pointed_item(words.message, history[-1].content)
    return replace(task, names=(item,), certain=True) if item else task
