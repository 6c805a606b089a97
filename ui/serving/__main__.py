"""Serves the chat behind its door: `python -m ui.serving --port 8501`, which is what `scripts/start` runs.

The link's secret is LEGAJO_TOKEN; without one nobody gets in, unless `--no-token` opens the door to all. With accounts
(LEGAJO_ACCOUNTS) people enter by theirs instead.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import streamlit.logger
from starlette.types import ASGIApp
from streamlit.starlette import App

from api.app import build_api
from assistant.ending import Ended, end_on_signals
from rag_system.errors import ConfigurationError, LegajoError
from rag_system.settings import load_settings, variable
from rag_system.telemetry.observing import observed
from ui.serving.access import Access, Hosts, is_only_here
from ui.serving.door import Door
from ui.serving.entrance import gated
from ui.serving.leaving import serve
from ui.serving.programs import Beside, OpenedLate

__all__: list[str] = []

_CHAT = Path(__file__).parents[2] / "ui/app.py"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="ui.serving")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--allowed-host", action="append", default=[])
    parser.add_argument("--no-token", action="store_true")
    parser.add_argument("script", nargs="?", type=Path, default=_CHAT)
    return parser.parse_args()


def _token() -> str:
    token = load_settings().token
    os.environ.pop(variable("token"), None)  # what the chat starts has no use for it
    if token is None:
        raise ConfigurationError("Falta LEGAJO_TOKEN. Inicie el chat con «scripts/start», que pone uno.")
    return token.get_secret_value()


def _serve(options: argparse.Namespace) -> None:
    script = options.script.resolve()
    os.chdir(_CHAT.parent)  # Streamlit's configuration is there, whichever script it shows
    hosts = Hosts.of(options.address, *options.allowed_host)
    chat: ASGIApp = App(script)
    settings = load_settings()
    with OpenedLate(settings) as opened:
        if settings.accounts == "local":
            access = _of_a_link(options, hosts)
        else:
            os.environ.pop(variable("token"), None)
            access = Access(hosts=hosts, port=options.port, token=None)  # a session says more than a link
            chat = gated(chat, assistant=opened(), cookie=f"{access.cookie_name}-session")
        if settings.log_format == "json":
            streamlit.logger.setup_formatter = _heard_by_all
        with observed(settings):
            leaving = Event()
            door = Door(Beside(chat, build_api(opened, settings, leaving=leaving)), access=access)
            serve(door, leaving=leaving, drain_s=settings.drain_s, **_http(options))


def _heard_by_all(logger: logging.Logger) -> None:
    """In place of what gives each of Streamlit's loggers a handler of its own, which writes no lines of JSON."""
    logger.propagate = True


def _of_a_link(options: argparse.Namespace, hosts: Hosts) -> Access:
    if not is_only_here(options.address):
        raise ConfigurationError(
            f"Sin cuentas, Legajo atiende solo en este equipo, y {options.address} lo abre a otros. Ponga "
            "LEGAJO_ACCOUNTS=password u oidc (docs/how-to/cuentas.md), o quite --address."
        )
    return Access(hosts=hosts, port=options.port, token=None if options.no_token else _token())


def _http(options: argparse.Namespace) -> dict[str, Any]:
    """How uvicorn serves."""
    return {
        "host": options.address,
        "port": options.port,
        "ws": "websockets-sansio",  # the implementation that Streamlit chooses for itself
        "log_config": None,  # to configure would close the handlers there are, those of traces too
        "log_level": "warning",  # what is asked for, and with which query, stands in no log
        "access_log": False,
        "server_header": False,
    }


def _main() -> None:
    end_on_signals(signal.SIGINT)  # uvicorn raises the signal that ended it once more
    try:
        with suppress(Ended):
            _serve(_options())
    except LegajoError as error:
        raise SystemExit(f"Legajo: {error}") from None


if __name__ == "__main__":
    _main()
