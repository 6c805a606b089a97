"""The Spanish words for what a search did and for what a file turned out to be: one table of names and one set of
sentences for every front end. A new name shows as it is until it has a word here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from rag_system.query.identifier_names import identifier_name
from rag_system.types import ConceptTag, Progress, Rejection, Survivor, Task, TaskKind, TaskObject

if TYPE_CHECKING:
    from assistant.summaries import DocumentSummary
    from rag_system.ingestion.report import IngestReport

__all__ = [
    "FACT",
    "KINDS",
    "OUTSIDE",
    "PAYERS",
    "POINTS",
    "REASONS",
    "ROUTES",
    "STRATEGIES",
    "TASKS",
    "YIELDED",
    "cost",
    "counted",
    "duration",
    "identifier_name",
    "in_favour",
    "in_words",
    "levels",
    "likelihood",
    "objection",
    "page_ranges",
    "points",
    "reason",
    "reason_counts",
    "reason_name",
    "remarks",
    "state",
    "strategy_counts",
    "task_name",
]

ROUTES: Mapping[str, str] = {
    "trivial": "cortesía",
    "remember": "hecho que se recordará",
    "inventory": "lista de documentos",
    "task": "tarea sobre documentos",
    "retrieve": "búsqueda",
}

FACT = "Hecho recordado"  # what stands for the name of a document

TASKS: Mapping[TaskKind, str] = {
    "summarise": "resumir",
    "compare": "comparar",
    "outline": "mostrar el índice",
    "list_all": "listar todo",
    "explain": "explicar más simple",
    "example": "dar un ejemplo",
    "translate": "traducir",
    "draft": "redactar",
    "facts": "datos del documento",
}

# What a message looks like, as `rag_system.query.kinds` tells it.
KINDS: Mapping[str, str] = {
    "question": "una pregunta a los documentos",
    "noise": "teclas al azar",
    "inventory": "una pregunta por la lista de documentos",
    "remember": "algo que recordar",
    "greeting": "un saludo",
    "thanks": "un agradecimiento",
    "farewell": "una despedida",
    "about": "una pregunta sobre el asistente",
    "acknowledgement": "un asentimiento",
    **{kind: f"una tarea: {name}" for kind, name in TASKS.items()},
}

_LIKELIHOODS = ((0.9, "casi con certeza"), (0.6, "probablemente"))

_OBJECTS: Mapping[TaskObject, str] = {
    "documents": "el documento elegido",
    "section": "",
    "conversation": "la conversación",
    "collection": "todos los documentos",
    "answer": "la última respuesta",
    "unsaid": "",
}

PAYERS: Mapping[str, str] = {"person": "suya", "project": "del proyecto", "settings": "de los ajustes"}

STRATEGIES: Mapping[str, str] = {
    "semantic": "significado",
    "cosine": "parecido sin ajustar",
    "lexical": "palabras",
    "metadata": "título o nombre",
    "expansion": "palabras afines",
    "angles": "otros ángulos",
    "conversation": "documento de la conversación",
    "definition": "dice qué es",
    "article": "artículo citado",
    "heading": "título de la sección",
    "graph": "nombres relacionados",
    "citation": "autor y año",
    "rerank": "segunda lectura",
}

REASONS: Mapping[str, str] = {
    "off_topic": "tratan de otra norma",
    "below_min_score": "puntuación demasiado baja",
    "below_min_similarity": "significado demasiado lejano",
    "near_duplicate": "repiten otro pasaje",
    "same_passage": "ya están dentro de otro pasaje",
    "beyond_top_k": "quedaron detrás de los elegidos",
}

YIELDED = {
    "rerank": "no se releyó lo mejor",
    "expansion": "no se buscaron términos más amplios",
    "angles": "no se pidieron otras formas de la pregunta",
}

OUTSIDE = "fuera de los documentos elegidos"

POINTS = (
    "Los puntos van de 0 a 100 y solo sirven para ordenar: 100 en el total, el significado y las palabras es el mejor "
    "candidato de esta pregunta. No son la probabilidad de que la respuesta sea correcta."
)

SEEN = 0.05  # a level below says nothing


def reason_name(name: str) -> str:
    """«near_duplicate» → «repiten otro pasaje»."""
    return REASONS.get(name, name.replace("_", " "))


def strategy_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """What each strategy proposed, those that proposed nothing left out."""
    return [(_strategy(name), counts[name]) for name in _in_order(counts, STRATEGIES) if counts[name]]


def reason_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """How many each reason rejected, by its key; reasons without any left out."""
    return [(name, counts[name]) for name in _in_order(counts, REASONS) if counts[name]]


def in_favour(survivor: Survivor) -> list[str]:
    """What speaks for a passage, a line each: points, words, who proposed it, and why it stands where it stands."""
    return [line for line in (points(survivor), *in_words(survivor)) if line]


def points(survivor: Survivor) -> str:
    """«significado 90 · palabras 50», from 0 to 100; empty where nothing gave it any."""
    return " · ".join(f"{name} {100 * level:.0f}" for name, level in levels(survivor))


def levels(survivor: Survivor) -> list[tuple[str, float]]:
    """What each strategy gave a passage, 0…1; those that gave it next to nothing left out."""
    given = [(_strategy(name), survivor.levels[name]) for name in _in_order(survivor.levels, STRATEGIES)]
    return [(name, level) for name, level in given if level >= SEEN]


def in_words(survivor: Survivor) -> list[str]:
    """What speaks for a passage but for its points, a line each."""
    lines = [
        _matched(survivor),
        _about(survivor.concepts),
        f"propuesto por: {', '.join(map(_strategy, _in_order(survivor.proposed_by, STRATEGIES)))}",
        "tiene un lugar asegurado: la pregunta lo nombra" if survivor.guaranteed else "",
        "cedió el paso a otro documento: del suyo ya había varios pasajes" if survivor.ceded else "",
        f"no vigente: {survivor.state}" if survivor.state else "",
    ]
    return [line for line in lines if line]


def _about(concepts: Sequence[ConceptTag]) -> str:
    named = ", ".join(f"«{tag.name}» {100 * tag.confidence:.0f}" for tag in concepts)
    return f"trata de {named}" if named else ""


def _matched(survivor: Survivor) -> str:
    words = f"contiene {_quoted(survivor.words)}" if survivor.words else "no contiene ninguna palabra de la pregunta"
    return words + (f"; en sus títulos, {_quoted(survivor.heading_words)}" if survivor.heading_words else "")


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"«{word}»" for word in words)


def objection(rejection: Rejection) -> str:
    """What a rejected passage is instead; empty where its reason says it all."""
    if rejection.repeats:
        return f"repite {rejection.repeats}"
    if rejection.reason == "off_topic":
        return f"es {', '.join(map(identifier_name, rejection.identifiers))}"
    return ""


def _strategy(name: str) -> str:
    return STRATEGIES.get(name, name.replace("_", " "))


def _in_order(names: Iterable[str], table: Mapping[str, str]) -> list[str]:
    """As the table lists them, then the others: a stored mapping forgets its order."""
    places = {name: place for place, name in enumerate(table)}
    return sorted(names, key=lambda name: places.get(name, len(places)))


# ---------------------------------------------------------------- files

_MOST_RANGES = 8  # of pages told one by one
_MINUTE_S, _HOUR_S = 60.0, 3600.0
_HOURS_FROM_S = 90 * _MINUTE_S  # below it, minutes say more

_READ_SCANS = (
    "Para buscar en ellas, instale Tesseract con el idioma español y ejecute «legajo reindex», "
    "o páselo antes por un programa de reconocimiento de texto (OCR)."
)


def remarks(document: IngestReport | DocumentSummary) -> list[str]:
    """What a person should know of a document that was read, a sentence each."""
    empty_pages, ocr_pages, blank_pages = document.empty_pages, document.ocr_pages, document.blank_pages
    said = []
    if scanned := [page for page in empty_pages if page not in set(blank_pages)]:
        seem = "parece escaneada" if len(scanned) == 1 else "parecen escaneadas"
        advice = _READ_SCANS.replace("en ellas", "en ella") if len(scanned) == 1 else _READ_SCANS
        said.append(f"Sin texto en {_the_pages(scanned)}: {seem}. {advice}")
    if blank_pages:
        are = "está en blanco o solo muestra" if len(blank_pages) == 1 else "están en blanco o solo muestran"
        said.append(f"Sin texto en {_the_pages(blank_pages)}: {are} imágenes.")
    if document.hidden_pages:
        where = f" en {_the_pages(document.hidden_pages)}" if any(document.hidden_pages) else ""
        said.append(f"Se omitió texto oculto{where}: no lo ve quien lee el documento.")
    if ocr_pages:
        was = "se leyó" if len(ocr_pages) == 1 else "se leyeron"
        pages = _the_pages(ocr_pages)
        said.append(f"{pages[0].upper()}{pages[1:]} {was} con OCR: puede haber errores de lectura.")
    if beside := getattr(document, "beside", ""):
        said.append(f"Ya hay otro «{beside}», de otra carpeta: se conservan ambos (--replace lo reemplaza).")
    if document.copy_of:
        said.append(f"Mismo contenido que «{document.copy_of}».")
    return said


def state(document: DocumentSummary) -> str:
    """The same in a few words, for a list: «páginas 3 y 7 sin texto; copia de «ley.pdf»»."""
    words = [
        "sin texto" if document.status == "empty" else _pages_with(document.empty_pages, "sin texto"),
        _pages_with(document.ocr_pages, "con OCR"),
        "se omitió texto oculto" if document.hidden_pages else "",
        f"copia de «{document.copy_of}»" if document.copy_of else "",
    ]
    return "; ".join(filter(None, words))


def _pages_with(pages: Sequence[int], what: str) -> str:
    return f"{'página' if len(pages) == 1 else 'páginas'} {page_ranges(pages)} {what}" if pages else ""


def _the_pages(pages: Sequence[int]) -> str:
    return f"{'la página' if len(pages) == 1 else 'las páginas'} {page_ranges(pages)}"


def page_ranges(pages: Iterable[int]) -> str:
    """(3, 5, 6, 7) → «3 y 5–7»; of many, the first ranges and how many pages are left."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    told = [words for run in runs[:_MOST_RANGES] for words in _told(run)]
    rest = sum(map(len, runs[_MOST_RANGES:]))
    return _enumerated([*told, *([f"otras {rest}" if rest > 1 else "otra"] if rest else [])])


def _told(run: Sequence[int]) -> list[str]:
    """Two pages in a row are two pages; three are a range."""
    return [f"{run[0]}–{run[-1]}"] if len(run) > 2 else [str(page) for page in run]


def _enumerated(items: Sequence[str]) -> str:
    return " y ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def reason(error: str, retry_at: datetime | None) -> str:
    """Why a file is not a document, with the time of the next try on the clock of this machine."""
    again = f" Se volverá a intentar a las {retry_at.astimezone():%H:%M}." if retry_at is not None else ""
    return f"{error}{again}"


def counted(number: int, noun: str) -> str:
    """«1 documento», «0 documentos»: of a noun whose plural adds an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """An estimate as people say it: «menos de un minuto», «cerca de 1 min», «unos 12 min», «unas 2 h»."""
    if seconds < _MINUTE_S:
        return "menos de un minuto"
    if seconds >= _HOURS_FROM_S:
        return f"unas {max(2, round(seconds / _HOUR_S))} h"
    minutes = round(seconds / _MINUTE_S)
    return "cerca de 1 min" if minutes == 1 else f"unos {minutes} min"


def likelihood(probability: float) -> str:
    """How sure it is, in words.

    >>> likelihood(0.97), likelihood(0.7), likelihood(0.4)
    ('casi con certeza', 'probablemente', 'quizá')
    """
    return next((said for least, said in _LIKELIHOODS if probability >= least), "quizá")


def task_name(task: Task) -> str:
    """«resumir: capítulo III, la ley 29733»."""
    about = [task.what if task.kind != "facts" else "", task.section, *task.names]
    named = ", ".join(filter(None, about)) or _OBJECTS[task.of]
    return f"{TASKS[task.kind]}: {named}" if named else TASKS[task.kind]


def cost(progress: Progress) -> str:
    """What a long task takes, as a sentence."""
    tokens = f"{round(progress.tokens, -3):,}".replace(",", " ")
    return f"El texto es largo: se envían al modelo unos {tokens} tokens, en {progress.total} partes."
