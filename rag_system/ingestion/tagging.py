"""Tags the stored chunks of a project with its concepts: those of one document as it is published, all of them when the
tree changes. Without a tree it costs one look-up.

How the cosines of a concept lie is measured once and stored, and anew while the project is small and has doubled: a
first document says little about the others.

Another tree has a transaction of its own; everything else happens in the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from pgvector import HalfVector
from psycopg import Connection

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.ingestion.concepts import Calibration, Tagger, Vectors, calibrate, embedded_text, tidy, tree_errors
from rag_system.storage.audit import write_down
from rag_system.storage.concepts import (
    ConceptRow,
    add_tags,
    count_tags,
    document_range,
    list_concepts,
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


def set_concepts(
    database: Database, project: str, concepts: Sequence[Concept], *, embeddings: Callable[[], EmbeddingModel]
) -> None:
    """Put a tree in the place of the project's, and tag all its chunks anew: one transaction, for which publishers of
    the project wait. The project is made when missing.

    Names whose vector is known are not embedded again, and `embeddings` is only called for others. A tree with errors
    raises `InputError`, a line an error, and leaves everything as it was.
    """
    concepts = tidy(concepts)
    if errors := tree_errors(concepts):
        more = [f"Y {len(errors) - TOLD} errores más."] if len(errors) > TOLD else []
        raise InputError("\n".join((*errors[:TOLD], *more)))
    with database.unhurried().connection() as connection:
        row = lock_project(connection, project)
        known = {embedded_text(_concept(each)): each for each in list_concepts(connection, project)}
        _write(connection, row, _embedded(_rows(concepts, known), row, embeddings))
        write_down(connection, project, "concepts.change", str(len(concepts)))


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
    replace_concepts(connection, row.project_id, tree)
    if tree:
        _tag(connection, row.project_id, _tagger(tree, row.embedding_model), range(row.next_chunk_id))


def _tag(connection: Connection, project: str, tagger: Tagger, chunk_ids: range) -> None:
    """Tag the chunks in a range of ids, a batch at a time."""
    left = chunk_ids
    while chunks := read_chunks(connection, project, left, limit=BATCH):
        vectors = np.array([chunk.embedding.to_numpy() for chunk in chunks], np.float32)
        tagged = tagger.tag([(chunk.headings, chunk.text) for chunk in chunks], vectors)
        pairs = zip(chunks, tagged, strict=True)
        add_tags(connection, project, ((c.chunk_id, place, sure) for c, tags in pairs for place, sure in tags))
        left = range(chunks[-1].chunk_id + 1, left.stop)
    count_tags(connection, project, chunk_ids)


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
