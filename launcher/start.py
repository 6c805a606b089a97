"""What `scripts/start` and `legajo serve` run until Ctrl-C: the database, the documents of the first time, the chat.

The chat (Streamlit) starts first and in parallel, because it takes longest. This process holds the database for as long
as the chat runs, so that the chat only attaches to it. What is heavy, such as the embedding model, is left to children.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path

import click

from assistant.ending import Ended, end_on_signals
from assistant.usage import SpanishCommand, SpanishOption, in_spanish
from launcher.address import Address
from launcher.children import child, ended_first, legajo
from launcher.documents import SAMPLES, index_news
from launcher.link import Link, can_show, shown_in_browser
from rag_system.errors import ConfigurationError, InputError, LegajoError
from rag_system.settings import Settings, load_settings, variable
from rag_system.storage.opening import open_database
from rag_system.telemetry.observing import observed, say

__all__ = ["main", "start"]

_DEFAULT_PORT = 8501
_READY_TIMEOUT_S = 120.0
_POLL_S = 0.05
_LOOK_S = 5.0  # between two looks at the worker
_MOST_RESTS = 12  # looks: a minute between two workers that end by themselves

option = partial(click.option, cls=SpanishOption)


def main(name: str = "scripts/start", arguments: Sequence[str] | None = None) -> None:
    """Run until Ctrl-C; whatever goes wrong is told in one line, with a non-zero exit.

    `name` is what a person called it by, and `arguments` what followed; the command line's, unless given.
    """
    end_on_signals(signal.SIGINT)  # also where a script started it in the background
    try:
        with start.make_context(name, sys.argv[1:] if arguments is None else list(arguments)) as context:
            start.invoke(context)
    except click.exceptions.Exit as end:  # of «--help»
        raise SystemExit(end.exit_code) from None
    except (click.ClickException, LegajoError) as error:
        say(f"Legajo: {in_spanish(error) if isinstance(error, click.ClickException) else error}")
        raise SystemExit(1) from None
    except Ended as ended:
        if ended.number != signal.SIGINT:
            raise SystemExit(ended.exit_code) from None
        say("\nLegajo se detuvo.")


@click.command(cls=SpanishCommand, context_settings={"help_option_names": ["-h", "--help"]})
@option("--port", type=click.IntRange(1, 65535), default=_DEFAULT_PORT, metavar="N", help="Puerto del chat (8501).")
@option(
    "--address", default="127.0.0.1", metavar="IP", help="Dirección en la que atiende (127.0.0.1: solo este equipo)."
)
@option(
    "--documents",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Carpeta que se incorpora; si no se indica y no hay documentos, los de ejemplo del repositorio.",
)
@option(
    "--allowed-host",
    multiple=True,
    metavar="NOMBRE",
    help="Otro nombre con el que se llama al chat, como el de un proxy; puede repetirse.",
)
@option("--no-token", is_flag=True, help="Abre el chat a cualquier usuario de este equipo, sin el enlace.")
@option("--no-browser", is_flag=True, help="Muestra el enlace sin abrirlo en el navegador.")
@option(
    "--no-worker", is_flag=True, help="Solo el chat: a la cola de archivos la atiende «legajo worker» en otra parte."
)
def start(
    port: int,
    address: str,
    documents: Path | None,
    allowed_host: tuple[str, ...],
    no_token: bool,
    no_browser: bool,
    no_worker: bool,
) -> None:
    """Abre el chat de Legajo. Se detiene con Ctrl-C."""
    folder = documents.expanduser().absolute() if documents else SAMPLES
    if documents and not folder.is_dir():
        raise InputError(f"No existe la carpeta «{folder}». Revise la ruta de --documents.")
    place = Address(address, port)
    place.check_free()
    if home := os.environ.get("LEGAJO_HOME"):
        os.environ["LEGAJO_HOME"] = str(Path(home).expanduser().absolute())
    settings = load_settings()
    os.environ.pop(variable("token"), None)  # of our children, only the chat is told
    link = Link.of_a_start(place, settings, guarded=not no_token)
    with observed(settings):
        _run(link, folder, settings, hosts=allowed_host, show=can_show() and not no_browser, works=not no_worker)


def _run(link: Link, folder: Path, settings: Settings, *, hosts: Sequence[str], show: bool, works: bool) -> None:
    place = "la base de datos que indica DATABASE_URL" if settings.database_url else settings.home
    say(f"Sus documentos y conversaciones se guardan en {place}")
    with (
        child(_chat_command(link, hosts), variables=_secret(link)) as chat,
        open_database(settings, on_progress=say) as database,
        ended_first(chat),
    ):
        index_news(folder, settings, database)
        _wait_until_ready(chat, link.address)
        _announce(link)
        with shown_in_browser(link.urls[0]) if show else nullcontext():
            status = _attend(chat) if works else chat.wait()
        if status != 0:
            raise ConfigurationError("El chat se cerró de forma inesperada. Ejecute «legajo doctor» para ver la causa.")


def _announce(link: Link) -> None:
    """The links, each on a line of its own, and what they do not protect from."""
    if link.token is None and not link.has_accounts:
        say("Aviso: con --no-token, cualquier usuario de este equipo puede leer y borrar sus documentos.")
    if not link.address.is_only_here:
        say(
            "Aviso: otros equipos llegan al chat, y lo que se escribe viaja sin cifrar. Ponga delante un proxy con TLS "
            "(docs/how-to/red.md)."
        )
    which = "este enlace" if len(link.urls) == 1 else "uno de estos enlaces"
    sys.stdout.write("\n".join((f"Legajo está listo. Abra {which} (Ctrl-C para terminar):", *link.urls, "")))
    sys.stdout.flush()


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
                with suppress(subprocess.TimeoutExpired):
                    return chat.wait(_LOOK_S)
        if rests := _rests(rests, looks):
            say(f"Legajo volverá a atender la cola de archivos dentro de {rests * _LOOK_S:.0f} segundos.")
            with suppress(subprocess.TimeoutExpired):
                return chat.wait(rests * _LOOK_S)


def _rests(before: int, looks: int) -> int:
    """How long to wait for the next worker when one ended by itself after so many looks at it, in looks too."""
    return 0 if looks > _MOST_RESTS else min(2 * before or 1, _MOST_RESTS)


def _chat_command(link: Link, hosts: Sequence[str]) -> list[str]:
    command = [sys.executable, "-P", "-m", "ui.serving", "--address", link.address.host]
    command += ["--port", str(link.address.port), *(f"--allowed-host={host}" for host in hosts)]
    return command if link.token else [*command, "--no-token"]


def _secret(link: Link) -> dict[str, str]:
    return {variable("token"): link.token} if link.token else {}


def _wait_until_ready(chat: subprocess.Popen[str], address: Address) -> None:
    deadline = time.monotonic() + _READY_TIMEOUT_S
    while not address.is_healthy():
        if chat.poll() is not None:
            address.check_free()  # somebody may have been faster
            raise ConfigurationError("El chat no arrancó. Ejecute «scripts/setup» y vuelva a intentar.")
        if time.monotonic() > deadline:
            raise ConfigurationError(f"El chat no respondió en {_READY_TIMEOUT_S:.0f} segundos. Vuelva a intentar.")
        time.sleep(_POLL_S)


if __name__ == "__main__":
    main()
