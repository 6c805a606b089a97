"""Work on documents as wholes: what a message wants done with which of them. Pure.

Which task it is, is told by `rag_system.query.kinds`; here its words are read for what it is about. A task needs that:
«¿quién firma?» of no document is a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from rag_system.query.context_dependence import pointed_item
from rag_system.query.kinds import read_kind
from rag_system.query.task_objects import (
    DOCUMENT,
    NOTHING,
    Named,
    called,
    part_before,
    read_object,
    reference,
    split_around,
    split_documents,
)
from rag_system.query.task_words import clause_end, cut_manner, sentences_asked, what_is_asked
from rag_system.query.text import fold, tokens
from rag_system.query.word_lists import STOPWORDS
from rag_system.query.wording import Wording, read_wording
from rag_system.types import Message, Task, TaskKind

__all__ = ["OFFER", "accepts_offer", "names_documents", "read_task"]

OFFER = "¿Continúo?"  # how the assistant asks before what costs much

_KINDS: tuple[TaskKind, ...] = get_args(TaskKind)
_OF_A_DOCUMENT = frozenset({"facts", "outline"})
_OF_A_PART = frozenset({"summarise", "explain", "translate"})
_FEW = 3  # words that say something: with more of them, and no document, a fact is asked for
_ARTICLE = re.compile(r"(?:art|numeral|clausula|disposicion)")
_SUBJECT = re.compile(r"\b(?:del?|sobre)\s+(?P<of>(?!que\b).+)|\b(?P<the>(?:el|la|los|las)\s+.+)")
_WHICH = re.compile(  # of two; «el cual» asks nothing, «cuál es la principal diferencia» no more than to compare
    r"(?<!\b(?:el|la|lo)\s)(?<!\bl[ao]s\s)\bcual(?:es)?\s+"
    r"(?!(?:es|son)\s+(?:el|la|los|las)\s+(?:[a-zñ]+\s+)?(?:diferenci|semejanz|similitud|cambi))"
    rf"(?:de\s+(?:l|ell)[oa]s\s+(?:dos\s+)?(?:{DOCUMENT}\s+)?)?"
)
_MANY = re.compile(rf"{DOCUMENT}(?<=s)\s")  # «más artículos, la ley …»: what they have, and none of them
_AND = re.compile(r"(?:\s+(?:y|dime))*\s*$")
_OFFER = re.compile(r"\?\W*$")
_ASSENT = re.compile(
    r"(?:(?:si+p?|claro|dale|ok(?:ay|ey)?|bueno|ya|por\s+favor|adelante|correcto|exacto|esta\s+bien|de\s+acuerdo|me\s+interesa"
    r"|hazlo|vale|continua\w*|sigue|procede)\s*)+"
)


def accepts_offer(question: str, history: Sequence[Message]) -> bool:
    """Whether «sí, por favor» answers a question that the assistant just asked."""
    if not history or history[-1].role != "assistant" or not _OFFER.search(history[-1].content):
        return False
    return _ASSENT.fullmatch(" ".join(re.findall(r"[a-zñ]+", fold(question)))) is not None


def read_task(question: str, history: Sequence[Message] = ()) -> Task | None:
    """What a message wants done with documents; None where it asks for a fact, or for something else."""
    if accepts_offer(question, history):
        return _accepted(history)
    kind = next((each for each in _KINDS if each == read_kind(question).kind), None)
    if kind is None:
        return None
    words = read_wording(question)
    task = _read(kind, words)
    return _pointed(task, words, history) if task else None


def names_documents(question: str, history: Sequence[Message] = ()) -> bool:
    """Whether a task says what it is about, so that what is asked next may be about that."""
    task = read_task(question, history)
    return task is not None and bool(task.names or task.section)


def _accepted(history: Sequence[Message]) -> Task | None:
    """The task that the assistant offered to go on with, and that is now accepted."""
    if len(history) < 2 or not history[-1].content.rstrip().endswith(OFFER):
        return None
    task = read_task(history[-2].content, history[:-2])
    return replace(task, confirmed=True) if task else None


def _read(kind: TaskKind, words: Wording) -> Task | None:
    text, end = words.text, cut_manner(kind, words.text)
    fixed, (first, last) = what_is_asked(kind, text)
    start = reference(words, last if kind == "facts" else first + 1 if kind in ("draft", "list_all") else 0, end)
    if kind == "facts" and start < clause_end(text) < end:  # «quién escribió la tesis y de cuándo es»
        end = clause_end(text)
    if kind == "compare":
        several = split_documents(words, start, end) is not None
        if not several and (around := split_around(words, (start, end), (first, last))):
            names, last = around
            return Task(kind="compare", of="documents", names=names, what=words.written(first, last))
        return _comparison(words, start, end, words.written(first, last))
    if kind in _OF_A_PART and (part := part_before(text, start)) is not None:
        start = part
    named = read_object(words, start, end) if start < end else _subject(kind, words, end)
    if kind in ("draft", "facts") and not (fixed or last):
        return None  # «¿quién redacta el acta?», «¿quién es la tutora de la tesis?»
    if kind in _OF_A_DOCUMENT and not _is_document(kind, named, text):
        return None
    last = min(last, start) if first < start else last
    if kind == "list_all" and not _says(text[first:last]):  # «lista fechas del acta»
        first, last = len(text.partition(" ")[0]), first or start
        if not _says(text[first:last]):
            return None
    return Task(
        kind=kind, of=named.of, names=named.names, section=named.section, what=fixed or _what(words, first, last),
        certain=named.certain, sentences=sentences_asked(text) if kind == "summarise" else 0,
    )  # fmt: skip


def _what(words: Wording, first: int, last: int) -> str:
    """The words without what joins them to a document: «plazos que hay en», «multas de»."""
    said = re.sub(r"\s+(?:que(?:\s.*)?|en|segun|del?)\s*$", "", words.text[first:last])
    return words.written(first, first + len(said))


def _says(text: str) -> set[str]:
    """The words that say something."""
    return {word for word in tokens(text) if word not in STOPWORDS}


def _is_document(kind: TaskKind, named: Named, text: str) -> bool:
    if named == NOTHING:
        return len(_says(text)) <= _FEW
    as_a_whole = named.of not in ("answer", "conversation", "collection") and named.certain
    return as_a_whole and not (kind == "outline" and _ARTICLE.match(fold(named.section)))  # it stands in a passage


def _subject(kind: TaskKind, words: Wording, end: int) -> Named:
    """«Resume el silencio administrativo»: what may be a document's subject, or what a part is called."""
    found = _SUBJECT.search(words.text, 0, end) if kind == "summarise" else None
    if found is None:
        return NOTHING
    start, end = found.span(found.lastgroup or 0)
    return Named(of="documents", names=(words.written(called(words.text, start), end),), certain=False)


def _comparison(words: Wording, start: int, end: int, what: str) -> Task | None:
    """Of the documents named; of those that are pointed at, where nothing else is said: «compáralos»."""
    if not what and (which := _WHICH.search(words.text, 0, end)):
        start, end, what = _of_which(words, which, end)
    names = split_documents(words, start, end) if start < end else () if len(_says(words.text)) == 1 else None
    if names is None:
        return None
    part = None if what else part_before(words.text, start)
    compared = what if part is None else _what(words, part, start)
    return Task(kind="compare", of="documents", names=names, what=compared)


def _of_which(words: Wording, which: re.Match[str], end: int) -> tuple[int, int, str]:
    """Where those of which one is asked for are named, before that or after it, and what is asked of them."""
    start = reference(words, 0, which.start())
    if start < which.start():
        last = start + len(_AND.sub("", words.text[start : which.start()]))
        return start, last, words.written(which.end(), end)
    start = reference(words, which.end(), end)
    while _MANY.match(words.text, start, end):
        start = reference(words, start + 1, end)
    return start, end, words.written(which.end(), start)


def _pointed(task: Task, words: Wording, history: Sequence[Message]) -> Task:
    """«¿De qué trata el segundo?»: of the list that was just given."""
    if (task.certain and task.names) or not history or history[-1].role != "assistant":
        return task
    item = pointed_item(words.message, history[-1].content)
    return replace(task, of="documents", names=(item,), certain=True) if item else task
