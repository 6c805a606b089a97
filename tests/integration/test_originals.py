"""A document is opened as it was added: its bytes, its pages, its text without repetitions."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from assistant.assistant import Assistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import project_of

_SENTENCE = "La oficina {} {} registra cada mes los expedientes que recibe, los numera y los guarda por diez años. "
_WORDS = "norte sur este oeste alta baja nueva vieja"


def test_an_original_is_read_from_any_passage_on(database: Database, settings: Settings, tmp_path: Path) -> None:
    assistant = project_of(Assistant(database=database, settings=settings, embeddings=HashEmbeddings()))
    words = "# Oficinas\n\n" + "".join(_SENTENCE.format(*pair) for pair in permutations(_WORDS.split(), 2))
    (tmp_path / "oficinas.md").write_text(words, encoding="utf-8")
    list(assistant.library.add([tmp_path / "oficinas.md"]))
    originals = assistant.originals
    assert originals.find("otro.md") is None
    assert originals.find("oficinas.md\0") is None
    found = originals.find("oficinas.md")
    assert found is not None
    assert originals.content(found) == words.encode()
    passages = originals.passages(found, first=0, limit=100)
    assert len(passages) == found.passages > 1
    assert "".join(" ".join(each.text for each in passages).split()) == "".join(words.split("\n\n")[1].split())
    later = originals.passages(found, first=1, limit=1)
    assert [each.ordinal for each in later] == [1]
    assert originals.place_of(found, -1) is None
