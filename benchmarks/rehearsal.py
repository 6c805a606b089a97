"""What everything but the provider costs an answer that a language model writes: before its first word, after its last.

The model is a stand-in that takes no time. It builds the prompt that a real one would be sent, and answers at length in
the words of its sources, in another order, so that nothing is a literal quote and every sentence has to be judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from time import perf_counter

from benchmarks.clocks import Clocks
from benchmarks.measuring import PreparedVectors
from benchmarks.questions import BenchmarkQuestion
from rag_system.generation.prompt import build_messages
from rag_system.pipeline import RAGPipeline
from rag_system.query.sentences import split_sentences
from rag_system.types import AnswerRequest, Evidence, Finished, Token, Usage

__all__ = ["Moment", "Rehearsal", "RehearsedAnswer", "measure_rehearsal", "now"]

SENTENCES = 20  # of a long answer
SHORTEST = 40  # characters of a sentence that says something


class RehearsedAnswer:
    """An answerer that answers at once. Without `cites` no sentence has a marker, and each is compared with all."""

    provider, model, usage, notices, side_model = "local", "", Usage(), (), None

    def __init__(self, *, cites: bool, prompt_tokens: int) -> None:
        self._cites = cites
        self._prompt_tokens = prompt_tokens

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        build_messages(request, max_tokens=self._prompt_tokens)
        by_source = [_retold(item, cites=self._cites) for item in request.evidence]
        in_turn = chain.from_iterable(zip_longest(*by_source))
        yield from islice(filter(None, in_turn), SENTENCES)


def _retold(item: Evidence, *, cites: bool) -> Iterator[str]:
    """The sentences of a source, each with its halves exchanged."""
    marker = f" [{item.n}]" if cites else ""
    for span in split_sentences(item.text):
        words = span.text.rstrip(".").split()
        if len(span.text) >= SHORTEST:
            yield f"{' '.join((*words[len(words) // 2 :], *words[: len(words) // 2])).capitalize()}{marker}. "


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The clocks at one event, in milliseconds."""

    wall: float
    cpu: float  # of this process and, where it can be seen, of the database's

    def __sub__(self, earlier: Moment) -> Moment:
        return Moment(wall=self.wall - earlier.wall, cpu=self.cpu - earlier.cpu)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """One answer: what came before its first word, and what after its last."""

    first_token: Moment
    check: Moment


def measure_rehearsal(
    pipeline: RAGPipeline, vectors: PreparedVectors, questions: Sequence[BenchmarkQuestion], clocks: Clocks
) -> list[Rehearsal]:
    """Each question once; those that the documents do not answer are left out: no model is asked."""
    for question in questions[:1]:
        _rehearse(pipeline, vectors, question, clocks)  # what is loaded at the first use
    found = (_rehearse(pipeline, vectors, question, clocks) for question in questions)
    return [each for each in found if each is not None]


def _rehearse(
    pipeline: RAGPipeline, vectors: PreparedVectors, question: BenchmarkQuestion, clocks: Clocks
) -> Rehearsal | None:
    vectors.expect(question.vector)
    started = now(clocks)
    spoken = []
    for event in pipeline.stream(question.text):
        if isinstance(event, Token):
            spoken.append(now(clocks))
        elif isinstance(event, Finished) and not event.answer.abstained:
            return Rehearsal(first_token=spoken[0] - started, check=now(clocks) - spoken[-1])
    return None


def now(clocks: Clocks) -> Moment:
    """The clocks as they stand."""
    return Moment(cpu=clocks.python_ms() + (clocks.database_ms() or 0.0), wall=perf_counter() * 1e3)
