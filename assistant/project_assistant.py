"""One project as one person has it: its questions and answers, its conversations, its documents, its settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Unpack

from assistant.accounts import Role
from assistant.concepts import Concepts
from assistant.conversations import SAVED, Conversations, ConversationSummary
from assistant.copying import Copier
from assistant.exporting import Format, conversation_path, conversation_text, exported, file_name, packed
from assistant.facts import Facts
from assistant.feedback import Feedback
from assistant.folders import Folders
from assistant.keys import Keys
from assistant.library import Library
from assistant.metrics import AnswerMetrics, Draft
from assistant.notes import Notes
from assistant.originals import Originals
from assistant.permissions import Doing, may
from assistant.projects import ProjectChange, Projects, ProjectSettings
from assistant.recording import Recorder
from assistant.saved_questions import SavedQuestions
from assistant.sharing import SharedConversation, read_shared
from assistant.shelf import Shelf
from assistant.suggestions import further, suggest
from assistant.tags import Tags
from assistant.turn_store import TurnStore
from assistant.view import Turn
from rag_system.embeddings import EmbeddingModel
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import redact_provider, without_provider
from rag_system.generation.providers import Resolved, build_answerer, propose_title, resolve_provider
from rag_system.ingestion.loaders.ocr import OcrOptions
from rag_system.ingestion.report import IngestReport
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.search.near_words import near_words
from rag_system.search.reranking import Reranker
from rag_system.search.texts import find_chunk
from rag_system.settings import ProviderName, Settings
from rag_system.storage.audit import AuditEntry, list_audit, write_down
from rag_system.storage.connection import Database
from rag_system.types import Answer, Chunk, Event, Funnel, Message, Usage

__all__ = ["ProjectAssistant"]

_SUGGESTED, _FOLLOWING = 4, 3  # questions, below an empty chat and below an answer


class ProjectAssistant:
    """Questions, conversations and documents of one project. Made by `PersonalAssistant.project`. Safe to share
    between threads. `embeddings` and `reranker` are called when they are first needed.
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
        self._embeddings = embeddings
        self._turns = TurnStore(database, project)
        self.conversations = Conversations(database, project)
        self.library = Library(database=database, settings=settings, embeddings=embeddings, project=project)
        self._projects = Projects(database=database, settings=settings)
        self.concepts = Concepts(database=database, embeddings=embeddings, project=project)
        self.facts = Facts(database, project)
        self.originals = Originals(database, project, OcrOptions(settings.ocr, settings.ocr_languages))
        self.notes = Notes(self.library, self.originals)
        self.copier = Copier(database, settings, project)
        self.feedback = Feedback(database, project)
        self.folders = Folders(database, project)
        self.saved_questions = SavedQuestions(database, project)
        self.shelf = Shelf(database, project)
        self.tags = Tags(database, project)
        self.metrics = AnswerMetrics(database, project, days=settings.metrics_days)
        self.keys = Keys(database=database, settings=settings, project=project)
        self.pipeline = RAGPipeline(
            database=database,
            settings=settings,
            embeddings=embeddings,
            answerer=self._answerer,
            reranker=reranker,
            project=project,
        )
        self._recorder = Recorder(
            database, project, self.pipeline, self._turns, self.conversations, self.metrics, title=self._title
        )

    @property
    def waits_for_database(self) -> bool:
        """Whether something waits for the database to come back, and has for a while."""
        return self._database.is_away

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
        all_projects: bool = False,
        instead_of: int | None = None,
        unasked: bool = False,
    ) -> Iterator[Event]:
        """The events of an answer; with a `concept`, from nothing but what is about it; with `documents`, their paths,
        from nothing but these; with `all_projects`, also from the others that one may read. Instructions and whoever
        answers are this project's.

        With a `conversation_id` the last messages of its current branch are the history, and the turn is recorded, also
        one that is broken off: then with the text that was shown. `instead_of` is the ordinal of a question there that
        this one is another version of. `unasked`: what takes many requests to a model is done without asking first.
        """
        scope = Scope(
            provider=provider,
            recipe=recipe,
            concept=concept,
            documents=tuple(documents),
            all_projects=all_projects,
            unasked=unasked,
        )
        if conversation_id is None:
            return self._recorder.measured(question, history, scope)
        record = partial(self._turns.record_question, conversation_id, question, instead_of=instead_of)
        return self._recorder.recorded(conversation_id, record, scope)

    def answer_again(
        self,
        conversation_id: str,
        answer: int,
        *,
        provider: ProviderName | None = None,
        concept: str = "",
        documents: Sequence[str] = (),
        all_projects: bool = False,
    ) -> Iterator[Event]:
        """The events of another answer to the same question, recorded beside the one of the ordinal `answer`."""
        scope = Scope(
            provider=provider, concept=concept, documents=tuple(documents), all_projects=all_projects, anew=True
        )
        record = partial(self._turns.record_retry, conversation_id, answer)
        return self._recorder.recorded(conversation_id, record, scope)

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Message] = (),
        provider: ProviderName | None = None,
    ) -> Answer:
        """The answer at once."""
        draft = Draft()
        for event in self.stream(question, history=history, provider=provider):
            draft.take(event)
        return draft.answer

    def transcribe(self, audio: bytes) -> str:
        """The words of a recording (WAV), on one line. What is raised: `rag_system.generation.transcribing`."""
        from rag_system.generation.transcribing import transcribe  # with clients of HTTP, which few need

        return transcribe(self.settings_in_force(), audio)

    def explained(self, funnel: Funnel) -> Funnel:
        """The funnel with the words nearest to the question's vector: about 0.2 s, so only where a person asks."""
        return replace(funnel, near_words=near_words(self._database, self.project, funnel, self._embeddings))

    def _answerer(self, settings: Settings, provider: ProviderName | None) -> Answerer:
        paid = (provider or settings.llm_provider) != "extractive"  # else no key is looked for
        return build_answerer(settings, provider, self.keys.credentials() if paid else None)

    def _title(self, question: str, turn: Turn, scope: Scope) -> tuple[str | None, Usage]:
        """By whoever answered; None where another did so than was asked for: it has just failed."""
        settings = self.settings_in_force()
        asked_for = turn.provider in ("", scope.provider or settings.llm_provider)  # '': the project hides it
        if not (settings.model_titles and asked_for):
            return None, Usage()
        return propose_title(settings, scope.provider, self.keys.credentials(), question, turn.content)

    def provider_status(self, provider: ProviderName | None = None) -> Resolved:
        """Who answers, with which model, and a notice when that is not who was configured.

        The notice can be shown: in a project that hides its model it names nobody.
        """
        settings = self.settings_in_force()
        resolved = resolve_provider(settings, provider, self.keys.credentials())
        return replace(resolved, notice=redact_provider(resolved.notice)) if settings.hide_model else resolved

    # ------------------------------------------------------------ the project

    def may(self, doing: Doing) -> bool:
        """Whether who acts may do that here: it decides what a page offers."""
        return may(self._projects.row(self.project).role, doing)

    def project_settings(self) -> ProjectSettings:
        """What is set for the project as a whole."""
        return self._projects.read(self.project)

    def settings_in_force(self) -> Settings:
        """The program's settings with the project's word where it has one: what a question here is answered with."""
        return self._projects.in_force(self.project)

    def change_project(self, **changed: Unpack[ProjectChange]) -> None:
        """Set what is named; None, or nothing in a text, leaves it to the settings.

        What cannot be set so raises `InputError`, or `ConfigurationError` for a recipe; who does not own the project
        gets `ForbiddenError`.
        """
        self._projects.change(self.project, **changed)

    def project_names(self) -> dict[str, str]:
        """What people call the projects that one may read, by id: those that a search of all looks through."""
        return {each.project: each.name for each in self._projects.all()}

    def members(self) -> dict[str, Role]:
        """Who may do what in the project, by name: all for its owners, and for others themselves."""
        return self._projects.members(self.project)

    def give_role(self, person: str, role: Role | None) -> None:
        """What a person may do in the project; None: nothing. Only its owners say so: others raise `ForbiddenError`."""
        self._projects.give_role(self.project, person, role)

    # ------------------------------------------------------------ conversations

    def turns(self, conversation_id: str) -> list[Turn]:
        """What was said in the current branch of a conversation, oldest first.

        In a project that hides its model also what was said before it did names nobody.
        """
        turns = self.conversations.unredacted_turns(conversation_id)
        hides = self.settings_in_force().hide_model
        return [without_provider(turn, words="content") for turn in turns] if hides else turns

    def shared_conversation(self, secret: str) -> SharedConversation:
        """What a link shows, of whoever shared it. One that shows nothing raises `NotFoundError`."""
        return read_shared(self._database, secret)

    def save_conversation(self, conversation_id: str) -> Mapping[str, str] | IngestReport:
        """Take a conversation into the queue as a document; saved again, it replaces the former one.

        Its ingestion's id with its path, for `see_through`, or a report where nothing is to be done.
        """
        summary = self.conversations.named(conversation_id)
        path = summary.saved_as or self._free_path(summary)
        said = conversation_text(self.turns(conversation_id), title=summary.title, references=False)
        accepted = self.library.accept_text(path, said)
        if accepted.report is not None:
            return accepted.report
        self.conversations.mark_saved(conversation_id, path)
        return {accepted.ingestion_id: path}

    def _free_path(self, summary: ConversationSummary) -> str:
        path = f"{SAVED}/{file_name(summary.title)}"
        return f"{path} ({summary.conversation_id[:8]}).md" if self.library.holds(f"{path}.md") else f"{path}.md"

    def export_conversation(self, conversation_id: str, *, format: Format) -> bytes:
        """A conversation as a file to be taken along, which is written down."""
        return self._exported(self.conversations.named(conversation_id), format)

    def export_conversations(self, *, format: Format) -> bytes:
        """All of one's conversations but the deleted ones, as a ZIP with a file each, in their folders."""
        listed = (self.conversations.recent(limit=None, archived=archived) for archived in (False, True))
        files = ((conversation_path(each), self._exported(each, format)) for each in chain.from_iterable(listed))
        return packed(files, format=format)

    def _exported(self, conversation: ConversationSummary, format: Format) -> bytes:
        self._database.run(write_down, self.project, "conversation.export", conversation.conversation_id)
        return exported(self.turns(conversation.conversation_id), title=conversation.title, format=format)

    def audit(self, *, limit: int = 1000) -> list[AuditEntry]:
        """Who did what, the latest first: for the owners of the project. Others get `ForbiddenError`."""
        return self._database.run(list_audit, self.project, limit=limit)

    # ------------------------------------------------------------ documents

    def passage(self, chunk_id: int) -> Chunk | None:
        """A chunk's text and place, if it is still there."""
        return self._database.run(find_chunk, self.project, chunk_id)

    def suggestions(self, *, documents: Sequence[str] = ()) -> list[str]:
        """Questions for an empty chat: the project's own, or else some made from the documents' headings; of some
        documents (paths), those of their headings alone.
        """
        if documents:
            return further(self.library.headings(documents), limit=_SUGGESTED)
        own = list(self._projects.row(self.project).sample_questions)
        return own or suggest(self.library.headings(), limit=_SUGGESTED)

    def follow_ups(self, turn: Turn) -> list[str]:
        """Questions about what was found beside an answer: the sections that it does not cite. None below silence."""
        return further(self.library.beside(turn), limit=_FOLLOWING) if turn.citations else []
