"""A search confined to what is about one concept, and the concepts of what was found.

A chunk is about a concept when it is tagged with it or with one below it. The ids of those chunks are read once, before
the strategies are asked: each proposes its best among them, so that nothing is cut off that a facet would have kept.
What stands beside a hit in its passage comes along whatever it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from psycopg import Connection

from rag_system.errors import InputError
from rag_system.query.phrases import phrase_terms
from rag_system.query.text import fold
from rag_system.storage.concepts import NamedConcept, chunk_ids_about, concept_names, tags_of
from rag_system.storage.postings import Ids
from rag_system.types import SearchResult

__all__ = ["Facet", "concepts_below", "find_concept", "read_facet", "with_concepts"]

SUGGESTED = 5  # names that are told where one is unknown
NEAR = 0.5  # difflib's ratio from which a name is near


@dataclass(frozen=True, slots=True, kw_only=True)
class Facet:
    """A concept, those below it, and the chunks that are about one of them."""

    name: str
    concept_ids: Sequence[int]
    chunk_ids: Ids  # ascending

    def has(self, chunk_id: int) -> bool:
        at = int(self.chunk_ids.searchsorted(chunk_id))
        return at < len(self.chunk_ids) and int(self.chunk_ids[at]) == chunk_id


def read_facet(connection: Connection, project: str, name: str) -> Facet:
    """What a search is confined to by a concept's name or alias; an unknown one raises `InputError`."""
    tree = concept_names(connection, project)
    concept = find_concept(tree, name)
    below = concepts_below(tree, concept.concept_id)
    return Facet(name=concept.name, concept_ids=below, chunk_ids=chunk_ids_about(connection, project, below))


def find_concept(tree: Sequence[NamedConcept], name: str) -> NamedConcept:
    """The concept of that name or alias, however it is spelled; an unknown one raises `InputError` with near names."""
    wanted = phrase_terms(name)
    for concept in tree:
        if any(phrase_terms(each) == wanted for each in (concept.name, *concept.aliases)):
            return concept
    if not tree:
        raise InputError("El proyecto no tiene conceptos. Agréguelos con «legajo concepts --file ARCHIVO».")
    folded = {fold(concept.name): concept.name for concept in tree}
    near = [folded[each] for each in get_close_matches(fold(name), folded, n=SUGGESTED, cutoff=NEAR)]
    shown = ", ".join(f"«{each}»" for each in near or list(folded.values())[:SUGGESTED])
    raise InputError(f"No existe el concepto «{name}». {'Se parecen' if near else 'Hay, entre otros'}: {shown}.")


def concepts_below(tree: Sequence[NamedConcept], concept_id: int) -> list[int]:
    """The ids of a concept and of all below it."""
    children: dict[int | None, list[int]] = {}
    for concept in tree:
        children.setdefault(concept.parent_id, []).append(concept.concept_id)
    found = [concept_id]
    for each in found:
        found += children.get(each, ())
    return found


def with_concepts(connection: Connection, project: str, found: SearchResult) -> SearchResult:
    """The result with the concepts of each chunk that was found."""
    tags = tags_of(connection, project, [candidate.chunk.chunk_id for candidate in found.candidates])
    return replace(
        found,
        candidates=tuple(replace(each, concepts=tags.get(each.chunk.chunk_id, ())) for each in found.candidates),
        funnel=replace(
            found.funnel,
            survivors=tuple(replace(s, concepts=tags.get(s.chunk_id, ())) for s in found.funnel.survivors),
        ),
    )
