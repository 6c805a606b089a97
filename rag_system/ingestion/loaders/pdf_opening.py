"""A PDF opened with pdfium, and why it refuses one."""

from __future__ import annotations

from typing import IO, Any

__all__ = ["UNKNOWN_LOCK", "WRONG_PASSWORD", "open_pdf", "refusal"]

WRONG_PASSWORD, UNKNOWN_LOCK = 4, 5  # FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY


def open_pdf(file: IO[bytes], *, password: str = "", autoclose: bool = False) -> Any:
    """The document, with one page at least; raises `PdfiumError`, whose cause `refusal` tells. `autoclose`: with its
    file, also where it is refused.
    """
    import pypdfium2
    from pypdfium2 import raw

    raw.FPDF_LoadMemDocument(b"", 0, None)  # what a file without pages is refused for is else what the one before was
    try:
        return pypdfium2.PdfDocument(file, password=password or None, autoclose=autoclose)
    except pypdfium2.PdfiumError:
        if autoclose:
            file.close()
        raise


def refusal(error: Exception) -> int:
    """pdfium's code for why it refused a document; 0 where it has none."""
    return int(getattr(error, "err_code", 0) or 0)
