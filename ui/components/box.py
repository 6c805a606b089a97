"""The question box opens again, whatever the browser missed: see `box.js`."""

from __future__ import annotations

from time import time

from ui.components.drawing import drawn

__all__ = ["keep_box_open"]


def keep_box_open() -> None:
    """Beside the box, in each run of the whole page."""
    drawn("box")(data={"drawn": time()}, key="legajo_box", height=1, on_shut_change=_draw_anew)


def _draw_anew() -> None:
    """The browser asked for one more run, which is all that it needs."""
