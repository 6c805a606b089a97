"""Builds the sample documents of the other offices: PPTX, XLSX, ODT and EPUB. Their content stands here, in Spanish.

The CSV sample is written by hand. The parts of every file carry one fixed time, so that a rebuild changes little.

Usage: python scripts/build_office_documents.py [OUTPUT_DIR]      (default: data/documents)
"""

from __future__ import annotations

import argparse
import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from xml.sax.saxutils import escape

import openpyxl
import pptx
from openpyxl.styles import Font

__all__ = ["build", "main"]

DOCUMENTS = Path(__file__).resolve().parent.parent / "data" / "documents"
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a ZIP can say
WRITTEN = datetime(2026, 2, 2, 9, 0)
SAMPLE = "Documento de muestra: la entidad y sus datos son inventados."

SLIDES: Sequence[tuple[str, str, str]] = (  # title, body, notes
    (
        "Por qué evacuar ordenadamente",
        "Casi todos los golpes ocurren en la escalera, por correr\nEl ascensor queda fuera de uso al evacuar",
        "Pedir que cada persona señale la salida más cercana a su escritorio.",
    ),
    (
        "Brigadas de emergencia",
        "Evacuación: chaleco verde\nPrimeros auxilios: chaleco blanco\nLucha contra incendios: chaleco rojo",
        "Presentar por su nombre a los brigadistas del piso.",
    ),
    (
        "El bolso de emergencia",
        "Agua para tres días, linterna, radio a pilas y silbato\nSe revisa cada seis meses",
        "Mostrar el bolso de la recepción.",
    ),
)
COURSES: Sequence[tuple[object, ...]] = (
    ("Tecnologías", "Respuesta a incidentes", date(2026, 3, 9), 12, 0.5, 3600),
    (None, "Cableado estructurado", date(2026, 5, 18), 20, 0, 5200),
    ("Archivo", "Conservación de documentos", date(2026, 4, 13), 16, 0.25, 2850.5),
    ("Recaudación", "Atención de contribuyentes", date(2026, 6, 1), 8, 0, 1900),
)
VEHICLES: Sequence[tuple[str, str]] = (
    ("h", "Finalidad"),
    ("p", "Ordenar el uso de los vehículos institucionales y de su combustible."),
    ("h", "Quién puede conducir"),
    ("p", "Solo conduce quien figura en el registro de conductores y tiene licencia A-IIb vigente."),
    ("p", "El registro lo lleva la Oficina de Logística y se actualiza en enero y en julio."),
    ("h", "Combustible"),
    ("p", "Cada vehículo tiene un tope de 35 galones al mes; el exceso lo autoriza la Gerencia Municipal."),
    ("h", "Bitácora"),
    ("p", "Al volver se anotan el kilometraje, la ruta y toda avería. La bitácora se entrega los viernes."),
)
CHAPTERS: Sequence[tuple[str, Sequence[str]]] = (
    (
        "El archivo de gestión",
        ("Es el archivo de cada oficina: guarda lo que está en trámite y lo que se consulta a menudo.",),
    ),
    (
        "Cómo rotular una caja",
        (
            "El rótulo lleva la serie, los años extremos y el número de la caja.",
            "Se escribe con lápiz 2B, que no mancha el papel ni se borra con la humedad.",
        ),
    ),
    (
        "Cuándo se transfiere",
        ("Los expedientes concluidos pasan al archivo central a los dos años, con su inventario por duplicado.",),
    ),
)


def presentation() -> bytes:
    """How to leave the building."""
    deck = pptx.Presentation()
    cover = deck.slides.add_slide(deck.slide_layouts[0])
    cover.shapes.title.text = "Inducción: evacuación del palacio municipal"
    cover.placeholders[1].text = f"Municipalidad de San Jacinto. {SAMPLE}"
    for title, body, notes in SLIDES:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = body
        slide.notes_slide.notes_text_frame.text = notes
    deck.core_properties.title = "Inducción: evacuación del palacio municipal"
    deck.core_properties.created = deck.core_properties.modified = WRITTEN
    return _saved(deck.save)


def workbook() -> bytes:
    """The courses of a year."""
    book = openpyxl.Workbook()
    book.properties.title = "Plan de capacitación 2026 de la Municipalidad de San Jacinto"
    book.properties.created = book.properties.modified = WRITTEN
    sheet = book.active
    sheet.title = "Cursos"
    sheet.append(["Plan de capacitación 2026"])
    sheet.append([SAMPLE])
    sheet.append([])
    sheet.append(["Área", "Curso", "Inicio", "Horas", "Avance", "Presupuesto"])
    for cell in sheet[4]:
        cell.font = Font(bold=True)
    for number, row in enumerate(COURSES, 5):
        sheet.append(row)
        for column, code in ((3, "dd/mm/yyyy"), (5, "0%"), (6, '"S/" #,##0.00')):
            sheet.cell(number, column).number_format = code
    sheet.merge_cells("A5:A6")
    return _saved(book.save)


def directive() -> bytes:
    """A text of LibreOffice, as small as one can be."""
    tags = {"h": '<text:h text:outline-level="1">{}</text:h>', "p": "<text:p>{}</text:p>"}
    title = "Directiva de uso de vehículos institucionales"
    body = "".join(tags[kind].format(escape(text)) for kind, text in (("p", SAMPLE), *VEHICLES))
    spaces = " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"' for prefix in ("office", "text", "meta")
    )
    return _package(
        "application/vnd.oasis.opendocument.text",
        {
            "content.xml": f'<office:document-content {spaces} office:version="1.3"><office:body><office:text>{body}'
            "</office:text></office:body></office:document-content>",
            "meta.xml": f'<office:document-meta {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/" '
            f'office:version="1.3"><office:meta><dc:title>{title}</dc:title></office:meta></office:document-meta>',
            "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
            'm:version="1.3"><m:file-entry m:full-path="/" m:media-type="application/vnd.oasis.opendocument.text"/>'
            '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/>'
            '<m:file-entry m:full-path="meta.xml" m:media-type="text/xml"/></m:manifest>',
        },
    )


def book() -> bytes:
    """A small book of EPUB 3."""
    numbers = range(1, len(CHAPTERS) + 1)
    chapters = {
        f"{number}.xhtml": _page(title, "".join(f"<p>{escape(text)}</p>" for text in texts))
        for number, (title, texts) in zip(numbers, CHAPTERS, strict=True)
    }
    links = "".join(f'<li><a href="{n}.xhtml">{escape(title)}</a></li>' for n, (title, _) in enumerate(CHAPTERS, 1))
    items = "".join(f'<item id="c{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in numbers)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">cartilla-del-archivo</dc:identifier>'
        "<dc:title>Cartilla del archivo de gestión</dc:title><dc:language>es</dc:language>"
        '<meta property="dcterms:modified">2026-02-02T09:00:00Z</meta></metadata><manifest>'
        f'<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>'
        f"<spine>{spine}</spine></package>"
    )
    navigation = f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>{links}</ol></nav>'
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        '<rootfile full-path="libro.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    members = {"META-INF/container.xml": container, "libro.opf": package, "nav.xhtml": _page("Contenido", navigation)}
    return _package("application/epub+zip", {**members, **chapters})


def _page(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" lang="es">'
        f"<head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1>{body}</body></html>"
    )


def _package(kind: str, members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(zipfile.ZipInfo("mimetype", ZIP_TIME), kind)  # first, and stored as it is
        for name, text in members.items():
            package.writestr(zipfile.ZipInfo(name, ZIP_TIME), text, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    """The file that a library writes, its parts with one fixed time."""
    written, fixed = io.BytesIO(), io.BytesIO()
    save(written)
    with zipfile.ZipFile(written) as before, zipfile.ZipFile(fixed, "w") as after:
        for name in before.namelist():
            after.writestr(zipfile.ZipInfo(name, ZIP_TIME), before.read(name), zipfile.ZIP_DEFLATED)
    return fixed.getvalue()


BUILDERS: dict[str, Callable[[], bytes]] = {
    "interno/induccion-evacuacion.pptx": presentation,
    "interno/plan-de-capacitacion-2026.xlsx": workbook,
    "interno/directiva-uso-de-vehiculos.odt": directive,
    "ayuda/cartilla-del-archivo.epub": book,
}


def build(output: Path = DOCUMENTS) -> list[Path]:
    """Writes the documents below `output` and returns their paths, relative to it."""
    for name, builder in BUILDERS.items():
        target = output / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(builder())
    return [Path(name) for name in BUILDERS]


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the PPTX, XLSX, ODT and EPUB sample documents.")
    parser.add_argument("output", nargs="?", type=Path, default=DOCUMENTS, help="folder to write below")
    for path in build(parser.parse_args().output):
        print(path)


if __name__ == "__main__":
    main()
