"""What `scripts/start` runs: the database, the documents of the first time, and the chat, until Ctrl-C.

The chat (Streamlit) starts first and in parallel, because it takes longest. This process holds the database for as long
as the chat runs, so that the chat only attaches to it. What is heavy, such as the embedding model, is left to children.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from assistant.ending import LOOK_S, Ended, end_if_asked, end_on_signals
from assistant.usage import SpanishCommand, SpanishOption, in_spanish
from launcher.address import Address
from launcher.children import child, ended_first, legajo
from launcher.documents import SAMPLES, index_news, tell
from rag_system.errors import ConfigurationError, InputError, LegajoError
from rag_system.settings import load_settings
from rag_system.storage.connection import open_database

__all__ = ["main"]

_REPOSITORY = Path(__file__).resolve().parents[1]
_DEFAULT_PORT = 8501
_READY_TIMEOUT_S = 120.0
_POLL_S = 0.05
_MOST_RESTS = 12  # looks: a minute between two workers that end by themselves

option = partial(click.option, cls=SpanishOption)


def main() -> None:
    """Run until Ctrl-C; whatever goes wrong is told in one line, with a non-zero exit."""
    end_on_signals(signal.SIGINT)  # also where a script started it in the background
    try:
        with _start.make_context("scripts/start", sys.argv[1:]) as context:
            _start.invoke(context)
    except click.exceptions.Exit as end:  # of «--help»
        raise SystemExit(end.exit_code) from None
    except (click.ClickException, LegajoError) as error:
        tell(f"Legajo: {in_spanish(error) if isinstance(error, click.ClickException) else error}")
        raise SystemExit(1) from None
    except Ended as ended:
        if ended.number != signal.SIGINT:
            raise SystemExit(ended.exit_code) from None
        tell("\nLegajo se detuvo.")


@click.command(cls=SpanishCommand, context_settings={"help_option_names": ["-h", "--help"]})
@option("--port", type=click.IntRange(1, 65535), default=_DEFAULT_PORT, metavar="N", help="Puerto del chat (8501).")
@option(
    "--address", default="127.0.0.1", metavar="IP", help="Dirección en la que atiende (127.0.0.1: solo este equipo)."
)
@option(
    "--documents",
    type=click.Path(path_type=Path),
    default=SAMPLES,
    metavar="DIR",
    help="Carpeta que se incorpora; si no se indica y no hay documentos, los de ejemplo (data/documents).",
)
def _start(port: int, address: str, documents: Path) -> None:
    """Abre el chat de Legajo. Se detiene con Ctrl-C."""
    folder = documents.expanduser().absolute()
    if not folder.is_dir():
        raise InputError(f"No existe la carpeta «{folder}». Revise la ruta de --documents.")
    _run(Address(address, port), folder)


def _run(address: Address, folder: Path) -> None:
    address.check_free()
    if home := os.environ.get("LEGAJO_HOME"):
        os.environ["LEGAJO_HOME"] = str(Path(home).expanduser().absolute())
    os.chdir(_REPOSITORY)  # where `.env` and Streamlit's configuration are
    settings = load_settings()
    place = "la base de datos que indica DATABASE_URL" if settings.database_url else settings.home
    tell(f"Sus documentos y conversaciones se guardan en {place}")
    with (
        child(_chat_command(address)) as chat,
        open_database(settings, on_progress=tell) as database,
        ended_first(chat),
    ):
        index_news(folder, settings, database)
        _wait_until_ready(chat, address)
        sys.stdout.write(f"Legajo está listo: {address.url}  (Ctrl-C para terminar)\n")
        sys.stdout.flush()
        if _attend(chat) != 0:
            raise ConfigurationError("El chat se cerró de forma inesperada. Ejecute «legajo doctor» para ver la causa.")


def _attend(chat: subprocess.Popen[str]) -> int:
    """Keep a worker on the queue of files for as long as the chat runs; returns how the chat ended.

    One that ends by itself is followed by another, later each time where they end soon: meanwhile the chat says that
    nobody works.
    """
    rests = 0
    while True:
        looks = 0
        with child(legajo("worker")) as worker:
            while worker.poll() is None:
                looks += 1
                end_if_asked()
                with suppress(subprocess.TimeoutExpired):
                    return chat.wait(LOOK_S)
        if rests := _rests(rests, looks):
            tell(f"Legajo volverá a atender la cola de archivos dentro de {rests * LOOK_S:.0f} segundos.")
        for _ in range(rests):
            end_if_asked()
            with suppress(subprocess.TimeoutExpired):
                return chat.wait(LOOK_S)


def _rests(before: int, looks: int) -> int:
    """How long to wait for the next worker when one ended by itself after so many looks at it, in looks too."""
    return 0 if looks > _MOST_RESTS else min(2 * before or 1, _MOST_RESTS)


def _chat_command(address: Address) -> list[str]:
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(_REPOSITORY / "ui" / "app.py")]
    command += ["--server.port", str(address.port), "--server.address", address.host]
    return [*command, "--server.headless", "true", "--browser.gatherUsageStats", "false", "--logger.level", "warning"]


def _wait_until_ready(chat: subprocess.Popen[str], address: Address) -> None:
    deadline = time.monotonic() + _READY_TIMEOUT_S
    while not address.is_healthy():
        end_if_asked()
        if chat.poll() is not None:
            address.check_free()  # somebody may have been faster
            raise ConfigurationError("El chat no arrancó. Ejecute «scripts/setup» y vuelva a intentar.")
        if time.monotonic() > deadline:
            raise ConfigurationError(f"El chat no respondió en {_READY_TIMEOUT_S:.0f} segundos. Vuelva a intentar.")
        time.sleep(_POLL_S)


if __name__ == "__main__":
    main()
