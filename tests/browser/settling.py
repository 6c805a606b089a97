"""When a page of the chat has been drawn, and whether it has room."""

from __future__ import annotations

from playwright.sync_api import Page

WAIT_MS = 180_000  # for a machine that is busy; what is there sooner is not waited for
_QUIET = """() => new Promise(resolve => {
    let timer
    const wait = () => { clearTimeout(timer); timer = setTimeout(() => { observer.disconnect(); resolve() }, 100) }
    const observer = new MutationObserver(wait)
    observer.observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true })
    wait()
})"""


def settled(page: Page) -> None:
    """Wait for the page to be drawn to its end: a click on what is drawn anew, or moves, meanwhile would be lost.

    That a run is over is said some tenths of a second before the last of it is drawn.
    """
    ended = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
    while True:
        ended.wait_for(timeout=WAIT_MS)  # no `expect`, which reads the whole page at each look in vain
        page.evaluate(_QUIET)
        if ended.count():
            return


def fits(page: Page, width: int) -> bool:
    """Whether the page stands in a window of a width, in pixels, which it keeps, without a bar to move it sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    settled(page)
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
