"""What click says to people, in Spanish: help pages and the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

__all__ = ["SpanishCommand", "SpanishGroup", "SpanishOption", "in_spanish"]


class SpanishOption(click.Option):
    """An option whose help text says all there is to say: defaults and ranges are not added in English."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0], self.help or "")


class SpanishCommand(click.Command):
    """A command whose help page is Spanish throughout."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("options_metavar", "[OPCIONES]")
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click forgets it where an option's value is missing or too much
            raise

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix="Uso: ")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [param.get_help_record(ctx) for param in self.get_params(ctx) if isinstance(param, click.Option)]
        with formatter.section("Opciones"):
            formatter.write_dl([row for row in rows if row is not None])

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = "Muestra esta ayuda."
        return option


class SpanishGroup(SpanishCommand, click.Group):
    """A group of Spanish commands; alone it shows its help page."""

    command_class = SpanishCommand
    group_class = type  # a group in it is of the same kind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("subcommand_metavar", "COMANDO [ARGUMENTOS]...")
        super().__init__(*args, invoke_without_command=True, **kwargs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Comandos"):
            formatter.write_dl([(name, self.commands[name].short_help or "") for name in self.list_commands(ctx)])
        super().format_options(ctx, formatter)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """In the order of the program, not of the alphabet."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        super().invoke(ctx)
        if ctx.invoked_subcommand is None:
            click.echo(ctx.get_help())


def in_spanish(error: click.ClickException) -> str:
    """One Spanish line: what is wrong, what is accepted, and where the help is."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "legajo"
    return f"{_said(error)} Vea «{command} --help»."


def _said(error: click.ClickException) -> str:
    match error:
        case click.NoSuchOption():
            return f"No existe la opción «{error.option_name}».{_near(error.possibilities)}"
        case click.NoSuchCommand():
            return f"No existe el comando «{error.command_name}».{_near(error.possibilities)}"
        case click.BadParameter(param=click.Parameter() as parameter):
            return _wrong_value(parameter, missing=isinstance(error, click.MissingParameter))
        case click.BadOptionUsage():
            return _wrong_use(error)
        case _:
            return "Sobra texto en la orden. Si es una pregunta, escríbala entre comillas."


def _near(possibilities: Sequence[str] | None) -> str:
    return f" ¿Quiso decir «{possibilities[0]}»?" if possibilities else ""


def _wrong_value(parameter: click.Parameter, *, missing: bool) -> str:
    name = parameter.metavar if isinstance(parameter, click.Argument) else parameter.opts[0]
    if missing:
        return f"Falta «{str(name).rstrip('.')}»."
    match parameter.type:
        case click.Choice() as kind:
            *most, last = map(str, kind.choices)
            accepted = f": elija {', '.join(most)} o {last}"
        case click.IntRange() as kind:
            accepted = f": debe ser un número entero de {kind.min} a {kind.max}"
        case _:
            accepted = ""
    return f"El valor de «{name}» no es válido{accepted}."


def _wrong_use(error: click.BadOptionUsage) -> str:
    params = error.ctx.command.params if error.ctx is not None else []
    is_flag = any(isinstance(each, click.Option) and each.is_flag and error.option_name in each.opts for each in params)
    return (
        f"La opción «{error.option_name}» no lleva valor." if is_flag else f"Falta el valor de «{error.option_name}»."
    )
