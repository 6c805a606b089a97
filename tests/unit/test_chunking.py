"""Chunks follow the structure, stay under the limit, and lose no text."""

from __future__ import annotations

import hashlib
import re
from itertools import count, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.ingestion import chunking
from rag_system.ingestion.chunking import CountTokens, chunk, embedding_text
from rag_system.ingestion.document import Block, BlockKind, ChunkDraft, ExtractedDocument
from rag_system.ingestion.lists import with_lead_ins
from rag_system.ingestion.packing import Piece
from tests.effort import examples


def _words(texts: list[str]) -> list[int]:
    """One token a word, and two that a model adds to every input."""
    return [len(text.split()) + 2 for text in texts]


def _quarters(texts: list[str]) -> list[int]:
    return [len(text) // 4 for text in texts]


def _characters(texts: list[str]) -> list[int]:
    return [len(text) for text in texts]


def _document(*blocks: Block) -> ExtractedDocument:
    return ExtractedDocument(format="txt", blocks=blocks, pages=None)


def _heading(level: int, text: str, page: int | None = None) -> Block:
    return Block(kind=BlockKind.HEADING, text=text, level=level, page=page)


def _text(text: str, page: int | None = None) -> Block:
    return Block(kind=BlockKind.TEXT, text=text, page=page)


def _chunk(
    document: ExtractedDocument, *, max_tokens: int = 60, overlap: int = 10, title: str = "Ley"
) -> list[ChunkDraft]:
    return list(chunk(document, title=title, max_tokens=max_tokens, overlap_tokens=overlap, count_tokens=_words))


# ---------------------------------------------------------------- structure


def test_one_chunk_an_article_with_its_path() -> None:
    drafts = _chunk(
        _document(
            _heading(4, "TÍTULO I. DEL PLAZO"),
            _heading(9, "Artículo 1.- Plazo"),
            _text("Son diez días."),
            _heading(9, "Artículo 2.- Silencio"),
            _text("Es positivo."),
            _heading(4, "TÍTULO II. DE LA MULTA"),
            _heading(9, "Artículo 3.- Monto"),
            _text("Una UIT."),
        )
    )
    assert [(d.ordinal, d.heading_path, d.text) for d in drafts] == [
        (0, ("TÍTULO I. DEL PLAZO", "Artículo 1.- Plazo"), "Son diez días."),
        (1, ("TÍTULO I. DEL PLAZO", "Artículo 2.- Silencio"), "Es positivo."),
        (2, ("TÍTULO II. DE LA MULTA", "Artículo 3.- Monto"), "Una UIT."),
    ]


def test_tiny_sections_of_a_manual_are_joined_under_their_parent() -> None:
    drafts = _chunk(
        _document(
            _heading(1, "Uso"),
            _heading(2, "Abrir"),
            _text("Pulse Abrir."),
            _heading(2, "Cerrar"),
            _text("Pulse Cerrar."),
        )
    )
    assert [(d.heading_path, d.text) for d in drafts] == [(("Uso",), "Abrir\nPulse Abrir.\nCerrar\nPulse Cerrar.")]


def test_a_joined_heading_stands_on_its_own_page() -> None:
    blocks = [
        _heading(1, "Manual", 1),
        _heading(2, "1. Alta", 1),
        _text("Se pide por correo.", 1),
        _heading(2, "2. Baja", 2),  # at the foot of its page
        _text("Se pide en la mesa de partes.", 3),
    ]
    (draft,) = _chunk(_document(*blocks))
    assert (draft.page_first, draft.page_last) == (1, 3)
    assert draft.page_starts == (draft.text.index("2. Baja"), draft.text.index("Se pide en la mesa"))


def test_a_heading_that_repeats_the_title_is_left_out_of_the_path() -> None:
    blocks = (_heading(1, "LEY DE PROTECCIÓN DE DATOS"), _heading(9, "Artículo 1"), _text("Rige."))
    drafts = _chunk(_document(*blocks), title="Ley de Protección de Datos Personales")
    assert [d.heading_path for d in drafts] == [("Artículo 1",)]


def test_a_long_section_is_cut_at_paragraphs_into_even_chunks() -> None:
    paragraphs = [f"Párrafo {number} con diez palabras justas para contar bien aquí." for number in range(10)]
    drafts = _chunk(_document(_heading(9, "Artículo 1"), *map(_text, paragraphs)), overlap=0)
    assert all(draft.text.startswith("Párrafo") and draft.text.endswith("aquí.") for draft in drafts)
    # each paragraph costs 10 words and 1 for the joint; 110 tokens in chunks of at most 60 - 5 of title and heading
    assert [draft.text.count("Párrafo") for draft in drafts] == [5, 5]


def test_overlap_repeats_whole_sentences_inside_a_section_only() -> None:
    sentences = " ".join(f"La frase {number} tiene siete palabras contadas." for number in range(12))
    drafts = _chunk(
        _document(_heading(9, "Artículo 1"), _text(sentences), _heading(9, "Artículo 2"), _text("Otra cosa."))
    )
    first, second = drafts[0].text, drafts[1].text
    assert second.startswith(first[first.rindex("La frase") :])
    assert drafts[-1].text == "Otra cosa."


def test_a_row_is_cut_only_when_it_is_longer_than_a_chunk() -> None:
    rows = ["Falta | Multa", *(f"Fila {number} {'voz ' * 20}| {number} UIT" for number in range(9)), "voz " * 150]
    (table,) = [Block(kind=BlockKind.TABLE, text="\n".join(rows))]
    drafts = _chunk(_document(_heading(2, "Multas"), table))
    whole = [row for draft in drafts for row in draft.text.split("\n") if row.startswith("Fila")]
    assert whole == rows[1:-1]


def test_a_table_that_goes_on_repeats_its_header() -> None:
    rows = ["Falta | Multa", *(f"Falta número {n} de la lista | {n} UIT" for n in range(20))]
    drafts = _chunk(_document(_heading(2, "Multas"), Block(kind=BlockKind.TABLE, text="\n".join(rows))))
    assert len(drafts) > 2
    assert all(draft.text.startswith("Falta | Multa\n") for draft in drafts)


PROHIBITED = "El servidor tiene prohibido lo siguiente:"


def test_a_list_that_goes_on_repeats_the_words_that_introduce_it() -> None:
    items = [f"{n}. Pedir o recibir en el cargo el regalo número {n} de nadie." for n in range(1, 21)]
    drafts = _chunk(_document(_heading(9, "Artículo 8"), *map(_text, ["Rige desde hoy.", PROHIBITED, *items])))
    assert len(drafts) > 2
    assert all(draft.text.startswith(PROHIBITED + "\n") for draft in drafts[1:])
    assert [line for draft in drafts for line in draft.text.split("\n") if line[0].isdigit()] == items


def test_inside_of_an_item_its_end_is_repeated_below_what_introduces_the_list() -> None:
    sentences = " ".join(f"La frase {number} tiene siete palabras contadas." for number in range(12))
    drafts = _chunk(_document(*map(_text, [PROHIBITED, f"a) {sentences}", "b) Otra cosa."])))
    assert all(draft.text.startswith(f"{PROHIBITED}\nLa frase") for draft in drafts[1:])


@pytest.mark.parametrize(
    ("between", "goes_on"),
    [
        ("No es falta pedirlo para otros.\n3.", True),  # what is said of the second item
        ("Lo que sigue se permite.\n1.", False),
        ("Se permite:\n1.", False),
        ("Lo que sigue se permite.\n-", False),
    ],
)
def test_a_list_ends_with_prose_unless_its_numbers_go_on(between: str, goes_on: bool) -> None:
    long = "voz " * 28
    lines = f"{PROHIBITED}\n1. Uno.\n2. Dos {long}.\n{between} Tres {long}.".split("\n")
    drafts = _chunk(_document(*map(_text, lines)), overlap=0)
    (after,) = [draft.text for draft in drafts if "Tres" in draft.text]
    assert after.startswith(PROHIBITED) == goes_on


@pytest.mark.parametrize(
    ("lines", "header"),
    [
        (["1. El laudo se anula cuando se pruebe:", "a) Uno.", "b) Dos.", "2. No procede."], ""),  # the outer goes on
        (["Se prohíbe:", "a) Uno.", "b) Dos.", "2. El personal puede pedir."], ""),
        (["Se prohíbe:", "Perros.", "Los trámites se hacen en la sede.", "1. Se puede entrar."], ""),
        (["Se prohíbe:", "1. Uno.", "2. En estos casos:", "a) Feriados."], "Se prohíbe:\n2. En estos casos:"),
        (["Se prohíbe:", "1. En estos casos:", "a) Feriados.", "2. Dos."], "Se prohíbe:"),
        (["Se prohíbe:", "g) Uno.", "h) Dos."], ""),  # it begins elsewhere
        (["Se prohíbe:", "a) Uno.", "h) Ocho."], ""),
        (["Se prohíbe:", "g. Uno."], ""),
        (["Se prohíbe:", "h) Uno.", "Prosa.", "i) Dos."], ""),
        (["Se prohíbe:", "a) Uno.", "c) Tres."], "Se prohíbe:"),  # «b)» is repealed
        (["Se prohíbe:", "- Uno.", "- Dos."], "Se prohíbe:"),
    ],
)
def test_what_an_item_is_read_under(lines: list[str], header: str) -> None:
    pieces = [Piece(line, None, opens=True) for line in lines]
    assert with_lead_ins(pieces)[-1].header == header


def test_a_paragraph_cut_by_the_page_is_joined_and_spans_both_pages() -> None:
    drafts = _chunk(_document(_text("El plazo es de", page=4), _text("diez días.", page=5), _text("Fin.", page=6)))
    assert [(d.text, d.page_first, d.page_last) for d in drafts] == [("El plazo es de diez días.\nFin.", 4, 6)]


def test_a_word_longer_than_a_chunk_is_cut() -> None:
    document = _document(_text("x" * 1000))
    drafts = chunk(document, title="T", max_tokens=100, overlap_tokens=0, count_tokens=_characters)
    assert "".join(draft.text for draft in drafts) == "x" * 1000


def test_nothing_to_cut() -> None:
    assert _chunk(_document()) == []


def test_the_hash_is_of_what_is_embedded() -> None:
    (draft,) = _chunk(_document(_heading(9, "Artículo 1"), _text("Rige.")))
    embedded = embedding_text("Ley", draft.heading_path, draft.text)
    assert embedded == "Ley\nArtículo 1\nRige."
    assert draft.content_hash == hashlib.sha256(embedded.encode()).hexdigest()


# ---------------------------------------------------------------- properties

_PARAGRAPH = st.lists(
    st.sampled_from(["plazo", "ley", "el", "Art. 5", "multa;", "día.", "Fin.", "ñandú,", "a" * 90]),
    min_size=1,
    max_size=60,
)
_BLOCK = st.one_of(
    _PARAGRAPH.map(lambda words: _text(" ".join(words))),
    _PARAGRAPH.map(lambda words: Block(kind=BlockKind.LIST_ITEM, text="a) " + " ".join(words))),
    st.tuples(st.integers(1, 10), st.sampled_from(["TÍTULO I", "Artículo 2.- Plazo", "Notas", "Anexo " * 30])).map(
        lambda pair: _heading(pair[0], pair[1].strip())
    ),
)


def _paged(blocks: list[Block], steps: list[int]) -> list[Block]:
    page, paged = 1, []
    for block, step in zip(blocks, steps, strict=False):
        page += step
        paged.append(Block(kind=block.kind, text=block.text, level=block.level, page=page))
    return paged


@settings(max_examples=examples(60))
@given(
    st.lists(_BLOCK, max_size=25),
    st.lists(st.integers(0, 2), min_size=25, max_size=25),
    st.sampled_from([(_words, 100), (_quarters, 220), (_characters, 700)]),
    st.integers(0, 60),
)
def test_properties(blocks: list[Block], steps: list[int], counter: tuple[CountTokens, int], overlap: int) -> None:
    count_tokens, limit = counter
    document = _document(*_paged(blocks, steps))
    drafts = list(
        chunk(document, title="Reglamento", max_tokens=limit, overlap_tokens=overlap, count_tokens=count_tokens)
    )

    embedded = [embedding_text("Reglamento", draft.heading_path, draft.text) for draft in drafts]
    assert all(tokens <= limit for tokens in count_tokens(embedded))
    assert all(real <= draft.tokens <= limit for real, draft in zip(count_tokens(embedded), drafts, strict=True))
    assert [draft.ordinal for draft in drafts] == list(range(len(drafts)))

    pages = [(draft.page_first or 0, draft.page_last or 0) for draft in drafts]
    assert all(first <= last for first, last in pages)
    assert all(before[0] <= after[0] and before[1] <= after[1] for before, after in pairwise(pages))

    again = chunk(document, title="Reglamento", max_tokens=limit, overlap_tokens=overlap, count_tokens=count_tokens)
    assert list(again) == drafts


@settings(max_examples=examples(60))
@given(st.lists(_PARAGRAPH, min_size=1, max_size=12), st.sampled_from([(_words, 40), (_characters, 400)]))
def test_without_overlap_the_chunks_are_the_text(paragraphs: list[list[str]], counter: tuple[CountTokens, int]) -> None:
    texts = [" ".join(words) for words in paragraphs]
    document = _document(_heading(9, "Artículo 1"), *map(_text, texts))
    drafts = list(chunk(document, title="Ley", max_tokens=counter[1], overlap_tokens=0, count_tokens=counter[0]))
    joined = "".join(draft.text for draft in drafts)
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", "".join(texts))


# Every word of these documents is another one, so that it can be followed into the chunks.
_SHAPE = st.lists(
    st.tuples(
        st.sampled_from(["heading", "text", "list_item", "table", "code"]),
        st.integers(1, 10),  # level of a heading, rows of a table, sentences of a text
        st.integers(1, 25),  # words of each
        st.integers(0, 2),  # pages further
    ),
    max_size=25,
)


def _numbered(shape: list[tuple[str, int, int, int]]) -> list[Block]:
    numbers = count()
    page, blocks = 1, []
    for place, (kind, size, words, step) in enumerate(shape):
        page += step
        if kind == "heading":
            blocks.append(_heading(size, f"Encabezado {place}", page))
            continue
        lines = [" ".join(f"Voz{next(numbers)}" for _ in range(words)) for _ in range(size)]
        text = "\n".join(lines) if kind in ("table", "code") else ". ".join(lines) + "."
        blocks.append(Block(kind=BlockKind(kind), text=text, page=page))
    return blocks


def _pages_of_words(draft: ChunkDraft) -> list[int]:
    starts, first = draft.page_starts, draft.page_first or 0
    return [first + sum(start <= match.start() for start in starts) for match in re.finditer(r"Voz\d+", draft.text)]


def _found(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"Voz(\d+)", text)]


@settings(max_examples=examples(150))
@given(_SHAPE, st.integers(0, 30))
def test_nothing_is_lost_and_nothing_said_twice_but_the_overlap(
    shape: list[tuple[str, int, int, int]], overlap: int
) -> None:
    blocks = _numbered(shape)
    pages = {word: block.page or 0 for block in blocks for word in _found(block.text)}
    headers = [_found(block.text.split("\n")[0]) for block in blocks if block.kind is BlockKind.TABLE]
    headings = {block.text.split()[-1]: block.page or 0 for block in blocks if block.kind is BlockKind.HEADING}
    said: list[int] = []
    before: ChunkDraft | None = None
    for draft in _chunk(_document(*blocks), max_tokens=80, overlap=overlap):
        words = _found(draft.text)
        again = [word for word in words if word < len(said)]
        if again in headers:
            new_pages = [pages[word] for word in words[len(again) :]]
        else:
            new_pages = [pages[word] for word in words]
            assert len(again) <= overlap
            assert said[len(said) - len(again) :] == again
            assert not again or (before is not None and before.heading_path == draft.heading_path)
        assert words[: len(again)] == again
        joined = [headings[number] for number in re.findall(r"Encabezado (\d+)", draft.text)]  # each on its own page
        assert (draft.page_first, draft.page_last) == (min([*joined, *new_pages]), max(new_pages))
        assert _pages_of_words(draft)[len(words) - len(new_pages) :] == new_pages
        said += words[len(again) :]
        before = draft
    assert said == list(range(len(pages)))


def test_a_text_without_end_under_one_heading_is_cut_as_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunking, "_MAX_SECTION_CHARS", 2_000)
    blocks = [_heading(2, "Actas"), *(_text(f"Acuerdo {number} de la sesión.") for number in range(1_000))]
    drafts = _chunk(_document(*blocks), overlap=0)
    assert {draft.heading_path for draft in drafts} == {("Actas",)}
    assert re.findall(r"Acuerdo (\d+)", " ".join(draft.text for draft in drafts)) == [str(n) for n in range(1_000)]
