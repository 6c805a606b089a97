"""The link to the chat: which addresses it has, when it may lack its secret, and what a browser is started with."""

from __future__ import annotations

import os
import re
import stat
import webbrowser
from pathlib import Path

import pytest
from pydantic import SecretStr

from launcher.address import Address
from launcher.link import Link, shown_in_browser
from rag_system.errors import InputError
from rag_system.settings import Settings

EVERYWHERE = "0.0.0.0"  # noqa: S104
CHOSEN = Settings(token=SecretStr("un secreto elegido"))

# address listened on, whether other machines reach it, what a person opens first
ADDRESSES = [
    ("127.0.0.1", False, "http://127.0.0.1:8501/"),
    ("127.0.0.2", False, "http://127.0.0.2:8501/"),
    ("localhost", False, "http://localhost:8501/"),
    ("::1", False, "http://[::1]:8501/"),
    (EVERYWHERE, True, "http://127.0.0.1:8501/"),
    ("::", True, "http://127.0.0.1:8501/"),
    ("192.168.1.5", True, "http://192.168.1.5:8501/"),
    ("servidor", True, "http://servidor:8501/"),
]


@pytest.mark.parametrize(("host", "reached", "url"), ADDRESSES)
def test_an_address_says_who_reaches_it_and_how(host: str, reached: bool, url: str) -> None:
    address = Address(host, 8501)
    assert (address.is_only_here, address.urls[0]) == (not reached, url)


def test_all_addresses_are_those_of_this_machine() -> None:
    """Each can be bound, which a foreign one cannot."""
    for url in Address(EVERYWHERE, 8501).urls:
        host = re.fullmatch(r"http://([\d.]+):8501/", url)
        assert host is not None
        Address(host[1], 0).check_free()


@pytest.mark.parametrize(("host", "reached", "_url"), ADDRESSES)
@pytest.mark.parametrize("guarded", [True, False])
def test_other_machines_reach_nothing_but_accounts(host: str, reached: bool, _url: str, guarded: bool) -> None:
    address = Address(host, 8501)
    assert "token" not in Link.of_a_start(address, Settings(accounts="password"), guarded=guarded).urls[0]
    if reached:
        with pytest.raises(InputError, match="LEGAJO_ACCOUNTS=password"):
            Link.of_a_start(address, CHOSEN, guarded=guarded)
    else:
        assert ("?token=" in Link.of_a_start(address, CHOSEN, guarded=guarded).urls[0]) == guarded


def test_the_secret_is_chosen_or_new_and_does_not_show() -> None:
    address = Address("127.0.0.1", 8501)
    chosen = Link.of_a_start(address, CHOSEN, guarded=True)
    assert chosen.urls == ["http://127.0.0.1:8501/?token=un%20secreto%20elegido"]
    assert "secreto" not in repr(chosen)
    new = {Link.of_a_start(address, Settings(), guarded=True).token for _ in range(3)}
    assert len(new) == 3


def test_a_browser_is_started_without_the_secret_in_its_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    with shown_in_browser("http://127.0.0.1:8501/?token=secreto&x=1"):
        page = Path(opened[0].removeprefix("file://"))
        assert "secreto" not in opened[0]
        assert 'content="0; url=http://127.0.0.1:8501/?token=secreto&amp;x=1"' in page.read_text(encoding="utf-8")
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert page.stat().st_uid == os.geteuid()
    assert not page.exists()
