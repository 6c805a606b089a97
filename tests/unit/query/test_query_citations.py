"""Who is an author, and who only stands before a year."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.articles import article_references
from rag_system.query.citations import CitationCue, find_citations


@pytest.mark.parametrize(
    ("question", "authors", "years"),
    [
        ("hipótesis de Del Águila (2020)", ["del águila"], [2020]),
        ("(véase Silva, 2018)", ["silva"], [2018]),
        ("Piaget (1952) vs. Vygotsky (1978)", ["piaget", "vygotsky"], [1952, 1978]),
        ("artículo de Bandura de 1977", ["bandura"], [1977]),
        ("¿Qué dice Arias(2020)?", ["arias"], [2020]),
        ("arias 2020", ["arias"], [2020]),
        ("ARIAS 2020", ["arias"], [2020]),
        ("segun garcia (2019)", ["garcia"], [2019]),
        ("según Quispe y Mamani (2018), ¿qué es la gestión del conocimiento?", ["quispe", "mamani"], [2018]),
        ("García-Márquez (1967)", ["garcía-márquez"], [1967]),
        ("García Márquez (1967)", ["garcía márquez"], [1967]),
        ("De la Cruz (2019)", ["de la cruz"], [2019]),
        ("¿Qué dice de la Cruz (2019)?", ["de la cruz"], [2019]),
        ("Explica Arias (2020)", ["arias"], [2020]),
        ("Hernández, Fernández y Baptista (2014)", ["hernández", "fernández", "baptista"], [2014]),
        ("Hernández, Fernández & Baptista, 2014", ["hernández", "fernández", "baptista"], [2014]),
        ("Smith & Jones, 2019", ["smith", "jones"], [2019]),
        ("(Arias, 2020; García, 2019)", ["arias", "garcía"], [2020, 2019]),
        ("Arias (2020) y García (2019)", ["arias", "garcía"], [2020, 2019]),
        ("Arias (2020, 2021)", ["arias"], [2020, 2021]),
        ("Pérez, J. (2019)", ["pérez"], [2019]),
        ("J. Pérez (2019)", ["pérez"], [2019]),
        ("Pérez, J. y García, M. (2019)", ["pérez", "garcía"], [2019]),
        ("García et al., 2019", ["garcía"], [2019]),
        ("García y cols. (2019)", ["garcía"], [2019]),
        ("García y colaboradores (2019)", ["garcía"], [2019]),
        ("Arias (1988a)", ["arias"], [1988]),
        ("Fidias Arias (2012)", ["arias"], [2012]),
        ("según Kowalski (2010)", ["kowalski"], [2010]),
        ("¿Cómo define Nonaka (1994) el conocimiento?", ["nonaka"], [1994]),
        ("HERNÁNDEZ Y MENDOZA (2018)", ["hernández", "mendoza"], [2018]),
        ("¿Qué metodología usó Torres (2021) en su tesis?", ["torres"], [2021]),
        ("qué concluye flores et al 2020", ["flores"], [2020]),
        ("Compara Arias (2020) con Hernández y Mendoza (2018)", ["arias", "hernández", "mendoza"], [2020, 2018]),
        ("Hernández-Sampieri y Mendoza (2018)", ["hernández-sampieri", "mendoza"], [2018]),
        ("Van Dijk (2000)", ["van dijk"], [2000]),
        ("O'Connor (2015)", ["o'connor"], [2015]),
        ("¿Qué dijo Porter en 1985?", ["porter"], [1985]),
        ("el modelo de Porter de 1985", ["porter"], [1985]),
        ("¿Qué plantean Nonaka y Takeuchi (1995) sobre el conocimiento tácito?", ["nonaka", "takeuchi"], [1995]),
        ("¿qué opina muñoz 2017 sobre el aprendizaje?", ["muñoz"], [2017]),
        ("Ñaupas et al. (2018)", ["ñaupas"], [2018]),
        ("De acuerdo con Vara-Horna (2012)", ["vara-horna"], [2012]),
        ("Arias [2020]", ["arias"], [2020]),
        ("Kaplan & Norton (1996)", ["kaplan", "norton"], [1996]),
        ("(Hernández et al., 2014, p. 92)", ["hernández"], [2014]),
        ("Peña, Soto y Díaz 2016", ["peña", "soto", "díaz"], [2016]),
        ("¿Qué dice el autor Mamani (2018)?", ["mamani"], [2018]),
        ("Según Vygotsky (1978), ¿qué es la zona de desarrollo próximo?", ["vygotsky"], [1978]),
        ("¿Qué plantea Chiavenato, 2009?", ["chiavenato"], [2009]),
        ("chiavenato 2009", ["chiavenato"], [2009]),
        ("segun hernandez sampieri 2014", ["hernandez sampieri"], [2014]),
        ("Hernandez, R., Fernandez, C. y Baptista, P. (2014)", ["hernandez", "fernandez", "baptista"], [2014]),
        ("teoría de Nonaka y Takeuchi 1995", ["nonaka", "takeuchi"], [1995]),
        ("¿Qué dicen Porter (1985) y Drucker (1999)?", ["porter", "drucker"], [1985, 1999]),
        ("resumen de García-López et al. (2021)", ["garcía-lópez"], [2021]),
        ("cita a Huamán (2022)", ["huamán"], [2022]),
        ("¿coinciden Rojas (2015) y Salas (2019)?", ["rojas", "salas"], [2015, 2019]),
        ("el estudio de Rojas (2015a)", ["rojas"], [2015]),
        ("la tesis de Condori (2020) sobre SUNAFIL", ["condori"], [2020]),
        ("Ríos y Peña (2018: 34)", ["ríos", "peña"], [2018]),
        ("(Castro & Díaz, 2017, pp. 12-15)", ["castro", "díaz"], [2017]),
        ("OMS (2020)", ["oms"], [2020]),
        ("¿Qué recomienda la OIT (2019)?", ["oit"], [2019]),
        ("en palabras de Freire (1970)", ["freire"], [1970]),
        ("como señala Bauman (2000)", ["bauman"], [2000]),
        ("RAMOS ET AL. (2020)", ["ramos"], [2020]),
        ("MARTÍNEZ 2019", ["martínez"], [2019]),
        ("Santiago et al. (2018)", ["santiago"], [2018]),
        ("Torres, 2021", ["torres"], [2021]),
        ("¿Cuál es la metodología de Quispe (2016)?", ["quispe"], [2016]),
        ("De la Torre (2011)", ["de la torre"], [2011]),
        ("según de la Fuente (2011)", ["de la fuente"], [2011]),
        ("Von Bertalanffy (1968)", ["von bertalanffy"], [1968]),
        ("Gutiérrez-Ascón y Ñique (2022)", ["gutiérrez-ascón", "ñique"], [2022]),
        ("Según Aguilar-Barojas (2005) la muestra", ["aguilar-barojas"], [2005]),
        ("¿Qué dice Wenger (1998) sobre las comunidades de práctica?", ["wenger"], [1998]),
        ("Deming (1986) calidad", ["deming"], [1986]),
        ("Kaplan y Norton(1992)", ["kaplan", "norton"], [1992]),
        ("Gómez ( 2018 )", ["gómez"], [2018]),
        ("López et al 2017", ["lópez"], [2017]),
        ("Lopez et. al. (2017)", ["lopez"], [2017]),
        ("según Pérez y otros (2016)", ["pérez"], [2016]),
        ("José Martí (1891)", ["martí"], [1891]),
        ("María Elena Vega (2013)", ["vega"], [2013]),
    ],
)
def test_citations(question: str, authors: list[str], years: list[int]) -> None:
    assert find_citations(question) == CitationCue(tuple(authors), tuple(years))


@pytest.mark.parametrize(
    "question",
    [
        "Jr. Arias 2020", "Calle Flores 2019", "Hotel Arias 2020", "Banco Mundial (2020)", "Real Madrid 2022",
        "Arias 2020-2021",
        "gastos en enero 2024", "Enero 2024", "presupuesto (2024)", "Lima 2019", "Perú (2020)",
        "Juegos Panamericanos Lima 2019", "Mundial Qatar 2022", "Copa América 2024", "Windows Server 2019",
        "SQL Server 2019", "Agenda 2030", "COVID 2019", "Censo 2017", "Elecciones 2021", "Constitución (1993)",
        "Código Penal 1991", "Ley 29733 (2011)", "ISO 9001 (2015)", "COBIT 2019", "COSO 2013", "NOM-035-STPS-2018",
        "Presupuesto 2024", "Planillas 2023", "Renta 2023", "Utilidades (2023)", "Plan Estratégico 2025",
        "el Plan Operativo Institucional 2024", "Resolución 2019", "D.S. 003-2013-JUS",
        "feriados de diciembre 2024", "Fiestas Patrias 2023", "Tokio 2020", "París 2024", "setiembre 2023",
        "vacaciones 2022 y 2023", "UIT 2024", "IGV 2023", "marzo de 2020", "El Niño 2017",
        "terremoto de Pisco 2007", "Bogotá 2020", "Formulario 1662", "lote 2020", "Madrid, 2019",
        "Ley de Presupuesto 2024", "Decreto Supremo 2020", "Expediente 2019", "Office 2016", "Memoria Anual 2022",
        "Declaración Jurada 2023", "Santiago 2023", "en Trujillo 2019", "Acuerdo de París 2015",
        "Protocolo de Kioto (1997)", "flores 2019", "Ejercicio fiscal 2022", "¿Cuánto fue la UIT en 2023?",
        "sueldo mínimo 2024", "Gratificación Julio 2024", "Reforma Tributaria 2022", "Ley Federal del Trabajo 2019",
        "Estatuto de los Trabajadores (2015)", "Chile 2023", "Brexit 2020", "piso 2020", "permiso 2024",
        "Black Friday 2023", "Directiva 2016/1148", "Tabla 2020", "Pandemia (2020)", "Basilea 2010", "NIIF 16 2019",
        "Bicentenario 2021", "Pokémon 2019", "kardex 2024", "Historial de pagos 2023", "¿Qué cambió en 2023?",
        "norma 2020", "trabajadores en 2024", "Convenio 1989", "Cumbre de Glasgow 2021", "Horizonte 2020",
        "Tesis 2019", "Corolla 2020", "Hoja de Ruta 2024", "Reporte (2022)", "Impuesto Predial 2024",
        "AFP Integra 2023", "Julio 2023", "Semana Santa 2024", "Sistema Electoral 2021",
        "Resolución Ministerial 2020", "Ley Universitaria (2014)", "aniversario 2024", "Copa Mundial 2026",
        "Festival de Cannes 2019", "Expo Dubái 2020", "SIAF 2023", "Excel 2016", "Word 2019", "Toyota Corolla 2015",
        "gripe A 2009", "Fenómeno El Niño (2017)", "crisis 2008", "Revolución Francesa 1789",
        "Guerra del Pacífico 1879", "golpe de 1992", "Acuerdo Nacional 2002",
        "¿Cuánto fue el sueldo mínimo en el 2022?", "Tarifario 2024", "TUPA 2023", "POI 2024", "PEI 2025-2030",
        "MOF 2010", "cronograma 2025", "vacaciones de Juan en 2020", "Cusco, 2021", "Buenos Aires 2018",
        "ciudad de México (1985)", "Barcelona 92", "COP26 2021", "Ley N° 29733 (2011)", "RGPD (2016)", "ITIL 2011",
        "PMBOK 2021", "NIIF (2018)", "Scrum 2020", "DS 2019", "Sentencia 2010", "Tribunal Constitucional (2006)",
        "Código Civil (1984)", "Texto Único 2019", "Convenio 169 (1989)", "modelo 2020", "versión 2015",
        "cláusula 2019", "junio del 2019", "12 de marzo de 2020", "Agosto, 2022", "primer trimestre 2023",
        "campaña escolar 2024", "matrícula 2025", "Examen de admisión 2023", "bono Yanapay 2021", "AFP 2020",
        "Retiro AFP 2021", "Reactiva Perú 2020", "FONCODES 2019", "Ministerio de Salud 2021",
        "Municipalidad de Lima 2022", "Gobierno Regional 2023", "Elecciones Generales 2021", "Procedimiento 2020",
        "FIFA 2022", "Eurocopa 2024", "Huelga 2023", "Día del Trabajo 2024", "CTS mayo 2024", "Grati julio 2023",
        "¿Qué pasó en Ica en 2007?", "Impuesto a la Renta 2023", "DJ anual 2022", "RMV 2024",
    ],
)  # fmt: skip
def test_nobody_is_cited(question: str) -> None:
    assert find_citations(question) == CitationCue()


SURNAMES = st.sampled_from(
    ["Arias", "García", "Hernández", "Quispe", "Muñoz", "Vara-Horna", "de la Cruz", "Nonaka", "Ñaupas"]
)
SHAPES = st.sampled_from(
    [
        "{}({})",
        "{} ({})",
        "({}, {})",
        "{}, {}",
        "{} et al. ({})",
        "según {} ({})",
        "¿Qué dice {} ({})?",
        "({}, {}, p. 45)",
        "{} y cols. ({})",
    ]
)


@given(SURNAMES, st.integers(1900, 2026), SHAPES)
def test_any_shape_of_a_citation(surname: str, year: int, shape: str) -> None:
    assert find_citations(shape.format(surname, year)) == CitationCue((surname.lower(),), (year,))


@given(st.text(max_size=120))
def test_any_text_is_read(text: str) -> None:
    cue = find_citations(text)
    assert bool(cue.authors) == bool(cue.years)


WHERE_IT_STANDS = """
    ley norma reglamento decreto resolución código constitución directiva circular ordenanza convenio contrato
    manual guía política plan informe acta protocolo procedimiento texto disposición legislación normativa
    capítulo anexo documento archivo bases tupa memoria expediente instructivo lineamientos estatuto
    sentencia casación dictamen laudo jurisprudencia cláusula póliza tarifario ficha pliego sílabo rof mof rit
""".split()


@pytest.mark.parametrize(
    "question",
    [
        "Según {}, ¿qué plazo hay?",
        "Según {} 2019, ¿qué plazo hay?",
        "Según {} (2019), ¿qué plazo hay?",
        "¿Qué plazo hay según {} 2019?",
        "¿Qué plazo hay según {}?",
        "De acuerdo con {} de 2019, ¿qué plazo hay?",
    ],
)
@pytest.mark.parametrize("case", [str.title, str.lower, str.upper])
def test_what_kind_of_document_says_it_is_no_author_and_no_article(question: str, case: Callable[[str], str]) -> None:
    asked = [question.format(case(word)) for word in WHERE_IT_STANDS]
    assert [each for each in asked if find_citations(each) or article_references(each)] == []
