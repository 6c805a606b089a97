"""A sealed secret opens with its sealing key and in its place, and in no other way."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from rag_system.errors import SealingError
from rag_system.settings import Settings
from rag_system.storage.sealing import SealingKeys, new_sealing_key

SECRET = SecretStr("gsk-7f3a91c2d4")


def given_keys(*texts: str) -> SealingKeys:
    return SealingKeys(Settings(_env_file=None, sealing_key=",".join(texts)))  # type: ignore[arg-type, call-arg]


def in_folder(home: Path) -> SealingKeys:
    return SealingKeys(Settings(_env_file=None, home=home))  # type: ignore[call-arg]


ONE, OTHER = new_sealing_key(), new_sealing_key()


@given(secret=st.text(min_size=1), place=st.text(), elsewhere=st.text())
def test_what_is_sealed_opens_in_its_place_and_with_its_key_alone(secret: str, place: str, elsewhere: str) -> None:
    try:
        secret.encode(), place.encode(), elsewhere.encode()
    except UnicodeEncodeError:
        return
    keys = given_keys(ONE)
    sealed = keys.seal(SecretStr(secret), place=place)
    opened = keys.open(sealed, place=place)
    assert opened is not None
    assert opened.get_secret_value() == secret
    assert (keys.open(sealed, place=elsewhere) is None) == (place != elsewhere)
    assert given_keys(OTHER).open(sealed, place=place) is None
    assert keys.seal(SecretStr(secret), place=place).sealed != sealed.sealed


@given(at=st.integers(min_value=0, max_value=12 + 14 + 16 - 1), bit=st.integers(min_value=0, max_value=7))
def test_a_bit_that_was_changed_closes_it(at: int, bit: int) -> None:
    keys = given_keys(ONE)
    sealed = keys.seal(SECRET, place="aquí")  # 12 of the nonce, 14 of the text, 16 of the tag
    changed = bytearray(sealed.sealed)
    changed[at] ^= 1 << bit
    assert keys.open(replace(sealed, sealed=bytes(changed)), place="aquí") is None
    assert keys.open(replace(sealed, sealed=sealed.sealed[:at]), place="aquí") is None


def test_the_first_key_seals_and_each_opens() -> None:
    old = given_keys(ONE).seal(SECRET, place="aquí")
    both = given_keys(OTHER, ONE)
    assert both.open(old, place="aquí") == SECRET
    assert given_keys(OTHER).open(both.seal(SECRET, place="aquí"), place="aquí") == SECRET


def test_the_file_is_made_when_something_is_sealed_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    keys = in_folder(tmp_path)
    assert keys.open(given_keys(ONE).seal(SECRET, place=""), place="") is None
    assert list(tmp_path.iterdir()) == []
    sealed = keys.seal(SECRET, place="")
    assert stat.S_IMODE(keys.file.stat().st_mode) == 0o600
    assert in_folder(tmp_path).open(sealed, place="") == SECRET
    assert [each.name for each in tmp_path.iterdir()] == ["sealing.keys"]


def test_a_new_key_seals_while_the_old_one_still_opens(tmp_path: Path) -> None:
    keys = in_folder(tmp_path)
    old = keys.seal(SECRET, place="")
    keys.add_first()
    new = keys.seal(SECRET, place="")
    assert (keys.open(old, place=""), keys.open(new, place="")) == (SECRET, SECRET)
    keys.keep_first()
    assert (keys.open(old, place=""), keys.open(new, place="")) == (None, SECRET)
    assert stat.S_IMODE(keys.file.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["corta", ONE[:-4], f"{ONE}\nñ"], ids=["short", "cut", "strange"])
def test_a_damaged_key_is_told_and_nothing_is_made_in_its_place(tmp_path: Path, text: str) -> None:
    keys = in_folder(tmp_path)
    keys.file.write_text(text, encoding="utf-8")
    with pytest.raises(SealingError) as caught:
        keys.seal(SECRET, place="")
    assert str(keys.file) in str(caught.value)
    assert text not in str(caught.value)
    assert keys.file.read_text(encoding="utf-8") == text


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    keys = in_folder(tmp_path)
    keys.file.write_text("\n")
    with pytest.raises(SealingError, match="Restaure"):
        keys.seal(SECRET, place="")
