"""The installation itself: whether it is sound, and the schema of its database."""

from __future__ import annotations

import click

from assistant.commands.group import cli, json_option, print_row, read_settings

__all__ = ["doctor", "migrate"]


@cli.command(short_help="Prepara la base de datos para esta versión.")
@json_option
def migrate(as_json: bool) -> None:
    """Prepara la base de datos para esta versión: aplica los cambios que le falten a sus tablas.

    Hace falta solo donde DATABASE_MIGRATION_URL nombra al dueño de las tablas; si no, cada programa lo hace al abrirla.
    """
    from rag_system.storage.opening import migrate_database

    applied = migrate_database(read_settings())
    for name in applied:
        print_row({"migration": name}, f"aplicada  {name}", as_json=as_json)
    if not (applied or as_json):
        click.echo("La base de datos está al día.")


@cli.command(short_help="Revisa la instalación y dice qué falta.")
@json_option
def doctor(as_json: bool) -> None:
    """Revisa la instalación y dice qué falta."""
    from assistant.doctor import examine
    from rag_system.outcome import error_fields

    findings = list(examine())
    for finding in findings:
        mark = "bien " if finding.ok else "FALLA"
        print_row(
            {"check": finding.check, "ok": finding.ok, "detail": finding.detail, **error_fields(finding)},
            f"[{mark}] {finding.check}: {finding.detail}",
            as_json=as_json,
        )
    if not all(finding.ok for finding in findings):
        raise SystemExit(1)
