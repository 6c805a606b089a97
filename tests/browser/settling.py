"""When a page of the chat has been drawn, and whether it has room."""

from __future__ import annotations

from playwright.sync_api import Page, expect

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
    app = page.get_by_test_id("stApp")
    while True:
        expect(app).to_have_attribute("data-test-script-state", "notRunning")
        page.evaluate(_QUIET)
        if app.get_attribute("data-test-script-state") == "notRunning":
            return


def fits(page: Page, width: int) -> bool:
    """Whether the page stands in a window of a width, in pixels, which it keeps, without a bar to move it sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    settled(page)
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
