"""What was said, as it is shown, stored and taken along: one frozen view of a question or an answer, for all.

`answered` makes it of an answer; a conversation reads it back as it was stored. The chat, the command line, the
conversations and what is exported are built from it and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import groupby
from typing import Any, Literal

from rag_system.types import Answer, Chunk, Citation, Funnel, TextState, Usage, mark

__all__ = ["CitedSource", "Excerpt", "ShownCitation", "State", "Turn", "answered"]

# "stopped" by the person who was reading; "interrupted" when the program that wrote it ended; "writing": not yet whole.
State = Literal["complete", "writing", "stopped", "interrupted"]

_FIELDS = tuple(each.name for each in fields(Citation))

# Of the best level of a question's passages, what the best of a document must have for it to be a rival. Over the
# manuals of `evaluation/` the right document is offered below 5 of 5 answers that quote another one, and something is
# below 10 of 152 that quote it.
RIVAL = 0.8
RIVALS = 3  # documents that a person is offered to choose among


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCitation:
    """What a marker points at; of a stored one, what it pointed at when it was shown, whatever became of the document.

    Of a stored one the result is not known, and the title is what the document is called now: none when it has gone.
    """

    n: int  # below 0 that of a fact: `rag_system.types.mark`
    project: str = ""  # whose document it is
    chunk_id: int  # where the words stand
    document: str  # file name; of a fact empty, as is its path
    path: str
    section: str
    page: int | None
    quote: str
    passage: str  # the chunk's text
    added: bool = False  # by the check of the answer
    state: TextState | None = None  # None: in force, as far as was known
    title: str = ""  # of the document
    result_id: int | None = None  # `chunk_id` of the search's result whose passage holds the words

    @property
    def fields(self) -> dict[str, object]:
        """For programs, with the `chunk_id` by which the results name the whole passage."""
        known = {name: getattr(self, name) for name in _FIELDS} | {"state": self.state.fields if self.state else None}
        if self.n < 0:
            return {**known, "n": mark(self.n), "chunk_id": None}
        return known if self.result_id is None else {**known, "chunk_id": self.result_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A part of a source, with the words that are quoted from it."""

    section: str
    page: int | None
    passage: str
    quotes: tuple[str, ...]
    chunk_id: int | None = None
    state: TextState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSource:
    """What `[n]` opens."""

    n: int
    file_name: str
    path: str
    project: str = ""  # whose document it is, where several were searched
    title: str = ""  # of the document, where it is known
    excerpts: tuple[Excerpt, ...]  # in the order of the document; at least one
    added: bool = False  # cited by the check alone: the model cited it nowhere

    @property
    def is_fact(self) -> bool:
        """Whether a person said it, and no document."""
        return self.n < 0

    @property
    def state(self) -> TextState | None:
        """Of its text: a passage is in force, or is not, as a whole."""
        return self.excerpts[0].state


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A question, or an answer with all that is to be known of it."""

    role: Literal["user", "assistant"]
    content: str = ""
    citations: tuple[ShownCitation, ...] = ()
    unsupported: tuple[str, ...] = ()  # sentences of `content` that share next to nothing with their sources
    provider: str = ""
    model: str = ""
    notices: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)  # milliseconds
    usage: Usage = field(default_factory=Usage)
    abstained: bool = False
    incomplete: bool = False
    state: State = "complete"
    error: str = ""
    code: str = ""  # of the error, and what its sentence names; of a stored one not known
    params: Mapping[str, str | float] = field(default_factory=dict)
    funnel: Funnel = field(default_factory=Funnel)  # empty: nothing was searched
    ordinal: int | None = None  # among the messages of its conversation; None: not stored, or not known to be
    parent: int | None = None  # ordinal of the message that it follows; None: it is a first one
    versions: tuple[int, ...] = ()  # ordinals of all that follow the same message, itself included, oldest first
    said_at: datetime | None = None

    @property
    def rivals(self) -> tuple[str, ...]:
        """Paths of the documents that answer about as well, the best first, `RIVALS` at most: none where the question
        named one, was asked of some, or one is clearly ahead.
        """
        reading, best = self.funnel.reading, dict[str, float]()
        if not (reading and self.citations) or self.funnel.documents or self.funnel.projects:
            return ()
        if reading.identifiers or reading.authors:
            return ()
        for each in self.funnel.survivors:
            if not each.state:
                best[each.path] = max(each.level, best.get(each.path, 0.0))
        least = RIVAL * max(best.values(), default=0.0)
        near = sorted((path for path, level in best.items() if level >= least), key=best.__getitem__, reverse=True)
        return tuple(near[:RIVALS]) if len(near) > 1 else ()

    @property
    def sources(self) -> tuple[CitedSource, ...]:
        """One a number, facts last: what is cited by it may be quoted several times, and consist of several chunks."""
        wide = bool(self.funnel.projects)
        groups = _grouped(self.citations, lambda citation: (citation.n < 0, abs(citation.n)))
        return tuple(_source(group, wide=wide) for group in groups)


def answered(answer: Answer, funnel: Funnel | None = None) -> Turn:
    """An answer, whole or as far as it came, with the account of its search."""
    chunks = answer.chunks
    results = {evidence.n: evidence.chunk.chunk_id for evidence in answer.evidence}
    return Turn(
        role="assistant",
        content=answer.text,
        citations=tuple(
            _shown(each, chunks[each.project, each.chunk_id], results[each.n]) for each in answer.citations
        ),
        unsupported=answer.unsupported,
        provider=answer.provider,
        model=answer.model,
        notices=answer.notices,
        metrics=answer.metrics,
        usage=answer.usage,
        abstained=answer.abstained,
        incomplete=answer.incomplete,
        error=answer.error,
        code=answer.code,
        params=answer.params,
        funnel=funnel or Funnel(),
    )


def _shown(citation: Citation, chunk: Chunk, result_id: int) -> ShownCitation:
    return ShownCitation(
        **{name: getattr(citation, name) for name in _FIELDS},
        section=chunk.section,
        passage=chunk.text,
        state=chunk.state,
        title=chunk.title,
        result_id=result_id,
    )


def _source(citations: Sequence[ShownCitation], *, wide: bool) -> CitedSource:
    first = citations[0]
    return CitedSource(
        n=first.n,
        project=first.project if wide else "",
        file_name=first.document,
        path=first.path,
        title=first.title,
        excerpts=tuple(map(_excerpt, _grouped(citations, lambda citation: citation.chunk_id))),
        added=all(citation.added for citation in citations),
    )


def _excerpt(citations: Sequence[ShownCitation]) -> Excerpt:
    first = citations[0]
    return Excerpt(
        section=first.section,
        page=first.page,
        passage=first.passage,
        quotes=tuple(dict.fromkeys(citation.quote for citation in citations if citation.quote)),
        chunk_id=first.chunk_id,
        state=first.state,
    )


def _grouped(citations: Iterable[ShownCitation], key: Callable[[ShownCitation], Any]) -> list[list[ShownCitation]]:
    return [list(group) for _, group in groupby(sorted(citations, key=key), key)]
