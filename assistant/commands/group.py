"""The group of commands, what they have in common, and how they write: data to standard output, the rest to standard
error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

from assistant.usage import SpanishGroup, SpanishOption
from rag_system import DEFAULT_PROJECT

if TYPE_CHECKING:
    from assistant.accounts import Accounts
    from assistant.assistant import Assistant, PersonalAssistant
    from assistant.project_assistant import ProjectAssistant
    from rag_system.settings import Settings

__all__ = [
    "cli",
    "json_option",
    "meant_project",
    "opened_accounts",
    "opened_assistant",
    "opened_person",
    "opened_project",
    "option",
    "print_row",
    "print_rows",
    "project_option",
    "read_settings",
    "together",
]

_ACTING = "legajo.person"

Handler = Callable[..., None]
Decorator = Callable[[Handler], Handler]
Shown = TypeVar("Shown")

option = partial(click.option, cls=SpanishOption)
project_option = option(
    "--project", default=DEFAULT_PROJECT, metavar="PROYECTO", help=f"Proyecto; si no se indica, «{DEFAULT_PROJECT}»."
)
json_option = option("--json", "as_json", is_flag=True, help="Escribe un objeto JSON por línea, para programas.")


def together(*decorators: Decorator) -> Decorator:
    """Arguments and options that several commands have, in the order in which the help shows them."""
    return lambda handler: reduce(lambda made, each: each(made), reversed(decorators), handler)


@click.group(
    cls=SpanishGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="«scripts/start» prepara lo que falta y abre el chat. «legajo COMANDO --help» explica cada comando.",
)
@click.version_option(
    package_name="legajo", message="legajo %(version)s", cls=SpanishOption, help="Muestra la versión."
)
@option("--as", "person", metavar="NOMBRE", help="Actúa como esa persona; si no se indica, como quien está aquí.")
@click.pass_context
def cli(context: click.Context, person: str | None) -> None:
    """Responde preguntas en español a partir de sus propios documentos."""
    context.meta[_ACTING] = person


def read_settings() -> Settings:
    """Those of the environment, read when a command runs."""
    from rag_system.settings import load_settings

    return load_settings()


@contextmanager
def opened_assistant() -> Iterator[Assistant]:
    """Legajo over the database of the settings."""
    from assistant.assistant import Assistant

    settings = read_settings().model_copy(update={"model_titles": False})  # a command ends before a title comes
    with Assistant.open(settings) as assistant:
        yield assistant


@contextmanager
def opened_accounts() -> Iterator[Accounts]:
    """The accounts of all, for the person at the computer, or for who `--as` names, if that is an administrator."""
    with opened_assistant() as assistant:
        acting = click.get_current_context().meta.get(_ACTING)
        accounts = assistant.accounts()
        yield assistant.as_person(accounts.existing(acting)).administration() if acting else accounts


@contextmanager
def opened_person() -> Iterator[PersonalAssistant]:
    """The projects of the person at the computer, or of who `--as` names."""
    from rag_system import LOCAL_PERSON

    acting = click.get_current_context().meta.get(_ACTING)
    with opened_assistant() as assistant:
        yield assistant.as_person(assistant.accounts().existing(acting) if acting else LOCAL_PERSON)


@contextmanager
def opened_project(
    project: str, concept: str = "", documents: Sequence[str] = (), *, makes: bool = False, any_serves: bool = False
) -> Iterator[ProjectAssistant]:
    """A project, as the person at the computer has it, or who `--as` names.

    Where the command `makes` projects, it is made if it is not there. A project, a concept or a document that was
    mistyped is told, not answered from as if it were empty. The project that is meant where none is named is always
    there for the person at the computer; others may have none of that name, and then, if `any_serves`, it is their
    first.
    """
    with opened_person() as person:
        opened = meant_project(person, project, makes=makes, any_serves=any_serves)
        if concept:
            opened.concepts.must_exist(concept)
        if documents:
            opened.library.must_hold(documents)
        yield opened


def meant_project(
    person: PersonalAssistant, project: str, *, makes: bool = False, any_serves: bool = False
) -> ProjectAssistant:
    """The project of that name; the arguments as above."""
    acting = click.get_current_context().meta.get(_ACTING)
    if makes or (project == DEFAULT_PROJECT and not acting):
        person.create_project(project)
    elif any_serves and project == DEFAULT_PROJECT:
        theirs = [each.project for each in person.projects()]
        project = project if project in theirs else next(iter(theirs), project)
    return person.project(project)


def print_rows(rows: Iterable[Shown], line: Callable[[Shown], str], *, none: str, as_json: bool) -> None:
    """Each on a line for a program or for a person, who is also told where there is `none`."""
    row: Shown | None = None
    for row in rows:
        print_row(row, line(row), as_json=as_json)
    if row is None and not as_json:
        click.echo(none, err=True)


def print_row(row: object, text: str, *, as_json: bool) -> None:
    """A line for a program, a mapping or the fields of a dataclass, or for a person."""
    if as_json or text:
        click.echo(json.dumps(row, ensure_ascii=False, default=_fields) if as_json else text)


def _fields(value: Any) -> object:
    """What JSON has no word for: a dataclass, or a day or moment as ISO 8601 writes it."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value.isoformat()
