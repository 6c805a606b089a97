"""Which norms a document repeals whole, and which documents of a project those are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rag_system.ingestion.repeals import repealed_by, repeals_in
from rag_system.search.in_force import is_repealed
from rag_system.types import ChunkDraft, StateKind, TextState

REPEALS = [
    ("Derógase la Ley 27986, del hogar, y toda otra norma que se oponga a la presente.", ["ley:27986"]),
    ("Deróguense los Decretos Supremos Nº 024-2001-PE y Nº 036-2001-PE, los artículos 3 y 5 del D.S. Nº 001-2002-PE.",
     ["ds:024-2001-pe", "ds:036-2001-pe"]),
    ("Derógase asimismo la Ley N° 8514, los Decretos Leyes N°s. 14218, 21116, artículo 4, y demás disposiciones.",
     ["ley:8514", "dley:14218"]),
    ("Derógase la Ley 29889, Ley que modifica el artículo 11 de la Ley 26842.", ["ley:29889"]),
    ("Deróganse la Ley 23733, Ley Universitaria; la Ley 26439, que crea el CONAFU; y el Decreto Legislativo 882 en lo "
     "que respecta a las universidades.", ["ley:23733", "ley:26439"]),
    ("Quedan derogadas las siguientes normas:\na) La Ley N° 28518;\nb) El Decreto Supremo N° 007-2005-TR, salvo su "
     "artículo 5;\nc) El artículo 2 de la Ley N° 29000.", ["ley:28518"]),
    ("Derógase el Reglamento de Depósitos, aprobado por Decreto Supremo N° 306-85-EF.", ["ds:306-85-ef"]),
    ("Déjase sin efecto la Resolución Ministerial Nº 636-2009-MINSA.", ["rm:636-2009-minsa"]),
    ("Queda derogada la Ley 30/1992, de 26 de noviembre.", ["ley:30/1992"]),
    ("Quedan derogadas las Leyes 1581 de 2012 y 1266 de 2008.", ["ley:1581@2012", "ley:1266@2008"]),
    ("Derógase el Decreto N° 618 de fecha 16 de abril de 2002, y restitúyese el artículo 6° de la Ley N° 21.453.",
     ["decreto:618@2002"]),
    ("Se abroga la Ley N° 40112. Se deroga el artículo 5 de la Ley N° 40113.", ["ley:40112"]),
]  # fmt: skip
KEEPS = [
    "Quedan derogadas todas las normas que se opongan a la presente Ley.",
    "Quedan derogados los artículos 8 del Decreto Supremo 004-2006-TR; 22 y 23 del Decreto Supremo N.º 013-2003-TR.",
    "Se deroga el numeral 8 del artículo 2 del Código Procesal Penal, promulgado mediante Decreto Legislativo N° 957.",
    "Derógase el artículo 4 del Reglamento de Depósitos, aprobado por Decreto Supremo N° 306-85-EF.",
    "Que, mediante Ley N° 30000 se deroga la Ley N° 20000.",
    "No se deroga la Ley N° 27444.",
    "Derógase la Ley 27482 respecto a su reglamento.",
    "Derógase la Ley 27482 en cuanto se oponga a la presente.",
    "(*) De conformidad con la Ley N° 30161, publicada el 28 enero 2014, se deroga la Ley 27482.",
    "Derógase el Decreto N° 618.",  # of which year?
    "La comisión propone derogar las normas obsoletas de la Ley N° 27444.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "norms"), REPEALS)
def test_norms_that_are_repealed_whole(text: str, norms: list[str]) -> None:
    assert [norm for norm, _ in repeals_in(text)] == norms


@pytest.mark.parametrize("text", KEEPS)
def test_a_part_an_exception_or_a_mention_repeals_nothing(text: str) -> None:
    assert list(repeals_in(text)) == []


def draft(text: str, *headings: str, state: TextState | None = None) -> ChunkDraft:
    return ChunkDraft(
        ordinal=0,
        heading_path=headings,
        text=text,
        page_first=None,
        page_last=None,
        tokens=9,
        content_hash="",
        state=state,
    )


CLAUSE = "Derógase la Ley N° 40112."
GONE = TextState(kind=StateKind.REPEALED, told="[Derogado]")
DRAFTS = [
    ([draft(CLAUSE, "Disposiciones", "ÚNICA")], ["ley:40871"], {"ley:40112": CLAUSE}),
    ([draft("Deróganse:", "ÚNICA"), draft("a) La Ley N° 40112.", "ÚNICA")], ["ley:40871"],
     {"ley:40112": "Deróganse:\na) La Ley N° 40112."}),
    ([draft(CLAUSE)], [], {}),  # no norm itself: a thesis, a manual
    ([draft(CLAUSE)], ["iso:9001"], {}),
    ([draft(CLAUSE, "CONSIDERANDO")], ["ley:40871"], {}),
    ([draft(CLAUSE, "Artículo 3", "“Artículo 12")], ["ley:40871"], {}),  # the article of another norm
    ([draft(CLAUSE, state=GONE)], ["ley:40871"], {}),
    ([draft(CLAUSE)], ["ley:40112"], {}),
]  # fmt: skip


@pytest.mark.parametrize(("drafts", "own", "found"), DRAFTS)
def test_what_a_document_repeals(drafts: Sequence[ChunkDraft], own: Sequence[str], found: dict[str, str]) -> None:
    assert repealed_by(drafts, own) == found


# what the document is, what is repealed, what the document is that repeals it
SAME = [
    (["ley:40112"], "ley:40112", ["ley:40871"], True),
    (["ley:40112@2006"], "ley:40112", ["ley:40871"], True),
    (["ley:39/2015"], "ley:39@2015", ["ley:11/2020"], True),
    (["ds:031-2009-bibliotecas", "ds:031-2009-cul"], "ds:031-2009-cul", ["ds:018-2020-cul"], True),
    (["ds:003-2013-jus", "ley:29733"], "ley:29733", ["ley:40871"], False),  # what it carries out, not what it is
    (["iso:27001@2014", "rm:004-2016-pcm"], "rm:004-2016-pcm", ["rm:087-2019-pcm"], True),
    (["codigo:tributario"], "ds:133-2013-ef", ["ley:40871"], False),
    (["ley:40112"], "ley:40113", ["ley:40871"], False),
    (["ley:40871"], "ley:40871", ["ley:40871"], False),
    ([], "ley:40112", ["ley:40871"], False),
]  # fmt: skip


@pytest.mark.parametrize(("own", "repealed", "by", "expected"), SAME)
def test_a_document_is_repealed_as_what_it_is_first_of_all(
    own: list[str], repealed: str, by: list[str], expected: bool
) -> None:
    assert is_repealed(own, repealed, by) is expected
