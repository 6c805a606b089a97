"""OpenDocument texts, sheets and slides: their XML written here as LibreOffice writes it."""

from __future__ import annotations

import io
import zipfile

import pytest

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders import extract

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "presentation": "presentation",
    }.items()
)
_MIME = "application/vnd.oasis.opendocument."


def odf(kind: str, body: str, *, styles: str = "", title: str = "", manifest: str = "<m/>") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(zipfile.ZipInfo("mimetype"), f"{_MIME}{kind}")
        package.writestr(
            "content.xml",
            f"<office:document-content {_NAMESPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
        )
        package.writestr(
            "meta.xml",
            f'<office:document-meta {_NAMESPACES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta>'
            f"<dc:title>{title}</dc:title></office:meta></office:document-meta>",
        )
        package.writestr("META-INF/manifest.xml", manifest)
    return buffer.getvalue()


def _outline(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in document.blocks]


_TEXT_STYLES = """
<style:style style:family="paragraph" style:name="P1" style:parent-style-name="Title"/>
<style:style style:family="text" style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
<text:list-style style:name="L1">
  <text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/>
  <text:list-level-style-number text:level="2" style:num-format="i" style:num-suffix="."/>
</text:list-style>
<text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>
"""
_TEXT = """
<text:tracked-changes><text:changed-region><text:deletion><text:p>Texto suprimido.</text:p></text:deletion>
</text:changed-region></text:tracked-changes>
<text:p text:style-name="P1">Directiva de viáticos</text:p>
<text:table-of-content><text:index-body><text:p>Alcance 3</text:p></text:index-body></text:table-of-content>
<text:h text:outline-level="1">Alcance</text:h>
<text:p>Rige para todo<text:s text:c="3"/>el personal<text:note><text:note-citation>1</text:note-citation>
    <text:note-body>
<text:p>Incluye al personal CAS.</text:p></text:note-body></text:note> de la institución.<office:annotation>
<text:p>¿Y los practicantes?</text:p></office:annotation></text:p>
<text:h text:outline-level="2">Requisitos</text:h>
<text:list text:style-name="L1">
  <text:list-item><text:p>Solicitud firmada</text:p>
    <text:list><text:list-item><text:p>por el área</text:p></text:list-item>
    <text:list-item><text:p>por la jefatura</text:p></text:list-item></text:list></text:list-item>
  <text:list-item><text:p>Informe de viaje</text:p></text:list-item>
</text:list>
<text:list text:style-name="L2"><text:list-item><text:p>Sin adelantos</text:p></text:list-item></text:list>
<text:p><text:span text:style-name="T1">Artículo 4.- Plazo. </text:span>Se rinde en diez días.</text:p>
<table:table><table:table-header-rows><table:table-row>
  <table:table-cell><text:p>Destino</text:p></table:table-cell><table:table-cell><text:p>Categoría</text:p>
    </table:table-cell>
  <table:table-cell><text:p>Monto</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Cusco</text:p></table:table-cell>
  <table:table-cell><text:p>Jefatura</text:p></table:table-cell><table:table-cell><text:p>S/ 320</text:p>
    </table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>Técnica</text:p></table:table-cell>
  <table:table-cell><text:p>S/ 250</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame><draw:text-box><text:p>Recuadro: consulte a Tesorería.</text:p></draw:text-box>
    </draw:frame></text:p>
"""


def test_odt_in_document_order() -> None:
    document = extract(odf("text", _TEXT, styles=_TEXT_STYLES, title="Directiva 04"), name="a.odt")
    assert (document.format, document.title, document.pages) == ("odt", "Directiva 04", None)
    assert _outline(document) == [
        ("text", "Directiva de viáticos"),
        ("heading", "Alcance"),
        ("text", "Rige para todo el personal de la institución."),
        ("text", "Nota 1: Incluye al personal CAS."),
        ("heading", "Requisitos"),
        ("list_item", "a) Solicitud firmada"),
        ("list_item", "i. por el área"),
        ("list_item", "ii. por la jefatura"),
        ("list_item", "b) Informe de viaje"),
        ("list_item", "Sin adelantos"),
        ("heading", "Artículo 4.- Plazo"),
        ("text", "Se rinde en diez días."),
        ("table", "Destino | Categoría | Monto\nCusco | Jefatura | S/ 320\nCusco | Técnica | S/ 250"),
        ("text", "Recuadro: consulte a Tesorería."),
    ]


def test_an_odt_item_says_its_number_and_a_section_that_it_is_hidden() -> None:
    text = """<text:list text:style-name="L1"><text:list-item><text:p>Uno</text:p></text:list-item>
<text:list-item text:start-value="5"><text:p>Cinco</text:p></text:list-item>
<text:list-item><text:p>Seis</text:p></text:list-item></text:list>
<text:section text:display="none"><text:p>Borrador anterior.</text:p></text:section>
<text:section text:display="true"><text:p>Texto vigente.</text:p></text:section>"""
    outline = _outline(extract(odf("text", text, styles=_TEXT_STYLES), name="a.odt"))
    assert [shown for _, shown in outline] == ["a) Uno", "e) Cinco", "f) Seis", "Texto vigente."]


_NUMBERED = """
<text:outline-style>
  <text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>
  <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>
  <text:outline-level-style text:level="3" style:num-format=""/></text:outline-style>
<text:list-style style:name="N1">
  <text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
  <text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:display-levels="2"/>
</text:list-style>
"""


def _item(text: str) -> str:
    return f"<text:list-item><text:p>{text}</text:p></text:list-item>"


def test_odt_numbers_as_libreoffice_counts_them() -> None:
    text = f"""<text:h text:outline-level="1">Objeto</text:h><text:h text:outline-level="2">Alcance</text:h>
<text:h text:outline-level="3">Sedes</text:h>
<text:h text:outline-level="1" text:is-list-header="true">Sin contar</text:h>
<text:h text:outline-level="1">Plazos</text:h><text:h text:outline-level="2">Cómputo</text:h>
<text:list xml:id="a" text:style-name="N1">{_item("uno")}{_item("dos")}</text:list>
<text:list text:style-name="N1">{_item("otra lista")}</text:list>
<text:list text:continue-list="a" text:style-name="N1">{_item("sigue la primera")}{_item("")}{_item("tras un vacío")}
</text:list>
<text:list text:continue-numbering="true" text:style-name="N1"><text:list-item><text:list>{_item("solo dentro")}
</text:list></text:list-item>{_item("fuera")}</text:list>
<table:table><table:table-row><table:table-cell><text:list text:style-name="N1">{_item("Lima")}{_item("Cusco")}
</text:list></table:table-cell><table:table-cell><text:p>S/ 320</text:p></table:table-cell></table:table-row>
</table:table>"""
    assert [shown for _, shown in _outline(extract(odf("text", text, styles=_NUMBERED), name="a.odt"))] == [
        "I. Objeto",
        "I.1 Alcance",
        "Sedes",
        "Sin contar",
        "II. Plazos",
        "II.1 Cómputo",
        "1. uno",
        "2. dos",
        "1. otra lista",
        "3. sigue la primera",
        "5. tras un vacío",
        "5.a) solo dentro",
        "6. fuera",
        "1. Lima 2. Cusco | S/ 320",
    ]


def test_a_protected_odt_says_so() -> None:
    manifest = '<m:manifest xmlns:m="urn:x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    with pytest.raises(UnreadableFileError, match="contraseña"):
        extract(odf("text", "<text:p>x</text:p>", manifest=manifest), name="a.odt")


def test_an_odt_under_another_name_is_an_odt() -> None:
    assert extract(odf("text", "<text:p>Hola</text:p>"), name="a.zip").format == "odt"


def test_an_odt_without_content_is_damaged() -> None:
    with pytest.raises(UnreadableFileError, match="dañado"):
        extract(odf("text", "<text:p>"), name="a.odt")


def _cells(*texts: str) -> str:
    return "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in texts)


def test_ods_sheets_as_they_are_shown() -> None:
    body = f"""
<table:table table:name="Plazos" table:style-name="ta1">
  <table:table-row>{_cells("Trámite", "Plazo", "Avance")}</table:table-row>
  <table:table-row>{_cells("Apelación", "15 días")}<table:table-cell><text:p>12,5 %</text:p></table:table-cell>
    <table:table-cell table:number-columns-repeated="16000"/></table:table-row>
  <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2">
    <text:p>igual</text:p>
    </table:table-cell></table:table-row>
  <table:table-row table:number-rows-repeated="1048000">
    <table:table-cell table:number-columns-repeated="16384"/></table:table-row>
</table:table>
<table:table table:name="Listas" table:style-name="ta2">
    <table:table-row>{_cells("oculta", "x")}</table:table-row></table:table>
<table:table table:name="Sedes"><table:table-row>{_cells("Sede", "Piso")}</table:table-row></table:table>
"""
    styles = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    document = extract(odf("spreadsheet", body, styles=styles), name="a.ods")
    assert document.pages == 2
    expected = [
        (1, "heading", "Plazos"),
        (1, "table", "Trámite | Plazo | Avance\nApelación | 15 días | 12,5 %\nigual | igual\nigual | igual"),
        (2, "heading", "Sedes"),
        (2, "table", "Sede | Piso"),
    ]
    for _ in range(2):  # the blocks may be read again
        assert [(block.page, block.kind.value, block.text) for block in document.blocks] == expected


@pytest.mark.parametrize("level", ["", "x", "²", "-1", "9" * 5_000])
def test_a_heading_of_no_level_is_a_heading(level: str) -> None:
    body = f'<text:h text:outline-level="{level}">Cuota</text:h><text:p>Es de S/ 20.</text:p>'
    assert _outline(extract(odf("text", body), name="a.odt"))[0] == ("heading", "Cuota")


def test_odp_slides() -> None:
    body = """
<draw:page draw:name="page1">
  <draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>Agacharse</text:p>
    </text:list-item>
    <text:list-item><text:p>Cubrirse</text:p></text:list-item></text:list></draw:text-box></draw:frame>
  <draw:frame presentation:class="title"><draw:text-box><text:p>Qué hacer en un sismo</text:p></draw:text-box>
    </draw:frame>
  <draw:frame presentation:class="page-number"><draw:text-box><text:p>1</text:p></draw:text-box></draw:frame>
  <draw:g><draw:custom-shape><text:p>Punto de reunión: patio</text:p></draw:custom-shape></draw:g>
  <presentation:notes><draw:page-thumbnail/><draw:frame presentation:class="notes"><draw:text-box>
    <text:p>Mostrar el plano.</text:p>
    </draw:text-box></draw:frame></presentation:notes>
</draw:page>
<draw:page draw:name="page2"/>
"""
    document = extract(odf("presentation", body), name="a.odp")
    assert (document.pages, document.empty_pages) == (2, (2,))
    assert [(block.page, block.kind.value, block.text) for block in document.blocks] == [
        (1, "heading", "Qué hacer en un sismo"),
        (1, "list_item", "Agacharse"),
        (1, "list_item", "Cubrirse"),
        (1, "text", "Punto de reunión: patio"),
        (1, "text", "Notas: Mostrar el plano."),
    ]
