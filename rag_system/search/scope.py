"""A search confined to what is about one concept or to chosen documents, and the concepts of what was found.

A chunk is about a concept when it is tagged with it or with one below it. The ids of those chunks are read once, before
the strategies are asked: each proposes its best among them, so that nothing is cut off that a scope would have kept.
What stands beside a hit in its passage comes along whatever it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

import numpy as np
from psycopg import Connection

from rag_system.errors import InputError
from rag_system.query.identifiers import bases, same_identifier
from rag_system.query.phrases import phrase_terms
from rag_system.query.text import fold
from rag_system.storage.concepts import NamedConcept, chunk_ids_about, concept_names, tags_of
from rag_system.storage.documents import held_chunks, holders, list_norms, list_paths
from rag_system.storage.postings import Ids
from rag_system.storage.projects import ProjectRow
from rag_system.types import SearchResult

__all__ = ["SearchScope", "concepts_below", "find_concept", "find_documents", "read_search_scope", "with_concepts"]

SUGGESTED = 5  # names that are told where one is unknown
NEAR = 0.5  # difflib's ratio from which a name is near


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchScope:
    """What a search is confined to: a concept and those below it, documents, or both; and the chunks that are left."""

    concept_ids: Sequence[int] = ()  # none: whatever the chunks are about
    documents: Sequence[str] = ()  # paths; none: all
    document_ids: Sequence[str] = ()  # that hold the chunks of `documents`
    outside: int = 0  # chunks of the project that are not of `documents`
    chunk_ids: Ids  # ascending
    elsewhere: Sequence[str] = ()  # norms asked for, canonical: the project has them, and none of `chunk_ids` is theirs

    def has(self, chunk_id: int) -> bool:
        return self.reaches(range(chunk_id, chunk_id + 1))

    def reaches(self, chunk_ids: range) -> bool:
        """Whether any of those chunks is left."""
        at = int(self.chunk_ids.searchsorted(chunk_ids.start))
        return at < len(self.chunk_ids) and int(self.chunk_ids[at]) < chunk_ids.stop


def read_search_scope(
    connection: Connection,
    project: ProjectRow,
    *,
    concept: str = "",
    documents: Sequence[str] = (),
    identifiers: Sequence[str] = (),
) -> SearchScope | None:
    """What a search is confined to: a concept by its name or alias, documents by their paths. None: to nothing.

    What is unknown raises `InputError`. `identifiers` are the norms asked for.
    """
    scope = _about(connection, project.project_id, concept) if concept else None
    if documents:
        scope = _within(connection, project, scope, documents)
    if scope is None or not identifiers:
        return scope
    return replace(scope, elsewhere=tuple(_elsewhere(connection, project.project_id, scope, identifiers)))


def _within(
    connection: Connection, project: ProjectRow, scope: SearchScope | None, documents: Sequence[str]
) -> SearchScope:
    ids = list(dict.fromkeys(find_documents(connection, project.project_id, documents).values()))
    held = held_chunks(connection, project.project_id, ids)
    return SearchScope(
        concept_ids=scope.concept_ids if scope else (),
        documents=tuple(dict.fromkeys(documents)),
        document_ids=ids,
        outside=max(0, project.chunk_count - len(held)),
        chunk_ids=np.intersect1d(scope.chunk_ids, held, assume_unique=True) if scope else held,
    )


def _elsewhere(connection: Connection, project: str, scope: SearchScope, identifiers: Sequence[str]) -> Iterator[str]:
    """Of the norms asked for, those whose documents all lie outside the scope."""
    known = list_norms(connection, project, [base for identifier in identifiers for base in bases(identifier)])
    for asked in identifiers:
        chunks = [held for norm, held in known if same_identifier(asked, norm)]
        if chunks and not any(scope.reaches(held) for held in chunks):
            yield asked


def _about(connection: Connection, project: str, name: str) -> SearchScope:
    tree = concept_names(connection, project)
    below = concepts_below(tree, find_concept(tree, name).concept_id)
    return SearchScope(concept_ids=below, chunk_ids=chunk_ids_about(connection, project, below))


def find_documents(connection: Connection, project: str, paths: Sequence[str]) -> dict[str, str]:
    """Of each path, the document that holds its chunks; an unknown one raises `InputError` with near paths."""
    found = holders(connection, project, paths)
    unknown = next((path for path in paths if path not in found), None)
    if unknown is None:
        return found
    known = list_paths(connection, project)
    named = [path for path in known if fold(path).endswith(f"/{fold(unknown)}")]
    near = named[:SUGGESTED] or _near(unknown, known)
    hint = f"Se parecen: {', '.join(f'«{path}»' for path in near)}." if near else "Véalos con «legajo documents»."
    said = f"No hay ningún documento «{unknown}» en este proyecto. {hint}"
    raise InputError(said, code="unknown_document", document=unknown)


def find_concept(tree: Sequence[NamedConcept], name: str) -> NamedConcept:
    """The concept of that name or alias, however it is spelled; an unknown one raises `InputError` with near names."""
    wanted = phrase_terms(name)
    for concept in tree:
        if any(phrase_terms(each) == wanted for each in (concept.name, *concept.aliases)):
            return concept
    if not tree:
        raise InputError("El proyecto no tiene conceptos. Agréguelos con «legajo concepts --file ARCHIVO».")
    names = [concept.name for concept in tree]
    near = _near(name, names)
    shown = ", ".join(f"«{each}»" for each in near or names[:SUGGESTED])
    said = f"No existe el concepto «{name}». {'Se parecen' if near else 'Hay, entre otros'}: {shown}."
    raise InputError(said, code="unknown_concept", concept=name)


def _near(name: str, known: Sequence[str]) -> list[str]:
    """The names that are spelled much like it, nearest first."""
    folded = {fold(each): each for each in known}
    return [folded[each] for each in get_close_matches(fold(name), folded, n=SUGGESTED, cutoff=NEAR)]


def concepts_below(tree: Sequence[NamedConcept], concept_id: int) -> list[int]:
    """The ids of a concept and of all below it."""
    children: dict[int | None, list[int]] = {}
    for concept in tree:
        children.setdefault(concept.parent_id, []).append(concept.concept_id)
    found = [concept_id]
    for each in found:
        found += children.get(each, ())
    return found


def with_concepts(connection: Connection, projects: Sequence[ProjectRow], found: SearchResult) -> SearchResult:
    """The result with the concepts of each chunk that was found, where its project has a tree."""
    for project in projects:
        if project.has_concepts:
            found = _tagged(connection, project.project_id, found)
    return found


def _tagged(connection: Connection, project: str, found: SearchResult) -> SearchResult:
    ids = [candidate.chunk.chunk_id for candidate in found.candidates if candidate.chunk.project == project]
    tags = tags_of(connection, project, ids)
    return replace(
        found,
        candidates=tuple(
            replace(each, concepts=tags.get(each.chunk.chunk_id, ())) if each.chunk.project == project else each
            for each in found.candidates
        ),
        funnel=replace(
            found.funnel,
            survivors=tuple(
                replace(each, concepts=tags.get(each.chunk_id, ())) if each.project == project else each
                for each in found.funnel.survivors
            ),
        ),
    )
