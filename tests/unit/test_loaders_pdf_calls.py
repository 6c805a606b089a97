"""How pdfium's functions are declared to ctypes."""

from __future__ import annotations

import pypdfium2.raw
import pytest

from rag_system.ingestion.loaders.calls import Handle, pdfium


@pytest.mark.parametrize(
    "name",
    [
        "FPDFPageObj_GetBounds",
        "FPDFPageObj_GetFillColor",
        "FPDFText_GetCharBox",
        "FPDFPageObj_GetMark",
        "FPDF_PageToDevice",
    ],
)
def test_all_arguments_are_declared_or_none(name: str) -> None:
    """Some: ctypes takes the function for a variadic one, and Apple's processors pass the others on the stack."""
    declared = getattr(pdfium, name).argtypes or ()
    assert len(declared) in (0, len(getattr(pypdfium2.raw, name).argtypes))


def test_a_null_pointer_is_a_false_handle() -> None:
    found = pdfium.FPDFPageObj_GetMark(Handle(), 0)
    assert isinstance(found, Handle)
    assert not found
