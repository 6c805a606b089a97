"""Results as JSON lines for programs and as plain text for people. No input or output happens here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assistant.view import ShownCitation, Turn
from assistant.wording import FACT, KINDS, ROUTES, identifier_name, likelihood, task_name
from rag_system.generation.citation_label import inert
from rag_system.outcome import error_fields
from rag_system.types import Candidate, Chunk, QueryPlan, SearchResult, TextState, mark

if TYPE_CHECKING:
    from assistant.questions import AskedQuestion
    from rag_system.generation.grounding import Grounding

__all__ = [
    "Fields",
    "answer_fields",
    "doubted_lines",
    "failure",
    "place",
    "plan_fields",
    "search_fields",
    "shorten",
    "show_answer",
    "show_check",
    "show_one_of_several",
    "show_plan",
    "show_results",
]

Fields = dict[str, Any]

_RULE = "─" * 80  # before each of several questions
_ITEM_MARK = re.compile(r"^(?:[-*•+]|\d{1,2}[.)])\s+")  # of a list in an answer


def plan_fields(question_id: str, plan: QueryPlan) -> Fields:
    """The fields of `legajo analyze --json`."""
    return {
        "id": question_id,
        "question": plan.question,
        "route": plan.route.value,
        "standalone_question": plan.standalone_question,
        "reformulated": plan.reformulated,
        "citation": plan.citation,
        "authors": list(plan.authors),
        "years": list(plan.years),
        "identifiers": list(plan.identifiers),
        "past": plan.past,
        **({"task": asdict(plan.task)} if plan.task else {}),
    }


def search_fields(found: SearchResult) -> Fields:
    """What `legajo search --json` adds."""
    return {
        "results": [_result(rank, candidate) for rank, candidate in enumerate(found.candidates, 1)],
        "funnel": asdict(found.funnel),
        "timings_ms": {name: round(ms, 3) for name, ms in found.timings_ms.items()},
    }


def answer_fields(answer: Turn) -> Fields:
    """What `legajo ask --json` adds."""
    metrics = {f"{name}_ms": value for name, value in answer.metrics.items()} | answer.usage.reported
    return {
        "answer": answer.content,
        "abstained": answer.abstained,
        "incomplete": answer.incomplete,
        "error": answer.error,
        **error_fields(answer),
        "citations": [citation.fields for citation in answer.citations],
        "provider": answer.provider,
        "model": answer.model,
        "notices": list(answer.notices),
        "unsupported": list(answer.unsupported),
        "metrics": metrics,
    }


def _result(rank: int, candidate: Candidate) -> Fields:
    chunk = candidate.chunk
    return {
        "rank": rank,
        "score": candidate.score,
        "document": chunk.file_name,
        "path": chunk.path,
        "project": chunk.project,
        "page": chunk.page_first,
        "chunk_id": chunk.chunk_id,
        "section": chunk.section,
        "text": candidate.text,
        "state": chunk.state.fields if chunk.state else None,
        "scores": dict(candidate.scores),
        **({} if candidate.concepts is None else {"concepts": [asdict(concept) for concept in candidate.concepts]}),
    }


# ---------------------------------------------------------------- for people


def show_plan(plan: QueryPlan) -> str:
    """How a question was understood, a line a fact."""
    lines = [f"Pregunta:        {plan.question}", f"Ruta:            {ROUTES[plan.route.value]}"]
    if plan.kind:
        lines.append(f"Parece:          {KINDS[plan.kind]}, {likelihood(plan.probability)}")
    if plan.task:
        lines.append(f"Tarea:           {task_name(plan.task)}")
    if plan.reformulated:
        lines.append(f"Reformulada:     {plan.standalone_question}")
    if plan.fact:
        lines.append(f"Hecho:           {plan.fact}")
    if plan.identifiers:
        lines.append(f"Identificadores: {', '.join(map(identifier_name, plan.identifiers))}")
    if plan.citation:
        cited = ", ".join([*plan.authors, *map(str, plan.years)])
        lines.append(f"Cita:            {cited}")
    if plan.past:
        lines.append("Vigencia:        pregunta por lo que regía antes")
    return "\n".join(lines)


def show_results(found: SearchResult) -> str:
    """The ranked passages, shortened, with where each stands."""
    if not found.candidates:
        return "No se encontró nada."
    levels = {(each.project, each.chunk_id): each.level for each in found.funnel.survivors}
    wide = bool(found.funnel.projects)
    return "\n\n".join(
        _show_candidate(rank, each.chunk, levels.get((each.chunk.project, each.chunk.chunk_id)), wide=wide)
        for rank, each in enumerate(found.candidates, 1)
    )


def _show_candidate(rank: int, chunk: Chunk, level: float | None, *, wide: bool) -> str:
    """level: from 0 to 1, the best of its question; unknown of a passage that another one brought along."""
    relevance = "" if level is None else f"  (relevancia {100 * level:.0f})"
    project = chunk.project if wide else ""
    where = place(chunk.path, chunk.page_first, chunk.section, chunk.state, project=project)
    return f"{rank}. {where}{relevance}\n   {shorten(chunk.text)}"


def show_check(name: str, grounding: Grounding) -> str:
    """The sentences of an answer that no source supports, each with why."""
    if not grounding.doubts:
        return f"{name}: todo tiene respaldo"
    return "\n".join((f"{name}:", *(f"- {sentence}\n    {doubt}" for sentence, doubt in grounding.doubts)))


def doubted_lines(unsupported: Sequence[str]) -> list[str]:
    """The sentences of an answer that no source supports, as a list; those of a list in it without its marks."""
    return ["Sin respaldo en la fuente citada:", *(f"- {_ITEM_MARK.sub('', each.strip())}" for each in unsupported)]


def show_answer(answer: Turn) -> str:
    """The answer and its sources in its order, each once with what is quoted from it that it does not say itself.

    Nothing when all there is to say is an error.
    """
    lines = [] if answer.content == answer.error else [answer.content]
    if answer.unsupported:
        lines += ["", *doubted_lines(answer.unsupported)]
    if answer.citations:
        lines += ["", "Fuentes:", *_source_lines(answer)]
    return "\n".join(lines)


def show_one_of_several(asked: AskedQuestion, text: str, notices: Sequence[str]) -> str:
    """What is told of one question of a file, below it and apart from that of the one before."""
    head = f"{_RULE}\nPregunta {asked.id}: {' '.join(asked.question.split())}"
    told = "\n".join(f"Aviso: {notice}" for notice in notices)
    return "\n\n".join(filter(None, (head, told, text))) + "\n"


def failure(answer: Turn) -> str:
    """What to tell of an answer that failed, whole or midway."""
    return answer.error if answer.content in ("", answer.error) else f"La respuesta quedó incompleta. {answer.error}"


def _source_lines(answer: Turn) -> Iterator[str]:
    """Each number once, in the order in which the answer cites them, with every place of the passage behind it."""
    said, wide = " ".join(answer.content.split()), bool(answer.funnel.projects)
    cited: dict[int, dict[str, list[ShownCitation]]] = {}
    for citation in sorted(answer.citations, key=lambda each: _first_mark(answer.content, each.n)):
        cited.setdefault(citation.n, {}).setdefault(_source(citation, wide=wide), []).append(citation)
    for n, places in cited.items():
        for at, (where, there) in enumerate(places.items()):
            yield f"    y {_further(there[0])}" if at else f"[{mark(n)}] {where}"
            quotes = dict.fromkeys(citation.quote for citation in there)
            apart = (quote for quote in quotes if " ".join(inert(quote).split()) not in said)
            yield from (f"    «{shorten(quote, 240)}»" for quote in apart)


def _first_mark(text: str, n: int) -> int:
    """Where it cites a source first; its end where it does not."""
    at = text.find(f"[{mark(n)}]")
    return at if at >= 0 else len(text)


def _source(citation: ShownCitation, *, wide: bool) -> str:
    project = citation.project if wide else ""
    where = place(citation.path or FACT, citation.page, citation.section, citation.state, project=project)
    return f"{where}{_added(citation)}"


def _further(citation: ShownCitation) -> str:
    """Another place of the same document."""
    where = place("", citation.page, citation.section, citation.state) or citation.path
    return f"{where}{_added(citation)}"


def _added(citation: ShownCitation) -> str:
    return " (cita agregada al revisar)" if citation.added else ""


def place(path: str, page: int | None, section: str, state: TextState | None = None, *, project: str = "") -> str:
    """Where a passage stands: «leyes/guia.pdf, p. 3, Artículo 5», with what it is where it is not in force.

    Of a project that is named, «contratos: leyes/…».
    """
    where = ", ".join(part for part in (path, f"p. {page}" if page else "", section) if part)
    where = f"{project}: {where}" if project else where
    return f"{where} [{state.label}]" if state else where


def shorten(text: str, limit: int = 300) -> str:
    """On one line, cut at a word."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + "…"
