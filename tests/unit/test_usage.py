"""The help pages and the usual mistakes of the command line, as a Spanish speaker meets them."""

from __future__ import annotations

from typing import get_args

import click
import pytest
from click.testing import CliRunner

from assistant.commands import cli
from assistant.commands.questions import PROVIDERS
from assistant.usage import in_spanish
from rag_system.settings import ProviderName

ENGLISH = ("Usage", "Options", "Commands", "Show", "default", "required", "TEXT", "INTEGER", "PATH", "ARGS", "<=")


def page(*arguments: str) -> str:
    shown = CliRunner().invoke(cli, arguments, prog_name="legajo")
    assert shown.exit_code == 0
    return shown.output


def inside(group: click.Group) -> list[str]:
    """The commands of a group, and those of the groups in it behind its name."""
    found = []
    for name, command in group.commands.items():
        below = inside(command) if isinstance(command, click.Group) else []
        found += [name, *(f"{name} {each}" for each in below)]
    return found


@pytest.mark.parametrize("command", ["", *inside(cli)])
def test_help_pages_are_spanish_throughout(command: str) -> None:
    text = page(*command.split(), "--help")
    assert [word for word in ENGLISH if word in text.replace("TEXTO", "")] == []
    assert text.startswith(f"Uso: {'legajo ' + command if command else 'legajo [OPCIONES]'}")
    assert "Muestra esta ayuda." in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [(), ("--",), ("-h",)])
def test_a_plain_call_shows_the_help(arguments: tuple[str, ...]) -> None:
    assert page(*arguments) == page("--help")


def test_every_command_is_listed_with_what_it_does() -> None:
    rows = {line.split()[0]: line for line in page().splitlines() if line.startswith("  ") and line.strip()}
    assert all(str(command.short_help) in rows[name] for name, command in cli.commands.items())


def test_the_providers_offered_are_those_of_the_settings() -> None:
    assert get_args(ProviderName) == PROVIDERS


MISTAKES = [
    ("--versio", "No existe la opción «--versio». ¿Quiso decir «--version»? Vea «legajo --help»."),
    ("search -p", "No existe la opción «-p». Vea «legajo search --help»."),
    ("search --to-k 3", "No existe la opción «--to-k». ¿Quiso decir «--top-k»? Vea «legajo search --help»."),
    ("vuela", "No existe el comando «vuela». Vea «legajo --help»."),
    ("ingestar x", "No existe el comando «ingestar». ¿Quiso decir «ingest»? Vea «legajo --help»."),
    ("ingest", "Falta «RUTA». Vea «legajo ingest --help»."),
    ("evaluate", "Falta «--questions». Vea «legajo evaluate --help»."),
    ("check", "Falta «--answers». Vea «legajo check --help»."),
    ("ask --project", "Falta el valor de «--project». Vea «legajo ask --help»."),
    ("ask --json=si hola", "La opción «--json» no lleva valor. Vea «legajo ask --help»."),
    (
        "search --top-k 99 plazo",
        "El valor de «--top-k» no es válido: debe ser un número entero de 1 a 20. Vea «legajo search --help».",
    ),
    (
        "search --top-k ocho plazo",
        "El valor de «--top-k» no es válido: debe ser un número entero de 1 a 20. Vea «legajo search --help».",
    ),
    (
        "ask --provider chatgpt hola",
        "El valor de «--provider» no es válido: elija extractive, google, groq, openrouter o local. "
        "Vea «legajo ask --help».",
    ),
    (
        "ask qué plazo hay",
        "Sobra texto en la orden. Si es una pregunta, escríbala entre comillas. Vea «legajo ask --help».",
    ),
]


@pytest.mark.parametrize(("line", "said"), MISTAKES)
def test_mistakes_are_told_in_spanish(line: str, said: str) -> None:
    with pytest.raises(click.ClickException) as caught, cli.make_context("legajo", line.split()) as context:
        cli.invoke(context)
    assert in_spanish(caught.value) == said
    assert caught.value.exit_code == 2
