"""Pages that show less than is stored, because another window or another program went on: a thread looks for all of
them, and has only those drawn that lag behind.

Streamlit's own way is a fragment that runs every few seconds. At each of its runs, also one that changes nothing, the
browser draws all that is shown, and every key waits for that (Streamlit 1.67).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from time import sleep

import streamlit as st
from psycopg_pool import PoolClosed
from streamlit import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx

from rag_system.background import begin
from rag_system.errors import LegajoError
from ui.serving.impatience import AwayError, impatient

__all__ = ["come_back_to_life", "keep_up"]

_LOOK_S = 3.0
_DAY_S = 86_400.0

logger = logging.getLogger(__name__)
_followed: dict[str, Callable[[], bool]] = {}  # by Streamlit's name of the page, whether it lags behind


def keep_up(lags: Callable[[], bool] | None) -> None:
    """Have the page of this run drawn anew once it `lags`, which is asked every few seconds by another thread; None:
    there is nothing to follow any more.
    """
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return
    _followed.pop(context.session_id, None)
    if lags is not None:
        _followed[context.session_id] = lags
        _looking()


@st.cache_resource(show_spinner=False)
def _looking() -> Future[None]:
    return begin(_look)


def _look() -> None:
    """For as long as the program runs."""
    while True:
        sleep(_LOOK_S)
        _look_at_all()


def _look_at_all() -> None:
    """Have each followed page drawn anew that lags behind. While the database is away, the next look may succeed; what
    goes wrong with one page keeps none of the others waiting. Without a server there are no pages: one that a program
    ran by itself is gone.
    """
    if not runtime.exists():
        _followed.clear()
    for tab, lags in [*_followed.items()]:
        try:
            with impatient():
                _look_at(tab, lags)
        except AwayError:
            return
        except (LegajoError, PoolClosed):
            continue
        except Exception:
            logger.exception("A page could not be followed")


def _look_at(tab: str, lags: Callable[[], bool]) -> None:
    found = runtime.get_instance()._session_mgr.get_active_session_info(tab)  # there is no public way to it
    if found is None:
        _followed.pop(tab, None)
    elif lags():
        found.session._call_soon_on_event_loop(partial(_draw_anew, found.session))


def _draw_anew(session: AppSession) -> None:
    """Where nothing runs: what runs would be ended by it, and may bring a question."""
    if session._scriptrunner is None:
        session.request_rerun(session._client_state)


@st.fragment(run_every=_DAY_S)
def come_back_to_life() -> None:
    """Have the page drawn anew when its connection was lost and is there again, maybe to another server, which knows
    none of its fragments. The browser asks for that only where something on the page runs by itself.
    """
