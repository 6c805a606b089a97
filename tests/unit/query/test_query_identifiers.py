"""Norms and standards as people write them, in one canonical form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.articles import article_references
from rag_system.query.identifiers import (
    extract_identifiers,
    find_identifiers,
    identifiers_in_name,
    kind,
    same_identifier,
)

SPELLINGS = {
    # Peru
    "ley:29733": [
        "Ley 29733", "ley 29733", "LEY 29733", "Ley N° 29733", "Ley Nº 29733", "Ley N.° 29733", "Ley N.º 29733",
        "Ley n.º 29.733", "ley no 29733", "Ley No. 29733", "Ley Nro 29733", "Ley Nro. 29733", "LEY NRO. 29.733",
        "ley num 29733", "Ley Núm. 29733", "ley número 29733", "ley numero 29733", "Ley29733", "ley-29733",
        "Ley N°29733",
        "ley n° 29 733", "Ley 29 733", "Ley N* 29733", "Ley #29733", "Ley: 29733", "Ley (29733)", "Ley «29733»",
        "Ley № 29733", "Ley N ° 29733", "ley n 29733", "Ley\u00a0N.º\u00a029733",
        "Ley de Protección de Datos Personales N° 29733",
        "ley de protección de datos 29733", "Ley de Protección de Datos Personales, Ley N° 29733", "ley 29733.",
        "la ley 29733,",
        "¿Qué dice la Ley 29733?", "Ley 29'733", "ＬＥＹ ２９７３３", "TUO 29733", "leyN°29733", "LeyN29733",
        "ley nr 29733", "la ley peruana 29733", "ley peruana de protección de datos 29733", "¿Qué dice la 29733?",
        "Ley N.º29,733",
    ],
    "ds:003-2013-jus": [
        "Decreto Supremo 003-2013-JUS", "D.S. 003-2013-JUS", "DS 003-2013-JUS", "DS N° 003-2013-JUS",
        "D.S. N.º 003-2013-JUS",
        "d.s. 3-2013-jus", "DS003-2013-JUS", "D. S. N° 003-2013-JUS", "decreto supremo n° 003-2013-jus",
        "DS 003-2013/JUS",
        "D.S. Nro. 003-2013-JUS", "ds 003 2013 jus", "D.S N° 003-2013-JUS", "D.S. 003–2013–JUS",
        "D.S.N° 003-2013-JUS",
        "Decretos Supremos 003-2013-JUS", "DS-003-2013-JUS", "Decreto Supremo núm. 003-2013-JUS",
        "D.S. 0003-2013-JUS", "Dec. Supremo 003-2013-JUS", "d.supremo 003-2013-jus", "DSN° 003-2013-JUS",
    ],
    "ds:003-97-tr": ["D.S. 003-97-TR", "Decreto Supremo N° 003-97-TR", "DS 3-97-TR", "D.S. 003-1997-TR"],
    "dl:1412": [
        "Decreto Legislativo 1412", "Decreto Legislativo N° 1412", "D. Leg. 1412", "D.Leg. N° 1412", "DLeg 1412",
        "D.L. 1412",
        "DL 1412", "DL N° 1412", "d.l. n.º 1412", "D. Legislativo 1412", "decreto legislativo n.° 1.412",
        "DLEG-1412", "dleg. 1412",
        "D.LEG. Nro. 1412", "decreto legislativo número 1412", "D. L. 1412", "Dec. Leg. 1412",
    ],
    "dley:25844": ["Decreto Ley 25844", "D.L. 25844", "DL N° 25844", "Decreto-Ley 25844", "Decreto Ley N.º 25.844",
    "D. Ley 25844"],
    "rm:004-2016-pcm": [
        "R.M. 004-2016-PCM", "RM N° 004-2016-PCM", "Resolución Ministerial 004-2016-PCM",
        "resolucion ministerial n.° 004-2016-pcm",
        "RM 4-2016-PCM", "rm 004 2016 pcm", "RM-004-2016-PCM", "R.M. Nº 004-2016/PCM",
    ],
    "rm:441-2006-mem-dm": ["R.M. 441-2006-MEM/DM", "RM 441-2006-MEM-DM"],
    "rs:067-2012-pcm": ["R.S. N° 067-2012-PCM", "Resolución Suprema 067-2012-PCM"],
    "du:007-2020": ["Decreto de Urgencia 007-2020", "D.U. N° 007-2020", "DU 7-2020",
    "decreto de urgencia n.º 007-2020"],
    "du:053-99": ["DU 053-99", "Decreto de Urgencia N° 053-99"],
    "rl:27733": ["Resolución Legislativa 27733", "R.L. N° 27733"],
    "rd:010-2015-dp": ["R.D. N° 010-2015-DP", "Resolución Directoral 010-2015-DP"],
    "resolucion:097-2012-sunat": ["Resolución de Superintendencia N° 097-2012/SUNAT",
    "resolucion de superintendencia 097-2012-SUNAT"],
    "ntp:350.043-1": ["NTP 350.043-1", "Norma Técnica Peruana 350.043-1", "NTP N° 350.043-1", "NTP-350.043-1"],
    # Spain
    "ley:39/2015": ["Ley 39/2015", "ley 39/2015, de 1 de octubre", "Ley 39 / 2015", "ley nº 39/2015", "ley 39-2015"],
    "ley:30/1992": ["Ley 30/1992", "Ley 30/92"],
    "lo:3/2018": ["Ley Orgánica 3/2018", "L.O. 3/2018", "LO 3/2018", "ley organica 3/2018, de 5 de diciembre"],
    "rd:1720/2007": ["Real Decreto 1720/2007", "RD 1720/2007", "R.D. 1720/2007", "real decreto nº 1720/2007"],
    "rdl:6/2019": ["Real Decreto-ley 6/2019", "Real Decreto Ley 6/2019"],
    "rdleg:2/2015": ["Real Decreto Legislativo 2/2015", "RDLeg 2/2015"],
    # Mexico
    "nom:035-stps-2018": [
        "NOM-035-STPS-2018", "NOM 035 STPS 2018", "nom-035-stps-2018", "Norma Oficial Mexicana NOM-035-STPS-2018",
        "NOM035-STPS-2018",
        "NOM-35-STPS-2018",
    ],
    "nom:035": ["NOM-035", "NOM 035", "nom035", "la Norma Oficial Mexicana 035"],
    "nmx:r-025-scfi-2015": ["NMX-R-025-SCFI-2015"],
    "ley:30220": ["Ley Universitaria 30220", "ley universitaria N° 30220", "Ley Universitaria, 30220"],
    "nom:059-ssa1-2015": ["NOM-059-SSA1-2015"],
    # Colombia
    "ley:1581@2012": ["Ley 1581 de 2012", "ley 1581 del 2012", "Ley 1.581 de 2012", "Ley N° 1581 de 2012",
    "ley estatutaria 1581 de 2012"],
    "decreto:1072@2015": ["Decreto 1072 de 2015", "decreto único reglamentario 1072 de 2015"],
    "resolucion:312@2019": ["Resolución 0312 de 2019", "resolucion 312 del 2019"],
    # Chile
    "ley:19628": ["Ley 19.628", "Ley N° 19.628", "Ley Nº 19628 de protección de la vida privada"],
    "ds:594": ["D.S. 594", "Decreto Supremo N° 594"],
    # international
    "iso:27001": [
        "ISO 27001", "iso27001", "ISO-27001", "ISO/IEC 27001", "ISO IEC 27001", "Iso/Iec27001", "NTP-ISO/IEC 27001",
        "UNE-ISO/IEC 27001",
        "ISO N° 27001", "I.S.O. 27001", "norma ISO 27001", "norma 27001", "ISO_27001", "ISO 27.001",
        "ISO norma 27001", "estándar 27001",
    ],
    "iso:9001": [
        "ISO 9001", "UNE-EN ISO 9001", "NTC-ISO 9001", "NCh-ISO 9001", "norma técnica 9001", "certificación 9001",
        "certificarnos en ISO 9001",
        "norma de calidad 9001", "la 9001",
    ],
    "iso:27001@2022": ["ISO/IEC 27001:2022", "ISO 27001:2022", "ISO 27001-2022", "ISO 27001 (2022)",
    "ISO 27001 versión 2022", "iso 27001 2022", "27001:2022"],
    "iso:27001@2014": ["NTP-ISO/IEC 27001:2014", "NTP ISO/IEC 27001:2014", "ntp-iso-iec 27001 2014"],
    "iso:20000-1@2018": ["ISO/IEC 20000-1:2018", "ISO 20000-1:2018"],
    "cobit@2019": ["COBIT 2019", "cobit2019", "COBIT-2019", "COBIT® 2019", "Cobit versión 2019"],
    "cobit@5": ["COBIT 5", "cobit5", "COBIT v5", "COBIT 5.0"],
    "cobit@4.1": ["COBIT 4.1"],
    "itil@4": ["ITIL 4", "ITIL v4", "itil4", "ITIL versión 4", "ITIL Foundation 4"],
    "nist:800-53": ["NIST SP 800-53", "NIST 800-53", "nist sp800-53", "SP 800-53", "NIST Special Publication 800-53"],
    "nist:800-53@5": ["NIST SP 800-53 Rev. 5", "NIST 800-53r5", "NIST SP 800-53 revisión 5"],
    "nist:csf": ["NIST CSF", "NIST Cybersecurity Framework", "marco de ciberseguridad del NIST"],
    "pci-dss@4": ["PCI-DSS v4", "PCI DSS 4.0", "PCIDSS 4", "PCI DSS versión 4.0"],
    "pci-dss": ["PCI DSS", "PCI-DSS", "pcidss"],
    "gdpr": ["RGPD", "GDPR", "Reglamento (UE) 2016/679", "Reglamento UE 2016/679",
    "Reglamento General de Protección de Datos"],
    "hipaa": ["HIPAA", "hipaa"],
}  # fmt: skip


@pytest.mark.parametrize(("spelling", "canonical"), [(s, c) for c, spellings in SPELLINGS.items() for s in spellings])
def test_spellings(spelling: str, canonical: str) -> None:
    assert extract_identifiers(spelling) == [canonical]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ISO 9001, 14001 y 45001", ["iso:9001", "iso:14001", "iso:45001"]),
        ("ISO 9001:2015 e ISO 14001:2015", ["iso:9001@2015", "iso:14001@2015"]),
        ("diferencia entre ISO 27001 y la 27002", ["iso:27001", "iso:27002"]),
        ("ISO 9001/14001/45001", ["iso:9001", "iso:14001", "iso:45001"]),
        ("ISO 27001 vs 27002", ["iso:27001", "iso:27002"]),
        ("iso 9001 14001", ["iso:9001", "iso:14001"]),
        ("leyes 29733 y 27444", ["ley:29733", "ley:27444"]),
        ("Leyes N.os 29733, 27444 y 30364", ["ley:29733", "ley:27444", "ley:30364"]),
        ("las Leyes 39/2015 y 40/2015", ["ley:39/2015", "ley:40/2015"]),
        ("Leyes 1581 de 2012 y 1266 de 2008", ["ley:1581@2012", "ley:1266@2008"]),
        ("D. Leg. 276, 728 y 1057", ["dl:276", "dl:728", "dl:1057"]),
        ("D.S. 003-2013-JUS y 016-2024-JUS", ["ds:003-2013-jus", "ds:016-2024-jus"]),
        ("NOM-035-STPS-2018 y NOM-030-STPS-2009", ["nom:035-stps-2018", "nom:030-stps-2009"]),
        ("ley 29088 y su reglamento DS 005-2009-TR", ["ley:29088", "ds:005-2009-tr"]),
        ("Ley Orgánica 3/2018 y RGPD", ["lo:3/2018", "gdpr"]),
        ("COBIT 2019, ITIL 4 y la ISO 20000", ["cobit@2019", "itil@4", "iso:20000"]),
        ("NIST CSF y NIST 800-53", ["nist:csf", "nist:800-53"]),
        ("NIST 800-53 y 800-171", ["nist:800-53", "nist:800-171"]),
        ("ITIL v3 vs v4", ["itil@3", "itil@4"]),
        ("cobit 5 vs 2019", ["cobit@5", "cobit@2019"]),
        ("ISO/IEC 27001:2013 vs 27001:2022", ["iso:27001@2013", "iso:27001@2022"]),
        ("HIPAA, PCI-DSS y GDPR", ["hipaa", "pci-dss", "gdpr"]),
        ("Ley 29733, Ley 29733 y ley n.º 29.733", ["ley:29733"]),
        ("¿Qué cambió en la ISO 45001 respecto de OHSAS 18001?", ["iso:45001", "ohsas:18001"]),
    ],
)  # fmt: skip
def test_several_in_a_question(text: str, expected: list[str]) -> None:
    assert extract_identifiers(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "administración de personal", "admiNISTración 2019", "aviso 5", "piso 3 del Ministerio", "permiso 2024",
        "compromiso 27001",
        "ley de presupuesto 2024", "la ley obliga a pagar 15000 soles", "la ley del 2011",
        "cambios de la ley en 2024",
        "ley de trabajo y 12000 soles", "trabajo en la casa 29733", "los 30 días de la ley", "bisonte 9001",
        "Felisa 27001",
        "rayos X 2020", "Luis 9001", "el paraíso 14001", "resolución del periodo 2019-2020",
        "normas de convivencia 2024",
        "leyes laborales", "decreto", "resolución 4K", "el artículo 7", "PCI", "gastos de 2024", "dls 500",
        "RMN 2020",
        "los rs. 5", "Mediadores 2020", "DL", "ley 2024", "ley seca 2024", "Luz del Sur 29733",
        "la ley impone 15000 nuevos soles", "la ley exige 25000 firmas", "expediente 29733-2011", "DNI 29733",
        "S.A. 5", "RUC 20131312955", "la 15000", "COBOL 5", "la UIT de 2024",
    ],
)  # fmt: skip
def test_nothing_is_found(text: str) -> None:
    assert extract_identifiers(text) == []


LETTERS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzñáéíóú", min_size=1, max_size=6)
MARKS = st.sampled_from(
    ["", "N° ", "Nº ", "N.° ", "N.º ", "n.º", "No. ", "no ", "Nro ", "Nro. ", "núm. ", "número ", "N°", "# "]
)
CASES = st.sampled_from([str.upper, str.lower, str.title, str])


@given(
    number=st.integers(10_000, 39_999),
    mark=MARKS,
    case=CASES,
    dotted=st.booleans(),
    word=st.sampled_from(["Ley", "ley", "Ley General"]),
)
def test_any_spelling_of_a_law(number: int, mark: str, case, dotted: bool, word: str) -> None:
    written = f"{number:,}".replace(",", ".") if dotted else str(number)
    assert extract_identifiers(case(f"{word} {mark}{written}")) == [f"ley:{number}"]


@given(
    number=st.integers(1, 999), year=st.integers(2000, 2026), mark=MARKS, case=CASES,
    office=st.sampled_from(["JUS", "PCM", "TR", "EF", "MINAM", "SA"]), joint=st.sampled_from("-/"),
    padded=st.booleans(),
    word=st.sampled_from([("ds", "Decreto Supremo"), ("ds", "D.S."), ("ds", "DS"), ("rm", "R.M."), ("rm",
    "Resolución Ministerial"), ("rs", "R.S.")]),
)  # fmt: skip
def test_any_spelling_of_a_decree(number, year, mark, case, office, joint, padded, word) -> None:
    written = f"{number:03}" if padded else str(number)
    canonical = f"{word[0]}:{number:03}-{year}-{office.lower()}"
    assert extract_identifiers(case(f"{word[1]} {mark}{written}-{year}{joint}{office}")) == [canonical]


@given(
    number=st.sampled_from(["9001", "14001", "27001", "45001", "22301", "37001"]), edition=st.one_of(st.none(),
    st.integers(1995, 2025)),
    name=st.sampled_from(["ISO ", "iso", "ISO/IEC ", "NTP-ISO/IEC ", "UNE-EN ISO ", "ISO-", "Norma ISO "]),
    joint=st.sampled_from([":", "-", " : "]),
)  # fmt: skip
def test_any_spelling_of_a_standard(number, edition, name, joint) -> None:
    written = f"{name}{number}" + (f"{joint}{edition}" if edition else "")
    assert extract_identifiers(written) == [f"iso:{number}" + (f"@{edition}" if edition else "")]


@given(
    prefix=LETTERS,
    name=st.sampled_from(["nist", "iso 9001", "ley 29733", "rgpd", "cobit 5", "ds 003-2013-jus", "itil", "hipaa"]),
)
def test_never_inside_a_longer_word(prefix: str, name: str) -> None:
    inside = find_identifiers(prefix + name)
    assert all(match.start != len(prefix) for match in inside)


@given(st.text(max_size=120))
def test_any_text_is_read_and_places_hold(text: str) -> None:
    for match in find_identifiers(text):
        assert 0 <= match.start < match.end <= len(text)


def test_places_are_of_the_original_text() -> None:
    text = "¿Que\u0301 exige la ley n.º 29.733 y la ISO 9001?"  # the accent of «Qué» is a character of its own
    assert [text[match.start : match.end] for match in find_identifiers(text)] == ["ley n.º 29.733", "ISO 9001"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LEY-29733-2011.md", ["ley:29733"]),
        ("DS-004-2019-JUS-TUO-27444-2019.md", ["ds:004-2019-jus", "ley:27444"]),
        ("DLEG-1412-2018.md", ["dl:1412"]),
        ("DL-19846-1972.md", ["dley:19846"]),
        ("DL-713.pdf", ["dl:713"]),
        ("RM-004-2016-PCM.md", ["rm:004-2016-pcm"]),
        ("iso27001.pdf", ["iso:27001"]),
        ("ISO_9001_2015.pdf", ["iso:9001@2015"]),
        ("NTP_ISO_IEC_27001_2014.docx", ["iso:27001@2014"]),
        ("DS_004_2019_JUS.docx", ["ds:004-2019-jus"]),
        ("TUO-Codigo-Tributario-DS-133-2013-EF.pdf", ["ds:133-2013-ef"]),
        ("DS-003-97-TR-1997.md", ["ds:003-97-tr"]),
        ("DU-053-99-1999.md", ["du:053-99"]),
        ("LEY-1581-2012.md", ["ley:1581@2012"]),
        ("pe/leyes/Ley 29783 - SST.pdf", ["ley:29783"]),
        ("NOM-035-STPS-2018.pdf", ["nom:035-stps-2018"]),
        ("LEY-32069-CONTRATACIONES-2024.md", ["ley:32069"]),
        ("DS-011-2005-DE-SG.md", ["ds:011-2005-de-sg"]),
        ("manual de usuario v2.pdf", []),
        ("acta-2024-03-12.docx", []),
        ("presupuesto_2024.xlsx", []),
        ("administracion.md", []),
    ],
)
def test_identifiers_in_name(name: str, expected: list[str]) -> None:
    assert identifiers_in_name(name) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("iso:27001", "iso:27001@2022", True),
        ("iso:27001", "iso:27001@2014", True),
        ("iso:27001@2022", "iso:27001@2014", False),
        ("iso:27001", "iso:27002", False),
        ("iso:20000", "iso:20000-1", True),
        ("ds:037-2011", "ds:037-2011-pcm", True),
        ("ds:037-2011-tr", "ds:037-2011-pcm", False),
        ("nom:035", "nom:035-stps-2018", True),
        ("ley:39@2015", "ley:39/2015", True),
        ("ley:39/2015", "ley:39/2014", False),
        ("ley:29733", "dl:29733", False),
        ("cobit", "cobit@2019", True),
        ("cobit@5", "cobit@2019", False),
        ("nist:csf", "nist:800-53", False),
        ("gdpr", "gdpr", True),
        ("resolucion:004-2016-pcm", "rm:004-2016-pcm", True),
        ("resolucion:004-2016-pcm", "rm:005-2016-pcm", False),
        ("decreto:1412@2018", "dl:1412", True),
        ("decreto:1412", "resolucion:1412", False),
        ("ds:004-2016-pcm", "rm:004-2016-pcm", False),
    ],
)
def test_same_identifier(one: str, other: str, same: bool) -> None:
    assert same_identifier(one, other) is same
    assert same_identifier(other, one) is same


@pytest.mark.parametrize(
    ("canonical", "expected"),
    [("ley:29733", "ley"), ("cobit@2019", "cobit"), ("gdpr", "gdpr"), ("iso:9001@2015", "iso")],
)
def test_kind(canonical: str, expected: str) -> None:
    assert kind(canonical) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("¿Qué dispone el art. 240 de la ley 29783?", ["240"]),
        ("artículo 5", ["5"]),
        ("ARTICULO 17°", ["17"]),
        ("artículos 5 y 7", ["5", "7"]),
        ("arts. 5, 6 y 12", ["5", "6", "12"]),
        ("artículo 24-A", ["24-A"]),
        ("el art 3 de la Constitución", ["3"]),
        ("artículo n.º 8", ["8"]),
        ("el artículo décimo segundo del estatuto", ["12"]),
        ("artículo undécimo", ["11"]),
        ("artículo 30 y 15 días", ["30"]),
        ("articulación 5", []),
        ("mi artículo", []),
    ],
)
def test_article_references(text: str, expected: list[str]) -> None:
    assert article_references(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "de acuerdo a 30 personas", "según lo acordado en 2024", "de acuerdo con el artículo 5", "acuerdo 5",
        "de oficio 10 días después", "el oficio de 1998", "una circular 3", "en orden 12/2024", "por orden alfabético",
        "la ordenanza de 2024", "ordenanzas 2023 y 2024",
    ],
)  # fmt: skip
def test_words_of_prose_announce_no_number(text: str) -> None:
    assert extract_identifiers(text) == []
