"""Reading in the child process what a test has in memory."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.extraction import ExtractionProcess


class Reading(ExtractionProcess):
    """Reads bytes too, as a file: what is read of it is kept elsewhere."""

    def extract(self, source: Path | bytes, **how: Any) -> ExtractedDocument:
        if isinstance(source, Path):
            return super().extract(source, **how)
        with TemporaryDirectory() as folder:
            file = Path(folder, "documento")
            file.write_bytes(source)
            return super().extract(file, **how)
