"""Notes in the whole product: one is written, found and cited; an answer is kept as another, and written otherwise."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import ask, go_to
from tests.browser.test_faults import shoot

PUBLISHED_MS = 120_000  # the first document waits for the embedding model
QUESTION = "¿Cuántas horas se atiende en la mesa de partes?"


def test_notes_are_written_cited_kept_of_an_answer_and_changed(
    open_page: Callable[..., Page], real_address: str
) -> None:
    page = open_page(real_address)
    go_to(page, "Documentos")
    page.get_by_role("tab", name="Nota").click()
    page.get_by_label("Título de la nota").fill("Horario de la mesa de partes")
    page.get_by_label("Texto de la nota").fill("La mesa de partes atiende ocho horas, de lunes a viernes.")
    shoot(page, "notes-form")
    page.get_by_role("button", name="Guardar la nota").click()
    listed = page.locator(".legajo-document")
    expect(listed).to_contain_text("notas/Horario de la mesa de partes.md · Nota", timeout=PUBLISHED_MS)
    shoot(page, "notes-listed")

    page.get_by_role("button", name="Nueva conversación").click()
    expect(ask(page, QUESTION)).to_contain_text("atiende ocho horas")
    expect(page.locator(".document-name")).to_have_text("Nota · Horario de la mesa de partes")
    settled(page)
    page.get_by_role("button", name="Guardar como nota").click()
    expect(page.get_by_label("Título de la nota")).to_have_value(QUESTION)
    page.get_by_label("Texto de la nota").fill("En la mesa de partes se atiende ocho horas, salvo feriados.")
    shoot(page, "notes-of-an-answer")
    page.get_by_role("button", name="Guardar la nota").click()
    expect(page.get_by_role("link", name="Documentos (2)")).to_be_visible(timeout=PUBLISHED_MS)

    go_to(page, "Documentos")
    row = page.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("link", name=QUESTION))
    row.get_by_role("button", name="Opciones").click()
    page.get_by_role("button", name="Editar la nota").click()
    words = page.get_by_label("Texto de la nota").first
    expect(words).to_have_value("En la mesa de partes se atiende ocho horas, salvo feriados.")
    words.fill("En la mesa de partes se atiende seis horas, salvo feriados.")
    page.get_by_label("Título de la nota").first.fill("Atención en feriados")
    shoot(page, "notes-edited")
    page.get_by_role("button", name="Guardar la nota").first.click()
    expect(page.get_by_role("link", name="Atención en feriados")).to_be_visible(timeout=PUBLISHED_MS)
    expect(listed).to_have_count(2)
