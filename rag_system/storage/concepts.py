"""A project's tree of concepts and the tags of its chunks, as stored. What a chunk is about is decided elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection
from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from rag_system.storage.postings import Ids
from rag_system.storage.sql import queries, rows_of
from rag_system.types import ConceptTag

__all__ = [
    "ConceptRow",
    "NamedConcept",
    "Tag",
    "TaggableChunk",
    "add_tags",
    "chunk_ids_about",
    "concept_counts",
    "concept_names",
    "count_tags",
    "document_range",
    "documents_about",
    "list_concepts",
    "read_chunks",
    "replace_concepts",
    "sample_vectors",
    "tags_of",
]

_SQL = queries("rag_system.storage.queries", "concepts.sql")

Tag = tuple[int, int, float]  # chunk id, concept id, confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedConcept:
    """A concept's place in the tree."""

    concept_id: int  # its place among those of the project, from 0
    name: str
    parent_id: int | None
    aliases: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptRow(NamedConcept):
    """A concept as stored, with what tells which chunks are similar to it."""

    embedding: HalfVector | None = None
    embedding_model: str | None = None
    mean_cosine: float | None = None
    cosine_spread: float | None = None
    calibrated_on: int = 0  # chunks of the project when the cosines were measured; 0: never


@dataclass(frozen=True, slots=True)
class TaggableChunk:
    """What tagging reads of a chunk."""

    chunk_id: int
    headings: list[str]
    text: str
    embedding: HalfVector


# ---------------------------------------------------------------- the tree


def list_concepts(connection: Connection, project: str) -> list[ConceptRow]:
    """The whole tree with its vectors, as it was written."""
    with connection.cursor(row_factory=class_row(ConceptRow), binary=True) as cursor:
        return cursor.execute(_SQL["list"], {"project": project}).fetchall()


def concept_names(connection: Connection, project: str) -> list[NamedConcept]:
    """The whole tree, as it was written."""
    return rows_of(connection, NamedConcept, _SQL["names"], {"project": project})


def replace_concepts(connection: Connection, project: str, rows: Iterable[ConceptRow]) -> None:
    """Put `rows` in the place of the project's tree; all tags leave with the old one."""
    connection.execute(_SQL["clear"], {"project": project})
    told = [{name: _as_json(value) for name, value in asdict(row).items()} for row in rows]
    connection.execute(_SQL["add_concepts"], {"project": project, "rows": Jsonb(told)})


def _as_json(value: object) -> object:
    """Of what JSON has no word for, its text: a vector, an infinite number."""
    if isinstance(value, HalfVector):
        return value.to_text()
    return str(value) if isinstance(value, float) else value


def concept_counts(connection: Connection, project: str) -> dict[int, tuple[int, int]]:
    """Chunks and documents about each concept or one below it, by its id; those about which there are none left out."""
    rows = connection.execute(_SQL["counts"], {"project": project})
    return {concept_id: (chunks, documents) for concept_id, chunks, documents in rows}


# ---------------------------------------------------------------- tags


def add_tags(connection: Connection, project: str, tags: Iterable[Tag]) -> None:
    """Write tags of chunks that have none; `count_tags` comes afterwards."""
    chunk_ids, concept_ids, confidences = zip(*tags, strict=True) if (tags := list(tags)) else ((), (), ())
    columns = {"chunk_ids": list(chunk_ids), "concept_ids": list(concept_ids), "confidences": list(confidences)}
    connection.execute(_SQL["add_tags"], {"project": project, **columns})


def count_tags(connection: Connection, project: str, chunk_ids: range) -> None:
    """Keep how much of each document is about what; once for each, after all of its chunks have their tags."""
    connection.execute(_SQL["count_tags"], {"project": project, "first": chunk_ids.start, "stop": chunk_ids.stop})


def read_chunks(connection: Connection, project: str, chunk_ids: range, *, limit: int) -> list[TaggableChunk]:
    """The first `limit` of the project's chunks in a range of ids, in their order."""
    key = {"project": project, "first": chunk_ids.start, "stop": chunk_ids.stop, "limit": limit}
    return [TaggableChunk(*row) for row in connection.execute(_SQL["chunks"], key, binary=True)]


def document_range(connection: Connection, project: str, document_id: str) -> range:
    """The ids of a document's chunks; empty when it is not there."""
    key = {"project": project, "document_id": document_id}
    row = connection.execute(_SQL["chunks_of_document"], key).fetchone()
    return range(*row) if row else range(0)


def sample_vectors(connection: Connection, project: str, *, limit: int) -> NDArray[np.float32]:
    """Vectors of chunks from all over the project: (chunks, dimension), at most `limit`."""
    rows = connection.execute(_SQL["sample"], {"project": project, "limit": limit}, binary=True).fetchall()
    return np.array([embedding.to_numpy() for (embedding,) in rows], np.float32)


def chunk_ids_about(connection: Connection, project: str, concept_ids: Sequence[int]) -> Ids:
    """The chunks that are about one of the concepts, ascending."""
    return _ids(connection, "chunk_ids", project=project, concepts=list(concept_ids))


def _ids(connection: Connection, query: str, **key: object) -> Ids:
    (packed,) = connection.execute(_SQL[query], key, binary=True).fetchone() or (b"",)
    return np.frombuffer(packed, ">i4").astype(np.int32)


def documents_about(connection: Connection, project: str, concept_id: int) -> dict[str, int]:
    """The documents that are about a concept or one below it, by id, with how many of their chunks are."""
    return dict(connection.execute(_SQL["documents"], {"project": project, "concept": concept_id}).fetchall())


def tags_of(connection: Connection, project: str, chunk_ids: Sequence[int]) -> Mapping[int, tuple[ConceptTag, ...]]:
    """The concepts of each chunk that has any, surest first."""
    found: dict[int, list[ConceptTag]] = defaultdict(list)
    for chunk_id, name, confidence in connection.execute(_SQL["tags"], {"project": project, "ids": list(chunk_ids)}):
        found[chunk_id].append(ConceptTag(name=name, confidence=round(confidence, 4)))
    return {chunk_id: tuple(tags) for chunk_id, tags in found.items()}
