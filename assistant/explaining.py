"""Why an answer has these sources, as plain text for a person. No input or output happens here.

How the question was read, what each search proposed, what stayed and what left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill

from assistant.rendering import place, shorten, show_plan
from assistant.wording import CEDED, GUARANTEED, POINTS, identifier_name, reason_name, strategy_name
from rag_system.types import Funnel, NearWord, QueryPlan, Reading, Rejection, Survivor

__all__ = ["explain"]

LABEL = 17  # characters, as in `show_plan`
WIDTH = 100
SECTION = 60  # characters of a heading
SEEN = 0.05  # a level below says nothing: its column is left out where no passage has more


def explain(plan: QueryPlan, funnel: Funnel) -> str:
    """How the question was read and, when something was searched, the whole way to the results."""
    parts = ["\n".join(_reading(plan, funnel))]
    if funnel.generated:
        parts += ["\n".join(_steps(funnel)), "\n".join(_survivors(funnel.survivors)), "\n".join(_examples(funnel))]
    return "\n\n".join(filter(None, parts))


def _reading(plan: QueryPlan, funnel: Funnel) -> Iterator[str]:
    yield "CÓMO SE LEYÓ LA PREGUNTA"
    yield show_plan(plan)
    if funnel.reading is None:
        yield "No se buscó en los documentos."
        return
    yield from _searched(funnel.reading)
    if funnel.near_words:
        yield _line("Más cercanas:", _near(funnel.near_words))
        yield " " * LABEL + "(las palabras de los pasajes que más se acercan al sentido que se buscó)"


def _searched(reading: Reading) -> Iterator[str]:
    yield _line("Por significado:", f"«{reading.meaning}»")
    yield _line("Por palabras:", ", ".join(reading.words))
    for notice in reading.notices:
        yield _line("Aviso:", notice)


def _near(words: Sequence[NearWord]) -> str:
    return ", ".join(f"{each.word} {each.similarity:.2f}".replace(".", ",") for each in words)


def _steps(funnel: Funnel) -> Iterator[str]:
    yield "DE LOS CANDIDATOS A LOS RESULTADOS"
    yield _line("Propuestos:", _counts({strategy_name(name): n for name, n in funnel.generated.items()}))
    yield _line("Distintos:", str(funnel.merged))
    yield _line("Descartados:", _counts({reason_name(reason): n for reason, n in funnel.rejected.items()}))
    yield _line("Quedan:", str(funnel.returned))


def _counts(counts: Mapping[str, int]) -> str:
    return " · ".join(f"{n} {name}" for name, n in counts.items() if n) or "ninguno"


def _survivors(survivors: Sequence[Survivor]) -> Iterator[str]:
    if not survivors:
        return
    columns = [name for name in survivors[0].levels if any(each.levels.get(name, 0) >= SEEN for each in survivors)]
    heads = ["total", *map(strategy_name, columns)]
    yield "POR QUÉ QUEDARON ESTOS"
    yield fill(POINTS, WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield "      " + "  ".join(heads)
    for rank, each in enumerate(survivors, 1):
        points = [each.level, *(each.levels.get(name, 0.0) for name in columns)]
        cells = "  ".join(f"{100 * level:>{len(head)}.0f}" for head, level in zip(heads, points, strict=True))
        yield f"  {rank:>2}. {cells}  {_place(each)}"
        yield from (f"        {line}" for line in _why(each))


def _why(survivor: Survivor) -> Iterator[str]:
    words = f"contiene {_quoted(survivor.words)}" if survivor.words else "no contiene ninguna palabra de la pregunta"
    above = f"; en sus títulos, {_quoted(survivor.heading_words)}" if survivor.heading_words else ""
    yield words + above
    yield f"propuesto por: {', '.join(map(strategy_name, survivor.proposed_by))}"
    if survivor.guaranteed:
        yield GUARANTEED
    if survivor.ceded:
        yield CEDED


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"«{word}»" for word in words)


def _examples(funnel: Funnel) -> Iterator[str]:
    if not funnel.examples:
        return
    yield "DESCARTADOS, CON EJEMPLOS"
    for reason, count in funnel.rejected.items():
        named = [example for example in funnel.examples if example.reason == reason]
        if named:
            yield f"  {reason_name(reason).capitalize()} ({count}):"
        yield from (f"    {100 * each.level:>3.0f}  {_place(each)}{_detail(each)}" for each in named)


def _detail(rejection: Rejection) -> str:
    if rejection.repeats:
        return f"  → repite {rejection.repeats}"
    if rejection.reason == "off_topic":
        return f"  → es {', '.join(map(identifier_name, rejection.identifiers))}"
    return ""


def _place(passage: Survivor | Rejection) -> str:
    return place(passage.path, passage.page, shorten(passage.section.rsplit(" › ", 1)[-1], SECTION))


def _line(label: str, text: str) -> str:
    return fill(text, WIDTH, initial_indent=f"{label:<{LABEL}}", subsequent_indent=" " * LABEL)
