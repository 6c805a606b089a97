"""What makes a document visible: staged chunks become searchable, and the old version leaves, in one transaction.

The project's row is locked meanwhile, so that publishers of a project take turns. Chunks are read back in batches:
memory does not grow with the document, and between two of them is told how far it is, and can be given up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

from psycopg import Connection
from psycopg.rows import dict_row

from rag_system.embeddings.protocol import Manifest
from rag_system.errors import StorageError
from rag_system.storage.documents import find_document
from rag_system.storage.entities import add_chunk_entities, count_entities, move_entities, uncount_entities
from rag_system.storage.files import drop_unused_file
from rag_system.storage.ingestions import OF_THE_FILE, Lease, forget_done
from rag_system.storage.languages import count_vectors, uncount_vectors
from rag_system.storage.postings import ChunkTerms, pack
from rag_system.storage.projects import ProjectRow, lock_project
from rag_system.storage.segments import add_segment, remember_removed
from rag_system.storage.sql import insert_rows, queries, row_of
from rag_system.storage.staging import count_staged, staged_batches
from rag_system.storage.task_results import forget_results_of
from rag_system.types import PAGE_NOTES, ChunkDraft, DocumentMetadata

__all__ = [
    "PAGE_NOTES",
    "Describe",
    "Described",
    "NewDocument",
    "OnBatch",
    "Published",
    "Twin",
    "content_of",
    "find_twin",
    "publish",
    "publish_copy",
    "remove_document",
    "set_model",
]

_SQL = queries("rag_system.storage.queries", "publishing.sql")
_STAGING = queries("rag_system.storage.queries", "staging.sql")
_PROJECTS = queries("rag_system.storage.queries", "projects.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document but for its chunks."""

    path: str
    sha256: str
    size_bytes: int
    facts: DocumentMetadata
    origin: str = ""
    source: str = ""  # the file that it was read from
    container: str = ""  # path of the archive or message that brought it
    given_title: str = ""  # what a person calls it: its title, then
    format: str = ""
    pages: int | None = None
    empty_pages: Sequence[int] = ()
    ocr_pages: Sequence[int] = ()
    blank_pages: Sequence[int] = ()
    hidden_pages: Sequence[int] = ()
    error: str = ""  # what a person should know of it: pages without text
    index_version: str = ""
    terms: Sequence[str] = ()  # of the title, the file name and the folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What a search needs to know of a batch of chunks besides their vectors."""

    terms: Sequence[ChunkTerms]  # ids counted from 0 within the batch
    entities: Sequence[Sequence[str]]  # of each chunk: keys of `query.entities`, distinct
    acronyms: Mapping[str, str]  # folded acronym → long form
    repeals: Mapping[str, str] = field(default_factory=dict)  # norm, canonical → the words that repeal it whole


Describe = Callable[[Sequence[ChunkDraft]], Described]
OnBatch = Callable[[int, int], None]  # chunks published, of how many; called before each batch where there are several


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What became visible."""

    document_id: str
    replaced: bool
    chunks: int
    copy_of: str = ""  # path of the document that holds the content


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A document with the same bytes, read the same way. The chunks of a copy are its original's."""

    document_id: str
    path: str
    title: str
    language: str
    authors: Sequence[str]
    years: Sequence[int]
    file_date: str
    identifiers: Sequence[str]
    mentions: Sequence[str]
    format: str
    pages: int | None
    empty_pages: Sequence[int]
    ocr_pages: Sequence[int]
    blank_pages: Sequence[int]
    hidden_pages: Sequence[int]
    error: str
    first_chunk_id: int
    chunk_count: int


# ---------------------------------------------------------------- publishing


def publish(
    connection: Connection,
    lease: Lease,
    document: NewDocument,
    manifest: Manifest,
    row: ProjectRow,
    *,
    describe: Describe,
    on_batch: OnBatch | None = None,
) -> Published:
    """Make the staged chunks of `lease` the document at `document.path`, all in the caller's transaction.

    The caller holds the project's `row`, and has seen that its vectors are those of `manifest`.
    """
    project = lease.project
    count, vectors = count_staged(connection, lease)
    if vectors != count:  # it would be listed, and never found
        raise StorageError("Faltan vectores de algunos fragmentos. Vuelva a intentar.")
    if row.embedding_model is None and count:
        set_model(connection, project, manifest)
    old = find_document(connection, project, document.path)
    if old is not None:
        _retire(connection, project, old.document_id, keep=document.sha256)
    first = _advance(connection, project, ids=count, chunks=count).first_chunk_id
    document_id = uuid4()
    _insert(connection, project, document_id, document, first=first, count=count)
    if count:
        place = _Place(document_id=document_id, language=document.facts.language, first=first, count=count)
        _insert_chunks(connection, lease, place, describe=describe, on_batch=on_batch or (lambda *_: None))
    return Published(document_id=str(document_id), replaced=old is not None, chunks=count)


def set_model(connection: Connection, project: str, manifest: Manifest) -> None:
    """Remember which model made the vectors of a project."""
    model = {"project": project, "model": manifest.model_id, "dimension": manifest.dimension}
    connection.execute(_PROJECTS["set_model"], model)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the chunks of a new document go."""

    document_id: UUID
    language: str
    first: int  # chunk id
    count: int


def _insert_chunks(
    connection: Connection, lease: Lease, place: _Place, *, describe: Describe, on_batch: OnBatch
) -> None:
    """Chunks and vectors, their postings, entities, acronyms, repeals and sum, a batch at a time: a segment each."""
    project, written = lease.project, 0
    acronyms: dict[str, str] = {}
    repeals: dict[str, str] = {}
    for drafts, vectors in staged_batches(connection, lease):
        done = drafts[0].ordinal
        if len(drafts) < place.count:
            on_batch(done, place.count)
        about, batch_first = describe(drafts), place.first + done
        _move(connection, lease, place, done, done + len(drafts))
        terms = [replace(each, chunk_id=batch_first + each.chunk_id) for each in about.terms]
        length = sum(map(len, terms))
        state = _advance(connection, project, segments=1, terms=length)
        counted = state.chunk_count - (place.count - drafts[-1].ordinal - 1)  # without the chunks of later batches
        mean_length = state.term_count / counted
        add_segment(connection, project, state.segment, pack(terms, mean_length=mean_length))
        add_chunk_entities(connection, project, first=batch_first, entities=about.entities)
        count_vectors(connection, project, place.language, [vector.to_numpy() for vector in vectors])
        acronyms = {**about.acronyms, **acronyms}
        repeals = {**about.repeals, **repeals}
        written += length
    count_entities(connection, project, str(place.document_id))
    key = {"project": project, "document_id": place.document_id}
    connection.execute(_SQL["set_term_count"], {**key, "terms": written})
    rows = [{**key, "acronym": acronym, "long_form": long_form} for acronym, long_form in acronyms.items()]
    insert_rows(connection, _SQL["insert_acronym"], rows)
    rows = [{**key, "identifier": norm, "told": told} for norm, told in repeals.items()]
    insert_rows(connection, _SQL["insert_repeal"], rows)


def _move(connection: Connection, lease: Lease, place: _Place, first: int, end: int) -> None:
    """Make the staged chunks from ordinal `first` to before `end`, with their vectors, chunks of the document."""
    where = {"first": place.first, "document_id": place.document_id, "language": place.language}
    batch = {**lease.key, **where, "from": first, "to": end}
    connection.execute(_STAGING["publish_chunks"], batch)
    connection.execute(_STAGING["publish_vectors"], batch)


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """The counters of a project after a change; the ids and the segment are those that the change reserved."""

    first_chunk_id: int
    segment: int
    chunk_count: int
    term_count: int


def _advance(
    connection: Connection, project: str, *, ids: int = 0, segments: int = 0, chunks: int = 0, terms: int = 0
) -> _State:
    change = {"project": project, "ids": ids, "segments": segments, "chunks": chunks, "terms": terms}
    state = row_of(connection, _State, _PROJECTS["advance"], change)
    assert state is not None, "the project row is locked by this transaction"  # noqa: S101
    return state


def _insert(
    connection: Connection,
    project: str,
    document_id: UUID,
    document: NewDocument,
    *,
    first: int,
    count: int,
    copy_of: str | None = None,
) -> None:
    facts, key = document.facts, {"project": project, "document_id": document_id}
    own = (*OF_THE_FILE, "error", "format", "pages", "index_version")
    connection.execute(
        _SQL["insert"],
        {
            **key,
            **{name: getattr(document, name) for name in own},
            **{name: list(getattr(document, name)) for name in PAGE_NOTES},
            **{name: getattr(facts, name) for name in ("title", "language", "category", "file_date")},
            **{name: list(getattr(facts, name)) for name in ("authors", "years", "identifiers", "mentions")},
            "status": "indexed" if count else "empty",
            "first_chunk_id": first,
            "chunk_count": count,
            "copy_of": copy_of,
        },
    )
    named = [(i, True) for i in facts.identifiers] + [(i, False) for i in facts.mentions if i not in facts.identifiers]
    rows = [{**key, "base": i.partition("@")[0], "identifier": i, "own": own} for i, own in dict(named).items()]
    connection.execute(_SQL["insert_terms"], {**key, "terms": list(dict.fromkeys(document.terms))})
    insert_rows(connection, _SQL["insert_identifier"], rows)


# ---------------------------------------------------------------- copies


def find_twin(connection: Connection, project: str, *, sha256: str, index_version: str, path: str) -> Twin | None:
    """A document of the project at another path that holds the same content, if there is one."""
    key = {"project": project, "sha256": sha256, "index_version": index_version, "path": path}
    return row_of(connection, Twin, _SQL["twin"], key)


def content_of(connection: Connection, project: str, document_id: str) -> Twin | None:
    """What is stored of a document, for a twin of it elsewhere."""
    return row_of(connection, Twin, _SQL["content"], {"project": project, "document_id": document_id})


def publish_copy(connection: Connection, lease: Lease, document: NewDocument, twin: Twin) -> Published:
    """List the document with the chunks of its twin, which are stored once. The caller holds the project's row."""
    project = lease.project
    old = find_document(connection, project, document.path)
    if old is not None:
        _retire(connection, project, old.document_id, keep=document.sha256)
    document_id = uuid4()
    _insert(
        connection,
        project,
        document_id,
        document,
        first=twin.first_chunk_id,
        count=twin.chunk_count,
        copy_of=twin.document_id,
    )
    return Published(document_id=str(document_id), replaced=old is not None, chunks=twin.chunk_count, copy_of=twin.path)


# ---------------------------------------------------------------- taking out


def remove_document(connection: Connection, project: str, document_id: str) -> bool:
    """Take a document out; its bytes go when nothing needs them any more. False when it was not there."""
    lock_project(connection, project)
    return _retire(connection, project, document_id)


def _retire(connection: Connection, project: str, document_id: str, *, keep: str = "") -> bool:
    key = {"project": project, "document_id": document_id}
    heir = connection.execute(_SQL["first_copy"], key).fetchone()
    if heir is not None:
        _bequeath(connection, project, document_id, heir[0])
    else:
        uncount_entities(connection, project, document_id)
        uncount_vectors(connection, project, document_id)
    with connection.cursor(row_factory=dict_row) as cursor:
        old = cursor.execute(_SQL["retire"], key).fetchone()
    if old is None:
        return False
    if old["chunk_count"] and old["copy_of"] is None and heir is None:
        _advance(connection, project, chunks=-old["chunk_count"], terms=-old["term_count"])
        first = old["first_chunk_id"]
        remember_removed(connection, project, range(first, first + old["chunk_count"]))
    forget_done(connection, project, old["path"])
    forget_results_of(connection, project, document_id)
    if old["sha256"] != keep:
        drop_unused_file(connection, project, old["sha256"])
    return True


def _bequeath(connection: Connection, project: str, document_id: str, heir: str) -> None:
    """Hand the chunks to a copy, which holds them from now on; the other copies are copies of that one."""
    key = {"project": project, "document_id": document_id, "heir": heir}
    connection.execute(_SQL["hand_over_chunks"], key)
    move_entities(connection, project, document_id, heir)
    for query in ("hand_over_acronyms", "hand_over_repeals", "hand_over_concepts", "promote", "adopt"):
        connection.execute(_SQL[query], key)
