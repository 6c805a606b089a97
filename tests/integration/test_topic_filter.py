"""The identifier filter over a real project: what leaves makes room, and what is left is said with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.pipeline import Scope
from rag_system.settings import Settings
from tests.indexing import opened_project

CONTROLS = "Los controles de acceso se revisan cada año y los aprueba la gerencia"
DOCUMENTS = {
    "iso27001.txt": f"{CONTROLS}, con registro de cada revisión.",
    "ISO_9001_2015.txt": f"{CONTROLS}, como parte de la calidad.",
    "Reglamento.txt": f"{CONTROLS}, conforme a la ISO 27001.",
    "manual.txt": "Quien aprueba el acceso por las puertas y sus controles es el portero del edificio.",
}
EDITIONS = {
    "ISO_27001_2013.txt": f"{CONTROLS}. El anexo los reparte en catorce dominios.",
    "ISO_27001_2022.txt": "Quien aprueba los controles de acceso es la dirección; hoy son cuatro temas.",
}

Found = Callable[..., tuple[set[str], int]]


@pytest.fixture
def search(settings: Settings, tmp_path: Path) -> Iterator[Found]:
    with opened_project(settings, embeddings=HashEmbeddings()) as assistant:

        def found(question: str, documents: dict[str, str], *, top_k: int, recipe: str = "") -> tuple[set[str], int]:
            for name, text in documents.items():
                (tmp_path / name).write_text(text, encoding="utf-8")
            assert all(report.status == "indexed" for report in assistant.library.add([tmp_path]))
            _, result = assistant.pipeline.search(question, scope=Scope(top_k=top_k, recipe=recipe))
            names = {candidate.chunk.file_name for candidate in result.candidates}
            return names, result.funnel.rejected.get("off_topic", 0)

        yield found


def test_the_other_standard_leaves_before_the_cut(search: Found) -> None:
    names, off_topic = search("¿Quién aprueba los controles de acceso según ISO 27001?", DOCUMENTS, top_k=2)
    assert (names, off_topic) == ({"iso27001.txt", "Reglamento.txt"}, 1)


def test_what_is_given_a_place_is_read_however_far_down_it_stood(search: Found) -> None:
    articles = (f"## Artículo {n}\n\n" + f"Los equipos del teletrabajador, caso {n}. " * 40 for n in range(1, 60))
    laws = {"LEY-30036.md": "\n\n".join(articles), "LEY-31572.md": "El portero cierra la puerta."}
    names, _ = search("¿Qué dicen la Ley 30036 y la Ley 31572 sobre los equipos del teletrabajador?", laws, top_k=2)
    assert names == set(laws)


def test_both_sides_of_a_comparison_stay(search: Found) -> None:
    question = "Compare los controles de acceso de la ISO 27001 y la ISO 9001"
    names, off_topic = search(question, DOCUMENTS, top_k=4)
    assert names >= {"iso27001.txt", "ISO_9001_2015.txt", "Reglamento.txt"}
    assert off_topic == 0


ASKED = [
    ("ISO 27001:2013", {"ISO_27001_2013.txt"}),
    ("ISO/IEC 27001:2022", {"ISO_27001_2022.txt"}),
    ("ISO 27001", set(EDITIONS)),
    ("ISO 27001:2005", set(EDITIONS)),  # an edition that nobody has: the others may tell
]


@pytest.mark.parametrize(("asked", "staying"), ASKED)
def test_an_edition_matters_when_it_is_asked_for(search: Found, asked: str, staying: set[str]) -> None:
    names, off_topic = search(f"¿Quién aprueba los controles de acceso según la {asked}?", EDITIONS, top_k=5)
    assert (names, off_topic) == (staying, len(EDITIONS) - len(staying))


def test_vectors_alone_look_at_no_standard(search: Found) -> None:
    names, off_topic = search(f"{CONTROLS} según ISO 27001", DOCUMENTS, top_k=4, recipe="tomori")
    assert "ISO_9001_2015.txt" in names
    assert off_topic == 0


ADOPTING = {
    "RM-004-2016-PCM.md": "# Aprueban el uso obligatorio de la Norma Técnica Peruana ISO 27001\n\n"
    "Las copias de respaldo de datos personales son parte de lo que se implementa.",
    "manual.txt": "El portero del edificio abre la puerta a las ocho.",
    "DS-016-2024-JUS.md": "# Reglamento de protección de datos\n\n"
    "Las copias de respaldo de datos personales se prueban cada seis meses, conforme a la ISO 27001.",
}


KINDS = {
    "RM-004-2016-PCM.md": "# Resolución Ministerial N° 004-2016-PCM\n\nLas copias de respaldo son diarias.",
    "RM-104-2017-PCM.md": "# Resolución Ministerial N° 104-2017-PCM\n\nLas copias de respaldo son mensuales.",
    "DS-005-2012-TR.md": "# Decreto Supremo N° 005-2012-TR\n\nLas copias de respaldo son semanales.",
    "DLEG-1412-2018.md": "# Decreto Legislativo N° 1412\n\nLas copias de respaldo son anuales.",
}


@pytest.mark.parametrize(
    ("asked", "staying"),
    [
        ("la resolución 004-2016-PCM", "RM-004-2016-PCM.md"),
        ("el decreto 005-2012-TR", "DS-005-2012-TR.md"),
        ("el decreto 1412", "DLEG-1412-2018.md"),
    ],
)
def test_a_norm_is_found_by_the_general_name_of_its_kind(search: Found, asked: str, staying: str) -> None:
    names, off_topic = search(f"¿Cada cuánto son las copias de respaldo según {asked}?", KINDS, top_k=4)
    assert (names, off_topic) == ({staying}, 3)


def test_a_norm_about_a_standard_is_not_the_standard(settings: Settings, tmp_path: Path) -> None:
    for name, text in ADOPTING.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with opened_project(settings, embeddings=HashEmbeddings()) as assistant:
        assert all(report.status == "indexed" for report in assistant.library.add([tmp_path]))
        question = "¿Cada cuánto se prueban las copias de respaldo de datos personales según la ISO 27001?"
        _, result = assistant.pipeline.search(question)
    first, second, *_ = result.candidates
    assert (first.chunk.file_name, second.chunk.file_name) == ("DS-016-2024-JUS.md", "RM-004-2016-PCM.md")
