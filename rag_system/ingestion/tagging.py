"""Tags the stored chunks of a project with its concepts: those of one document as it is published, all of them when the
tree changes. Without a tree it costs one look-up.

How the cosines of a concept lie is measured once and stored, and anew while the project is small and has doubled: a
first document says little about the others.

Another tree is compared with all chunks before anything is locked; what has to wait for each other is only the writing
of what was found. Everything else happens in the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.ingestion.concepts import Calibration, Tagger, Vectors, calibrate, embedded_text, tidy, tree_errors
from rag_system.storage.audit import write_down
from rag_system.storage.concepts import (
    ConceptRow,
    TaggableChunk,
    add_tags,
    count_tags,
    document_range,
    list_concepts,
    live_chunks,
    read_chunks,
    replace_concepts,
    sample_vectors,
)
from rag_system.storage.connection import Database
from rag_system.storage.projects import ProjectRow, check_model, get_project, lock_project
from rag_system.types import Concept

__all__ = ["set_concepts", "tag_document", "tag_project"]

BATCH = 512  # chunks in memory at once
SAMPLED = 2000  # chunks that a concept's cosines are measured on, at most
SETTLED = 4096  # chunks from which a project's cosines are not measured again
TOLD = 10  # errors of a tree that are listed

Tree = Sequence[ConceptRow]
Tags = NDArray[np.float64]  # (tags, 3): chunk id, place of the concept in the tree, confidence; as tuples four times it
Read = Callable[[range], list[TaggableChunk]]  # the first of the chunks in a range of ids


def set_concepts(
    database: Database, project: str, concepts: Sequence[Concept], *, embeddings: Callable[[], EmbeddingModel]
) -> None:
    """Put a tree in the place of the project's, and tag all its chunks anew: one transaction, which readers and
    publishers wait for no longer than it writes. The project is made when missing.

    Names whose vector is known are not embedded again, and `embeddings` is only called for others. A tree with errors
    raises `InputError`, a line an error, and leaves everything as it was.
    """
    concepts = tidy(concepts)
    if errors := tree_errors(concepts):
        more = [f"Y {len(errors) - TOLD} errores más."] if len(errors) > TOLD else []
        raise InputError("\n".join((*errors[:TOLD], *more)))
    while not _replaced(database.unhurried(), project, concepts, embeddings):
        pass  # meanwhile the project got another model: vectors of one say nothing of the other's


def _replaced(
    database: Database, project: str, concepts: Sequence[Concept], embeddings: Callable[[], EmbeddingModel]
) -> bool:
    """Whether the tree is in its place; False when the project's model is not what it was."""
    with database.connection() as connection:
        row = get_project(connection, project)
        known = {embedded_text(_concept(each)): each for each in list_concepts(connection, project)}
    tree = _embedded(_rows(concepts, known), row, embeddings)
    with database.connection() as connection:
        tree = _calibrated(connection, row, tree)
    tagger = _tagger(tree, row.embedding_model)

    def read(chunk_ids: range) -> list[TaggableChunk]:
        with database.connection() as connection:
            return read_chunks(connection, project, chunk_ids, limit=BATCH)

    found = list(_tags(read, tagger, range(row.next_chunk_id))) if tree else []
    with database.connection() as connection:
        now = lock_project(connection, project)
        if now.embedding_model != row.embedding_model:
            return False
        live = live_chunks(connection, project)
        kept = [tags[np.isin(tags[:, 0], live)] for tags in found]
        _store(connection, now, tree, tagger, known=kept, fresh=range(row.next_chunk_id, now.next_chunk_id))
        write_down(connection, project, "concepts.change", str(len(tree)))
    return True


def tag_project(connection: Connection, project: str, *, embeddings: Callable[[], EmbeddingModel]) -> None:
    """Tag all chunks anew, after the project changed its embedding model."""
    if tree := list_concepts(connection, project):
        row = lock_project(connection, project)
        _write(connection, row, _embedded(tree, row, embeddings))


def tag_document(connection: Connection, *, project: str, document_id: str) -> None:
    """Tag the chunks of a document that this transaction published."""
    tree = list_concepts(connection, project)
    if not tree:
        return
    row = get_project(connection, project)
    if 2 * tree[0].calibrated_on <= min(row.chunk_count, SETTLED):
        _write(connection, row, tree)
    else:
        _tag(connection, project, _tagger(tree, row.embedding_model), document_range(connection, project, document_id))


def _write(connection: Connection, row: ProjectRow, tree: Tree) -> None:
    """Store the tree with its cosines as they lie now, and tag everything."""
    tree = _calibrated(connection, row, tree)
    _store(connection, row, tree, _tagger(tree, row.embedding_model), known=(), fresh=range(row.next_chunk_id))


def _store(
    connection: Connection, row: ProjectRow, tree: Tree, tagger: Tagger, *, known: Iterable[Tags], fresh: range
) -> None:
    """Put the tree in its place, with the tags that are known and those of `fresh` chunks."""
    project = row.project_id
    replace_concepts(connection, project, tree)
    if tree:
        for tags in known:
            _add(connection, project, tags)
        for tags in _tags(_reader(connection, project), tagger, fresh):
            _add(connection, project, tags)
        count_tags(connection, project, range(row.next_chunk_id))


def _tag(connection: Connection, project: str, tagger: Tagger, chunk_ids: range) -> None:
    for tags in _tags(_reader(connection, project), tagger, chunk_ids):
        _add(connection, project, tags)
    count_tags(connection, project, chunk_ids)


def _reader(connection: Connection, project: str) -> Read:
    return partial(read_chunks, connection, project, limit=BATCH)


def _tags(read: Read, tagger: Tagger, chunk_ids: range) -> Iterator[Tags]:
    """The tags of the chunks in a range of ids, a batch at a time."""
    while chunks := read(chunk_ids):
        vectors = np.array([chunk.embedding.to_numpy() for chunk in chunks], np.float32)
        tagged = tagger.tag([(chunk.headings, chunk.text) for chunk in chunks], vectors)
        pairs = zip(chunks, tagged, strict=True)
        yield np.array([(c.chunk_id, place, sure) for c, tags in pairs for place, sure in tags]).reshape(-1, 3)
        chunk_ids = range(chunks[-1].chunk_id + 1, chunk_ids.stop)


def _add(connection: Connection, project: str, tags: Tags) -> None:
    add_tags(connection, project, ((int(chunk), int(place), sure) for chunk, place, sure in tags.tolist()))


# ---------------------------------------------------------------- rows


def _concept(row: ConceptRow) -> Concept:
    return Concept(name=row.name, aliases=tuple(row.aliases))


def _rows(concepts: Sequence[Concept], known: Mapping[str, ConceptRow]) -> list[ConceptRow]:
    """The rows of a tree, with the vectors that are known by what they were made from."""
    place = {concept.name: number for number, concept in enumerate(concepts)}
    return [
        ConceptRow(
            concept_id=number,
            name=concept.name,
            parent_id=place.get(concept.parent),
            aliases=list(concept.aliases),
            embedding=old.embedding if (old := known.get(embedded_text(concept))) else None,
            embedding_model=old.embedding_model if old else None,
        )
        for number, concept in enumerate(concepts)
    ]


def _embedded(tree: Tree, project: ProjectRow, embeddings: Callable[[], EmbeddingModel]) -> Tree:
    """The tree with vectors of the project's model, or of the one in use where the project has none yet."""
    if all(row.embedding_model == project.embedding_model and row.embedding is not None for row in tree):
        return tree
    model = embeddings()
    check_model(project, model.manifest)
    own = model.manifest.model_id
    return [row if row.embedding_model == own else _embed(row, model) for row in tree]


def _embed(row: ConceptRow, model: EmbeddingModel) -> ConceptRow:
    vector = HalfVector(model.embed_query(embedded_text(_concept(row))))
    return replace(row, embedding=vector, embedding_model=model.manifest.model_id)


def _calibrated(connection: Connection, project: ProjectRow, tree: Tree) -> Tree:
    """The tree with the cosines of its concepts as they lie now."""
    measured = [replace(row, mean_cosine=None, cosine_spread=None, calibrated_on=project.chunk_count) for row in tree]
    vectors = _vectors(tree, project.embedding_model)
    if vectors is None or not tree:
        return measured
    found = calibrate(vectors, sample_vectors(connection, project.project_id, limit=SAMPLED))
    if found is None:
        return measured
    pairs = zip(measured, found.means.tolist(), found.spreads.tolist(), strict=True)
    return [replace(row, mean_cosine=mean, cosine_spread=spread) for row, mean, spread in pairs]


def _tagger(tree: Tree, model: str | None) -> Tagger:
    return Tagger([_concept(each) for each in tree], _calibration(tree, model))


def _calibration(tree: Tree, model: str | None) -> Calibration | None:
    vectors = _vectors(tree, model)
    if not tree or vectors is None or any(row.mean_cosine is None for row in tree):
        return None
    means, spreads = np.array([(row.mean_cosine, row.cosine_spread) for row in tree], np.float32).T
    return Calibration(vectors=vectors, means=means, spreads=spreads)


def _vectors(tree: Tree, model: str | None) -> Vectors | None:
    """(concepts, dimension); None unless all are of the project's model."""
    if any(row.embedding_model != model for row in tree):
        return None
    return np.array([row.embedding.to_numpy() for row in tree if row.embedding is not None], np.float32)
