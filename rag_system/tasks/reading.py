"""Documents read whole by a language model: part by part within the length of a prompt, then written about once.

Notes are taken of each part, with the numbers of the passages that they are from; where they are too long together,
they are joined. Every number that the answer has leads back to a passage.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from rag_system.errors import ProviderError
from rag_system.generation.answering import write
from rag_system.generation.markers import marker_numbers, renumbered
from rag_system.generation.prompt import SOURCES_SHARE
from rag_system.generation.prompt_budget import estimate_tokens
from rag_system.generation.protocol import Answerer
from rag_system.query.sentences import split_sentences
from rag_system.tasks.keeping import BrokenOff, InTurn, Keeping, Kept
from rag_system.timing import Stopwatch
from rag_system.types import (
    AnswerRequest,
    Assignment,
    Candidate,
    Chunk,
    Citation,
    Event,
    Evidence,
    Finished,
    Progress,
    Retrieved,
    SearchResult,
)

__all__ = ["Cost", "Notes", "Reading", "as_translation", "merged", "numbered", "retrieved"]

TAG_TOKENS = 40  # of a passage's tags and attributes
RULES_TOKENS = 1_100  # of a request, besides its passages
NOTES_TOKENS = 400  # of the notes of a part: 200 words and their numbers
MOST_SOURCES = 99  # that one request may number: a larger number in brackets is none of ours
NOTHING = "nada"
NOT_CHECKED = "Una traducción no se puede comparar palabra por palabra con sus fuentes: revísela antes de usarla."
CUT = "Es muy largo: aquí están las primeras {done} partes de {total}. Pida el resto por sus capítulos."

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """A text with markers, and the evidence that they point at, numbered from 1."""

    text: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a reading takes, estimated."""

    requests: int
    tokens: int


def numbered(chunks: Sequence[Chunk]) -> tuple[Evidence, ...]:
    """The chunks as evidence, in their order."""
    return tuple(Evidence(n=n, chunk=each, text=each.text, score=0.0) for n, each in enumerate(chunks, start=1))


def retrieved(evidence: tuple[Evidence, ...]) -> Retrieved:
    """What was read, told as what a search finds is."""
    found = tuple(Candidate(chunk=each.chunk, score=0.0, scores={}) for each in evidence)
    return Retrieved(SearchResult(candidates=found), evidence)


class Reading:
    """One task done with a model. `base` is its request, with all passages as evidence."""

    def __init__(self, base: AnswerRequest, answerer: Keeping, kept: Kept, *, prompt_tokens: int) -> None:
        self._base = base
        self._assignment = _assignment_of(base)
        self._answerer = answerer
        self._kept = kept
        self._room = prompt_tokens * SOURCES_SHARE
        self.windows = list(_windows([each.chunk for each in base.evidence], self._room))

    @cached_property
    def cost(self) -> Cost:
        """Of what was not read before."""
        requests = [self._reading(n) for n in range(len(self.windows))] if len(self.windows) > 1 else [self._base]
        keys = [self._kept.key(request, self._answerer) for request in requests]
        known = self._kept.known(keys)
        left = [request for request, key in zip(requests, keys, strict=True) if key not in known]
        tokens = sum(_tokens(each.chunk) for request in left for each in request.evidence)
        again = NOTES_TOKENS * len(self.windows) if len(self.windows) > 1 else 0
        return Cost(requests=len(left) + bool(again), tokens=tokens + RULES_TOKENS * len(left) + 2 * again)

    def events(self, watch: Stopwatch) -> Iterator[Event]:
        """`Progress`… where it does not fit into one request, `Retrieved`, then what `write` yields."""
        if len(self.windows) <= 1:
            yield from _written(self._base, self._answerer, watch)
            return
        if self._assignment.task.kind == "translate":
            yield from self._in_turn(watch)
            return
        taken: list[Notes] = []
        tokens = self.cost.tokens
        try:
            with watch.phase("notes"):
                for n in range(len(self.windows)):
                    yield Progress(n, len(self.windows), tokens)
                    taken.append(self._notes(self._reading(n)))
                yield Progress(len(self.windows), len(self.windows), tokens)
                notes = yield from self._joined(taken)
        except ProviderError as failure:
            told = merged(taken)
            yield from _written(self._writing(told), BrokenOff(self._answerer, told.text, failure), watch)
            return
        yield from _written(self._writing(notes), self._answerer, watch)

    def _in_turn(self, watch: Stopwatch) -> Iterator[Event]:
        """Each part in full, one after the other: notes of a text are no translation."""
        sizes = accumulate(map(len, self.windows))
        windows = [each for each, so_far in zip(self.windows, sizes, strict=True) if so_far <= MOST_SOURCES]
        told = () if len(windows) == len(self.windows) else (CUT.format(done=len(windows), total=len(self.windows)),)
        whole = numbered([item.chunk for window in windows for item in window])
        plan = replace(self._base.plan, notices=(*self._base.plan.notices, *told))
        parts = [replace(self._base, evidence=window) for window in windows]
        yield from _written(replace(self._base, plan=plan, evidence=whole), InTurn(self._answerer, parts), watch)

    # ------------------------------------------------------------ the requests

    def _reading(self, n: int) -> AnswerRequest:
        step = replace(self._assignment, step="take_notes", part=n + 1, parts=len(self.windows))
        return replace(self._base, evidence=self.windows[n], assignment=step)

    def _writing(self, notes: Notes) -> AnswerRequest:
        told = replace(self._assignment, said=notes.text, said_is="notes", shows_evidence=False)
        return replace(self._base, evidence=notes.evidence, assignment=told)

    def _notes(self, request: AnswerRequest) -> Notes:
        text = "".join(self._answerer.stream(request)).strip()
        return Notes() if _says_nothing(text) else _cited(text, request.evidence)

    def _joined(self, taken: Sequence[Notes]) -> Generator[Event, None, Notes]:
        """Notes that fit into one request; joined group by group until they do."""
        notes = [each for each in taken if each.text]
        while estimate_tokens(merged(notes).text) > self._room and len(notes) > 1:
            groups = list(_packed(notes, lambda each: estimate_tokens(each.text), self._room))
            if len(groups) == len(notes):  # each is as long as a request: nothing can be joined
                break
            for n, group in enumerate(groups):
                yield Progress(n, len(groups))
                groups[n] = [self._join(group)]
            notes = [each for group in groups for each in group]
        return merged(notes)

    def _join(self, group: Sequence[Notes]) -> Notes:
        request = self._writing(merged(group))
        step = replace(self._assignment, step="join_notes", said=merged(group).text, shows_evidence=False)
        return self._notes(replace(request, assignment=step))


def _assignment_of(base: AnswerRequest) -> Assignment:
    assert base.assignment is not None  # noqa: S101 - of a task; for the type checker
    return base.assignment


def _written(request: AnswerRequest, answerer: Answerer, watch: Stopwatch) -> Iterator[Event]:
    yield retrieved(request.evidence)
    yield from write(request, answerer, watch)


# ---------------------------------------------------------------- parts of the text


def _tokens(chunk: Chunk) -> int:
    return estimate_tokens(chunk.text) + TAG_TOKENS


def _windows(chunks: Sequence[Chunk], room: float) -> Iterator[tuple[Evidence, ...]]:
    """As many passages in a row as fit into a request, each numbered from 1."""
    return map(numbered, _packed(chunks, _tokens, room, most=MOST_SOURCES))


def _packed(
    items: Sequence[T], tokens: Callable[[T], int], room: float, *, most: int | None = None
) -> Iterator[list[T]]:
    """Runs of items that fit into the room together; what is too long for it stands alone."""
    run: list[T] = []
    left = room
    for item in items:
        cost = tokens(item)
        if run and (cost > left or len(run) == most):
            yield run
            run, left = [], room
        run.append(item)
        left -= cost
    if run:
        yield run


# ---------------------------------------------------------------- notes


def _says_nothing(text: str) -> bool:
    return text.strip(" .«»\"'*-").lower() in ("", NOTHING)


def _cited(text: str, evidence: Sequence[Evidence]) -> Notes:
    """The text with the evidence that it cites, numbered anew."""
    sources = {each.n: each for each in evidence}
    numbers = marker_numbers(text, sources)
    new = {n: at for at, n in enumerate(numbers, start=1)}
    chosen = [sources[n] for n in numbers]
    return Notes(text=renumbered(text, new.get), evidence=tuple(replace(e, n=n) for n, e in enumerate(chosen, start=1)))


def as_translation(event: Event) -> Event:
    """The event, but of the end with a citation for each number, and no sentence marked: a translation shares no words
    with its sources.
    """
    if not isinstance(event, Finished) or event.answer.abstained or event.answer.error:
        return event
    answer = event.answer
    sources = {each.n: each for each in answer.evidence}
    citations = tuple(_citation(sources[n]) for n in marker_numbers(answer.text, sources))
    return Finished(replace(answer, citations=citations, unsupported=(), notices=(*answer.notices, NOT_CHECKED)))


def _citation(evidence: Evidence) -> Citation:
    chunk = evidence.chunk
    quote = next((span.text for span in split_sentences(chunk.text)), chunk.text)
    return Citation.of(evidence.n, chunk, quote, chunk.page_first)


def merged(notes: Sequence[Notes]) -> Notes:
    """Notes one after the other; of more sources than a request may number, the last lose theirs."""
    texts: list[str] = []
    evidence: dict[int, Evidence] = {}
    for each in notes:
        for item in each.evidence:
            if item.chunk.chunk_id not in evidence and len(evidence) < MOST_SOURCES:
                evidence[item.chunk.chunk_id] = replace(item, n=len(evidence) + 1)
        new = {item.n: evidence[c].n for item in each.evidence if (c := item.chunk.chunk_id) in evidence}
        texts.append(renumbered(each.text, new.get))
    return Notes(text="\n".join(filter(None, texts)), evidence=tuple(evidence.values()))
