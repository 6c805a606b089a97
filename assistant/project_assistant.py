"""One project as one person has it: its questions and answers, its conversations, its documents, its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from assistant.concepts import Concepts
from assistant.conversations import Conversations, ConversationSummary
from assistant.keys import Keys
from assistant.library import DocumentSummary, IngestionSummary, Library
from assistant.originals import Originals
from assistant.projects import HideModel, Projects, ProjectSettings
from assistant.suggestions import suggest
from assistant.view import Turn, answered
from rag_system.embeddings import EmbeddingModel
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import redact_provider, without_provider
from rag_system.generation.providers import Resolved, build_answerer, resolve_provider
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.search.reranking import Reranker
from rag_system.search.texts import find_chunk
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.types import Answer, Chunk, Event, Finished, Funnel, Message, Retrieved, Token

__all__ = ["ProjectAssistant"]


class ProjectAssistant:
    """Questions, conversations and documents of one project. Made by `PersonalAssistant.project`.

    Safe to share between threads. `embeddings` and `reranker` are called when they are first needed.
    """

    def __init__(
        self,
        *,
        database: Database,
        settings: Settings,
        project: str,
        embeddings: Callable[[], EmbeddingModel],
        reranker: Callable[[], Reranker | None],
    ) -> None:
        self.project = project
        self.settings = settings
        self._database = database
        self._conversations = Conversations(database, project)
        self._library = Library(database=database, settings=settings, embeddings=embeddings, project=project)
        self._projects = Projects(database=database, settings=settings)
        self.concepts = Concepts(database=database, embeddings=embeddings, project=project)
        self.originals = Originals(database, project)
        self.keys = Keys(database=database, settings=settings, project=project)
        self.pipeline = RAGPipeline(
            database=database,
            settings=settings,
            embeddings=embeddings,
            answerer=self._answerer,
            reranker=reranker,
            project=project,
        )

    # ------------------------------------------------------------ answering

    def stream(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        history: Sequence[Message] = (),
        provider: ProviderName | None = None,
        recipe: str = "",
        concept: str = "",
        documents: Sequence[str] = (),
    ) -> Iterator[Event]:
        """The events of an answer; with a `concept`, from nothing but what is about it; with `documents`, their paths,
        from nothing but these.

        With a `conversation_id` its last messages are the history, and the turn is recorded, also one that is broken
        off: then with the text that was shown.
        """
        scope = Scope(provider=provider, recipe=recipe, concept=concept, documents=tuple(documents))
        if conversation_id is None:
            return self.pipeline.stream(question, history, scope=scope)
        return self._recorded(question, conversation_id, scope)

    def _recorded(self, question: str, conversation_id: str, scope: Scope) -> Iterator[Event]:
        stored, limit = self._conversations, self.settings.history_messages
        history = stored.history(conversation_id, limit=limit)
        place = stored.record_question(conversation_id, question)
        draft = _Draft()
        try:
            for event in self.pipeline.stream(question, history, scope=scope):
                draft.take(event)
                yield event
        finally:
            stored.record_answer(conversation_id, place, answered(draft.answer, draft.funnel))

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Message] = (),
        provider: ProviderName | None = None,
    ) -> Answer:
        """The answer at once."""
        draft = _Draft()
        for event in self.stream(question, history=history, provider=provider):
            draft.take(event)
        return draft.answer

    def explained(self, funnel: Funnel) -> Funnel:
        """The funnel with the words nearest to the question's vector: about 0.2 s, so only where a person asks."""
        return replace(funnel, near_words=self.pipeline.near_words(funnel))

    def _answerer(self, provider: ProviderName | None) -> Answerer:
        return build_answerer(self.settings, provider, self.keys.credentials())

    def provider_status(self, provider: ProviderName | None = None) -> Resolved:
        """Who answers, with which model, and a notice when that is not who was configured.

        The notice can be shown: in a project that hides its model it names nobody.
        """
        resolved = resolve_provider(self.settings, provider, self.keys.credentials())
        return (
            replace(resolved, notice=redact_provider(resolved.notice))
            if self.project_settings().hides_model
            else resolved
        )

    # ------------------------------------------------------------ the project

    def project_settings(self) -> ProjectSettings:
        """What is set for the project as a whole."""
        return self._projects.read(self.project)

    def change_project(
        self,
        *,
        recipe: str | None = None,
        instructions: str | None = None,
        assistant_name: str | None = None,
        hide_model: HideModel | None = None,
    ) -> None:
        """Set what is not None for the project. An empty text or "settings" unsets."""
        self._projects.change(
            self.project, recipe=recipe, instructions=instructions, assistant_name=assistant_name, hide_model=hide_model
        )

    # ------------------------------------------------------------ conversations

    def new_conversation(self) -> str:
        """An empty conversation's id."""
        return self._conversations.create()

    def conversations(self, *, limit: int = 50) -> list[ConversationSummary]:
        """The conversations that were last written in, newest first."""
        return self._conversations.recent(limit=limit)

    def turns(self, conversation_id: str) -> list[Turn]:
        """All that was said in a conversation, oldest first.

        In a project that hides its model also what was said before it did names nobody.
        """
        turns = self._conversations.turns(conversation_id)
        hides = self.project_settings().hides_model
        return [without_provider(turn, words="content") for turn in turns] if hides else turns

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        """Call a conversation otherwise."""
        self._conversations.rename(conversation_id, title)

    def delete_conversation(self, conversation_id: str) -> None:
        """Forget a conversation with its messages and citations."""
        self._conversations.delete(conversation_id)

    # ------------------------------------------------------------ documents

    def documents(self) -> list[DocumentSummary]:
        """The documents of a project, by path."""
        return self._library.all()

    def must_hold(self, documents: Sequence[str]) -> None:
        """Raise `InputError`, with near paths, for a document's path that a person mistyped."""
        self._library.must_hold(documents)

    def document_count(self) -> int:
        """How many documents a project has: for a page that shows no more of them."""
        return self._library.count()

    def ingest(self, paths: Sequence[Path], *, on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Index files and directories, one report a file as it is done."""
        return self._library.add(paths, on_progress=on_progress)

    def ingest_files(
        self,
        files: Sequence[tuple[Path, str]],
        *,
        origin: str = "",
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Index files under the given paths of the project, one report a file as it is done."""
        return self._library.add_files(files, origin=origin, on_progress=on_progress)

    def ingest_url(self, url: str, *, on_progress: OnProgress | None = None) -> IngestReport:
        """Index a page or a file of the web."""
        return self._library.add_url(url, on_progress=on_progress)

    def accept_stream(self, name: str, stream: IO[bytes]) -> str | IngestReport:
        """Take an upload into the queue, read part by part from where the stream stands.

        Its ingestion's id, or a report where nothing is to be done.
        """
        return self._library.accept_stream(name, stream)

    def accept_url(self, url: str) -> str | IngestReport:
        """Take a page or a file of the web into the queue: this waits for its server, not for a worker."""
        return self._library.accept_url(url)

    def see_through(self, accepted: Mapping[str, str]) -> Iterator[IngestReport]:
        """Work on accepted files, by their ingestion's id with their path, until all are over; one report each."""
        return self._library.see_through(accepted)

    def ingestions(self) -> list[IngestionSummary]:
        """Files that are not documents yet: waiting, being worked on, or failed."""
        return self._library.ingestions()

    def ingestion(self, ingestion_id: str) -> IngestReport | None:
        """What became of an accepted file; None while it is under way, or when it was cancelled."""
        return self._library.ingestion(ingestion_id)

    def cancel_ingestion(self, ingestion_id: str) -> bool:
        """Give up a file that is not a document yet. False when there is nothing to give up."""
        return self._library.cancel(ingestion_id)

    def retry_ingestion(self, ingestion_id: str) -> bool:
        """Queue a failed file again. False when it is not one that failed."""
        return self._library.retry(ingestion_id)

    def reindex(self, *, on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Read anew what an older program read, or move the project to the configured embedding model.

        The old index answers until the new one is whole.
        """
        return self._library.reindex(on_progress=on_progress)

    def worker_is_alive(self) -> bool:
        """Whether some worker, on any machine, attends to the queue."""
        return self._library.worker_is_alive()

    def remove_document(self, document_id: str) -> bool:
        """Take a document out of the project. False when it was not there."""
        return self._library.remove(document_id)

    def passage(self, chunk_id: int) -> Chunk | None:
        """A chunk's text and place, if it is still there."""
        with self._database.connection() as connection:
            return find_chunk(connection, self.project, chunk_id)

    def suggestions(self, *, limit: int = 4) -> list[str]:
        """Questions for an empty chat, made from the documents' headings."""
        return suggest(self._library.headings(), limit=limit)


class _Draft:
    """What is known of an answer while its events arrive."""

    def __init__(self) -> None:
        self.answer = Answer(text="", incomplete=True)
        self.funnel = Funnel()
        self._pieces: list[str] = []

    def take(self, event: Event) -> None:
        match event:
            case Retrieved(search=search):
                self.funnel = search.funnel
            case Finished(answer=answer):
                self.answer = answer
            case Token(text=piece):
                self._pieces.append(piece)
                self.answer = Answer(text="".join(self._pieces), incomplete=True)
