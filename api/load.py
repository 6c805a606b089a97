"""`legajo load`: many ask at the same time over HTTP, and what that took is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from time import perf_counter
from typing import Literal
from urllib.parse import quote

import httpx2
import numpy as np

from rag_system.errors import InputError

__all__ = ["Load", "Measure", "driven", "table"]

_TIMEOUT_S = 120.0
_REFUSED = (429, 503)
_LONGEST_REST_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Who asks what, and where."""

    addresses: Sequence[str]
    tokens: Sequence[str] = field(repr=False)  # of as many people; askers take turns with them
    project: str
    questions: Sequence[str]
    each: int  # requests of an asker, one after the other
    what: Literal["search", "ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What so many askers met. Times in milliseconds, of the requests that were answered."""

    askers: int
    answered: int
    refused: int  # told to come again: 429 and 503
    failed: int  # anything else
    failure: str  # what the first of those met
    seconds: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    slowest_person_ms: float  # the mean of whom it served worst …
    fastest_person_ms: float  # … and best

    @property
    def per_second(self) -> float:
        """Answers."""
        return self.answered / self.seconds if self.seconds else 0.0


async def driven(load: Load, askers: Sequence[int], tell: Callable[[str], None]) -> AsyncIterator[Measure]:
    """A measure for each number of askers; `InputError` at the first number of which all fail."""
    for number in askers:
        tell(f"{number} preguntan a la vez…")
        measure = await _measured(load, number)
        if measure.failed and not (measure.answered or measure.refused):
            raise InputError(f"Con {number} a la vez, ninguna consulta fue respondida. {measure.failure}")
        yield measure


async def _measured(load: Load, askers: int) -> Measure:
    tally = _Tally()
    async with AsyncExitStack() as stack:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        clients = [
            await stack.enter_async_context(httpx2.AsyncClient(base_url=each, timeout=_TIMEOUT_S, limits=limits))
            for each in load.addresses
        ]
        begun = perf_counter()
        await asyncio.gather(*(_asker(load, number, clients, tally) for number in range(askers)))
        seconds = perf_counter() - begun
    times = [time for person in tally.times.values() for time in person] or [0.0]
    p50, p95, p99 = (float(each) for each in np.percentile(times, [50, 95, 99]))
    means = [float(np.mean(person)) for person in tally.times.values()] or [0.0]
    return Measure(
        askers=askers,
        answered=sum(map(len, tally.times.values())),
        refused=tally.refused,
        failed=tally.failed,
        failure=tally.failure,
        seconds=seconds,
        p50_ms=p50,
        p95_ms=p95,
        p99_ms=p99,
        slowest_person_ms=max(means),
        fastest_person_ms=min(means),
    )


class _Tally:
    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}  # milliseconds, by token
        self.refused = 0
        self.failed = 0
        self.failure = ""

    def fail(self, why: str) -> None:
        self.failed += 1
        self.failure = self.failure or why


async def _asker(load: Load, number: int, clients: Sequence[httpx2.AsyncClient], tally: _Tally) -> None:
    client, token = clients[number % len(clients)], load.tokens[number % len(load.tokens)]
    headers, path = {"Authorization": f"Bearer {token}"}, f"/api/v1/projects/{quote(load.project)}/{load.what}"
    for question in islice(cycle(load.questions), number, number + load.each):
        begun = perf_counter()
        try:
            answer = await client.post(path, headers=headers, json={"question": question})
        except httpx2.HTTPError as error:
            tally.fail(f"{client.base_url} no respondió: {str(error) or type(error).__name__}.")
            continue
        if answer.status_code in _REFUSED:
            tally.refused += 1
            await asyncio.sleep(min(float(answer.headers.get("retry-after", 1)), _LONGEST_REST_S))
        elif answer.is_success:
            tally.times.setdefault(token, []).append(1000 * (perf_counter() - begun))
        else:
            tally.fail(_said(answer))


def _said(answer: httpx2.Response) -> str:
    """The sentence with which Legajo refused; of another program its status."""
    try:
        return str(answer.json()["error"])
    except (ValueError, LookupError, TypeError):
        return f"{answer.url.copy_with(path='/')} respondió {answer.status_code}, como no lo hace Legajo."


def table(measures: Sequence[Measure]) -> str:
    """For a person, a line a measure."""
    head = (
        f"{'a la vez':>8}  {'resp./s':>8}  {'p50 ms':>8}  {'p95 ms':>8}  {'p99 ms':>8}  {'rechazos':>8}  {'fallos':>7}"
    )
    lines = [
        f"{each.askers:>8}  {each.per_second:>8.1f}  {each.p50_ms:>8.0f}  {each.p95_ms:>8.0f}  {each.p99_ms:>8.0f}  "
        f"{each.refused:>8}  {each.failed:>7}"
        for each in measures
    ]
    return "\n".join((head, *lines))
