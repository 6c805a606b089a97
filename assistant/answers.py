"""Files of answers with the sources that they were written from, and the check of each, without a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.questions import as_text, read_rows
from rag_system.generation.grounding import Grounding, ground
from rag_system.generation.markers import clean_answer, written_at
from rag_system.types import Chunk, Evidence

__all__ = ["KeptAnswer", "check_fields", "read_answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A line of such a file: `id`, `question`, `sources` and `answer`."""

    id: str
    question: str
    answer: str
    evidence: tuple[Evidence, ...]
    documents: Mapping[int, str]  # their names, by the number of the source
    fields: Mapping[str, Any]  # whatever else the line holds

    def check(self) -> Grounding:
        """What its sources say of it; the sentences are those of the answer with its markers as `[n]`."""
        text, _ = clean_answer(self.answer, [item.n for item in self.evidence])
        return ground(text, self.evidence, question=self.question, adds_markers=False)


def read_answers(path: Path) -> list[KeptAnswer]:
    """Every answer of a file; a line that is none raises `InputError` with its number."""
    return read_rows(
        path,
        _answer,
        "es una respuesta: debe ser un objeto JSON con «question», «answer» y «sources», una lista de fuentes con "
        "«n» (un número desde 1, distinto en cada una) y «text»",
    )


def check_fields(kept: KeptAnswer, grounding: Grounding) -> dict[str, object]:
    """For programs; the sentences as they stand in the answer."""
    citations = [{**asdict(each), "document": kept.documents[each.n]} for each in grounding.citations]
    return {
        "id": kept.id,
        "question": kept.question,
        "unsupported": list(written_at(kept.answer, grounding.text, grounding.unsupported)),
        "citations": [{name: each[name] for name in ("n", "document", "path", "page", "quote")} for each in citations],
    }


def _answer(row: Mapping[str, Any], number: int) -> KeptAnswer:
    sources = row["sources"]
    evidence = tuple(map(_evidence, sources))
    if not isinstance(sources, list) or len({item.n for item in evidence}) < len(evidence):
        raise ValueError("sources")
    return KeptAnswer(
        id=str(row.get("id", number)),
        question=as_text(row, "question"),
        answer=as_text(row, "answer"),
        evidence=evidence,
        documents={item.n: item.chunk.title or item.chunk.file_name for item in evidence},
        fields=row,
    )


def _evidence(row: Mapping[str, Any]) -> Evidence:
    """A source as the one chunk of a document."""
    n, page = row["n"], row.get("page")
    if type(n) is not int or n < 1 or not isinstance(page, int | None):
        raise ValueError(n)
    document, path, section = (str(row.get(name) or "") for name in ("document", "path", "section"))
    text = as_text(row, "text")
    chunk = Chunk(
        chunk_id=n,
        document_id=path,
        path=path or document,
        title=document,
        heading_path=tuple(filter(None, section.split(" › "))),
        page_first=page,
        page_last=page,
        text=text,
    )
    return Evidence(n=n, chunk=chunk, text=text, score=1.0)
