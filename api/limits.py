"""How much is answered at once and how often a token may ask: fair a person, and told when to come again.

The counts are of this process: behind a proxy each of several has its own.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from rag_system.errors import LegajoError

__all__ = ["Allowance", "OverloadedError", "Turnstile"]

_PATIENCE_S = 20.0  # that a question waits for its turn
_MOST_WAITING = 500
_MINUTE_S = 60.0
_FORGETTING = 0.9  # how much of the mean time a turn takes each new one leaves as it was


class OverloadedError(LegajoError):
    """Legajo atiende ahora a muchas personas."""

    def __init__(self, seconds: float, *, code: str = "overloaded") -> None:
        self.seconds = max(1, round(seconds))
        why = "Ese token ya hizo todas las consultas de este minuto" if code == "rate_limit" else self.__doc__
        super().__init__(f"{str(why).rstrip('.')}: vuelva a intentar en {self.seconds} segundos.", code=code)


class Allowance:
    """How many requests a token may make in a minute: a bucket that fills evenly."""

    def __init__(self, a_minute: int) -> None:
        self._most = float(a_minute)
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def take(self, token: str) -> None:
        """Count a request; one too many raises `OverloadedError`."""
        now, rate = monotonic(), self._most / _MINUTE_S
        left, since = self._left.pop(token, (self._most, now))
        left = min(self._most, left + (now - since) * rate)
        self._left[token] = (max(left - 1, 0.0) if left >= 1 else left, now)
        while self._left and now - next(iter(self._left.values()))[1] > _MINUTE_S:
            self._left.popitem(last=False)  # it is full again
        if left < 1:
            raise OverloadedError((1 - left) / rate, code="rate_limit")


class Turnstile:
    """Lets some in at a time; who waits is let in by turns a person, however much each of them asks."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._places = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._mean_s = 1.0  # of a turn

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def entered(self, person: str) -> AsyncIterator[None]:
        """A place, as soon as there is one. `OverloadedError`: not in time."""
        await self._enter(person)
        begun = monotonic()
        try:
            yield
        finally:
            self._mean_s = _FORGETTING * self._mean_s + (1 - _FORGETTING) * (monotonic() - begun)
            self._leave()

    async def _enter(self, person: str) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        ahead = self.waiting
        if ahead >= _MOST_WAITING:
            raise OverloadedError(self._wait_s(ahead))
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(person, deque()).append(turn)
        try:
            await asyncio.wait_for(turn, _PATIENCE_S)
        except TimeoutError:
            raise OverloadedError(self._wait_s(self.waiting)) from None
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # the place came as who wanted it went away
            raise

    def _leave(self) -> None:
        """Give the place to the next person in turn, or free it."""
        while self._waiting:
            person, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[person] = turns  # behind the others
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _wait_s(self, ahead: int) -> float:
        return (ahead + 1) * self._mean_s / self._places
