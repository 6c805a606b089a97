"""A project's concepts over a real database: tagging, tagging anew, and a search that is confined to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from uuid import uuid4

import pytest
from pgvector import HalfVector
from psycopg import Connection

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import IncompatibleStoreError, InputError
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.ingestion.tagging import set_concepts, tag_document, tag_project
from rag_system.outcome import collect
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.query.text import analyze_terms
from rag_system.settings import Settings
from rag_system.storage.concepts import (
    chunk_ids_about,
    concept_counts,
    concept_names,
    documents_about,
    list_concepts,
    tags_of,
)
from rag_system.storage.connection import Database
from rag_system.storage.postings import ChunkTerms, pack
from rag_system.storage.projects import get_project
from rag_system.storage.segments import add_segment
from rag_system.types import Concept, ConceptTag

PROJECT = "general"
MODEL = HashEmbeddings()
TREE = (
    Concept(name="Jornada y descansos"),
    Concept(name="Vacaciones", parent="Jornada y descansos", aliases=("descanso vacacional", "récord vacacional")),
    Concept(name="Sanciones", aliases=("multa",)),
)


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.connection() as lent:
        lent.execute("INSERT INTO projects (project_id) VALUES (%s)", [PROJECT])
        yield lent


def add(connection: Connection, texts: Sequence[str], *, path: str = "", like: str = "") -> str:
    """A document with these chunks, as publishing writes it; `like`: the text that all their vectors are of."""
    row = get_project(connection, PROJECT)
    first, document = row.next_chunk_id, uuid4()
    key = (PROJECT, document)
    connection.execute(
        "INSERT INTO documents (project_id, document_id, path, sha256, status, first_chunk_id, chunk_count)"
        " VALUES (%s, %s, %s, '', 'indexed', %s, %s)",
        [*key, path or f"{first}.txt", first, len(texts)],
    )
    for ordinal, text in enumerate(texts):
        place = (PROJECT, first + ordinal)
        connection.execute(
            "INSERT INTO chunks (project_id, chunk_id, document_id, ordinal, heading_path, text, tokens, content_hash)"
            " VALUES (%s, %s, %s, %s, '{}', %s, 1, '')",
            [*place, document, ordinal, text],
        )
        vector = HalfVector(MODEL.embed_query(like or text))
        connection.execute(
            "INSERT INTO embeddings (project_id, chunk_id, embedding) VALUES (%s, %s, %s)", [*place, vector]
        )
    terms = [ChunkTerms(chunk_id=first + i, heading=(), body=analyze_terms(text)) for i, text in enumerate(texts)]
    add_segment(connection, PROJECT, row.next_segment, pack(terms, mean_length=8))
    connection.execute(
        "UPDATE projects SET next_chunk_id = next_chunk_id + %(n)s, chunk_count = chunk_count + %(n)s,"
        " next_segment = next_segment + 1, embedding_model = %(model)s, embedding_dimension = 64"
        " WHERE project_id = %(project)s",
        {"n": len(texts), "model": MODEL.manifest.model_id, "project": PROJECT},
    )
    connection.execute(
        "INSERT INTO language_means (project_id, language, vectors, total) VALUES (%s, 'es', %s, %s)"
        " ON CONFLICT (project_id, language) DO UPDATE SET vectors = language_means.vectors + excluded.vectors",
        [PROJECT, len(texts), [0.0] * 64],
    )
    return str(document)


SetTree = Callable[..., None]


@pytest.fixture
def set_tree(database: Database, connection: Connection) -> SetTree:
    """Sets a tree, by default `TREE`, after everything before it is committed."""

    def replace(tree: Sequence[Concept] = TREE, *, model: Callable[[], HashEmbeddings] = lambda: MODEL) -> None:
        connection.commit()
        set_concepts(database, PROJECT, tree, embeddings=model)

    return replace


def unwanted() -> HashEmbeddings:
    raise AssertionError("no vector is missing")


def ids_about(connection: Connection, *names: str) -> list[int]:
    ids = {each.name: each.concept_id for each in concept_names(connection, PROJECT)}
    return chunk_ids_about(connection, PROJECT, [ids[name] for name in names]).tolist()


def tags(connection: Connection) -> dict[int, tuple[ConceptTag, ...]]:
    return dict(tags_of(connection, PROJECT, range(100)))


def test_a_document_is_tagged_as_it_is_published(connection: Connection, set_tree: SetTree) -> None:
    add(connection, ["La multa es de dos UIT."])
    set_tree()
    new = add(connection, ["El descanso vacacional es anual.", "Otra cosa.", "Las multas y la multa."])
    tag_document(connection, project=PROJECT, document_id=new)
    assert tags(connection) == {
        0: (ConceptTag(name="Sanciones", confidence=0.8),),
        1: (ConceptTag(name="Vacaciones", confidence=0.8),),
        3: (ConceptTag(name="Sanciones", confidence=0.85),),
    }
    assert documents_about(connection, PROJECT, 2)[new] == 1


def test_without_a_tree_a_publication_writes_nothing(connection: Connection) -> None:
    tag_document(connection, project=PROJECT, document_id=add(connection, ["Vacaciones"]))
    assert tags(connection) == {}
    assert not get_project(connection, PROJECT).has_concepts


def test_another_tree_tags_everything_anew(connection: Connection, set_tree: SetTree) -> None:
    add(connection, ["Las vacaciones.", "La multa."])
    set_tree()
    set_tree([Concept(name="Plazos", aliases=("vacaciones",))])
    assert tags(connection) == {0: (ConceptTag(name="Plazos", confidence=0.8),)}
    set_tree([])
    assert tags(connection) == {}
    assert not get_project(connection, PROJECT).has_concepts


def test_a_tree_with_errors_leaves_the_old_one(connection: Connection, set_tree: SetTree) -> None:
    add(connection, ["Las vacaciones."])
    set_tree()
    with pytest.raises(InputError, match=r"^«Multa» está dentro de «Nada», que no existe"):
        set_tree([Concept(name="Multa", parent="Nada")])
    assert [each.name for each in concept_names(connection, PROJECT)] == [each.name for each in TREE]
    assert list(tags(connection)) == [0]


def test_what_is_removed_leaves_with_its_tags(connection: Connection, set_tree: SetTree) -> None:
    document = add(connection, ["Las vacaciones."])
    set_tree()
    connection.execute("DELETE FROM documents WHERE document_id = %s", [document])
    assert tags(connection) == {}
    assert concept_counts(connection, PROJECT) == {}


def test_counts_go_up_the_tree_and_count_each_chunk_once(connection: Connection, set_tree: SetTree) -> None:
    add(connection, ["Jornada y descansos: las vacaciones.", "El récord vacacional."])
    add(connection, ["Las vacaciones."])
    set_tree()
    assert concept_counts(connection, PROJECT) == {0: (3, 2), 1: (3, 2)}  # chunks, documents


def test_vectors_of_known_names_are_kept(connection: Connection, set_tree: SetTree) -> None:
    add(connection, ["Las vacaciones."])
    set_tree()
    set_tree(TREE[::-1], model=unwanted)
    vectors = {row.name: row.embedding for row in list_concepts(connection, PROJECT)}
    expected = HalfVector(MODEL.embed_query("Sanciones, multa"))
    assert vectors["Sanciones"] is not None
    assert vectors["Sanciones"].to_list() == expected.to_list()


def test_similar_chunks_are_tagged_once_there_are_enough_to_compare(connection: Connection, set_tree: SetTree) -> None:
    others = [f"Texto número {n} de otro asunto {n * 7}." for n in range(60)]
    set_tree([Concept(name="Permiso de paternidad")])
    first = add(connection, ["De la paternidad: permiso."])
    tag_document(connection, project=PROJECT, document_id=first)
    assert tags(connection) == {}  # one chunk: nothing stands out
    tag_document(connection, project=PROJECT, document_id=add(connection, others, like="Otro asunto."))
    found = tags(connection)
    assert list(found) == [0]  # the project has more than doubled: the old chunk is judged anew
    assert 0.3 <= found[0][0].confidence <= 0.6
    calibrated = list_concepts(connection, PROJECT)[0]
    assert (calibrated.calibrated_on, calibrated.mean_cosine is not None) == (61, True)
    tag_document(connection, project=PROJECT, document_id=add(connection, ["Permiso de la paternidad"]))
    assert 61 in tags(connection)
    assert list_concepts(connection, PROJECT)[0].calibrated_on == 61


def test_another_model_makes_the_concepts_anew(connection: Connection, set_tree: SetTree) -> None:
    other = HashEmbeddings(model_id="hash/64/2")
    add(connection, [f"Texto {n}" for n in range(60)])
    set_tree()
    connection.execute("UPDATE projects SET embedding_model = %s", [other.manifest.model_id])
    with pytest.raises(IncompatibleStoreError):
        tag_project(connection, PROJECT, embeddings=lambda: MODEL)
    tag_project(connection, PROJECT, embeddings=lambda: other)
    assert {row.embedding_model for row in list_concepts(connection, PROJECT)} == {"hash/64/2"}


# ---------------------------------------------------------------- searching


@pytest.fixture
def pipeline(database: Database, settings: Settings) -> RAGPipeline:
    return RAGPipeline(
        database=database,
        settings=settings,
        embeddings=lambda: MODEL,
        answerer=lambda *_: ExtractiveAnswerer(),
        project=PROJECT,
    )


@pytest.fixture
def crowded(connection: Connection, set_tree: SetTree) -> Connection:
    """Two hundred chunks that fit the question better than the two that are about vacations."""
    texts = [f"El plazo para presentar la solicitud es de {n} días." for n in range(200)]
    add(connection, texts, path="plazos.txt", like=texts[0])
    add(connection, ["El récord vacacional exige un plazo.", "El plazo de las vacaciones."], path="descansos.txt")
    set_tree()
    connection.commit()
    return connection


QUESTION = "¿Cuál es el plazo para presentar la solicitud?"


@pytest.mark.parametrize("recipe", ["default", "nisira", "rrf", "lume", "tomori"])
def test_the_facet_chooses_before_anything_is_cut(pipeline: RAGPipeline, crowded: Connection, recipe: str) -> None:
    _, without = pipeline.search(QUESTION, scope=Scope(recipe=recipe))
    assert "descansos.txt" not in {c.chunk.path for c in without.candidates}
    _, found = pipeline.search(QUESTION, scope=Scope(recipe=recipe, concept="jornadas y descansos"))
    assert {c.chunk.path for c in found.candidates} <= {"descansos.txt"}
    assert found.funnel.merged == 2
    assert found.candidates or recipe == "tomori"  # which drops what is not similar enough


def test_the_evidence_names_its_concepts(pipeline: RAGPipeline, crowded: Connection) -> None:
    answer = pipeline.query("¿Qué exige el récord vacacional?", scope=Scope(concept="Vacaciones"))
    assert answer["sources"][0]["concepts"][0] == {"name": "Vacaciones", "confidence": 0.8}
    outcome = collect(pipeline.stream("¿Qué exige el récord vacacional?"))
    assert (outcome.answer.evidence[0].concepts or ())[0] == ConceptTag(name="Vacaciones", confidence=0.8)
    assert outcome.search.funnel.survivors[0].concepts == outcome.answer.evidence[0].concepts


def test_a_project_without_a_tree_says_nothing_of_concepts(pipeline: RAGPipeline, connection: Connection) -> None:
    add(connection, ["El plazo de las vacaciones."])
    connection.commit()
    answer = pipeline.query("¿Qué plazo tienen las vacaciones?")
    assert answer["sources"]
    assert "concepts" not in answer["sources"][0]
    _, found = pipeline.search("¿Qué plazo tienen las vacaciones?")
    assert found.candidates[0].concepts is None
    with pytest.raises(InputError, match="El proyecto no tiene conceptos"):
        pipeline.search("¿Qué plazo?", scope=Scope(concept="Vacaciones"))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vacasiones", "No existe el concepto «vacasiones». Se parecen: «Vacaciones», «Sanciones»."),
        ("zzz", "No existe el concepto «zzz». Hay, entre otros: «Jornada y descansos», «Vacaciones», «Sanciones»."),
    ],
)
def test_an_unknown_concept_is_told_with_near_names(
    pipeline: RAGPipeline, crowded: Connection, name: str, told: str
) -> None:
    with pytest.raises(InputError) as error:
        pipeline.search(QUESTION, scope=Scope(concept=name))
    assert str(error.value) == told


def test_a_concept_is_found_by_its_alias_too(pipeline: RAGPipeline, crowded: Connection) -> None:
    _, found = pipeline.search(QUESTION, scope=Scope(concept="Récords vacacionales"))
    assert found.funnel.merged == 2


def test_articles_and_named_documents_are_confined_too(
    pipeline: RAGPipeline, connection: Connection, set_tree: SetTree
) -> None:
    law = add(connection, ["Del objeto.", "Las vacaciones del artículo."], path="ley-29783.txt")
    for column in ("identifiers", "mentions"):
        connection.execute(f"UPDATE documents SET {column} = '{{ley:29783}}'")  # noqa: S608
    connection.execute(
        "INSERT INTO document_identifiers (project_id, base, identifier, document_id, own)"
        " VALUES (%s, 'ley:29783', 'ley:29783', %s, true)",
        [PROJECT, law],
    )
    connection.execute("UPDATE chunks SET heading_path = '{Artículo 5}'")
    set_tree()
    connection.commit()
    question = "¿Qué dice el artículo 5 de la Ley 29783?"
    _, without = pipeline.search(question)
    assert without.funnel.generated["article"] == 2
    _, found = pipeline.search(question, scope=Scope(concept="Vacaciones"))
    assert found.funnel.generated["article"] == 1
    assert found.funnel.merged == 1
    assert found.candidates[0].chunk.text == "Las vacaciones del artículo."
