"""What LibreOffice alone understands: the office formats of the nineties and of 2003; RTF also in its words alone."""

from __future__ import annotations

from rag_system.errors import UnsupportedFormatError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.installing import INSTALL_OFFICE
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.txt import decode, text_blocks

__all__ = ["OldFormatError", "load_rtf"]

_NAMES = {
    "doc": "documento de Word",
    "xls": "hoja de Excel",
    "xlsb": "hoja binaria de Excel",
    "ppt": "presentación de PowerPoint",
    "rtf": "documento RTF",
}


class OldFormatError(UnsupportedFormatError):
    """A file of `kind` («doc») that is to be read as the `target` («docx») that LibreOffice makes of it."""

    def __init__(self, kind: str, target: str) -> None:
        super().__init__(
            f"Es un formato antiguo ({_NAMES[kind]}) que se lee con LibreOffice, y falta. Instálelo: {INSTALL_OFFICE}. "
            f"O ábralo con su programa y guárdelo como {target.upper()}."
        )
        self.kind = kind
        self.target = target


def load_rtf(source: FileSource) -> ExtractedDocument:
    """The words, where there is no LibreOffice: hidden ones too, and tables a row a line."""
    from striprtf.striprtf import rtf_to_text

    if source.office:
        raise OldFormatError("rtf", "docx")
    text: str = rtf_to_text(decode(source.read()), errors="ignore")  # type: ignore[no-untyped-call]
    return ExtractedDocument(format="rtf", blocks=text_blocks(text.replace("\n", "\n\n")), pages=None)
