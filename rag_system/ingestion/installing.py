"""How to install, on this system, the programs of others that read what Legajo does not by itself."""

from __future__ import annotations

import sys

__all__ = ["INSTALL_HEIC", "INSTALL_OFFICE", "INSTALL_TESSERACT"]


def _here(*, debian: str, macos: str, windows: str) -> str:
    return {"darwin": macos, "win32": windows}.get(sys.platform, debian)


INSTALL_TESSERACT = _here(
    debian="apt install tesseract-ocr tesseract-ocr-spa",
    macos="brew install tesseract tesseract-lang",
    windows="winget install UB-Mannheim.TesseractOCR",
)
INSTALL_OFFICE = _here(
    debian="apt install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui "
    "libreoffice-impress-nogui",
    macos="brew install --cask libreoffice",
    windows="winget install TheDocumentFoundation.LibreOffice",
)
INSTALL_HEIC = "scripts/setup --with heic"
