"""`Assistant`: the one object that every front end calls (chat, command line, HTTP, MCP)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Self

from assistant.concepts import Concepts
from assistant.conversations import Conversations, ConversationSummary, Turn
from assistant.library import DocumentSummary, IngestionSummary, Library
from assistant.originals import Originals
from assistant.projects import HideModel, Projects, ProjectSettings
from assistant.suggestions import suggest
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings import EmbeddingModel, load_embeddings
from rag_system.generation.provider_redaction import redact_provider, without_provider
from rag_system.generation.providers import Resolved, build_answerer, resolve_provider
from rag_system.ingestion.jobs import Worker
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.search.reranking import Reranker, load_reranker
from rag_system.search.texts import find_chunk
from rag_system.settings import ProviderName, Settings, load_settings
from rag_system.storage.connection import Database, open_database
from rag_system.types import Answer, Chunk, Event, Finished, Funnel, Message, Retrieved, Token

__all__ = ["Assistant"]


class Assistant:
    """Questions, conversations and documents over one database. Safe to share between threads.

    Made by `Assistant.open`; close it, or use it as a context manager. The embedding model is loaded when it is first
    needed, or by `warm_up`.
    """

    def __init__(self, *, database: Database, settings: Settings, embeddings: EmbeddingModel | None = None) -> None:
        self.settings = settings
        self._database = database
        self._embeddings = embeddings
        self._reranker: Reranker | None = None
        self._loading = Lock()
        self._loading_reranker = Lock()  # takes seconds: questions that do without it need not wait
        self._conversations = Conversations(database)
        self._library = Library(database=database, settings=settings, embeddings=self._model)
        self._projects = Projects(database=database, settings=settings)
        self.concepts = Concepts(database=database, embeddings=self._model)
        self.originals = Originals(database)
        self.pipeline = RAGPipeline(
            database=database,
            settings=settings,
            embeddings=self._model,
            answerer=partial(build_answerer, settings),
            reranker=self._second_reader,
        )

    @classmethod
    def open(cls, settings: Settings | None = None, *, embeddings: EmbeddingModel | None = None) -> Self:
        """Attach to the database, starting the embedded server and migrating the schema where that is due.

        Without `embeddings` the model of the settings is loaded when it is first needed.
        """
        settings = settings or load_settings()
        return cls(database=open_database(settings), settings=settings, embeddings=embeddings)

    def close(self) -> None:
        """Let go of the database; the last user of the embedded server stops it."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def warm_up(self) -> None:
        """Load the embedding model now."""
        self._model().embed_query("hola")

    def _model(self) -> EmbeddingModel:
        with self._loading:
            if self._embeddings is None:
                self._embeddings = load_embeddings(self.settings)
            return self._embeddings

    def _second_reader(self) -> Reranker | None:
        with self._loading_reranker:
            if self._reranker is None:
                self._reranker = load_reranker(self.settings)
            return self._reranker

    # ------------------------------------------------------------ answering

    def stream(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        history: Sequence[Message] = (),
        project: str = DEFAULT_PROJECT,
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
        scope = Scope(project=project, provider=provider, recipe=recipe, concept=concept, documents=tuple(documents))
        if conversation_id is None:
            return self.pipeline.stream(question, history, scope=scope)
        return self._recorded(question, conversation_id, scope)

    def _recorded(self, question: str, conversation_id: str, scope: Scope) -> Iterator[Event]:
        stored, project, limit = self._conversations, scope.project, self.settings.history_messages
        history = stored.history(conversation_id, project=project, limit=limit)
        place = stored.record_question(conversation_id, question, project=project)
        draft = _Draft()
        try:
            for event in self.pipeline.stream(question, history, scope=scope):
                draft.take(event)
                yield event
        finally:
            stored.record_answer(conversation_id, place, draft.answer, draft.funnel, project=project)

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Message] = (),
        project: str = DEFAULT_PROJECT,
        provider: ProviderName | None = None,
    ) -> Answer:
        """The answer at once."""
        draft = _Draft()
        for event in self.stream(question, history=history, project=project, provider=provider):
            draft.take(event)
        return draft.answer

    def explained(self, funnel: Funnel, *, project: str = DEFAULT_PROJECT) -> Funnel:
        """The funnel with the words nearest to the question's vector: about 0.2 s, so only where a person asks."""
        return replace(funnel, near_words=self.pipeline.near_words(funnel, project=project))

    def provider_status(self, provider: ProviderName | None = None, *, project: str = DEFAULT_PROJECT) -> Resolved:
        """Who answers, with which model, and a notice when that is not who was configured.

        The notice can be shown: in a project that hides its model it names nobody.
        """
        resolved = resolve_provider(self.settings, provider)
        return (
            replace(resolved, notice=redact_provider(resolved.notice))
            if self.project(project).hides_model
            else resolved
        )

    # ------------------------------------------------------------ projects

    def must_exist(self, project: str) -> None:
        """Raise `InputError` for a name that a person mistyped; the default project needs no making."""
        if project != DEFAULT_PROJECT:
            self._projects.must_exist(project)

    def project(self, name: str = DEFAULT_PROJECT) -> ProjectSettings:
        """What is set for a project as a whole."""
        return self._projects.read(name)

    def change_project(
        self,
        name: str = DEFAULT_PROJECT,
        *,
        recipe: str | None = None,
        instructions: str | None = None,
        assistant_name: str | None = None,
        hide_model: HideModel | None = None,
    ) -> None:
        """Set what is not None for a project, and make it when it is not there. An empty text or "settings" unsets."""
        self._projects.change(
            name, recipe=recipe, instructions=instructions, assistant_name=assistant_name, hide_model=hide_model
        )

    # ------------------------------------------------------------ conversations

    def new_conversation(self, *, project: str = DEFAULT_PROJECT) -> str:
        """An empty conversation's id."""
        return self._conversations.create(project=project)

    def conversations(self, *, project: str = DEFAULT_PROJECT, limit: int = 50) -> list[ConversationSummary]:
        """The conversations that were last written in, newest first."""
        return self._conversations.recent(project=project, limit=limit)

    def turns(self, conversation_id: str, *, project: str = DEFAULT_PROJECT) -> list[Turn]:
        """All that was said in a conversation, oldest first.

        In a project that hides its model also what was said before it did names nobody.
        """
        turns = self._conversations.turns(conversation_id, project=project)
        hides = self.project(project).hides_model
        return [without_provider(turn, words="content") for turn in turns] if hides else turns

    def rename_conversation(self, conversation_id: str, title: str, *, project: str = DEFAULT_PROJECT) -> None:
        """Call a conversation otherwise."""
        self._conversations.rename(conversation_id, title, project=project)

    def delete_conversation(self, conversation_id: str, *, project: str = DEFAULT_PROJECT) -> None:
        """Forget a conversation with its messages and citations."""
        self._conversations.delete(conversation_id, project=project)

    # ------------------------------------------------------------ documents

    def documents(self, *, project: str = DEFAULT_PROJECT) -> list[DocumentSummary]:
        """The documents of a project, by path."""
        return self._library.all(project=project)

    def must_hold(self, documents: Sequence[str], *, project: str = DEFAULT_PROJECT) -> None:
        """Raise `InputError`, with near paths, for a document's path that a person mistyped."""
        self._library.must_hold(documents, project=project)

    def document_count(self, *, project: str = DEFAULT_PROJECT) -> int:
        """How many documents a project has: for a page that shows no more of them."""
        return self._library.count(project=project)

    def ingest(
        self, paths: Sequence[Path], *, project: str = DEFAULT_PROJECT, on_progress: OnProgress | None = None
    ) -> Iterator[IngestReport]:
        """Index files and directories, one report a file as it is done."""
        return self._library.add(paths, project=project, on_progress=on_progress)

    def ingest_files(
        self,
        files: Sequence[tuple[Path, str]],
        *,
        project: str = DEFAULT_PROJECT,
        origin: str = "",
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Index files under the given paths of the project, one report a file as it is done."""
        return self._library.add_files(files, project=project, origin=origin, on_progress=on_progress)

    def ingest_url(
        self, url: str, *, project: str = DEFAULT_PROJECT, on_progress: OnProgress | None = None
    ) -> IngestReport:
        """Index a page or a file of the web."""
        return self._library.add_url(url, project=project, on_progress=on_progress)

    def accept_stream(self, name: str, stream: IO[bytes], *, project: str = DEFAULT_PROJECT) -> str | IngestReport:
        """Take an upload into the queue, read part by part from where the stream stands.

        Its ingestion's id, or a report where nothing is to be done.
        """
        return self._library.accept_stream(name, stream, project=project)

    def accept_url(self, url: str, *, project: str = DEFAULT_PROJECT) -> str | IngestReport:
        """Take a page or a file of the web into the queue: this waits for its server, not for a worker."""
        return self._library.accept_url(url, project=project)

    def ingestions(self, *, project: str = DEFAULT_PROJECT) -> list[IngestionSummary]:
        """Files that are not documents yet: waiting, being worked on, or failed."""
        return self._library.ingestions(project=project)

    def ingestion(self, ingestion_id: str, *, project: str = DEFAULT_PROJECT) -> IngestReport | None:
        """What became of an accepted file; None while it is under way, or when it was cancelled."""
        return self._library.ingestion(ingestion_id, project=project)

    def cancel_ingestion(self, ingestion_id: str, *, project: str = DEFAULT_PROJECT) -> bool:
        """Give up a file that is not a document yet. False when there is nothing to give up."""
        return self._library.cancel(ingestion_id, project=project)

    def retry_ingestion(self, ingestion_id: str, *, project: str = DEFAULT_PROJECT) -> bool:
        """Queue a failed file again. False when it is not one that failed."""
        return self._library.retry(ingestion_id, project=project)

    def reindex(
        self, *, project: str = DEFAULT_PROJECT, on_progress: OnProgress | None = None
    ) -> Iterator[IngestReport]:
        """Read anew what an older program read, or move the project to the configured embedding model.

        The old index answers until the new one is whole.
        """
        return self._library.reindex(project=project, on_progress=on_progress)

    def worker_is_alive(self) -> bool:
        """Whether some worker, on any machine, attends to the queue."""
        return self._library.worker_is_alive()

    def worker(self) -> Worker:
        """A worker on the queue of every project: call its `run`, and `stop` from elsewhere."""
        return self._library.worker()

    def remove_document(self, document_id: str, *, project: str = DEFAULT_PROJECT) -> bool:
        """Take a document out of the project. False when it was not there."""
        return self._library.remove(document_id, project=project)

    def passage(self, chunk_id: int, *, project: str = DEFAULT_PROJECT) -> Chunk | None:
        """A chunk's text and place, if it is still there."""
        with self._database.connection() as connection:
            return find_chunk(connection, project, chunk_id)

    def suggestions(self, *, project: str = DEFAULT_PROJECT, limit: int = 4) -> list[str]:
        """Questions for an empty chat, made from the documents' headings."""
        return suggest(self._library.headings(project=project), limit=limit)


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
