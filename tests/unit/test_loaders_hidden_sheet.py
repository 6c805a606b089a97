"""Cells of a workbook that a reader does not see are left out, and noted; white on a colour stays."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.colors import Color
from openpyxl.worksheet.table import Table

from tests.hidden import SEEN, UNSEEN, read, text_of


def _workbook(font: Font, *, fill: PatternFill | None = None, table: bool = False, rule: bool = False) -> bytes:
    workbook = openpyxl.Workbook()
    sheet: Any = workbook.active
    sheet["A1"], sheet["B1"], sheet["A2"], sheet["B2"] = "Trámite", "Plazo", SEEN, UNSEEN
    sheet["B2"].font = font
    if fill is not None:
        sheet["B2"].fill = fill
    if table:
        sheet.add_table(Table(displayName="Plazos", ref="A1:B2"))
    if rule:
        sheet.conditional_formatting.add("B2", CellIsRule(operator="notEqual", formula=["0"], fill=fill))
    buffer = io.BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("colour", ["FFFFFFFF", "00FDFDFD", Color(theme=0), Color(indexed=9)])
def test_white_in_a_cell_without_a_colour_is_left_out(colour: Any) -> None:
    document = read(_workbook(Font(color=colour)), "a.xlsx")
    text = text_of(document)
    assert SEEN in text
    assert UNSEEN not in text
    assert tuple(document.hidden_pages) == (0,)


@pytest.mark.parametrize(
    "data",
    [
        _workbook(Font(color="FFFFFFFF"), fill=PatternFill("solid", fgColor="FF203040")),
        _workbook(Font(color="FFFFFFFF"), table=True),
        _workbook(Font(color="FFFFFFFF"), rule=True),
        _workbook(Font(color=Color(theme=1))),
        _workbook(Font(color="FFC00000")),
        _workbook(Font(color=Color(auto=True))),
        _workbook(Font(color=Color(indexed=64))),
    ],
    ids=["filled", "table", "rule", "black", "red", "auto", "system"],
)
def test_what_is_seen_in_a_cell_stays(data: bytes) -> None:
    document = read(data, "a.xlsx")
    assert UNSEEN in text_of(document)
    assert not document.hidden_pages
