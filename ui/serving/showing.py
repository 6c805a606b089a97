"""What each open page of the chat shows, and to which session: files of one are not for another."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

__all__ = ["SHOWING", "Showing", "handed_out"]


@dataclass(frozen=True, slots=True)
class Showing:
    """Whose page it is and which project is on it."""

    session: str = field(repr=False)  # the secret
    project: str


class _Pages:
    """By Streamlit's name of the page: its «session» is one tab."""

    def __init__(self) -> None:
        self._pages: dict[str, Showing] = {}
        self._handed: dict[str, frozenset[bytes]] = {}  # SHA-256 of the files that were made for a tab at a click

    def show(self, tab: str, showing: Showing) -> None:
        """Note what a tab shows from now on, and forget those that are closed. Of another project it has no files."""
        if self._pages.get(tab) != showing:
            self._handed.pop(tab, None)
        self._pages = {each: shown for each, shown in self._pages.items() if _is_open(each)} | {tab: showing}
        self._handed = {each: files for each, files in self._handed.items() if each in self._pages}

    def hand_out(self, tab: str, content: bytes) -> None:
        """Note that a tab may fetch a file."""
        self._handed[tab] = self._handed.get(tab, frozenset()) | {hashlib.sha256(content).digest()}

    def of_tab(self, tab: str) -> list[Showing]:
        """What a tab shows, if it is known."""
        return [self._pages[tab]] if tab in self._pages else []

    def of_media(self, file: str) -> list[Showing]:
        """What the tabs show that have a file of Streamlit's on them, or that it was made for."""
        kept = runtime.get_instance().media_file_mgr
        held = kept._files_by_session_and_coord  # there is no public way to know
        made = kept.read_file(file)
        digest = hashlib.sha256(made.content).digest() if made else b""
        return [
            shown
            for tab, shown in self._pages.items()
            if file in held.get(tab, {}).values() or digest in self._handed.get(tab, ())
        ]


def handed_out(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """What a download button of this tab asks for at a click. Of a file that is made so Streamlit notes no tab."""
    context = get_script_run_ctx()

    def made() -> bytes:
        content = make()
        if context is not None:
            SHOWING.hand_out(context.session_id, content)
        return content

    return made


def _is_open(tab: str) -> bool:
    return runtime.get_instance().is_active_session(tab)


SHOWING = _Pages()
