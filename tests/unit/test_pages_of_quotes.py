"""A quote of a PDF is told with the page where its words stand, however many pages its chunk reaches over."""

from __future__ import annotations

import io
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from rag_system.ingestion.chunking import chunk
from rag_system.ingestion.loaders import extract
from rag_system.types import Chunk, ChunkDraft, Evidence
from tests.effort import examples

_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po")


def _sentence(number: int) -> str:
    """Told apart by a name: lines that differ in a number alone would be running heads."""
    name = _SYLLABLES[number // 9] + _SYLLABLES[number % 9]
    return f"La oficina de {name} registra cada mes el expediente que le toca a su despacho."


def _pdf(pages: list[int]) -> bytes:
    """So many sentences on each page, none twice."""
    buffer, number = io.BytesIO(), 0
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for count in pages:
        canvas.setFont("Helvetica", 10)
        for line in range(count):
            canvas.drawString(70, 760 - 16 * line, _sentence(number))
            number += 1
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _stored(draft: ChunkDraft) -> Chunk:
    return Chunk(
        chunk_id=draft.ordinal,
        document_id="d",
        path="oficinas.pdf",
        title="Oficinas",
        heading_path=draft.heading_path,
        page_first=draft.page_first,
        page_last=draft.page_last,
        text=draft.text,
        page_starts=draft.page_starts,
    )


@settings(max_examples=examples(40))
@given(st.lists(st.integers(0, 12), min_size=1, max_size=6), st.integers(40, 400), st.integers(0, 60))
def test_every_sentence_is_quoted_with_its_page(pages: list[int], max_tokens: int, overlap: int) -> None:
    stands = [page for page, count in enumerate(pages, 1) for _ in range(count)]
    told = [_sentence(number) for number in range(len(stands))]
    drafts = chunk(
        extract(_pdf(pages), name="oficinas.pdf"),
        title="Oficinas",
        max_tokens=max_tokens,
        overlap_tokens=overlap,
        count_tokens=lambda texts: [len(text.split()) for text in texts],
    )
    quoted = set()
    for stored in map(_stored, drafts):
        evidence = Evidence(n=1, chunk=stored, text=stored.text, score=1.0)
        for match in re.finditer(r"La oficina de [^.]*\.", stored.text):
            place = told.index(match[0])
            assert (stored.page_at(match.start()), evidence.page_of(match[0])) == (stands[place], stands[place])
            quoted.add(place)
    assert quoted == set(range(len(stands)))
