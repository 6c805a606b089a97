"""Answerers around an answerer: what it writes is kept, what is kept is not asked again, what broke off is told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from rag_system.errors import LegajoError, ProviderError
from rag_system.generation.abstention import is_abstention
from rag_system.generation.markers import renumbered
from rag_system.generation.prompt import build_messages
from rag_system.generation.protocol import Answerer, Around
from rag_system.storage.connection import Database
from rag_system.storage.task_results import keep_result, known_results, recall_result
from rag_system.types import AnswerRequest

__all__ = ["BrokenOff", "InTurn", "Keeping", "Kept"]

RECALLED = "Ya se había escrito con los mismos documentos y el mismo modelo: se muestra de nuevo."


class Kept:
    """What a model wrote of the documents of a project. Nothing is kept of a model whose name is not known."""

    def __init__(self, database: Database, project: str, *, prompt_tokens: int) -> None:
        self._database = database
        self._project = project
        self._prompt_tokens = prompt_tokens

    def key(self, request: AnswerRequest, answerer: Answerer) -> str:
        """A hash of all that is asked, and of whom; empty where that is not known."""
        if not answerer.model:
            return ""
        asked = build_messages(request, max_tokens=self._prompt_tokens, code="0")
        told = json.dumps([answerer.provider, answerer.model, asked], ensure_ascii=False)
        return hashlib.sha256(told.encode()).hexdigest()

    def recall(self, key: str) -> str | None:
        if not key:
            return None
        with self._database.connection() as connection:
            return recall_result(connection, self._project, key)

    def known(self, keys: Sequence[str]) -> set[str]:
        with self._database.connection() as connection:
            return known_results(connection, self._project, [key for key in keys if key])

    def keep(self, key: str, text: str, request: AnswerRequest) -> None:
        """What cannot be kept is written all the same."""
        documents = sorted({each.chunk.document_id for each in request.evidence})
        if key and text.strip() and not is_abstention(text):
            with suppress(LegajoError), self._database.connection() as connection:
                keep_result(connection, self._project, key, text, documents=documents)


class Keeping(Around):
    """Asks for nothing that is kept, and keeps what it asks for. `anew`: what is read last is written again."""

    def __init__(self, answerer: Answerer, kept: Kept, *, anew: bool = False) -> None:
        super().__init__(answerer)
        self._kept = kept
        self._anew = anew

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        key = self._kept.key(request, self._answerer)
        is_last = request.assignment is not None and request.assignment.step == "write"
        if not (self._anew and is_last) and (text := self._kept.recall(key)) is not None:
            self._told = (RECALLED,) if is_last else ()
            yield text
            return
        pieces: list[str] = []
        for piece in self._answerer.stream(request):
            pieces.append(piece)
            yield piece
        self._kept.keep(key, "".join(pieces), request)


class BrokenOff(Around):
    """Tells what was written before a failure, and the failure."""

    def __init__(self, answerer: Answerer, text: str, failure: ProviderError) -> None:
        super().__init__(answerer)
        self._text = text
        self._failure = failure

    def stream(self, request: AnswerRequest) -> Iterator[str]:  # noqa: ARG002 - of an answerer
        if self._text:
            yield self._text
        raise self._failure


class InTurn(Around):
    """Writes what several requests ask for, one after the other; their evidence is that of the whole, in its order."""

    def __init__(self, answerer: Answerer, requests: Sequence[AnswerRequest]) -> None:
        super().__init__(answerer)
        self._requests = requests

    def stream(self, request: AnswerRequest) -> Iterator[str]:  # noqa: ARG002 - of an answerer
        before = 0
        for each in self._requests:
            if before:
                yield "\n\n"
            for piece in self._answerer.stream(each):
                yield renumbered(piece, before.__add__)
            before += len(each.evidence)
