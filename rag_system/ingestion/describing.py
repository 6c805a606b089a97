"""What is told of a file besides its chunks, and of its chunks besides their vectors.

What was read is kept as JSON beside the staged chunks, so that a new attempt need not read the file again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from rag_system.ingestion.document import DocumentMetadata, ExtractedDocument
from rag_system.ingestion.document_metadata import document_metadata
from rag_system.ingestion.installing import INSTALL_TESSERACT
from rag_system.ingestion.loaders import OcrOptions
from rag_system.ingestion.loaders.ocr import can_recognise
from rag_system.ingestion.repeals import repealed_by
from rag_system.ingestion.spacy_entities import EntityExtractor
from rag_system.query.expansion import learn_acronyms
from rag_system.query.text import analyze_terms, fold
from rag_system.storage.ingestions import OF_THE_FILE, Ingestion
from rag_system.storage.postings import ChunkTerms
from rag_system.storage.publishing import Described, NewDocument, Twin
from rag_system.types import PAGE_NOTES, ChunkDraft

__all__ = ["describe", "index_terms", "is_usable", "kept", "new_document", "read_as", "without_text"]

LONGEST_TERM = 64  # characters; longer ones are no words, and would not fit in an index row
NO_TEXT = "El archivo no tiene texto: parece escaneado o vacío. Páselo por un OCR y vuelva a incorporarlo."
NO_RECOGNITION = (
    "El archivo no tiene texto: es una imagen o parece escaneado. Instale Tesseract con el idioma español "
    f"({INSTALL_TESSERACT}) y ejecute «legajo reindex», o páselo por un OCR y vuelva a incorporarlo."
)
NO_LETTERS = (
    "El archivo no tiene texto: está en blanco, o se intentó leer con OCR y no se halló texto en sus imágenes. "
    "Si debería tenerlo, escanéelo de nuevo, derecho y nítido (a 300 ppp), y vuelva a incorporarlo."
)


# ---------------------------------------------------------------- what is kept of a file


def kept(
    extracted: ExtractedDocument, about: DocumentMetadata, *, version: str, model: str, error: str
) -> dict[str, Any]:
    """What is kept of a file that was read and cut for a model; `error` is what a person should know of it."""
    return {
        "index_version": version,
        "model": model,
        "facts": asdict(about),
        "format": extracted.format,
        "error": error,
        "pages": extracted.pages,
        **{name: list(getattr(extracted, name)) for name in PAGE_NOTES},
    }


def without_text(extracted: ExtractedDocument, ocr: OcrOptions) -> str:
    """What to tell of a file without text: where all its pages were looked at, another recognition would not help."""
    if can_recognise(ocr):
        return NO_LETTERS if extracted.pages and len(extracted.blank_pages) == extracted.pages else NO_TEXT
    unseen = set(extracted.empty_pages) - set(extracted.blank_pages)
    return NO_RECOGNITION if unseen and ocr.mode != "off" else NO_TEXT


def is_usable(read: Mapping[str, Any], *, version: str, model: str) -> bool:
    """Whether the file would be read so today, and its chunks were cut, and may have vectors, for this model."""
    return (read.get("index_version"), read.get("model")) == (version, model)


def read_as(twin: Twin, path: str, *, version: str) -> dict[str, Any]:
    """What was read from the same content under another name: the new name may say more."""
    named = document_metadata(ExtractedDocument(format=twin.format, blocks=(), pages=None, title=twin.title), path=path)
    about = DocumentMetadata(
        title=twin.title,
        language=twin.language,
        category=named.category,
        identifiers=tuple(dict.fromkeys((*named.identifiers, *twin.identifiers))),
        mentions=tuple(twin.mentions),
        authors=tuple(twin.authors),
        years=tuple(dict.fromkeys((*named.years, *twin.years))),
        file_date=twin.file_date,
    )
    return {
        "index_version": version,
        "facts": asdict(about),
        **{name: getattr(twin, name) for name in ("format", "pages", "error")},
        **{name: list(getattr(twin, name)) for name in PAGE_NOTES},
    }


def new_document(ingestion: Ingestion, read: Mapping[str, Any]) -> NewDocument:
    """The document that an ingestion becomes, from what was read of its file."""
    said: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in read["facts"].items()}
    about = DocumentMetadata(**{**said, "title": ingestion.given_title or said["title"]})
    return NewDocument(
        **{name: getattr(ingestion, name) for name in OF_THE_FILE},
        facts=about,
        format=read["format"],
        pages=read["pages"],
        **{name: read[name] for name in PAGE_NOTES},
        error=read["error"],
        index_version=read["index_version"],
        terms=_document_terms(ingestion.path, about),
    )


# ---------------------------------------------------------------- what a search needs of chunks


def describe(document: NewDocument, entities: EntityExtractor) -> Callable[[Sequence[ChunkDraft]], Described]:
    """Analyses the chunks of a document, a batch at a time."""
    title = document.facts.title

    def described(drafts: Sequence[ChunkDraft]) -> Described:
        return Described(
            terms=[_chunk_terms(position, title, draft) for position, draft in enumerate(drafts)],
            entities=[entities(draft.text) for draft in drafts],
            acronyms=_acronyms(drafts),
            repeals=repealed_by(drafts, document.facts.identifiers),
        )

    return described


def _chunk_terms(position: int, title: str, draft: ChunkDraft) -> ChunkTerms:
    heading = index_terms(" ".join((title, *draft.heading_path)))
    return ChunkTerms(chunk_id=position, heading=heading, body=index_terms(draft.text))


def index_terms(text: str) -> list[str]:
    """What a text is found by: its words as they are indexed, in order."""
    return [term for term in analyze_terms(text) if len(term) <= LONGEST_TERM]


def _acronyms(drafts: Sequence[ChunkDraft]) -> dict[str, str]:
    learned = learn_acronyms("\n".join(draft.text for draft in drafts))
    return {fold(acronym): long_form for acronym, long_form in learned.items()}


def _document_terms(path: str, about: DocumentMetadata) -> list[str]:
    name = PurePosixPath(path).with_suffix("").as_posix().replace("_", " ").replace("/", " ")
    return index_terms(f"{about.title} {name}")
