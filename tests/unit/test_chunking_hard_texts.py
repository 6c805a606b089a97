"""Chunks of texts as they come: accents apart from their letters, joined emoji, other scripts, no space, no newline."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from html import escape
from itertools import count, pairwise

import docx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rag_system.ingestion.chunking import CountTokens, chunk, embedding_text
from rag_system.ingestion.document import Block, BlockKind, ChunkDraft, ExtractedDocument
from rag_system.ingestion.loaders import extract
from tests.effort import examples


def _bytes(texts: list[str]) -> list[int]:
    """The worst that a tokenizer does: a token a byte, and two for the input."""
    return [len(text.encode()) + 2 for text in texts]


def _quarters(texts: list[str]) -> list[int]:
    return [len(text) // 4 for text in texts]


def _words(texts: list[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


COUNTERS: list[tuple[CountTokens, int]] = [(_bytes, 300), (_quarters, 120), (_words, 40)]


def _document(blocks: list[Block]) -> ExtractedDocument:
    return ExtractedDocument(format="txt", blocks=blocks, pages=None)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _parts_a_character(draft: ChunkDraft) -> bool:
    first = draft.text[0]
    return unicodedata.category(first)[0] == "M" or first in "\u200d🏻🏼🏽🏾🏿"


# ---------------------------------------------------------------- any text in any block

_APART = unicodedata.normalize("NFD", "Administración pública, ñandú y pingüino.")
_WILD = st.sampled_from(
    [
        "El plazo es de diez días hábiles.",
        "Art. 5 de la Ley N.º 29733: «multa» de 2,5 UIT.",
        _APART,
        _APART.replace(" ", "") * 9,
        "n\u0303\u0301" * 150,
        "sí👩‍👩‍👧‍👦👍🏽🇵🇪" * 30,
        "السلام عليكم ورحمة الله، المادة ٥.",
        "שלום" * 60,
        "個人情報保護法" * 30,
        "0123456789" * 40,
        "https://example.org/" + "a1/" * 90,
        "pala\u200bbra\u00ad " * 20,
        "x\u00a0y\u2028z\u0085w",
        "…" * 400,
    ]
)
_TEXT = st.lists(_WILD, min_size=1, max_size=5).map(" ".join)
_BLOCKS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([BlockKind.TEXT, BlockKind.LIST_ITEM]), _TEXT),
        st.tuples(
            st.sampled_from([BlockKind.TABLE, BlockKind.CODE]), st.lists(_TEXT, min_size=1, max_size=2).map("\n".join)
        ),
        st.tuples(st.just(BlockKind.HEADING), st.sampled_from(["TÍTULO I", "المادة 5", "Anexo 👍🏽", "ñ" * 300])),
    ),
    max_size=8,
)


@settings(max_examples=examples(100))
@given(_BLOCKS, st.lists(st.integers(0, 2), min_size=8, max_size=8), st.sampled_from(COUNTERS))
@example([(BlockKind.TEXT, "El plazo vence en diez días y " * 35_000)], [0] * 8, COUNTERS[1])  # 1 MB in one line
@example([(BlockKind.TABLE, "ñandú" * 40_000)], [0] * 8, COUNTERS[1])  # without a space either
def test_hard_texts(content: list[tuple[BlockKind, str]], steps: list[int], counter: tuple[CountTokens, int]) -> None:
    count_tokens, limit = counter
    page, blocks = 1, []
    for (kind, text), step in zip(content, steps, strict=False):
        page += step
        blocks.append(Block(kind=kind, text=text, page=page, level=3 if kind is BlockKind.HEADING else 0))
    drafts = list(chunk(_document(blocks), title="Ley", max_tokens=limit, overlap_tokens=0, count_tokens=count_tokens))

    assert not any(map(_parts_a_character, drafts))
    assert all(any(map(str.isalnum, draft.text)) for draft in drafts)
    embedded = count_tokens([embedding_text("Ley", draft.heading_path, draft.text) for draft in drafts])
    assert all(real <= draft.tokens <= limit for real, draft in zip(embedded, drafts, strict=True))
    pages = [(draft.page_first or 0, draft.page_last or 0) for draft in drafts]
    assert all(first <= last for first, last in pages)
    assert all(before[0] <= after[0] and before[1] <= after[1] for before, after in pairwise(pages))
    assert all(draft.page_starts == tuple(sorted(draft.page_starts)) for draft in drafts)
    # a heading stands in the path, or, where small sections are joined, in the text
    said = _letters("".join(block.text for block in blocks if block.kind is not BlockKind.HEADING))
    joined = _letters("".join(_without_headings(draft, blocks) for draft in drafts))
    assert joined == said


def _without_headings(draft: ChunkDraft, blocks: list[Block]) -> str:
    headings = {block.text for block in blocks if block.kind is BlockKind.HEADING}
    return "\n".join(line for line in draft.text.split("\n") if line not in headings)


# ---------------------------------------------------------------- from a file's bytes

# Every word is another one. Headings may have nothing below them, follow each other, or end the document.
_SHAPE = st.lists(
    st.tuples(st.sampled_from(["heading", "text", "list", "table"]), st.integers(1, 4), st.integers(1, 30)),
    min_size=1,
    max_size=15,
)
Shape = list[tuple[str, int, int]]
Parts = list[tuple[str, int, list[str]]]  # kind, level, lines


def _parts(shape: Shape) -> Parts:
    numbers = count()
    return [
        (kind, size, [" ".join(f"Voz{next(numbers)}" for _ in range(words)) for _ in range(size)])
        if kind != "heading"
        else (kind, size, [f"Encabezado Voz{next(numbers)}"])
        for kind, size, words in shape
    ]


def _markdown(parts: Parts) -> bytes:
    def block(kind: str, level: int, lines: list[str]) -> str:
        if kind == "heading":
            return f"{'#' * level} {lines[0]}"
        if kind == "list":
            return "\n".join(f"- {line}." for line in lines)
        if kind == "table":
            head, *rows = (f"| {line} | x |" for line in lines)
            return "\n".join([head, "|---|---|", *rows])
        return " ".join(f"{line}." for line in lines)

    return "\n\n".join(block(*part) for part in parts).encode()


def _html(parts: Parts) -> bytes:
    def block(kind: str, level: int, lines: list[str]) -> str:
        lines = [escape(line) for line in lines]
        if kind == "heading":
            return f"<h{level}>{lines[0]}</h{level}>"
        if kind == "list":
            return f"<ul>{''.join(f'<li>{line}.</li>' for line in lines)}</ul>"
        if kind == "table":
            return f"<table>{''.join(f'<tr><td>{line}</td><td>x</td></tr>' for line in lines)}</table>"
        return f"<p>{'. '.join(lines)}.</p>"

    return f"<html><body>{''.join(block(*part) for part in parts)}</body></html>".encode()


def _word(parts: Parts) -> bytes:
    document = docx.Document()
    for kind, level, lines in parts:
        if kind == "heading":
            document.add_heading(lines[0], level)
        elif kind == "list":
            for line in lines:
                document.add_paragraph(f"{line}.", style="List Bullet")
        elif kind == "table":
            table = document.add_table(len(lines), 2)
            for row, line in zip(table.rows, lines, strict=True):
                row.cells[0].text, row.cells[1].text = line, "x"
        else:
            document.add_paragraph(". ".join(lines) + ".")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _text(parts: Parts) -> bytes:
    return "\n\n".join("\n".join(f"{line}." for line in lines) for _, _, lines in parts).encode()


def _table(parts: Parts) -> bytes:
    stream = io.StringIO()
    csv.writer(stream).writerows([line, "x"] for _, _, lines in parts for line in lines)
    return stream.getvalue().encode()


FORMATS = {"md": _markdown, "html": _html, "docx": _word, "txt": _text, "csv": _table}


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=examples(15))
@given(shape=_SHAPE)
def test_every_word_of_a_file_is_in_its_chunks(suffix: str, shape: Shape) -> None:
    """In the text of a chunk, once and in order, but for headings, which may be in its path, and a table's first row,
    which is repeated.
    """
    parts = _parts(shape)
    extracted = extract(FORMATS[suffix](parts), name=f"a.{suffix}")
    drafts = list(chunk(extracted, title="Ley", max_tokens=60, overlap_tokens=0, count_tokens=_words))
    first_time = list(dict.fromkeys(_numbers("\n".join(draft.text for draft in drafts))))
    headings = {number for kind, _, lines in parts if kind == "heading" for number in _numbers(lines[0])}
    body = [number for _, _, lines in parts for line in lines for number in _numbers(line) if number not in headings]
    assert [number for number in first_time if number not in headings] == body
    told = {*first_time, *(number for draft in drafts for line in draft.heading_path for number in _numbers(line))}
    assert headings <= told
    assert all(tokens <= 60 for tokens in _words([embedding_text("Ley", d.heading_path, d.text) for d in drafts]))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"Voz(\d+)", text)]
