"""Questions: how they are read, what they find, and their answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assistant.commands.group import (
    cli,
    json_option,
    opened_project,
    option,
    print_row,
    project_option,
    read_settings,
)
from rag_system.errors import InputError

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.questions import AskedQuestion
    from rag_system.outcome import Outcome
    from rag_system.settings import ProviderName
    from rag_system.types import Event, SearchResult

__all__ = ["PROVIDERS", "analyze", "ask", "search"]

_STANDARD_INPUT = "-"  # as a question: it is read from there

PROVIDERS = ("extractive", "google", "groq", "openrouter", "local")

recipe_option = option(
    "--recipe",
    default="",
    metavar="RECETA",
    help="Receta de búsqueda; si no se indica, la del proyecto, y si no tiene, LEGAJO_RECIPE.",
)
explain_option = option(
    "--explain",
    "explained",
    is_flag=True,
    help="Muestra cómo se leyó la pregunta, por qué se eligió cada pasaje y qué se descartó.",
)
concept_option = option(
    "--concept",
    default="",
    metavar="CONCEPTO",
    help="Busca solo en lo que trata de ese concepto del proyecto, o de uno que esté dentro de él.",
)
documents_option = option(
    "--document",
    "documents",
    multiple=True,
    metavar="RUTA",
    help="Busca solo en ese documento, con la ruta que muestra «legajo documents»; se puede repetir.",
)
all_projects_option = option(
    "--all-projects",
    is_flag=True,
    help="Busca en todos los proyectos que puede leer; responde el de --project, con sus ajustes.",
)
question_argument = click.argument("question", required=False, metavar="[PREGUNTA]")
questions_option = option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="ARCHIVO",
    help="En lugar de PREGUNTA: un archivo con un objeto JSON por línea, con «question».",
)


@cli.command(short_help="Muestra cómo se entiende una pregunta.")
@question_argument
@questions_option
@json_option
def analyze(question: str | None, questions: Path | None, as_json: bool) -> None:
    """Muestra cómo se entiende una pregunta; «-» la lee de la entrada estándar. No usa la base de datos."""
    from assistant.rendering import plan_fields, show_plan
    from rag_system.query.plan import analyze as understand

    settings = read_settings()
    for asked in _asked(question, questions):
        plan = understand(
            asked.question,
            asked.history,
            min_chars=settings.min_question_chars,
            max_chars=settings.max_question_chars,
            history_messages=settings.history_messages,
        )
        print_row(plan_fields(asked.id, plan), show_plan(plan), as_json=as_json)


@cli.command(short_help="Busca pasajes, sin redactar una respuesta.")
@question_argument
@questions_option
@project_option
@recipe_option
@option(
    "--top-k",
    type=click.IntRange(1, 20),
    metavar="N",
    help="Cantidad de pasajes, de 1 a 20; si no se indica, LEGAJO_TOP_K.",
)
@concept_option
@documents_option
@all_projects_option
@explain_option
@json_option
def search(
    question: str | None,
    questions: Path | None,
    project: str,
    recipe: str,
    top_k: int | None,
    concept: str,
    documents: tuple[str, ...],
    all_projects: bool,
    explained: bool,
    as_json: bool,
) -> None:
    """Busca pasajes, sin redactar una respuesta. Con «-», la pregunta se lee de la entrada estándar.

    La relevancia ordena los pasajes de una pregunta: 100 es el mejor. No es la
    probabilidad de que contenga la respuesta.
    """
    from assistant.explaining import explain
    from assistant.rendering import plan_fields, search_fields, show_results
    from rag_system.pipeline import Scope

    scope = Scope(recipe=_known(recipe), top_k=top_k, concept=concept, documents=documents, all_projects=all_projects)
    with opened_project(project, concept, documents, any_serves=all_projects) as assistant:
        for asked in _asked(question, questions):
            plan, found = assistant.pipeline.search(asked.question, asked.history, scope=scope)
            text = show_results(found)
            if explained:
                found = _explained(assistant, found)
                text += f"\n\n{explain(plan, found.funnel)}"
            row = {**plan_fields(asked.id, plan), **search_fields(found)}
            _print(row, text, plan.notices, asked, several=bool(questions), as_json=as_json)


@cli.command(short_help="Responde una pregunta con citas.")
@question_argument
@questions_option
@project_option
@option(
    "--provider",
    type=click.Choice(PROVIDERS),
    metavar="PROVEEDOR",
    help="Quién responde: extractive (sin modelo: cita las frases), google, groq, openrouter o local; "
    "si no se indica, LLM_PROVIDER.",
)
@option(
    "--continue",
    "continued",
    is_flag=True,
    help="Sigue la última conversación del proyecto, sea de aquí o del chat: «¿y si es feriado?».",
)
@recipe_option
@concept_option
@documents_option
@all_projects_option
@explain_option
@json_option
def ask(
    question: str | None,
    questions: Path | None,
    project: str,
    provider: ProviderName | None,
    continued: bool,
    recipe: str,
    concept: str,
    documents: tuple[str, ...],
    all_projects: bool,
    explained: bool,
    as_json: bool,
) -> None:
    """Responde una pregunta con citas del documento y la página. Con «-», la pregunta se lee de la entrada estándar.

    La pregunta y su respuesta quedan en la lista de conversaciones, donde el chat
    las muestra y --continue las sigue. Con --questions o --json no se guarda nada,
    salvo que se indique --continue.
    """
    from rag_system.outcome import collect

    all_asked, recipe, failed = _asked(question, questions, continued=continued), _known(recipe), 0
    with opened_project(project, concept, documents, any_serves=all_projects) as assistant:
        _known(recipe or assistant.project_settings().recipe)  # else every answer would tell it anew
        _tell(filter(None, [assistant.provider_status(provider).notice]))
        stream = partial(
            assistant.stream,
            conversation_id=_conversation(assistant, continued=continued, kept=not (questions or as_json)),
            provider=provider,
            recipe=recipe,
            concept=concept,
            documents=documents,
            all_projects=all_projects,
            unasked=True,
        )
        for asked in all_asked:
            outcome = collect(_followed(stream(asked.question, history=asked.history), assistant.settings.task_tokens))
            failed += bool(outcome.answer.error)
            if explained:
                outcome = replace(outcome, search=_explained(assistant, outcome.search))
            _print_answer(asked, outcome, several=bool(questions), explained=explained, as_json=as_json)
    if failed:
        raise SystemExit(1)


def _followed(events: Iterator[Event], much: int) -> Iterator[Event]:
    """The events, while standard error tells what a long task takes and how far it is."""
    from assistant.progress import status_line
    from assistant.wording import cost
    from rag_system.types import Progress

    tell: Callable[[str], None] | None = None
    with ExitStack() as stack:
        for event in events:
            if isinstance(event, Progress):
                if tell is None and event.tokens >= much:
                    _tell([cost(event)])
                tell = tell or stack.enter_context(status_line())
                if sys.stderr.isatty():
                    tell(f"Leyendo la parte {min(event.done + 1, event.total)} de {event.total}…")
            yield event


def _explained(assistant: ProjectAssistant, found: SearchResult) -> SearchResult:
    return replace(found, funnel=assistant.explained(found.funnel))


def _print_answer(asked: AskedQuestion, outcome: Outcome, *, several: bool, explained: bool, as_json: bool) -> None:
    """The answer, what was searched where that is asked for, and what a person should know."""
    from assistant.explaining import explain
    from assistant.rendering import answer_fields, failure, plan_fields, search_fields, show_answer
    from assistant.view import answered
    from assistant.wording import PAYERS

    plan, answer = outcome.plan, answered(outcome.answer, outcome.search.funnel)
    text, told = show_answer(answer), [*answer.notices, *([failure(answer)] if answer.error else [])]
    if explained:
        paid = f"\n\nClave usada:     {PAYERS[answer.usage.paid_by]}" if answer.usage.paid_by else ""
        text += f"\n\n{explain(plan, outcome.search.funnel)}{paid}"
    row = {**plan_fields(asked.id, plan), **search_fields(outcome.search), **answer_fields(answer)}
    _print(row, text, told, asked, several=several, as_json=as_json)


def _print(
    row: Mapping[str, object],
    text: str,
    notices: Sequence[str],
    asked: AskedQuestion,
    *,
    several: bool,
    as_json: bool,
) -> None:
    """What is told of a question: of one of several below it, with its notices; else these on standard error."""
    from assistant.rendering import show_one_of_several

    if several and not as_json:
        text = show_one_of_several(asked, text, notices)
    else:
        _tell(notices)
    print_row(row, text, as_json=as_json)


def _known(recipe: str) -> str:
    """The recipe's name, or nothing where none is asked for; an unknown one is told before anything starts."""
    from rag_system.search.recipes import get_recipe

    return get_recipe(recipe).name if recipe else ""


def _conversation(assistant: ProjectAssistant, *, continued: bool, kept: bool) -> str | None:
    """The one that goes on, a new one for what is to be kept, or none."""
    if not continued:
        return assistant.conversations.create() if kept else None
    last = assistant.conversations.last()
    if last is None:
        raise InputError("Todavía no hay ninguna conversación que seguir. Haga primero una pregunta sin --continue.")
    _tell([f"Sigue la conversación «{last.title}»."])
    return last.conversation_id


def _asked(question: str | None, questions: Path | None, *, continued: bool = False) -> Iterable[AskedQuestion]:
    from assistant.questions import AskedQuestion, read_questions

    if continued and questions is not None:
        raise InputError("Con --continue se hace una sola pregunta: escriba PREGUNTA en lugar de --questions.")
    if (question is None) == (questions is None):
        raise InputError("Escriba una pregunta o indique un archivo con --questions, una de las dos cosas.")
    if questions is not None:
        return read_questions(questions)
    if question == _STANDARD_INPUT:
        question = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    if not (question or "").strip():
        raise InputError("La pregunta está vacía. Escriba qué desea saber.")
    return [AskedQuestion(id="1", question=question or "")]


def _tell(notices: Iterable[str]) -> None:
    for notice in notices:
        click.echo(notice, err=True)
