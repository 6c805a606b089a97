"""A task without a model: in the documents' own words, or a sentence that says what it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rag_system.generation.citation_label import inert
from rag_system.generation.markers import strip_markers
from rag_system.query.sentences import split_sentences
from rag_system.tasks.central import telling
from rag_system.tasks.comparing import compare
from rag_system.tasks.facts import tell
from rag_system.tasks.listing import list_all
from rag_system.tasks.material import Material
from rag_system.tasks.outlines import collection_summary, gist, index, section_summary, short_summary, summary
from rag_system.tasks.parts import Part, Stretch
from rag_system.tasks.quoting import Sources, Written
from rag_system.tasks.reading import Notes
from rag_system.types import TaskKind

__all__ = ["needs_model", "write_by_hand"]

MOST_SHOWN = 5  # sources of an answer
CONVERSATION = "Sin un modelo de lenguaje, esto es lo que se preguntó y la primera frase de cada respuesta."
OF_SOURCES = "Mientras tanto, estas son las frases de los documentos:"
_NEEDS: Mapping[TaskKind, str] = {
    "explain": "explicarlo con otras palabras",
    "example": "dar un ejemplo",
    "translate": "traducir",
    "draft": "redactar",
}


def needs_model(kind: TaskKind) -> str:
    """The sentence that says so, and the way out; empty where it can be done without one."""
    if kind not in _NEEDS:
        return ""
    return f"Para {_NEEDS[kind]} hace falta un modelo de lenguaje: elija uno en «Ajustes» o defina LLM_PROVIDER."


def write_by_hand(material: Material) -> Written | None:
    """What is told without a model; None where nothing is, so that a search may."""
    task = material.task
    if task is None or material.said:
        written = material.said
    elif material.conversation:
        written = _conversation(material.conversation)
    elif task.kind in _NEEDS:
        written = _instead(task.kind, material)
    elif task.kind in ("facts", "outline"):
        written = _of_one(material)
    elif task.kind == "compare":
        several = len(material.documents) > 1
        written = _compared(material, task.what) if several else None
    elif task.kind == "list_all":
        whole = not material.total or len(material.documents) == material.total
        written = list_all(task.what, material.documents, material.parts, of=_read(material), whole=whole)
    else:
        written = _summary(material)
    return written


def _of_one(material: Material) -> Written | None:
    task, document, parts = material.task, material.documents[0], material.parts[0]
    if task is None or task.kind == "facts":
        return tell(task.what if task else "", document, parts)
    if task.what != "gist":
        return index(document, parts)
    return section_summary(document, parts) if task.section else gist(document, parts)


def _compared(material: Material, what: str) -> Written:
    return compare(material.documents, material.parts, what, vectors=material.vectors, meant=material.matter)


def _summary(material: Material) -> Written:
    task, documents, parts = material.task, material.documents, material.parts
    if material.answer:
        return _conversation(material.answer)
    if task and task.of == "collection":
        return collection_summary(list(zip(documents, parts, strict=True)), material.total)
    if task and task.sentences:
        return short_summary(documents[0], parts[0], task.sentences)
    if task and task.section:
        return section_summary(documents[0], parts[0])
    return summary(documents[0], parts[0])


def _read(material: Material) -> str:
    """What was read, for people."""
    read = len(material.documents)
    if read > 1:
        return (
            f"los primeros {read} de {material.total} documentos" if read < material.total else f"los {read} documentos"
        )
    name, section = inert(material.documents[0].label), material.task.section if material.task else ""
    return f"«{inert(section)}», de {name}" if section else f"{name} (todo el documento)"


# ---------------------------------------------------------------- of what was said


def _instead(kind: TaskKind, material: Material) -> Written | None:
    """What it takes; of an explanation with the sentences themselves. A draft may still be searched for."""
    if kind == "explain":
        return _of_sources(material, needs_model(kind))
    searched = kind == "draft" and not material.answer
    return None if searched else Written(text=needs_model(kind), abstained=True)


def _of_sources(material: Material, opening_line: str) -> Written:
    """The sentences behind an answer, or how a part begins."""
    if material.documents:
        whole = _summary(material)
        return Written(
            text=f"{opening_line} {OF_SOURCES}\n\n{whole.text}", citations=whole.citations, evidence=whole.evidence
        )
    sources = Sources()
    chunks = [each.chunk for each in material.answer.evidence] if material.answer else []
    parts = [Part(path=chunk.heading_path, stretches=(Stretch(chunk, 0, chunk.text),)) for chunk in chunks[:MOST_SHOWN]]
    quotes = [f"- {sources.quote(said)}" for part in parts if (said := telling(part))]
    return sources.written([f"{opening_line} {OF_SOURCES}", "", *quotes] if quotes else [opening_line])


def _conversation(notes: Notes) -> Written:
    """What was asked, and how each answer begins."""
    return Written(text="\n".join(_turns(notes)), notices=(CONVERSATION,))


def _turns(notes: Notes) -> Iterator[str]:
    for line in notes.text.split("\n"):
        speaker, _, said = line.partition(": ")
        if speaker == "Persona":
            yield f"- **{inert(said.strip())}**"
        elif speaker == "Asistente" and (spans := split_sentences(strip_markers(said))):
            yield f"  {inert(spans[0].text)}"
