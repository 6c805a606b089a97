"""Legajo over one database: who asks is told by `as_person`, and where, by the project of that person."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from types import TracebackType
from typing import Self

from assistant.accounts import Accounts
from assistant.passwords import digest
from assistant.project_assistant import ProjectAssistant
from assistant.projects import Projects, ProjectSummary, name_taken
from assistant.tokens import Bearer, Tokens, bearer_of
from rag_system import LOCAL_PERSON
from rag_system.embeddings import EmbeddingModel, load_embeddings
from rag_system.errors import ForbiddenError, NotFoundError
from rag_system.ingestion.jobs import Worker
from rag_system.query.common_words import load_common_words
from rag_system.search.reranking import Reranker, load_reranker
from rag_system.settings import Settings, load_settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.storage.replicas import Outcome

__all__ = ["Assistant", "PersonalAssistant"]


class Assistant:
    """Legajo over one database. Safe to share between threads.

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
        """Load now what the first questions would wait for: the embedding model, and which words are Spanish."""
        self.embeddings().embed_query("hola")
        load_common_words()

    @property
    def replica_reads(self) -> Mapping[Outcome, int]:
        """What became of the reads of searches: replica, behind, unreachable. Empty without replicas."""
        return self._database.replica.outcomes if self._database.replica else {}

    @property
    def database_retries(self) -> int:
        """How often the database was lost in the middle of something that was then begun anew."""
        return self._database.retries

    def check(self) -> None:
        """Raise `StorageError` where the database cannot be used now."""
        with self._database.connection():
            pass

    def embeddings(self) -> EmbeddingModel:
        """The embedding model, loaded once."""
        with self._loading:
            if self._embeddings is None:
                self._embeddings = load_embeddings(self.settings)
            return self._embeddings

    def reranker(self) -> Reranker | None:
        """Who reads the best passages again, loaded once; None where the settings name nobody."""
        with self._loading_reranker:
            if self._reranker is None:
                self._reranker = load_reranker(self.settings)
            return self._reranker

    def worker(self) -> Worker:
        """A worker on the queue of every project: call its `run`, and `stop` from elsewhere."""
        return Worker(database=self._database, embeddings=self.embeddings, settings=self.settings)

    def as_person(self, person: str) -> PersonalAssistant:
        """What a person may see and do."""
        return PersonalAssistant(self, self._database.as_person(person), person)

    def as_session(self, secret: str) -> PersonalAssistant:
        """The same for whose session it is, for as long as that goes on: each call after it raises
        `SessionEndedError`, and so does this.
        """
        person = self.accounts().person_of(secret)
        return PersonalAssistant(self, self._database.as_person(person, session=digest(secret)), person)

    def bearer(self, secret: str) -> Bearer:
        """For whom a program acts that shows a token. One that is not in force raises `AccessError`."""
        return bearer_of(self._database, secret)

    def accounts(self, *, by: str = LOCAL_PERSON) -> Accounts:
        """The accounts of all: for the machine's own commands, and for who has yet to say who they are."""
        return Accounts(self._database, by=by)


class PersonalAssistant:
    """The projects of a person. Made by `Assistant.as_person`, or by `as_session`."""

    def __init__(self, assistant: Assistant, database: Database, person: str) -> None:
        self.person = person
        self.settings = assistant.settings
        self._assistant = assistant
        self._database = database
        self._projects = Projects(database=database, settings=assistant.settings)
        self.tokens = Tokens(database, person)

    def projects(self) -> list[ProjectSummary]:
        """What there is to know of each project at a glance, by the name that people call them."""
        return self._projects.all()

    def create_project(self, project: str) -> bool:
        """Make a project. False when it was there. An unusable name raises `InputError`, as one does that is taken by
        a project of others: its name is all that is told of that.
        """
        if self._projects.create(project):
            return True
        try:
            self._projects.must_exist(project)
        except NotFoundError:
            raise name_taken(project) from None
        return False

    def delete_project(self, project: str) -> None:
        """Delete a project for good, with its documents and everybody's conversations in it.

        Only its owner may: others get `ForbiddenError`. One that is not there raises `NotFoundError`.
        """
        self._projects.delete(project)

    def administration(self) -> Accounts:
        """The accounts of all, for a person who keeps them; for others it raises `ForbiddenError`."""
        self._database.check_session()
        accounts = self._assistant.accounts(by=self.person)
        if not accounts.is_administrator(self.person):
            raise ForbiddenError("Las cuentas las lleva quien administra Legajo. Pídale lo que necesite.")
        return accounts

    def project(self, project: str) -> ProjectAssistant:
        """One project. One that is not there raises `NotFoundError`, which lists those there are."""
        self._projects.must_exist(project)
        settings = self._assistant.settings
        return ProjectAssistant(
            database=self._database,
            settings=settings,
            project=project,
            embeddings=self._assistant.embeddings,
            reranker=self._assistant.reranker,
        )
