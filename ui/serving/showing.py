"""What each open page of the chat shows, and to which session: files of one are not for another."""

from __future__ import annotations

from dataclasses import dataclass, field

from streamlit import runtime

__all__ = ["SHOWING", "Showing"]


@dataclass(frozen=True, slots=True)
class Showing:
    """Whose page it is and which project is on it."""

    session: str = field(repr=False)  # the secret
    project: str


class _Pages:
    """By Streamlit's name of the page: its «session» is one tab."""

    def __init__(self) -> None:
        self._pages: dict[str, Showing] = {}

    def show(self, tab: str, showing: Showing) -> None:
        """Note what a tab shows from now on, and forget those that are closed."""
        self._pages = {each: shown for each, shown in self._pages.items() if _is_open(each)} | {tab: showing}

    def of_tab(self, tab: str) -> list[Showing]:
        """What a tab shows, if it is known."""
        return [self._pages[tab]] if tab in self._pages else []

    def of_media(self, file: str) -> list[Showing]:
        """What the tabs show that have a file of Streamlit's on them."""
        held = runtime.get_instance().media_file_mgr._files_by_session_and_coord  # there is no public way to know
        return [shown for tab, shown in self._pages.items() if file in held.get(tab, {}).values()]


def _is_open(tab: str) -> bool:
    return runtime.get_instance().is_active_session(tab)


SHOWING = _Pages()
