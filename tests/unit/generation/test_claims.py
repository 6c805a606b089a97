"""What is planted in answers is found: altered figures, denials, inventions; what is supported is left alone."""

from __future__ import annotations

import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.generation.arithmetic import is_computed
from rag_system.generation.doubts import Doubt
from rag_system.generation.figures import is_among, read_figures
from rag_system.generation.grounding import ground
from rag_system.generation.markers import marker_numbers
from rag_system.types import Evidence
from tests.builders import chunk, evidence
from tests.effort import examples

PLANTED = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))
GROUPS: dict[str, list[str]] = {group["clase"]: group["oraciones"] for group in PLANTED["grupo"]}
WRONG = ("cifra", "negada", "inventada")


@cache
def sources() -> tuple[Evidence, ...]:
    rows = enumerate(PLANTED["fuente"], 1)
    return evidence(
        *(
            chunk(
                row["texto"].strip(),
                chunk_id=n,
                document=f"fuente-{n}",
                title=row["titulo"],
                headings=tuple(row["encabezados"]),
            )
            for n, row in rows
        )
    )


def is_marked(sentence: str) -> bool:
    return bool(ground(sentence, sources()).doubts)


def test_the_set_is_large_enough() -> None:
    assert sum(map(len, GROUPS.values())) >= 120


def test_precision_and_recall(capsys: pytest.CaptureFixture[str]) -> None:
    marked = {name: [sentence for sentence in sentences if is_marked(sentence)] for name, sentences in GROUPS.items()}
    found = sum(len(marked[name]) for name in WRONG)
    planted = sum(len(GROUPS[name]) for name in WRONG)
    precision, recall = found / sum(map(len, marked.values())), found / planted
    with capsys.disabled():
        each = ", ".join(f"{name} {len(marked[name])}/{len(GROUPS[name])}" for name in GROUPS)
        sys.stdout.write(f"\nmarked: {each}; precision {precision:.3f}, recall {recall:.3f}\n")
    assert precision >= 0.97
    assert recall >= 0.92


@pytest.mark.parametrize("sentence", GROUPS["cortesía"])
def test_what_claims_nothing_is_never_marked(sentence: str) -> None:
    assert not is_marked(sentence)


@cache
def with_figures() -> list[str]:
    return [sentence for sentence in GROUPS["sustentada"] if "«" not in sentence and not is_marked(sentence)]


def alterations() -> list[tuple[str, int]]:
    """Each figure of each supported sentence, by its place among them."""
    prose = [(sentence, sentence.index(" [")) for sentence in with_figures()]
    places = [(sentence, i, figure) for sentence, end in prose for i, figure in enumerate(read_figures(sentence[:end]))]
    return [(sentence, i) for sentence, i, figure in places if figure.unit not in {"", "weekday"}]


@settings(max_examples=examples(200))
@given(st.deferred(lambda: st.sampled_from(alterations())), st.integers(3, 9_999), st.booleans())
def test_a_figure_that_no_source_has_is_always_marked(place: tuple[str, int], number: int, plain: bool) -> None:
    sentence, which = place
    figure = read_figures(sentence)[which]
    replaced = f"{number}" if plain else f"{number:,}"
    if figure.unit == "date":
        replaced = f"{number % 28 + 1} de julio de {1900 + number % 90}"
    elif figure.unit == "hour":
        replaced = f"{number % 24}:{number % 60:02}"
    elif figure.unit == "code":
        replaced = f"F-SG-{number}"
    altered = sentence[: figure.start] + replaced + sentence[figure.end :]
    stated = [each for item in sources() for each in read_figures("\n".join((item.text, *item.chunk.heading_path)))]
    own = read_figures(altered)
    new = [each for each in own if each.start == figure.start]
    if not new or is_among(new[0], stated) or any(new[0].value == each.value for each in stated):
        return
    if not is_computed(new[0], altered, own, stated):  # «80 en total», of 50 and 30
        assert is_marked(altered), altered


@settings(max_examples=examples(100))
@given(st.integers(20_000, 32_999).filter(lambda number: number != 29733))
def test_a_norm_that_no_source_names_is_always_marked(number: int) -> None:
    assert is_marked(f"Según la Ley {number}, el tratamiento de datos sensibles exige consentimiento por escrito [5].")


def _without_its_marker(sentence: str) -> str:
    return re.sub(r"\s*\[\d+\]", "", sentence)


def test_forgotten_citations_are_found_again_and_false_sentences_get_none() -> None:
    right = wrong = 0
    for name in ("sustentada", *WRONG):
        for sentence in GROUPS[name]:
            found = [n for _, n in ground(_without_its_marker(sentence), sources()).added]
            meant = name == "sustentada" and set(found) <= set(marker_numbers(sentence, [item.n for item in sources()]))
            right += meant and bool(found)
            wrong += not meant and bool(found)
    assert right / len(GROUPS["sustentada"]) >= 0.75
    assert wrong / (right + wrong) <= 0.045  # what is not told to be false when it cites is not told when it does not


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ("La sala atiende de martes a domingo, de 9:00 a 17:00 horas, y cierra los lunes.", True),
        ("La sala atiende de martes a viernes; los lunes está cerrada.", True),
        ("La sala atiende toda la semana; el depósito cierra los lunes.", False),
        ("La sala abre los lunes y cierra los martes.", False),
        ("La sala atiende toda la semana y nunca cierra los lunes.", False),
    ],
)
def test_what_closes_on_a_day_does_not_open_on_it(source: str, marked: bool) -> None:
    assert bool(ground("La sala abre los lunes [1].", evidence(chunk(source))).doubts) == marked


RULE = chunk(
    "La entidad paga en doce (12) meses o en 48 horas. El contratista avisa con cinco días hábiles. El supervisor "
    "firma el acta y el residente la archiva. Los reclamos se presentan dentro de los 21 días siguientes a la "
    "descarga. Cada saco cuesta 30 dólares y el flete, 50 dólares. Se ocupan dos tercios del almacén, de 8:00 a "
    "16:30 horas. El socio activo puede votar cuando está al día. El aviso de embarque lo recibe la naviera.",
    headings=("Título I", "Artículo 9"),
)
NEXT = chunk(
    "Artículo 10.- Multas\nLa multa es de 3 UIT.\nArtículo 11.- Gastos\nLos gastos del peritaje los paga el comprador."
)

SAID = [
    ("Se paga en un año o en dos días [1].", Doubt.NONE),  # converted
    ("El saco y el flete suman 80 dólares: 30 más 50 [1].", Doubt.NONE),  # computed
    ("Diez sacos costarían, por ejemplo, 300 dólares [1].", Doubt.NONE),
    ("Atiende hasta las 4:30 p. m. (16:30 horas) [1].", Doubt.NONE),
    ("Las fuentes no precisan quién paga el seguro de 900 dólares [1].", Doubt.NONE),
    ("**Gastos y multas**", Doubt.NONE),  # a heading
    ("El contratista avisa con cinco días calendario [1].", Doubt.KIND),
    ("El contratista avisa con cinco horas [1].", Doubt.FIGURE),
    ("Se ocupan tres cuartas partes del almacén [1].", Doubt.FIGURE),
    ("El residente firma el acta [1].", Doubt.SUBJECT),
    ("Cualquier socio puede votar [1].", Doubt.GENERAL),
    ("Según el artículo 10, los gastos del peritaje los paga el comprador [2].", Doubt.ARTICLE),
    ("Los gastos del peritaje los paga el comprador [1].", Doubt.SOURCE),
    ("El acta la firma también doña Elvira Quispe [1].", Doubt.NAME),
]


@pytest.mark.parametrize(("sentence", "doubt"), SAID)
def test_what_is_compared_and_what_is_left_alone(sentence: str, doubt: Doubt) -> None:
    assert [each for _, each in ground(sentence, evidence(RULE, NEXT)).doubts] == ([doubt] if doubt else [])


def test_what_the_question_says_is_no_claim_of_the_answer() -> None:
    asked = "¿Cuánto cuestan 7 fardos de algodón peinado?"
    answer = "Por 7 fardos de algodón peinado no hay tarifa; cada saco cuesta 30 dólares [1]."
    assert ground(answer, evidence(RULE), question=asked).doubts == ()
    assert ground("El algodón peinado trae fardos cosidos [1].", evidence(RULE)).doubts


# What a source says, a sentence that says otherwise, and one that does not.
OTHERWISE = [
    (
        "Salvatierra (2011) midió la salinidad del estuario cada verano. Oquendo y Paz (2015) la hallaron estable.",
        "Oquendo y Paz (2015) midieron la salinidad del estuario cada verano [1].",
        "Salvatierra (2011) midió la salinidad del estuario todos los veranos [1].",
    ),
    (
        "El compresor se purga cada quince días y se revisa el filtro.",
        "El compresor se purga cada mes [1].",
        "El compresor se purga quincenalmente [1].",
    ),
    (
        "El ascensor se detiene con dos fallas seguidas del freno.",
        "El ascensor se detiene con una sola falla del freno [1].",
        "El ascensor se detiene con un par de fallas del freno [1].",
    ),
    (
        "Las muestras se entregan rotuladas y sin tapa al laboratorio.",
        "Las muestras se entregan rotuladas y con tapa al laboratorio [1].",
        "Las muestras se entregan al laboratorio con su rótulo [1].",
    ),
    (
        "El arrendador paga el predial hasta la firma y desde entonces responde el arrendatario.",
        "Tras la firma, el arrendador responde por el predial [1].",
        "Hasta la firma, el arrendador paga el predial [1].",
    ),
    (
        "El director firma el acta de entrega. Corresponde al tesorero firmar los cheques de la asociación.",
        "Los firma el director [1].",
        "Los firma el tesorero [1].",
    ),
    (
        "Las planillas de prueba son todas posteriores a las de ajuste.",
        "Las planillas de prueba son todas anteriores a las de ajuste [1].",
        "Las planillas de prueba vienen después de las de ajuste [1].",
    ),
    (
        "La poda está prohibida a menos de tres metros del cauce.",
        "La poda está prohibida en todo el parque [1].",
        "La poda está prohibida cerca del cauce, a menos de tres metros [1].",
    ),
    (
        "Toda avería, aun sin daño, se avisa al encargado.",
        "Las averías no se avisan al encargado [1].",
        "Toda avería se avisa al encargado, aunque no haya daño [1].",
    ),
    (
        "El informe se envía dentro de las 72 horas posteriores a haber ocurrido la falla.",
        "El informe se envía dentro de los 72 días posteriores a haber ocurrido la falla [1].",
        "El informe se envía dentro de las 72 horas posteriores a haber ocurrido la falla [1].",
    ),
]


@pytest.mark.parametrize(("source", "wrong", "right"), OTHERWISE)
def test_what_a_source_says_otherwise_is_marked(source: str, wrong: str, right: str) -> None:
    found = evidence(chunk(source))
    question = "¿Quién firma los cheques de la asociación?" if "cheques" in source else ""
    assert ground(wrong, found, question=question).doubts
    assert not ground(right, found, question=question).doubts
