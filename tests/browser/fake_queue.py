"""A queue of files in memory, worked on a step at each look: no thread, no clock.

Some names ask for a behaviour: «lento» never gets past the middle, «abandonado» is one that no worker attends to, and a
PDF that is none fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.summaries import IngestionSummary
from rag_system.ingestion.report import IngestReport

__all__ = ["FakeQueue"]

_STEPS = ("read", "chunk", "embed", "publish")
_CHUNKS, _SLOW_CHUNKS = 12, 400
_DAMAGED = "El archivo está dañado. Ábralo y guárdelo de nuevo."


class FakeQueue:
    """`publish` makes a document of a file's name and bytes."""

    def __init__(self, publish: Callable[[str, bytes], IngestReport]) -> None:
        self._publish = publish
        self._files: dict[str, tuple[IngestionSummary, bytes]] = {}
        self._reports: dict[str, IngestReport] = {}

    def accept(self, name: str, data: bytes) -> str:
        ingestion_id = f"i{len(self._files) + len(self._reports) + 1}"
        file = IngestionSummary(
            ingestion_id=ingestion_id,
            path=f"cargados/{name}",
            status="queued",
            stage="",
            done=0,
            total=0,
            size_bytes=len(data),
            error="",
            remaining_s=None,
        )
        self._files[ingestion_id] = (file, data)
        return ingestion_id

    def look(self) -> list[IngestionSummary]:
        for ingestion_id, (file, data) in list(self._files.items()):
            if file.status != "failed" and "abandonado" not in file.path:
                self._advance(ingestion_id, file, data)
        return [file for file, _ in self._files.values()]

    def _advance(self, ingestion_id: str, file: IngestionSummary, data: bytes) -> None:
        if file.stage == "publish":
            del self._files[ingestion_id]
            self._reports[ingestion_id] = self._publish(file.path.rsplit("/", 1)[-1], data)
        else:
            self._files[ingestion_id] = (_next(file, data), data)

    def report(self, ingestion_id: str) -> IngestReport | None:
        file, _ = self._files.get(ingestion_id, (None, b""))
        if file is not None and file.status == "failed":
            return IngestReport(path=file.path, status="failed", error=file.error)
        return self._reports.get(ingestion_id)

    def cancel(self, ingestion_id: str) -> bool:
        return self._files.pop(ingestion_id, None) is not None

    def retry(self, ingestion_id: str) -> bool:
        file, data = self._files[ingestion_id]
        self._files[ingestion_id] = (replace(file, status="queued", stage="", error=""), data)
        return file.status == "failed"

    def is_attended(self) -> bool:
        return not any("abandonado" in file.path for file, _ in self._files.values())


def _next(file: IngestionSummary, data: bytes) -> IngestionSummary:
    stage = _STEPS[_STEPS.index(file.stage) + 1 if file.stage else 0]
    if stage == "chunk" and file.path.endswith(".pdf") and not data.startswith(b"%PDF"):
        return replace(file, status="failed", stage="", error=_DAMAGED)
    if "lento" in file.path and stage in ("embed", "publish"):
        return replace(file, stage="embed", done=128, total=_SLOW_CHUNKS, remaining_s=95.0)
    done = {"embed": _CHUNKS // 2, "publish": _CHUNKS}.get(stage, 0)
    return replace(file, status="working", stage=stage, done=done, total=_CHUNKS if done else 0, remaining_s=4.0)
