"""What it costs to list and to search many long conversations, as the chat does both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from random import Random
from time import perf_counter
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from assistant.conversations import Conversations
from benchmarks.clocks import Clocks
from benchmarks.collection import Collection
from benchmarks.loading import PROJECT
from benchmarks.measuring import percentile
from benchmarks.report import Measure
from rag_system import LOCAL_PERSON
from rag_system.query.text import analyze_terms
from rag_system.storage.connection import Database
from rag_system.storage.projects import create_project
from rag_system.storage.sql import array_of, insert_rows, queries

__all__ = ["measure_conversations"]

TURNS = 50  # of a conversation: a question and its answer
LISTED, FOUND = 200, 12  # as in the chat
SEARCHES = 100
_TEXTS = 5_000  # different ones
_QUESTION, _ANSWER = 80, 800  # letters
_SQL = queries("benchmarks", "conversations.sql")


def measure_conversations(
    database: Database, conversations: int, *, embedded: bool, tell: Callable[[str], None]
) -> Iterator[Measure]:
    """Fill an empty database with conversations, and measure; `embedded` when the server's clock can be read."""
    person = database.as_person(LOCAL_PERSON)
    with person.connection() as connection:
        create_project(connection, PROJECT)
    texts = [chunk.text for document in Collection(chunks=_TEXTS).documents() for chunk in document.chunks]
    tell(f"Cargando {conversations} conversaciones de {TURNS} preguntas…")
    with database.as_owner() as connection:
        endless = cycle(texts)
        for number in range(conversations):
            _load(connection, number, list(islice(endless, TURNS)))
        connection.execute(_SQL["analyze"])
        clocks = Clocks(connection, embedded=embedded)
    stored = Conversations(person, PROJECT)
    tell("Listando y buscando conversaciones…")
    rng = Random(1)  # noqa: S311
    words = [" ".join(rng.sample(rng.choice(texts).split(), 2)) for _ in range(SEARCHES)]
    calls: dict[str, Sequence[Callable[[], object]]] = {
        "list": [partial(stored.recent, limit=LISTED)] * SEARCHES,
        "search": [partial(stored.search, each, limit=FOUND) for each in words],
    }
    for name, each in calls.items():
        for clock, values in _times(each, clocks).items():
            for share in (50, 95) if values else ():
                value = percentile(values, share)
                yield Measure(chunks=conversations, measure=f"talks_{name}_{clock}_p{share}", value=value, unit="ms")


def _load(connection: Connection[TupleRow], number: int, texts: Sequence[str]) -> None:
    conversation = UUID(int=number)
    said = [part for text in texts for part in (text[:_QUESTION], text[:_ANSWER])]
    terms: dict[str, list[int]] = defaultdict(list)
    for ordinal, text in enumerate(said):
        for term in set(analyze_terms(text)):
            terms[term].append(ordinal)
    connection.execute(_SQL["conversation"], (PROJECT, conversation, said[0], len(said) - 1, LOCAL_PERSON, number))
    messages = (
        (PROJECT, conversation, at, at - 1 if at else None, "assistant" if at % 2 else "user", text)
        for at, text in enumerate(said)
    )
    insert_rows(connection, _SQL["message"], messages)
    rows = ((PROJECT, conversation, term, array_of(ordinals)) for term, ordinals in terms.items())
    insert_rows(connection, _SQL["term"], rows)


def _times(calls: Sequence[Callable[[], object]], clocks: Clocks) -> dict[str, list[float]]:
    """Milliseconds by clock, after one round that is not measured."""
    taken: dict[str, list[float]] = {"wall": [], "cpu": []}
    for call in calls:
        call()
    for call in calls:
        before = perf_counter(), clocks.python_ms(), clocks.database_ms()
        call()
        after = perf_counter(), clocks.python_ms(), clocks.database_ms()
        taken["wall"].append((after[0] - before[0]) * 1e3)
        if before[2] is not None and after[2] is not None:
            taken["cpu"].append(after[1] - before[1] + after[2] - before[2])
    return taken
