"""What surrounds a question: that somebody in a session asks it, whose keys may pay for it, and that it is measured.

The same questions are put to the pipeline alone and to a project as people have it, in turn. They are follow-ups, and
other angles are wanted of each, so that whoever answers is asked to rewrite, to widen and to write.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.accounts import Accounts
from assistant.keys import OWN_KEY_PROVIDERS
from assistant.passwords import digest, new_secret
from assistant.project_assistant import ProjectAssistant
from benchmarks.clocks import Clocks
from benchmarks.loading import PROJECT
from benchmarks.measuring import PreparedVectors, percentile
from benchmarks.questions import BenchmarkQuestion
from benchmarks.rehearsal import now
from rag_system import LOCAL_PERSON
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.types import Event, Message

__all__ = ["measure_surroundings"]

ROUNDS = 5
_BEFORE = (Message(role="user", content="¿Qué norma regula el procedimiento?"),)
# What each adds to which way.
_ADDED = {
    "project": "pipeline",  # a person's project: nobody has a key, nothing is measured or recorded
    "keys": "project",  # one for each provider
    "metrics": "project",
    "session": "project",
    "recorded_metrics": "recorded",  # in a conversation
}

Ask = Callable[[str], Iterable[Event]]


def measure_surroundings(
    database: Database, settings: Settings, questions: Sequence[BenchmarkQuestion], clocks: Clocks
) -> Iterator[tuple[str, float]]:
    """Milliseconds of processor time: what a question takes in the middle of all, put to the pipeline, and what each
    thing around it adds.
    """
    vectors = PreparedVectors()
    with TemporaryDirectory() as folder:
        own = {"query_angles": 1, "sealing_key": None, "sealing_key_file": Path(folder) / "sealing.keys"}
        ways = _ways(database, settings.model_copy(update=own), vectors)
        for ask in ways.values():
            _took(ask, questions[0], vectors, clocks)  # what is loaded at the first use
        taken = [_least(ways, each, vectors, clocks) for each in questions]
    yield "pipeline", percentile([each["pipeline"] for each in taken], 50)
    for name, without in _ADDED.items():
        yield name, percentile([each[name] - each[without] for each in taken], 50)


def _ways(database: Database, settings: Settings, vectors: PreparedVectors) -> Mapping[str, Ask]:
    unmeasured, measured = (settings.model_copy(update={"metrics_days": days}) for days in (0, 90))

    def project(person: str, settings: Settings, *, session: str = "") -> ProjectAssistant:
        return ProjectAssistant(
            database=database.as_person(person, session=session),
            settings=settings,
            project=PROJECT,
            embeddings=lambda: vectors,
            reranker=lambda: None,
        )

    pipeline = RAGPipeline(
        database=database.as_person(LOCAL_PERSON),
        settings=settings,
        embeddings=lambda: vectors,
        answerer=build_answerer,
        project=PROJECT,
    )
    plain, counted = project(LOCAL_PERSON, unmeasured), project(LOCAL_PERSON, measured)
    owner = project("llaves", unmeasured)
    session = _member(database, plain, "sesión")
    _member(database, plain, "llaves")
    for provider in OWN_KEY_PROVIDERS:
        owner.keys.add(provider, new_secret())
    return {
        "pipeline": partial(pipeline.stream, history=_BEFORE),
        "project": partial(plain.stream, history=_BEFORE),
        "keys": partial(owner.stream, history=_BEFORE),
        "metrics": partial(counted.stream, history=_BEFORE),
        "session": partial(project("sesión", unmeasured, session=session).stream, history=_BEFORE),
        "recorded": lambda question: plain.stream(question, conversation_id=plain.conversations.create()),
        "recorded_metrics": lambda question: counted.stream(question, conversation_id=counted.conversations.create()),
    }


def _member(database: Database, project: ProjectAssistant, person: str) -> str:
    """Somebody new, who reads the project; the digest of their session's secret."""
    accounts, password = Accounts(database), new_secret()
    accounts.add(person, password)
    project.give_role(person, "reader")
    return digest(accounts.sign_in(person, password, address=""))


def _least(
    ways: Mapping[str, Ask], question: BenchmarkQuestion, vectors: PreparedVectors, clocks: Clocks
) -> dict[str, float]:
    """The least that each way took of a few rounds: what a machine does besides comes on top of it."""
    rounds = [{name: _took(ask, question, vectors, clocks) for name, ask in ways.items()} for _ in range(ROUNDS)]
    return {name: min(each[name] for each in rounds) for name in ways}


def _took(ask: Ask, question: BenchmarkQuestion, vectors: PreparedVectors, clocks: Clocks) -> float:
    vectors.expect(question.vector)
    started = now(clocks)
    deque(ask(question.text), maxlen=0)
    return (now(clocks) - started).cpu
