"""The whole product behind the chat: a file is added, a worker makes a document of it, a question gets its answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.test_english import speak_english

SAMPLE = Path(__file__).parents[2] / "data" / "documents" / "normas-iso" / "guia-iso-27001-2022.pdf"
INDEXED_MS = 120_000  # the first file waits for the embedding model, which may have to be built


def test_an_added_pdf_answers_with_its_page(open_page: Callable[..., Page], real_address: str) -> None:
    page = open_page(real_address)
    expect(page.get_by_role("heading", name="Su biblioteca todavía está vacía")).to_be_visible()
    page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(SAMPLE)
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()
    page.get_by_test_id("stChatInputSubmitButton").click()
    expect(page.locator(".legajo-uploads")).to_contain_text("agregado · 4 páginas", timeout=INDEXED_MS)
    expect(page.get_by_role("link", name="Documentos (1)")).to_be_visible()

    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("¿Cuántos controles reúne el Anexo A?")
    box.press("Enter")
    expect(page.locator(".answer")).to_contain_text("93 controles")
    expect(page.locator(".answer strong")).to_have_text("93 controles")  # what was asked for
    expect(page.get_by_role("button", name="Cuántos controles reúne el Anexo A", exact=True)).to_be_visible()
    page.locator("button.marker").first.click()
    card = page.locator("section.card")
    expect(card.locator(".file")).to_contain_text("guia-iso-27001-2022.pdf · página 2")
    expect(card.locator("mark").first).to_contain_text("93 controles")

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Abrir el documento").click(modifiers=["Control"])
    expect(opened.value.get_by_role("img", name="Página 2 de 4")).to_be_visible()
    expect(opened.value.locator("mark.on-page").first).to_be_in_viewport()
    opened.value.close()

    page.reload()
    expect(page.locator(".answer")).to_contain_text("93 controles")
    page.locator("button.marker").first.click()
    expect(page.locator("section.card mark").first).to_contain_text("93 controles")

    speak_english(page.context, real_address)
    page.reload()
    box.fill("Lista todos los controles")
    box.press("Enter")
    listed = page.locator(".answer").last
    expect(listed).to_contain_text(re.compile(r"I went through .* and found \d+ sentences or rows:"))
    expect(listed).to_contain_text("93 controles")  # quotes stay
    expect(listed).to_contain_text("Here are the first 40, in their order")
