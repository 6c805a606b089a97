"""What a PDF shows and how it is read: tables, columns, running lines, forms. The files are made here."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders import extract

_PROSE = (
    "La entidad publica cada año el registro de sanciones, con el número de expediente, la fecha de la resolución "
    "y el monto de la multa, para que toda persona pueda consultarlo sin expresar la causa de su pedido."
)
_FINES = [
    ["Infracción", "Gravedad", "Multa"],
    ["No exhibir los libros y registros que la administración solicite", "Grave", "0,6 % de los IN"],
    ["Presentar declaraciones incompletas", "Leve", "50 % de la UIT"],
    ["No conservar la documentación durante el plazo de prescripción", "Muy grave", "1 UIT"],
]
_GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


def _drawn(draw: Callable[[Canvas], None]) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def _flowing(*parts: Flowable) -> bytes:
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, invariant=True).build(list(parts))
    return buffer.getvalue()


def _paragraph(text: str) -> Paragraph:
    return Paragraph(text, getSampleStyleSheet()["BodyText"])


def _table(rows: Sequence[Sequence[str]], style: Sequence[tuple[object, ...]], widths: Sequence[float]) -> Table:
    cells = [[_paragraph(text) for text in row] for row in rows]
    return Table(cells, colWidths=list(widths), style=list(style))


def _read(data: bytes) -> ExtractedDocument:
    return extract(data, name="a.pdf")


def _texts(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [block.text for block in document.blocks if block.kind is kind]


# ---------------------------------------------------------------- tables with lines


@pytest.mark.parametrize(
    "style",
    [
        _GRID,
        [("BOX", (0, 0), (-1, -1), 1, colors.black), ("INNERGRID", (0, 0), (-1, -1), 0.25, colors.grey)],
        [("LINEBELOW", (0, 0), (-1, -1), 0.5, colors.black), ("LINEBEFORE", (1, 0), (-1, -1), 0.5, colors.black)],
    ],
)
def test_the_rows_of_a_ruled_table_are_read_across(style: Sequence[tuple[object, ...]]) -> None:
    document = _read(_flowing(_paragraph(_PROSE), _table(_FINES, style, [230, 80, 110]), _paragraph(_PROSE)))
    assert [block.kind for block in document.blocks] == [BlockKind.TEXT, BlockKind.TABLE, BlockKind.TEXT]
    assert _texts(document, BlockKind.TABLE) == ["\n".join(" | ".join(row) for row in _FINES)]


def test_a_cell_over_several_rows_is_said_in_each_and_one_over_several_columns_once() -> None:
    rows = [["Tasas por trámite", "", ""], ["Lima", "Copia", "S/ 0,10"], ["", "Plano", "S/ 12,00"]]
    style = [*_GRID, ("SPAN", (0, 0), (2, 0)), ("SPAN", (0, 1), (0, 2))]
    document = _read(_flowing(_table(rows, style, [150, 150, 100]), Spacer(1, 20), _paragraph(_PROSE)))
    assert _texts(document, BlockKind.TABLE) == ["Tasas por trámite\nLima | Copia | S/ 0,10\nLima | Plano | S/ 12,00"]


def test_a_box_around_text_is_no_table() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(50, 400, 495, 400)
        canvas.line(50, 780, 545, 780)
        canvas.setFont("Helvetica", 10)
        for index, words in enumerate(["TEXTO ANTERIOR", *["El plazo vence a los quince días hábiles."] * 20]):
            canvas.drawString(60, 785 - 14 * index, words)

    assert not _texts(_read(_drawn(draw)), BlockKind.TABLE)


# ---------------------------------------------------------------- columns

_LEFT = (
    "La autoridad resuelve el pedido en",
    "diez días hábiles contados desde que",
    "lo recibe, y notifica su decisión al",
    "domicilio que el solicitante señaló",
    "en el escrito con que lo presentó,",
    "sin que corra plazo alguno mientras",
    "no se le notifique de manera válida.",
    "Vencido el término, puede apelar.",
)
_RIGHT = (
    "El recurso se presenta ante la mesa",
    "de partes, con copia del documento",
    "que se impugna y la firma de quien",
    "lo interpone o de su representante.",
    "La sala fija fecha para la vista de",
    "la causa dentro de los treinta días",
    "siguientes y cita a ambas partes con",
    "cinco días de anticipación al menos.",
)


def _two_columns() -> bytes:
    """Two columns below a heading, written one after the other."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 780, "Recursos contra las decisiones de la autoridad")
        canvas.setFont("Helvetica", 10)
        width = max(canvas.stringWidth(text) for text in _LEFT) + 16
        for column, lines in enumerate((_LEFT, _RIGHT)):
            for row, text in enumerate(lines):
                canvas.drawString(60 + width * column, 740 - 12 * row, text)
        canvas.drawString(
            60, 600, "Este último párrafo vuelve a ocupar el ancho entero de la página, de un margen al otro."
        )

    return _drawn(draw)


def test_columns_are_read_one_after_the_other() -> None:
    text = " ".join(block.text for block in _read(_two_columns()).blocks)
    parts = ["Recursos contra", " ".join(_LEFT), " ".join(_RIGHT), "Este último párrafo"]
    assert [text.find(part) >= 0 for part in parts] == [True] * 4
    assert sorted(parts, key=text.find) == parts


# ---------------------------------------------------------------- forms and notes


def test_the_values_of_a_form_stand_beside_their_labels() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        for index, (label, value) in enumerate([("Solicitante:", "Rosa Quispe"), ("Domicilio:", "Jr. Puno 120, Lima")]):
            canvas.drawString(60, 700 - 40 * index, label)
            canvas.acroForm.textfield(name=label, value=value, x=140, y=695 - 40 * index, width=200, height=20)
        canvas.drawString(60, 560, "El plazo para resolver la solicitud es de diez días hábiles.")

    text = "\n".join(block.text for block in _read(_drawn(draw)).blocks)
    assert "Solicitante: Rosa Quispe" in text
    assert text.index("Domicilio: Jr. Puno 120, Lima") < text.index("El plazo para resolver")


def test_a_note_on_a_page_is_read_after_its_text() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "El contrato vence en marzo.")
        canvas.textAnnotation("Revisar la cláusula tercera.", Rect=[300, 690, 320, 710])

    assert [block.text for block in _read(_drawn(draw)).blocks] == [
        "El contrato vence en marzo.",
        "Revisar la cláusula tercera.",
    ]


# ---------------------------------------------------------------- tables without lines


def _in_columns(rows: Sequence[Sequence[str]], places: Sequence[float]) -> bytes:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(
            60, 780, "Los aranceles se pagan en el banco antes de presentar la solicitud ante la entidad."
        )
        for index, row in enumerate(rows):
            for left, text in zip(places, row, strict=True):
                canvas.drawString(left, 750 - 14 * index, text)
        canvas.drawString(60, 600, "El pago no se devuelve, salvo que la entidad declare que no correspondía cobrarlo.")

    return _drawn(draw)


def test_cells_below_each_other_make_a_table() -> None:
    rows = [
        ["Trámite", "Plazo", "Derecho"],
        ["Licencia de obra", "15 días", "S/ 320,50"],
        ["Certificado", "3 días", "S/ 12,00"],
        ["Duplicado de título", "10 días", "S/ 45,80"],
    ]
    document = _read(_in_columns(rows, [60, 260, 400]))
    assert [block.kind for block in document.blocks] == [BlockKind.TEXT, BlockKind.TABLE, BlockKind.TEXT]
    assert _texts(document, BlockKind.TABLE) == ["\n".join(" | ".join(row) for row in rows)]


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        (  # a law's items
            [
                ["a)", "1.", "Las entidades del Poder Ejecutivo y sus órganos"],
                ["b)", "2.", "El Congreso de la República y sus comisiones"],
                ["c)", "3.", "Los gobiernos regionales y los gobiernos locales"],
            ],
            [60, 90, 120],
        ),
        (  # signatures
            [["Rosa Quispe", "Juan Mamani", "Ana Flores"], ["Presidenta", "Secretario", "Vocal"]],
            [60, 240, 420],
        ),
        (  # contents
            [
                ["1.", "Objeto y alcance . . . . . . . . . . . . . .", "3"],
                ["2.", "Definiciones . . . . . . . . . . . . . . . .", "4"],
                ["3.", "Responsables . . . . . . . . . . . . . . . .", "7"],
            ],
            [60, 90, 400],
        ),
        ([["Fecha:", "12 de marzo"], ["Lugar:", "Arequipa"], ["Hora:", "tres de la tarde"]], [60, 200]),
        (  # three columns of prose
            [
                ["El pedido se resuelve en diez", "días hábiles desde que llega", "a la mesa de partes, donde se"],
                ["anota con su fecha y su hora", "en un registro que cualquiera", "puede consultar sin pagar ni"],
                ["pedir permiso, salvo que haya", "datos personales de terceros", "que la ley manda proteger de"],
                ["miradas ajenas y de los usos", "que nadie autorizó, bajo pena", "de multa y de inhabilitación"],
            ],
            [40, 230, 420],
        ),
    ],
)
def test_what_only_looks_like_a_table_stays_text(rows: Sequence[Sequence[str]], places: Sequence[float]) -> None:
    assert not _texts(_read(_in_columns(rows, places)), BlockKind.TABLE)


def test_the_lines_of_a_figure_are_no_table() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.grid([100, 160, 220, 280], [500, 540, 580, 620])
        for column in range(3):
            for row in range(3):
                canvas.drawString(125 + 60 * column, 515 + 40 * row, "xyz"[column] if row else "1")
        canvas.drawString(60, 700, "La figura muestra los tres ejes y sus puntos de corte con el plano.")

    assert not _texts(_read(_drawn(draw)), BlockKind.TABLE)


# ---------------------------------------------------------------- what is not the text


def test_headers_that_alternate_or_change_with_the_chapter_and_page_numbers_go() -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(1, 13):
            canvas.setFont("Helvetica", 10)
            chapter = "Capítulo I: De los plazos" if number <= 6 else "Capítulo II: De los recursos"
            canvas.drawString(60, 810, "Manual de procedimientos" if number % 2 else chapter)
            for row in range(12):
                canvas.drawString(
                    60, 740 - 14 * row, f"La regla {number}.{row} obliga a todos los órganos de la entidad."
                )
            canvas.drawString(260, 30, f"Página {number} de 12")
            canvas.showPage()

    text = "\n".join(block.text for block in _read(_drawn(draw)).blocks)
    assert "La regla 7.3 obliga" in text
    assert not [words for words in ("Manual de", "De los plazos", "De los recursos", "Página") if words in text]


def _letters(pages: Sequence[Sequence[str]], *, heads: Sequence[str], feet: Sequence[str]) -> bytes:
    """A page for each list of lines, with the same head and foot on all. «{}» is the number of the page."""

    def draw(canvas: Canvas) -> None:
        for number, lines in enumerate(pages, 1):
            canvas.setFont("Helvetica", 10)
            for row, text in enumerate(heads):
                canvas.drawCentredString(300, 810 - 12 * row, text.format(number))
            for row, text in enumerate(lines):
                canvas.drawString(60, 740 - 14 * row, text)
            for row, text in enumerate(feet):
                canvas.drawString(60, 50 - 12 * row, text.format(number))
            canvas.showPage()

    return _drawn(draw)


@pytest.mark.parametrize(
    "last", [["Yo, Ana Rojas, declaro que vivo en Breña."], ["Yo, Luis Vega, declaro que vivo aquí."]]
)
def test_copies_of_a_form_are_both_read(last: Sequence[str]) -> None:
    form = ["DECLARACIÓN JURADA", *last, "Lo firmo en la ciudad de Lima,", "y dejo mi huella al pie."]
    other = [form[0], "Yo, Ana Rojas, declaro que vivo en Breña.", *form[2:]]
    text = "\n".join(block.text for block in _read(_letters([other, form], heads=[], feet=["Firma"])).blocks)
    assert text.count("DECLARACIÓN JURADA") == text.count("Firma") == text.count("huella al pie") == 2


def test_copies_of_a_form_that_differ_in_one_place_are_both_read() -> None:
    names = ("Ana Rojas", "Luis Vega")
    forms = [["CONSTANCIA", "La entidad hace constar que", name, "prestó servicios como asesor,"] for name in names]
    text = "\n".join(
        block.text for block in _read(_letters(forms, heads=["La entidad"], feet=["Lima", "Firma"])).blocks
    )
    assert text.count("CONSTANCIA") == text.count("prestó servicios") == text.count("Firma") == 2


def test_letters_of_other_numbers_keep_them() -> None:
    pages = [[f"Se remite el expediente {word}, a fin de que", "continúe el trámite."] for word in ("uno", "dos")]
    text = "\n".join(block.text for block in _read(_letters(pages, heads=["Oficio N.º {}"], feet=[])).blocks)
    assert "Oficio N.º 1" in text
    assert "Oficio N.º 2" in text


@pytest.mark.parametrize(
    ("word", "figures", "rise", "expected"),
    [
        ("S/ 280", "2", 4, "S/ 280 (2)"),
        ("viáticos", "12", 4, "viáticos (12)"),
        ("vigente.", "3", 4, "vigente. (3)"),
        ("hasta 2024.", "3", 4, "hasta 2024. (3)"),
        ("ítem", "2", 4, "ítem (2)"),
        ("120 m", "2", 4, "120 m²"),
        ("120m", "2", 4, "120m²"),
        ("(m", "2", 4, "(m²"),
        ("800 W/m", "2", 4, "800 W/m²"),
        ("kg/m", "3", 4, "kg/m³"),
        ("5 hm", "2", 4, "5 hm²"),
        ("x", "2", 4, "x²"),
        ("5×10", "12", 4, "5×10^12"),
        ("S/ 210", "6", 4, "S/ 210 (6)"),
        ("10", "-3", 4, "10-3"),
        ("S/ 2.", "50", 4, "S/ 2.50"),
        ("S/ 2,", "50", 4, "S/ 2,50"),
        ("CO", "2", -2, "CO2"),
        ("(", "1", 4, "(1"),
    ],
)
def test_a_call_to_a_note_is_no_part_of_the_figure_before_it(
    word: str, figures: str, rise: float, expected: str
) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    words = canvas.beginText(60, 700)
    words.setFont("Helvetica", 11)
    words.textOut(f"El monto diario es {word}")
    words.setRise(rise)
    words.setFont("Helvetica", 6.5)
    words.textOut(figures)
    words.setRise(0)
    words.setFont("Helvetica", 11)
    words.textOut(" según la escala del anexo.")
    canvas.drawText(words)
    canvas.save()
    (block,) = extract(buffer.getvalue(), name="a.pdf").blocks
    assert block.text == f"El monto diario es {expected} según la escala del anexo."
