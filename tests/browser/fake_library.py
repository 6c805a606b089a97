"""Documents in memory, with the interfaces of `assistant.library.Library` and `assistant.shelf.Shelf`."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from assistant.summaries import DocumentSummary, IngestionSummary
from rag_system.errors import PasswordNeededError, PasswordRefusedError, SameNameError, WebError
from rag_system.ingestion.accepting import SameName
from rag_system.ingestion.report import Accepted, IngestReport, failed
from rag_system.ingestion.unpacking import numbered
from rag_system.types import Chunk
from tests.browser.fake_queue import FakeQueue

__all__ = ["FakeLibrary", "FakeShelf"]

_ISO = Chunk(
    chunk_id=1,
    document_id="d1",
    path="guias/guia_iso_27001.pdf",
    title="Guía de seguridad de la información (ISO/IEC 27001:2022)",
    heading_path=("Capítulo 3. Controles", "3.2 Control de acceso"),
    page_first=7,
    page_last=7,
    text="3.2 Control de acceso\nEl acceso a los sistemas se concede según la necesidad de cada puesto. "
    "Los permisos se revisan cada seis meses y se retiran el mismo día en que una persona deja la organización. "
    "Las cuentas compartidas no se permiten, salvo autorización escrita del responsable de seguridad.",
)
_AUDIT = replace(
    _ISO,
    chunk_id=2,
    heading_path=("Capítulo 5. Auditoría",),
    page_first=15,
    page_last=15,
    text="Capítulo 5. Auditoría\nLa auditoría interna se realiza al menos una vez al año. "
    "Sus hallazgos se comunican a la dirección en un plazo de quince días.",
)
_TELEWORK = Chunk(
    chunk_id=3,
    document_id="d2",
    path="manuales/teletrabajo.md",
    title="Manual de teletrabajo",
    heading_path=("Equipos",),
    page_first=None,
    page_last=None,
    text="Equipos\nLa organización entrega a cada persona en teletrabajo un equipo con disco cifrado. "
    "El equipo se devuelve dentro de los cinco días siguientes al fin del contrato.",
)


class FakeLibrary:
    """Three small documents, and what is added to them."""

    def __init__(self, *, empty: bool = False) -> None:
        self.chunks = {} if empty else {chunk.chunk_id: chunk for chunk in (_ISO, _AUDIT, _TELEWORK)}
        self.removed: dict[int, Chunk] = {}  # last
        self.queue = FakeQueue(self._publish)
        self.asked = threading.Event()  # a question came since a slow page was asked for
        self._known: dict[str, dict[str, Any]] = {}  # of documents, by their id
        self._origins: dict[str, str] = {}  # of pages of the web, by their name

    def all(self) -> list[DocumentSummary]:
        groups: dict[str, list[Chunk]] = {}
        for chunk in self.chunks.values():
            groups.setdefault(chunk.document_id, []).append(chunk)
        return [replace(_summary(chunks), **self._known.get(key, {})) for key, chunks in groups.items()]

    def count(self) -> int:
        return len(self.all())

    def accept_stream(
        self,
        name: str,
        stream: IO[bytes],
        *,
        same_name: SameName = "ask",
        password: str = "",
        in_folders: bool = False,  # noqa: ARG002
    ) -> list[Accepted]:
        data = stream.read()
        known = [chunk.text for chunk in self.chunks.values() if chunk.path == name]
        if _text(data) in known:
            return _told(IngestReport(path=name, status="unchanged"))
        if known and same_name == "ask":
            return _told(failed(name, SameNameError(path=name)))
        if "cifrado" in name and password != "secreta":
            return _told(failed(name, PasswordRefusedError() if password else PasswordNeededError()))
        name = numbered(name, 2) if known and same_name == "keep" else name
        return [Accepted(path=name, ingestion_id=self.queue.accept(name, data))]

    def _publish(self, name: str, data: bytes) -> IngestReport:
        text = _text(data)
        if not text:
            return IngestReport(path=name, status="empty")
        number = max(self.chunks, default=0) + 1
        twin = next((chunk.path for chunk in self.chunks.values() if chunk.text == text), "")
        scanned = {"empty_pages": (3, 5, 6, 7), "ocr_pages": (2,)} if "escane" in name else {}
        known: dict[str, Any] = {"copy_of": twin, **scanned}
        title = Path(name).stem.replace("_", " ").capitalize()
        self.chunks[number] = replace(
            _TELEWORK, chunk_id=number, document_id=f"d{number}", path=name, title=title, heading_path=(), text=text
        )
        self._known[f"d{number}"] = {"origin": self._origins.get(name, ""), **known}
        return IngestReport(path=name, status="indexed", chunks=1, document_id=f"d{number}", **known)

    def accept_url(self, url: str) -> list[Accepted]:
        if not url.startswith("https://"):
            return _told(failed(url, WebError("La dirección no es de la web. Escríbala con https://.")))
        if "despacio" in url:
            self.asked.clear()
            self.asked.wait(60)
        name = f"{url.rsplit('/', 1)[-1]}.html"
        self._origins[name] = url
        return [Accepted(path=name, ingestion_id=self.queue.accept(name, b"El horario es de ocho a cinco."))]

    def ingestions(self) -> list[IngestionSummary]:
        return self.queue.look()

    def ingestion(self, ingestion_id: str) -> IngestReport | None:
        return self.queue.report(ingestion_id)

    def cancel(self, ingestion_id: str) -> bool:
        return self.queue.cancel(ingestion_id)

    def retry(self, ingestion_id: str) -> bool:
        return self.queue.retry(ingestion_id)

    def worker_is_alive(self) -> bool:
        return self.queue.is_attended()

    def remove(self, document_id: str) -> bool:
        before, kept = self.chunks, {k: chunk for k, chunk in self.chunks.items() if chunk.document_id != document_id}
        self.chunks, self.removed = kept, {k: c for k, c in before.items() if k not in kept}
        return len(kept) < len(before)


class FakeShelf:
    """What was removed last comes back at once."""

    def __init__(self, library: FakeLibrary) -> None:
        self._library = library

    def rename(self, document_id: str, title: str) -> None:
        chunks = self._library.chunks
        renamed = {k: replace(c, title=title) for k, c in chunks.items() if c.document_id == document_id}
        self._library.chunks = {**chunks, **renamed}

    def reread(self, document_id: str) -> str:
        (path,) = {c.path for c in self._library.chunks.values() if c.document_id == document_id}
        return self._library.queue.accept(path.rsplit("/", 1)[-1], b"")

    def restore(self, path: str) -> int:
        self._library.chunks |= {k: c for k, c in self._library.removed.items() if c.path == path}
        return 1


def _told(report: IngestReport) -> list[Accepted]:
    return [Accepted(path=report.path, report=report)]


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace").strip()


def _summary(chunks: list[Chunk]) -> DocumentSummary:
    first = chunks[0]
    return DocumentSummary(
        document_id=first.document_id,
        path=first.path,
        title=first.title,
        category="",
        size_bytes=0,
        status="indexed",
        error="",
        identifiers=("iso:27001@2022",) if "iso" in first.path else (),
        language="es",
        updated_at=datetime(2026, 11, 2, tzinfo=UTC),
        format=first.file_name.rsplit(".", 1)[-1],
        pages=24 if first.page_first else None,
        chunks=len(chunks),
    )
