"""A translation shares no words with its sources: it is cited by its numbers alone, and no sentence is marked."""

from __future__ import annotations

from dataclasses import replace

from rag_system.generation.markers import marker_numbers
from rag_system.query.sentences import split_sentences
from rag_system.types import Answer, Citation, Event, Evidence, Finished

__all__ = ["as_translation"]

NOT_CHECKED = "Una traducción no se puede comparar palabra por palabra con sus fuentes: revísela antes de usarla."


def as_translation(event: Event) -> Event:
    """The event, but of the end with a citation for each number."""
    if not isinstance(event, Finished) or event.answer.abstained or event.answer.error:
        return event
    answer = event.answer
    sources = {each.n: each for each in answer.evidence}
    citations = tuple(_citation(sources[n]) for n in marker_numbers(answer.text, sources))
    return Finished(_unmarked(answer, citations))


def _unmarked(answer: Answer, citations: tuple[Citation, ...]) -> Answer:
    return replace(answer, citations=citations, unsupported=(), notices=(*answer.notices, NOT_CHECKED))


def _citation(evidence: Evidence) -> Citation:
    chunk = evidence.chunk
    quote = next((span.text for span in split_sentences(chunk.text)), chunk.text)
    return Citation.of(evidence.n, chunk, quote, chunk.page_first)
