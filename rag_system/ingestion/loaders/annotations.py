"""What people wrote on a PDF's page: values of form fields, text boxes and notes.

Asks pdfium. Fields and boxes are drawn into the page, so that they are read where they stand; notes are given apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.loaders.page import PageLine
from rag_system.ingestion.text import clean_line

__all__ = ["Written", "draw_fields", "in_rows", "written_on"]

_MAX_ANNOTATIONS = 2_000  # of a page
_MAX_STRING_BYTES = 64 * 1024
_SAME_ROW = 0.5  # of the size of the type


@dataclass(frozen=True, slots=True)
class Written:
    """What stands on a page besides its content."""

    fields: bool = False  # fields or boxes with text, which `draw_fields` puts into the content
    notes: tuple[str, ...] = ()


def written_on(page: Any) -> Written:
    """Look at a page's annotations; a signature's field has a value, but no text of a person."""
    at = page.raw
    fields, notes = False, []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(at), _MAX_ANNOTATIONS)):
        if not (annotation := pdfium.FPDFPage_GetAnnot(at, index)):
            continue
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_TEXT and (note := clean_line(_string(annotation, b"Contents"))):
            notes.append(note)
        fields = fields or kind == pdfium.FPDF_ANNOT_FREETEXT
        fields = fields or (kind == pdfium.FPDF_ANNOT_WIDGET and bool(_string(annotation, b"V").strip()))
        pdfium.FPDFPage_CloseAnnot(annotation)
    return Written(fields, tuple(notes))


def draw_fields(page: Any) -> None:
    """Make fields and boxes part of the page's content, in memory; open the page again to read them."""
    pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY)


def in_rows(lines: Sequence[PageLine]) -> list[PageLine]:
    """A form's lines from top to bottom, the value of a field beside its label."""
    rows: list[PageLine] = []
    for line in sorted(lines, key=lambda line: (-line.bottom, line.left)):
        above = rows[-1] if rows else None
        if above and BlockKind.TABLE not in (above.kind, line.kind) and _same_row(above, line):
            first, second = sorted((above, line), key=lambda part: part.left)
            rows[-1] = above._replace(text=f"{first.text} {second.text}", left=first.left, right=second.right, words=())
        else:
            rows.append(line)
    return rows


def _same_row(above: PageLine, line: PageLine) -> bool:
    apart = line.left >= above.right or above.left >= line.right
    return apart and above.bottom - line.bottom < _SAME_ROW * max(above.size, line.size)


def _string(annotation: Any, key: bytes) -> str:
    """A string of an annotation; empty for one that is absent or of another kind."""
    if pdfium.FPDFAnnot_GetValueType(annotation, key) != pdfium.FPDF_OBJECT_STRING:
        return ""
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)  # in bytes, with the final zero
    if not 2 < size <= _MAX_STRING_BYTES:
        return ""
    buffer = (pdfium.FPDF_WCHAR * (size // 2))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace")
