"""Who is let in: so many at a time, by turns a person."""

from __future__ import annotations

import asyncio

import pytest

from api.limits import Allowance, OverloadedError, Turnstile
from tests import coroutines


async def _order(turnstile: Turnstile, people: str) -> str:
    """In which order they are let in, one at a time, who all came at once."""
    entered: list[str] = []

    async def come(person: str) -> None:
        async with turnstile.entered(person):
            entered.append(person)
            await asyncio.sleep(0)

    async with turnstile.entered("z"):
        waiting = [asyncio.create_task(come(person)) for person in people]
        while turnstile.waiting < len(people):
            await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return "".join(entered)


@pytest.mark.parametrize(("people", "order"), [("aaab", "abaa"), ("aabbc", "abcab"), ("a", "a"), ("", "")])
def test_people_take_turns_however_much_each_asks(people: str, order: str) -> None:
    assert coroutines.run(_order(Turnstile(1), people)) == order


def test_who_goes_away_leaves_the_turn_to_the_next() -> None:
    async def left() -> str:
        turnstile = Turnstile(1)
        async with turnstile.entered("z"):
            gone = asyncio.create_task(_order(turnstile, ""))
            while not turnstile.waiting:
                await asyncio.sleep(0)
            gone.cancel()
        return await _order(turnstile, "ab")

    assert coroutines.run(left()) == "ab"


def test_a_token_may_ask_so_often_in_a_minute() -> None:
    allowance = Allowance(3)
    for _ in range(3):
        allowance.take("a")
    with pytest.raises(OverloadedError, match=r"vuelva a intentar en (19|20) segundos"):
        allowance.take("a")
    allowance.take("b")
