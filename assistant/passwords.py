"""Passwords and other secrets: how they are made, what is kept of them, and how they are compared. No database here."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from rag_system.errors import InputError

__all__ = ["LONGEST", "SHORTEST", "digest", "hash_password", "is_password", "new_secret"]

SHORTEST = 12  # characters
LONGEST = 200
_SECRET_BYTES = 32
_HASHER = PasswordHasher()  # argon2id as RFC 9106 advises: 64 MiB, three passes
_AT_ONCE = BoundedSemaphore(2)  # of those 64 MiB: who asks much oftener waits, instead of taking all memory


def hash_password(password: str, *, person: str) -> str:
    """What is kept of a password. One that is too short, too long or the person's name raises `InputError`."""
    if not SHORTEST <= len(password) <= LONGEST or password.casefold() == person:
        raise InputError(
            f"Esa contraseña no sirve: use de {SHORTEST} a {LONGEST} caracteres, que no sean su nombre.",
            code="weak_password",
            shortest=SHORTEST,
            longest=LONGEST,
        )
    with _AT_ONCE:
        return _HASHER.hash(password)


def is_password(password: str, kept: str | None) -> bool:
    """Whether it is the one of which `kept` is kept. To compare it with none (None) costs the same, and is False."""
    with _AT_ONCE:
        try:
            return _HASHER.verify(kept or _nobodys(), password[: LONGEST + 1]) and kept is not None
        except VerifyMismatchError:
            return False


@cache
def _nobodys() -> str:
    return _HASHER.hash(new_secret())


def new_secret() -> str:
    """256 bits that nobody guesses, as text for a link or a cookie."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def digest(secret: str) -> str:
    """What a secret is recognised by: SHA-256. Enough for what is not made up by people."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
