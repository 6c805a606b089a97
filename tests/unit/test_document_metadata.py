"""Title, language, identifiers, authors and years."""

from __future__ import annotations

import pytest

from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.document_metadata import document_metadata

_SPANISH = (
    "La presente ley tiene por objeto establecer el régimen de los derechos de las personas en el país, con el fin "
    "de que la administración actúe según lo que esta dispone para todos."
)


def _document(
    *texts: str, title: str = "", author: str = "", identifier: str = "", headings: int = 0
) -> ExtractedDocument:
    blocks = tuple(
        Block(kind=BlockKind.HEADING, text=text, level=1)
        if number < headings
        else Block(kind=BlockKind.TEXT, text=text)
        for number, text in enumerate(texts)
    )
    return ExtractedDocument(format="txt", blocks=blocks, pages=None, title=title, author=author, identifier=identifier)


@pytest.mark.parametrize(
    ("path", "identifiers"),
    [
        ("LEY-29733-2011.md", ("ley:29733",)),
        ("normas/DS-004-2019-JUS.md", ("ds:004-2019-jus",)),
        ("DLEG-1412-2018.md", ("dl:1412",)),
        ("DL-19846-1972.md", ("dley:19846",)),
        ("RM-004-2016-PCM.md", ("rm:004-2016-pcm",)),
        ("iso27001.pdf", ("iso:27001",)),
        ("ISO_9001_2015.pdf", ("iso:9001@2015",)),
        ("guia_ley_29733.docx", ("ley:29733",)),
        ("manual-de-compras.docx", ()),
    ],
)
def test_identifiers_of_file_names(path: str, identifiers: tuple[str, ...]) -> None:
    assert document_metadata(_document(_SPANISH), path=path).identifiers == identifiers


def test_a_consolidated_text_is_also_the_law_it_consolidates() -> None:
    title = "TUO de la Ley N° 27444, Ley del Procedimiento Administrativo General (Decreto Supremo 004-2019-JUS)"
    found = document_metadata(_document(_SPANISH, title=title), path="tuo.md").identifiers
    assert set(found) == {"ley:27444", "ds:004-2019-jus", "ley:procedimiento-administrativo-general"}


@pytest.mark.parametrize(
    ("path", "title", "own", "mentioned"),
    [
        ("DLEG-295-1984.md", "Código Civil", ("dl:295", "codigo:civil"), ()),
        ("constitucion.md", "CONSTITUCIÓN POLÍTICA DEL PERÚ", ("constitucion",), ()),
        ("LEY-29783-2011.md", "Ley N° 29783, Ley de Seguridad y Salud en el Trabajo",
         ("ley:29783", "ley:seguridad-salud-trabajo"), ()),
        ("DS-005-2012-TR.md", "Reglamento de la Ley N° 29783, Ley de Seguridad y Salud en el Trabajo",
         ("ds:005-2012-tr", "reglamento:seguridad-salud-trabajo"), ("ley:29783",)),
        ("LEY-32451-2025.md", "Ley que modifica el Código Penal sobre delitos informáticos",
         ("ley:32451",), ("codigo:penal",)),
        ("LEY-28607-2005.md", "Ley de Reforma del artículo 91 de la Constitución", ("ley:28607",), ("constitucion",)),
        ("nuevo.md", "Nuevo Código Procesal Penal", ("codigo:procesal-penal",), ()),
        ("tuo.md", "TUO del Código Tributario", ("codigo:tributario",), ()),
        ("acta.md", "Acta de la constitución de la sociedad", (), ()),
    ],
)  # fmt: skip
def test_a_norm_by_name_is_what_a_title_says_its_document_is(
    path: str, title: str, own: tuple[str, ...], mentioned: tuple[str, ...]
) -> None:
    about = document_metadata(_document(_SPANISH, title=title), path=path)
    assert about.identifiers == own
    assert set(mentioned) <= set(about.mentions)


@pytest.mark.parametrize(
    ("path", "title", "identifiers", "mentions"),
    [
        ("DS-002-2023-TR.md", "Reglamento de la Ley 31572, Ley del Teletrabajo", ("ds:002-2023-tr",), ("ley:31572",)),
        (
            "norma.txt",
            "Decreto Supremo N° 016-2024-JUS que aprueba el Reglamento de la Ley N° 29733",
            ("ds:016-2024-jus",),
            ("ley:29733",),
        ),
        (
            "LEY-28992-2007.md",
            "Ley que sustituye la tercera disposición de la Ley Nº 27651",
            ("ley:28992",),
            ("ley:27651",),
        ),
        (
            "DS-018-2002-TR.md",
            "Establecen disposiciones modificatorias del D.S. 014-2002-TR",
            ("ds:018-2002-tr",),
            ("ds:014-2002-tr",),
        ),
        ("RM-004-2016-PCM.md", "Modifican el uso obligatorio de la ISO 27001", ("rm:004-2016-pcm", "iso:27001"), ()),
        (
            "DLEG-650-1991.md",
            "Ley de CTS (D.Leg. 650) y su reglamento (DS 004-97-TR)",
            ("dl:650", "ds:004-97-tr"),
            (),
        ),
        ("guia.docx", "Reglamento de la Ley 29733", ("ley:29733",), ()),
        ("tuo.md", "TUO del D.Leg. 728 (Decreto Supremo 003-97-TR)", ("dl:728", "ds:003-97-tr"), ()),
    ],
)
def test_a_regulation_is_not_the_law_it_serves(
    path: str, title: str, identifiers: tuple[str, ...], mentions: tuple[str, ...]
) -> None:
    found = document_metadata(_document(_SPANISH, title=title), path=path)
    assert (found.identifiers, found.mentions) == (identifiers, mentions)


@pytest.mark.parametrize(
    ("head", "identifier"),
    [
        # Peru
        ("Directiva 005-2026-GG", "directiva:005-2026-gg"),
        ("DIRECTIVA GENERAL N° 002-2024-MTC/01", "directiva:002-2024-mtc-01"),
        ("Resolución Directoral N° 045-2025-MTC/16", "rd:045-2025-mtc-16"),
        ("RESOLUCIÓN MINISTERIAL N.° 119-2018-PCM", "rm:119-2018-pcm"),
        ("RESOLUCIÓN DE GERENCIA GENERAL N° 012-2026-GG", "resolucion:012-2026-gg"),
        ("Decreto Supremo N.º 004-2019-JUS", "ds:004-2019-jus"),
        ("DECRETO DE ALCALDÍA N° 004-2024-MSS", "decreto:004-2024-mss"),
        ("Ordenanza Municipal N° 452-2023-MDMM", "ordenanza:452-2023-mdmm"),
        ("ORDENANZA N° 2208", "ordenanza:2208"),
        ("ACUERDO DE CONCEJO N° 045-2024-MDJM", "acuerdo:045-2024-mdjm"),
        ("ACUERDO DE CONSEJO REGIONAL Nº 303-2025-GRJ/CR", "acuerdo:303-2025-grj-cr"),
        ("Circular N° 021-2007-BCRP", "circular:021-2007-bcrp"),
        ("OFICIO MÚLTIPLE N° 00012-2026-MINEDU/VMGI", "oficio:012-2026-minedu-vmgi"),
        ("Oficio N° 123-2025-OGA", "oficio:123-2025-oga"),
        # other countries
        ("NORMA OFICIAL MEXICANA NOM-035-STPS-2018", "nom:035-stps-2018"),
        ("LEY 1581 DE 2012", "ley:1581@2012"),
        ("Circular Externa 029 de 2014", "circular:29@2014"),
        ("Acuerdo 12/2024", "acuerdo:012-2024"),
        ("Acuerdo Gubernativo 229-2014", "acuerdo:229-2014"),
        ("Ley N° 19.880", "ley:19880"),
        ("Decreto Exento N° 345", "decreto:345"),
        ("Decreto Ejecutivo N° 1075", "decreto:1075"),
        ("Real Decreto 488/1997, de 14 de abril", "rd:488/1997"),
        ("Orden HFP/1030/2021, de 29 de septiembre", "orden:hfp/1030/2021"),
        ("UNE-EN ISO/IEC 27001:2023", "iso:27001@2023"),
    ],
)
@pytest.mark.parametrize("above", [(), ("Municipalidad de Ejemplo", "Oficina General de Administración")])
def test_the_number_at_the_head_is_what_a_document_is(head: str, identifier: str, above: tuple[str, ...]) -> None:
    assert document_metadata(_document(*above, head, _SPANISH), path="documento.pdf").identifiers == (identifier,)


def test_what_a_document_is_and_what_it_mentions() -> None:
    document = _document("LEY Nº 29733", "Artículo 1.- Objeto", f"{_SPANISH} Véase la Ley 27444.", headings=1)
    found = document_metadata(document, path="norma.txt")
    assert (found.identifiers, found.mentions) == (("ley:29733",), ("ley:27444",))


def test_the_identifier_that_a_file_declares() -> None:
    assert document_metadata(_document(_SPANISH, identifier="LEY-29783-2011"), path="sst.md").identifiers == (
        "ley:29783",
    )


@pytest.mark.parametrize(
    ("declared", "path", "title"),
    [
        ("Ley del Teletrabajo", "a.docx", "Ley del Teletrabajo"),
        ("Microsoft Word - doc1.docx", "guia_de-uso.pdf", "Guía de uso del sistema"),
        ("Untitled", "a.pdf", "Guía de uso del sistema"),
        ("(anonymous)", "a.pdf", "Guía de uso del sistema"),  # as reportlab writes it
        ("informe_final.indd", "a.pdf", "Guía de uso del sistema"),
        ("", "a.pdf", "Guía de uso del sistema"),
    ],
)
def test_the_declared_title_is_used_when_it_says_something(declared: str, path: str, title: str) -> None:
    document = _document("Guía de uso del sistema", _SPANISH, title=declared, headings=1)
    assert document_metadata(document, path=path).title == title


@pytest.mark.parametrize(
    ("capitals", "title"),
    [
        ("ACTA DE SESIÓN ORDINARIA N.° 03-2026", "Acta de sesión ordinaria N.° 03-2026"),
        (
            "PROCEDIMIENTO PR-OTI-007: COPIAS DE RESPALDO Y RESTAURACIÓN",
            "Procedimiento PR-OTI-007: copias de respaldo y restauración",
        ),
        ("REGLAMENTO DEL COMITÉ DE SST", "Reglamento del comité de SST"),
        ("PLAN DE LA OTI Y DE LA SGTH", "Plan de la OTI y de la SGTH"),
        ("MANUAL DE LA UEP PARA EL SIGLO XXI", "Manual de la UEP para el siglo XXI"),
        ("GUÍA DE LA MUNICIPALIDAD DE SAN JACINTO", "Guía de la municipalidad de San Jacinto"),
        ("TUO DE LA LEY N° 27444 (D.S. 004-2019-JUS)", "TUO de la ley N° 27444 (D.S. 004-2019-JUS)"),
        ("GUÍA DEL CIVIL MIL", "Guía del civil mil"),
        ("«POLÍTICA DE USO DEL CORREO». ANEXO", "«Política de uso del correo». Anexo"),
        ("CONSTITUCIÓN POLÍTICA DEL PERÚ", "Constitución política del Perú"),
        ("Guía de uso del SIGM", "Guía de uso del SIGM"),
    ],
)
def test_a_title_in_capitals_is_shown_as_a_sentence(capitals: str, title: str) -> None:
    said = "El jefe de la UEP visita con la OTI la municipalidad de San Jacinto, Perú, y rige la guía del TUO."
    assert document_metadata(_document(_SPANISH, said, title=capitals), path="a.txt").title == title


@pytest.mark.parametrize(
    "running",
    [
        "Página 1 de 20",
        "Pág. 3",
        "EL PERUANO",
        "El Peruano / Lunes 3 de mayo de 2021",
        "Diario Oficial El Peruano - Normas Legales",
        "Lima, 14 de julio de 2023",
        "Viernes, 2 de setiembre de 2022",
        "14/07/2023",
        "www.municipalidad-ejemplo.gob.pe",
        "https://portal.ejemplo.pe/documentos/",
        "mesadepartes@ejemplo.gob.pe",
        "Código: PR-OTI-007",
        "Versión: 02",
        "Código: PR-OTI-007 Versión: 02 Página 1 de 9",
        "Versión 1.0",
        "«Año del Bicentenario del Perú: 200 años de Independencia»",
        "DECENIO DE LA IGUALDAD DE OPORTUNIDADES",
        "CONFIDENCIAL",
        "PODER LEGISLATIVO",
        "Contents",
        "Sumario",
        "Copia no controlada al imprimir",
        "Señor Alcalde de la Municipalidad",
    ],
)
@pytest.mark.parametrize("declares", [False, True])
def test_what_stands_at_the_head_of_every_page_is_no_title(running: str, declares: bool) -> None:
    document = _document(running, "Reglamento interno de la biblioteca", _SPANISH)
    assert document_metadata(document, path="a.pdf").title == "Reglamento interno de la biblioteca"
    if declares and running not in ("Contents", "Sumario", "Señor Alcalde de la Municipalidad"):
        document = _document("Reglamento interno de la biblioteca", _SPANISH, title=running)
        assert document_metadata(document, path="a.pdf").title == "Reglamento interno de la biblioteca"


@pytest.mark.parametrize(
    "name",
    [
        "La casa de los espíritus",
        "Los plazos en el procedimiento administrativo general peruano",
        "Ley que establece medidas para la gestión de los residuos sólidos municipales",
        "Guía de lo que se debe saber antes de presentar una solicitud de licencia",
        "El contrato de trabajo a plazo fijo: requisitos, duración y causas de despido",
    ],
)
def test_a_long_name_is_a_title(name: str) -> None:
    assert document_metadata(_document(name, _SPANISH), path="a.pdf").title == name


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        ("Ley que protege a los perros guía.", "Ley que protege a los perros guía"),
        ("Reglamento de la empresa Ejemplo S.A.", "Reglamento de la empresa Ejemplo S.A."),
        ("Acta de la sesión del 21 de octubre de 2010", "Acta de la sesión del 21 de octubre de 2010"),
    ],
)
def test_a_declared_title_loses_its_full_stop_alone(declared: str, title: str) -> None:
    assert document_metadata(_document(_SPANISH, title=declared), path="a.md").title == title


def test_the_subject_of_a_letter_is_its_title() -> None:
    letter = _document("Lima, 3 de mayo de 2021", "Señor gerente:", "Asunto: Ampliación del plazo de obra", _SPANISH)
    assert document_metadata(letter, path="carta.docx").title == "Ampliación del plazo de obra"


def test_without_any_title_the_file_name_is_made_readable() -> None:
    document = _document("Artículo 1.- Objeto", _SPANISH, headings=1)
    assert document_metadata(document, path="x/plan_anual-2024.pdf").title == "plan anual 2024"


@pytest.mark.parametrize(
    ("path", "category"), [("a.md", ""), ("leyes/a.md", "leyes"), ("leyes/peru/a.md", "leyes/peru")]
)
def test_the_category_is_the_folder(path: str, category: str) -> None:
    assert document_metadata(_document(_SPANISH), path=path).category == category


def test_where_the_text_names_no_author_the_properties_of_the_file_may() -> None:
    told = {
        author: document_metadata(_document("Guía del agua", _SPANISH, author=author), path="a.pdf").authors
        for author in ("Ana Ríos; Luis Paz", "Administrador", "")
    }
    assert told == {"Ana Ríos; Luis Paz": ("ana ríos", "luis paz"), "Administrador": (), "": ()}
    paper = _document("Guía del agua", "Autor: Rosa Quispe Mamani", _SPANISH, author="Ana Ríos")
    assert document_metadata(paper, path="a.pdf").authors == ("rosa quispe mamani",)


@pytest.mark.parametrize(
    ("lines", "authors"),
    [
        (
            ("El trabajo a distancia", "José Arias y María Pérez-Gómez", "Resumen", _SPANISH),
            ("josé arias", "maría pérez-gómez"),
        ),
        (
            ("El trabajo a distancia", "Ana de la Cruz1, Luis Ríos2", "Universidad de Ejemplo, Lima", "Abstract"),
            ("ana de la cruz", "luis ríos"),
        ),
        (("Manual de compras", "Autor: Rosa Quispe Mamani", _SPANISH), ("rosa quispe mamani",)),
        (("Ley de ejemplo", "EL PRESIDENTE DE LA REPÚBLICA", _SPANISH), ()),
        ((_SPANISH,), ()),
    ],
)
def test_authors_are_only_read_where_papers_name_them(lines: tuple[str, ...], authors: tuple[str, ...]) -> None:
    assert document_metadata(_document(*lines), path="a.pdf").authors == authors


@pytest.mark.parametrize(
    ("path", "head", "years"),
    [
        ("LEY-29733-2011.md", _SPANISH, (2011,)),
        ("plan_2023_2024.pdf", _SPANISH, (2023, 2024)),
        ("a.pdf", "Lima, 8 de enero de 2016. " + _SPANISH, (2016,)),
        ("a.pdf", _SPANISH, ()),
    ],
)
def test_years(path: str, head: str, years: tuple[int, ...]) -> None:
    assert document_metadata(_document(head), path=path).years == years
