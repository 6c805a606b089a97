"""How to install the programs of others that read what Legajo does not by itself."""

from __future__ import annotations

__all__ = ["INSTALL_HEIC", "INSTALL_OFFICE", "INSTALL_TESSERACT"]


INSTALL_TESSERACT = "apt install tesseract-ocr tesseract-ocr-spa"
INSTALL_OFFICE = (
    "apt install --no-install-recommends libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui"
)
INSTALL_HEIC = "scripts/setup --with heic"
