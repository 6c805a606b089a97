"""Why an answer has these sources, as plain text for a person. No input or output happens here.

How the question was read, what each search proposed, what stayed and what left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from assistant.rendering import place, shorten, show_plan
from assistant.wording import (
    OUTSIDE,
    POINTS,
    YIELDED,
    identifier_name,
    in_favour,
    objection,
    reason_counts,
    reason_name,
    strategy_counts,
)
from rag_system.types import Funnel, NearWord, QueryPlan, Reading, Rejection, Route, Survivor

__all__ = ["explain"]

READ_WHOLE = "No se buscaron pasajes: una tarea lee los documentos mismos, de principio a fin."
LABEL = 17  # characters, as in `show_plan`
WIDTH = 100
SECTION = 60  # characters of a heading
HARD_SPACE = "\N{NO-BREAK SPACE}"


def explain(plan: QueryPlan, funnel: Funnel) -> str:
    """How the question was read and, when something was searched, the whole way to the results."""
    parts = ["\n".join(_reading(plan, funnel))]
    if funnel.generated:
        parts += [
            "\n".join(_steps(funnel)),
            "\n".join(_survivors(funnel.survivors, wide=bool(funnel.projects))),
            "\n".join(_examples(funnel)),
        ]
    return "\n\n".join(filter(None, parts))


def _reading(plan: QueryPlan, funnel: Funnel) -> Iterator[str]:
    yield "CÓMO SE LEYÓ LA PREGUNTA"
    yield show_plan(plan)
    if funnel.reading is None:
        yield READ_WHOLE if plan.route is Route.TASK else "No se buscó en los documentos."
        return
    yield from _searched(funnel.reading)
    if funnel.near_words:
        yield _line("Más cercanas:", _near(funnel.near_words))
        yield " " * LABEL + "(las palabras de los pasajes que más se acercan al sentido que se buscó)"


def _searched(reading: Reading) -> Iterator[str]:
    if reading.absent:
        yield _line("Sin documento:", ", ".join(map(identifier_name, reading.absent)))
    if reading.elsewhere:
        yield _line("Fuera de esto:", ", ".join(map(identifier_name, reading.elsewhere)))
    yield _line("Por significado:", f"«{reading.dense_query}»")
    yield _line("Por palabras:", ", ".join(reading.words))
    if reading.angles:
        yield _line("También:", ", ".join(f"«{angle}»" for angle in reading.angles))
    for notice in reading.notices:
        yield _line("Aviso:", notice)


def _near(words: Sequence[NearWord]) -> str:
    return " · ".join(f"{each.word}{HARD_SPACE}{each.similarity:.2f}".replace(".", ",") for each in words)


def _steps(funnel: Funnel) -> Iterator[str]:
    yield "DE LOS CANDIDATOS A LOS RESULTADOS"
    if funnel.projects:
        yield _line("Proyectos:", ", ".join(funnel.projects))
    if funnel.documents:
        yield _line("Sin buscar:", f"{funnel.outside}{HARD_SPACE}{OUTSIDE}")
    if funnel.yielded:
        yield _line("Sin memoria:", ", ".join(YIELDED[each] for each in funnel.yielded))
    yield _line("Propuestos:", _counts(strategy_counts(funnel.generated)))
    yield _line("Distintos:", str(funnel.merged))
    yield _line("Descartados:", _counts((reason_name(key), n) for key, n in reason_counts(funnel.rejected)))
    yield _line("Quedan:", str(funnel.returned))


def _counts(counts: Iterable[tuple[str, int]]) -> str:
    return " · ".join(f"{n}{HARD_SPACE}{name}" for name, n in counts) or "ninguno"


def _survivors(survivors: Sequence[Survivor], *, wide: bool) -> Iterator[str]:
    if not survivors:
        return
    yield "POR QUÉ QUEDARON ESTOS"
    yield _indented(POINTS, 2)
    for rank, survivor in enumerate(survivors, 1):
        yield f"  {rank:>2}. {100 * survivor.level:>3.0f}  {_place(survivor, wide=wide)}"
        yield from (_indented(_unbroken(line), 11) for line in in_favour(survivor))


def _unbroken(line: str) -> str:
    """Each name of a list stays beside its number."""
    return " · ".join(each.replace(" ", HARD_SPACE) for each in line.split(" · ")) if " · " in line else line


def _examples(funnel: Funnel) -> Iterator[str]:
    if not funnel.examples:
        return
    yield "DESCARTADOS, CON EJEMPLOS"
    for reason, count in reason_counts(funnel.rejected):
        named = [example for example in funnel.examples if example.reason == reason]
        if named:
            yield f"  {reason_name(reason).capitalize()} ({count}):"
        for each in named:
            yield f"      {100 * each.level:>3.0f}  {_place(each, wide=bool(funnel.projects))}"
            yield from (_indented(detail, 11) for detail in [objection(each)] if detail)


def _place(passage: Survivor | Rejection, *, wide: bool) -> str:
    section = shorten(passage.section.rsplit(" › ", 1)[-1], SECTION)
    return place(passage.path, passage.page, section, project=passage.project if wide else "")


def _line(label: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"{label:<{LABEL}}", subsequent_indent=" " * LABEL)


def _indented(text: str, by: int) -> str:
    return fill(text, WIDTH, initial_indent=" " * by, subsequent_indent=" " * by)
