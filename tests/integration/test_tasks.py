"""Work on documents as wholes over a real PostgreSQL: in their words, or by a model of a real wire format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter
from reportlab.pdfgen.canvas import Canvas

from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT
from rag_system.generation.clients import client
from rag_system.query.routing import route
from rag_system.query.tasks import OFFER
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.task_results import MOST_KEPT, keep_result
from rag_system.tasks.keeping import RECALLED
from rag_system.tasks.material import NO_ANSWER
from rag_system.tasks.reading import NOT_CHECKED
from rag_system.tasks.resolving import described
from rag_system.types import Answer, Event, Finished, Progress, Retrieved, Route
from tests.builders import chunk
from tests.fakes.provider_server import FakeProviderServer, running
from tests.indexing import filled, opened_project, upload

LAW = """# Ley N.° 31000, Ley de archivos

## Artículo 1. Objeto

La ley ordena los archivos de las entidades.

## Artículo 2. Plazo de entrega

Los archivos se entregan en un plazo de treinta días.

## Artículo 3. Sanciones

Quien no entrega un archivo paga una multa de dos UIT.
"""
MANUAL = LAW.replace("Ley N.° 31000, Ley de archivos", "Manual de archivos").replace("treinta", "sesenta")
LONG = "# Reglamento de bibliotecas\n\n" + "\n".join(
    f"## Artículo {n}. Regla {n}\n\nLa regla número {n} fija un plazo de {n} días. {'Sigue el detalle. ' * 60}\n"
    for n in range(1, 41)
)
TARIFFS = """# Tarifas de la ventanilla

Toda constancia se entrega en el acto.

| Trámite | Tiempo de respuesta | Costo (S/) |
|---|---|---|
| Copia simple | El mismo día | 0,00 |
| Copia certificada | 3 días hábiles | 3,50 |
| Búsqueda | Según la carga | Gratuito |
| Préstamo | — | — |
"""
NOTES, SUMMARY = "Las fuentes son la parte", "Cumpla el encargo: un resumen"
_SOURCE = re.compile(r'<fuente-\w+ n="(\d+)"[^>]*>\n(.*?)\n</fuente-', re.DOTALL)
_NOTE = re.compile(r"^- .*\[\d+\]$", re.MULTILINE)


def asked(body: Mapping[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def writes(body: Mapping[str, Any]) -> str:
    """The last sentence of each source with its number; of notes, these again."""
    sources = [
        f"- {text.split(chr(10))[-1].split('. ')[0].strip('.')}. [{n}]" for n, text in _SOURCE.findall(asked(body))
    ]
    return "\n".join(sources or _NOTE.findall(asked(body)))


@pytest.fixture(scope="module")
def model() -> Iterator[FakeProviderServer]:
    with running() as (fake, _):
        yield fake
    client.cache_clear()


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    documents = {"ley.md": LAW, "manual.md": MANUAL, "reglamento.md": LONG}
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: documents})


@pytest.fixture
def project(settings: Settings, model: FakeProviderServer) -> Iterator[ProjectAssistant]:
    model.script = writes
    model.bodies.clear()
    wired = {"llm_base_url": f"{model.url}/v1", "llm_model": "de guion", "local_api_key": "scripted"}
    with opened_project(Settings(**{**settings.model_dump(), **wired, "_env_file": None})) as opened:
        yield opened


def done(events: Iterator[Event]) -> Answer:
    *_, last = events
    assert isinstance(last, Finished)
    assert not last.answer.error
    return last.answer


def by_hand(project: ProjectAssistant, question: str, **scope: Any) -> Answer:
    return done(project.stream(question, provider="extractive", **scope))


def by_model(project: ProjectAssistant, question: str, **scope: Any) -> Answer:
    return done(project.stream(question, provider="local", unasked=True, **scope))


# ---------------------------------------------------------------- without a model


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Resume la ley 31000", "La ley ordena los archivos"),
        ("¿De qué trata la ley 31000?", "Se divide en"),
        ("Haz un índice de la ley 31000", "Plazo de entrega** [2]"),
        ("todos los plazos de la ley 31000", "en un plazo de treinta días"),
        ("dame todas las sanciones de la ley 31000", "paga una multa de dos UIT"),
        ("compara la ley 31000 y el manual de archivos", "treinta días.» [3] | «Los archivos se entregan en"),
        ("¿Cuántas páginas tiene la ley 31000?", "su formato no las tiene"),
        ("¿Cuántos artículos tiene la ley 31000?", "tiene 3 artículos"),
        ("Resume el artículo 3 de la ley 31000", "paga una multa de dos UIT"),
        ("resume todos los documentos", "Hay 3 documentos"),
        ("explícame el artículo 2 de la ley 31000 más simple", "hace falta un modelo de lenguaje"),
    ],
)  # fmt: skip
def test_each_task_is_done_in_the_documents_words(project: ProjectAssistant, question: str, told: str) -> None:
    assert route(question) is Route.TASK
    answer = by_hand(project, question)
    assert told in answer.text
    known = {each.n: each.text for each in answer.evidence}
    assert all(citation.quote in known[citation.n] for citation in answer.citations)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", answer.text)} == {each.n for each in answer.citations}


def test_a_date_that_only_the_properties_of_a_file_tell_is_told_as_theirs(project: ProjectAssistant) -> None:
    canvas = Canvas(drawn := BytesIO(), invariant=True)
    canvas.drawString(70, 700, "Guía de riego por goteo. Conviene regar de noche.")
    canvas.save()
    writer = PdfWriter(clone_from=drawn)
    writer.add_metadata({"/CreationDate": "D:20230204115901-05'00'", "/Author": "Ana Ríos"})
    writer.write(guide := BytesIO())
    for name in ("guia-de-riego.pdf", "riego-por-goteo.pdf"):
        upload(project, name, guide.getvalue())
        chosen = (f"cargados/{name}",)
        answer = by_hand(project, "¿De cuándo es?", documents=chosen)
        assert "no dice de qué fecha es" in answer.text
        assert "Según las propiedades del archivo, este se creó el 4 de febrero de 2023" in answer.text
        assert not answer.abstained
        assert "Lo dicen las propiedades del archivo" in by_hand(project, "¿Quién lo escribió?", documents=chosen).text


def test_a_comparison_begins_with_what_one_says_of_the_other_and_pairs_sections_by_meaning(
    project: ProjectAssistant,
) -> None:
    more = "Sigue el detalle. " * 60
    guide = f"""# Guía de la norma ISO 9001:2015

## Alcance

Se aplica a la calidad de los productos. {more}

## Compras

Los proveedores se eligen por sus precios y entregas. {more}

## Archivo

Las carpetas viejas pasan al depósito cerrado. {more}

## Revisión

La gerencia revisa el sistema cada enero junto con sus metas y sus auditorías. {more}

## Diferencias con la ISO 27001:2022

La norma de calidad no tiene controles.

| Tema | ISO 9001:2015 | ISO 27001:2022 |
|---|---|---|
| Controles | Ninguno | Son 93 |
| Anexo | Aclara | Obliga |
"""
    other = f"""# Guía de la norma ISO 27001:2022

## Propósito

Protege la información de las personas. {more}

## Seguimiento anual

La gerencia revisa el sistema cada enero junto con sus metas y sus auditorías de seguridad. {more}

## Claves

Las contraseñas secretas se cambian todos los meses. {more}

## Visitas

Cada visitante lleva una tarjeta colgada del cuello. {more}
"""
    for name, text in (("calidad.md", guide), ("seguridad.md", other)):
        upload(project, name, text.encode())
    answer = by_hand(project, "compara la guía de la ISO 9001 con la guía de la ISO 27001")
    own, table = answer.text.split("| De qué trata |")
    assert re.search(r"\| Controles \| «Ninguno» \[\d\] \| «Son 93» \[\d\] \|", own)
    assert "«La norma de calidad no tiene controles.»" in own
    assert "Secciones de **Guía de la norma ISO 9001:2015** sin equivalente en el otro documento: " in table
    assert re.search(r"\| Revisión / Seguimiento anual \| «.+» \[\d\] \| «.+» \[\d\] \|", table)
    known = {each.n: each.text for each in answer.evidence}
    assert all(citation.quote in known[citation.n] for citation in answer.citations)


def test_only_what_is_the_same_is_told_as_such(project: ProjectAssistant) -> None:
    for name, people, fine in (("Norte", 40, 100), ("Sur", 15, 300)):
        text = (
            f"# Reglamento del local {name}\n\n## Objeto\n\nEl local {name} recibe a {people} personas. "
            f"Quien lo llena de más paga una multa de {fine} soles.\n\n## Cierre\n\nEl local cierra los lunes.\n"
        )
        upload(project, f"{name}.md", text.encode())
    told = by_hand(project, "compara el reglamento del local Norte y el reglamento del local Sur").text
    assert told.count("personas") == 2
    assert "en 1 sección." in told  # «Cierre»


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("todos los plazos", ["Copia simple", "Copia certificada", "Búsqueda"]),
        ("todos los costos", ["Copia simple", "Copia certificada", "Búsqueda"]),
        ("¿qué es gratis?", ["Copia simple", "Búsqueda"]),
        ("todos los trámites", ["Copia simple", "Copia certificada", "Búsqueda", "Préstamo"]),
    ],
)
def test_rows_of_a_table_are_listed_by_what_their_column_says(
    project: ProjectAssistant, question: str, rows: list[str]
) -> None:
    upload(project, "tarifas.md", TARIFFS.encode())
    answer = by_hand(project, question, documents=["cargados/tarifas.md"])
    told = [line for line in answer.text.splitlines() if line.startswith("- ")]
    assert [row for row in rows if any(row in line for line in told)] == rows
    assert len(told) == len(rows)


def test_a_chapter_without_a_number_is_found_by_those_of_its_sections(project: ProjectAssistant) -> None:
    text = """# Guía del taller

## Programas

### 1.1 Órdenes

El programa se llama con dos números.

2, 3.082, ./orden, 12345

La orden termina sola.

## Paquetes

### 2.1 Instalar

Cada paquete se instala con una orden.

### 2.2 Quitar

Un paquete que se quita deja sus ajustes.
"""
    upload(project, "taller.md", text.encode())
    answer = by_hand(project, "resume el capítulo 2 de la guía del taller")
    assert "«Paquetes»" in answer.text
    assert "«Cada paquete se instala con una orden.»" in answer.text
    assert "«Un paquete que se quita deja sus ajustes.»" in answer.text
    assert "programa" not in answer.text


STATUTES = """# Estatuto del club de remo

## TÍTULO PRIMERO. De los socios

### Artículo 1. Objeto

El presente estatuto ordena la vida del club de remo.

### Artículo 2. Ingreso

### “Artículo 2. Ingreso

Ingresa como socio quien presenta dos cartas de otros socios.

## TÍTULO SEGUNDO. De los botes

(17)

### Artículo 3. Salida de los botes

Cada bote sale con un timonel que conoce el río.

## TÍTULO TERCERO. De los remos

(18)

## DISPOSICIONES FINALES

### SEGUNDA

El estatuto rige desde el primer día de marzo.
"""


def test_a_part_is_found_by_its_number_in_words(project: ProjectAssistant) -> None:
    upload(project, "estatuto.md", STATUTES.encode())
    answer = by_hand(project, "resume el título segundo del estatuto del club de remo")
    assert "«TÍTULO SEGUNDO. De los botes»" in answer.text
    assert "«Cada bote sale con un timonel que conoce el río.»" in answer.text
    assert "marzo" not in answer.text  # «SEGUNDA»


def test_a_summary_says_nothing_twice_and_leaves_out_what_says_nothing(project: ProjectAssistant) -> None:
    upload(project, "estatuto.md", STATUTES.encode())
    told = by_hand(project, "resume el estatuto del club de remo").text
    assert told.count("ordena la vida del club") == 1
    assert re.search(r"\*\*Artículo 1\.- Objeto\*\* \[\d\]", told)
    assert told.count("Ingreso") == 1
    assert "«(" not in told  # the numbers of notes
    assert "TERCERO" not in told
    index = by_hand(project, "índice del estatuto del club de remo").text
    assert re.search(r"\*\*TÍTULO PRIMERO\. De los socios\*\* \[\d\]", index)
    assert "TÍTULO TERCERO" in index


def test_a_part_beyond_the_tenth_is_found_by_its_number_in_words(project: ProjectAssistant) -> None:
    names = {"noveno": "Cuotas", "décimo": "Asamblea", "décimo primero": "Quórum", "décimo segundo": "Acuerdos"}
    text = "\n\n".join(f"## Artículo {n}.- {name}\n\nTrata de {name.lower()} del gremio." for n, name in names.items())
    upload(project, "gremio.md", f"# Estatuto del gremio\n\n{text}\n".encode())
    asked = "resume el artículo décimo segundo del estatuto del gremio"
    assert "Trata de acuerdos del gremio." in by_hand(project, asked).text
    assert "4 artículos" in by_hand(project, "¿cuántos artículos tiene el estatuto del gremio?").text


ANSWERS = """# Preguntas de la biblioteca

Se presta con carné. No. Y nadie espera más de un día.

## ¿Se aceptan perros guía?

Sí.

## ¿Atienden los domingos?

No.
"""


def test_a_summary_keeps_the_headings_of_capitals_and_short_answers(project: ProjectAssistant) -> None:
    rules = {"Horario": "ABIERTO DE LUNES A VIERNES. ", "Prohibiciones": "NO SE CORRE. ", "Multas": "SON CIEN SOLES. "}
    pool = "\n\n".join(f"## {heading}\n\n{rule * 20}" for heading, rule in rules.items())
    upload(project, "piscina.md", f"# Reglamento de la piscina\n\n{pool}\n".encode())
    told = by_hand(project, "resume el reglamento de la piscina").text
    assert [heading for heading in rules if f"**{heading}**" in told] == list(rules)
    assert "títulos y subtítulos" not in told
    upload(project, "biblioteca.md", ANSWERS.encode())
    told = by_hand(project, "resume las preguntas de la biblioteca").text
    assert "**¿Se aceptan perros guía?**: «Sí.»" in told
    assert "**¿Atienden los domingos?**: «No.»" in told


def test_a_summary_of_a_document_that_says_nothing_is_its_headings(project: ProjectAssistant) -> None:
    upload(project, "norma.md", b"# Norma de riego\n\n## LIBRO PRIMERO\n\n(17)\n\n## LIBRO SEGUNDO\n\n(18)\n")
    assert "- **Norma de riego**" in by_hand(project, "resume la norma de riego").text


def test_a_summary_opens_with_what_is_enacted(project: ProjectAssistant) -> None:
    text = """# Decreto 12 que aprueba el uso del muelle

EL PRESIDENTE DE LA REPÚBLICA

CONSIDERANDO:

Que, el muelle del puerto es de uso de todas las embarcaciones del puerto;

DECRETA:

Apruébase el reglamento de uso del muelle del puerto, que consta de tres artículos.
"""
    upload(project, "decreto-12.md", text.encode())
    opening = by_hand(project, "resume el decreto 12 del muelle").text.split("\n\n")[1]
    assert opening.startswith("«Apruébase el reglamento")


def test_a_summary_opens_with_the_book_and_not_with_its_licence_or_its_index(project: ProjectAssistant) -> None:
    text = """# Manual de redes del taller

Este manual enseña a remendar las redes del taller, de la aguja al nudo.

## 3. Redes de cerco

### Resumen

Este libro es libre: puede copiarse y cambiarse bajo las condiciones de la licencia de las redes del taller.

## Índice

1. Las agujas del taller y sus tamaños 4
2. Los nudos de las redes del taller 9
3. Redes de cerco y de arrastre del taller 15

## Prefacio

Quien remienda una red empieza por el borde y termina por el centro.
"""
    upload(project, "manual-redes.md", text.encode())
    answer = by_hand(project, "resume el manual de redes").text
    assert answer.split("\n\n")[1].startswith("«Este manual enseña a remendar las redes")
    assert "Las agujas del taller" not in answer


def test_a_summary_of_a_law_begins_with_its_first_article_and_tells_lists_from_what_announces_them(
    project: ProjectAssistant,
) -> None:
    text = """# Ley 40900 del uso del muelle

(*) De conformidad con el artículo 2 de la Ley 41200, toda referencia al muelle del puerto es al muelle municipal.

EL PRESIDENTE DE LA REPÚBLICA

POR CUANTO:

El Congreso ha dado la ley siguiente, del muelle del puerto y de las embarcaciones del puerto:

## Artículo 1. Quién lo usa

Usan el muelle las embarcaciones inscritas en el registro de la capitanía.

## Artículo 2. Deberes

Quien usa el muelle tiene los siguientes deberes:

1. Pagar la tasa diaria en la caja del puerto.
2. Recoger sus redes antes de las seis.
"""
    upload(project, "ley-40900.md", text.encode())
    opening, *sections = by_hand(project, "resume la ley 40900 del muelle").text.split("\n\n")[1:]
    assert opening.startswith("«Usan el muelle las embarcaciones inscritas")
    assert "«Quien usa el muelle tiene los siguientes deberes: 1. Pagar la tasa diaria" in "".join(sections)
    assert "POR CUANTO" not in "".join(sections)


def test_a_comparison_in_one_matter_has_what_speaks_of_it_and_says_where_nothing_does(
    project: ProjectAssistant,
) -> None:
    rule = "# Reglamento del vivero\n\n## Artículo 1. Riego\n\nSe riega al alba.\n\n## Artículo 2. Poda\n\nSe poda.\n"
    upload(project, "vivero.md", rule.encode())
    both = by_hand(project, "compara la ley 31000 y el manual de archivos en cuanto a las sanciones").text
    fine = "«Quien no entrega un archivo paga una multa de dos UIT.»"
    assert f"| Artículo 3.- Sanciones | {fine} [1] | {fine} [2] |" in both
    assert "días" not in both
    one = by_hand(project, "compara la ley 31000 y el reglamento del vivero en cuanto a las sanciones").text
    assert f"| {fine} [1] | — (no lo dice) |" in one
    rows = "| Falta | Sanción |\n|---|---|\n| Leve | Multa de una UIT |\n| Grave | Multa de tres UIT |\n"
    upload(project, "caballos.md", f"# Reglamento de caballos\n\n## Sanciones\n\n{rows}".encode())
    apart = by_hand(project, "compara la ley 31000 y el reglamento de caballos en cuanto a las multas").text
    assert "«Leve / Multa de una UIT» [2] «Grave / Multa de tres UIT» [2] |" in apart


def test_a_few_words_are_listed_with_their_paragraph(project: ProjectAssistant) -> None:
    text = "# Acta\n\n## Acuerdos\n\nAcuerdo 1. Pintar la reja. Responsable: Ana Ríos. Plazo: 30 de abril de 2026.\n"
    upload(project, "acta-junta.md", text.encode())
    answer = by_hand(project, "todos los plazos", documents=["cargados/acta-junta.md"])
    assert "«Acuerdo 1. Pintar la reja. Responsable: Ana Ríos. Plazo: 30 de abril de 2026.»" in answer.text


def test_a_document_is_found_by_what_its_text_opens_with(project: ProjectAssistant) -> None:
    text = "CONSEJO DE LA LAGUNA AZUL\n\nACTA N.° 03-2026\n\nSe aprobó el horario de pesca.\n"
    upload(project, "acta-03.txt", text.encode())
    assert "horario de pesca" in by_hand(project, "resume el acta del consejo de la laguna").text


def test_a_letterhead_is_not_all_that_a_text_opens_with(project: ProjectAssistant) -> None:
    text = "PUERTO DE LA LAGUNA\n\nACTA N.° 04-2026\n\nFecha: 18 de agosto de 2026\n\nSe fijó el precio del flete.\n"
    upload(project, "acta-04.txt", text.encode())
    assert "precio del flete" in by_hand(project, "resume el acta de agosto").text


@pytest.mark.parametrize(
    ("named", "is_known"),
    [
        ("el estatuto de vigilancia", False),  # the folder
        ("el estatuto interno", False),  # «Plan interno de salud …» and «Informe interno …» are something else
        ("el manual de salud", True),  # as only one is called
        ("el manual de salud y seguridad", True),  # as people call a plan
        ("el plan interno", True),
    ],
)
def test_neither_a_folder_nor_one_word_of_its_title_names_a_document(
    project: ProjectAssistant, tmp_path: Path, named: str, is_known: bool
) -> None:
    folder = tmp_path / "vigilancia"
    folder.mkdir()
    text = "# Plan interno de salud y seguridad de los muelles\n\n## Ropa\n\nSe cambia en diez días.\n"
    (folder / "plan-7.md").write_text(text, "utf-8")
    upload(project, "informe-7.md", b"# Informe interno sobre el estado de las barcas\n\nFlotan.\n")
    (added,) = project.library.add([tmp_path])
    assert added.path == "vigilancia/plan-7.md"
    notices = by_hand(project, f"resume {named}").notices
    assert any(f"se llame «{named}»" in notice for notice in notices) is not is_known


def test_what_a_chapter_is_about_is_what_it_says(project: ProjectAssistant) -> None:
    first = "# Reglamento del muelle\n\n## CAPÍTULO I. Alcance\n\nRige en el muelle.\n\n"
    second = "## CAPÍTULO II. Cierre\n\n### Artículo 9. Horas\n\nCierra a las seis.\n"
    upload(project, "muelle.md", f"{first}{second}".encode())
    assert "Cierra a las seis" in by_hand(project, "¿de qué trata el capítulo II del reglamento del muelle?").text


def test_two_facts_of_a_document_are_both_told_and_share_their_sources(project: ProjectAssistant) -> None:
    text = (
        "# Manual de redes\n\nElaborado por la cofradía de pescadores.\n\nVersión 3, aprobada el 4 de mayo de 2026.\n"
    )
    upload(project, "redes.md", text.encode())
    answer = by_hand(project, "¿quién elaboró el manual de redes y qué versión es?")
    assert "indica su autoría: «Elaborado por la cofradía de pescadores.» [1]" in answer.text
    assert "indica su versión: «Versión 3, aprobada el 4 de mayo de 2026.» [1]" in answer.text
    assert [each.n for each in answer.evidence] == [1]
    assert not answer.abstained


def test_a_date_in_a_row_of_a_table_is_told_without_the_other_cells(project: ProjectAssistant) -> None:
    rows = "| Escrito por | Revisión | Fecha |\n|---|---|---|\n| Ana Salas | Tercera | 4 de febrero de 2023 |\n"
    upload(project, "anclas.md", f"# Manual de anclas\n\n{rows}\n## Uso\n\nSe revisan.\n".encode())
    answer = by_hand(project, "¿de cuándo es el manual de anclas?")
    assert "indica su fecha: «4 de febrero de 2023» [1]" in answer.text


SIGNED = (
    "Comuníquese al señor Presidente de la Laguna para su promulgación.\n"
    "En Lagunas, a los dos días del mes de mayo de dos mil dos.\nANA LUNA RÍOS\nPresidenta del Congreso de la Laguna\n"
    "AL SEÑOR PRESIDENTE DE LA LAGUNA\nPOR TANTO:\nMando se publique y cumpla.\n"
    "Dado en la Casa del Puerto, a los nueve días del mes de mayo de dos mil dos.\nLUIS SOLAR PAZ\n"
    "Presidente de la Laguna\n"
)


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("", f"\n{SIGNED}"),
        (f"{SIGNED}\n", f"\n## Artículo 3. Glosario\n\n{'Una boya es un cuerpo que flota. ' * 200}\n"),  # it approves
    ],
)
def test_when_a_norm_was_enacted_and_who_signed_it_is_told_by_how_it_closes(
    project: ProjectAssistant, head: str, foot: str
) -> None:
    law = "# Ley N.° 31888, Ley de boyas\n\n(Publicada el 16 de abril de 2005)\n\n"
    rule = "## Artículo 1. Luz\n\nToda boya lleva luz.\n\n## Artículo 2. Color\n\nToda boya es roja.\n"
    upload(project, "boyas.md", f"{law}{head}{rule}{foot}".encode())
    first = "«En Lagunas, a los dos días del mes de mayo de dos mil dos. ANA LUNA RÍOS Presidenta del Congreso"
    last = "«Dado en la Casa del Puerto, a los nueve días del mes de mayo de dos mil dos. LUIS SOLAR PAZ Presidente"
    told = by_hand(project, "¿cuándo se promulgó la ley de boyas y quién era presidente?").text
    assert -1 < told.index("indica su fecha") < told.index(first) < told.index(last)
    assert "2005" not in told
    signed = by_hand(project, "¿quién firma la ley de boyas?").text
    assert "«ANA LUNA RÍOS Presidenta del Congreso de la Laguna»" in signed
    assert "«LUIS SOLAR PAZ Presidente de la Laguna»" in signed


def test_the_date_of_what_encloses_a_norm_is_its_own(project: ProjectAssistant) -> None:
    report = (
        f"# Informe sobre las boyas\n\nFecha: 7 de abril de 2024\n\n## Hallazgos\n\n{'Faltan tres boyas. ' * 200}\n\n"
    )
    upload(project, "informe.md", f"{report}## Anexo\n\n{SIGNED}".encode())
    told = by_hand(project, "¿de qué fecha es el informe sobre las boyas?").text
    assert "indica su fecha: «Fecha: 7 de abril de 2024» [1]" in told


def test_the_date_of_a_norm_is_not_that_of_a_note_of_its_editor(project: ProjectAssistant) -> None:
    note = "(*) De conformidad con el Artículo 4 de la Ley N.° 31999, publicada el 22 de marzo de 2019, se pintan.\n\n"
    text = f"# Ley N.° 31888, Ley de boyas\n\n{note}Lagunas, 8 de enero de 2016\n\n## Artículo 1. Luz\n\nLleva luz.\n"
    upload(project, "boyas.md", text.encode())
    told = by_hand(project, "¿de qué fecha es la ley de boyas?").text
    assert "indica su fecha: «Lagunas, 8 de enero de 2016» [1]" in told


def test_what_is_made_of_a_document_is_another(project: ProjectAssistant) -> None:
    articles = "".join(
        f"## Artículo {n}. Boyas\n\n{'El reglamento de la ley trata de boyas. ' * 30}\n\n" for n in range(9)
    )
    law = f"# Ley de boyas\n\nLagunas, 8 de enero de 2016\n\n{articles}"
    upload(project, "boyas.md", law.encode())
    assert "indica su fecha" in by_hand(project, "¿cuándo se aprobó la ley de boyas?").text
    assert "indica su fecha" not in by_hand(project, "¿cuándo se aprobó el reglamento de la ley de boyas?").text


@pytest.mark.parametrize(("title", "path"), [("Ley de boyas", ""), ("Las boyas del lago", "leyes/ley.md")])
def test_what_is_described_is_no_document_of_another_kind(title: str, path: str) -> None:
    passages = [chunk("El estudio de las boyas del lago se hace en mayo.", title=title)] * 4
    assert described("el estudio de las boyas del lago", passages) == path


def test_what_is_to_be_summarised_is_named_without_the_other_words_that_ask_for_it(project: ProjectAssistant) -> None:
    upload(project, "espacio.md", b"# B.5. El espacio del timonel\n\n## Palos\n\nEl palo mayor lleva la vela.\n")
    answer = by_hand(project, "de que trata la parte del espacio del timonel, hazme un resumen")
    assert answer.text.startswith("**B.5. El espacio del timonel**")
    assert "El palo mayor lleva la vela" in answer.text


def test_what_is_said_after_the_name_of_a_document_is_not_its_name(project: ProjectAssistant) -> None:
    named = "manual de archivos, es para mi jefa nueva"
    answer = by_hand(project, f"hazme un resumen del {named}")
    assert {each.path for each in answer.citations} == {"cargados/manual.md"}
    assert f"No encontré un documento que se llame «{named}»: tomé «Manual de archivos»." in answer.notices
    pages = by_hand(project, "¿cuántas páginas tiene el manual de archivos; son muchas?")
    assert "El archivo manual.md no está dividido en páginas" in pages.text


def test_of_documents_that_are_compared_none_is_left_out_at_a_comma(project: ProjectAssistant) -> None:
    asked = "compara el manual de archivos, el código de caballeriza y el reglamento de bibliotecas"
    assert any("se llame" in notice for notice in by_hand(project, asked).notices)


def test_a_list_has_no_sentence_twice(project: ProjectAssistant) -> None:
    agreed = "Acuerdo 1. Reparar el muelle antes de las fiestas del puerto. Responsable: Ana Paz. Plazo: diez días."
    upload(project, "acta-06.md", f"# Acta 06-2026\n\n## Asistentes\n\nSeis.\n\n## Acuerdos\n\n{agreed}\n".encode())
    text = by_hand(project, "dame todos los acuerdos del acta 06-2026").text
    assert text.count("Reparar el muelle") == 1


def test_a_summary_has_no_passage_twice_and_lists_only_what_stands_under_a_heading(project: ProjectAssistant) -> None:
    said = [f"El bote número {n} salió del muelle con la carga del día y volvió de noche." for n in range(1, 15)]
    front = "COFRADÍA DE LA LAGUNA\n\nACTA N.° 05-2026\n\nDocumento de muestra: los hechos son inventados.\n\n"
    below = "1. ASISTENTES\n\nAsistieron los seis miembros de la cofradía.\n\n2. DESARROLLO\n\n"
    upload(project, "acta-05.txt", f"{front}{below}{' '.join(said)}\n".encode())
    text = by_hand(project, "resume el acta 05-2026").text
    assert "- «" not in text
    assert text.count("El bote número 1 salió") == 1
    assert "**2. DESARROLLO**" in text


def test_of_two_documents_the_one_is_told_that_is_not_there(project: ProjectAssistant) -> None:
    notices = by_hand(project, "compara el manual de archivos con el manual de caballeriza").notices
    assert any("se llame «el manual de caballeriza»" in notice for notice in notices)


def test_how_long_a_document_is_says_nothing_of_what_is_no_longer_in_force(project: ProjectAssistant) -> None:
    in_force = "# Ley N.° 31777, Ley de faros\n\n## Artículo 1. Luz\n\nSe enciende a las seis.\n\n"
    repealed = "## Artículo 2. Hora (Derogado)\n\nSe apaga a las dos de la tarde.\n"
    upload(project, "faros.md", f"{in_force}{repealed}".encode())
    assert "Se dejó fuera" in " ".join(by_hand(project, "resume la ley 31777").notices)
    assert not by_hand(project, "¿cuántos artículos tiene la ley 31777?").notices


def test_the_document_of_the_last_answer_may_be_pointed_at_for_a_list(project: ProjectAssistant) -> None:
    conversation = project.conversations.create()
    done(project.stream("¿De qué trata el manual de archivos?", conversation_id=conversation))
    answer = done(project.stream("todos los plazos de ese documento", conversation_id=conversation))
    assert "sesenta" in answer.text
    assert "treinta" not in answer.text


def test_a_section_that_is_not_there_is_searched_for(project: ProjectAssistant) -> None:
    answer = by_hand(project, "dame las multas del manual de archivos")
    assert [each.path for each in answer.citations] == ["cargados/manual.md"]
    assert not any("no tiene una parte" in notice for notice in answer.notices)


def test_this_document_is_the_chosen_one_and_of_many_it_is_asked_which(project: ProjectAssistant) -> None:
    assert "sesenta" in by_hand(project, "todos los plazos de este documento", documents=["cargados/manual.md"]).text
    assert "Diga de qué documento se trata" in by_hand(project, "Resume este documento").text


def test_what_names_no_document_is_searched_for(project: ProjectAssistant) -> None:
    answer = by_hand(project, "Resume la ley 29733")
    assert not answer.citations or {each.path for each in answer.citations} <= {
        f"cargados/{name}.md" for name in ("ley", "manual", "reglamento")
    }
    assert "¿" not in answer.text


def test_a_simpler_explanation_needs_an_answer_first(project: ProjectAssistant) -> None:
    assert by_hand(project, "explícamelo más simple").text == NO_ANSWER


def test_a_question_that_is_a_heading_of_the_document_is_answered_from_there(project: ProjectAssistant) -> None:
    answer = by_hand(project, "sanciones", documents=["cargados/ley.md"])
    assert "multa de dos UIT" in answer.text
    assert not answer.abstained


# ---------------------------------------------------------------- with a model


def test_what_fits_into_a_request_is_read_whole_and_in_order(
    project: ProjectAssistant, model: FakeProviderServer
) -> None:
    answer = by_model(project, "Resume la ley 31000")
    (body,) = model.bodies
    assert SUMMARY in asked(body)
    assert [number for number, _ in _SOURCE.findall(asked(body))] == [
        str(n) for n in range(1, len(answer.evidence) + 1)
    ]
    assert [each.n for each in answer.citations] == sorted(each.n for each in answer.citations)
    assert not answer.unsupported


def test_a_long_document_is_read_part_by_part_and_every_number_leads_back(
    project: ProjectAssistant, model: FakeProviderServer
) -> None:
    events = list(project.stream("Resume el reglamento de bibliotecas", provider="local", unasked=True))
    progress = [event for event in events if isinstance(event, Progress)]
    parts = sum(NOTES in asked(body) for body in model.bodies)
    assert [event.done for event in progress] == list(range(parts + 1))
    assert progress[0].tokens > 0
    read = [text for body in model.bodies for _, text in _SOURCE.findall(asked(body))]
    assert all(any(f"La regla número {n} fija" in text for text in read) for n in range(1, 41))
    answer = done(iter(events))
    assert answer.citations
    assert not answer.unsupported
    for line in answer.text.splitlines():
        (n,) = re.findall(r"\[(\d+)\]$", line)
        number = re.search(r"número (\d+) fija", line)
        assert number
        assert f"La regla número {number[1]} fija" in next(e.text for e in answer.evidence if e.n == int(n))


def test_a_model_is_told_that_it_reads_the_conversation(project: ProjectAssistant, model: FakeProviderServer) -> None:
    conversation = project.conversations.create()
    done(project.stream("¿De qué trata la ley 31000?", conversation_id=conversation))
    done(project.stream("Resume la conversación", provider="local", conversation_id=conversation))
    assert "un resumen de la conversación." in asked(model.bodies[-1])


def test_the_same_is_not_asked_twice_until_the_text_changes(
    project: ProjectAssistant, model: FakeProviderServer
) -> None:
    first = by_model(project, "Resume la ley 31000")
    again = by_model(project, "Resume la ley 31000")
    assert len(model.bodies) == 1
    assert (again.text, again.citations) == (first.text, first.citations)
    assert RECALLED in again.notices
    upload(project, "ley.md", LAW.replace("treinta", "cuarenta").encode())
    assert "cuarenta" in by_model(project, "Resume la ley 31000").text
    assert len(model.bodies) == 2


def test_another_model_or_an_answer_again_is_asked_anew(
    project: ProjectAssistant, settings: Settings, model: FakeProviderServer
) -> None:
    conversation = project.conversations.create()
    done(project.stream("Resume la ley 31000", provider="local", conversation_id=conversation))
    done(project.answer_again(conversation, 1, provider="local"))
    assert len(model.bodies) == 2
    wired = {"llm_base_url": f"{model.url}/v1", "llm_model": "otro", "local_api_key": "scripted", "_env_file": None}
    with opened_project(Settings(**{**settings.model_dump(), **wired})) as other:
        by_model(other, "Resume la ley 31000")
    assert len(model.bodies) == 3


def test_what_was_stopped_goes_on_where_it_was(project: ProjectAssistant, model: FakeProviderServer) -> None:
    with closing(project.stream("Resume el reglamento de bibliotecas", provider="local", unasked=True)) as events:  # type: ignore[type-var]
        next(event for event in events if isinstance(event, Progress) and event.done == 2)
    assert len(model.bodies) == 2
    by_model(project, "Resume el reglamento de bibliotecas")
    asked_for = [asked(body) for body in model.bodies if NOTES in asked(body)]
    assert len({re.search(r"la parte (\d+) de", each)[1] for each in asked_for}) == len(asked_for)  # type: ignore[index]


def test_a_failure_shows_the_notes_that_were_taken(project: ProjectAssistant, model: FakeProviderServer) -> None:
    taken: list[str] = []

    def fails_later(body: Mapping[str, Any]) -> str:
        taken.append(asked(body))
        return writes(body) if len(taken) == 1 else ""

    model.script = fails_later
    *_, last = project.stream("Resume el reglamento de bibliotecas", provider="local", unasked=True)
    assert isinstance(last, Finished)
    assert last.answer.error
    assert "La regla número 1 fija" in last.answer.text


def test_what_costs_much_is_told_before_and_done_after_a_yes(
    project: ProjectAssistant, settings: Settings, model: FakeProviderServer
) -> None:
    wired = {"llm_base_url": f"{model.url}/v1", "llm_model": "de guion", "local_api_key": "scripted", "_env_file": None}
    with opened_project(Settings(**{**settings.model_dump(), **wired, "task_tokens": 2_000})) as sparing:
        conversation = sparing.conversations.create()
        offer = done(
            sparing.stream("Resume el reglamento de bibliotecas", provider="local", conversation_id=conversation)
        )
        assert offer.text.endswith(OFFER)
        assert "tokens" in offer.text
        assert not model.bodies
        answer = done(sparing.stream("Sí", provider="local", conversation_id=conversation))
    assert len(model.bodies) > 2
    assert "La regla número 1 fija" in answer.text


def test_a_translation_is_of_the_last_answer_with_its_numbers(
    project: ProjectAssistant, model: FakeProviderServer
) -> None:
    conversation = project.conversations.create()
    first = done(
        project.stream("¿En qué plazo se entregan los archivos según la ley 31000?", conversation_id=conversation)
    )
    assert first.citations
    model.script = lambda _: "The files are delivered within thirty days [1]."
    answer = done(project.stream("tradúcelo al inglés", provider="local", conversation_id=conversation))
    assert "Traduzca fielmente a inglés" in asked(model.bodies[-1])
    assert first.text.split("«")[-1][:30] in asked(model.bodies[-1])
    assert [each.chunk_id for each in answer.citations] == [first.citations[0].chunk_id]
    assert NOT_CHECKED in answer.notices
    assert not answer.unsupported


def test_cells_of_a_table_are_checked_one_by_one(project: ProjectAssistant, model: FakeProviderServer) -> None:
    def table(body: Mapping[str, Any]) -> str:
        numbers = [n for n, text in _SOURCE.findall(asked(body)) if "se entregan" in text]
        cells = (f"Los archivos se entregan en un plazo de treinta días [{n}]" for n in numbers)
        return f"| Punto | Ley | Manual |\n| --- | --- | --- |\n| Plazo | {' | '.join(cells)} |"

    model.script = table
    answer = by_model(project, "compara la ley 31000 y el manual de archivos")
    assert [each.path for each in answer.citations] == ["cargados/ley.md", "cargados/manual.md"]
    assert len(answer.unsupported) == 1  # «treinta», which the manual does not say


# ---------------------------------------------------------------- what is kept


def test_what_was_written_goes_with_its_document_and_its_age(project: ProjectAssistant, database: Database) -> None:
    by_model(project, "Resume la ley 31000")
    by_model(project, "Resume el manual de archivos")
    assert kept(database) == 2
    (law,) = (each.document_id for each in project.library.all() if each.path == "cargados/ley.md")
    project.library.remove(law)
    assert kept(database) == 1
    with database.connection() as connection:
        connection.execute("UPDATE task_results SET used_at = now() - interval '31 days'")
        keep_result(connection, "general", "a", "…", documents=[])
    assert kept(database) == 1
    with database.connection() as connection:
        connection.execute(
            "INSERT INTO task_results (project_id, key, content, documents) "
            "SELECT 'general', n::text, '…', '{}' FROM generate_series(1, %s) n",
            [MOST_KEPT],
        )
        keep_result(connection, "general", "b", "…", documents=[])
    assert kept(database) == MOST_KEPT


def kept(database: Database) -> int:
    with database.connection() as connection:
        row = connection.execute("SELECT count(*) FROM task_results").fetchone()
    assert row
    return int(row[0])


def test_nothing_is_read_of_passages_that_were_not_retrieved(
    project: ProjectAssistant, model: FakeProviderServer
) -> None:
    """The sources that are shown are those that were read."""
    events = list(project.stream("Resume la ley 31000", provider="local", unasked=True))
    (found,) = [event for event in events if isinstance(event, Retrieved)]
    assert {each.chunk.path for each in found.evidence} == {"cargados/ley.md"}
    assert "sesenta" not in asked(model.bodies[0])


@pytest.mark.parametrize(("chapters", "points", "told"), [(6, 20, "los 6 principales"), (130, 1, "los {} primeros")])
def test_what_an_index_leaves_out_is_told_in_plain_words(
    project: ProjectAssistant, chapters: int, points: int, told: str
) -> None:
    below = "\n\n".join(f"## Punto {n}\n\nLo dice." for n in range(1, points + 1))
    text = "\n\n".join(f"# Capítulo {n}\n\nTrata de lo primero.\n\n{below}" for n in range(1, chapters + 1))
    upload(project, "faro.md", text.encode())
    assert re.search(
        rf"^Tiene \d+ títulos y subtítulos; aquí están {told.format('[0-9]+')}\.$",
        by_hand(project, "índice de faro.md").text,
        re.MULTILINE,
    )
