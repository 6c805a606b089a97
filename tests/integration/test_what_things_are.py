"""«¿Qué es X?», answered without a model by the place that says so, and by all of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.project_assistant import ProjectAssistant
from rag_system.settings import Settings
from rag_system.types import Answer, Finished
from tests.indexing import opened_project, upload

JUNTAS = "\n".join(
    f"6.{n} La junta número {n} atiende a los maestros de la provincia {n} y lleva su libro." for n in range(1, 9)
)
LAW = f"""# Ley N.° 31999, Ley del Teletaller

## TÍTULO I. DISPOSICIONES

### Artículo 3.- Teletaller

3.1 El teletaller es una modalidad especial de enseñanza de oficios, sin presencia física en el taller.
3.2 Se realiza por medios digitales.

### Artículo 4.- Teletallerista

4.1 Al maestro que enseña bajo la modalidad de teletaller se le denomina teletallerista.

## TÍTULO II. GREMIO DIGITAL

### Artículo 6.- Gremio Digital

Reúne a los maestros inscritos.
{JUNTAS}

## TÍTULO III. CUOTAS

### Artículo 7.- Cuotas

7.1 La cuota del gremio se paga cada mes.

## ANEXO. Términos

- **Pieza reservada.** La que se guarda bajo llave.
- **Maestro:** Quien enseña un oficio.
"""


@pytest.fixture
def project(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings) as opened:
        upload(opened, "ley.md", LAW.encode())
        yield opened


def answered(project: ProjectAssistant, question: str) -> Answer:
    return next(e.answer for e in project.stream(question, provider="extractive") if isinstance(e, Finished))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("¿qué es el teletaller?", "3.1 El teletaller es una modalidad especial"),
        ("¿qué es un teletallerista?", "se le denomina teletallerista"),
        ("¿qué es una pieza reservada?", "La que se guarda bajo llave."),
        ("a quien le dicen maestro", "Quien enseña un oficio."),
    ],
)
def test_the_place_that_says_what_it_is_is_quoted_first(project: ProjectAssistant, question: str, said: str) -> None:
    assert said in answered(project, question).text.partition("«")[2].partition("» [")[0]


def test_a_section_is_quoted_by_itself_and_never_marked(project: ProjectAssistant) -> None:
    answer = answered(project, "gremio digital")
    assert "6.8 La junta número 8" in answer.text
    assert "cuota" not in answer.text
    assert answer.unsupported == ()


ORDERED = """# Texto Único Ordenado del Código de Cuotas

## TÍTULO I. La deuda y el pago

### Artículo 29.- Lugar

El pago de la cuota se hace en la caja del gremio. Quien hace el pago recibe una constancia del pago.

### Artículo 30.- Pago por terceros

El pago puede hacerlo otra persona. El pago se anota.

## TÍTULO II. Cobranza

### Artículo 78.- Orden de pago

Es el acto con que la junta exige la cuota.
"""


def test_a_section_with_the_name_that_is_asked_is_quoted_though_the_title_shares_a_word_of_it(
    project: ProjectAssistant,
) -> None:
    upload(project, "codigo.md", ORDERED.encode())
    assert "Es el acto con que la junta exige la cuota." in answered(project, "¿qué es una orden de pago?").text
    assert "en la caja del gremio" in answered(project, "¿qué dice del lugar el código de cuotas?").text
